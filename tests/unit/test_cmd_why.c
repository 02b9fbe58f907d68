/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_why.c - does every check say what was found, of whom, against what and until when?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* The page's case: 2 processors with 9:42:28 left, 8 for an hour on top. */
static struct scene *page(const char *more)
{
	struct scene *sc = scene_new(2, 8);
	struct str config = {0};

	str_addf(&config, "user DEFAULT { maxps = {\"72000,1080000\"} }\n%s", more);
	scene_config(sc, str_text(&config));
	str_free(&config);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 34948, .user = "user1", .label = "899744"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 8, .wall_s = 3600, .user = "user1", .label = "900991"});
	return sc;
}

/* H-14: it clears by itself after 3:42:28. A job within its limits waits, so nobody over his has a turn. */
static void a_limit_has_whom_what_and_until_when(void **state)
{
	struct scene *sc = page("hardpass = \"idleonly\"\n");

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 16, .wall_s = 60, .user = "sam"});
	check_lines(sc, "why 900991",
		    "Job 900991 does not start now: it would bring 28800 processor-seconds to the 69896 in "
		    "use of user user1: 98696 "
		    "is over "
		    "the soft limit MAXPS of 72000 by 26696; it clears by itself at 03:42:28, in 3:42:28.\n"
		    "Estimated start: Thu Jan 1 03:42:28 (in 3:42:28).\n");
	check_lines(
		sc, "why 900991",
		"CHECK VALUE LIMIT RESULT UNTIL OF\n"
		"12 soft limits 69896 + 28800 = 98696 MAXPS 72000 FAIL 98696 > 72000 03:42:28 user user1\n");
	check_lines(
		sc, "why 900991 -v",
		"11 hard limits 69896 + 28800 = 98696 MAXPS 1080000 ok user user1\n"
		"12 soft limits 69896 + 28800 = 98696 MAXPS 72000 FAIL 98696 > 72000 03:42:28 user user1\n");
	check_lines(
		sc, "why 900991 -v",
		"Passes all checks with soft limits no, with hard limits alone yes, without limits yes.\n");
	check_json(sc, "why 900991",
		   "{\"job\":\"900991\",\"verdict\":\"not-now\",\"checks\":[{\"check\":\"hold\"");
	check_json(
		sc, "why 900991",
		"{\"check\":\"soft limits\",\"value\":\"69896 + 28800 = 98696\",\"limit\":\"MAXPS 72000\","
		"\"ok\":false,\"of\":\"user user1\",\"name\":\"MAXPS\",\"level\":\"soft\",\"in_use\":69896,"
		"\"asked\":28800,\"allowed\":72000,\"until\":13348}");
	check_json(sc, "why 900991", "\"clears_at\":13348");
	check_json(sc, "why 900991",
		   "\"passes\":{\"soft\":false,\"hard\":true,\"off\":true,\"future\":true}");
	scene_free(sc);
}

static void with_a_looser_limit_it_starts(void **state)
{
	struct scene *sc = page("user user1 { maxps = {\"98696,1080000\"} }\n");

	(void)state;
	check_lines(sc, "why 900991", "Job 900991 starts at the next pass.\n");
	check_json(sc, "why 900991", "\"verdict\":\"starts-now\"");
	scene_free(sc);
}

static void a_cap_says_whose_share_it_is(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser amy { fstarget = \"50^\" }\n");
	scene_add(sc, (struct scene_job){.user = "zed", .wall_s = 1000});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "amy", .wall_s = 60, .label = "big"});
	check_lines(
		sc, "why big",
		"Job big never starts: when nothing happens any more, it still would bring user amy to 60 "
		"processor-seconds, and the fairshare cap is 50.\n"
		"Estimated start: never.\n");
	check_lines(sc, "why big", "13 fairshare cap 60 proc-s 50 proc-s FAIL user amy\n");
	scene_free(sc);
}

/* A job that a soft limit blocks is eligible all the same, and counts: the list of idle jobs shows none. */
static void an_idle_limit_names_the_jobs_that_it_counts(void **state)
{
	struct scene *sc = scene_new(4, 1);

	(void)state;
	scene_config(sc, "user eva { maxijob = {\"1\"} maxjob = {\"1,4\"} }\nhardpass = \"idleonly\"\n");
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 900});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4, .label = "first"});
	scene_add(sc, (struct scene_job){.user = "eva", .label = "second"});
	check_lines(sc, "why second",
		    "Job second does not start now: it would bring 1 job to the 1 counted for user eva: 2 is "
		    "over "
		    "the hard limit MAXIJOB of 1 by 1.\n");
	check_lines(sc, "why second", "Counted against MAXIJOB: first (MAXJOB 2>1).\n");
	check_json(sc, "why second", "\"counted\":[\"first\"]");
	scene_free(sc);
}

/* Such a limit has no soft value that would count: one number is suggested. */
static void a_suggested_idle_limit_has_one_value(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user eva { maxijob = {\"1\"} }\n");
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 2, .wall_s = 900});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4, .wall_s = 100, .label = "first"});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100, .label = "second"});
	check_lines(sc, "why second", "Counted against MAXIJOB: first.\n");
	check_json(sc, "why second", "\"counted\":[\"first\"]");
	check_json(sc, "why second", "\"change\":\"tune user[eva].maxijob 2\"");
	scene_free(sc);
}

static void moments_are_in_the_rows(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.not_before_s = 7200, .label = "later"});
	check_lines(sc, "why later", "4 start date 1970-01-01T02:00:00 - FAIL 02:00:00\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_has_whom_what_and_until_when),
		cmocka_unit_test(with_a_looser_limit_it_starts),
		cmocka_unit_test(a_cap_says_whose_share_it_is),
		cmocka_unit_test(an_idle_limit_names_the_jobs_that_it_counts),
		cmocka_unit_test(a_suggested_idle_limit_has_one_value),
		cmocka_unit_test(moments_are_in_the_rows),
	};

	return cmocka_run_group_tests_name("cmd_why", tests, NULL, NULL);
}
