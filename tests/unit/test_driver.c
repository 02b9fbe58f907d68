/* SPDX-License-Identifier: MIT */
/*
 * test_driver.c - is each step one commit of what happened, in order, or nothing at all?
 *
 * The manager here is a list of happenings. It writes every word it reports into one buffer
 * that it overwrites at once; the ledger (memory_ledger.h) checks what it is given.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sched/host/driver.h"
#include "tests/memory_ledger.h"

/* --- a manager that does not keep its words ------------------------------------------------ */

struct happening {
	int64_t at_s;
	enum event_kind kind; /* SUBMIT, END, SIM */
	uint64_t job;
	const char *user;
	uint32_t procs;
	int64_t wall_limit_s;
};

struct manager {
	const struct happening *next;  /* ends with kind 0 */
	const struct happening *again; /* the same from its beginning, for a manager that adopts again */
	uint32_t nodes;                /* of four processors each */
	char word[3][32];              /* overwritten after each report */
	struct str told;               /* what was started: "start 1 at 10 on n001*4" */
	bool refuse_adopt, refuse_start, refuse_cancel;
	unsigned closed;
};

static void manager_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct manager *m = self;

	(void)s;
	for (uint32_t i = 1; i <= m->nodes; i++) {
		struct event ev = {
			.kind = EVENT_NODE, .who = m->word[0], .node = {.name = m->word[1], .procs = 4}};

		strcpy(m->word[0], "sched");
		snprintf(m->word[1], sizeof m->word[1], "n%03u", i);
		report(to, &ev);
		memset(m->word, 'x', sizeof m->word);
	}
}

static int64_t manager_next_s(const void *self)
{
	const struct manager *m = self;

	return m->next && m->next->kind ? m->next->at_s : TIME_NEVER;
}

static void manager_report(struct manager *m, const struct happening *h, rm_report *report, void *to)
{
	struct event ev = {.kind = h->kind, .time_s = h->at_s, .job = h->job, .who = m->word[0]};

	snprintf(m->word[0], sizeof m->word[0], "%s", h->user ? h->user : "sched");
	snprintf(m->word[1], sizeof m->word[1], "name of %" PRIu64, h->job);
	if (h->kind == EVENT_SUBMIT)
		ev.submit = (struct job_record){
			.job = {.submit_s = h->at_s,
				.not_before_s = TIME_NONE,
				.wall_limit_s = h->wall_limit_s,
				.true_run_s = h->wall_limit_s,
				.tasks = h->procs,
				.task_procs = 1},
			.cred = {[CRED_USER] = m->word[0]},
			.name = m->word[1],
		};
	report(to, &ev);
	memset(m->word, 'x', sizeof m->word);
}

static void manager_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct manager *m = self;

	for (; manager_next_s(m) <= now_s; m->next++)
		manager_report(m, m->next, report, to);
}

static bool manager_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	const struct alloc_run *runs = start->runs;
	struct manager *m = self;

	if (m->refuse_start)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->told, "start %" PRIu64 " at %" PRId64 " on", start->job->id, now_s);
	for (uint32_t i = 0; i < start->run_count; i++)
		str_addf(&m->told, " %u+%u*%u", runs[i].node, runs[i].nodes, runs[i].procs);
	if (start->launch != NULL)
		str_addf(&m->told, " (%.*s)", (int)start->launch_size, (const char *)start->launch);
	str_add(&m->told, "\n");
	return true;
}

static bool manager_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->told, "%s %" PRIu64 "\n", on ? "suspend" : "resume", job->id);
	return true;
}

static bool manager_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->told, "signal %d to %" PRIu64 " at %" PRId64 "\n", number, job->id, now_s);
	return true;
}

static int manager_fd(const void *self)
{
	(void)self;
	return -1;
}

static bool manager_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->told, "cancel %" PRIu64 " at %" PRId64 "\n", job->id, now_s);
	return true;
}

static bool manager_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct manager *m = self;

	/* What the state has not seen is reported once more. */
	if (m->again != NULL)
		for (m->next = m->again; m->next->kind != 0 && m->next->at_s <= s->now_s; m->next++)
			continue;
	return !m->refuse_adopt || err_set(err, "the cluster does not answer");
}

static void manager_close(void *self)
{
	struct manager *m = self;

	m->closed++;
}

static struct rm manager_rm(struct manager *m)
{
	static struct rm_ops ops = {
		.name = "list",
		.nodes = manager_nodes,
		.next_s = manager_next_s,
		.poll = manager_poll,
		.start = manager_start,
		.cancel = manager_cancel,
		.suspend = manager_suspend,
		.signal = manager_signal,
		.fd = manager_fd,
		.adopt = manager_adopt,
		.close = manager_close,
	};

	ops.adopts_again = m->again != NULL;
	return (struct rm){.ops = &ops, .self = m};
}

/* --- one of each --------------------------------------------------------------------------- */

/* What the driver showed to its watch. */
struct watched {
	struct str text; /* "3 submit 1 at 10 by u1" a line */
	unsigned count;
};

