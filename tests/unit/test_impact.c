/* SPDX-License-Identifier: MIT */
/*
 * test_impact.c - effect of a journal entry on the queue, effect of undoing it, and its consequences
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "small_state.h"
#include "store/store.h"
#include "tui/query/impact_query.h"
#include "tui/report/history_source.h"

/* --- one entry ----------------------------------------------------------------------------- */

static void check(struct event ev, const char *brief, const char *before, const char *after)
{
	struct state *st = small_state();
	struct impact impact = {.seq = 0};
	struct err err;

	ev.seq = state_view(st)->seq + 1;
	ev.time_s = 40;
	ev.who = "ops";
	if (!impact_find(&impact, st, &ev, &err))
		fail_msg("%s", err.text);
	assert_int_equal(impact.seq, ev.seq);
	assert_int_equal(state_view(st)->seq, ev.seq);
	assert_string_equal(str_text(&impact.brief), brief);
	assert_string_equal(str_text(&impact.before), before);
	assert_string_equal(str_text(&impact.after), after);
	impact_clear(&impact);
	state_free(st);
}

static void a_changed_order_reports_how_many_jobs_moved(void **state)
{
	(void)state;
	check((struct event){.kind = EVENT_PRIORITY,
			     .job = 4,
			     .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}},
	      "order: 3 jobs moved", "2 3 fit", "fit 2 3");
	check((struct event){.kind = EVENT_PRIORITY,
			     .job = 2,
			     .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}},
	      "order unchanged", "2 3 fit", "2 3 fit");
}

static void jobs_that_become_blocked_or_are_cancelled_are_counted(void **state)
{
	(void)state;
	check((struct event){.kind = EVENT_HOLD, .job = 3, .hold = {.bits = JOB_HOLD_USER, .on = true}},
	      "1 idle -> blocked", "2 3 fit", "2 fit");
	check((struct event){.kind = EVENT_CANCEL, .job = 3}, "1 idle -> gone", "2 3 fit", "2 fit");
	check((struct event){.kind = EVENT_SETTING, .setting = {.name = "user[u2].maxproc", .value = "1"}},
	      "1 idle -> blocked", "2 3 fit", "3 fit");
}

static void a_new_job_has_a_place_in_the_queue_or_a_blocking_reason(void **state)
{
	struct event ev = {.kind = EVENT_SUBMIT, .job = 5};

	(void)state;
	ev.submit = (struct job_record){.job = {.submit_s = 40,
						.not_before_s = TIME_NONE,
						.wall_limit_s = 100,
						.true_run_s = 100,
						.tasks = 1,
						.task_procs = 1},
					.cred = {[CRED_USER] = "u9"}};
	check(ev, "idle, place 4 of 4", "2 3 fit", "2 3 fit 5");
	ev.submit.job.base_holds = JOB_HOLD_USER;
	check(ev, "blocked held (user)", "2 3 fit", "2 3 fit");
}

static void an_added_node_changes_the_number_of_processors(void **state)
{
	(void)state;
	check((struct event){.kind = EVENT_NODE, .node = {.name = "n002", .procs = 2}}, "4 -> 6 procs",
	      "2 3 fit", "2 3 fit");
}

static void an_event_that_does_not_fit_the_state_is_refused(void **state)
{
	struct state *st = small_state();
	struct impact impact = {.seq = 0};
	struct event ev = {.kind = EVENT_CANCEL, .time_s = 40, .job = 77};
	struct err err;

	(void)state;
	assert_false(impact_find(&impact, st, &ev, &err));
	assert_non_null(strstr(err.text, "77"));
	impact_clear(&impact);
	state_free(st);
}

/* --- entries of a store -------------------------------------------------------------------- */

static bool is_idle_order(const struct impact *impact)
{
	return strcmp(str_text(&impact->brief), "order: 2 jobs moved") == 0;
}

/* One node. Job 1 runs, jobs 2 and 3 are idle. Then job 3 gets priority; it starts when job 1 ends, and job 2
 * after it. */
struct recorded {
	struct store *store;
	struct state *st;
	uint64_t put_first; /* entry that gives job 3 priority */
};

static uint64_t append(struct recorded *k, struct event ev)
{
	struct ledger ledger = store_ledger(k->store);
	struct ledger_step step = {.event = &ev, .event_count = 1};
	struct err err;

	if (ev.who == NULL)
		ev.who = "sched";
	if (!event_apply(k->st, &ev, &err))
		fail_msg("%s", err.text);
	step.after = state_view(k->st);
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	return ev.seq;
}

