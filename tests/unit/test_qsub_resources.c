/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_resources.c - resources of -l, job extensions of -W x=, and their errors
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/asked.h"

static void lists_of_features_have_several_separators(void **state)
{
	static const char *const options[] = {"-l feature=fast+big",   "-l features=fast:big",
					      "-l feature=fast,big",   "-l FEATURE='fast&big'",
					      "-W x=FEATURE:fast,big", "-l nodes=1:fast,feature=big"};

	(void)state;
	for (size_t i = 0; i < COUNT(options); i++) {
		struct submission s;

		asked(&s, NULL, options[i]);
		assert_string_equal(s.record.features, "fast big");
		submission_free(&s);
	}
}

/* M-27 */
static void job_extensions_are_equivalent_to_resources(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL,
	      "-W "
	      "'x=QOS:hi;PARTITION=p2;GRES:tape@2;HOSTLIST:n1,n2;PREF:FAST;TPN:2;DMEM:512;FLAGS:RESTARTABLE;"
	      "NACCESSPOLICY:SINGLEJOB;NALLOCPOLICY:FASTEST;QUEUEJOB:TRUE;' -l procs=4");
	assert_string_equal(s.record.cred[CRED_QOS], "hi");
	assert_string_equal(s.record.partition, "p2");
	assert_string_equal(s.record.gres, "tape:2");
	assert_string_equal(s.record.hosts, "n1 n2");
	assert_string_equal(s.record.prefer, "FAST");
	assert_int_equal(s.record.job.tasks_per_node, 2);
	assert_int_equal(s.record.job.mem_mb, 512);
	assert_int_equal(s.launch.flags, LAUNCH_REQUEUE);
	assert_int_equal(s.record.job.access, ACCESS_SINGLEJOB);
	assert_int_equal(s.record.job.allocation, ALLOCATE_FASTEST + 1);
	submission_free(&s);
}

