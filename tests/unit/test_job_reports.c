/* SPDX-License-Identifier: MIT */
/*
 * test_job_reports.c - reports on jobs: queue, job, priority and why
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* --- queue -------------------------------------------------------------------------------------------- */

/* Four processors on two nodes. One job runs, one has a reservation, one fits neither now nor before the
 * reservation, and the others are blocked. */
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

static void showq_prints_the_queue_in_three_parts(void **state)
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

static void job_names_are_a_column_if_a_job_has_one(void **state)
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

static void option_u_shows_the_jobs_of_a_user_and_the_whole_machine(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_lines(sc, "queue -u bob", "0 Active Jobs 2 of 4 Processors Active (50.00%)\n");
	check_lines(sc, "queue -u bob", "Total Jobs: 2 Active Jobs: 0 Idle Jobs: 1 Blocked Jobs: 1\n");
	check_lines(sc, "queue -w 'user=amy state=held'",
		    "Total Jobs: 1 Active Jobs: 0 Idle Jobs: 0 Blocked Jobs: 1\n");
	scene_free(sc);
}

static void the_long_form_shows_estimated_starts_and_reasons(void **state)
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

/* In both reports, limits below xfminwclimit count as xfminwclimit, and a hold stops queue time. */
static void queue_and_priority_show_the_same_xfactor(void **state)
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

/* If running jobs together exceed a soft limit, those that started last are marked. */
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

static void option_p_shows_the_jobs_of_a_partition(void **state)
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
	check_refused(sc, "queue -p c", CMD_REFUSED, "unknown partition 'c'; 'kahu config' lists partitions");
	scene_free(sc);
}

static void json_contains_states_reasons_and_explanations(void **state)
{
	struct scene *sc = busy();

	(void)state;
	check_json(
		sc, "queue",
		"\"job\":\"99\",\"user\":\"bob\",\"group\":null,\"account\":null,\"qos\":null,\"class\":null,"
		"\"state\":\"SystemHold\",\"procs\":1,\"wclimit_s\":100,\"priority\":1,\"xfactor\":1.5,"
		"\"queued_s\":60,\"queued_since\":60,"
		"\"estimated_start\":null,\"reserved_start\":null,\"holds\":\"user+system\",");
	check_json(sc, "queue",
		   "\"reason\":\"MAXIJOB 1 of 1\",\"explanation\":\"Job 1002 would add 1 job to the 1 "
		   "counted for user "
		   "amy: 2 is over the hard limit MAXIJOB of 1 by 1.\"");
	scene_free(sc);
}

static void an_empty_queue_is_printed(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "queue",
		    "0 Active Jobs 0 of 1 Processors Active (0.00%)\n"
		    "IDLE JOBS----------------------\n");
	check_lines(sc, "queue -c", "0 Completed Jobs\n");
	scene_free(sc);
}

/* --- job ---------------------------------------------------------------------------------------------- */

static void the_job_report_contains_all_requests(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 4,
					 .task_procs = 2,
					 .mem_mb = 512,
					 .user = "eva",
					 .label = "j",
					 .name = "mesh"});
	check_lines(sc, "job j",
		    "job j\nname mesh\nstate Idle\nuser eva\n"
		    "asks for 4 processors for 0:01:40\n"
		    "tasks 2 of 2 processors\n"
		    "memory 512 MB per task\n"
		    "PE 4.00\n");
	check_json(sc, "job j", "\"procs\":4,\"tasks\":2,\"task_procs\":2,\"nodes_asked\":null,");
	scene_free(sc);
}

static void the_job_report_shows_the_reason_of_a_hold(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j"});
	said_done(sc, "hold -s j --reason 'disk is full'");
	check_lines(sc, "job j", "holds system: disk is full\n");
	check_lines(sc, "job j",
		    "Job j is held (system): disk is full; it can start only after a release.\n");
	check_json(sc, "job j", "\"holds\":\"system\",\"hold_reason\":\"disk is full\"");
	scene_free(sc);
}

/* M-05: -l SOFT, HARD and OFF, --flags=future. */
static void a_job_is_checked_at_the_requested_policy_level(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"1,2\"} }\n");
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .label = "two"});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 9, .label = "nine"});
	check_lines(sc, "job two -l OFF", "The job can run now, if no limits apply.\n");
	check_lines(sc, "job two -l HARD",
		    "Job two would add 2 processors to the 1 in use by user eva: 3 is over the hard limit "
		    "MAXPROC of 2 by "
		    "1; it clears by itself at 00:01:40, in 0:01:40.\n");
	check_lines(sc, "job two --flags=future", "The job can run at some time.\n");
	check_lines(sc, "job nine --flags=future",
		    "Job nine never starts: it asks for 9 processors and the machine has 4.\n");
	check_json(sc, "job two -l off", "\"level\":\"off\",\"passes\":true");
	check_refused(sc, "job two -l ON", CMD_USAGE, "unknown policy level 'ON'; use soft, hard or off");
	check_refused(sc, "job two --flags=past", CMD_USAGE, "--flags past: the only flag is 'future'");
	scene_free(sc);
}

