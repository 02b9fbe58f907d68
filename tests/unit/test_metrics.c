/* SPDX-License-Identifier: MIT */
/*
 * test_metrics.c - metrics for a monitoring system
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/str.h"
#include "sched/host/metrics.h"
#include "tests/unit/yard.h"

static void add_waiting(struct yard *y, struct job job)
{
	uint32_t index, slot = yard_job(y, job);
	struct waiting *waiting = yard_more(y, TABLE_WAITING, &index);

	waiting->slot = slot;
}

static void jobs_are_counted_by_state(void **state)
{
	static const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1, .tasks = 1};
	const struct figures figures = {.started = 2};
	struct str text = {0};
	struct yard y;

	(void)state;
	yard_begin(&y);
	y.s->now_s = 1000;
	yard_node(&y, "n001", (struct node){.procs = 4});
	for (int i = 0; i < 2; i++)
		yard_start(&y, yard_job(&y, (struct job){.defer_until_s = TIME_NONE}), run);
	yard_start(&y, yard_job(&y, (struct job){.real = JOB_REAL_SUSPENDED}), run);
	for (int64_t until_s = 999; until_s <= 1001; until_s++)
		add_waiting(&y, (struct job){.defer_until_s = until_s});
	add_waiting(&y, (struct job){.defer_until_s = TIME_NONE});
	add_waiting(&y, (struct job){.defer_until_s = 1001, .holds = JOB_HOLD_USER});
	metrics_print(y.s, &figures, &text);
	assert_non_null(strstr(str_text(&text), "kahu_jobs{state=\"running\"} 2\n"
						"kahu_jobs{state=\"suspended\"} 1\n"
						"kahu_jobs{state=\"waiting\"} 3\n"
						"kahu_jobs{state=\"held\"} 1\n"
						"kahu_jobs{state=\"deferred\"} 1\n"));
	assert_non_null(strstr(str_text(&text), "\nkahu_jobs_started_total 2\n"));
	str_free(&text);
	yard_end(&y);
}

static void every_metric_is_printed_with_help_type_and_value(void **state)
{
	static const struct figures figures = {.submitted = 11,
					       .started = 12,
					       .refused = 13,
					       .ended = {14, 15, 16, 17, 18, 19},
					       .waits = 20,
					       .waited_s = 21,
					       .passes = 22,
					       .pass_ns = 1500000000};
	static const char expected[] =
		"# HELP kahu_jobs Jobs by state.\n"
		"# TYPE kahu_jobs gauge\n"
		"kahu_jobs{state=\"running\"} 0\n"
		"kahu_jobs{state=\"suspended\"} 0\n"
		"kahu_jobs{state=\"waiting\"} 0\n"
		"kahu_jobs{state=\"held\"} 0\n"
		"kahu_jobs{state=\"deferred\"} 0\n"
		"# HELP kahu_procs Number of processors.\n"
		"# TYPE kahu_procs gauge\n"
		"kahu_procs 8\n"
		"# HELP kahu_procs_busy Processors allocated to jobs.\n"
		"# TYPE kahu_procs_busy gauge\n"
		"kahu_procs_busy 3\n"
		"# HELP kahu_nodes Number of nodes.\n"
		"# TYPE kahu_nodes gauge\n"
		"kahu_nodes 2\n"
		"# HELP kahu_nodes_busy Nodes with allocated processors.\n"
		"# TYPE kahu_nodes_busy gauge\n"
		"kahu_nodes_busy 1\n"
		"# HELP kahu_jobs_submitted_total Jobs that were submitted.\n"
		"# TYPE kahu_jobs_submitted_total counter\n"
		"kahu_jobs_submitted_total 11\n"
		"# HELP kahu_jobs_started_total Jobs that were started.\n"
		"# TYPE kahu_jobs_started_total counter\n"
		"kahu_jobs_started_total 12\n"
		"# HELP kahu_starts_refused_total Starts that failed.\n"
		"# TYPE kahu_starts_refused_total counter\n"
		"kahu_starts_refused_total 13\n"
		"# HELP kahu_jobs_ended_total Jobs that have left the queue, by outcome.\n"
		"# TYPE kahu_jobs_ended_total counter\n"
		"kahu_jobs_ended_total{outcome=\"done\"} 14\n"
		"kahu_jobs_ended_total{outcome=\"failed\"} 15\n"
		"kahu_jobs_ended_total{outcome=\"limit\"} 16\n"
		"kahu_jobs_ended_total{outcome=\"cancelled\"} 17\n"
		"kahu_jobs_ended_total{outcome=\"lost\"} 18\n"
		"kahu_jobs_ended_total{outcome=\"dependfailed\"} 19\n"
		"# HELP kahu_queue_wait_seconds Time from submission to start.\n"
		"# TYPE kahu_queue_wait_seconds summary\n"
		"kahu_queue_wait_seconds_sum 21\n"
		"kahu_queue_wait_seconds_count 20\n"
		"# HELP kahu_pass_seconds Duration of scheduling passes.\n"
		"# TYPE kahu_pass_seconds summary\n"
		"kahu_pass_seconds_sum 1.5\n"
		"kahu_pass_seconds_count 22\n"
		"# HELP kahu_last_event_timestamp_seconds Time of the last event.\n"
		"# TYPE kahu_last_event_timestamp_seconds gauge\n"
		"kahu_last_event_timestamp_seconds 1000\n";
	struct str text = {0};
	struct yard y;

	(void)state;
	yard_begin(&y);
	y.s->now_s = 1000;
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_node(&y, "n002", (struct node){.procs = 4});
	y.s->procs_total = 8;
	y.s->procs_busy = 3;
	y.s->nodes_busy = 1;
	metrics_print(y.s, &figures, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	yard_end(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_counted_by_state),
		cmocka_unit_test(every_metric_is_printed_with_help_type_and_value),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
