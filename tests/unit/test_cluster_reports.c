/* SPDX-License-Identifier: MIT */
/* test_cluster_reports.c - reports on the cluster: verbs limits, node, stats and fairshare */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"
#include "tests/store_dir.h"

/* --- limits --------------------------------------------------------------------------------------- */

static void limits_that_block_jobs_come_first(void **state)
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

static void limits_of_credential_pairs_name_both(void **state)
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

static void override_limits_are_marked_and_count_their_blocked_jobs(void **state)
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

static void limits_of_single_jobs_show_the_largest_request(void **state)
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

static void a_site_without_limits_is_reported(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "limits", "No limits are set.\n");
	scene_free(sc);
}

/* --- node ----------------------------------------------------------------------------------------- */

static struct scene *scene_with_two_nodes(void)
{
	struct scene *sc = scene_new(0, 1);

	scene_config(sc, "nodeallocationpolicy = \"priority\"\n"
			 "node DEFAULT { priorityf = \"APROCS + 10 * SPEED\" }\n"
			 "node a { procs = 4  memory = 4096  speed = 2  features = {\"fast\", \"tape\"}  "
			 "gres = {\"gpu:2\"} }\n"
			 "node b { procs = 2  memory = 1024 }\n");
	scene_add(sc, (struct scene_job){.procs = 3, .mem_mb = 100, .user = "eva", .label = "j"});
	scene_pass(sc);
	return sc;
}

static void a_line_shows_free_and_configured_amounts(void **state)
{
	struct scene *sc = scene_with_two_nodes();

	(void)state;
	check_lines(sc, "node",
		    "NODE STATE PROCS MEMORY DISK SWAP SPEED PAR LOAD JOBS PRIORITY GRES CLASSES FEATURES\n"
		    "a Running 1:4 3796:4096 - - 2.00 ALL - 1 21.00 2:2 gpu any fast tape\n"
		    "b Idle 2:2 1024:1024 - - 1.00 ALL - 0 12.00 - any -\n"
		    "----- --- 3:6 4820:5120 - -\n"
		    "Total Nodes: 2 (Active: 1 Idle: 1)\n");
	scene_free(sc);
}

static void one_node_is_described(void **state)
{
	struct scene *sc = scene_with_two_nodes();

	(void)state;
	check_lines(sc, "checknode a",
		    "node a\nstate Running\n"
		    "configured PROCS: 4 MEM: 4096M\n"
		    "dedicated PROCS: 3 MEM: 300M\n"
		    "generic gpu:2\ngeneric free gpu:2\n");
	check_lines(sc, "node a", "priority 21.00 = APROCS + 10 * SPEED\njobs j*3\n");
	check_json(sc, "node a",
		   "\"procs\":{\"free\":1,\"configured\":4},\"mem_mb\":{\"free\":3796,\"configured\":4096}");
	check_json(sc, "node a", "\"jobs\":[{\"job\":\"j\",\"procs\":3}]");
	check_refused(sc, "node c", CMD_REFUSED, "there is no node 'c'; 'kahu node' lists them");
	scene_free(sc);
}

static void a_drained_node_keeps_its_jobs_and_gets_no_more(void **state)
{
	struct scene *sc = scene_with_two_nodes();
	uint64_t undone;

	(void)state;
	said_done(sc, "node drain a");
	undone = scene_view(sc)->seq;
	scene_add(sc, (struct scene_job){.procs = 1, .label = "k"});
	scene_add(sc, (struct scene_job){.procs = 2, .label = "l"});
	scene_pass(sc);
	check_lines(sc, "node", "a Draining 1:4 3796:4096 - - 2.00 ALL - 1 21.00 2:2 gpu any fast tape\n");
	check_lines(sc, "node b", "jobs k*1\n");
	check_lines(sc, "why l",
		    "Job l does not start now: it needs 2 processors and 1 is free: 1 short; most other "
		    "nodes are drained.\n");
	scene_end(sc, 1);
	scene_pass(sc);
	check_lines(sc, "node a", "state Drained\n");
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	scene_end(sc, 2);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	scene_add(sc, (struct scene_job){.procs = 4, .label = "m"});
	scene_pass(sc);
	scene_undo(sc, undone);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 4)->state, JOB_RUNNING);
	check_refused(sc, "node drain c", CMD_REFUSED, "there is no node 'c'; 'kahu node' lists them");
	check_refused(sc, "node undrain", CMD_USAGE,
		      "node undrain: no nodes given; usage: node undrain NODE...");
	scene_free(sc);
}

/* --- stats ---------------------------------------------------------------------------------------- */

