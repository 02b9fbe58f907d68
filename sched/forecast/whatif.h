/* SPDX-License-Identifier: MIT */
/*
 * whatif.h - the effect of a draft on each job and each credential
 *
 * Compares two futures of the same queue: live and with the draft. Both come from the instant plan (plan.h),
 * or both from the full projection (project.h). Jobs that are idle in both futures are compared; means are
 * taken over the jobs that start in both, so that both columns describe the same jobs.
 */
#ifndef FORECAST_WHATIF_H
#define FORECAST_WHATIF_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "sched/model/cred.h"
#include "sched/model/snapshot.h"

/* One future. start_s: start by slot of s; TIME_NEVER = unknown. */
struct whatif_side {
	const struct snapshot *s;
	const struct plan *plan; /* plan of s, which gives the order of the queue */
	const int64_t *start_s;
};

/* Totals of a future over the jobs that start in all compared futures. Means are computed from the sums. */
struct whatif_totals {
	double wait_s, xfactor; /* sums: wait since submission; 1 + wait / wallclock limit */
	int64_t most_wait_s;
	double most_xfactor;
	int64_t last_start_s; /* TIME_NONE = no job starts */
	uint32_t starts; /* number of all jobs that start in this future, whether or not they start in the
			    others */
	uint32_t starts_now;
};

/*
 * whatif_add_start counts a start. whatif_add_wait adds the wait of a job that starts. Totals must be
 * initialised with last_start_s TIME_NONE.
 */
void whatif_add_start(struct whatif_totals *t, int64_t start_s, int64_t now_s);
void whatif_add_wait(struct whatif_totals *t, const struct job *job, int64_t start_s);

struct whatif_job {
	uint64_t job;
	uint32_t slot_before, slot_after;
	uint32_t rank_before, rank_after;      /* positions among the idle jobs, from 1; 0 = not idle */
	int64_t start_before_s, start_after_s; /* TIME_NEVER = unknown */
	int64_t points_before, points_after;   /* ranks of the job */
};

/* Gains and losses of one user, group, account, QOS or class. */
struct whatif_group {
	enum cred_type type;
	uint32_t cred; /* index of the credential in the snapshot before the draft */
	uint32_t jobs; /* number of jobs that start in both futures */
	uint32_t earlier, later;
	struct whatif_totals before, after;
};

struct whatif {
	struct whatif_job *job; /* in the order before the draft: idle jobs by rank, then blocked jobs */
	size_t count, room;
	struct whatif_group *group; /* by type, then in the order of the credential table; only credentials of
				       jobs that start */
	size_t groups, group_room;
	struct whatif_totals before, after;
	uint32_t jobs; /* number of jobs that start in both futures */
	uint32_t earlier, later, reordered;
	uint64_t most_delayed; /* ID of the job; 0 = no job is delayed */
	int64_t most_delay_s;
};

/*
 * Compares two futures and replaces the contents of *w. A zeroed struct is a valid empty one; whatif_clear
 * frees it.
 */
void whatif_compare(struct whatif *w, const struct whatif_side *before, const struct whatif_side *after);
void whatif_clear(struct whatif *w);

/* Returns the mean of a sum over this number of jobs; NaN if there are none. */
static inline double whatif_mean(double sum, uint32_t jobs)
{
	return jobs > 0 ? sum / jobs : (double)NAN;
}

#endif
