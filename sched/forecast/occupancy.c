/* SPDX-License-Identifier: MIT */
/*
 * occupancy.c - processors in use over time, in a projected future
 *
 * Each job adds processor-seconds to the slices it overlaps. The sums stay whole numbers until the division
 * at the end, so that the order of the jobs does not matter.
 */
#include "occupancy.h"

#include <stdlib.h>

#include "sched/base/vec.h"

struct slices {
	int64_t from_s, to_s;
	size_t count;
	int64_t *ps; /* processor-seconds, by slice */
};

/* Returns the beginning of a slice; the last slice ends at to_s. */
static int64_t begin_of(const struct slices *x, size_t slice)
{
	int64_t length_s = x->to_s - x->from_s, count = (int64_t)x->count, i = (int64_t)slice;

	return x->from_s + length_s / count * i + length_s % count * i / count;
}

static size_t slice_at(const struct slices *x, int64_t at_s)
{
	double part = (double)(at_s - x->from_s) / (double)(x->to_s - x->from_s);
	size_t slice = (size_t)(part * (double)x->count);

	slice = slice < x->count ? slice : x->count - 1;
	while (slice > 0 && begin_of(x, slice) > at_s)
		slice--;
	while (slice + 1 < x->count && begin_of(x, slice + 1) <= at_s)
		slice++;
	return slice;
}

static void add(struct slices *x, int64_t procs, int64_t start_s, int64_t end_s)
{
	int64_t from_s = start_s > x->from_s ? start_s : x->from_s;
	int64_t to_s = end_s < x->to_s ? end_s : x->to_s;

	if (from_s >= to_s)
		return;
	for (size_t i = slice_at(x, from_s); i < x->count && begin_of(x, i) < to_s; i++) {
		int64_t begin_s = begin_of(x, i), next_s = begin_of(x, i + 1);

		begin_s = begin_s > from_s ? begin_s : from_s;
		next_s = next_s < to_s ? next_s : to_s;
		x->ps[i] += procs * (next_s - begin_s);
	}
}

static void add_jobs(struct slices *x, const struct snapshot *s, const int64_t *start_s, const int64_t *end_s)
{
	const struct job *jobs = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint32_t slot = snapshot_running(s)[i];
		const struct job *job = &jobs[slot];
		int64_t ends_s = end_s ? end_s[slot] : job_due_end_s(job);

		/*
		 * A suspended job that released its processors uses them again only for the time that it has
		 * left.
		 */
		if (!job_is_released(job))
			add(x, job_procs_counted(job), job->start_s, ends_s);
		else if (ends_s != TIME_NEVER)
			add(x, job_procs_counted(job), ends_s - job_left_s(job, job->suspended_at_s), ends_s);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;

		if (start_s[slot] != TIME_NEVER)
			add(x, job_procs_counted(&jobs[slot]), start_s[slot],
			    end_s ? end_s[slot] : start_s[slot] + jobs[slot].wall_limit_s);
	}
}

void occupancy(const struct snapshot *s, const int64_t *start_s, const int64_t *end_s, int64_t from_s,
	       int64_t to_s, double *mean_procs, size_t count)
{
	struct slices x = {.from_s = from_s, .to_s = to_s, .count = count};

	for (size_t i = 0; i < count; i++)
		mean_procs[i] = 0;
	if (to_s <= from_s || count == 0)
		return;
	x.ps = mem_zero(count, sizeof *x.ps);
	add_jobs(&x, s, start_s, end_s);
	for (size_t i = 0; i < count; i++) {
		int64_t length_s = begin_of(&x, i + 1) - begin_of(&x, i);

		mean_procs[i] = length_s > 0 ? (double)x.ps[i] / (double)length_s : 0;
	}
	free(x.ps);
}
