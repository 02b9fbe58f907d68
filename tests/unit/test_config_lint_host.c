/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_host.c - lint rules for programs and users of the host
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/lint/config_lint.h"

#define ROOM 8

/* A host with the users amy and root, /bin/true, and /etc/passwd, which is not executable. */
static enum host_state small_host(void *self, enum host_thing thing, const char *name, struct err *reason)
{
	unsigned *asked = self;

	++*asked;
	if (thing == HOST_CONFIG || strncmp(name, "/theirs/", 8) == 0) {
		err_set(reason, "%s belongs to user 7", name);
		return thing == HOST_PROGRAM || strcmp(name, "theirs") == 0 ? HOST_UNTRUSTED : HOST_GOOD;
	}
	if (thing == HOST_USER)
		return strcmp(name, "amy") == 0 || strcmp(name, "root") == 0 ? HOST_GOOD : HOST_MISSING;
	if (strcmp(name, "/etc/passwd") == 0)
		return HOST_UNUSABLE;
	return strcmp(name, "/bin/true") == 0 ? HOST_GOOD : HOST_MISSING;
}

static size_t lint(const char *text, struct config_finding out[static ROOM])
{
	unsigned asked = 0;

	return config_lint_host("f", text, strlen(text), small_host, &asked, out, ROOM);
}

static void expect_finding(const char *text, const char *id, int line, const char *words, const char *fix)
{
	struct config_finding found[ROOM];

	assert_int_equal(lint(text, found), 1);
	assert_string_equal(found[0].id, id);
	assert_int_equal(found[0].line, line);
	assert_string_equal(found[0].fix, fix);
	if (strstr(found[0].text, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", found[0].text, words);
}

static void H1_a_prolog_that_cannot_be_run(void **state)
{
	(void)state;
	expect_finding("queuetimeweight = 1\nprolog = \"/opt/gone\"\n", "H1", 2,
		       "prolog = /opt/gone does not exist, so no job starts", "prolog=");
	expect_finding("prolog = \"/etc/passwd\"\n", "H1", 1, "is not an executable program", "prolog=");
}

static void H1_H2_programs_that_others_can_change(void **state)
{
	(void)state;
	expect_finding("prolog = \"/theirs/prolog\"\n", "H1", 1,
		       "/theirs/prolog belongs to user 7, so no job starts", "prolog=");
	expect_finding("localnodeallocation = \"/theirs/nodes\"\n", "H2", 1,
		       "/theirs/nodes belongs to user 7, so nodes are allocated as with minresource",
		       "localnodeallocation=");
}

/* One finding, at the first program; none without programs. */
static void H5_a_configuration_that_another_user_can_change(void **state)
{
	static const char text[] = "admin1 = \"root\"\nprolog = \"/bin/true\"\nepilog = \"/bin/true\"\n";
	static const char none[] = "admin1 = \"root\"\nprolog = \"\"\n";
	struct config_finding found[ROOM];
	unsigned asked = 0;

	(void)state;
	assert_int_equal(config_lint_host("theirs", text, strlen(text), small_host, &asked, found, ROOM), 1);
	assert_string_equal(found[0].id, "H5");
	assert_int_equal(found[0].line, 2);
	assert_int_equal(found[0].severity, SEVERITY_ERROR);
	assert_non_null(strstr(found[0].text,
			       "the programs in this file are not run, because theirs belongs to user 7"));
	assert_int_equal(config_lint_host("theirs", none, strlen(none), small_host, &asked, found, ROOM), 0);
}

static void H2_other_programs(void **state)
{
	(void)state;
	expect_finding("epilog = \"/opt/gone\"\n", "H2", 1, "nothing cleans up after jobs", "epilog=");
	expect_finding("notifyprogram = \"/opt/gone\"\n", "H2", 1, "no notifications are sent",
		       "notifyprogram=");
	expect_finding("mailprogram = \"/etc/passwd\"\n", "H2", 1, "no mail is sent", "mailprogram=");
	expect_finding("localnodeallocation = \"/opt/gone\"\n", "H2", 1, "as with minresource",
		       "localnodeallocation=");
}

static void H3_administrator_without_an_account(void **state)
{
	(void)state;
	expect_finding("admin1 = \"root kim amy\"\n", "H3", 1, "without an account on this host: kim;",
		       "admin1=root amy");
	expect_finding("admin3 = \"kim lee\"\n", "H3", 1, "kim lee", "admin3=");
}

static void H4_users_without_an_account_are_one_finding(void **state)
{
	struct config_finding found[ROOM];

	(void)state;
	expect_finding("user amy { priority = 5 }\nuser kim { priority = 5  maxjob = 2 }\n", "H4", 2,
		       "user kim has no account on this host, and therefore no jobs", "");
	assert_int_equal(
		lint("user kim { priority = 5 }\nuser lee { maxjob = 2 }\nuser sam { maxjob = 2 }\n", found),
		1);
	assert_non_null(strstr(found[0].text, "user kim and 2 others"));
	assert_int_equal(found[0].count, 3);
	assert_int_equal(found[0].line, 1);
}

static void existing_programs_and_users_have_no_findings(void **state)
{
	struct config_finding found[ROOM];

	(void)state;
	assert_int_equal(lint("prolog = \"/bin/true\"\nepilog = \"\"\nadmin1 = \"root amy\"\n"
			      "user amy { priority = 5 }\nuser DEFAULT { maxjob = 4 }\nuser kim {}\n"
			      "group strangers { priority = 5 }\nmetricsfile = \"/opt/gone\"\n",
			      found),
			 0);
}

static void invalid_text_does_not_query_the_host(void **state)
{
	static const char text[] = "prolog = \"/opt/gone\"\nbogus = 1\n";
	unsigned asked = 0;

	(void)state;
	assert_int_equal(config_lint_host("f", text, strlen(text), small_host, &asked, NULL, 0), 0);
	assert_int_equal(asked, 0);
}

static void findings_do_not_exceed_the_buffer(void **state)
{
	static const char text[] =
		"prolog = \"/opt/gone\"\nepilog = \"/opt/gone\"\nuser kim { priority = 5 }\n";
	struct config_finding one;
	unsigned asked = 0;

	(void)state;
	assert_int_equal(config_lint_host("f", text, strlen(text), small_host, &asked, &one, 1), 3);
	assert_string_equal(one.id, "H1");
}

static void fix_can_be_resolved(void **state)
{
	struct config_value value;
	char title[CONFIG_TITLE];
	struct err err;

	(void)state;
	assert_true(config_resolve("prolog", "", &value, title, sizeof title, &err));
	assert_true(config_resolve("localnodeallocation", "", &value, title, sizeof title, &err));
	assert_true(config_resolve("admin1", "", &value, title, sizeof title, &err));
	assert_true(config_resolve("admin1", "root amy", &value, title, sizeof title, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(H1_a_prolog_that_cannot_be_run),
		cmocka_unit_test(H1_H2_programs_that_others_can_change),
		cmocka_unit_test(H5_a_configuration_that_another_user_can_change),
		cmocka_unit_test(H2_other_programs),
		cmocka_unit_test(H3_administrator_without_an_account),
		cmocka_unit_test(H4_users_without_an_account_are_one_finding),
		cmocka_unit_test(existing_programs_and_users_have_no_findings),
		cmocka_unit_test(invalid_text_does_not_query_the_host),
		cmocka_unit_test(findings_do_not_exceed_the_buffer),
		cmocka_unit_test(fix_can_be_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
