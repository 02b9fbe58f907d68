/* SPDX-License-Identifier: MIT */
/*
 * hash_replay.c - what does this build decide? hash_replay [SEED]
 *
 * Replays generated workloads under several policies and writes a line for each: the
 * workload, its own fingerprint, the policy, and the hash over every start and promise of
 * the replay. Between them the policies put every factor of the priority to work that a
 * simulated job can have. hash.sh compares the lines of different compilers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/host/replay.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

#define JOBS 2500

static const struct hash_machine {
	struct fake_cluster cluster;
	int64_t load_pct;
} machines[] = {
	{{.nodes = 64, .node_procs = 4, .node_mem_mb = 16000}, 110},
	{{.nodes = 100, .node_procs = 1}, 95},
	{{.nodes = 16, .node_procs = 16, .node_mem_mb = 64000}, 140},
};

static const struct hash_policy {
	const char *name, *preset, *text;
} policies[] = {
	{"fcfs", "fcfs", ""},
	{"easy", "easy", ""},
	{"conservative", "conservative", ""},
	{"waiting", NULL, "queuetimeweight = 7\nxfactorweight = 1000.3\nxfactorcap = 50\n"},
	{"size", NULL,
	 "resweight = 3\nprocweight = 0.7\nmemweight = 0.01\npeweight = 11.1\npsweight = 0.003\n"
	 "walltimeweight = 0.0007\n"},
	{"service", NULL,
	 "queuetimeweight = 0.3\nxfactorweight = 77\nbypassweight = 1.7\nreservationdepth = 20\n"
	 "reservationpolicy = highest\n"},
	{"targets", NULL,
	 "targetweight = 1\ntargetxfactorweight = 0.1\ntargetqueuetimeweight = 0.3\n"
	 "user DEFAULT {\n xftarget = 4.5\n qttarget = 7200\n}\n"},
	{"people", NULL,
	 "credweight = 1.5\nuserweight = 1\ngroupweight = 0.25\nclassweight = 0.1\nqueuetimeweight = 0.01\n"
	 "user u1 {\n priority = 5000.5\n}\nuser u2 {\n priority = -200\n}\ngroup g1 {\n priority = "
	 "33.3\n}\n"},
	{"everything", NULL,
	 "queuetimeweight = 1.1\nxfactorweight = 333.3\nprocweight = 2.7\nwalltimeweight = 0.001\n"
	 "userweight = 1\nuser u1 {\n priority = 5000.5\n}\ntargetxfactorweight = 0.01\n"
	 "user DEFAULT {\n xftarget = 3\n}\nbypassweight = 5\nreservationdepth = 5\n"},
	{"shares", NULL,
	 "fspolicy = dedicatedps\nfsinterval = 6:00:00\nfsdepth = 5\nfsdecay = 0.7\nfsweight = 1.3\n"
	 "fsuserweight = 100\nfsgroupweight = 33.3\nfsclassweight = 7.7\nqueuetimeweight = 0.1\n"
	 "user DEFAULT {\n fstarget = 3.3\n}\nuser u1 {\n fstarget = \"25-\"\n}\n"
	 "user u2 {\n fstarget = \"20+\"\n}\ngroup g1 {\n fstarget = \"35%\"\n}\nclass batch {\n fstarget = "
	 "60\n}\n"},
	{"limits", NULL,
	 "xfactorweight = 100\nreservationdepth = 3\nidlepromotion = newest\n"
	 "user DEFAULT {\n maxjob = \"4,9\"\n maxps = \"900000,4000000\"\n maxijob = 12\n}\n"
	 "group DEFAULT {\n maxproc = \"40,90\"\n maxpe = \"60,120\"\n}\n"
	 "class batch {\n maxjob = {\"20,30\", \"USER=3,5\"}\n}\nqos hi {\n omaxjob = \"3\"\n}\n"},
	{"nodes", NULL,
	 "queuetimeweight = 1\nprocweight = 1.1\nnodeallocationpolicy = priority\nbackfillpolicy = bestfit\n"
	 "backfillmetric = peseconds\n"
	 "node DEFAULT {\n priorityf = \".3 * APROCS - AMEM / 7001.3 + JOBCOUNT\"\n}\n"},
};

static uint64_t fingerprint(const struct trace *trace)
{
	struct str text = {0};
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	swf_write(trace, &text);
	for (size_t i = 0; i < text.len; i++)
		h = (h ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	str_free(&text);
	return h;
}

static bool replay_all(const struct trace *trace, const struct hash_machine *machine,
		       const struct hash_policy *policy, struct replay_summary *out, struct err *err)
{
	struct replay_setup setup = {
		.trace = trace,
		.cluster = machine->cluster,
		.config_file = policy->name,
		.config_text = policy->preset ? replay_preset(policy->preset) : policy->text,
		.until_s = TIME_NEVER,
	};
	struct replay *r = replay_new(&setup, (struct ledger){0}, err);
	bool ok = r && replay_run(r, TIME_NEVER, err);

	if (ok)
		replay_summarise(r, out);
	replay_free(r);
	return ok;
}

static bool print_hashes(const struct trace *trace, size_t machine)
{
	uint64_t workload = fingerprint(trace);

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct replay_summary summary;
		struct err err;

		if (!replay_all(trace, &machines[machine], &policies[i], &summary, &err)) {
			fprintf(stderr, "hash_replay: %s: %s\n", policies[i].name, err.text);
			return false;
		}
		printf("workload %zu %016" PRIx64 " %s %016" PRIx64 "\n", machine + 1, workload,
		       policies[i].name, summary.decisions_hash);
	}
	return true;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 11;
	bool ok = true;

	for (size_t m = 0; m < sizeof machines / sizeof *machines && ok; m++) {
		const struct workload_model model = {
			.seed = seed + m,
			.machine_procs = (int64_t)machines[m].cluster.nodes * machines[m].cluster.node_procs,
			.load_pct = machines[m].load_pct,
		};
		struct trace trace;

		workload_trace(&model, JOBS, 0, &trace);
		ok = print_hashes(&trace, m);
		trace_clear(&trace);
	}
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