static void statistics_include_current_jobs(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 7200, .user = "amy", .group = "staff"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .user = "bob", .group = "staff"});
	scene_go(sc, 3600);
	check_lines(sc, "stats",
		    "jobs now 1 running, 1 waiting\n"
		    "processors 3 of 4 active (75.00%)\n"
		    "nodes 2 of 2 active (100.00%)\n"
		    "ended jobs 0, of which 0 ran and 0 were backfilled\n");
	check_lines(sc, "stats -g",
		    "GROUP RUN PROCS WAIT ENDED % PROCHOURS % AVGXF MAXXF AVGQH EFFIC WCACC\n"
		    "staff 1 3 1 0 0.00 0.00 0.00 0.00 0.00 0.00 - 0.00\n");
	check_json(sc, "stats",
		   "\"system\":{\"running\":1,\"waiting\":1,\"procs\":3,\"ended\":0,\"started\":0,");
	check_refused(sc, "stats -t soon", CMD_USAGE,
		      "\"soon\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or seconds "
		      "since 1970");
	scene_free(sc);
}

/* --- fairshare ------------------------------------------------------------------------------------ */

/* The guide's John (F-23): 60, 0, 10, 50 of 110, 125, 100, 150 in windows of 12 hours, decay 0.5. */
static struct scene *site_of_john(const char *target)
{
	static const int64_t site_with_usage[] = {60, 0, 10, 50}, total[] = {110, 125, 100, 150};
	struct scene *sc = scene_new(1, 1);
	struct str config = {0};

	sc->now_s = 4 * 43200 - 100;
	str_addf(&config,
		 "fspolicy = \"dedicatedps\"\nfsinterval = \"12:00:00\"\nfsdepth = 4\nfsdecay = 0.5\n%s",
		 target);
	scene_config(sc, str_text(&config));
	str_free(&config);
	for (int i = 0; i < 4; i++) {
		struct used_by site_of_john = {
			.type = CRED_USER, .name = "john", .amount = site_with_usage[i] * 3600 * FS_UNIT};
		struct event ev = {.kind = EVENT_USAGE};

		ev.usage = (struct usage_window){.begin_s = (3 - i) * INT64_C(43200),
						 .length_s = 43200,
						 .item = &site_of_john,
						 .count = 1,
						 .total = total[i] * 3600 * FS_UNIT};
		scene_apply(sc, &ev);
	}
	return sc;
}

static void johns_share_is_31_79(void **state)
{
	struct scene *sc = site_of_john("user john { fstarget = \"25.0\" }\n");

	(void)state;
	check_lines(sc, "fairshare",
		    "Fairshare: DEDICATEDPS, depth 4 intervals of 12:00:00, decay 0.50\n"
		    "Window 0 closes Sat Jan 3 00:00:00, in 0:01:40\n");
	check_lines(sc, "fairshare",
		    "FSInterval % Target 0 1 2 3\n"
		    "FSWeight ------- ------- 1.0000 0.5000 0.2500 0.1250\n"
		    "TotalUsage 100.00 ------- 110.0 125.0 100.0 150.0\n"
		    "USER\n"
		    "john* 31.79 25.00 54.55 ------- 10.00 33.33\n");
	check_lines(sc, "diagnose -f", "john* 31.79 25.00 54.55 ------- 10.00 33.33\n");
	check_json(sc, "fairshare",
		   "{\"policy\":\"DEDICATEDPS\",\"percent\":false,\"interval_s\":43200,\"depth\":4,\"decay\":"
		   "0.5,");
	check_json(sc, "fairshare", "\"totals\":[396000,450000,360000,540000]");
	check_json(
		sc, "fairshare",
		"{\"type\":\"user\",\"name\":\"john\",\"target\":25,\"mode\":\"target\",\"usage_pct\":31.79");
	check_json(sc, "fairshare", "\"windows\":[216000,0,36000,180000]");
	scene_free(sc);
}

/* The forecast of the mock-up: usage continues as now, or the machine is idle. */
static void shares_are_forecast_for_a_busy_and_an_idle_machine(void **state)
{
	struct scene *sc = site_of_john("user john { fstarget = \"25.0\" }\n");

	(void)state;
	check_lines(sc, "fairshare",
		    "FORECAST NOW BUSY +1 +2 +3 +4 IDLE +1 +2 +3 +4\n"
		    "user john 31.79 14.97 7.21 3.64 0.00 31.65 34.78 54.55 -\n");
	check_json(sc, "fairshare", "\"forecast_idle\":[31.6455");
	check_json(sc, "fairshare", "54.54545454545455,null]");
	scene_free(sc);
}

