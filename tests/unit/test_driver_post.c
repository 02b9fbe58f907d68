/* SPDX-License-Identifier: MIT */
/*
 * test_driver_post.c - is what was asked for one commit with what follows, or nothing at all?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"
#include "sched/base/vec.h"

static void a_batch_is_one_commit(void **state)
{
	struct driven s;
	struct event ev[3] = {hold_of(2, true), hold_of(2, false), hold_of(2, true)};
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 3, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, 3);
	assert_int_equal(ev[0].seq + 1, ev[1].seq);
	assert_int_equal(ev[1].seq + 1, ev[2].seq);
	assert_int_equal(driver_view(s.driver)->seq, ev[2].seq);
	driven_end(&s);
}

static void a_batch_may_build_on_its_own_submission(void **state)
{
	struct driven s;
	struct event ev[2] = {
		{.kind = EVENT_SUBMIT,
		 .who = "ann",
		 .time_s = 40,
		 .submit = {.job = {.submit_s = 40,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .tasks = 1,
				    .task_procs = 1}}},
		hold_of(3, true),
	};
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 2, &err), DRIVER_DONE);
	assert_int_equal(ev[0].job, 3);
	assert_int_equal(ev[1].time_s, 40);
	driven_end(&s);
}

/* Nobody sees anything of a batch whose event `bad` is refused: not the state, ledger, watch or counters. */
static void check_refused(struct driven *s, struct event *ev, size_t count, const char *why)
{
	const struct driver_stats before = driven_stats(s);
	const uint64_t hash = state_hash(driver_view(s->driver));
	const unsigned watched = s->watched.count, commits = s->ledger.commits;
	struct event as_given[3];
	struct driver_stats after;
	struct err err;

	memcpy(as_given, ev, count * sizeof *ev);
	assert_int_equal(driver_post(s->driver, ev, count, &err), DRIVER_REFUSED);
	assert_non_null(strstr(err.text, why));
	after = driven_stats(s);
	assert_memory_equal(&before, &after, sizeof before);
	assert_memory_equal(as_given, ev, count * sizeof *ev);
	assert_true(state_hash(driver_view(s->driver)) == hash);
	assert_int_equal(s->watched.count, watched);
	assert_int_equal(s->ledger.commits, commits);
}

static void a_refused_event_leaves_no_trace(void **state)
{
	struct driven s;
	struct event ev = hold_of(1, true);

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	check_refused(&s, &ev, 1, "job 1 has run for");
	driven_step(&s, 20);
	assert_int_equal(s.ledger.commits, 2);
	driven_end(&s);
}

static void a_batch_with_one_refused_event_leaves_no_trace(void **state)
{
	struct driven s;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	for (size_t bad = 0; bad < 3; bad++) {
		struct event ev[3] = {hold_of(2, true), hold_of(2, false), hold_of(2, true)};

		ev[bad].job = 99;
		check_refused(&s, ev, 3, "job 99 is not here");
	}
	/* What comes after is numbered as if nothing had been. */
	struct event ev = hold_of(2, true);
	struct err err;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_int_equal(ev.seq, driver_view(s.driver)->seq);
	assert_int_equal(s.ledger.event[s.ledger.count - 1].seq, s.ledger.count);
	driven_end(&s);
}

static void a_batch_in_which_an_end_is_refused_leaves_no_ended_job(void **state)
{
	struct driven s;
	struct event ev[2] = {{.kind = EVENT_END, .job = 1, .who = "ann"},
			      {.kind = EVENT_END, .job = 1, .who = "ann"}};

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	check_refused(&s, ev, 2, "job 1 is not here");
	driven_step(&s, 60); /* the end that its manager reports */
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 20, user u1, name name of 1, 4 processors\n");
	driven_end(&s);
}

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
	struct event first = posted_job(5), other = hold_of(77, true), second = posted_job(5);
	struct driven s;
	struct err err;
	unsigned commits;

	(void)state;
	driven_begin(&s, NULL);
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
	driven_end(&s);
}

static void a_request_of_several_is_whole_or_not_beside_others(void **state)
{
	struct event first = posted_job(5), both[2] = {posted_job(5), hold_of(77, true)};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, NULL);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_accept(s.driver, both, 2, &err), DRIVER_REFUSED);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_as_stored(&s);
	driven_end(&s);
}

#define CHAIN 2000

/* Two chains of jobs; what is asked makes the first job of one wait for the last of the other, many times. */
static void one_request_searches_dependencies_for_a_bounded_time(void **state)
{
	struct event *ev = mem_zero(8000, sizeof *ev);
	struct depend depend[2 * CHAIN] = {{.on = 0}};
	struct driven s;
	struct err err;
	char text[40];

	(void)state;
	driven_begin(&s, NULL);
	for (uint64_t i = 0; i < 2 * CHAIN; i++) {
		ev[i] = posted_job(5);
		depend[i] = (struct depend){.on = i, .type = DEPEND_OK};
		ev[i].submit.depend = &depend[i];
		ev[i].submit.depend_count = i % CHAIN > 0;
		ev[i].submit.job.not_before_s = 1000;
	}
	assert_int_equal(driver_accept(s.driver, ev, 2 * CHAIN, &err), DRIVER_DONE);
	snprintf(text, sizeof text, "afterok:%d", 2 * CHAIN);
	for (size_t i = 0; i < 8000; i++)
		ev[i] = (struct event){.kind = EVENT_MODIFY,
				       .time_s = 5,
				       .who = "root",
				       .job = 1,
				       .modify = {.name = "depend", .value = text}};
	assert_int_equal(driver_accept(s.driver, ev, 8000, &err), DRIVER_REFUSED);
	assert_non_null(strstr(err.text, "too many changes of dependencies for one request"));
	assert_int_equal(driver_accept(s.driver, ev, 10, &err), DRIVER_DONE);
	driven_end(&s);
	free(ev);
}

static bool recalls(const struct driven *s, uint32_t uid, const char *answer)
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
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, NULL);
	assert_false(recalls(&s, 7, ""));
	assert_int_equal(driver_accept(s.driver, &ev, 1, &err), DRIVER_DONE);
	driver_remember(s.driver, &cookie, "job 1", 5);
	assert_true(recalls(&s, 7, "job 1"));
	assert_false(recalls(&s, 8, "")); /* the cookie of another user */
	assert_int_equal(s.ledger.answered_count, 0);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.answered_count, 1);
	assert_true(recalls(&s, 7, "job 1"));
	assert_false(recalls(&s, 8, ""));
	driven_end(&s);
}

static void what_the_store_does_not_take_has_not_happened(void **state)
{
	const struct cookie cookie = {.uid = 7, .bytes = "a cookie"};
	struct event first = posted_job(21), second = posted_job(21);
	struct driven s;
	struct err err;

	(void)state;
	driven_begin_again(&s, two_jobs);
	driven_step(&s, 20);
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
	driven_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_is_one_commit),
		cmocka_unit_test(a_batch_may_build_on_its_own_submission),
		cmocka_unit_test(a_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_with_one_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_in_which_an_end_is_refused_leaves_no_ended_job),
		cmocka_unit_test(what_is_accepted_is_one_commit_with_the_starts_that_follow),
		cmocka_unit_test(one_request_searches_dependencies_for_a_bounded_time),
		cmocka_unit_test(a_request_of_several_is_whole_or_not_beside_others),
		cmocka_unit_test(an_answer_is_known_at_once_and_kept_with_its_events),
		cmocka_unit_test(what_the_store_does_not_take_has_not_happened),
	};

	return cmocka_run_group_tests_name("driver_post", tests, NULL, NULL);
}
