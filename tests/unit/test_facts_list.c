/* SPDX-License-Identifier: MIT */
/*
 * test_facts_list.c - which processors are meant by "0-3,8"?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/rm/facts_inside.h"

static void must_read(const char *text, size_t expected)
{
	uint16_t id[64];
	size_t count = 99;
	struct str again = {0};
	struct err err = {""};

	if (!facts_read_cpus(text, id, 64, &count, &err))
		fail_msg("%s", err.text);
	assert_int_equal(count, expected);
	facts_list_cpus(id, count, &again);
	assert_string_equal(str_text(&again), text);
	str_free(&again);
}

static void must_refuse(const char *text, const char *words)
{
	uint16_t id[4];
	size_t count;
	struct err err = {""};

	assert_false(facts_read_cpus(text, id, 4, &count, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
}

static void a_list_is_read_and_written_again(void **state)
{
	(void)state;
	must_read("", 0);
	must_read("0", 1);
	must_read("0-3,8", 5);
	must_read("1,3,5-6", 4);
	must_read("65534-65535", 2);
}

static void what_is_no_list_is_refused_with_a_sentence(void **state)
{
	static const char *const bad[] = {
		",",   "1,",    ",1", "3-1",     "1-",  "-1",    "1,1",
		"2,1", "0-3,3", "a",  "0-3:1/2", "1 2", "65536", "99999999999999999999",
		"0-",  "1--2",  "+1"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct cpu_set set;

		must_refuse(bad[i], "is not a list of processors");
		assert_false(cpu_set_read(bad[i], &set));
	}
}

static void no_more_are_taken_than_there_is_room_for(void **state)
{
	uint16_t id[4];
	size_t count;

	(void)state;
	must_refuse("0-4", "more than 4");
	must_refuse("0-3,5", "more than 4");
	must_refuse("0-65535", "more than 4");
	assert_true(facts_read_cpus("0-3", id, 4, &count, NULL));
	assert_true(facts_read_cpus("", id, 0, &count, NULL));
	assert_false(facts_read_cpus("0", id, 0, &count, NULL));
}

static void a_list_is_added_behind_what_is_there(void **state)
{
	static const uint16_t id[] = {0, 1, 2, 7};
	struct str list = {0};

	(void)state;
	str_add(&list, "on ");
	facts_list_cpus(id, 4, &list);
	assert_string_equal(str_text(&list), "on 0-2,7");
	str_free(&list);
}

static void a_set_leaves_out_what_it_has_no_room_for(void **state)
{
	struct cpu_set set;
	size_t count = 0;

	(void)state;
	assert_true(cpu_set_read("1,1020-1099,2000", &set));
	for (size_t i = 0; i < FACTS_CPUS_MAX; i++)
		count += set.has[i];
	assert_int_equal(count, 5);
	assert_false(cpu_set_read("1,x", &set));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_read_and_written_again),
		cmocka_unit_test(what_is_no_list_is_refused_with_a_sentence),
		cmocka_unit_test(no_more_are_taken_than_there_is_room_for),
		cmocka_unit_test(a_list_is_added_behind_what_is_there),
		cmocka_unit_test(a_set_leaves_out_what_it_has_no_room_for),
	};
	return cmocka_run_group_tests_name("facts_list", tests, NULL, NULL);
}
