/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_queue.c - is the queue printed as showq had it, and in full with what that left open?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* Four processors on two nodes; one job runs, one has a reservation, one fits in neither, others are blocked.
 */
static struct scene *busy(void)
{
	struct scene *sc = scene_new(2, 2);

	scene_config(sc, "queuetimeweight = 1\nuser amy { maxijob = {\"1\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 3600, .user = "zed", .label = "900"});
	scene_pass(sc);
	sc->now_s = 60;
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 600, .user = "amy", .label = "905"});
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 600, .user = "amy", .label = "1002"});
	scene_add(sc, (struct scene_job){
			      .procs = 1, .wall_s = 7200, .user = "bob", .label = "907", .name = "mesh"});
	scene_add(sc, (struct scene_job){.procs = 1, .user = "amy", .label = "98", .holds = JOB_HOLD_USER});
	scene_add(sc, (struct scene_job){.procs = 1,
					 .user = "bob",
					 .label = "99",
					 .holds = JOB_HOLD_USER | JOB_HOLD_SYSTEM});
	sc->now_s = 120;
	scene_pass(sc);
	return sc;
}

static void the_short_form_is_showqs(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_lines(sc, "showq",
		    "ACTIVE JOBS--------------------\n"
		    "JOBNAME USERNAME STATE PROC REMAINING STARTTIME\n"
		    "900 zed Running 2 0:58:00 Thu Jan 1 00:00:00\n"
		    "1 Active Job 2 of 4 Processors Active (50.00%)\n"
		    "1 of 2 Nodes Active (50.00%)\n"
		    "IDLE JOBS----------------------\n"
		    "JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME\n"
		    "905 amy Idle 4 0:10:00 Thu Jan 1 00:01:00\n"
		    "907 bob Idle 1 2:00:00 Thu Jan 1 00:01:00\n"
		    "2 Idle Jobs\n"
		    "BLOCKED JOBS----------------\n"
		    "JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME\n"
		    "98 amy UserHold 1 0:01:40 Thu Jan 1 00:01:00\n"
		    "99 bob SystemHold 1 0:01:40 Thu Jan 1 00:01:00\n"
		    "1002 amy Idle 1 0:10:00 Thu Jan 1 00:01:00\n"
		    "Total Jobs: 6 Active Jobs: 1 Idle Jobs: 2 Blocked Jobs: 3\n");
	scene_free(sc);
}

static void names_stand_beside_the_ids_where_jobs_have_them(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_lines(sc, "queue -w name=mes?",
		    "JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME NAME\n"
		    "907 bob Idle 1 2:00:00 Thu Jan 1 00:01:00 mesh\n");
	check_lines(sc, "queue", "905 amy Idle 4 0:10:00 Thu Jan 1 00:01:00 -\n");
	check_lines(sc, "queue -u amy", "JOBNAME USERNAME STATE PROC WCLIMIT QUEUETIME\n");
	scene_free(sc);
}

static void a_user_sees_his_own_jobs_and_the_whole_machine(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_lines(sc, "queue -u bob", "0 Active Jobs 2 of 4 Processors Active (50.00%)\n");
	check_lines(sc, "queue -u bob", "Total Jobs: 2 Active Jobs: 0 Idle Jobs: 1 Blocked Jobs: 1\n");
	check_lines(sc, "queue -w 'user=amy state=held'",
		    "Total Jobs: 1 Active Jobs: 0 Idle Jobs: 0 Blocked Jobs: 1\n");
	scene_free(sc);
}

static void the_long_form_says_when_and_why(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_lines(sc, "queue -i",
		    "JOB NAME PRIORITY XFACTOR QOS USER GROUP CLASS PROC WCLIMIT QUEUETIME EST.START WHY NOT "
		    "NOW\n"
		    "905* - 1 1.1 - amy - - 4 0:10:00 Thu Jan 1 00:01:00 01:00:00 2 procs short\n"
		    "907 mesh 1 1.0 - bob - - 1 2:00:00 Thu Jan 1 00:01:00 01:10:00 would delay 905\n"
		    "2 Idle Jobs\n");
	check_lines(sc, "queue -b",
		    "98 - amy UserHold 1 0:01:40 1 Thu Jan 1 00:01:00 - held (user)\n"
		    "99 - bob SystemHold 1 0:01:40 1 Thu Jan 1 00:01:00 - held (user+system)\n"
		    "1002 - amy Idle 1 0:10:00 1 Thu Jan 1 00:01:00 01:10:00 MAXIJOB 1 of 1\n");
	check_lines(sc, "queue -v -n",
		    "mesh 1 1.0 - bob - - 1 2:00:00 Thu Jan 1 00:01:00 01:10:00 would delay 905\n");
	scene_free(sc);
}

