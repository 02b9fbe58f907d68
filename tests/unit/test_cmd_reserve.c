/* SPDX-License-Identifier: MIT */
/* test_cmd_reserve.c - unit tests of host lists and of the verbs reserve and unreserve */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/said.h"
#include "tests/scene.h"
#include "tui/command/hostlist.h"

/* --- host lists ----------------------------------------------------------------------------------- */

static void check(const char *pattern, const char *name, bool matches)
{
	if (hostlist_match(pattern, name) != matches)
		fail_msg("%s %s %s", pattern, matches ? "does not name" : "names", name);
}

static void ranges_are_numeric_and_leading_zeros_matter(void **state)
{
	(void)state;
	check("n[01-04]", "n03", true);
	check("n[01-04]", "n3", false);
	check("n[01-04]", "n05", false);
	check("n[1-12]", "n12", true);
	check("n[1-12]", "n03", false);
	check("n[1-12]", "n0", false);
	check("n[0-2]", "n0", true);
	check("n[01-04,07]", "n07", true);
	check("n[01-04,07]", "n06", false);
	check("rack[1-2]-n[08-11]x", "rack2-n10x", true);
	check("rack[1-2]-n[08-11]x", "rack2-n12x", false);
	check("n[98-102]", "n100", true);
}

static void star_and_question_mark_are_wildcards(void **state)
{
	(void)state;
	check("*", "n1", true);
	check("n*", "N12", true);
	check("*[1-3]", "node12", true); /* as in a shell */
	check("*[1-3]", "node2", true);
	check("a*b*c", "aXbbYc", true);
	check("a*b*c", "aXc", false);
	check("n?", "n1", true);
	check("n?", "n12", false);
	check("n1", "n12", false);
	check("", "n1", false);
}

static void an_invalid_pattern_matches_nothing(void **state)
{
	static const char *const words[] = {"n[", "n[]", "n[a-b]",          "n[1-", "n[-]", "n[1-2",
					    "[",  "]",   "n[99999999999-1]"};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		check(words[i], "n3", false);
		check(words[i], "", false);
	}
}

static void patterns_are_separated_by_commas(void **state)
{
	struct scene *sc = scene_new(9, 1);
	bool marked[9] = {false};
	struct err err;

	(void)state;
	assert_true(hostlist_mark(scene_view(sc), "n001,n[003-004,009],n00?", marked, &err));
	for (int i = 0; i < 9; i++)
		assert_true(marked[i]);
	memset(marked, 0, sizeof marked);
	assert_true(hostlist_mark(scene_view(sc), "n[002-003]", marked, &err));
	assert_true(!marked[0] && marked[1] && marked[2] && !marked[3]);
	assert_false(hostlist_mark(scene_view(sc), "n001,x9", marked, &err));
	assert_string_equal(err.text, "there is no node 'x9'; 'kahu node' lists them");
	assert_false(hostlist_mark(scene_view(sc), "n001,", marked, &err));
	scene_free(sc);
}

/* --- reserve -------------------------------------------------------------------------------------- */

static void nodes_are_reserved_for_the_named_guests(void **state)
{
	struct scene *sc = scene_new(4, 2);

	(void)state;
	said_done(sc, "setres -u eva,bob -g staff -s +1:00:00 -d 30:00 -m 'a course' n[002-003]");
	check_lines(sc, "showres",
		    "RESERVATION TYPE S START END DURATION N/P STARTTIME\n"
		    "eva.1 User I 1:00:00 1:30:00 0:30:00 2/4 Thu Jan 1 01:00:00\n"
		    "1 reservation located\n");
	check_json(sc, "reservations",
		   "{\"name\":\"eva.1\",\"type\":\"user\",\"state\":\"Later\",\"start\":3600,\"end\":5400,"
		   "\"procs\":4,\"nodes\":2,\"owner\":\"ops\",\"personal\":false,\"why\":\"a course\","
		   "\"guests\":[{\"type\":\"user\",\"name\":\"eva\"},{\"type\":\"user\",\"name\":\"bob\"},"
		   "{\"type\":\"group\",\"name\":\"staff\"}]}");
	check_lines(sc, "reservations -n",
		    "NODE RESERVATION TYPE S PROCS START DURATION STARTTIME\n"
		    "n002 eva.1 User I 2 1:00:00 0:30:00 Thu Jan 1 01:00:00\n"
		    "n003 eva.1 User I 2 1:00:00 0:30:00 Thu Jan 1 01:00:00\n"
		    "2 allocations on nodes\n");
	said_done(sc, "releaseres eva.1");
	check_lines(sc, "showres", "0 reservations located\n");
	scene_free(sc);
}

static void a_reservation_without_guests_is_a_system_reservation(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	said_done(sc, "reserve ALL");
	said_done(sc, "reserve -s +60 n001");
	check_lines(sc, "showres",
		    "SYSTEM.1 User R 0:00:00 - - 2/4 Thu Jan 1 00:00:00\n"
		    "SYSTEM.2 User I 0:01:00 - - 1/2 Thu Jan 1 00:01:00\n");
	scene_free(sc);
}

