/* SPDX-License-Identifier: MIT */
/*
 * assume.h - for how much of its wallclock limit will a job run?
 *
 * Three assumptions of a projection: all run to their limits; each runs the share that its user's jobs
 * usually ran; all run the share that everybody's usually did. The jobs that have ended are told one by one
 * (accuracy_note), in any order, from whatever remembers them; assume_shares makes of it what project_run
 * asks for.
 *
 * Usually is the median: one forgotten job that ran to its limit, or a row that failed in its first second,
 * does not move it as it would a mean. A user's own counts from ASSUME_JOBS_LEAST jobs on, before that
 * everybody's. That people's own past foretells their run times better than their limits is from D. Tsafrir,
 * Y. Etsion and D. Feitelson, Backfilling Using System-Generated Predictions Rather Than User Runtime
 * Estimates (IEEE TPDS 18(6), 2007); they take the mean of the last two jobs.
 */
#ifndef MODEL_ASSUME_H
#define MODEL_ASSUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "snapshot.h"

enum assume_kind {
	ASSUME_WCLIMIT, /* to the wallclock limit */
	ASSUME_HISTORY, /* as each user's jobs did */
	ASSUME_MEDIAN,  /* as everybody's did */
	ASSUME_KIND_COUNT
};

#define ASSUME_LOOK_BACK_S (30 * INT64_C(86400)) /* how long ago a job that counts may have ended */
#define ASSUME_JOBS_LEAST  5

/* "wclimit", "history", "median"; static storage. By name, any case; the sentence names all three. */
const char *assume_name(enum assume_kind kind);
bool assume_read(const char *text, enum assume_kind *out, struct err *err);

/* How many jobs ran each percent of their limits: the k-th is of those that ran more than k - 1 and at
 * most k of a hundred. */
#define ACCURACY_STEPS 100
struct accuracy_of {
	char *user; /* NULL: everybody's */
	uint32_t jobs;
	uint32_t step[ACCURACY_STEPS + 1];
};

/* All that is known. Zero is a valid empty one; accuracy_clear frees. */
struct accuracy {
	struct accuracy_of all;
	struct accuracy_of *user; /* by name */
	size_t count, room;
};

/* A job ended by itself, or at its limit, having run for so long. One that was cancelled, or whose end is
 * not known, says nothing of how long such jobs run: it is not to be told. user NULL: of nobody. */
void accuracy_note(struct accuracy *a, const char *user, int64_t run_s, int64_t wall_limit_s);
void accuracy_clear(struct accuracy *a);

/* The median: the smallest share, in hundredths, that half of the jobs did not run beyond; 1 without any job.
 */
double accuracy_median(const struct accuracy_of *of);

/* What is known of one user, NULL when nothing is. */
const struct accuracy_of *accuracy_find(const struct accuracy *a, const char *user);

/* Which share of its limit a job of this user usually runs: the median of the user's jobs, or of everybody's
 * where the user has fewer than ASSUME_JOBS_LEAST; 0 where fewer are known of anybody, or a is NULL. */
double assume_usual_share(const struct accuracy *a, const char *user);

/* Memory for the shares of one assumption. Zero is empty; free(share). */
struct assumed {
	double *share; /* by credential of s */
	size_t room;
};

/*
 * project_setup.run_share for the snapshot: by credential, of users; 1 for the others. NULL for
 * ASSUME_WCLIMIT, for which a may be NULL. It is out's, and good as long as the snapshot's credentials are
 * the same.
 */
const double *assume_shares(struct assumed *out, const struct snapshot *s, const struct accuracy *a,
			    enum assume_kind kind);

#endif
