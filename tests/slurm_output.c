/* SPDX-License-Identifier: MIT */
/*
 * slurm_output.c - what Slurm's commands print about a generated cluster
 */
#include "slurm_output.h"

#include <stdio.h>
#include <time.h>

#include "sched/base/rng.h"

#define NODE_PROCS 32
#define JOB_PROCS  16

static const char *time_text(int64_t at_s, char buf[static 32])
{
	time_t at = (time_t)at_s;
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(buf, 32, "%Y-%m-%dT%H:%M:%S", &tm);
	return buf;
}

static uint32_t busy_nodes(const struct slurm_model *m)
{
	uint32_t busy = (uint32_t)((uint64_t)m->nodes * m->busy_pct / 100);

	return busy * 2 <= m->jobs ? busy : m->jobs / 2;
}

void slurm_output_nodes(const struct slurm_model *m, struct str *out)
{
	char when[32];

	time_text(m->now_s - 86400, when);
	for (uint32_t i = 1; i <= m->nodes; i++) {
		bool busy = i <= busy_nodes(m), gpu = i % 8 == 0, down = i % 97 == 0 && !busy;

		str_addf(out,
			 "NodeName=n%05u Arch=x86_64 CoresPerSocket=16 %s CPUAlloc=%d %sCPUTot=%d CPULoad=%s "
			 "AvailableFeatures=%s ActiveFeatures=%s Gres=%s NodeAddr=n%05u NodeHostName=n%05u "
			 "Version=%s OS=Linux 5.10.0-9-amd64 #1 SMP Debian 5.10.70-1 (2021-09-30)  "
			 "RealMemory=128000 AllocMem=%d FreeMem=%s Sockets=2 Boards=1 State=%s%s "
			 "ThreadsPerCore=1 TmpDisk=%s Weight=1 Owner=N/A MCS_label=N/A ",
			 i, m->version >= 2205 ? "" : " ", busy ? NODE_PROCS : 0,
			 m->version >= 2205 ? "CPUEfctv=32 " : "", NODE_PROCS, busy ? "31.99" : "0.01",
			 i % 2 ? "fast,ib" : "ib", i % 2 ? "fast,ib" : "ib",
			 gpu ? "gpu:a100:4(S:0-1)" : "(null)", i, i,
			 m->version == 2011   ? "20.11.9"
			 : m->version == 2205 ? "22.05.8"
					      : "24.05.3",
			 busy ? 64000 : 0, down ? "N/A" : "120000",
			 down   ? "DOWN"
			 : busy ? "ALLOCATED"
				: "IDLE",
			 down ? (m->version == 2011 ? "*" : "+NOT_RESPONDING") : "", i % 3 ? "0" : "200000");
		str_addf(out, "Partitions=batch%s%s  BootTime=%s SlurmdStartTime=%s ", gpu ? ",gpu" : "",
			 i % 4 == 1 ? ",whole" : "", when, when);
		if (m->version >= 2205)
			str_addf(out, "LastBusyTime=%s ", when);
		str_addf(
			out,
			"CfgTRES=cpu=32,mem=125G,billing=32 AllocTRES=%s CapWatts=n/a "
			"CurrentWatts=0 AveWatts=0 ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s",
			busy ? "cpu=32,mem=62.50G" : "");
		if (down)
			str_addf(out, " Reason=Not responding [slurm@%s]", when);
		str_add(out, " \n");
	}
}

void slurm_output_partitions(const struct slurm_model *m, struct str *out)
{
	static const struct {
		const char *name, *sharing, *limit;
	} part[] = {{"batch", "NO", "UNLIMITED"},
		    {"gpu", "NO", "2-00:00:00"},
		    {"whole", "EXCLUSIVE", "1-00:00:00"}};

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		str_addf(out,
			 "PartitionName=%s AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL "
			 "Default=%s "
			 "QoS=N/A DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO %sGraceTime=0 "
			 "Hidden=NO "
			 "MaxNodes=UNLIMITED MaxTime=%s MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED "
			 "%sNodes=n[00001-%05u] "
			 "PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=%s "
			 "OverTimeLimit=NONE PreemptMode=OFF State=UP TotalCPUs=%u TotalNodes=%u "
			 "SelectTypeParameters=NONE JobDefaults=(null) DefMemPerNode=UNLIMITED "
			 "MaxMemPerNode=UNLIMITED\n",
			 part[i].name, i == 0 ? "YES" : "NO", m->version >= 2405 ? "ExclusiveTopo=NO " : "",
			 part[i].limit, m->version >= 2405 ? "MaxCPUsPerSocket=UNLIMITED " : "", m->nodes,
			 part[i].sharing, m->nodes * NODE_PROCS, m->nodes);
}

void slurm_output_reservations(const struct slurm_model *m, struct str *out)
{
	char from[32], to[32];

	str_addf(out,
		 "ReservationName=maintenance StartTime=%s EndTime=%s Duration=02:00:00 Nodes=n[%05u-%05u] "
		 "NodeCnt=1 "
		 "CoreCnt=32 Features=(null) PartitionName=batch Flags=MAINT,SPEC_NODES TRES=cpu=32 "
		 "Users=root %s"
		 "Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a "
		 "MaxStartDelay=(null)\n",
		 time_text(m->now_s + 86400, from), time_text(m->now_s + 93600, to), m->nodes, m->nodes,
		 m->version >= 2205 ? "Groups=(null) " : "");
}

