/* SPDX-License-Identifier: MIT */
/*
 * test_replay.c - records and summary of a replay
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/host/driver.h"
#include "sched/host/replay.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

/* A job of four processors, then a job of three and a small job that waits. */
#define THREE_JOBS "1 0 0 10 4 0 0 4 10\n2 0 0 10 3 0 0 3 10\n3 1 0 5 1 0 0 1 5\n"
/* Beside the first job, the third job fits but the second does not. */
#define BACKFILL_WINDOW "1 0 0 10 3 0 0 3 10\n2 1 0 10 4 0 0 4 10\n3 2 0 5 1 0 0 1 5\n"

/* The replay keeps a pointer to the trace, so the trace is allocated. */
struct run {
	struct trace *trace;
	struct replay *replay;
};

static struct trace read_log(const char *lines, int64_t procs)
{
	struct trace t;
	struct err err;

	if (!swf_read("test", lines, strlen(lines), procs, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static struct replay *start_replay(const struct trace *t, const char *policy, int64_t procs, int64_t until_s)
{
	const struct replay_setup setup = {
		.trace = t,
		.cluster = {.nodes = (uint32_t)procs, .node_procs = 1},
		.config_file = policy,
		.config_text = replay_preset(policy),
		.keep_runs = true,
		.until_s = until_s,
	};
	struct err err;
	struct replay *r = replay_new(&setup, (struct ledger){0}, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static void run_to(struct replay *r, int64_t until_s)
{
	struct err err;

	if (!replay_run(r, until_s, &err))
		fail_msg("%s", err.text);
}

static struct run run_log(const char *lines, const char *policy, int64_t until_s)
{
	struct run run = {.trace = mem_alloc(sizeof *run.trace)};

	*run.trace = read_log(lines, 4);
	run.replay = start_replay(run.trace, policy, 4, until_s);
	run_to(run.replay, TIME_NEVER);
	assert_true(replay_done(run.replay));
	return run;
}

static void clear_run(struct run *run)
{
	replay_free(run->replay);
	trace_clear(run->trace);
	free(run->trace);
}

static void check_near(double value, double expected)
{
	assert_true(value > expected - 1e-9 && value < expected + 1e-9);
}

static void check_start(const struct run *run, size_t i, int64_t start_s, int64_t end_s)
{
	assert_int_equal(replay_records(run->replay)[i].start_s, start_s);
	assert_int_equal(replay_records(run->replay)[i].end_s, end_s);
}

static void a_summary_equals_a_calculation_by_hand(void **state)
{
	struct run run = run_log("what\n1 0 0 0 1 0 0 1 5\n" THREE_JOBS, "easy", TIME_NEVER);
	struct replay_summary s;

	(void)state;
	check_start(&run, 0, 0, 10);
	check_start(&run, 1, 10, 20);
	check_start(&run, 2, 10, 15);
	assert_int_equal(replay_jobs_ended(run.replay), 3);
	replay_summarise(run.replay, &s);
	assert_int_equal(s.jobs, 3);
	assert_int_equal(s.rejected, 1);
	assert_int_equal(s.bad_lines, 1);
	assert_int_equal(s.first_submit_s, 0);
	assert_int_equal(s.makespan_s, 20);
	check_near(s.utilization, 75.0 / 80);
	check_near(s.mean_wait_s, 19.0 / 3);
	check_near(s.median_wait_s, 9);
	check_near(s.p95_wait_s, 10);
	check_near(s.mean_bounded_slowdown, (1 + 2 + 1.4) / 3);
	check_near(s.mean_xfactor, (1 + 2 + 2.8) / 3);
	assert_int_equal(s.backfilled, 0);
	assert_int_equal(s.cycles, 5);
	clear_run(&run);
}

static void the_median_of_an_even_count_is_the_mean_of_the_middle_two(void **state)
{
	struct run run = run_log("1 0 0 7 4 0 0 4 7\n2 0 0 10 4 0 0 4 10\n", "fcfs", TIME_NEVER);
	struct replay_summary s;

	(void)state;
	replay_summarise(run.replay, &s);
	check_near(s.median_wait_s, 3.5);
	check_near(s.p95_wait_s, 7);
	clear_run(&run);
}

static void the_95th_percentile_is_by_nearest_rank(void **state)
{
	char lines[2000] = "";
	struct run run;
	struct replay_summary s;

	(void)state;
	for (int i = 1; i <= 20; i++)
		snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%d 0 0 10 4 0 0 4 10\n", i);
	run = run_log(lines, "fcfs", TIME_NEVER);
	replay_summarise(run.replay, &s);
	check_near(s.p95_wait_s, 180);
	clear_run(&run);
}

static void easy_fills_the_backfill_window_and_fcfs_does_not(void **state)
{
	struct run easy = run_log(BACKFILL_WINDOW, "easy", TIME_NEVER);
	struct run fcfs = run_log(BACKFILL_WINDOW, "fcfs", TIME_NEVER);
	struct run conservative = run_log(BACKFILL_WINDOW, "conservative", TIME_NEVER);
	struct replay_summary s;

	(void)state;
	check_start(&easy, 2, 2, 7);
	assert_true(replay_records(easy.replay)[2].backfilled);
	replay_summarise(easy.replay, &s);
	assert_int_equal(s.backfilled, 1);
	check_start(&fcfs, 2, 20, 25);
	assert_false(replay_records(fcfs.replay)[2].backfilled);
	check_start(&conservative, 2, 2, 7);
	clear_run(&easy);
	clear_run(&fcfs);
	clear_run(&conservative);
}

static void a_replay_that_ends_early_leaves_jobs_without_an_end(void **state)
{
	struct run run = run_log(THREE_JOBS, "easy", 15);
	struct replay_summary s;

	(void)state;
	check_start(&run, 0, 0, 10);
	check_start(&run, 1, 10, TIME_NONE);
	check_start(&run, 2, 10, 15);
	replay_summarise(run.replay, &s);
	assert_int_equal(s.makespan_s, 15);
	check_near(s.utilization, (40.0 + 15 + 5) / 60);
	check_near(s.mean_wait_s, 19.0 / 3);
	clear_run(&run);
	run = run_log(THREE_JOBS, "easy", 9);
	check_start(&run, 1, TIME_NONE, TIME_NONE);
	replay_summarise(run.replay, &s);
	assert_int_equal(s.jobs, 3);
	assert_int_equal(s.makespan_s, 0);
	check_near(s.mean_wait_s, 0);
	clear_run(&run);
}

static void a_log_without_jobs_ends_at_once(void **state)
{
	struct run run = run_log("1 0 0 0 1 0 0 1 5\n", "easy", TIME_NEVER);
	struct replay_summary s;

	(void)state;
	replay_summarise(run.replay, &s);
	assert_int_equal(s.jobs, 0);
	assert_int_equal(s.makespan_s, 0);
	check_near(s.utilization, 0);
	check_near(s.mean_wait_s, 0);
	clear_run(&run);
}

static void a_repeated_job_number_is_two_jobs(void **state)
{
	struct run run =
		run_log("5 0 0 10 4 0 0 4 10\n5 0 0 20 4 0 0 4 20\n-1 3 0 5 4 0 0 4 5\n", "fcfs", TIME_NEVER);

	(void)state;
	check_start(&run, 0, 0, 10);
	check_start(&run, 1, 10, 30);
	check_start(&run, 2, 30, 35);
	clear_run(&run);
}

static void placements_have_the_requested_processors(void **state)
{
	const struct workload_model model = {.seed = 11, .machine_procs = 12, .load_pct = 120};
	struct trace trace;
	struct replay *r;
	const struct replay_record *record;

	(void)state;
	workload_trace(&model, 300, 0, &trace);
	r = start_replay(&trace, "easy", 12, TIME_NEVER);
	run_to(r, TIME_NEVER);
	record = replay_records(r);
	for (size_t i = 0; i < trace.count; i++) {
		int64_t procs = 0;

		for (uint32_t k = 0; k < record[i].run_count; k++) {
			const struct alloc_run *at = &replay_runs(r)[record[i].first_run + k];

			assert_true(at->node + at->nodes <= 12);
			procs += (int64_t)at->nodes * at->procs;
		}
		assert_int_equal(procs, trace.job[i].procs);
	}
	replay_free(r);
	trace_clear(&trace);
}

static void a_replay_in_pieces_equals_a_replay_at_once(void **state)
{
	const struct workload_model model = {.seed = 12, .machine_procs = 64, .load_pct = 110};
	struct trace trace;
	struct replay *whole, *pieces;
	struct replay_summary a, b;

	(void)state;
	workload_trace(&model, 500, 0, &trace);
	whole = start_replay(&trace, "conservative", 64, TIME_NEVER);
	pieces = start_replay(&trace, "conservative", 64, TIME_NEVER);
	run_to(whole, TIME_NEVER);
	for (int64_t now_s = 0; !replay_done(pieces); now_s += 1234)
		run_to(pieces, now_s);
	replay_summarise(whole, &a);
	replay_summarise(pieces, &b);
	assert_memory_equal(&a, &b, sizeof a);
	assert_memory_equal(replay_records(whole), replay_records(pieces),
			    500 * sizeof(struct replay_record));
	replay_free(whole);
	replay_free(pieces);
	trace_clear(&trace);
}

/* Returns the error for a configuration and a setting, or "" if they are accepted. */
static const char *refusal(const char *config, const char *name, const char *value, struct err *err)
{
	struct trace trace = read_log(THREE_JOBS, 4);
	const struct replay_setup setup = {
		.trace = &trace,
		.cluster = {.nodes = 4, .node_procs = 1},
		.config_file = "kahu.conf",
		.config_text = config,
		.set_name = &name,
		.set_value = &value,
		.set_count = name != NULL,
		.until_s = TIME_NEVER,
	};
	struct replay *r = replay_new(&setup, (struct ledger){0}, err);

	if (r)
		err->text[0] = '\0';
	replay_free(r);
	trace_clear(&trace);
	return err->text;
}

static void an_invalid_configuration_is_refused_with_an_error(void **state)
{
	struct err err;

	(void)state;
	assert_string_equal(refusal(NULL, NULL, NULL, &err), "");
	assert_string_equal(refusal("xfactorweight = 5\n", "reservationdepth", "7", &err), "");
	assert_non_null(strstr(refusal("backfilpolicy = none\n", NULL, NULL, &err), "kahu.conf:1: "));
	assert_non_null(strstr(refusal(NULL, "reservationdepht", "7", &err), "reservationdepth"));
	assert_non_null(strstr(refusal(NULL, "reservationdepth", "many", &err), "many"));
}

static void a_setting_overrides_the_configuration(void **state)
{
	static const char *const name[] = {"backfillpolicy"};
	static const char *const value[] = {"none"};
	struct trace trace = read_log(BACKFILL_WINDOW, 4);
	const struct replay_setup setup = {
		.trace = &trace,
		.cluster = {.nodes = 1, .node_procs = 4},
		.config_file = "easy",
		.config_text = replay_preset("easy"),
		.set_name = name,
		.set_value = value,
		.set_count = 1,
		.until_s = TIME_NEVER,
	};
	struct err err;
	struct replay *r = replay_new(&setup, (struct ledger){0}, &err);

	(void)state;
	assert_non_null(r);
	run_to(r, TIME_NEVER);
	assert_int_equal(replay_records(r)[2].start_s, 20);
	replay_free(r);
	trace_clear(&trace);
}

/* --- polls, imported usage and nodes as in Maui
 * ---------------------------------------------------------------------------------- */

static void with_a_poll_interval_jobs_start_and_end_in_polls(void **state)
{
	struct trace t = read_log(THREE_JOBS, 4);
	const struct replay_setup setup = {
		.trace = &t, .cluster = {.nodes = 4, .node_procs = 1}, .poll_s = 60, .until_s = TIME_NEVER};
	struct err err;
	struct run run = {&t, replay_new(&setup, (struct ledger){0}, &err)};

	(void)state;
	assert_non_null(run.replay);
	run_to(run.replay, TIME_NEVER);
	check_start(&run, 0, 60, 120); /* one poll after the first submission */
	check_start(&run, 1, 120, 180);
	check_start(&run, 2, 120, 180);
	replay_free(run.replay);
	trace_clear(&t);
}

static void imported_usage_is_present_at_the_start(void **state)
{
	struct trace t = read_log("1 172800 0 10 1 0 0 1 10 -1 1 7 3\n", 4);
	struct fs_use use[] = {{.name = "u7", .amount = 600 * FS_UNIT, .type = CRED_USER},
			       {.name = "g3", .amount = 200 * FS_UNIT, .type = CRED_GROUP}};
	const struct fsfile window[] = {
		{.use = use, .count = 2, .begin_s = 86400, .total = 1000 * FS_UNIT},
		{.use = use, .count = 1, .begin_s = 0, .length_s = 86400, .total = 600 * FS_UNIT}};
	const struct replay_setup setup = {
		.trace = &t,
		.cluster = {.nodes = 4, .node_procs = 1},
		.config_file = "fs.conf",
		.config_text =
			"fspolicy = dedicatedps\nfsinterval = \"24:00:00\"\nfsdepth = 4\nfsdecay = 1\n",
		.window = window,
		.window_count = 2,
		.until_s = TIME_NEVER};
	struct fairshare shares = {.policy = NULL};
	struct fs_world world;
	struct err err;
	struct replay *r = replay_new(&setup, (struct ledger){0}, &err);
	const struct snapshot *s;

	(void)state;
	if (!r)
		fail_msg("%s", err.text);
	s = driver_view(replay_driver(r));
	snapshot_fs_world(s, s->now_s, &world);
	fairshare_build(&shares, &world);
	check_near(shares.total_usage, 1600);
	check_near(shares.share[snapshot_find_cred(s, CRED_USER, "u7")].usage, 1200);
	check_near(shares.share[snapshot_find_cred(s, CRED_GROUP, "g3")].usage, 200);
	fairshare_clear(&shares);
	replay_free(r);
	trace_clear(&t);
}

static void an_invalid_usage_window_is_refused_and_named(void **state)
{
	struct trace t = read_log(THREE_JOBS, 4);
	const struct fsfile window = {.begin_s = 86400, .total = -1};
	const struct replay_setup setup = {.trace = &t,
					   .cluster = {.nodes = 4, .node_procs = 1},
					   .window = &window,
					   .window_count = 1,
					   .until_s = TIME_NEVER};
	struct err err = {{0}};

	(void)state;
	assert_null(replay_new(&setup, (struct ledger){0}, &err));
	assert_memory_equal(err.text, "FS.86400: ", 10);
	trace_clear(&t);
}

static void the_cluster_may_be_given_node_by_node(void **state)
{
	static const struct node_record node[] = {{.name = "big", .procs = 3}, {.name = "small", .procs = 1}};
	struct trace t = read_log(THREE_JOBS, 4);
	const struct replay_setup setup = {
		.trace = &t, .cluster = {.nodes = 2, .node = node}, .keep_runs = true, .until_s = TIME_NEVER};
	struct replay_summary sum;
	struct err err;
	struct run run = {&t, replay_new(&setup, (struct ledger){0}, &err)};

	(void)state;
	assert_non_null(run.replay);
	run_to(run.replay, TIME_NEVER);
	check_start(&run, 0, 0, 10);
	assert_int_equal(driver_view(replay_driver(run.replay))->procs_total, 4);
	replay_summarise(run.replay, &sum);
	check_near(sum.utilization, (4 * 10 + 3 * 10 + 1 * 5) / (4.0 * (double)sum.makespan_s));
	replay_free(run.replay);
	trace_clear(&t);
}

/* --- hash of decisions ---------------------------------------------------------------- */

static uint64_t hash_of(struct event ev)
{
	uint64_t h = 1;

	decision_hash_add(&h, &ev);
	return h;
}

static struct event start_of(uint64_t job, int64_t time_s, const struct alloc_run *runs, uint32_t count)
{
	return (struct event){
		.kind = EVENT_START, .job = job, .time_s = time_s, .start = {.runs = runs, .count = count}};
}

static struct event plan_of(uint64_t job, int64_t start_s)
{
	return (struct event){.kind = EVENT_PLAN, .job = job, .time_s = 5, .plan.start_s = start_s};
}

static void different_decisions_have_different_hashes(void **state)
{
	const struct alloc_run run[] = {{.node = 1, .nodes = 2, .procs = 4},
					{.node = 7, .nodes = 1, .procs = 1}};
	const struct alloc_run place[] = {{.node = 2, .nodes = 2, .procs = 4},
					  {.node = 1, .nodes = 3, .procs = 4},
					  {.node = 1, .nodes = 2, .procs = 5}};
	uint64_t seen[] = {hash_of(start_of(1, 5, run, 2)),
			   hash_of(start_of(1, 5, run, 1)),
			   hash_of(start_of(2, 5, run, 1)),
			   hash_of(start_of(1, 6, run, 1)),
			   hash_of(start_of(1, 5, place, 1)),
			   hash_of(start_of(1, 5, place + 1, 1)),
			   hash_of(plan_of(1, 9)),
			   hash_of(plan_of(1, 10)),
			   hash_of(plan_of(2, 9)),
			   hash_of(start_of(1, 5, place + 2, 1)),
			   hash_of(start_of(1, 9, NULL, 0)),
			   1};
	const size_t count = sizeof seen / sizeof seen[0];

	(void)state;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (seen[i] == seen[j])
				fail_msg("%zu and %zu have the same", j, i);
	assert_true(hash_of((struct event){.kind = EVENT_SUBMIT, .job = 1}) == 1);
	assert_true(hash_of((struct event){.kind = EVENT_END, .job = 1}) == 1);
}

static void presets_are_found_by_name(void **state)
{
	(void)state;
	assert_non_null(replay_preset("fcfs"));
	assert_ptr_equal(replay_preset("EASY"), replay_preset("easy"));
	assert_non_null(replay_preset("conservative"));
	assert_null(replay_preset("sjf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_summary_equals_a_calculation_by_hand),
		cmocka_unit_test(the_median_of_an_even_count_is_the_mean_of_the_middle_two),
		cmocka_unit_test(the_95th_percentile_is_by_nearest_rank),
		cmocka_unit_test(easy_fills_the_backfill_window_and_fcfs_does_not),
		cmocka_unit_test(a_replay_that_ends_early_leaves_jobs_without_an_end),
		cmocka_unit_test(a_log_without_jobs_ends_at_once),
		cmocka_unit_test(a_repeated_job_number_is_two_jobs),
		cmocka_unit_test(placements_have_the_requested_processors),
		cmocka_unit_test(a_replay_in_pieces_equals_a_replay_at_once),
		cmocka_unit_test(an_invalid_configuration_is_refused_with_an_error),
		cmocka_unit_test(a_setting_overrides_the_configuration),
		cmocka_unit_test(with_a_poll_interval_jobs_start_and_end_in_polls),
		cmocka_unit_test(imported_usage_is_present_at_the_start),
		cmocka_unit_test(an_invalid_usage_window_is_refused_and_named),
		cmocka_unit_test(the_cluster_may_be_given_node_by_node),
		cmocka_unit_test(different_decisions_have_different_hashes),
		cmocka_unit_test(presets_are_found_by_name),
	};

	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