/* On three nodes of 4 processors, jobs use 4 of the first and 2 of the second. */
static void tasks_are_reserved_on_free_processors(void **state)
{
	struct scene *sc = scene_new(3, 4);

	(void)state;
	scene_start(sc, scene_submit(sc, 4, 100), 0, 1, 4);
	scene_start(sc, scene_submit(sc, 2, 100), 1, 1, 2);
	said_done(sc, "reserve -n fits -u eva -d 50 TASKS==2");
	said_done(sc, "reserve -n rest -u eva -d 50 TASKS==4");
	check_lines(sc, "reservations -n", "n002 fits User R 2 0:00:00 0:00:50 Thu Jan 1 00:00:00\n");
	check_lines(sc, "reservations -n", "n003 rest User R 4 0:00:00 0:00:50 Thu Jan 1 00:00:00\n");
	check_refused(sc, "reserve -d 50 TASKS==1", CMD_REFUSED,
		      "processors requested: 1, free throughout that time: 0; to reserve processors as jobs "
		      "release "
		      "them, name nodes");
	/* Later all jobs have ended. */
	said_done(sc, "reserve -n all -s +100 -d 50 TASKS==12");
	check_lines(sc, "showres", "all User I 0:01:40 0:02:30 0:00:50 3/12 Thu Jan 1 00:01:40\n");
	scene_free(sc);
}

/* The last sufficient node is chosen, unless a job has a reservation there. */
static void a_personal_reservation_avoids_nodes_of_planned_starts(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_config(sc, "userreservations = 2\n");
	scene_submit(sc, 8, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 4, .hosts = "n002"});
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	said_done(sc, "reserve -p -n own -u ops -s +100 -d 50 TASKS==4");
	check_lines(sc, "reservations -n", "n001 own User I 4 0:01:40 0:00:50 Thu Jan 1 00:01:40\n");
	scene_free(sc);
}

static void jobs_that_may_overlap_a_reservation_are_reported(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_start(sc, scene_submit(sc, 3, 100), 0, 1, 3);
	check_lines(sc, "reserve -s +50 n001",
		    "job 1 may use 3 processors of the reservation until Thu Jan 1 00:01:40; the reservation "
		    "does not stop it\n");
	check_lines(sc, "reserve -s +100 ALL", "");
	scene_free(sc);
}

static void a_job_can_be_a_guest(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "mine", .procs = 4});
	scene_add(sc, (struct scene_job){.label = "other", .procs = 4});
	said_done(sc, "reserve -j mine ALL");
	check_json(sc, "reservations", "\"name\":\"job1.1\"");
	check_json(sc, "reservations", "\"guests\":[{\"type\":\"job\",\"job\":\"mine\"}]");
	check_json(sc, "why mine", "\"verdict\":\"starts-now\"");
	check_lines(sc, "why other",
		    "Job other never starts: once no more events are due, it still needs 4 processors and "
		    "can use 0: the others are reserved for job1.1 until it is released.\n");
	scene_free(sc);
}

static void invalid_arguments_are_refused(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	check_refused(sc, "reserve -d 10 -e 12:00 ALL", CMD_USAGE,
		      "-e and -d are mutually exclusive; give only one");
	check_refused(sc, "reserve -s +2:00:00 -e +1:00:00 ALL", CMD_USAGE,
		      "the reservation would end before it starts");
	check_refused(sc, "reserve n001 x7", CMD_REFUSED, "there is no node 'x7'; 'kahu node' lists them");
	check_refused(sc, "reserve TASKS==0", CMD_REFUSED,
		      "TASKS== takes a number of processors and no other arguments, got 'TASKS==0'");
	check_refused(sc, "reserve TASKS==1 n001", CMD_REFUSED,
		      "TASKS== takes a number of processors and no other arguments, got 'TASKS==1'");
	check_refused(sc, "reserve -u 'a b' ALL", CMD_REFUSED, "'a b' is not a valid user name");
	check_refused(sc, "reserve -j 99 ALL", CMD_REFUSED,
		      "there is no job '99' in the queue; 'kahu queue' lists them");
	scene_free(sc);
}

static void why_names_the_reservation_that_blocks_a_job(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j", .procs = 6, .wall_s = 3600});
	said_done(sc, "reserve -n maint -d 2:00:00 n001");
	check_lines(
		sc, "why j",
		"Job j does not start now: it needs 6 processors and can use 4: the others are reserved for "
		"maint until 02:00:00.\nEstimated start: Thu Jan 1 02:00:00 (in 2:00:00).\n");
	check_lines(sc, "why j", "15 reserved for others 4 free until 02:00:00 (maint) >= 6 FAIL 02:00:00\n");
	check_json(sc, "queue", "reserved for maint until 02:00:00");
	said_done(sc, "unreserve maint");
	said_done(sc, "reserve -n late -s +30:00 n002");
	check_lines(sc, "why j",
		    "Job j never starts: once no more events are due, it still would run into reservation "
		    "late at 00:30:00, which leaves "
		    "it 4 of its 6 processors "
		    "until it is released.\n");
	check_lines(sc, "start j",
		    "overrides: Job j would run into reservation late at 00:30:00, which leaves it 4 of "
		    "its 6 processors until it is released.\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_numeric_and_leading_zeros_matter),
		cmocka_unit_test(star_and_question_mark_are_wildcards),
		cmocka_unit_test(an_invalid_pattern_matches_nothing),
		cmocka_unit_test(patterns_are_separated_by_commas),
		cmocka_unit_test(nodes_are_reserved_for_the_named_guests),
		cmocka_unit_test(a_reservation_without_guests_is_a_system_reservation),
		cmocka_unit_test(tasks_are_reserved_on_free_processors),
		cmocka_unit_test(a_personal_reservation_avoids_nodes_of_planned_starts),
		cmocka_unit_test(jobs_that_may_overlap_a_reservation_are_reported),
		cmocka_unit_test(a_job_can_be_a_guest),
		cmocka_unit_test(invalid_arguments_are_refused),
		cmocka_unit_test(why_names_the_reservation_that_blocks_a_job),
	};

	return cmocka_run_group_tests_name("cmd_reserve", tests, NULL, NULL);
}
