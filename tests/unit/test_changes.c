/* SPDX-License-Identifier: MIT */
/*
 * test_changes.c - does the preview say what the changes would do, and leave all as it is?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "small_state.h"
#include "tui/command/cmd.h"

static void check_preview(const char *line, const char *expected)
{
	struct state *st = small_state();
	uint64_t hash = state_hash(state_view(st));
	struct cmd_changes changes = {0};
	struct str out = {0}, effect = {0};
	struct cmd_env env = {
		.s = state_view(st), .now_s = 40, .who = "ops", .out = &out, .changes = &changes};
	struct err err = {""};

	assert_int_equal(cmd_run_line(&env, line), CMD_DONE);
	if (cmd_preview(state_view(st), 40, true, &changes, &effect, &err))
		assert_string_equal(str_text(&effect), expected);
	else
		assert_string_equal(err.text, expected);
	assert_true(state_hash(state_view(st)) == hash);
	cmd_changes_clear(&changes);
	str_free(&out);
	str_free(&effect);
	state_free(st);
}

static void what_changes_nothing_says_so(void **state)
{
	(void)state;
	check_preview("set 2 priority=+1", "the order and all estimated starts stay");
	check_preview("tune xfactorweight 0", "the order and all estimated starts stay");
}

static void a_job_that_overtakes_delays_the_others(void **state)
{
	(void)state;
	check_preview("set fit priority=+5", "3 jobs change order; 1 earlier; 2 later; worst: 2 +0:01:40");
}

static void a_refused_change_gives_its_sentence(void **state)
{
	(void)state;
	check_preview("release 2", "job 2 has no such hold (its holds: none)");
}

static void later_changes_see_the_earlier_ones(void **state)
{
	struct state *st = small_state();
	struct cmd_changes changes = {0};
	struct cmd_env env = {.now_s = 40, .who = "ops", .changes = &changes};
	struct str effect = {0};
	struct event *ev;

	(void)state;
	ev = cmd_add_event(&env, EVENT_HOLD, 2);
	ev->hold.bits = JOB_HOLD_USER;
	ev->hold.on = true;
	ev = cmd_add_event(&env, EVENT_HOLD, 2);
	ev->hold.bits = JOB_HOLD_USER;
	assert_true(cmd_preview(state_view(st), 40, true, &changes, &effect, NULL));
	assert_string_equal(str_text(&effect), "the order and all estimated starts stay");
	cmd_changes_clear(&changes);
	str_free(&effect);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_nothing_says_so),
		cmocka_unit_test(a_job_that_overtakes_delays_the_others),
		cmocka_unit_test(a_refused_change_gives_its_sentence),
		cmocka_unit_test(later_changes_see_the_earlier_ones),
	};

	return cmocka_run_group_tests_name("changes", tests, NULL, NULL);
}
