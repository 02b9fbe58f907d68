/* SPDX-License-Identifier: MIT */
/*
 * test_mail.c - can anybody say more in a letter's head, or to the program that sends it, than he may?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/rm/mail.h"

static bool is_taken(const char *list)
{
	struct err err = {{0}};
	bool taken = mail_check_addresses(list, &err);

	assert_true(taken == (err.text[0] == '\0'));
	return taken;
}

static void addresses_are_taken_as_people_write_them(void **state)
{
	static const char *const good[] = {
		"eva",   "eva@example.org", "eva.b+x@example.org,ops", "_ops", "0", "e=va@host-1.example.org",
		"a/b@x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!is_taken(good[i]))
			fail_msg("%s was refused", good[i]);
}

static void what_is_an_option_a_program_or_a_line_is_no_address(void **state)
{
	static const char *const bad[] = {
		"",        "-f",      "-bd,eva",   "eva,-f",      "eva,,ops",   ",eva",      "eva,",
		"|rm",     "/etc/x",  ":include:", "eva ops",     "eva\nBcc:x", "eva\rx",    "eva\tx",
		"e\x7fva", "\"e\"@x", "<eva>",     "eva@",        "a@b@c",      "a@b,c@d@e", "j\xc3\xbcrgen",
		"@x",      "eva;ops", "eva(x)",    "eva\x1b[31m", "eva:x",      "a\\b",      "eva@x@",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (is_taken(bad[i]))
			fail_msg("%s was taken", bad[i]);
}

static void there_are_not_too_many_and_none_is_too_long(void **state)
{
	struct str list = {0};

	(void)state;
	for (int i = 1; i < MAIL_ADDRESS_MAX; i++)
		str_add_char(&list, 'a');
	str_add_char(&list, 'a');
	assert_true(is_taken(str_text(&list)));
	str_add_char(&list, 'a');
	assert_false(is_taken(str_text(&list)));
	str_clear(&list);
	for (int i = 0; i < MAIL_ADDRESSES_MAX; i++)
		str_add(&list, i == 0 ? "a" : ",a");
	assert_true(is_taken(str_text(&list)));
	str_add(&list, ",a");
	assert_false(is_taken(str_text(&list)));
	str_free(&list);
}

static void a_head_has_a_line_for_each_thing_whatever_they_are(void **state)
{
	struct mail mail = {.from = "eva\nX: y",
			    .to = "ops",
			    .subject = "job \r\nBcc: all\x1b[2J j\xc3\xbc~\x7f",
			    .text = "Done.\n"};
	struct str out = {0};

	(void)state;
	mail_write(&mail, &out);
	assert_string_equal(str_text(&out), "From: eva?X: y\nTo: ops\nSubject: job ??Bcc: all?[2J j??~?\n"
					    "Auto-Submitted: auto-generated\nMIME-Version: 1.0\n"
					    "Content-Type: text/plain; charset=utf-8\n"
					    "Content-Transfer-Encoding: 8bit\n\nDone.\n");
	str_free(&out);
}

static void a_line_stays_one(void **state)
{
	struct str out = {0};

	(void)state;
	mail_add_line(&out, "a\nb\tc\x7f j\xc3\xbc");
	assert_string_equal(str_text(&out), "a?b?c? j\xc3\xbc");
	str_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_taken_as_people_write_them),
		cmocka_unit_test(what_is_an_option_a_program_or_a_line_is_no_address),
		cmocka_unit_test(there_are_not_too_many_and_none_is_too_long),
		cmocka_unit_test(a_head_has_a_line_for_each_thing_whatever_they_are),
		cmocka_unit_test(a_line_stays_one),
	};

	return cmocka_run_group_tests_name("mail", tests, NULL, NULL);
}
