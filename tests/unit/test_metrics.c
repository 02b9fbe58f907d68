/* SPDX-License-Identifier: MIT */
/*
 * test_metrics.c - tests of the figures for a monitoring system
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

static void each_job_is_counted_in_the_state_that_it_is_in(void **state)
{
	static const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1, .tasks = 1};
	const struct figures figures = {.started = 2};
	struct str text = {0};
	struct yard y;

	(void)state;
	yard_begin(&y);
	y.s->now_s = 1000;
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_start(&y, yard_job(&y, (struct job){.defer_until_s = TIME_NONE}), run);
	yard_start(&y, yard_job(&y, (struct job){.real = JOB_REAL_SUSPENDED}), run);
	for (int64_t until_s = 999; until_s <= 1001; until_s++)
		add_waiting(&y, (struct job){.defer_until_s = until_s});
	add_waiting(&y, (struct job){.defer_until_s = TIME_NONE});
	add_waiting(&y, (struct job){.defer_until_s = 1001, .holds = JOB_HOLD_USER});
	metrics_print(y.s, &figures, &text);
	assert_non_null(strstr(str_text(&text), "kahu_jobs{state=\"running\"} 1\n"
						"kahu_jobs{state=\"suspended\"} 1\n"
						"kahu_jobs{state=\"waiting\"} 3\n"
						"kahu_jobs{state=\"held\"} 1\n"
						"kahu_jobs{state=\"deferred\"} 1\n"));
	assert_non_null(strstr(str_text(&text), "\nkahu_jobs_started_total 2\n"));
	str_free(&text);
	yard_end(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_is_counted_in_the_state_that_it_is_in),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
