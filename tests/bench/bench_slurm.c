/* SPDX-License-Identifier: MIT */
/*
 * bench_slurm.c - a poll of Slurm: 10 000 nodes and 100 000 jobs
 *
 * The answers are generated (slurm_output.h). Measured are the readers alone, the first comparison, which
 * puts everything into the state, and a later one in which nothing has changed.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sched/base/vec.h"
#include "sched/trace/slurm_compare.h"
#include "tests/slurm_output.h"

#define MARK  "markmark"
#define NOW   INT64_C(1795920000)
#define TIMES 3

struct answers {
	struct str nodes, partitions, reservations, jobs;
};

/* The readers change the text, so each time they get a copy. */
static void copy(const struct str *from, struct str *to)
{
	str_clear(to);
	str_add_bytes(to, from->data, from->len);
}

static bool read_all(struct slurm_cluster *c, struct answers *a, struct err *err)
{
	slurm_cluster_reset(c);
	return slurm_read_nodes(c, a->nodes.data, a->nodes.len, err) &&
	       slurm_read_partitions(c, a->partitions.data, a->partitions.len, err) &&
	       slurm_read_reservations(c, a->reservations.data, a->reservations.len, err) &&
	       slurm_read_jobs(c, a->jobs.data, a->jobs.len, MARK, err);
}

static void take(void *self, const struct event *reported)
{
	struct state *st = self;
	struct event ev = *reported;

	if (state_view(st)->now_s != TIME_NONE && ev.time_s < state_view(st)->now_s)
		ev.time_s = state_view(st)->now_s;
	if (!event_apply(st, &ev, NULL))
		abort();
}

static double compare(struct slurm_memory *memory, const struct slurm_cluster *c, struct state *st)
{
	double began_s = bench_cpu_s();

	slurm_compare(memory, c, st, NOW, take, st);
	return 1000 * (bench_cpu_s() - began_s);
}

int main(void)
{
	const struct slurm_model m = {
		.seed = 1, .version = 2405, .nodes = 10000, .jobs = 100000, .busy_pct = 95, .now_s = NOW};
	struct answers whole = {.nodes = {0}}, a = {.nodes = {0}};
	struct slurm_cluster c = {.node = NULL};
	struct slurm_memory memory = {.polled_s = 0};
	struct state *st = state_new();
	double best_ms = 1e9;
	struct err err;

	slurm_output_nodes(&m, &whole.nodes);
	slurm_output_partitions(&m, &whole.partitions);
	slurm_output_reservations(&m, &whole.reservations);
	slurm_output_jobs(&m, MARK, &whole.jobs);
	for (int i = 0; i < TIMES; i++) {
		double began_s, ms;

		copy(&whole.nodes, &a.nodes);
		copy(&whole.partitions, &a.partitions);
		copy(&whole.reservations, &a.reservations);
		copy(&whole.jobs, &a.jobs);
		began_s = bench_cpu_s();
		if (!read_all(&c, &a, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		ms = 1000 * (bench_cpu_s() - began_s);
		best_ms = ms < best_ms ? ms : best_ms;
	}
	if (c.nodes != m.nodes || c.jobs != m.jobs || c.bad.count != 0)
		return 1;
	bench_report("slurm: answers", (double)(whole.nodes.len + whole.jobs.len) / 1e6, "MB", NULL);
	bench_report("slurm: reading 10 000 nodes, 100 000 jobs", best_ms, "ms", "<=300");
	bench_report("slurm: first comparison", compare(&memory, &c, st), "ms", NULL);
	bench_report("slurm: comparison without a change", compare(&memory, &c, st), "ms", "<=300");
	slurm_memory_free(&memory);
	slurm_cluster_free(&c);
	state_free(st);
	str_free(&whole.nodes);
	str_free(&whole.partitions);
	str_free(&whole.reservations);
	str_free(&whole.jobs);
	str_free(&a.nodes);
	str_free(&a.partitions);
	str_free(&a.reservations);
	str_free(&a.jobs);
	return 0;
}
