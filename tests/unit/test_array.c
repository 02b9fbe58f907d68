/* SPDX-License-Identifier: MIT */
/*
 * test_array.c - task numbers of job arrays, and references to tasks
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/model/array.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void task_numbers_keep_their_order(void **state)
{
	static const uint32_t numbers[] = {8, 10, 12, 3, 0, 1};
	const char *at = "8-12:2,3,0-1%4";
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t count;

	(void)state;
	assert_true(array_read(&at, range, &count));
	assert_string_equal(at, "%4");
	assert_int_equal(count, 3);
	assert_true(array_check(range, count, NULL));
	assert_int_equal(array_tasks(range, count), COUNT(numbers));
	for (uint32_t i = 0; i < COUNT(numbers); i++)
		assert_int_equal(array_number(range, count, i), numbers[i]);
}

static void invalid_task_list_is_rejected(void **state)
{
	static const char *const wrong[] = {"", "a", "-1", "3-", "9-0", "1-9:0", "1,", "1,,2", "10000000"};
	struct array_range range[ARRAY_RANGES_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		const char *at = wrong[i];
		uint32_t count;

		if (array_read(&at, range, &count))
			fail_msg("\"%s\" was read", wrong[i]);
	}
}

/* A stored record or a request can contain arbitrary values. */
static void invalid_array_is_rejected_with_a_message(void **state)
{
	static const struct {
		struct array_range range[2];
		const char *error;
	} wrong[] = {
		{{{-1, 3, 1}, {9, 9, 1}}, "a range of task numbers must be ascending, between 0 and 9999999"},
		{{{0, 3, 0}, {9, 9, 1}}, "the step of an array must be at least 1, got 0"},
		{{{0, 3, -1}, {9, 9, 1}}, "the step of an array must be at least 1, got -1"},
		{{{5, 3, 1}, {9, 9, 1}}, "a range of task numbers must be ascending, between 0 and 9999999"},
		{{{INT64_MIN, INT64_MAX, 1}, {9, 9, 1}},
		 "a range of task numbers must be ascending, between 0 and 9999999"},
		{{{0, 1, INT64_MAX}, {9, 9, 1}},
		 "a range of task numbers must be ascending, between 0 and 9999999"},
		{{{0, 9999, 1}, {10000, 10000, 1}}, "an array can have at most 10000 tasks"},
		{{{0, 9999999, 1}, {1, 9999999, 1}}, "an array can have at most 10000 tasks"},
		{{{0, 10, 5}, {2, 8, 3}}, "task number 5 occurs twice"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct err err;

		assert_false(array_check(wrong[i].range, 2, &err));
		assert_string_equal(err.text, wrong[i].error);
	}
}

/* A request of 465 bytes with a step of 0 must not cause a division by zero. */
static void arbitrary_ranges_can_be_counted(void **state)
{
	static const int64_t hostile[] = {INT64_MIN,       INT64_MIN + 1, -1,       0, 1, 2,
					  ARRAY_INDEX_MAX, INT64_MAX - 1, INT64_MAX};
	struct array_range range[ARRAY_RANGES_MAX];

	(void)state;
	for (size_t a = 0; a < COUNT(hostile); a++)
		for (size_t b = 0; b < COUNT(hostile); b++)
			for (size_t c = 0; c < COUNT(hostile); c++) {
				for (size_t i = 0; i < COUNT(range); i++)
					range[i] = (struct array_range){hostile[a], hostile[b], hostile[c]};
				assert_true(array_tasks(range, COUNT(range)) <= ARRAY_TASKS_MAX + 1);
				assert_true(array_number(range, COUNT(range), UINT32_MAX) <= ARRAY_INDEX_MAX);
			}
	range[0] = (struct array_range){0, 3, 0};
	assert_int_equal(array_tasks(range, 1), 0);
	range[0] = (struct array_range){0, ARRAY_INDEX_MAX, 1};
	assert_int_equal(array_tasks(range, 1), ARRAY_TASKS_MAX + 1);
}

static void reference_selects_tasks_of_one_array(void **state)
{
	static const struct {
		const char *word, *label;
		bool has;
	} cases[] = {
		{"12[]", "12[0]", true},        {"12[]", "12[9999999]", true},
		{"12[3]", "12[3]", true},       {"12[3]", "12[4]", false},
		{"12[2-5]", "12[5]", true},     {"12[2-5]", "12[6]", false},
		{"12[2-6:2,9]", "12[4]", true}, {"12[2-6:2,9]", "12[5]", false},
		{"12[2-6:2,9]", "12[9]", true}, {"12[]", "12", false},
		{"12[]", "1[2]", false},        {"12[]", "123[2]", false},
		{"12[]", "12[x]", false},       {"12[]", "12[3]x", false},
		{"j7[1]", "j7[1]", true},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct array_word word;

		assert_true(array_word_read(cases[i].word, &word));
		if (array_word_has(&word, cases[i].label) != cases[i].has)
			fail_msg("%s and %s", cases[i].word, cases[i].label);
	}
}

static void other_words_are_not_references(void **state)
{
	static const char *const wrong[] = {"12",   "",    "[]",    "[3]",    "12[",
					    "12[3", "12]", "12[a]", "12[3]x", "12[3,]"};
	struct array_word word;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		if (array_word_read(wrong[i], &word))
			fail_msg("\"%s\" was read", wrong[i]);
}

static void numbers_are_printed_as_ranges(void **state)
{
	static const struct {
		uint32_t number[16];
		size_t count;
		const char *text;
	} cases[] = {
		{{7}, 1, "7"},
		{{0, 1, 2, 3}, 4, "0-3"},
		{{0, 1}, 2, "0,1"},
		{{3, 5, 8, 9, 10}, 5, "3,5,8-10"},
		{{0, 2, 4, 6, 8, 10}, 6, "0,2,4,6,..."},
		{{0, 2, 4, 6}, 4, "0,2,4,6"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct str text = {0};

		array_add_numbers(cases[i].number, cases[i].count, &text);
		assert_string_equal(str_text(&text), cases[i].text);
		str_free(&text);
	}
}

static void number_of_ranges_is_limited(void **state)
{
	struct array_range range[ARRAY_RANGES_MAX + 1];
	struct err err;

	(void)state;
	for (int i = 0; i <= ARRAY_RANGES_MAX; i++)
		range[i] = (struct array_range){2 * i, 2 * i, 1};
	assert_true(array_check(range, ARRAY_RANGES_MAX, &err));
	assert_false(array_check(range, ARRAY_RANGES_MAX + 1, &err));
	assert_string_equal(err.text,
			    "the array has more than 64 ranges of task numbers; write a step, as in 0-98:2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(task_numbers_keep_their_order),
		cmocka_unit_test(invalid_task_list_is_rejected),
		cmocka_unit_test(invalid_array_is_rejected_with_a_message),
		cmocka_unit_test(arbitrary_ranges_can_be_counted),
		cmocka_unit_test(reference_selects_tasks_of_one_array),
		cmocka_unit_test(other_words_are_not_references),
		cmocka_unit_test(numbers_are_printed_as_ranges),
		cmocka_unit_test(number_of_ranges_is_limited),
	};

	return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
