/* SPDX-License-Identifier: MIT */
/*
 * test_replay_setup.c - times and scripts of replays
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/vec.h"
#include "sched/trace/swf.h"
#include "tui/command/replay_setup.h"

static struct trace_job job = {.submit_s = 500};
static const struct trace log_with_date = {.job = &job, .count = 1, .unix_start_s = 1000000000};
static const struct trace log_without = {.job = &job, .count = 1};

static void check_time(const struct trace *trace, const char *text, int64_t expected_s)
{
	struct err err = {""};
	int64_t at_s = -1;

	if (!trace_parse_time(trace, text, &at_s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(at_s, expected_s);
}

static void check_refused(const struct trace *trace, const char *text)
{
	struct err err = {""};
	int64_t at_s = -1;

	assert_false(trace_parse_time(trace, text, &at_s, &err));
	assert_true(err.text[0] != '\0');
}

static void times_are_in_seconds_of_the_log(void **state)
{
	(void)state;
	check_time(&log_without, "0", 0);
	check_time(&log_without, "86400", 86400);
	check_time(&log_without, "+1:00:00", 4100);
	check_time(&log_with_date, "2001-09-09T01:46:41", 1);
}

static void an_invalid_time_is_refused(void **state)
{
	(void)state;
	check_refused(&log_without, "-5");
	check_refused(&log_without, "soon");
	check_refused(&log_without, "16:30");
	check_refused(&log_without, "+x");
	check_refused(&log_without, "2001-09-09T01:46:41");
	check_refused(&log_with_date, "2001-09-99T01:46:41");
	check_refused(&log_with_date, "2001-09-09T01:46:39");
}

static void commands_are_sorted_by_time(void **state)
{
	struct replay_script script;

	(void)state;
	assert_true(replay_script_read("do",
				       mem_string("# first\n\n 200 queue -i\n+0 hold 1\r\n200\trelease 1"),
				       &log_without, &script, NULL));
	assert_int_equal(script.count, 3);
	assert_int_equal(script.command[0].at_s, 500 - 300);
	assert_string_equal(script.command[0].line, "queue -i");
	assert_string_equal(script.command[1].line, "release 1");
	assert_int_equal(script.command[2].at_s, 500);
	replay_script_free(&script);
}

static void an_invalid_line_is_named(void **state)
{
	struct replay_script script;
	struct err err;

	(void)state;
	assert_false(replay_script_read("do", mem_string("10 queue\n20\n"), &log_without, &script, &err));
	assert_string_equal(err.text, "do:2: a line must be 'TIME COMMAND...', got only '20'");
	assert_false(replay_script_read("do", mem_string("soon queue"), &log_without, &script, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_in_seconds_of_the_log),
		cmocka_unit_test(an_invalid_time_is_refused),
		cmocka_unit_test(commands_are_sorted_by_time),
		cmocka_unit_test(an_invalid_line_is_named),
	};

	return cmocka_run_group_tests_name("replay_setup", tests, NULL, NULL);
}