static void watch(void *self, const struct event *ev, const struct snapshot *after)
{
	struct watched *w = self;

	assert_int_equal(after->seq, ev->seq);
	assert_int_equal(after->now_s, ev->time_s);
	str_addf(&w->text, "%" PRIu64 " %s %" PRIu64 " at %" PRId64 " by %s\n", ev->seq,
		 event_kind_name(ev->kind), ev->job, ev->time_s, ev->who);
	w->count++;
}

struct scene {
	struct manager manager;
	struct memory_ledger ledger;
	struct watched watched;
	struct driver *driver;
};

static void begin(struct scene *s, const struct happening *list)
{
	struct err err;

	*s = (struct scene){.manager = {.next = list, .nodes = 1}};
	memory_begin(&s->ledger);
	s->driver = driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err);
	if (!s->driver)
		fail_msg("%s", err.text);
	driver_set_watch(s->driver, watch, &s->watched);
}

static void end(struct scene *s)
{
	struct err err;

	if (!state_check(driver_state(s->driver), &err))
		fail_msg("%s", err.text);
	driver_free(s->driver);
	assert_int_equal(s->manager.closed, 1);
	if (s->ledger.fault.text[0])
		fail_msg("%s", s->ledger.fault.text);
	memory_end(&s->ledger);
	str_free(&s->manager.told);
	str_free(&s->watched.text);
}

static void step(struct scene *s, int64_t now_s)
{
	struct err err;

	if (!driver_step(s->driver, now_s, &err))
		fail_msg("%s", err.text);
}

static struct event hold(uint64_t job, bool on)
{
	return (struct event){
		.kind = EVENT_HOLD, .job = job, .who = "ann", .hold = {.bits = JOB_HOLD_USER, .on = on}};
}

static struct driver_stats stats_of(const struct scene *s)
{
	struct driver_stats stats;

	driver_get_stats(s->driver, &stats);
	return stats;
}

/* Two jobs that fill the node, one after the other. */
static const struct happening two_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 100},
	{20, EVENT_SUBMIT, 2, "u2", 4, 100},
	{60, EVENT_END, 1, NULL, 0, 0},
	{0},
};

/* --- steps ----------------------------------------------------------------------------------- */

static void each_step_is_one_commit_of_what_happened_in_order(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, two_jobs);
	assert_int_equal(s.ledger.commits, 1); /* the node */
	step(&s, 10);
	assert_int_equal(s.ledger.commits, 2);
	step(&s, 20);
	step(&s, 60);
	assert_int_equal(s.ledger.commits, 4);
	assert_string_equal(str_text(&s.watched.text), "2 submit 1 at 10 by u1\n"
						       "3 start 1 at 10 by sched\n"
						       "4 submit 2 at 20 by u2\n"
						       "5 plan 2 at 20 by sched\n"
						       "6 end 1 at 60 by sched\n"
						       "7 start 2 at 60 by sched\n");
	assert_string_equal(str_text(&s.manager.told), "start 1 at 10 on 0+1*4\nstart 2 at 60 on 0+1*4\n");
	end(&s);
}

static void words_are_kept_before_the_manager_overwrites_them(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20); /* both arrivals in one step */
	assert_int_equal(s.ledger.event[0].kind, EVENT_NODE);
	assert_string_equal(s.ledger.event[0].who, "sched");
	assert_string_equal(s.ledger.event[0].node.name, "n001");
	assert_string_equal(s.ledger.event[1].who, "u1");
	assert_string_equal(s.ledger.event[1].submit.cred[CRED_USER], "u1");
	assert_string_equal(s.ledger.event[1].submit.name, "name of 1");
	assert_string_equal(s.ledger.event[2].who, "u2");
	assert_string_equal(s.ledger.event[2].submit.name, "name of 2");
	end(&s);
}

static void a_job_that_ended_is_handed_over_as_it_was(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 10);
	step(&s, 20);
	assert_string_equal(str_text(&s.ledger.ended), "");
	step(&s, 60);
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 10, user u1, name name of 1, 4 processors\n");
	end(&s);
}

static void a_pass_that_changes_nothing_writes_nothing(void **state)
{
	struct scene s;
	uint64_t passes;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	passes = stats_of(&s).passes;
	step(&s, 21);
	step(&s, 22);
	assert_int_equal(s.ledger.commits, 2);
	assert_int_equal(stats_of(&s).passes, passes);
	end(&s);
}

static void an_operator_s_change_is_followed_by_a_pass_at_the_next_step(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;
	uint64_t passes;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	passes = stats_of(&s).passes;
	ev.time_s = 30;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_int_equal(stats_of(&s).passes, passes);
	assert_int_equal(driver_next_s(s.driver), 30);
	step(&s, 30);
	assert_int_equal(stats_of(&s).passes, passes + 1);
	end(&s);
}

