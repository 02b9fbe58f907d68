/* SPDX-License-Identifier: MIT */
/*
 * naive.h - when is enough free, found by looking at everything again?
 *
 * What the profile answers, from a list of who has how much from when to when; quadratic.
 */
#ifndef TESTS_NAIVE_H
#define TESTS_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/snapshot.h"

struct span {
	int64_t begin_s, end_s, procs;
};

struct naive {
	int64_t machine, now_s;
	struct span span[256];
	int count;
};

static inline void naive_take(struct naive *n, int64_t begin_s, int64_t wall_s, int64_t procs)
{
	n->span[n->count++] = (struct span){begin_s, begin_s + wall_s, procs};
}

/* The machine with its running jobs, each until its limit. */
static inline void naive_begin(struct naive *n, const struct snapshot *s, int64_t now_s)
{
	*n = (struct naive){.machine = s->procs_total, .now_s = now_s};
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];
		int64_t left_s = job_due_end_s(job) - now_s;

		naive_take(n, now_s, left_s > 0 ? left_s : 1, job_procs(job));
	}
}

static inline int64_t naive_free(const struct naive *n, int64_t at_s)
{
	int64_t left = n->machine;

	for (int i = 0; i < n->count; i++)
		if (n->span[i].begin_s <= at_s && at_s < n->span[i].end_s)
			left -= n->span[i].procs;
	return left;
}

/* What is free falls only where a span begins. */
static inline bool naive_fits(const struct naive *n, int64_t begin_s, int64_t wall_s, int64_t procs)
{
	if (naive_free(n, begin_s) < procs)
		return false;
	for (int i = 0; i < n->count; i++)
		if (begin_s < n->span[i].begin_s && n->span[i].begin_s < begin_s + wall_s &&
		    naive_free(n, n->span[i].begin_s) < procs)
			return false;
	return true;
}

/* From from_s on, a job can begin there or where another ends. */
static inline int64_t naive_earliest(const struct naive *n, int64_t from_s, int64_t wall_s, int64_t procs)
{
	int64_t best_s = TIME_NEVER;

	if (naive_fits(n, from_s, wall_s, procs))
		return from_s;
	for (int i = 0; i < n->count; i++)
		if (n->span[i].end_s > from_s && n->span[i].end_s < best_s &&
		    naive_fits(n, n->span[i].end_s, wall_s, procs))
			best_s = n->span[i].end_s;
	return best_s;
}

#endif
