/* SPDX-License-Identifier: MIT */
/*
 * comparison.h - starts of the same jobs in several futures
 *
 * The jobs are those that wait in one snapshot. The first row is the future of that snapshot, every other row
 * the future of a draft based on it. Means are taken over the jobs that start in every row, so that all rows
 * describe the same jobs. Sums are kept in whole seconds, so that differences add up exactly.
 */
#ifndef FORECAST_COMPARISON_H
#define FORECAST_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "whatif.h"

/* Zero is a valid empty one; comparison_clear frees. */
struct comparison {
	const struct snapshot *s; /* of the first row; must outlive this                           */
	uint32_t *slot;           /* by job: of s, in the order of its WAITING table         */
	bool *common;             /* by job: it starts in every row                          */
	int64_t *start_s;         /* rows x jobs; TIME_NEVER = unknown, or the job is gone       */
	uint32_t jobs, common_jobs;
	size_t rows, slot_room, common_room, start_room;
};

/* Replaces the contents by the jobs of the first row and their starts. */
void comparison_begin(struct comparison *l, const struct whatif_side *side);
/* Adds a row and returns its number, from 1. side may be freed afterwards. */
size_t comparison_add(struct comparison *l, const struct whatif_side *side);
void comparison_clear(struct comparison *l);

static inline int64_t comparison_start_s(const struct comparison *l, size_t row, uint32_t job)
{
	return l->start_s[row * l->jobs + job];
}

/* Totals of one row over the jobs that start in every row; starts and starts_now count all jobs. */
void comparison_totals(const struct comparison *l, size_t row, int64_t now_s, struct whatif_totals *out);

/* The differences between two rows. */
struct start_changes {
	uint32_t changed;        /* jobs with another start, or a start in only one of the rows */
	uint32_t earlier, later; /* of those; a job that starts in only one row is earlier in it */
	uint64_t only;           /* the job, when changed is 1; else 0                           */
	int64_t gain_s;          /* wait saved by `to`, summed over the jobs that start in every row */
};
struct start_changes comparison_changes(const struct comparison *l, size_t from, size_t to);

#endif
