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

static void must_refuse(const char *text, const char *sentence)
{
	struct advance_text a;
	struct err err;

	assert_false(advance_read(text, &a, &err));
	assert_string_equal(err.text, sentence);
}

static void must_come_back(const char *text)
{
	struct advance_text a;
	struct str again = {0};
	struct err err;

	if (!advance_read(text, &a, &err))
		fail_msg("%s: %s", text, err.text);
	advance_write(&a, &again);
	assert_string_equal(str_text(&again), text);
	str_free(&again);
	advance_text_free(&a);
}

static void text_is_parsed_word_by_word(void **state)
{
	struct advance_text a;
	struct str said = {0};
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
	advance_say_places(&a, &said);
	str_add(&said, " for ");
	advance_say_guests(&a, &said);
	assert_string_equal(str_text(&said), "n1 a*b*3 for user eva, job 12");
	str_free(&said);
	advance_text_free(&a);
}

static void text_round_trips(void **state)
{
	(void)state;
	must_come_back("start=0 nodes=ALL");
	must_come_back("start=0 node=n1*1");
	must_come_back(
		"start=1 end=2 personal node=n1 node=n2*4 user=a group=b account=c class=d qos=e job=7");
	must_come_back("start=253402300799 node=n1*4294967295 job=9223372036854775807");
	must_come_back("start=1 nodes=ALL reason=the disks are old; job=8 is no guest");
}

static void parse_error_names_the_word(void **state)
{
	(void)state;
	must_refuse("", "the text of the reservation is empty");
	must_refuse(NULL, "the text of the reservation is empty");
	must_refuse("start=1", "a reservation must name its nodes, or else reserve all nodes");
	must_refuse("start=1 nodes=ALL node=n1",
		    "a reservation must name its nodes, or else reserve all nodes");
	must_refuse("start=1 nodes=some", "the nodes of a reservation must be nodes=ALL, got 'some'");
	must_refuse("nodes=ALL", "a reservation has no start time");
	must_refuse("start=5 end=5 nodes=ALL", "a reservation ends before it starts");
	must_refuse("start=x nodes=ALL", "a reservation time must be in seconds since 1970, got 'x'");
	must_refuse("start=-1 nodes=ALL", "a reservation time must be in seconds since 1970, got '-1'");
	must_refuse("start=1 end=253402300800 nodes=ALL",
		    "a reservation time must be in seconds since 1970, got '253402300800'");
	must_refuse("start=1 node=n1*4294967296",
		    "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*4294967296'");
	must_refuse("start=1 nodes=ALL job=x", "'x' in a reservation is not a job ID");
	must_refuse("start=1 nodes=ALL reason=a\x7f",
		    "the text of a reservation contains control characters");
	must_refuse("start=1 node=n1*0",
		    "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*0'");
	must_refuse("start=1 node=n1*", "a node of a reservation must be NODE or NODE*PROCESSORS, got 'n1*'");
	must_refuse("start=1 node=*2", "a node of a reservation has no name");
	must_refuse("start=1 nodes=ALL user=", "a user of a reservation has no name");
	must_refuse("start=1 nodes=ALL job=0", "'0' in a reservation is not a job ID");
	must_refuse("start=1 nodes=ALL colour=red", "unknown key 'colour' in a reservation: 'colour=red'");
	must_refuse("start=1 nodes=ALL hello", "'hello' in a reservation is not KEY=VALUE");
	must_refuse("start=1 nodes=ALL reason=\033[2J",
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
	must_refuse(text, "the text of the reservation is longer than a megabyte");
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
	assert_string_equal(err.text, "the name of a reservation has at most 63 bytes, this one 64");
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
