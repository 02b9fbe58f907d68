/* SPDX-License-Identifier: MIT */
/*
 * test_advance.c - text form of advance reservations
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/model/advance.h"

static void expect_error(const char *text, const char *sentence)
{
	struct advance_text a;
	struct err err;

	assert_false(advance_read(text, &a, &err));
	assert_string_equal(err.text, sentence);
}

static void expect_round_trip(const char *text)
{
	struct advance_text a;
	struct str written = {0};
	struct err err;

	if (!advance_read(text, &a, &err))
		fail_msg("%s: %s", text, err.text);
	advance_write(&a, &written);
	assert_string_equal(str_text(&written), text);
	str_free(&written);
	advance_text_free(&a);
}

static void text_is_parsed_word_by_word(void **state)
{
	struct advance_text a;
	struct str described = {0};
	struct err err;

	(void)state;
	assert_true(advance_read(
		"  start=100  end=200 personal node=n1 node=a*b*3 user=eva job=12 reason=x = y ", &a, &err));
	assert_int_equal(a.begin_s, 100);
	assert_int_equal(a.end_s, 200);
	assert_true(a.personal);
	assert_int_equal(a.place_count, 2);
	assert_string_equal(a.place[0].node, "n1");
	assert_int_equal(a.place[0].procs, 0);
	assert_string_equal(a.place[1].node, "a*b");
	assert_int_equal(a.place[1].procs, 3);
	assert_int_equal(a.guest_count, 2);
	assert_int_equal(a.guest[0].type, CRED_USER);
	assert_string_equal(a.guest[0].name, "eva");
	assert_int_equal(a.guest[1].job, 12);
	assert_string_equal(a.reason, "x = y ");
	advance_say_places(&a, &described);
	str_add(&described, " for ");
	advance_say_guests(&a, &described);
	assert_string_equal(str_text(&described), "n1 a*b*3 for user eva, job 12");
	str_free(&described);
	advance_text_free(&a);
}

static void text_round_trips(void **state)
{
	(void)state;
	expect_round_trip("start=0 nodes=ALL");
	expect_round_trip("start=0 node=n1*1");
	expect_round_trip(
		"start=1 end=2 personal node=n1 node=n2*4 user=a group=b account=c class=d qos=e job=7");
	expect_round_trip("start=253402300799 node=n1*4294967295 job=9223372036854775807");
	expect_round_trip("start=1 nodes=ALL reason=the disks are old; job=8 is no guest");
}

static void parse_error_names_the_word(void **state)
{
	(void)state;
	expect_error("", "the text of the reservation is empty");
	expect_error(NULL, "the text of the reservation is empty");
	expect_error("start=1",
		     "the reservation must name its nodes (node=NAME) or reserve all nodes (nodes=ALL)");
	expect_error("start=1 nodes=ALL node=n1",
		     "the reservation must name its nodes (node=NAME) or reserve all nodes (nodes=ALL)");
	expect_error(
		"start=1 nodes=some",
		"nodes= in a reservation can only be ALL, got 'some'; write node=NAME for a single node");
	expect_error("nodes=ALL", "the reservation has no start time");
	expect_error("start=5 end=5 nodes=ALL", "the reservation ends before it starts");
	expect_error("start=x nodes=ALL", "a reservation time must be in seconds since 1970, got 'x'");
	expect_error("start=-1 nodes=ALL", "a reservation time must be in seconds since 1970, got '-1'");
	expect_error("start=1 end=253402300800 nodes=ALL",
		     "a reservation time must be in seconds since 1970, got '253402300800'");
	expect_error("start=1 node=n1*4294967296",
		     "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*4294967296'");
	expect_error("start=1 nodes=ALL job=x", "'x' in a reservation is not a job ID");
	expect_error("start=1 nodes=ALL reason=a\x7f",
		     "the text of a reservation contains control characters");
	expect_error("start=1 node=n1*0",
		     "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*0'");
	expect_error("start=1 node=n1*",
		     "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*'");
	expect_error("start=1 node=*2", "the reservation contains a node without a name");
	expect_error("start=1 nodes=ALL user=", "the reservation contains a user without a name");
	expect_error("start=1 nodes=ALL job=0", "'0' in a reservation is not a job ID");
	expect_error("start=1 nodes=ALL colour=red", "unknown key 'colour' in a reservation: 'colour=red'");
	expect_error("start=1 nodes=ALL hello", "'hello' in a reservation is not KEY=VALUE");
	expect_error("start=1 nodes=ALL reason=\033[2J",
		     "the text of a reservation contains control characters");
}

static void overlong_text_is_rejected(void **state)
{
	size_t size = 1000002;
	char *text = test_malloc(size + 1);

	(void)state;
	memset(text, ' ', size);
	memcpy(text, "start=1 nodes=ALL", 17);
	text[size] = '\0';
	expect_error(text, "the text of the reservation is longer than a megabyte");
	test_free(text);
}

static void reservation_name_is_a_single_word(void **state)
{
	char name[ADVANCE_NAME + 1];
	struct err err;

	(void)state;
	assert_true(advance_check_name("eva.1_A-z", &err));
	assert_false(advance_check_name("", &err));
	assert_false(advance_check_name(NULL, &err));
	assert_false(advance_check_name("two words", &err));
	assert_string_equal(err.text,
			    "the name of a reservation may contain only letters, digits, '.', '_' and '-'");
	memset(name, 'x', sizeof name);
	name[ADVANCE_NAME - 1] = '\0';
	assert_true(advance_check_name(name, &err));
	name[ADVANCE_NAME - 1] = 'x';
	name[ADVANCE_NAME] = '\0';
	assert_false(advance_check_name(name, &err));
	assert_string_equal(err.text, "the name of a reservation can have at most 63 bytes, this one has 64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_parsed_word_by_word),
		cmocka_unit_test(text_round_trips),
		cmocka_unit_test(parse_error_names_the_word),
		cmocka_unit_test(overlong_text_is_rejected),
		cmocka_unit_test(reservation_name_is_a_single_word),
	};

	return cmocka_run_group_tests_name("advance", tests, NULL, NULL);
}