/* One number in queue and priority: no limit counts as shorter than xfminwclimit, a hold stops queue time. */
static void the_xfactor_is_that_of_the_priority(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc,
		     "xfactorweight = 100\nxfminwclimit = \"0:02:00\"\njobprioaccrualpolicy = fullpolicy\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 7200, .label = "all"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 30, .label = "short"});
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 600, .label = "held"});
	scene_hold(sc, 3, JOB_HOLD_USER);
	scene_pass(sc);
	scene_go(sc, sc->now_s + 300);
	scene_pass(sc);
	scene_release(sc, 3, JOB_HOLD_USER);
	scene_pass(sc);
	scene_go(sc, sc->now_s + 300);
	check_lines(sc, "queue -i",
		    "short* 610 6.0 - u1 - - 2 0:00:30 Thu Jan 1 00:00:00 02:00:00 2 procs short\n");
	check_lines(sc, "queue -i",
		    "held 155 1.5 - u1 - - 2 0:10:00 Thu Jan 1 00:00:00 02:00:30 2 procs short\n");
	scene_free(sc);
}

/* Of jobs that are over a soft limit together those are marked that started last. */
static void running_jobs_over_a_soft_limit_are_marked(void **state)
{
	struct scene *sc = scene_new(4, 1);

	(void)state;
	scene_config(sc, "user DEFAULT { maxjob = {\"2,4\"} }\n");
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "amy", .wall_s = 500 - 100 * i});
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 900});
	scene_pass(sc);
	check_lines(sc, "queue -r",
		    "JOB PAR EFFIC XFACTOR QOS USER GROUP MHOST PROC REMAINING STARTTIME\n"
		    "3_ ALL - 1.0 - amy - n001 1 0:05:00 Thu Jan 1 00:00:00\n"
		    "2 ALL - 1.0 - amy - n003 1 0:06:40 Thu Jan 1 00:00:00\n"
		    "1 ALL - 1.0 - amy - n004 1 0:08:20 Thu Jan 1 00:00:00\n"
		    "4 ALL - 1.0 - bob - n002 1 0:15:00 Thu Jan 1 00:00:00\n"
		    "4 Active Jobs 4 of 4 Processors Active (100.00%)\n");
	check_json(sc, "queue", "\"backfilled\":false,\"over_soft\":true");
	scene_free(sc);
}

static void partitions_are_told_apart(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	scene_config(sc,
		     "node a1 { procs = 1  partition = \"a\" }\nnode b1 { procs = 1  partition = \"b\" }\n");
	scene_add(sc, (struct scene_job){.partition = "a", .wall_s = 50});
	scene_add(sc, (struct scene_job){.partition = "b"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.partition = "a"});
	scene_add(sc, (struct scene_job){.wall_s = 70});
	check_lines(sc, "queue -p a", "Total Jobs: 3 Active Jobs: 1 Idle Jobs: 2 Blocked Jobs: 0\n");
	check_lines(sc, "queue -p b", "Total Jobs: 2 Active Jobs: 1 Idle Jobs: 1 Blocked Jobs: 0\n");
	check_refused(sc, "queue -p c", CMD_REFUSED,
		      "there is no partition 'c'; 'kahu config' lists what is set");
	scene_free(sc);
}

static void scripts_get_states_reasons_and_explanations(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_json(
		sc, "queue",
		"\"job\":\"99\",\"user\":\"bob\",\"group\":null,\"account\":null,\"qos\":null,\"class\":null,"
		"\"state\":\"SystemHold\",\"procs\":1,\"wclimit_s\":100,\"priority\":1,\"queued_since\":60,"
		"\"estimated_start\":null,\"reserved_start\":null,\"holds\":\"user+system\",");
	check_json(sc, "queue",
		   "\"reason\":\"MAXIJOB 1 of 1\",\"explanation\":\"Job 1002 would bring 1 job to the 1 "
		   "counted for user "
		   "amy: 2 is over the hard limit MAXIJOB of 1 by 1.\"");
	scene_free(sc);
}

static void nothing_is_a_queue_too(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "queue",
		    "0 Active Jobs 0 of 1 Processors Active (0.00%)\n"
		    "IDLE JOBS----------------------\n");
	check_lines(sc, "queue -c", "0 Completed Jobs\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_short_form_is_showqs),
		cmocka_unit_test(names_stand_beside_the_ids_where_jobs_have_them),
		cmocka_unit_test(a_user_sees_his_own_jobs_and_the_whole_machine),
		cmocka_unit_test(the_long_form_says_when_and_why),
		cmocka_unit_test(the_xfactor_is_that_of_the_priority),
		cmocka_unit_test(running_jobs_over_a_soft_limit_are_marked),
		cmocka_unit_test(partitions_are_told_apart),
		cmocka_unit_test(scripts_get_states_reasons_and_explanations),
		cmocka_unit_test(nothing_is_a_queue_too),
	};

	return cmocka_run_group_tests_name("cmd_queue", tests, NULL, NULL);
}