static void a_node_is_checked_for_a_job(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	scene_config(sc, "node big { procs = 4  memory = 4096 }\nnode small { procs = 2  memory = 256 }\n");
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 500, .mem_mb = 1024});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 3, .mem_mb = 512, .label = "j"});
	check_lines(sc, "job j -n big", "Node big has room: 3 processors for the job when empty, 1 now.\n");
	check_lines(sc, "job j -n small",
		    "Node small has too little memory: 0 processors for the job when empty, 0 now.\n");
	check_json(sc, "job j -n small",
		   "\"node\":{\"name\":\"small\",\"procs_ever\":0,\"procs_now\":0,"
		   "\"lack\":\"has too little memory\"}");
	check_refused(sc, "job j -n huge", CMD_REFUSED, "there is no node 'huge'; 'kahu node' lists them");
	scene_free(sc);
}

static void another_qos_is_tried_on_a_copy(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "qosweight = 1\nuser DEFAULT { maxproc = {\"1\"} }\nqos hi { priority = 70  "
			 "omaxproc = {\"4\"} }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .label = "j"});
	check_lines(sc, "job j", "priority 1\n");
	check_lines(sc, "job j -q hi", "qos hi\n");
	check_lines(sc, "job j -q hi", "priority 70\n");
	check_lines(sc, "job j -q hi -l soft", "The job can run now.\n");
	assert_int_equal(scene_job_of(sc, 1)->cred[CRED_QOS], INDEX_NONE);
	scene_free(sc);
}

/* --- priority ----------------------------------------------------------------------------------------- */

/*
 * M-04: the sample of Maui's manual. Priority 1814 is 0.58 % queue time, 55.32 % xfactor and 44.10 %
 * resources: 5.25 minutes in the queue give 10.5 points, the expansion factor of a job of 1500 minutes
 * 1003.5, and its processor 800.
 */
static void the_sample_of_the_maui_manual_is_reproduced(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "queuetimeweight = 2\nxfactorweight = 1000\nprocweight = 800\n");
	scene_submit(sc, 1, 100000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.wall_s = 90000, .label = "fr8n01.1260.0"});
	scene_go(sc, sc->now_s + 315);
	check_lines(sc, "priority",
		    "Job PRIORITY res( Proc) serv(QTime: XFctr)\n"
		    "Weights -------- 1( 800) 1( 2: 1000)\n"
		    "fr8n01.1260.0 1814 44.1(800.0) 55.9( 10.5:1003.5)\n"
		    "Percent -------- 44.1( 44.1) 55.9( 0.6: 55.3)\n");
	check_json(sc, "priority", "\"priority\":1814,\"sum\":1814,\"bounded\":false");
	check_json(sc, "priority",
		   "\"QUEUETIME\":{\"value\":5.25,\"capped\":5.25,\"weighted\":10.5,\"percent\":0.5788");
	check_json(sc, "priority", ",\"percent\":55.319");
	check_json(sc, "priority", "\"PROC\":{\"value\":1,\"capped\":1,\"weighted\":800,\"percent\":44.101");
	scene_free(sc);
}

/* Credential factors are shown as configured, others as points that include both weights (cases 01 and 05).
 */
static void points_include_both_weights(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nenablenegjobpriority = true\ncredweight = 2\nuserweight = 10\n"
			 "resweight = 3\nprocweight = 5\nuser bob { priority = -50 }\n");
	scene_submit(sc, 2, 1000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .user = "bob", .label = "j"});
	check_lines(sc, "priority", "j -970 97.1(-50.0) 2.9(30.0)\n");
	scene_free(sc);
}

/* P-06: the sum is printed, and the rank if it differs. */
static void a_bounded_priority_is_marked_and_shows_the_rank(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nuser bob { priority = -50 }\n");
	scene_submit(sc, 2, 1000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .label = "low"});
	scene_add(sc, (struct scene_job){.user = "bob", .label = "set"});
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 5);
	check_lines(sc, "priority",
		    "set -50* 1000000005! 100.0(-50.0)\n"
		    "low -50 1! 100.0(-50.0)\n");
	check_json(sc, "priority -w job=low", "\"priority\":1,\"sum\":-50,\"bounded\":true,\"system\":null");
	scene_free(sc);
}

