/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_share.c - division of the requested resources among equal tasks, rounded up
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tests/asked.h"

/* Writes the request of the job: tasks x processors, nodes, tasks per node, memory, swap, generic resources,
 * hosts, features. */
static void describe(const struct job_record *r, char *out, size_t room)
{
	snprintf(out, room, "%ux%u n%u tpn%u mem%lld swap%lld %s %s %s", r->job.tasks, r->job.task_procs,
		 r->job.nodes, r->job.tasks_per_node, (long long)r->job.mem_mb, (long long)r->job.swap_mb,
		 r->gres ? r->gres : "-", r->hosts ? r->hosts : "-", r->features ? r->features : "-");
}

struct request {
	const char *options, *expected;
};

static void check_request(const char *script, const char *options, const char *expected)
{
	struct submission s;
	char text[256];

	asked(&s, script, options);
	describe(&s.record, text, sizeof text);
	if (strcmp(text, expected) != 0)
		fail_msg("%s%s: %s, not %s", script ? script : "", options, text, expected);
	submission_free(&s);
}

static const struct request pbs_requests[] = {
	{"nodes=2:ppn=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
	{"nodes=3", "3x1 n3 tpn0 mem0 swap0 - - -"},
	{"nodes=2:ppn=4:fast:big", "8x1 n2 tpn4 mem0 swap0 - - fast big"},
	{"nodes=2:ppn=4+1:ppn=4", "12x1 n3 tpn4 mem0 swap0 - - -"},
	{"nodes=n01+n02", "2x1 n2 tpn0 mem0 swap0 - n01 n02 -"},
	{"nodes=n01:ppn=2+n02:ppn=2", "4x1 n2 tpn2 mem0 swap0 - n01 n02 -"},
	{"procs=7", "7x1 n0 tpn0 mem0 swap0 - - -"},
	{"nodes=2,procs=7", "7x1 n2 tpn0 mem0 swap0 - - -"},
	{"ncpus=4", "4x1 n1 tpn4 mem0 swap0 - - -"},
	{"nodes=2,ncpus=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
	{"nodes=2:ppn=4,ncpus=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
	{"procs=8,tpn=2", "8x1 n0 tpn2 mem0 swap0 - - -"},
	{"nodes=1:ppn=4,mem=4gb", "4x1 n1 tpn4 mem1024 swap0 - - -"},
	{"procs=3,mem=1000", "3x1 n0 tpn0 mem334 swap0 - - -"},
	{"procs=3,mem=1000,pmem=400", "3x1 n0 tpn0 mem400 swap0 - - -"},
	{"procs=2,dmem=5,vmem=9,pvmem=4", "2x1 n0 tpn0 mem5 swap5 - - -"},
	{"gpus=2", "1x1 n1 tpn0 mem0 swap0 gpu:2 - -"},
	{"nodes=2:ppn=4,gpus=1", "2x4 n2 tpn0 mem0 swap0 gpu:1 - -"},
	{"nodes=2:ppn=4:gpus=2", "4x2 n2 tpn2 mem0 swap0 gpu:1 - -"},
	{"nodes=1:ppn=4,gpus=4", "4x1 n1 tpn4 mem0 swap0 gpu:1 - -"},
	{"nodes=1:ppn=4,gpus=6", "2x2 n1 tpn2 mem0 swap0 gpu:3 - -"},
	{"procs=4,gpus=1,mem=4gb,pmem=2gb", "1x4 n1 tpn0 mem8192 swap0 gpu:1 - -"},
	{"procs=4,gres=tape:2+matlab", "4x1 n0 tpn0 mem0 swap0 tape:2 matlab:1 - -"},
	{"procs=4,gres=tape:0", "4x1 n0 tpn0 mem0 swap0 - - -"},
	{"nodes=1:ppn=4,gpus=2,gres=tape", "2x2 n1 tpn2 mem0 swap0 gpu:1 tape:2 - -"},
	{"procs=6,software=matlab:4", "2x3 n0 tpn0 mem0 swap0 matlab:2 - -"},
	{"nodes=2:ppn=2,software=matlab:2", "2x2 n2 tpn0 mem0 swap0 matlab:1 - -"},
	{"nodes=1:ppn=12,gres=a@3,software=b:4,gpus=6", "2x6 n1 tpn2 mem0 swap0 a:18 b:2 gpu:3 - -"},
};

static void resources_of_l_become_tasks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(pbs_requests); i++) {
		struct str options = {0};

		str_addf(&options, "-l %s", pbs_requests[i].options);
		check_request(NULL, str_text(&options), pbs_requests[i].expected);
		str_free(&options);
	}
}

static const struct request sbatch_requests[] = {
	{"-n 4", "4x1 n0 tpn0 mem0 swap0 - - -"},
	{"-n 4 -c 2", "4x2 n0 tpn0 mem0 swap0 - - -"},
	{"-N 2", "2x1 n2 tpn0 mem0 swap0 - - -"},
	{"-N 2 -n 7", "7x1 n2 tpn0 mem0 swap0 - - -"},
	{"-N2 --ntasks-per-node=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
	{"-n8 --ntasks-per-node=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
	{"-n2 --ntasks-per-node=2 -N1", "2x1 n1 tpn2 mem0 swap0 - - -"},
	{"--mem=4G", "1x1 n1 tpn0 mem4096 swap0 - - -"},
	{"-n 4 --mem=4000", "4x1 n1 tpn4 mem1000 swap0 - - -"},
	{"-N 2 -n 4 --mem 3g", "4x1 n2 tpn2 mem1536 swap0 - - -"},
	{"-n 4 -c 2 --mem-per-cpu=100M", "4x2 n0 tpn0 mem200 swap0 - - -"},
	{"--mem=2049K", "1x1 n1 tpn0 mem3 swap0 - - -"},
	{"-n 4 -G 2", "2x2 n0 tpn0 mem0 swap0 gpu:1 - -"},
	{"-N 2 -n 4 --gpus=4", "4x1 n2 tpn2 mem0 swap0 gpu:1 - -"},
	{"-N 2 --gres=gpu:2,tape", "2x1 n2 tpn0 mem0 swap0 gpu:2 tape:1 - -"},
	{"-n 2 --gpus-per-task=2", "2x1 n0 tpn0 mem0 swap0 gpu:2 - -"},
	{"-N 2 -n 4 --gpus-per-node=1", "2x2 n2 tpn0 mem0 swap0 gpu:1 - -"},
	{"-w n1,n2 -n 4 -C 'fast&big'", "4x1 n2 tpn0 mem0 swap0 - n1 n2 fast big"},
};

static void options_of_sbatch_become_tasks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sbatch_requests); i++) {
		struct str script = {0};

		str_addf(&script, "#!/bin/sh\n#SBATCH %s\nls\n", sbatch_requests[i].options);
		check_request(str_text(&script), "", sbatch_requests[i].expected);
		str_free(&script);
	}
}

