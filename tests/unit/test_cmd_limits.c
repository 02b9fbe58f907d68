/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_limits.c - is every limit there with its use, and the jobs that it holds back?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void those_that_hold_jobs_back_come_first(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"2,4\"} }\nuser eva { maxjob = {\"1\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 1, .user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 1, .user = "eva"});
	scene_add(sc, (struct scene_job){.procs = 1, .user = "eva"});
	check_lines(sc, "limits",
		    "CREDENTIAL LIMIT IN USE SOFT HARD OF SOFT HOLDS BACK\n"
		    "user eva MAXJOB 1 1 1 100% 2\n"
		    "user eva MAXPROC 1 2 4 50% 0\n");
	check_json(sc, "limits",
		   "{\"type\":\"user\",\"name\":\"eva\",\"limit\":\"MAXJOB\",\"label\":\"MAXJOB\",\"second_"
		   "type\":null,"
		   "\"second\":null,\"per_job\":false,\"override\":false,\"in_use\":1,\"soft\":1,\"hard\":1,"
		   "\"percent\":100,\"holds_back\":2}");
	scene_free(sc);
}

static void pairs_name_both(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "group staff { maxproc = {\"USER=2\", \"USER:bob=4\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .user = "amy", .group = "staff"});
	scene_add(sc, (struct scene_job){.procs = 3, .user = "bob", .group = "staff"});
	scene_pass(sc);
	check_lines(sc, "limits", "group staff MAXPROC[USER:amy] 2 2 2 100% 0\n");
	check_lines(sc, "limits", "group staff MAXPROC[USER:bob] 3 4 4 75% 0\n");
	check_json(sc, "limits",
		   "\"label\":\"MAXPROC[USER:bob]\",\"second_type\":\"user\",\"second\":\"bob\"");
	scene_free(sc);
}

static void overrides_are_marked_and_hold_back_their_own(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"1\"} }\nqos hi { omaxproc = {\"3\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .user = "amy", .qos = "hi"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .user = "amy", .qos = "hi"});
	check_lines(sc, "limits", "qos hi OMAXPROC (override) 2 3 3 67% 1\n");
	scene_free(sc);
}

static void limits_on_single_jobs_show_the_largest(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "systemmaxprocperjob = 4\nclass fast { max.wclimit = \"0:10:00\" }\n");
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 500});
	scene_add(sc, (struct scene_job){.procs = 5, .wall_s = 100});
	check_lines(sc, "limits",
		    "system SYSTEMMAXPROCPERJOB 5 4 4 125% 1\n"
		    "class fast MAX.WCLIMIT a job 0 600 600 0% 0\n");
	scene_free(sc);
}

static void a_site_without_limits_says_so(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "limits", "No limits are set.\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_hold_jobs_back_come_first),
		cmocka_unit_test(pairs_name_both),
		cmocka_unit_test(overrides_are_marked_and_hold_back_their_own),
		cmocka_unit_test(limits_on_single_jobs_show_the_largest),
		cmocka_unit_test(a_site_without_limits_says_so),
	};

	return cmocka_run_group_tests_name("cmd_limits", tests, NULL, NULL);
}
