/* SPDX-License-Identifier: MIT */
/*
 * test_job_figures.c - origin of the numbers about a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/screen/job_figures.h"
#include "tui/screen/page.h"

static void check_page(struct scene *sc, const char *draft, uint64_t job, const char *expected)
{
	struct looking l;
	const struct plan_query *o = looking_begin(&l, sc, draft);
	struct figures figures = {0};
	struct page p = {0};
	struct canvas c = {.ascii = true};
	struct str text = {0};

	figures_clear(&figures, o->now_s);
	job_figures_now(&figures, o, job, FORMULA_POINTS);
	figure_page_put(&p, &figures, 90);
	canvas_resize(&c, 90, (int)p.lines);
	page_draw(&p, &c, canvas_rect(&c));
	canvas_dump(&c, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	canvas_free(&c);
	page_free(&p);
	figures_free(&figures);
	looking_end(&l);
}

static struct scene *busy(void)
{
	struct scene *sc = scene_new(1, 8);

	scene_config(sc, "queuetimeweight = 0\nprocweight = 10\nresweight = 3\n");
	scene_submit(sc, 8, 3000);
	scene_pass(sc);
	scene_submit(sc, 8, 1000);
	return sc;
}

static void weights_are_shown_with_their_origin_and_starts_with_the_ending_jobs(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_page(sc, NULL, 2,
		   " PRIORITY 240 = res 3 * (proc 10 * 8 procs)\n"
		   " Proc 240 = res 3 * (proc 10 * 8 procs)   procweight: kahu.conf:2\n"
		   " res 240 = res 3 * (proc 10 * 8 procs)    resweight: kahu.conf:3\n"
		   " RANK 1 = 1 + 0 jobs ahead\n"
		   " EST.START 00:50:00 = started 00:00:00 + limit 0:50:00 [1]\n"
		   " IN 50m = 00:50:00 - now 00:00:00, cut\n"
		   " Job 2 needs 8 processors and 0 are free: 8 short.\n"
		   " Jobs that end by then: 1 (8 procs, 00:50:00); 8 processors in total.\n"
		   " Instant plan: assumes that jobs run to their limits, that priorities do not change and\n"
		   " that no jobs are submitted.\n"
		   " XF 1.00 = 1 + 0 s / 1000 s\n"
		   " QUEUED 0s = 0:00:00, cut\n"
		   " PROC 8 = 8 tasks * 1 procs\n"
		   " WCLIMIT 0:16:40 = 0:16:40\n");
	check_page(sc, NULL, 1,
		   " PRIORITY 240 = res 3 * (proc 10 * 8 procs)\n"
		   " Proc 240 = res 3 * (proc 10 * 8 procs)   procweight: kahu.conf:2\n"
		   " res 240 = res 3 * (proc 10 * 8 procs)    resweight: kahu.conf:3\n"
		   " EST.START 00:50:00 = started 00:00:00 + limit 0:50:00 latest end of the job\n"
		   " IN 50m = end 00:50:00 - now 00:00:00, cut\n"
		   " OF LIMIT 0% = 100 * (now 00:00:00 - started 00:00:00) / limit 0:50:00\n"
		   " XF 1.00 = 1 + 0 s / 3000 s\n"
		   " QUEUED 0s = started 00:00:00 - submitted 00:00:00, cut\n"
		   " PROC 8 = 8 tasks * 1 procs\n"
		   " WCLIMIT 0:50:00 = 0:50:00\n");
	check_page(sc, NULL, 9, " No job under the cursor.\n");
	scene_free(sc);
}

static void a_live_change_is_shown_with_its_entry(void **state)
{
	struct scene *sc = busy();

	(void)state;
	scene_set(sc, "procweight", "4");
	scene_priority(sc, 2, JOB_ADJUST_RELATIVE, 5);
	scene_modify(sc, 2, "walltime", "500");
	check_page(sc, NULL, 2,
		   " PRIORITY 101 = res 3 * (proc 4 * 8 procs) + 5 [relative priority]\n"
		   "     priority: set by entry 7\n"
		   " Proc 96 = res 3 * (proc 4 * 8 procs)     procweight: set by entry 6\n"
		   " res 96 = res 3 * (proc 4 * 8 procs)      resweight: kahu.conf:3\n"
		   " RANK 1 = 1 + 0 jobs ahead\n"
		   " EST.START 00:50:00 = started 00:00:00 + limit 0:50:00 [1]\n"
		   " IN 50m = 00:50:00 - now 00:00:00, cut\n"
		   " Job 2 needs 8 processors and 0 are free: 8 short.\n"
		   " Jobs that end by then: 1 (8 procs, 00:50:00); 8 processors in total.\n"
		   " Instant plan: assumes that jobs run to their limits, that priorities do not change and\n"
		   " that no jobs are submitted.\n"
		   " XF 1.00 = 1 + 0 s / 500 s\n"
		   " QUEUED 0s = 0:00:00, cut\n"
		   " PROC 8 = 8 tasks * 1 procs\n"
		   " WCLIMIT 0:08:20 = 0:08:20                walltime: set by entry 8\n");
	scene_free(sc);
}

static void a_draft_shows_values_before_and_after(void **state)
{
	struct scene *sc = busy();

	(void)state;
	scene_submit(sc, 4, 600);
	check_page(sc, "set 3 priority=500", 3,
		   " PRIORITY 120 = res 3 * (proc 10 * 4 procs)\n"
		   " RANK 2 = 1 + 1 jobs ahead\n"
		   " START 01:06:40 = start 00:50:00 + limit 0:16:40 [2]\n"
		   " IN 1:06h = 01:06:40 - now 00:00:00, cut\n"
		   " Job 3 needs 4 processors and 0 are free: 4 short.\n"
		   " Jobs that end by then: 1 (8 procs, 00:50:00); 8 processors in total.\n"
		   " Jobs that start before this job: 2 (8 procs, 00:50:00); 8 processors in total.\n"
		   " PRIORITY AFTER 1000000500 = 1000000000 + 500 [set by an operator]\n"
		   " RANK AFTER 1 = 1 + 0 jobs ahead\n"
		   " START AFTER 00:50:00 = started 00:00:00 + limit 0:50:00 [1]\n"
		   " IN 50m = 00:50:00 - now 00:00:00, cut\n"
		   " Job 3 needs 4 processors and 0 are free: 4 short.\n"
		   " Jobs that end by then: 1 (8 procs, 00:50:00); 8 processors in total.\n"
		   " CHANGE -0:16:40 = after 00:50:00 - before 01:06:40\n"
		   " Instant plan: assumes that jobs run to their limits, that priorities do not change and\n"
		   " that no jobs are submitted.\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_shown_with_their_origin_and_starts_with_the_ending_jobs),
		cmocka_unit_test(a_live_change_is_shown_with_its_entry),
		cmocka_unit_test(a_draft_shows_values_before_and_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