static void append_job(struct recorded *k, uint64_t id, int64_t at_s)
{
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = at_s, .job = id, .who = "u1"};

	ev.submit = (struct job_record){.job = {.submit_s = at_s,
						.not_before_s = TIME_NONE,
						.wall_limit_s = 100,
						.true_run_s = 100,
						.tasks = 4,
						.task_procs = 1},
					.cred = {[CRED_USER] = "u1"}};
	append(k, ev);
}

static void append_run(struct recorded *k, uint64_t id, int64_t from_s, int64_t to_s)
{
	static const struct alloc_run all = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4};

	append(k, (struct event){.kind = EVENT_START,
				 .time_s = from_s,
				 .job = id,
				 .start = {.runs = &all, .count = 1}});
	if (to_s > 0)
		append(k, (struct event){.kind = EVENT_END, .time_s = to_s, .job = id});
}

static void make_recorded(struct recorded *k)
{
	struct err err;

	*k = (struct recorded){.store = store_open(NULL, STORE_TEMP, &err), .st = state_new()};
	assert_non_null(k->store);
	append(k, (struct event){.kind = EVENT_NODE, .node = {.name = "n001", .procs = 4}});
	append(k, (struct event){.kind = EVENT_CONFIG,
				 .config = {.file = "test", .text = "queuetimeweight = 1\n"}});
	append_job(k, 1, 0);
	append(k, (struct event){.kind = EVENT_START,
				 .job = 1,
				 .start = {.runs = &(struct alloc_run){.nodes = 1, .procs = 4, .tasks = 4},
					   .count = 1}});
	append_job(k, 2, 10);
	append_job(k, 3, 20);
	k->put_first = append(k, (struct event){.kind = EVENT_PRIORITY,
						.time_s = 30,
						.job = 3,
						.who = "ops",
						.priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}});
	append(k, (struct event){.kind = EVENT_END, .time_s = 50, .job = 1});
	append_run(k, 3, 50, 80);
	append_run(k, 2, 80, 0);
}

static void drop_recorded(struct recorded *k)
{
	state_free(k->st);
	store_close(k->store);
}

