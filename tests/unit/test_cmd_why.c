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
		    "900991 does not start now.\n"
		    "Job 900991 would bring 28800 processor-seconds to the 69896 in use of user user1: 98696 "
		    "is over "
		    "the soft limit MAXPS of 72000 by 26696; it clears by itself at 03:42:28, in 3:42:28.\n");
	check_lines(
		sc, "why 900991",
		"11 hard limits 69896 + 28800 = 98696 MAXPS 1080000 ok user user1\n"
		"12 soft limits 69896 + 28800 = 98696 MAXPS 72000 FAIL 98696 > 72000 03:42:28 user user1\n");
	check_lines(sc, "why 900991",
		    "Passes all checks with soft limits no, with hard limits alone yes, without limits yes.\n"
		    "Clears by itself: Thu Jan 1 03:42:28 (in 3:42:28)\n");
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
	check_lines(sc, "why 900991", "900991 starts in the next pass.\n");
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
	check_lines(sc, "why big",
		    "Job big would bring user amy to 60 processor-seconds, and the fairshare cap is 50.\n");
	check_lines(sc, "why big", "13 fairshare cap 60 proc-s 50 proc-s FAIL user amy\n");
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
		cmocka_unit_test(moments_are_in_the_rows),
	};

	return cmocka_run_group_tests_name("cmd_why", tests, NULL, NULL);
}
