/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_array.c - indices of the tasks of an array
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/asked.h"

/* Writes the ranges and the throttle that were read: "0-9/1 3-3/1%4". */
static void describe(const struct submission *s, struct str *out)
{
	for (uint32_t i = 0; i < s->range_count; i++)
		str_addf(out, "%s%lld-%lld/%lld", i == 0 ? "" : " ", (long long)s->range[i].first,
			 (long long)s->range[i].last, (long long)s->range[i].step);
	str_addf(out, "%%%u", s->throttle);
}

static void ranges_are_read(void **state)
{
	static const struct {
		const char *option, *ranges;
		uint32_t tasks;
	} arrays[] = {
		{"-t 0-9%4", "0-9/1%4", 10},
		{"-J 1-100:10", "1-100/10%0", 10},
		{"-t 1,3,5-7", "1-1/1 3-3/1 5-7/1%0", 5},
		{"-t 1-9:2,2-8:2%1", "1-9/2 2-8/2%1", 9},
		{"-t 5", "5-5/1%0", 1},
		{"-t 007-010", "7-10/1%0", 4},
		{"-t 0-9999", "0-9999/1%0", 10000},
		{"-t 9999999", "9999999-9999999/1%0", 1},
		{"-t 0-9%4 -t 1-2", "1-2/1%0", 2},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(arrays); i++) {
		struct submission s;
		struct str text = {0};

		asked(&s, NULL, arrays[i].option);
		describe(&s, &text);
		assert_string_equal(str_text(&text), arrays[i].ranges);
		assert_int_equal(qsub_tasks(&s), arrays[i].tasks);
		str_free(&text);
		submission_free(&s);
	}
}

static void a_script_may_request_an_array(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, "#SBATCH --array=0-15:4%2\n", "");
	assert_int_equal(qsub_tasks(&s), 4);
	assert_int_equal(s.throttle, 2);
	submission_free(&s);
	asked(&s, "#SBATCH -a 0-15\n", "-t 1-3");
	assert_int_equal(qsub_tasks(&s), 3);
	submission_free(&s);
}

#define NO_ARRAY                                                                                             \
	" is not a job array; write 0-9, 1-100:10 or 1,3,5-7, with indices up to 9999999, and %4 to run "    \
	"four tasks at a time"
#define NO_THROTTLE "-t: the number of concurrent tasks after % must be from 1 to 10000, got "

static const struct asked_wrong wrong[] = {
	{"-t ''", "-t: \"\"" NO_ARRAY},
	{"-t 9-0", "-t: \"9-0\"" NO_ARRAY},
	{"-t 1-", "-t: \"1-\"" NO_ARRAY},
	{"-t 1,", "-t: \"1,\"" NO_ARRAY},
	{"-t 1,,2", "-t: \"1,,2\"" NO_ARRAY},
	{"-t -1", "-t: \"-1\"" NO_ARRAY},
	{"-t 1-9:0", "-t: \"1-9:0\"" NO_ARRAY},
	{"-t 1:2", "-t: \"1:2\"" NO_ARRAY},
	{"-t 10000000", "-t: \"10000000\"" NO_ARRAY},
	{"-t 0-99999999999999999999", "-t: \"0-99999999999999999999\"" NO_ARRAY},
	{"-t 1-3x", "-t: \"1-3x\"" NO_ARRAY},
	{"-t 0-9%0", NO_THROTTLE "\"0\""},
	{"-t 0-9%", NO_THROTTLE "\"\""},
	{"-t 0-9%2%3", NO_THROTTLE "\"2%3\""},
	{"-t 0-9%2,11", NO_THROTTLE "\"2,11\""},
	{"-t 0-10000", "-t: an array can have at most 10000 tasks"},
	{"-t 0-9999,10000", "-t: an array can have at most 10000 tasks"},
	{"-t 1-5,3", "-t: task number 3 occurs twice"},
	{"-t 0-20:5,2-12:5,1-21:4", "-t: task number 5 occurs twice"},
};

static void an_invalid_array_is_refused(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

static void the_number_of_ranges_is_limited(void **state)
{
	struct str options = {0};

	(void)state;
	str_add(&options, "-t 0");
	for (int i = 1; i <= ARRAY_RANGES_MAX; i++)
		str_addf(&options, ",%d", i);
	check_asked_refused(NULL, str_text(&options),
			    "-t: an array can have at most 64 ranges; use a step, as in 0-98:2");
	str_free(&options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_read),
		cmocka_unit_test(a_script_may_request_an_array),
		cmocka_unit_test(an_invalid_array_is_refused),
		cmocka_unit_test(the_number_of_ranges_is_limited),
	};

	return cmocka_run_group_tests_name("qsub_array", tests, NULL, NULL);
}