static void where_a_workload_stands_is_no_reason_for_a_pass(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{30, EVENT_SIM, 0, NULL, 0, 0},
		{0},
	};
	struct scene s;
	uint64_t passes;

	(void)state;
	begin(&s, list);
	step(&s, 10);
	passes = stats_of(&s).passes;
	step(&s, 30);
	assert_int_equal(stats_of(&s).passes, passes);
	assert_int_equal(s.ledger.commits, 3);
	end(&s);
}

static void what_is_reported_late_happens_now(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	ev.time_s = 500;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	step(&s, 500);
	assert_non_null(strstr(str_text(&s.watched.text), "end 1 at 500 by sched\n"));
	end(&s);
}

static void the_next_moment_is_the_manager_s_or_that_of_a_due_pass(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{20, EVENT_SUBMIT, 2, "u2", 4, 100},
		{0},
	};
	struct scene s;
	int64_t due_s;

	(void)state;
	begin(&s, list);
	assert_int_equal(driver_next_s(s.driver), 10);
	step(&s, 10);
	assert_int_equal(driver_next_s(s.driver), 20);
	step(&s, 20);
	due_s = driver_next_s(s.driver);
	assert_true(due_s > 20);
	end(&s);
}

static void what_was_counted_is_what_happened(void **state)
{
	struct scene s;
	struct driver_stats stats;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 10);
	step(&s, 20);
	step(&s, 60);
	stats = stats_of(&s);
	assert_int_equal(stats.submitted, 2);
	assert_int_equal(stats.started, 2);
	assert_int_equal(stats.backfilled, 0);
	assert_int_equal(stats.ended, 1);
	assert_int_equal(stats.events, 7);
	assert_int_equal(stats.passes, 3);
	end(&s);
}

static void without_manager_and_ledger_a_driver_has_nothing_to_do(void **state)
{
	struct err err;
	struct driver *d = driver_new((struct rm){0}, (struct ledger){0}, &err);
	struct event ev = {.kind = EVENT_NODE, .time_s = 5, .node = {.name = "n1", .procs = 2}};

	(void)state;
	assert_non_null(d);
	assert_true(driver_next_s(d) == TIME_NEVER);
	assert_int_equal(driver_post(d, &ev, 1, &err), DRIVER_DONE);
	assert_true(driver_step(d, 5, &err));
	assert_int_equal(driver_view(d)->procs_total, 2);
	assert_true(driver_next_s(d) == TIME_NEVER);
	driver_free(d);
	driver_free(NULL);
}

/* --- requests --------------------------------------------------------------------------------- */

static void a_batch_is_one_commit(void **state)
{
	struct scene s;
	struct event ev[3] = {hold(2, true), hold(2, false), hold(2, true)};
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 3, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, 3);
	assert_int_equal(ev[0].seq + 1, ev[1].seq);
	assert_int_equal(ev[1].seq + 1, ev[2].seq);
	assert_int_equal(driver_view(s.driver)->seq, ev[2].seq);
	end(&s);
}

static void a_batch_may_build_on_its_own_submission(void **state)
{
	struct scene s;
	struct event ev[2] = {
		{.kind = EVENT_SUBMIT,
		 .who = "ann",
		 .time_s = 40,
		 .submit = {.job = {.submit_s = 40,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .tasks = 1,
				    .task_procs = 1}}},
		hold(3, true),
	};
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 2, &err), DRIVER_DONE);
	assert_int_equal(ev[0].job, 3);
	assert_int_equal(ev[1].time_s, 40);
	end(&s);
}

/* Nobody sees anything of a batch whose event `bad` is refused: not the state, ledger, watch or counters. */
static void check_refused(struct scene *s, struct event *ev, size_t count, const char *why)
{
	const struct driver_stats before = stats_of(s);
	const uint64_t hash = state_hash(driver_view(s->driver));
	const unsigned watched = s->watched.count, commits = s->ledger.commits;
	struct event as_given[3];
	struct driver_stats after;
	struct err err;

	memcpy(as_given, ev, count * sizeof *ev);
	assert_int_equal(driver_post(s->driver, ev, count, &err), DRIVER_REFUSED);
	assert_non_null(strstr(err.text, why));
	after = stats_of(s);
	assert_memory_equal(&before, &after, sizeof before);
	assert_memory_equal(as_given, ev, count * sizeof *ev);
	assert_true(state_hash(driver_view(s->driver)) == hash);
	assert_int_equal(s->watched.count, watched);
	assert_int_equal(s->ledger.commits, commits);
}

static void a_refused_event_leaves_no_trace(void **state)
{
	struct scene s;
	struct event ev = hold(1, true);

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	check_refused(&s, &ev, 1, "job 1 has run for");
	step(&s, 20);
	assert_int_equal(s.ledger.commits, 2);
	end(&s);
}

static void a_batch_with_one_refused_event_leaves_no_trace(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	for (size_t bad = 0; bad < 3; bad++) {
		struct event ev[3] = {hold(2, true), hold(2, false), hold(2, true)};

		ev[bad].job = 99;
		check_refused(&s, ev, 3, "job 99 is not here");
	}
	/* What comes after is numbered as if nothing had been. */
	struct event ev = hold(2, true);
	struct err err;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_int_equal(ev.seq, driver_view(s.driver)->seq);
	assert_int_equal(s.ledger.event[s.ledger.count - 1].seq, s.ledger.count);
	end(&s);
}

