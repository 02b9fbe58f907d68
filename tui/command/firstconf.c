/* SPDX-License-Identifier: MIT */
/*
 * firstconf.c - which configuration does a host get that has none?
 *
 * A queue that is fair between those who use it: first come, first served, moved by what everybody had
 * lately; small jobs may pass by as long as they delay nobody who was promised a start. What a site is likely
 * to say next stands there as a comment.
 */
#include "firstconf.h"

#include <inttypes.h>
#include <time.h>

#define SYSTEM_SHARE  20  /* one in so many MB is kept for the system ...            */
#define SYSTEM_MIN_MB 512 /* ... and so many at least                                */
#define ALL_PERCENT   100.0

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

void firstconf_host(const struct facts *facts, struct str *out)
{
	str_addf(out, "%s: %" PRIu32 " processor%s", facts->host, facts->cpu_count, plural(facts->cpu_count));
	if (facts->core_count > 0 && facts->core_count < facts->cpu_count)
		str_addf(out, " on %" PRIu32 " core%s", facts->core_count, plural(facts->core_count));
	if (facts->numa_count > 1)
		str_addf(out, " in %" PRIu32 " NUMA domains", facts->numa_count);
	if (facts->mem_mb > 0)
		str_addf(out, ", %" PRId64 " MB of memory", facts->mem_mb);
	if (facts->device_count > 0)
		str_addf(out, ", %" PRIu32 " graphics processor%s (%s)", facts->device_count,
			 plural(facts->device_count), facts->device[0].kind);
}

static void print_head(const struct facts *facts, int64_t now_s, struct str *out)
{
	time_t now = (time_t)now_s;
	struct tm tm;
	char date[32];

	gmtime_r(&now, &tm);
	strftime(date, sizeof date, "%Y-%m-%d", &tm);
	str_addf(out, "# kahu.conf, written by 'kahu init' on %s for\n# ", date);
	firstconf_host(facts, out);
	str_add(out, ".\n#\n# It is yours now: 'kahu lint' says whether what you write can be read and will "
		     "do what "
		     "it\n"
		     "# seems to, 'kahu config' what holds, kahu.conf(5) what there is.\n\n");
}

static void print_host(const struct facts *facts, struct str *out)
{
	int64_t share_mb = facts->mem_mb / SYSTEM_SHARE;

	str_add(out,
		"# --- this host -----------------------------------------------------------------------\n\n"
		"# Processors and memory are found at each start; this much of them no job gets.\n"
		"systemprocs = 0\n");
	str_addf(out, "systemmemory = %" PRId64 "mb\n\n",
		 share_mb > SYSTEM_MIN_MB ? share_mb : (int64_t)SYSTEM_MIN_MB);
	if (facts->device_count > 0) {
		str_add(out, "# Graphics processors were found; say here which of them jobs may have.\n"
			     "# devices = \"");
		for (uint32_t i = 0; i < facts->device_count; i++)
			str_addf(out, "%s%s", i > 0 ? "," : "", facts->device[i].id);
		str_add(out, "\"\n\n");
	} else {
		str_add(out, "# No graphics processors were found; jobs that ask for gpus never start here.\n"
			     "# devices = \"0,1\"\n\n");
	}
	str_add(out, "# What else of it jobs may ask for:\n");
	str_addf(out, "# node %s { features = {\"fast\"} }\n\n", facts->host);
}

static void print_memory(const struct facts *facts, const char *why, struct str *out)
{
	switch (facts->level) {
	case HOLD_FULL:
		str_add(out, "# The memory that a job asks for is all it gets: the kernel sees to it "
			     "(cgroups).\n\n");
		break;
	case HOLD_KILL_ONLY:
	case HOLD_NONE:
		str_addf(out,
			 "# The memory that a job asks for is watched, every second, but not guarded by "
			 "the "
			 "kernel:\n"
			 "# %s.\n\n",
			 why);
		break;
	}
}

static void print_jobs(struct str *out)
{
	str_add(out,
		"# --- jobs ----------------------------------------------------------------------------\n\n"
		"# How long a job may run that does not say, and how long at most (0: as long as it says).\n"
		"systemdefaultjobwalltime = \"1:00:00\"\n"
		"systemmaxjobwalltime = \"7:00:00:00\"\n\n"
		"# The memory of a job that names none; without it nothing limits what such a job uses.\n"
		"# systemdefaultjobmemory = 2gb\n\n"
		"# A job that is to end has so long between TERM and KILL; it can be warned before its "
		"limit.\n"
		"jobgrace = 30s\n"
		"warnsignal = none\n"
		"warntime = 60s\n\n"
		"# Programs of yours around each job.\n"
		"# prolog = \"/usr/local/libexec/kahu-prolog\"\n"
		"# epilog = \"/usr/local/libexec/kahu-epilog\"\n\n");
}

static void print_order(struct str *out)
{
	str_add(out,
		"# --- who comes first "
		"-------------------------------------------------------------------\n\n"
		"# A minute of waiting is worth one point.\n"
		"queuetimeweight = 1\n\n"
		"# A job may pass by others that it does not delay; the first job that waits is promised a "
		"start.\n"
		"backfillpolicy = firstfit\n"
		"reservationdepth = 1\n\n"
		"# What everybody had in the last seven days counts, the older the less: each percent of "
		"the\n"
		"# machine above or below a target (see the sections below) is worth ten points.\n"
		"fspolicy = dedicatedps\n"
		"fsinterval = \"1:00:00:00\"\n"
		"fsdepth = 7\n"
		"fsdecay = 0.8\n"
		"fsweight = 1\n");
}

/* Each should get the same; at least a percent. */
static double equal_share(uint32_t count)
{
	double share = ALL_PERCENT / (count > 0 ? count : 1);

	return share < 1 ? 1 : share;
}

static void print_users(const struct host_users *users, struct str *out)
{
	str_add(out, "fsuserweight = 10\n");
	if (users->groups > 0)
		str_add(out, "fsgroupweight = 10\n");
	str_addf(out,
		 "\n# %" PRIu32 " %s log in here. The same share for everybody; for one as "
		 "'user eva { fstarget = \"40\" }'.\n"
		 "user DEFAULT { fstarget = \"%.1f\" }\n\n",
		 users->users, users->users == 1 ? "person can" : "people can", equal_share(users->users));
	str_add(out, "# Nobody has more than so many jobs running, or counted in the queue, at a time:\n"
		     "# user DEFAULT { maxjob = {\"20\"} maxijob = {\"50\"} }\n\n");
}

static void print_groups(const struct host_users *users, struct str *out)
{
	if (users->groups == 0)
		return;
	str_add(out, "# The groups of these people, with equal shares.\n");
	for (uint32_t i = 0; i < users->groups; i++)
		str_addf(out, "group \"%s\" { fstarget = \"%.1f\" } # %" PRIu32 " member%s\n",
			 users->group[i].name, equal_share(users->groups), users->group[i].members,
			 plural(users->group[i].members));
	str_add(out, "\n");
}

void firstconf_print(const struct facts *facts, const char *why, const struct host_users *users,
		     int64_t now_s, struct str *out)
{
	print_head(facts, now_s, out);
	print_host(facts, out);
	print_memory(facts, why, out);
	print_jobs(out);
	print_order(out);
	print_users(users, out);
	print_groups(users, out);
	str_add(out, "# Figures for Prometheus:\n"
		     "# metricsfile = \"/var/lib/prometheus/node-exporter/kahu.prom\"\n");
}
