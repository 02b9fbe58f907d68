/* SPDX-License-Identifier: MIT */
/*
 * test_queue_report.c - array tasks that share a line of the queue
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "small_state.h"
#include "tui/report/queue_report.h"

/* Jobs 1 to 4 of small_state; then two arrays, 5[0-3,8] and 10[0-1]. */
static struct state *state_with_arrays(void)
{
	static const struct array_range five[] = {{0, 3, 1}, {8, 8, 1}}, ten[] = {{0, 1, 1}};
	struct state *st = small_state();
	struct event ev = {.time_s = 40, .kind = EVENT_SUBMIT, .who = "eva"};

	ev.submit.job = (struct job){.submit_s = 40,
				     .wall_limit_s = 60,
				     .true_run_s = 1,
				     .tasks = 1,
				     .task_procs = 1,
				     .not_before_s = TIME_NONE};
	ev.submit.ranges = five;
	ev.submit.range_count = 2;
	small_apply(st, ev);
	ev.submit.ranges = ten;
	ev.submit.range_count = 1;
	small_apply(st, ev);
	return st;
}

static bool five_is_open(const void *self, uint64_t array)
{
	(void)self;
	return array == 5;
}

/* Checks the lines of the jobs with these IDs: "4, 5[0-3,8] x5". */
static void check_lines(const struct state *st, const char *ids, fold_open *is_open, const char *expected)
{
	const struct snapshot *s = state_view(st);
	struct fold fold = {.line = NULL};
	struct str text = {0};
	uint32_t slot[32];
	size_t count = 0;
	char label[JOB_LABEL_TEXT];

	for (char *at = (char *)(uintptr_t)ids; *at != '\0';)
		slot[count++] = state_find(st, strtoull(at, &at, 10));
	fold_list(&fold, s, slot, count, is_open, NULL);
	for (size_t i = 0; i < fold.lines; i++) {
		if (i > 0)
			str_add(&text, ", ");
		if (fold.line[i].tasks > 0)
			fold_name(&fold, &fold.line[i], &text);
		else
			str_add(&text, snapshot_job_label(s, &snapshot_jobs(s)[fold.line[i].slot], label));
	}
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	fold_free(&fold);
}

static void idle_tasks_of_an_array_share_the_line_of_the_first(void **state)
{
	struct state *st = state_with_arrays();

	(void)state;
	check_lines(st, "2 5 6 7 8 9 3 10 11", NULL, "2, 5[0-3,8] x5, 3, 10[0,1] x2");
	check_lines(st, "11 2 9 7 10 5", NULL, "10[0,1] x2, 2, 5[0,2,8] x3");
	check_lines(st, "", NULL, "");
	state_free(st);
}

static void a_single_task_is_shown_like_a_job(void **state)
{
	struct state *st = state_with_arrays();

	(void)state;
	check_lines(st, "2 9 10", NULL, "2, 5[8], 10[0]");
	state_free(st);
}

static void an_expanded_array_is_shown_task_by_task(void **state)
{
	struct state *st = state_with_arrays();

	(void)state;
	check_lines(st, "5 6 10 11", five_is_open, "5[0], 5[1], 10[0,1] x2");
	state_free(st);
}

static void running_and_held_tasks_have_their_own_lines(void **state)
{
	static const struct alloc_run one = {.node = 0, .nodes = 1, .procs = 1};
	struct state *st = state_with_arrays();

	(void)state;
	small_apply(st, (struct event){.time_s = 41, .kind = EVENT_END, .job = 1});
	small_apply(st, (struct event){.time_s = 41,
				       .kind = EVENT_START,
				       .job = 5,
				       .start = {.runs = &one, .count = 1}});
	small_apply(st, (struct event){.time_s = 41,
				       .kind = EVENT_HOLD,
				       .job = 7,
				       .hold = {.bits = JOB_HOLD_USER, .on = true}});
	check_lines(st, "5 6 7 8 9", NULL, "5[0], 5[1,3,8] x3, 5[2]");
	state_free(st);
}

static void several_lists_are_folded_one_after_the_other(void **state)
{
	struct state *st = state_with_arrays();
	struct fold fold = {.line = NULL};
	uint32_t first[] = {state_find(st, 5), state_find(st, 6)};
	uint32_t second[] = {state_find(st, 7), state_find(st, 8), state_find(st, 9)};

	(void)state;
	fold_list(&fold, state_view(st), first, 2, NULL, NULL);
	fold_list(&fold, state_view(st), second, 3, NULL, NULL);
	assert_int_equal(fold.lines, 2);
	assert_int_equal(fold.line[0].tasks, 2);
	assert_int_equal(fold.line[1].tasks, 3);
	assert_int_equal(fold.task[fold.line[1].first].number, 2);
	fold_clear(&fold);
	assert_int_equal(fold.lines, 0);
	fold_free(&fold);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_tasks_of_an_array_share_the_line_of_the_first),
		cmocka_unit_test(a_single_task_is_shown_like_a_job),
		cmocka_unit_test(an_expanded_array_is_shown_task_by_task),
		cmocka_unit_test(running_and_held_tasks_have_their_own_lines),
		cmocka_unit_test(several_lists_are_folded_one_after_the_other),
	};

	return cmocka_run_group_tests_name("queue_report", tests, NULL, NULL);
}