/* A line of squeue, without what is the same for all jobs. */
struct line {
	uint32_t id, procs, nodes, mem_mb;
	const char *task, *state, *partition, *reason, *gres, *features, *depends, *sharing, *asked, *name;
	int64_t limit_s, submit_s, start_s, end_s;
	unsigned user;
	char hosts[32];
	bool held;
};

static void add_line(const struct slurm_model *m, const char *mark, const struct line *l, struct str *out)
{
	static const char *const accounts[] = {"physics", "chemistry", "biology"};
	char submit[32], start[32], end[32];

	str_addf(out, "%u%s%s^%s^user%02u^staff^%s^normal^%s^%u^%u^%u^1^", l->id, l->task, mark, l->state,
		 l->user, accounts[l->user % 3], l->partition, l->procs, l->nodes, l->procs);
	if (l->limit_s == 0)
		str_add(out, "UNLIMITED");
	else
		str_addf(out, "%lld-%02lld:%02lld:00", (long long)(l->limit_s / 86400),
			 (long long)(l->limit_s / 3600 % 24), (long long)(l->limit_s / 60 % 60));
	str_addf(out,
		 "^%s^%s^%s^%s^%s^cpu=%u,mem=%uM,node=%u,billing=%u^N/A^%s%s^N/A^N/"
		 "A^%s^%s^%s^(null)^%s^(null)^%s^%s^%s^%s\n",
		 time_text(l->submit_s, submit), l->start_s ? time_text(l->start_s, start) : "N/A",
		 l->end_s ? time_text(l->end_s, end) : "N/A", l->reason, l->held ? "0" : "4294901760",
		 l->procs, l->mem_mb, l->nodes, l->procs,
		 l->gres[0] ? m->version >= 2405 ? "gres/" : "gres:" : "N/A", l->gres, l->features,
		 l->depends, l->sharing, l->asked, m->version >= 2405 ? "0:0" : "0",
		 m->version >= 2405 ? "0" : "N/A", l->hosts, l->name);
}

static void add_running(const struct slurm_model *m, uint32_t i, struct rng *rng, struct line *l)
{
	l->state = "RUNNING";
	l->reason = "None";
	l->procs = JOB_PROCS;
	l->mem_mb = 32000;
	l->limit_s = 3600 * (1 + (int64_t)rng_below(rng, 48));
	l->start_s = m->now_s - 1 - (int64_t)rng_below(rng, 3000);
	l->submit_s = l->start_s - (int64_t)rng_below(rng, 3600);
	l->end_s = l->start_s + l->limit_s;
	snprintf(l->hosts, sizeof l->hosts, "n%05u", i / 2 + 1);
}

/* Every waiting job is of one of ten kinds. */
static void add_waiting(const struct slurm_model *m, uint32_t i, struct rng *rng, struct line *l,
			char task[static 16])
{
	l->state = "PENDING";
	l->reason = i % 3 ? "Priority" : "Resources";
	l->procs = 1u << rng_below(rng, 6);
	l->mem_mb = l->procs * 2000;
	l->limit_s = 900 * (1 + (int64_t)rng_below(rng, 96));
	l->submit_s = m->now_s - 1 - (int64_t)rng_below(rng, 86400);
	switch (i % 10) {
	case 1:
		snprintf(task, 16, "_%u", i % 1000);
		break;
	case 2:
		l->depends = "afterok:7(unfulfilled)";
		l->reason = "Dependency";
		break;
	case 3:
		l->partition = "gpu";
		l->gres = "gpu:a100:1";
		break;
	case 4:
		l->features = i % 4 ? "fast&ib" : "ib";
		break;
	case 5:
		l->partition = "whole";
		l->sharing = "NO";
		break;
	case 6:
		l->held = true;
		l->reason = "JobHeldUser";
		break;
	case 7:
		l->nodes = 1u << rng_below(rng, 4);
		l->procs = l->nodes * NODE_PROCS;
		l->start_s = m->now_s + 600 + (int64_t)rng_below(rng, 86400);
		break;
	default:
		break;
	}
}

void slurm_output_jobs(const struct slurm_model *m, const char *mark, struct str *out)
{
	uint32_t running = 2 * busy_nodes(m);
	struct rng rng;

	rng_seed(&rng, m->seed);
	for (uint32_t i = 0; i < m->jobs; i++) {
		char task[16] = "";
		struct line l = {.id = i + 1,
				 .nodes = 1,
				 .task = task,
				 .partition = "batch",
				 .gres = "",
				 .features = "(null)",
				 .depends = "(null)",
				 .sharing = "OK",
				 .asked = "",
				 .name = i % 11 ? "run" : "a^b|c",
				 .user = (unsigned)rng_below(&rng, 40)};

		if (i < running)
			add_running(m, i, &rng, &l);
		else
			add_waiting(m, i, &rng, &l, task);
		add_line(m, mark, &l, out);
	}
}