/* F-33: off target is more than 5 points for a target, below a floor, above a ceiling. */
static void a_star_marks_a_missed_target(void **state)
{
	static const struct {
		const char *target, *row;
	} cases[] = {
		{"user john { fstarget = \"35.0\" }\n", "john 31.79 35.00 54.55"},
		{"user john { fstarget = \"32.0+\" }\n", "john* 31.79 32.00+ 54.55"},
		{"user john { fstarget = \"31.0+\" }\n", "john 31.79 31.00+ 54.55"},
		{"user john { fstarget = \"31.0-\" }\n", "john* 31.79 31.00- 54.55"},
		{"user john { fstarget = \"50000^\" }\n", "31.79 50000.0^ 54.55"},
		{"user john { fstarget = \"25.0%\" }\n", "31.79 25.00% 54.55"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene *sc = site_of_john(cases[i].target);
		struct str out = {0}, squeezed = {0};
		struct cmd_changes changes = {0};
		struct err err;

		said_run(sc, "fairshare", false, &out, &changes, &err);
		said_squeeze(str_text(&out), &squeezed);
		said_expect(str_text(&squeezed), cases[i].row);
		str_free(&out);
		str_free(&squeezed);
		scene_free(sc);
	}
}

static void without_a_policy_fairshare_is_disabled(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "fairshare", "Fairshare is disabled: FSPOLICY is NONE.\n");
	check_json(sc, "fairshare", "{\"policy\":\"NONE\",\"percent\":false");
	scene_free(sc);
}

/* --- fs files ------------------------------------------------------------------------------------- */

static const char config[] = "fspolicy = \"dedicatedps\"\nfsinterval = \"1:00:00\"\nfsdepth = 3\n";

static struct scene *site_with_usage(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, config);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 5000, .user = "amy", .group = "staff"});
	scene_pass(sc);
	scene_go(sc, 6000);
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 9000, .user = "bob"});
	scene_pass(sc);
	scene_go(sc, 7300);
	return sc;
}

static void exported_windows_can_be_imported(void **state)
{
	struct store_dir dir;
	struct scene *sc = site_with_usage(), *other = scene_new(1, 4);
	struct str line = {0};

	(void)state;
	make_store_dir(&dir);
	str_addf(&line, "fairshare --export %s", dir.path);
	said_done(sc, str_text(&line));
	other->now_s = 7300;
	scene_config(other, config);
	str_clear(&line);
	str_addf(&line, "fairshare --import %s", dir.path);
	said_done(other, str_text(&line));
	check_lines(sc, "fairshare", "amy 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "amy 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "staff 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "bob 11.50 ------- 100.00 30.00 -------\n");
	str_free(&line);
	remove_store_dir(&dir);
	scene_free(sc);
	scene_free(other);
}

static void windows_that_are_too_old_are_ignored(void **state)
{
	struct store_dir dir;
	struct scene *sc = site_with_usage();
	struct str line = {0};

	(void)state;
	make_store_dir(&dir);
	str_addf(&line, "fairshare --export %s", dir.path);
	said_done(sc, str_text(&line));
	scene_go(sc, 11000);
	str_clear(&line);
	str_addf(&line, "fairshare --import %s", dir.path);
	check_lines(sc, str_text(&line),
		    "ignored 1 windows that are not among the last 3 windows (option fsdepth)\n");
	scene_go(sc, 100000);
	str_clear(&line);
	str_addf(&line, "none of the 3 windows in %s is one of the last 3 windows (option fsdepth)",
		 dir.path);
	{
		struct str verb = {0};

		str_addf(&verb, "fairshare --import %s", dir.path);
		check_refused(sc, str_text(&verb), CMD_REFUSED, str_text(&line));
		str_free(&verb);
	}
	str_free(&line);
	remove_store_dir(&dir);
	scene_free(sc);
}

static void without_a_policy_there_is_nothing_to_export(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_refused(sc, "fairshare --export .", CMD_REFUSED,
		      "fairshare is disabled (FSPOLICY NONE); there are no windows to write");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_that_block_jobs_come_first),
		cmocka_unit_test(limits_of_credential_pairs_name_both),
		cmocka_unit_test(override_limits_are_marked_and_count_their_blocked_jobs),
		cmocka_unit_test(limits_of_single_jobs_show_the_largest_request),
		cmocka_unit_test(a_site_without_limits_is_reported),
		cmocka_unit_test(a_drained_node_keeps_its_jobs_and_gets_no_more),
		cmocka_unit_test(a_line_shows_free_and_configured_amounts),
		cmocka_unit_test(one_node_is_described),
		cmocka_unit_test(statistics_include_current_jobs),
		cmocka_unit_test(johns_share_is_31_79),
		cmocka_unit_test(shares_are_forecast_for_a_busy_and_an_idle_machine),
		cmocka_unit_test(a_star_marks_a_missed_target),
		cmocka_unit_test(without_a_policy_fairshare_is_disabled),
		cmocka_unit_test(exported_windows_can_be_imported),
		cmocka_unit_test(windows_that_are_too_old_are_ignored),
		cmocka_unit_test(without_a_policy_there_is_nothing_to_export),
	};

	return cmocka_run_group_tests_name("cluster_reports", tests, NULL, NULL);
}
