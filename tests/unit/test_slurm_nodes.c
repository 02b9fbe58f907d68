/* SPDX-License-Identifier: MIT */
/*
 * test_slurm_nodes.c - nodes, partitions and reservations from the output of scontrol of several versions
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/slurm.h"
#include "tests/slurm_output.h"

typedef bool reader(struct slurm_cluster *c, char *text, size_t len, struct err *err);

static bool read_text(reader *read, struct slurm_cluster *c, const char *text, struct err *err)
{
	char *copy = mem_string(text);
	bool good = read(c, copy, strlen(text), err);

	free(copy);
	return good;
}

static void must(reader *read, struct slurm_cluster *c, const char *text)
{
	struct err err = {{0}};

	if (!read_text(read, c, text, &err))
		fail_msg("%s", err.text);
}

/* As printed by slurmctld 22.05.8. */
#define NODE_2205                                                                                            \
	"NodeName=n3 Arch=x86_64 CoresPerSocket=16  CPUAlloc=2 CPUEfctv=15 CPUTot=16 CPULoad=9.23 "          \
	"AvailableFeatures=fast,ib ActiveFeatures=fast,ib Gres=gpu:a100:2,gpu:v100:1 NodeAddr=127.0.0.1 "    \
	"NodeHostName=vm Port=7003 Version=22.05.8 OS=Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC @0  "             \
	"RealMemory=4000 AllocMem=300 FreeMem=17416 Sockets=1 Boards=1 State=MIXED ThreadsPerCore=1 "        \
	"TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A Partitions=main,gpu  BootTime=2026-11-29T02:32:46 "      \
	"SlurmdStartTime=2026-11-29T02:51:36 LastBusyTime=2026-11-29T02:51:38 "                              \
	"CfgTRES=cpu=16,mem=4000M,billing=16 AllocTRES=cpu=2,mem=300M CapWatts=n/a CurrentWatts=0 "          \
	"AveWatts=0 ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s \n"

/* As documented for 20.11: without CPUEfctv and LastBusyTime, and with a sign after the state. */
#define NODE_2011                                                                                            \
	"NodeName=c1 CoresPerSocket=8  CPUAlloc=0 CPUTot=16 CPULoad=N/A AvailableFeatures=(null) "           \
	"ActiveFeatures=(null) Gres=(null) NodeAddr=c1 NodeHostName=c1 Version=20.11.9 RealMemory=64000 "    \
	"AllocMem=0 FreeMem=N/A Sockets=2 Boards=1 State=DOWN* ThreadsPerCore=1 TmpDisk=1000 Weight=1 "      \
	"Owner=N/A MCS_label=N/A Partitions=batch  BootTime=None SlurmdStartTime=None "                      \
	"CfgTRES=cpu=16,mem=62.50G,billing=16 AllocTRES= CapWatts=n/a CurrentWatts=0 AveWatts=0 "            \
	"ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s Reason=State=IDLE or not "                \
	"[root@2021-05-01T10:00:00]\n"

/* As documented for 24.05: with ResumeAfterTime, flags after the state, and a comment after the reason. */
#define NODE_2405                                                                                            \
	"NodeName=d1 Arch=x86_64 CoresPerSocket=32 CPUAlloc=64 CPUEfctv=64 CPUTot=64 CPULoad=63.10 "         \
	"AvailableFeatures=amd ActiveFeatures=amd Gres=gpu:h100:8(S:0-1) NodeAddr=d1 NodeHostName=d1 "       \
	"Version=24.05.3 OS=Linux 5.14.0 #1 SMP RealMemory=512000 AllocMem=500000 FreeMem=9000 Sockets=2 "   \
	"Boards=1 State=ALLOCATED+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A "        \
	"Partitions=long BootTime=2024-09-01T08:00:00 SlurmdStartTime=2024-09-01T08:01:00 "                  \
	"LastBusyTime=2024-09-02T08:00:00 ResumeAfterTime=None CfgTRES=cpu=64,mem=500G "                     \
	"AllocTRES=cpu=64,mem=500000M CurrentWatts=n/a AveWatts=n/a  Reason=fan broken "                     \
	"[eva@2024-09-02T07:00:00] Comment=rack 3\n"