static void several_entries_are_read_at_once(void **state)
{
	struct recorded k;
	struct impact impact[2] = {{.seq = 0}, {.seq = 0}};
	struct err err;

	(void)state;
	make_recorded(&k);
	if (!impacts_read(&(struct history_source){.store = k.store}, (uint64_t[]){1, k.put_first}, 2, impact,
			  NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_string_equal(str_text(&impact[0].brief), "0 -> 4 procs");
	assert_true(is_idle_order(&impact[1]));
	assert_int_equal(impact[1].jobs, 2);
	impact_clear(&impact[0]);
	impact_clear(&impact[1]);
	drop_recorded(&k);
}

static void a_missing_entry_is_reported_with_its_number(void **state)
{
	struct impact impact = {.seq = 0};
	struct recorded k;
	struct err err;

	(void)state;
	make_recorded(&k);
	assert_false(impacts_read(&(struct history_source){.store = k.store}, (uint64_t[]){500}, 1, &impact,
				  NULL, NULL, &err));
	assert_non_null(strstr(err.text, "the journal has no entry 500: it has the entries 1 to "));
	drop_recorded(&k);
}

/* All jobs have started, so undoing has no effect. */
static void undoing_a_change_of_jobs_that_have_started_reports_nothing(void **state)
{
	struct impact impact = {.seq = 0};
	struct str out = {0};
	struct recorded k;
	struct err err;

	(void)state;
	make_recorded(&k);
	assert_true(impacts_read(&(struct history_source){.store = k.store}, &k.put_first, 1, &impact, NULL,
				 NULL, &err));
	impact_print_undo(&impact, state_view(k.st), &out);
	assert_string_equal(str_text(&out), "");
	str_free(&out);
	impact_clear(&impact);
	drop_recorded(&k);
}

static void undoing_a_change_of_an_idle_job_reports_its_effect(void **state)
{
	struct state *st = small_state();
	struct impact impact = {.seq = 0};
	struct event ev = {.kind = EVENT_PRIORITY,
			   .seq = state_view(st)->seq + 1,
			   .time_s = 40,
			   .job = 4,
			   .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}};
	struct str out = {0};

	(void)state;
	assert_true(impact_find(&impact, st, &ev, NULL));
	impact_print_undo(&impact, state_view(st), &out);
	assert_string_equal(str_text(&out), "priority of fit: +1000 -> computed");
	str_clear(&out);
	small_apply(st, (struct event){.kind = EVENT_CANCEL, .time_s = 41, .job = 2});
	impact_print_undo(&impact, state_view(st), &out);
	assert_string_equal(str_text(&out),
			    "priority of fit: +1000 -> computed; 1 of 3 affected jobs no longer wait");
	str_free(&out);
	impact_clear(&impact);
	state_free(st);
}

/* --- queries of the worker ------------------------------------------------------------------ */

static void an_impact_query_reads_entries_in_any_order(void **state)
{
	struct impact_query *g;
	struct recorded k;

	(void)state;
	make_recorded(&k);
	g = impact_query_new(k.store, NULL, (uint64_t[]){k.put_first, 1}, 2);
	g->query.ops->run(&g->query);
	assert_true(g->query.whole);
	assert_string_equal(g->err.text, "");
	assert_int_equal(g->impact[0].seq, 1);
	assert_true(is_idle_order(&g->impact[1]));
	impact_query_free(g);
	drop_recorded(&k);
}

static void an_abandoned_query_has_no_complete_result(void **state)
{
	struct recorded k;
	struct impact_query *g;
	struct consequences_query *h;

	(void)state;
	make_recorded(&k);
	g = impact_query_new(k.store, NULL, (uint64_t[]){1, k.put_first}, 2);
	atomic_store(&g->query.unwanted, true);
	g->query.ops->run(&g->query);
	assert_false(g->query.whole);
	impact_query_free(g);
	h = consequences_query_new(k.store, k.put_first);
	atomic_store(&h->query.unwanted, true);
	h->query.ops->run(&h->query);
	assert_false(h->query.whole);
	consequences_query_free(h);
	drop_recorded(&k);
}

static void consequences_list_the_jobs_that_started_at_other_times(void **state)
{
	struct consequences_query *h;
	struct str out = {0};
	struct recorded k;

	(void)state;
	make_recorded(&k);
	h = consequences_query_new(k.store, k.put_first);
	h->query.ops->run(&h->query);
	assert_true(h->query.whole);
	assert_string_equal(h->err.text, "");
	consequences_print(&h->consequences, &out);
	assert_string_equal(str_text(&out),
			    "1 job started later (+0:00:30), 1 would still wait, utilization +0.0 %");
	assert_in_range(consequences_query_percent(h), 0, 100);
	str_free(&out);
	consequences_query_free(h);
	drop_recorded(&k);
}

static void decisions_of_the_scheduler_cannot_be_left_out(void **state)
{
	struct consequences_query *h;
	struct recorded k;

	(void)state;
	make_recorded(&k);
	h = consequences_query_new(k.store, k.put_first + 1);
	h->query.ops->run(&h->query);
	assert_true(h->query.whole);
	assert_non_null(strstr(h->err.text, "cannot be left out"));
	consequences_query_free(h);
	drop_recorded(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_changed_order_reports_how_many_jobs_moved),
		cmocka_unit_test(jobs_that_become_blocked_or_are_cancelled_are_counted),
		cmocka_unit_test(a_new_job_has_a_place_in_the_queue_or_a_blocking_reason),
		cmocka_unit_test(an_added_node_changes_the_number_of_processors),
		cmocka_unit_test(an_event_that_does_not_fit_the_state_is_refused),
		cmocka_unit_test(several_entries_are_read_at_once),
		cmocka_unit_test(a_missing_entry_is_reported_with_its_number),
		cmocka_unit_test(undoing_a_change_of_jobs_that_have_started_reports_nothing),
		cmocka_unit_test(undoing_a_change_of_an_idle_job_reports_its_effect),
		cmocka_unit_test(an_impact_query_reads_entries_in_any_order),
		cmocka_unit_test(an_abandoned_query_has_no_complete_result),
		cmocka_unit_test(consequences_list_the_jobs_that_started_at_other_times),
		cmocka_unit_test(decisions_of_the_scheduler_cannot_be_left_out),
	};

	return cmocka_run_group_tests_name("impact", tests, NULL, NULL);
}
