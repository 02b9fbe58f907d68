/* SPDX-License-Identifier: MIT */
/*
 * assume.h - assumptions about run times for projections
 *
 * A projection assumes one of: every job runs to its wallclock limit; every job runs the fraction of its
 * limit that is usual for its user; every job runs the fraction that is usual for all users. accuracy_note
 * records ended jobs one by one, in any order; assume_shares computes from them the fractions that
 * project_run needs.
 *
 * "Usual" is the median, which, unlike a mean, is not moved by one forgotten job that ran to its limit or by
 * a series of jobs that failed in their first second. A user's own median counts if at least
 * ASSUME_JOBS_LEAST jobs are known; otherwise that of all users. D. Tsafrir, Y. Etsion and D. Feitelson,
 * Backfilling Using System-Generated Predictions Rather Than User Runtime Estimates (IEEE TPDS 18(6), 2007),
 * show that a user's past jobs predict run times better than the requested limits; they use the mean of the
 * last two jobs.
 */
#ifndef MODEL_ASSUME_H
#define MODEL_ASSUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "snapshot.h"

enum assume_kind {
	ASSUME_WCLIMIT, /* every job runs to its wallclock limit */
	ASSUME_HISTORY, /* every job runs the fraction of its limit that is usual for its user */
	ASSUME_MEDIAN,  /* every job runs the fraction that is usual for all users */
	ASSUME_KIND_COUNT
};

#define ASSUME_LOOK_BACK_S (30 * INT64_C(86400)) /* jobs that ended longer ago do not count */
/* Minimum number of jobs from which a usual fraction is computed. */
#define ASSUME_JOBS_LEAST 5

/*
 * assume_name returns "wclimit", "history" or "median" (static storage). assume_read finds the kind by this
 * name, ignoring case; for an unknown name it returns false with err set.
 */
const char *assume_name(enum assume_kind kind);
bool assume_read(const char *text, enum assume_kind *out, struct err *err);

/*
 * Histogram of jobs by the percentage of the wallclock limit that they ran: step k counts jobs that ran more
 * than k - 1 and at most k percent.
 */
#define ACCURACY_STEPS 100
struct accuracy_of {
	char *user; /* name of the user; NULL: all users */
	uint32_t jobs;
	uint32_t step[ACCURACY_STEPS + 1];
};

/* All histograms. A zeroed struct is a valid empty one; accuracy_clear frees it. */
struct accuracy {
	struct accuracy_of all;
	struct accuracy_of *user; /* histograms of the users, sorted by name */
	size_t count, room;
};

/*
 * Records a job that ended by itself or at its limit, with its run time. Cancelled and lost jobs must not be
 * recorded: they say nothing about run times. If user is NULL, the job counts for all users only.
 */
void accuracy_note(struct accuracy *a, const char *user, int64_t run_s, int64_t wall_limit_s);
void accuracy_clear(struct accuracy *a);

/*
 * Returns the median: the smallest fraction, in steps of 1/100, that half of the jobs did not exceed; 1
 * without jobs.
 */
double accuracy_median(const struct accuracy_of *of);

/* Returns the histogram of one user, NULL if no job of the user is known. */
const struct accuracy_of *accuracy_find(const struct accuracy *a, const char *user);

/*
 * Returns the usual fraction of the wallclock limit that a job of this user runs: the median of the user's
 * jobs, or of all users' jobs if fewer than ASSUME_JOBS_LEAST jobs of the user are known. 0 if fewer jobs are
 * known in total, or if `a` is NULL.
 */
double assume_usual_share(const struct accuracy *a, const char *user);

/* The fractions for one assumption. A zeroed struct is empty; the owner frees share. */
struct assumed {
	double *share; /* fraction of the limit, by credential of the snapshot */
	size_t room;
};

/*
 * Computes project_setup.run_share for the snapshot: for each credential that is a user, the fraction that is
 * assumed for the user's jobs; 1 for every other credential. Returns NULL for ASSUME_WCLIMIT, for which `a`
 * may be NULL. The result belongs to `out` and is valid while the snapshot's credentials stay the same.
 */
const double *assume_shares(struct assumed *out, const struct snapshot *s, const struct accuracy *a,
			    enum assume_kind kind);

#endif