static void nodes_of_three_versions_are_read(void **state)
{
	struct slurm_cluster c = {.node = NULL};

	(void)state;
	must(slurm_read_nodes, &c, NODE_2205 NODE_2011 NODE_2405);
	assert_int_equal(c.nodes, 3);
	assert_string_equal(c.node[0].name, "n3");
	assert_int_equal(c.node[0].procs, 15);
	assert_int_equal(c.node[0].mem_mb, 4000);
	assert_int_equal(c.node[0].procs_taken, 2);
	assert_int_equal(c.node[0].mem_taken_mb, 300);
	assert_string_equal(c.node[0].features, "fast ib");
	assert_string_equal(c.node[0].partitions, "main gpu");
	assert_string_equal(c.node[0].gres, "gpu:3 gpu_a100:2 gpu_v100:1");
	assert_false(c.node[0].shut);
	assert_string_equal(c.node[1].name, "c1");
	assert_int_equal(c.node[1].procs, 16);
	assert_int_equal(c.node[1].disk_mb, 1000);
	assert_string_equal(c.node[1].features, "");
	assert_string_equal(c.node[1].state, "DOWN*");
	assert_true(c.node[1].shut);
	assert_string_equal(c.node[1].reason, "State=IDLE or not [root@2021-05-01T10:00:00]");
	assert_string_equal(c.node[2].gres, "gpu:8 gpu_h100:8");
	assert_true(c.node[2].shut);
	assert_string_equal(c.node[2].reason, "fan broken [eva@2024-09-02T07:00:00]");
	slurm_cluster_free(&c);
}

static void the_state_decides_whether_jobs_start_on_a_node(void **state)
{
	static const struct {
		const char *state;
		bool shut;
	} row[] = {{"IDLE", false},
		   {"ALLOCATED", false},
		   {"MIXED+PLANNED", false},
		   {"IDLE+CLOUD+POWERED_DOWN", false},
		   {"IDLE~", false},
		   {"IDLE+RESERVED", false},
		   {"ALLOCATED+COMPLETING", false},
		   {"IDLE+DRAIN", true},
		   {"MIXED*+DRAIN", true},
		   {"IDLE*", true},
		   {"MIXED*+CLOUD", true},
		   {"DOWN", true},
		   {"DOWN+NOT_RESPONDING", true},
		   {"IDLE+MAINTENANCE", true},
		   {"IDLE+FAIL", true},
		   {"UNKNOWN", true},
		   {"FUTURE", true},
		   {"IDLE+INVALID_REG", true},
		   {"IDLE+REBOOT_REQUESTED", true}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct slurm_cluster c = {.node = NULL};
		struct str text = {0};

		str_addf(&text, "NodeName=n1 CPUTot=4 State=%s\n", row[i].state);
		must(slurm_read_nodes, &c, str_text(&text));
		if (c.node[0].shut != row[i].shut)
			fail_msg("%s", row[i].state);
		str_free(&text);
		slurm_cluster_free(&c);
	}
}

static void a_bad_line_is_counted_and_the_others_are_read(void **state)
{
	struct slurm_cluster c = {.node = NULL};

	(void)state;
	must(slurm_read_nodes, &c,
	     "NodeName=n1 CPUTot=4 State=IDLE\nslurm_load_node: warning\nNodeName=n2 CPUTot=0 State=IDLE\n"
	     "NodeName=n[3] CPUTot=4 State=IDLE\nNodeName=n4 CPUTot=4\n");
	assert_int_equal(c.nodes, 1);
	assert_int_equal(c.bad.count, 4);
	assert_int_equal(c.bad.shown[0].line, 2);
	slurm_cluster_free(&c);
}

static void assert_refused(reader *read, const char *text, const char *expected)
{
	struct slurm_cluster c = {.node = NULL};
	struct err err = {{0}};

	assert_false(read_text(read, &c, text, &err));
	if (strstr(err.text, expected) == NULL)
		fail_msg("'%s' is not in '%s'", expected, err.text);
	slurm_cluster_free(&c);
}

static void an_incomplete_or_wrong_answer_is_refused(void **state)
{
	(void)state;
	assert_refused(slurm_read_nodes, "NodeName=n1 CPUTot=4 State=IDLE\nNodeName=n2 CPU", "cut off");
	assert_refused(slurm_read_nodes, "", "names no node");
	assert_refused(slurm_read_nodes, "No nodes in the system\n", "names no node");
	assert_refused(slurm_read_nodes, "<html>\n", "could be read");
	assert_refused(slurm_read_partitions, "PartitionName=a State=UP\nPart", "cut off");
	assert_refused(slurm_read_reservations, "ReservationName=x StartTime=soon EndTime=later\n",
		       "no valid times");
}