static void a_batch_in_which_an_end_is_refused_leaves_no_ended_job(void **state)
{
	struct scene s;
	struct event ev[2] = {{.kind = EVENT_END, .job = 1, .who = "ann"},
			      {.kind = EVENT_END, .job = 1, .who = "ann"}};

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	check_refused(&s, ev, 2, "job 1 is not here");
	step(&s, 60); /* the end that its manager reports */
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 20, user u1, name name of 1, 4 processors\n");
	end(&s);
}

static void begin_again(struct scene *s, const struct happening *list)
{
	begin(s, list);
	driver_free(s->driver);
	s->manager = (struct manager){.next = list, .again = list, .nodes = 1};
	s->driver = driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), NULL);
	s->manager.next = list;
	driver_set_watch(s->driver, watch, &s->watched);
}

static void assert_as_stored(const struct scene *s)
{
	assert_int_equal(state_hash(driver_view(s->driver)), state_hash(state_view(s->ledger.st)));
}

/* --- many requests in one commit ------------------------------------------------------------------ */

static struct event posted_job(int64_t at_s)
{
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = at_s, .who = "eva"};

	ev.submit.job = (struct job){.submit_s = at_s,
				     .not_before_s = TIME_NONE,
				     .wall_limit_s = 40,
				     .true_run_s = 40,
				     .tasks = 1,
				     .task_procs = 1};
	ev.submit.cred[CRED_USER] = "eva";
	return ev;
}

static void what_is_accepted_is_one_commit_with_the_starts_that_follow(void **state)
{
	struct event first = posted_job(5), other = hold(77, true), second = posted_job(5);
	struct scene s;
	struct err err;
	unsigned commits;

	(void)state;
	begin(&s, NULL);
	commits = s.ledger.commits;
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_accept(s.driver, &other, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "job 77 is not here: it never was, or it has ended");
	assert_int_equal(driver_accept(s.driver, &second, 1, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, commits);
	assert_string_equal(str_text(&s.manager.told), "");
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, commits + 1);
	assert_as_stored(&s);
	assert_int_equal(first.job, 1);
	assert_int_equal(second.job, 2);
	assert_non_null(strstr(str_text(&s.manager.told), "start 1 at 5"));
	assert_non_null(strstr(str_text(&s.manager.told), "start 2 at 5"));
	end(&s);
}

static void a_request_of_several_is_whole_or_not_beside_others(void **state)
{
	struct event first = posted_job(5), both[2] = {posted_job(5), hold(77, true)};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, NULL);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_accept(s.driver, both, 2, &err), DRIVER_REFUSED);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_as_stored(&s);
	end(&s);
}

static bool recalls(const struct scene *s, uint32_t uid, const char *answer)
{
	const struct cookie cookie = {.uid = uid, .bytes = "a cookie"};
	struct str out = {0};
	struct err err;
	bool known;

	assert_true(driver_recall(s->driver, &cookie, &known, &out, &err));
	if (known)
		assert_string_equal(str_text(&out), answer);
	str_free(&out);
	return known;
}

static void an_answer_is_known_at_once_and_kept_with_its_events(void **state)
{
	const struct cookie cookie = {.uid = 7, .bytes = "a cookie"};
	struct event ev = posted_job(5);
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, NULL);
	assert_false(recalls(&s, 7, ""));
	assert_int_equal(driver_accept(s.driver, &ev, 1, &err), DRIVER_DONE);
	driver_remember(s.driver, &cookie, "job 1", 5);
	assert_true(recalls(&s, 7, "job 1"));
	assert_int_equal(s.ledger.answered_count, 0);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.answered_count, 1);
	assert_true(recalls(&s, 7, "job 1"));
	assert_false(recalls(&s, 8, ""));
	end(&s);
}