static void the_command_line_overrides_the_script(void **state)
{
	static const struct {
		const char *line, *options, *expected;
	} both[] = {
		{"#PBS -l nodes=2:ppn=4:fast", "-l procs=3", "3x1 n0 tpn0 mem0 swap0 - - -"},
		{"#PBS -l procs=3", "-l nodes=2:ppn=4", "8x1 n2 tpn4 mem0 swap0 - - -"},
		{"#SBATCH -n 4 -c 2 --mem-per-cpu=1G", "-l pmem=100", "4x2 n0 tpn0 mem100 swap0 - - -"},
		{"#SBATCH -n 4 --gres=gpu:4", "-l gres=gpu:2", "4x1 n0 tpn0 mem0 swap0 gpu:2 - -"},
		{"#PBS -l gres=tape", "-l gres=gpu:2", "1x1 n0 tpn0 mem0 swap0 tape:1 gpu:2 - -"},
		{"#PBS -l nodes=2:fast -l feature=big", "-l feature=huge",
		 "2x1 n2 tpn0 mem0 swap0 - - fast huge"},
		{"#PBS -l mem=4gb\n#SBATCH -n 2", "-l vmem=10", "2x1 n0 tpn0 mem2048 swap5 - - -"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++)
		check_request(both[i].line, both[i].options, both[i].expected);
}

static const struct asked_wrong wrong[] = {
	{"-l nodes=2:ppn=4+1:ppn=8",
	 "-l: nodes: the node groups differ; all tasks of a job must be equal: submit two jobs, "
	 "or request the same on each node"},
	{"-l nodes=2:fast+1:big",
	 "-l: nodes: the node groups differ; all tasks of a job must be equal: submit two jobs, or "
	 "request the same on each node"},
	{"-l nodes=2+n01", "-l: nodes: named hosts and a number of other nodes cannot be combined"},
	{"-l nodes=n01+n01", "-l: nodes: n01 is given twice"},
	{"-l nodes=", "-l: nodes: the number of nodes is missing; write nodes=2:ppn=4 or nodes=n01+n02"},
	{"-l nodes=0", "-l: nodes: \"0\" is not a whole number from 1 to 2147483647"},
	{"-l nodes=2147483648", "-l: nodes: \"2147483648\" is not a whole number from 1 to 2147483647"},
	{"-l nodes=2147483647+1", "-l: nodes: too many nodes; the maximum is 2147483647"},
	{"-l nodes=99999999999999999999",
	 "-l: nodes: \"99999999999999999999\" is not a whole number from 1 to 2147483647"},
	{"-l nodes=2:ppn=x", "-l: nodes: ppn: \"x\" is not a whole number from 1 to 2147483647"},
	{"-l nodes=2:gpus=0", "-l: nodes: gpus: \"0\" is not a whole number from 1 to 2147483647"},
	{"-l nodes=2:mics=1", "-l: nodes: \"mics=1\" is neither ppn=, gpus= nor a feature"},
	{"-l nodes=2:", "-l: nodes: \"\" is neither ppn=, gpus= nor a feature"},
	{"-l 'nodes=2:fast|big'", "-l: nodes: \"fast|big\": alternative features are not supported; list the "
				  "features that the job needs"},
	{"-l nodes=2147483647:ppn=2",
	 "4294967294 tasks of 1 processors exceed the maximum of 2147483647 processors"},
	{"-l nodes=4,procs=2", "2 tasks cannot run on 4 nodes; request at least one task per node"},
	{"-l nodes=2:ppn=4,procs=6", "6 tasks are not 4 on each of 2 nodes; give only two of these numbers"},
	{"-l nodes=2,nodes=3", "-l: nodes: nodes: 3 is requested here, but 2 before; request it once"},
	{"-l nodes=2:ppn=4,ncpus=2",
	 "-l: ncpus: processors of a node: 2 is requested here, but 4 before; request it once"},
	{"-l procs=2 -l procs=3",
	 "-l: procs: processors: 3 is requested here, but 2 before; request it once"},
	{"-l gpus=2,gres=gpu:2", "-l: gres: gpu is requested twice in different terms; request it once"},
	{"-l nodes=2,software=matlab",
	 "1 matlab cannot be divided among 2 nodes equally; request a multiple of the number of nodes"},
	{"-l nodes=2,procs=7,gpus=1",
	 "7 tasks on 2 nodes are not evenly distributed, so a per-node request "
	 "cannot be divided among them; request the resource per task or per processor"},
	{"-l procs=8,tpn=4,gpus=1",
	 "with fewer devices than tasks, several tasks must be merged into one, which conflicts with tpn=4; "
	 "request devices per task with gres="},
	{"-l procs=7,tpn=4", "tpn=4 requires a multiple of that number of tasks, got 7"},
	{"-l nodes=4:ppn=2,tpn=4", "tpn=4 requires a multiple of that number of tasks on each of 4 nodes; "
				   "this is impossible with a total of 8 tasks"},
	{"-l gres=a+b+c+d+e+f+g+h+i", "-l: gres: i exceeds the maximum of 8 kinds of resources"},
	{"-l gres=gpu:a100:2", "-l: gres: the count must be a whole number from 0 to 1000000, as in gpu:4"},
	{"-l gres=", "-l: gres: the name of a generic resource is missing before "},
	{"-l procs=4,gpus=1,pmem=1048576tb", "too much memory; the maximum is 1099511627776 MB"},
	{"-l procs=4,pmem=1048576tb",
	 "a job can request at most 1099511627776 MB of memory, not 4 tasks of 1099511627776 MB each"},
	{"-l hostlist=n1,nodes=n2", "nodes are named twice, as hostlist n1 and as nodes n2; name them once"},
};

static void a_request_that_cannot_be_divided_is_refused_with_the_reason(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resources_of_l_become_tasks),
		cmocka_unit_test(options_of_sbatch_become_tasks),
		cmocka_unit_test(the_command_line_overrides_the_script),
		cmocka_unit_test(a_request_that_cannot_be_divided_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests_name("qsub_share", tests, NULL, NULL);
}
