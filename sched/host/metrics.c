/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - the scheduler's counters in Prometheus text format
 *
 * Source: prometheus.io, exposition formats (text, version 0.0.4).
 */
#include "metrics.h"

#include <inttypes.h>

#include "sched/base/str.h"

enum job_group {
	GROUP_RUNNING,
	GROUP_SUSPENDED,
	GROUP_WAITING,
	GROUP_HELD,
	GROUP_DEFERRED,
	GROUP_COUNT
};

static const char *const group_name[] = {
	[GROUP_RUNNING] = "running", [GROUP_SUSPENDED] = "suspended", [GROUP_WAITING] = "waiting",
	[GROUP_HELD] = "held",       [GROUP_DEFERRED] = "deferred",
};

static enum job_group group_of(const struct snapshot *s, const struct job *job)
{
	if (job->state == JOB_RUNNING)
		return (job->real & JOB_REAL_SUSPENDED) != 0 ? GROUP_SUSPENDED : GROUP_RUNNING;
	if (job->holds != 0)
		return GROUP_HELD;
	return job->defer_until_s != TIME_NONE && job->defer_until_s > s->now_s ? GROUP_DEFERRED
										: GROUP_WAITING;
}

static void count_jobs(const struct snapshot *s, uint64_t count[static GROUP_COUNT])
{
	const struct job *jobs = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		count[group_of(s, &jobs[snapshot_waiting(s)[i].slot])]++;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		count[group_of(s, &jobs[snapshot_running(s)[i]])]++;
}

static void head(struct str *out, const char *name, const char *kind, const char *help)
{
	str_addf(out, "# HELP kahu_%s %s\n# TYPE kahu_%s %s\n", name, help, name, kind);
}

static void gauge(struct str *out, const char *name, const char *help, int64_t value)
{
	head(out, name, "gauge", help);
	str_addf(out, "kahu_%s %" PRId64 "\n", name, value);
}

static void counter(struct str *out, const char *name, const char *help, uint64_t value)
{
	head(out, name, "counter", help);
	str_addf(out, "kahu_%s %" PRIu64 "\n", name, value);
}

/* Appends a metric as a sum and a count, from which a query computes the mean. */
static void summary(struct str *out, const char *name, const char *help, double sum_s, uint64_t count)
{
	head(out, name, "summary", help);
	str_addf(out, "kahu_%s_sum ", name);
	str_add_real(out, sum_s);
	str_addf(out, "\nkahu_%s_count %" PRIu64 "\n", name, count);
}

static void print_jobs(const struct snapshot *s, struct str *out)
{
	uint64_t count[GROUP_COUNT] = {0};

	count_jobs(s, count);
	head(out, "jobs", "gauge", "Jobs by state.");
	for (int g = 0; g < GROUP_COUNT; g++)
		str_addf(out, "kahu_jobs{state=\"%s\"} %" PRIu64 "\n", group_name[g], count[g]);
}

static void print_machine(const struct snapshot *s, struct str *out)
{
	gauge(out, "procs", "Number of processors.", s->procs_total);
	gauge(out, "procs_busy", "Processors allocated to jobs.", s->procs_busy);
	gauge(out, "nodes", "Number of nodes.", snapshot_count(s, TABLE_NODES));
	gauge(out, "nodes_busy", "Nodes with allocated processors.", s->nodes_busy);
}

static void print_ends(const struct figures *figures, struct str *out)
{
	head(out, "jobs_ended_total", "counter", "Jobs that have left the queue, by outcome.");
	for (int o = 0; o < OUTCOME_COUNT; o++)
		str_addf(out, "kahu_jobs_ended_total{outcome=\"%s\"} %" PRIu64 "\n",
			 outcome_name((enum outcome)o), figures->ended[o]);
}

void metrics_print(const struct snapshot *s, const struct figures *figures, struct str *out)
{
	print_jobs(s, out);
	print_machine(s, out);
	counter(out, "jobs_submitted_total", "Jobs that were submitted.", figures->submitted);
	counter(out, "jobs_started_total", "Jobs that were started.", figures->started);
	counter(out, "starts_refused_total", "Starts that failed.", figures->refused);
	print_ends(figures, out);
	summary(out, "queue_wait_seconds", "Time from submission to start.", (double)figures->waited_s,
		figures->waits);
	summary(out, "pass_seconds", "Duration of scheduling passes.", (double)figures->pass_ns / 1e9,
		figures->passes);
	head(out, "last_event_timestamp_seconds", "gauge", "Time of the last event.");
	str_addf(out, "kahu_last_event_timestamp_seconds %" PRId64 "\n", s->now_s);
}