static void what_the_store_does_not_take_has_not_happened(void **state)
{
	const struct cookie cookie = {.uid = 7, .bytes = "a cookie"};
	struct event first = posted_job(21), second = posted_job(21);
	struct scene s;
	struct err err;

	(void)state;
	begin_again(&s, two_jobs);
	step(&s, 20);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	driver_remember(s.driver, &cookie, "job 3", 5);
	assert_int_equal(driver_accept(s.driver, &second, 1, &err), DRIVER_DONE);
	s.ledger.fail_next = 1;
	assert_int_equal(driver_settle(s.driver, 21, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_as_stored(&s);
	assert_false(recalls(&s, 7, ""));
	first.time_s = driver_next_s(s.driver);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_settle(s.driver, first.time_s, &err), DRIVER_DONE);
	assert_as_stored(&s);
	end(&s);
}

/* --- what fails ---------------------------------------------------------------------------------- */

static void a_commit_that_fails_is_told(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;
	size_t kept;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	end(&s);
}

static void a_request_is_refused_while_the_disk_is_full(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;
	size_t kept;

	(void)state;
	begin_again(&s, two_jobs);
	step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	ev.time_s = 21;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	assert_as_stored(&s);
	ev.time_s = 21; /* too soon: the store is not even asked */
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_true(driver_next_s(s.driver) > 21);
	ev.time_s = driver_next_s(s.driver);
	step(&s, ev.time_s);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_as_stored(&s);
	end(&s);
}

static void what_a_full_disk_refused_happens_when_there_is_room(void **state)
{
	struct scene s;

	(void)state;
	begin_again(&s, two_jobs);
	step(&s, 20);
	s.ledger.fail_next = 3;
	for (int64_t now_s = 60; s.ledger.fail_next > 0; now_s = driver_next_s(s.driver)) {
		step(&s, now_s);
		assert_as_stored(&s);
		assert_true(driver_next_s(s.driver) > now_s); /* it does not try for ever in one moment */
	}
	assert_null(strstr(str_text(&s.manager.told), "start 2"));
	step(&s, driver_next_s(s.driver));
	assert_as_stored(&s);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at"));
	assert_non_null(strstr(str_text(&s.manager.told), "start 2"));
	end(&s);
}

static void a_store_that_cannot_be_read_either_is_the_end(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;

	(void)state;
	begin_again(&s, two_jobs);
	step(&s, 20);
	s.ledger.fail_next = 1;
	s.ledger.fail_load = true;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk cannot be read");
	s.ledger.fail_load = false;
	end(&s);
}

static void nothing_is_started_before_it_is_committed(void **state)
{
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	s.ledger.fail_next = 1;
	assert_false(driver_step(s.driver, 10, &err));
	assert_string_equal(err.text, "the disk is full");
	assert_string_equal(str_text(&s.manager.told), "");
	end(&s);
}

/* --- what the manager is told ---------------------------------------------------------------------- */

static void take_warning(void *self, const char *text)
{
	str_addf(self, "%s\n", text);
}

static void a_start_that_the_manager_refuses_puts_the_job_back_for_a_while(void **state)
{
	struct scene s;
	struct str warned = {0};

	(void)state;
	begin(&s, two_jobs);
	driver_set_warn(s.driver, take_warning, &warned);
	s.manager.refuse_start = true;
	step(&s, 10);
	assert_string_equal(str_text(&warned), "job 1 could not be started: node n001 does not answer\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(driver_view(s.driver)->procs_busy, 0);
	assert_int_equal(s.ledger.commits, 3);
	/* The processors are free for others at once: job 2 has them when it comes. */
	s.manager.refuse_start = false;
	step(&s, 20);
	assert_string_equal(str_text(&s.manager.told), "start 2 at 20 on 0+1*4\n");
	assert_string_equal(
		snapshot_string(driver_view(s.driver), snapshot_jobs(driver_view(s.driver))[0].hold_reason),
		"node n001 does not answer");
	str_free(&warned);
	end(&s);
}

static void a_refused_start_is_tried_again_when_the_defer_is_over(void **state)
{
	static const struct happening list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct scene s;
	int64_t again_s;

	(void)state;
	begin(&s, list);
	s.manager.refuse_start = true;
	step(&s, 10);
	step(&s, driver_next_s(s.driver)); /* what the freed processors are good for */
	s.manager.refuse_start = false;
	again_s = driver_next_s(s.driver);
	assert_int_equal(again_s, 10 + driver_view(s.driver)->policy.defer_time_s);
	step(&s, again_s);
	assert_non_null(strstr(str_text(&s.manager.told), "start 1 at 3610 on"));
	end(&s);
}

static void without_defers_a_refused_start_is_tried_again_after_a_poll(void **state)
{
	static const struct happening list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev = {
		.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "defertime", .value = "0"}};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	s.manager.refuse_start = true;
	step(&s, 10);
	assert_int_equal(driver_next_s(s.driver), 10 + driver_view(s.driver)->policy.poll_interval_s);
	step(&s, driver_next_s(s.driver));
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].defer_count, 0);
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].start_count, 2);
	end(&s);
}

static void a_job_that_is_cancelled_while_its_start_is_refused_has_ended(void **state)
{
	static const struct happening list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4, .next = INDEX_NONE};
	struct event ev[3] = {
		{.kind = EVENT_SUBMIT,
		 .who = "ann",
		 .submit = {.job = {.submit_s = 5,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .tasks = 4,
				    .task_procs = 1}}},
		{.kind = EVENT_START, .job = 1, .who = "ann", .start = {.runs = &run, .count = 1}},
		{.kind = EVENT_CANCEL, .job = 1, .who = "ann"}};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list + 1);
	s.manager.refuse_start = true;
	assert_int_equal(driver_post(s.driver, ev, 3, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at"));
	end(&s);
}

static struct event submit_launch(const char *launch)
{
	struct event ev = {.kind = EVENT_SUBMIT, .who = "ann"};

	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .true_run_s = -1,
				     .tasks = 4,
				     .task_procs = 1,
				     .real = JOB_REAL_LAUNCH};
	ev.submit.launch = launch;
	ev.submit.launch_size = launch == NULL ? 0 : (uint32_t)strlen(launch);
	return ev;
}