static void partitions_tell_how_their_nodes_are_shared(void **state)
{
	struct slurm_cluster c = {.node = NULL};

	(void)state;
	must(slurm_read_partitions, &c,
	     "PartitionName=gpu AllowGroups=ALL Default=NO OverSubscribe=FORCE:2 State=UP TotalCPUs=32\n"
	     "PartitionName=old Shared=EXCLUSIVE State=DOWN\n\n");
	assert_int_equal(c.partitions, 2);
	assert_string_equal(c.partition[0].sharing, "FORCE:2");
	assert_string_equal(c.partition[1].sharing, "EXCLUSIVE");
	assert_string_equal(c.partition[1].state, "DOWN");
	slurm_cluster_free(&c);
}

static void reservations_of_nodes_and_of_cores_are_read(void **state)
{
	struct slurm_cluster c = {.node = NULL};

	(void)state;
	must(slurm_read_reservations, &c,
	     "ReservationName=maint StartTime=2026-11-30T02:00:00 EndTime=2026-11-30T04:00:00 "
	     "Duration=02:00:00 "
	     "Nodes=n[1-2] NodeCnt=2 CoreCnt=32 Features=(null) PartitionName=main Flags=MAINT TRES=cpu=32 "
	     "Users=(null) Groups=(null) Accounts=physics,chem Licenses=(null) State=INACTIVE\n"
	     "ReservationName=daily StartTime=2026-11-30T02:51:41 EndTime=2026-11-30T03:21:41 "
	     "Duration=00:30:00 "
	     "Nodes=n2 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=main Flags=DAILY,SPEC_NODES   "
	     "NodeName=n2 CoreIDs=0-3 TRES=cpu=4 Users=root,nobody Groups=(null) Accounts=(null) "
	     "Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a MaxStartDelay=(null)\n");
	assert_int_equal(c.reservations, 2);
	assert_string_equal(c.reservation[0].hosts, "n[1-2]");
	assert_string_equal(c.reservation[0].accounts, "physics,chem");
	assert_string_equal(c.reservation[0].users, "");
	assert_int_equal(c.reservation[0].end_s - c.reservation[0].begin_s, 7200);
	assert_true(c.reservation[0].whole);
	assert_false(c.reservation[1].whole);
	assert_string_equal(c.reservation[1].users, "root,nobody");
	slurm_cluster_free(&c);
}

static void no_reservation_is_no_error(void **state)
{
	struct slurm_cluster c = {.node = NULL};

	(void)state;
	must(slurm_read_reservations, &c, "No reservations in the system\n");
	must(slurm_read_reservations, &c, "");
	assert_int_equal(c.reservations, 0);
	assert_int_equal(c.bad.count, 0);
	slurm_cluster_free(&c);
}

static void a_generated_cluster_of_each_version_is_read_without_a_bad_line(void **state)
{
	static const unsigned versions[] = {2011, 2205, 2405};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct slurm_model m = {.seed = 1,
					      .version = versions[i],
					      .nodes = 200,
					      .jobs = 100,
					      .busy_pct = 20,
					      .now_s = 1795920000};
		struct slurm_cluster c = {.node = NULL};
		struct str nodes = {0}, partitions = {0}, reservations = {0};

		slurm_output_nodes(&m, &nodes);
		slurm_output_partitions(&m, &partitions);
		slurm_output_reservations(&m, &reservations);
		must(slurm_read_nodes, &c, str_text(&nodes));
		must(slurm_read_partitions, &c, str_text(&partitions));
		must(slurm_read_reservations, &c, str_text(&reservations));
		assert_int_equal(c.nodes, 200);
		assert_int_equal(c.partitions, 3);
		assert_int_equal(c.reservations, 1);
		assert_int_equal(c.bad.count, 0);
		assert_true(c.node[96].shut);
		assert_string_equal(c.node[7].gres, "gpu:4 gpu_a100:4");
		str_free(&nodes);
		str_free(&partitions);
		str_free(&reservations);
		slurm_cluster_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_of_three_versions_are_read),
		cmocka_unit_test(the_state_decides_whether_jobs_start_on_a_node),
		cmocka_unit_test(a_bad_line_is_counted_and_the_others_are_read),
		cmocka_unit_test(an_incomplete_or_wrong_answer_is_refused),
		cmocka_unit_test(partitions_tell_how_their_nodes_are_shared),
		cmocka_unit_test(reservations_of_nodes_and_of_cores_are_read),
		cmocka_unit_test(no_reservation_is_no_error),
		cmocka_unit_test(a_generated_cluster_of_each_version_is_read_without_a_bad_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