/* --- why ---------------------------------------------------------------------------------------------- */

/* The example of HPC2N's page on Maui (tests/hpc2n.sh): a running job with 2 processors and 9:42:28 left, and
 * an idle job that requests 8 processors for an hour. */
static struct scene *user_over_limit(const char *more)
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

/* H-14: the limit clears by itself after 3:42:28. Another job within its limits is idle, so jobs over a soft
 * limit do not get a turn. */
static void a_limit_is_shown_with_its_owner_values_and_time(void **state)
{
	struct scene *sc = user_over_limit("hardpass = \"idleonly\"\n");

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 16, .wall_s = 60, .user = "sam"});
	check_lines(sc, "why 900991",
		    "Job 900991 does not start now: it would add 28800 processor-seconds to the 69896 in "
		    "use by user user1: 98696 "
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
		"Passes all checks with soft limits: no; with hard limits only: yes; without limits: yes.\n");
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

static void a_job_starts_with_a_higher_limit(void **state)
{
	struct scene *sc = user_over_limit("user user1 { maxps = {\"98696,1080000\"} }\n");

	(void)state;
	check_lines(sc, "why 900991", "Job 900991 starts at the next pass.\n");
	check_json(sc, "why 900991", "\"verdict\":\"starts-now\"");
	scene_free(sc);
}

static void a_fairshare_cap_is_shown_with_its_owner(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser amy { fstarget = \"50^\" }\n");
	scene_add(sc, (struct scene_job){.user = "zed", .wall_s = 1000});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "amy", .wall_s = 60, .label = "big"});
	check_lines(sc, "why big",
		    "Job big never starts: once no more events are due, it still would bring user amy to 60 "
		    "processor-seconds, and the fairshare cap is 50.\n"
		    "Estimated start: never.\n");
	check_lines(sc, "why big", "13 fairshare cap 60 proc-s 50 proc-s FAIL user amy\n");
	scene_free(sc);
}

/* A job over a soft limit is eligible nevertheless, and counts, though the list of idle jobs does not show
 * it. */
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
		    "Job second does not start now: it would add 1 job to the 1 counted for user eva: 2 is "
		    "over "
		    "the hard limit MAXIJOB of 1 by 1.\n");
	check_lines(sc, "why second", "Counted against MAXIJOB: first (MAXJOB 2>1).\n");
	check_json(sc, "why second", "\"counted\":[\"first\"]");
	scene_free(sc);
}

/* An idle limit has no soft value, so one number is suggested. */
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

static void a_start_date_is_shown_in_its_check(void **state)
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
		cmocka_unit_test(showq_prints_the_queue_in_three_parts),
		cmocka_unit_test(job_names_are_a_column_if_a_job_has_one),
		cmocka_unit_test(option_u_shows_the_jobs_of_a_user_and_the_whole_machine),
		cmocka_unit_test(the_long_form_shows_estimated_starts_and_reasons),
		cmocka_unit_test(queue_and_priority_show_the_same_xfactor),
		cmocka_unit_test(running_jobs_over_a_soft_limit_are_marked),
		cmocka_unit_test(option_p_shows_the_jobs_of_a_partition),
		cmocka_unit_test(json_contains_states_reasons_and_explanations),
		cmocka_unit_test(an_empty_queue_is_printed),
		cmocka_unit_test(the_job_report_contains_all_requests),
		cmocka_unit_test(the_job_report_shows_the_reason_of_a_hold),
		cmocka_unit_test(a_job_is_checked_at_the_requested_policy_level),
		cmocka_unit_test(a_node_is_checked_for_a_job),
		cmocka_unit_test(another_qos_is_tried_on_a_copy),
		cmocka_unit_test(the_sample_of_the_maui_manual_is_reproduced),
		cmocka_unit_test(points_include_both_weights),
		cmocka_unit_test(a_bounded_priority_is_marked_and_shows_the_rank),
		cmocka_unit_test(a_limit_is_shown_with_its_owner_values_and_time),
		cmocka_unit_test(a_job_starts_with_a_higher_limit),
		cmocka_unit_test(a_fairshare_cap_is_shown_with_its_owner),
		cmocka_unit_test(an_idle_limit_names_the_jobs_that_it_counts),
		cmocka_unit_test(a_suggested_idle_limit_has_one_value),
		cmocka_unit_test(a_start_date_is_shown_in_its_check),
	};

	return cmocka_run_group_tests_name("job_reports", tests, NULL, NULL);
}
