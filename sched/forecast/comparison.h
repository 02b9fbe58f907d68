/* SPDX-License-Identifier: MIT */
/*
 * comparison.h - starts of the same jobs in several futures
 *
 * The jobs are the idle jobs of one snapshot. The first row is the future of that snapshot; every other row
 * is the future of a draft based on it. Means are taken over the jobs that start in every row, so that all
 * rows describe the same jobs. Sums are kept in whole seconds, so that differences add up exactly.
 */
#ifndef FORECAST_COMPARISON_H
#define FORECAST_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "whatif.h"

/* A zeroed struct is a valid empty one; comparison_clear frees it. */
struct comparison {
	const struct snapshot *s; /* snapshot of the first row; must exist as long as the comparison */
	uint32_t *slot;           /* by job: its slot in s; jobs are in the order of the table WAITING */
	bool *common;             /* by job: true if it starts in every row */
	int64_t *start_s;         /* by row and job: start; TIME_NEVER = unknown, or the job is gone */
	uint32_t jobs, common_jobs;
	size_t rows, slot_room, common_room, start_room;
};

/* Replaces the contents: takes the jobs of this future and adds their starts as row 0. */
void comparison_begin(struct comparison *l, const struct whatif_side *side);
/* Adds a row and returns its number, from 1. `side` may be freed after the call. */
size_t comparison_add(struct comparison *l, const struct whatif_side *side);
void comparison_clear(struct comparison *l);

static inline int64_t comparison_start_s(const struct comparison *l, size_t row, uint32_t job)
{
	return l->start_s[row * l->jobs + job];
}

/*
 * Computes the totals of one row over the jobs that start in every row; starts and starts_now count all jobs.
 */
void comparison_totals(const struct comparison *l, size_t row, int64_t now_s, struct whatif_totals *out);

/* The differences between two rows, `from` and `to`. */
struct start_changes {
	uint32_t changed;        /* jobs with another start, or with a start in only one of the rows */
	uint32_t earlier, later; /* of the changed jobs; a job that starts only in `to` is counted as earlier,
				    only in `from` as later */
	uint64_t only;           /* ID of the job if changed is 1; else 0 */
	int64_t gain_s;          /* wait that `to` saves, summed over the jobs that start in every row */
};
struct start_changes comparison_changes(const struct comparison *l, size_t from, size_t to);

#endif
