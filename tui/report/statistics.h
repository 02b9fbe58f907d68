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
	int64_t procs;    /* processors of the running jobs */
	double procs_s;   /* processor-seconds of the running jobs so far */
	uint64_t ended;   /* ended jobs */
	uint64_t started; /* ended jobs that ran; all members below are about these jobs */
	uint64_t backfilled;
	double asked_s;     /* sum of processors times wallclock limit */
	double dedicated_s; /* sum of processors times run time */
	double wait_s;      /* sum of the waits */
	int64_t most_wait_s;
	double xfactor, most_xfactor; /* sum and maximum of 1 + wait / limit */
	double accuracy;              /* sum of run time / limit */
	/* processor-seconds allocated to, and used by, the jobs whose usage was measured */
	double known_s, used_s;
};

struct statistics {
	const struct snapshot *s;
	struct tally all;
	struct tally *of_cred;           /* by index of the credential in the snapshot */
	uint32_t *by_name;               /* private: credentials by type and name  */
	int64_t first_end_s, last_end_s; /* TIME_NONE: no job has ended */
};

/*
 * Gathers the statistics, with the jobs that ended at or after since_s; INT64_MIN: all ended jobs. Returns
 * false with env->err set if the history could not be read. Free with statistics_clear.
 */
bool statistics_gather(struct statistics *st, struct cmd_env *env, int64_t since_s);
void statistics_clear(struct statistics *st);

/* --- statistics by job size and length ---------------------------------------------------------------- */

/*
 * The matrix of Maui's showgrid: each row doubles the number of processors, each column doubles the wallclock
 * limit. A job is in the first row and column whose bound it does not exceed.
 */

/*
 * Prints one statistic of the jobs that ended at or after since_s. CMD_USAGE: the statistic does not exist.
 * CMD_FAILED: the history could not be read.
 */
enum cmd_status grid_print(struct cmd_env *env, const char *statistic, int64_t since_s);

/* --- wallclock accuracy of ended jobs ----------------------------------------------------------------- */

/* Only jobs that ended by themselves or at their limit count. */

/* Does the job count for the accuracy of wallclock limits? */
bool accuracy_counts(const struct ended_job *ended);

/*
 * Gathers the accuracy of the jobs that ended in the last ASSUME_LOOK_BACK_S seconds, at most the newest
 * ENDED_SAMPLE of them. Returns false with env->err set on failure.
 */
bool accuracy_gather(struct cmd_env *env, struct accuracy *out);

/*
 * Reads the option --assume (default: jobs run to their limits), and gathers the history that the assumption
 * needs. CMD_USAGE: unknown assumption. CMD_FAILED: the history cannot be read.
 */
enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out);

/*
 * Reads the option --assume, without the history. Returns false with env->err set for an unknown assumption.
 */
bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind);

#define ASSUME_OPTION                                                                                        \
	{                                                                                                    \
		"--assume", "KIND",                                                                          \
			"how long jobs run: wclimit (to their limits), history (the share of the limit "     \
			"that recent jobs of the user took) or median (the share that recent jobs of all "   \
			"users took)"                                                                        \
	}

#endif