static void a_start_brings_the_manager_what_is_to_be_run(void **state)
{
	static const struct happening none[] = {{0}};
	struct event ev = submit_launch("make all");
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	step(&s, 10);
	assert_non_null(strstr(str_text(&s.manager.told), "start 1 at 10 on 0+1*4 (make all)"));
	end(&s);
}

static void a_job_whose_launch_was_lost_waits_with_the_reason(void **state)
{
	static const struct happening none[] = {{0}};
	struct event ev = submit_launch(NULL);
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	step(&s, 10);
	assert_string_equal(str_text(&s.manager.told), "");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 1);
	end(&s);
}

static void suspend_resume_signal_and_requeue_are_told_to_the_manager(void **state)
{
	static const struct happening list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev[4] = {{.kind = EVENT_SUSPEND, .job = 1, .who = "ann", .suspend = {.on = true}},
			      {.kind = EVENT_SUSPEND, .job = 1, .who = "ann"},
			      {.kind = EVENT_SIGNAL, .job = 1, .who = "ann", .signal = {.number = 9}},
			      {.kind = EVENT_REQUEUE, .job = 1, .who = "ann"}};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list);
	step(&s, 10);
	str_clear(&s.manager.told);
	assert_int_equal(driver_post(s.driver, ev, 4, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.told),
			    "suspend 1\nresume 1\nsignal 9 to 1 at 10\ncancel 1 at 10\n");
	end(&s);
}

static void a_paused_scheduler_makes_as_many_passes_as_it_is_told(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 2, 100}, {20, EVENT_SUBMIT, 2, "u1", 2, 100}, {0}};
	struct event halt = {.kind = EVENT_HALT, .who = "ann", .halt = {.on = true}};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list);
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	step(&s, 10);
	assert_string_equal(str_text(&s.manager.told), "");
	halt.halt.after = 1;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	step(&s, 11);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 11 on 0+1*2\n");
	assert_true(snapshot_is_halted(driver_view(s.driver)));
	step(&s, 20);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 11 on 0+1*2\n");
	halt.halt.on = false;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	step(&s, 21);
	assert_non_null(strstr(str_text(&s.manager.told), "start 2 at 21"));
	end(&s);
}

static void a_setting_for_a_while_is_taken_back_by_itself(void **state)
{
	static const struct happening none[] = {{0}};
	struct event ev = {.kind = EVENT_SETTING,
			   .who = "ann",
			   .until_s = 1800,
			   .setting = {.name = "xfactorweight", .value = "7"}};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	step(&s, 10);
	assert_int_equal(driver_view(s.driver)->policy.weights.factor[PRIO_SERV_XFACTOR], 7);
	assert_true(driver_next_s(s.driver) == 1800);
	step(&s, 1800);
	assert_int_equal(driver_view(s.driver)->policy.weights.factor[PRIO_SERV_XFACTOR], 0);
	assert_true(driver_next_s(s.driver) == TIME_NEVER);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	end(&s);
}

static struct event start_on(uint64_t job, const struct alloc_run *run)
{
	return (struct event){
		.kind = EVENT_START, .job = job, .who = "ann", .start = {.runs = run, .count = 1}};
}

static void an_operator_s_start_is_told_to_the_manager(void **state)
{
	static const struct happening list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4, .next = INDEX_NONE};
	struct event ev[2] = {hold(1, true), start_on(1, &run)};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list);
	s.manager.next = list + 1; /* the job is submitted by hand, and held */
	ev[0] = (struct event){.kind = EVENT_SUBMIT,
			       .who = "ann",
			       .time_s = 10,
			       .submit = {.job = {.submit_s = 10,
						  .not_before_s = TIME_NONE,
						  .wall_limit_s = 60,
						  .base_holds = JOB_HOLD_USER,
						  .tasks = 4,
						  .task_procs = 1}}};
	assert_int_equal(driver_post(s.driver, &ev[0], 1, &err), DRIVER_DONE);
	step(&s, 10);
	assert_string_equal(str_text(&s.manager.told), "");
	ev[1].time_s = 12;
	assert_int_equal(driver_post(s.driver, &ev[1], 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 12 on 0+1*4\n");
	end(&s);
}

static void a_running_job_that_is_cancelled_is_ended_by_its_manager(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 1, .who = "ann", .time_s = 30};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 20 on 0+1*4\ncancel 1 at 30\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	end(&s);
}

static void a_waiting_job_that_is_cancelled_is_gone_and_in_history(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 2, .who = "ann", .time_s = 30};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 20 on 0+1*4\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_non_null(strstr(str_text(&s.ledger.ended), "2 ended at 30, status 271"));
	end(&s);
}

static void a_cancellation_that_the_manager_refuses_is_said(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 1, .who = "ann", .time_s = 30};
	struct str warned = {0};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	driver_set_warn(s.driver, take_warning, &warned);
	s.manager.refuse_cancel = true;
	step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&warned), "job 1 could not be stopped: node n001 does not answer\n");
	str_free(&warned);
	end(&s);
}

