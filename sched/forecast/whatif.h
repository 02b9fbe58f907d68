/* SPDX-License-Identifier: MIT */
/*
 * whatif.h - what would a draft do: to each job, and to whom?
 *
 * Two futures of the same queue side by side, as things are and as a draft would have them. Where a future
 * comes from is its maker's business: the instant plan (plan.h) or the full projection (project.h). Compared
 * are jobs that wait in both; means are taken over those of them that start in both, so that both columns
 * speak of the same jobs.
 */
#ifndef FORECAST_WHATIF_H
#define FORECAST_WHATIF_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "sched/model/cred.h"
#include "sched/model/snapshot.h"

/* One future. start_s and end_s are by slot of s, TIME_NEVER = nobody knows. */
struct whatif_side {
	const struct snapshot *s;
	const struct plan *plan; /* of s: for the order */
	const int64_t *start_s;
};

/* Of the jobs that start in both futures; sums, so that means can be taken. */
struct whatif_totals {
	double wait_s, xfactor; /* sums: wait from submission; 1 + wait / wallclock limit */
	int64_t most_wait_s;
	double most_xfactor;
	int64_t last_start_s; /* TIME_NONE without any */
	uint32_t starts;      /* jobs that start in this future, whether in the other or not */
	uint32_t starts_now;
};

/* Counts a start; adds the wait of a job that starts. Totals begin with last_start_s TIME_NONE. */
void whatif_add_start(struct whatif_totals *t, int64_t start_s, int64_t now_s);
void whatif_add_wait(struct whatif_totals *t, const struct job *job, int64_t start_s);

struct whatif_job {
	uint64_t job;
	uint32_t slot_before, slot_after;
	uint32_t rank_before, rank_after;      /* place among the idle from 1; 0 = not idle */
	int64_t start_before_s, start_after_s; /* TIME_NEVER = not known */
	int64_t points_before, points_after;   /* priorities */
};

/* Who gains and who loses: one user, group, account, QOS or class. */
struct whatif_group {
	enum cred_type type;
	uint32_t cred; /* of the first side */
	uint32_t jobs; /* that start in both */
	uint32_t earlier, later;
	struct whatif_totals before, after;
};

struct whatif {
	struct whatif_job *job; /* in the order of the first side: idle by rank, then the others */
	size_t count, room;
	struct whatif_group *group; /* by type, then by the order of credentials; only those with jobs */
	size_t groups, group_room;
	struct whatif_totals before, after;
	uint32_t jobs; /* that start in both */
	uint32_t earlier, later, reordered;
	uint64_t most_delayed; /* id; 0 = none is delayed */
	int64_t most_delay_s;
};

/* Zero is a valid empty one. Replaces what it holds. */
void whatif_compare(struct whatif *w, const struct whatif_side *before, const struct whatif_side *after);
void whatif_clear(struct whatif *w);

/* A mean over the jobs that start in both; NaN without any. */
static inline double whatif_mean(double sum, uint32_t jobs)
{
	return jobs > 0 ? sum / jobs : (double)NAN;
}

#endif
