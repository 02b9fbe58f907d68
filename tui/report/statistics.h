/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - job statistics, in total and by credential
 *
 * Running and waiting jobs are counted from the state, all others from the history.
 */
#ifndef REPORT_STATISTICS_H
#define REPORT_STATISTICS_H

#include <stdbool.h>

#include "cmd_env.h"
#include "sched/host/ledger.h"
#include "sched/model/assume.h"

struct tally {
	uint64_t running, waiting;
	int64_t procs;    /* of running jobs */
	double procs_s;   /* used by these so far, processor-seconds */
	uint64_t ended;   /* here and below: ended jobs */
	uint64_t started; /* ended jobs that ran */
	uint64_t backfilled;
	double asked_s;     /* processors times wallclock limit                       */
	double dedicated_s; /* processors times run time                              */
	double wait_s;      /* sums over jobs that ran, here and below */
	int64_t most_wait_s;
	double xfactor, most_xfactor; /* 1 + wait / limit                             */
	double accuracy;              /* run time / limit                             */
	double known_s, used_s;       /* allocated to, and used by, jobs whose usage was measured */
};

struct statistics {
	const struct snapshot *s;
	struct tally all;
	struct tally *of_cred;           /* by index of the snapshot's credentials */
	uint32_t *by_name;               /* private: credentials by type and name  */
	int64_t first_end_s, last_end_s; /* TIME_NONE: no job has ended */
};

/* since_s: a time, or INT64_MIN. False: the history could not be read. Free with statistics_clear. */
bool statistics_gather(struct statistics *st, struct cmd_env *env, int64_t since_s);
void statistics_clear(struct statistics *st);

/* --- statistics by job size and length ---------------------------------------------------------------- */

/*
 * The matrix of showgrid: a row per doubling of processors, a column per doubling of the wallclock limit; a
 * job belongs to the first cell that it fits.
 */

/* Prints one statistic of the jobs that ended at or after since_s. CMD_USAGE: no such statistic. */
enum cmd_status grid_print(struct cmd_env *env, const char *statistic, int64_t since_s);

/* --- wallclock accuracy of ended jobs ----------------------------------------------------------------- */

/* Defines which jobs count: those that ended by themselves or at their limit. */

/* Does the job count for the accuracy of wallclock limits? */
bool accuracy_counts(const struct ended_job *ended);

/* The accuracy of all jobs that ended within ASSUME_LOOK_BACK_S. False: env->err says why. */
bool accuracy_gather(struct cmd_env *env, struct accuracy *out);

/*
 * The assumption of --assume, by default that jobs run to their limits, with the history it needs. USAGE:
 * unknown assumption; FAILED: the history cannot be read.
 */
enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out);

/* The assumption alone. False: unknown assumption. */
bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind);

#define ASSUME_OPTION                                                                                        \
	{                                                                                                    \
		"--assume", "KIND",                                                                          \
			"how long jobs run: wclimit (to their limits), history (the share of the limit "     \
			"that "                                                                              \
			"recent jobs of the user took) or median (the share that all recent jobs took)"      \
	}

#endif