/* --- polls ------------------------------------------------------------------------------------------- */

/* Runs all that is due up to a moment. */
static void run_until(struct scene *s, int64_t until_s)
{
	for (int64_t at_s = driver_next_s(s->driver); at_s <= until_s; at_s = driver_next_s(s->driver))
		step(s, at_s);
}

static void with_a_poll_passes_fall_on_its_multiples(void **state)
{
	static const struct happening list[] = {
		{60, EVENT_SUBMIT, 1, "u1", 4, 100},
		{130, EVENT_SUBMIT, 2, "u2", 4, 100},
		{180, EVENT_SUBMIT, 3, "u3", 4, 100},
		{185, EVENT_END, 1, NULL, 0, 0},
		{0},
	};
	struct scene s;

	(void)state;
	begin(&s, list);
	driver_set_poll(s.driver, 60);
	assert_int_equal(driver_next_s(s.driver), 120); /* one poll after the first arrival */
	run_until(&s, 300);
	assert_string_equal(str_text(&s.watched.text), "2 submit 1 at 120 by u1\n"
						       "3 start 1 at 120 by sched\n"
						       "4 submit 2 at 180 by u2\n"
						       "5 submit 3 at 180 by u3\n"
						       "6 plan 2 at 180 by sched\n"
						       "7 end 1 at 240 by sched\n"
						       "8 start 2 at 240 by sched\n"
						       "9 plan 3 at 240 by sched\n");
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[snapshot_waiting(driver_view(s.driver))[0].slot]
				 .submit_s,
			 180);
	end(&s);
}

/* Job 3 asks for less time than job 2, so its xfactor grows faster and overtakes. */
static const struct happening unequal_jobs[] = {
	{0, EVENT_SUBMIT, 1, "u1", 3, 10000},
	{60, EVENT_SUBMIT, 2, "u2", 4, 6000},
	{120, EVENT_SUBMIT, 3, "u3", 1, 600},
	{0},
};

static void while_time_alone_may_change_the_order_there_is_a_pass_at_each_poll(void **state)
{
	struct event settings[] = {
		{.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "backfillpolicy", .value = "none"}},
		{.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "xfactorweight", .value = "100"}},
	};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, unequal_jobs);
	assert_int_equal(driver_post(s.driver, settings, 2, &err), DRIVER_DONE);
	driver_set_poll(s.driver, 60);
	run_until(&s, 240);
	/* Ranks of jobs 2 and 3: 1 + 101 and 0 + 100 in one pass, 2 + 102 and 1 + 110 in the next. */
	assert_non_null(strstr(str_text(&s.watched.text), "start 3 at 180 by sched"));
	assert_int_equal(driver_next_s(s.driver), 300); /* job 2 waits alone */
	end(&s);
}

/* As two_jobs, but the first runs beyond the next poll. */
static const struct happening slow_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 1000},
	{20, EVENT_SUBMIT, 2, "u2", 4, 1000},
	{0},
};

static void between_two_polls_nothing_happens_but_what_operators_do(void **state)
{
	struct scene s;
	struct event ev = hold(2, true);
	struct err err;
	uint64_t passes;

	(void)state;
	begin(&s, slow_jobs);
	driver_set_poll(s.driver, 60);
	run_until(&s, 60);
	passes = stats_of(&s).passes;
	ev.time_s = 60; /* after the pass of that moment */
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	step(&s, 60);
	step(&s, 119);
	assert_int_equal(stats_of(&s).passes, passes);
	assert_int_equal(driver_next_s(s.driver), 120);
	step(&s, 120);
	assert_int_equal(stats_of(&s).passes, passes + 1);
	end(&s);
}

static void a_poll_goes_on_over_the_same_ledger(void **state)
{
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, slow_jobs);
	driver_set_poll(s.driver, 60);
	run_until(&s, 60);
	driver_free(s.driver);
	s.manager.closed = 0;
	s.driver = driver_new(manager_rm(&s.manager), memory_ledger(&s.ledger), &err);
	assert_non_null(s.driver);
	driver_set_poll(s.driver, 60);
	assert_int_equal(driver_next_s(s.driver), 120);
	end(&s);
}

/* --- what fails, again --------------------------------------------------------------------------------- */

static void a_report_that_cannot_be_is_told_and_nothing_of_it_kept(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{10, EVENT_END, 77, NULL, 0, 0},
		{10, EVENT_SUBMIT, 2, "u2", 4, 100},
		{0},
	};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, list);
	assert_false(driver_step(s.driver, 10, &err));
	assert_non_null(strstr(err.text, "job 77 is not here"));
	assert_int_equal(s.ledger.commits, 1);
	assert_int_equal(s.watched.count, 1); /* what came after it was not looked at */
	end(&s);
}

static void check_not_made(struct scene *s, const char *why)
{
	struct err err;

	assert_null(driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err));
	assert_string_equal(err.text, why);
	assert_int_equal(s->manager.closed, 1);
	assert_int_equal(s->ledger.commits, 0);
	memory_end(&s->ledger);
}

