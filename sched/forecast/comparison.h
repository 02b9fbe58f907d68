/* SPDX-License-Identifier: MIT */
/*
 * comparison.h - when do the same jobs start in many futures?
 *
 * The jobs are those that wait in one snapshot, the first row is that one's own future, and every other row
 * is a draft's on it. Means are taken over the jobs that start in every row, so that all rows speak of the
 * same jobs; they are sums of whole seconds until then, so that differences add up exactly.
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
	const struct snapshot *s; /* of the first row; has to stay                           */
	uint32_t *slot;           /* by job: of s, in the order of its WAITING table         */
	bool *common;             /* by job: it starts in every row                          */
	int64_t *start_s;         /* rows x jobs; TIME_NEVER = not known, or it is gone       */
	uint32_t jobs, common_jobs;
	size_t rows, slot_room, common_room, start_room;
};

/* Replaces what it holds by the jobs of the first row and their starts. */
void comparison_begin(struct comparison *l, const struct whatif_side *side);
/* One more row; returns its number, from 1. side may go then. */
size_t comparison_add(struct comparison *l, const struct whatif_side *side);
void comparison_clear(struct comparison *l);

static inline int64_t comparison_start_s(const struct comparison *l, size_t row, uint32_t job)
{
	return l->start_s[row * l->jobs + job];
}

/* Of one row, over the jobs that start in every row; starts and starts_now over all. */
void comparison_totals(const struct comparison *l, size_t row, int64_t now_s, struct whatif_totals *out);

/* What lies between two rows. */
struct start_changes {
	uint32_t changed;        /* jobs whose start is another, in one of them perhaps none     */
	uint32_t earlier, later; /* of those; who starts in one row only is the earlier there    */
	uint64_t only;           /* the job, when changed is 1; else 0                           */
	int64_t gain_s;          /* waits that `to` saves, summed over the jobs that start in every row */
};
struct start_changes comparison_changes(const struct comparison *l, size_t from, size_t to);

#endif