static void node_access_and_allocation_policies_are_read(void **state)
{
	static const struct {
		const char *options;
		unsigned access, allocation;
	} choices[] = {
		{"", ACCESS_UNSET, 0},
		{"-l naccesspolicy=shared", ACCESS_SHARED, 0},
		{"-l naccesspolicy=SingleUser", ACCESS_SINGLEUSER, 0},
		{"-l nallocpolicy=lastavailable", ACCESS_UNSET, ALLOCATE_LASTAVAILABLE + 1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(choices); i++) {
		struct submission s;

		asked(&s, NULL, choices[i].options);
		assert_int_equal(s.record.job.access, choices[i].access);
		assert_int_equal(s.record.job.allocation, choices[i].allocation);
		submission_free(&s);
	}
}

/* Each chunk of select= is a task; place= determines the number of nodes. */
static void chunks_of_select_become_tasks(void **state)
{
	static const struct {
		const char *options;
		uint32_t tasks, procs, nodes, processes;
		int64_t mb;
		const char *gres, *features;
	} chunks[] = {
		{"-l select=2:ncpus=4:mem=8gb", 2, 4, 0, 2, 8192, NULL, NULL},
		{"-l select=2:ncpus=8:mpiprocs=4:ngpus=1", 2, 8, 0, 8, 0, "gpu:1", NULL},
		{"-l select=1:ncpus=2+1:ncpus=2", 2, 2, 0, 2, 0, NULL, NULL},
		{"-l select=ncpus=4", 1, 4, 0, 1, 0, NULL, NULL},
		{"-l select=3 -l place=scatter", 3, 1, 3, 3, 0, NULL, NULL},
		{"-l place=pack -l select=3:ncpus=2:big=True", 3, 2, 1, 3, 0, NULL, "big"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(chunks); i++) {
		struct submission s;

		asked(&s, NULL, chunks[i].options);
		assert_int_equal(s.record.job.tasks, chunks[i].tasks);
		assert_int_equal(s.record.job.task_procs, chunks[i].procs);
		assert_int_equal(s.record.job.nodes, chunks[i].nodes);
		assert_int_equal(s.record.job.mem_mb, chunks[i].mb);
		assert_int_equal(s.launch.tasks, chunks[i].processes);
		if (chunks[i].gres != NULL)
			assert_string_equal(s.record.gres, chunks[i].gres);
		if (chunks[i].features != NULL)
			assert_string_equal(s.record.features, chunks[i].features);
		submission_free(&s);
	}
}

static const struct asked_wrong wrong[] = {
	{"-l cputime=10", "-l: cputime is not a resource; 'kahu submit --help' lists resources"},
	{"-l nodes", "-l: \"nodes\" is not NAME=VALUE"},
	{"-l =2", "-l: \"=2\" is not NAME=VALUE"},
	{"-l ''", "-l: the value is empty"},
	{"-l walltime=10,fast",
	 "-l: walltime: \"10,fast\" is not a duration: write [[[DD:]HH:]MM:]SS or 90s, 15m, 2h, "
	 "3d, at most 3660d"},
	{"-l walltime=0", "-l: walltime: the duration must be at least one second"},
	{"-l mem=4g", "-l: mem: \"4g\" is not a memory size: write 512, 512mb, 4gb or 1tb"},
	{"-l pmem=-1", "-l: pmem: \"-1\" is not a memory size: write 512, 512mb, 4gb or 1tb"},
	{"-l vmem=", "-l: vmem: \"\" is not a memory size: write 512, 512mb, 4gb or 1tb"},
	{"-l pvmem=x", "-l: pvmem: \"x\" is not a memory size: write 512, 512mb, 4gb or 1tb"},
	{"-l gpus=none", "-l: gpus: \"none\" is not a whole number from 1 to 2147483647"},
	{"-l tpn=0", "-l: tpn: \"0\" is not a whole number from 1 to 2147483647"},
	{"-l ncpus=0", "-l: ncpus: \"0\" is not a whole number from 1 to 2147483647"},
	{"-l 'feature=fast|big'", "-l: feature: \"fast|big\": alternative features are not supported; list "
				  "the features that the job needs, as in fast+tape"},
	{"-l 'pref=fast|big'", "-l: pref: \"fast|big\": alternative features are not supported; list the "
			       "features that the job needs, "
			       "as in fast+tape"},
	{"-l feature=fast+fast", "-l: feature: fast is given twice"},
	{"-l feature=fast++big", "-l: feature: the value is empty"},
	{"-l select=2:ncpus=4+1:ncpus=8", "-l: select: the chunks differ; all tasks of a job must be equal: "
					  "submit two jobs, or request the same in each chunk"},
	{"-l select=0", "-l: select: \"0\" is not a whole number from 1 to 2147483647"},
	{"-l select=1:ncpus", "-l: select: \"ncpus\" is not NAME=VALUE"},
	{"-l select=1:ncpus=2:ncpu=2", "-l: select: unknown chunk resource \"ncpu=2\"; resources are "
				       "ncpus, mem, ngpus, mpiprocs, host and FEATURE=true"},
	{"-l place=near",
	 "-l: place: unknown placement \"near\"; write free, pack, scatter, excl, exclhost or shared"},
	{"-W x=ADVRES:ops.1",
	 "-W: x: advres: binding to reservation \"ops.1\" is not supported; remove the request"},
	{"-W x=NODESET:ONEOF:FEATURE",
	 "-W: x: nodeset: node sets (\"ONEOF:FEATURE\") are not supported; request a feature of the nodes"},
	{"-W x=TRL:2,4,8,16",
	 "-W: x: trl: alternative sizes (\"2,4,8,16\") are not supported; request one size"},
	{"-W x=QUEUEJOB:FALSE", "-W: x: queuejob: only TRUE is supported, because a job that cannot start "
				"now waits in the queue; 'kahu "
				"windows' shows what is free now"},
	{"-W x=FLAGS:PREEMPTOR",
	 "-W: x: flags: unknown job flag \"PREEMPTOR\"; the only flag is RESTARTABLE"},
	{"-W x=FAST", "-W: x: \"FAST\" is not a job extension; write NAME:VALUE;NAME:VALUE"},
	{"-W x=", "-W: x: \"\" is not a job extension; write NAME:VALUE;NAME:VALUE"},
};

static void an_invalid_resource_is_refused_with_the_reason(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

static void an_unknown_policy_is_refused_with_the_valid_ones(void **state)
{
	struct submission s;
	struct err err = {""};

	(void)state;
	assert_false(asked_try(&s, NULL, "-l naccesspolicy=mine", &err));
	assert_non_null(strstr(err.text, "-l: naccesspolicy: "));
	assert_non_null(strstr(err.text, "singlejob"));
	submission_free(&s);
	assert_false(asked_try(&s, NULL, "-l nallocpolicy=mine", &err));
	assert_non_null(strstr(err.text, "fastest"));
	submission_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_of_select_become_tasks),
		cmocka_unit_test(lists_of_features_have_several_separators),
		cmocka_unit_test(job_extensions_are_equivalent_to_resources),
		cmocka_unit_test(node_access_and_allocation_policies_are_read),
		cmocka_unit_test(an_invalid_resource_is_refused_with_the_reason),
		cmocka_unit_test(an_unknown_policy_is_refused_with_the_valid_ones),
	};

	return cmocka_run_group_tests_name("qsub_resources", tests, NULL, NULL);
}