static void a_driver_that_cannot_be_made_closes_its_manager(void **state)
{
	struct scene load = {.ledger = {.fail_load = true}}, adopt = {.manager = {.refuse_adopt = true}};
	struct scene nodes = {.manager = {.nodes = 1}, .ledger = {.fail_next = 1}};

	(void)state;
	load.ledger.st = state_new();
	check_not_made(&load, "the disk cannot be read");
	adopt.ledger.st = state_new();
	check_not_made(&adopt, "the cluster does not answer");
	nodes.ledger.st = state_new();
	check_not_made(&nodes, "the disk is full");
}

/* --- again over the same ledger ----------------------------------------------------------------------- */

static void nodes_that_are_as_they_were_are_no_news(void **state)
{
	struct scene s;
	struct err err;

	(void)state;
	begin(&s, two_jobs);
	step(&s, 20);
	driver_free(s.driver);
	s.manager.closed = 0;
	s.driver = driver_new(manager_rm(&s.manager), memory_ledger(&s.ledger), &err);
	assert_non_null(s.driver);
	assert_int_equal(s.ledger.commits, 2);
	assert_int_equal(driver_next_s(s.driver), 20); /* jobs wait: looked at once more */
	step(&s, 20);
	assert_int_equal(s.ledger.commits, 2);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_setting_for_a_while_is_taken_back_by_itself),
		cmocka_unit_test(a_paused_scheduler_makes_as_many_passes_as_it_is_told),
		cmocka_unit_test(each_step_is_one_commit_of_what_happened_in_order),
		cmocka_unit_test(words_are_kept_before_the_manager_overwrites_them),
		cmocka_unit_test(a_job_that_ended_is_handed_over_as_it_was),
		cmocka_unit_test(a_pass_that_changes_nothing_writes_nothing),
		cmocka_unit_test(an_operator_s_change_is_followed_by_a_pass_at_the_next_step),
		cmocka_unit_test(where_a_workload_stands_is_no_reason_for_a_pass),
		cmocka_unit_test(what_is_reported_late_happens_now),
		cmocka_unit_test(the_next_moment_is_the_manager_s_or_that_of_a_due_pass),
		cmocka_unit_test(what_was_counted_is_what_happened),
		cmocka_unit_test(without_manager_and_ledger_a_driver_has_nothing_to_do),
		cmocka_unit_test(a_batch_is_one_commit),
		cmocka_unit_test(a_batch_may_build_on_its_own_submission),
		cmocka_unit_test(a_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_with_one_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_in_which_an_end_is_refused_leaves_no_ended_job),
		cmocka_unit_test(what_is_accepted_is_one_commit_with_the_starts_that_follow),
		cmocka_unit_test(a_request_of_several_is_whole_or_not_beside_others),
		cmocka_unit_test(an_answer_is_known_at_once_and_kept_with_its_events),
		cmocka_unit_test(what_the_store_does_not_take_has_not_happened),
		cmocka_unit_test(a_commit_that_fails_is_told),
		cmocka_unit_test(a_request_is_refused_while_the_disk_is_full),
		cmocka_unit_test(what_a_full_disk_refused_happens_when_there_is_room),
		cmocka_unit_test(a_store_that_cannot_be_read_either_is_the_end),
		cmocka_unit_test(nothing_is_started_before_it_is_committed),
		cmocka_unit_test(a_start_that_the_manager_refuses_puts_the_job_back_for_a_while),
		cmocka_unit_test(a_refused_start_is_tried_again_when_the_defer_is_over),
		cmocka_unit_test(without_defers_a_refused_start_is_tried_again_after_a_poll),
		cmocka_unit_test(a_job_that_is_cancelled_while_its_start_is_refused_has_ended),
		cmocka_unit_test(a_start_brings_the_manager_what_is_to_be_run),
		cmocka_unit_test(a_job_whose_launch_was_lost_waits_with_the_reason),
		cmocka_unit_test(suspend_resume_signal_and_requeue_are_told_to_the_manager),
		cmocka_unit_test(an_operator_s_start_is_told_to_the_manager),
		cmocka_unit_test(a_running_job_that_is_cancelled_is_ended_by_its_manager),
		cmocka_unit_test(a_waiting_job_that_is_cancelled_is_gone_and_in_history),
		cmocka_unit_test(a_cancellation_that_the_manager_refuses_is_said),
		cmocka_unit_test(with_a_poll_passes_fall_on_its_multiples),
		cmocka_unit_test(while_time_alone_may_change_the_order_there_is_a_pass_at_each_poll),
		cmocka_unit_test(between_two_polls_nothing_happens_but_what_operators_do),
		cmocka_unit_test(a_poll_goes_on_over_the_same_ledger),
		cmocka_unit_test(a_report_that_cannot_be_is_told_and_nothing_of_it_kept),
		cmocka_unit_test(a_driver_that_cannot_be_made_closes_its_manager),
		cmocka_unit_test(nodes_that_are_as_they_were_are_no_news),
	};

	return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
