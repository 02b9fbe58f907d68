/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - job statistics, in total and by credential
 *
 * What runs and waits now is counted from the state, the rest from the jobs that have ended.
 */
#ifndef REPORT_STATISTICS_H
#define REPORT_STATISTICS_H

#include <stdbool.h>

#include "cmd_env.h"
#include "sched/host/ledger.h"
#include "sched/model/assume.h"

struct tally {
	uint64_t running, waiting;
	int64_t procs;    /* of running jobs                                        */
	double procs_s;   /* that these have dedicated so far, processor-seconds      */
	uint64_t ended;   /* here and below: jobs that have ended                   */
	uint64_t started; /* of them, those that ran                                */
	uint64_t backfilled;
	double asked_s;     /* processors times wallclock limit                       */
	double dedicated_s; /* processors times run time                              */
	double wait_s;      /* sum over those that ran, here and below                */
	int64_t most_wait_s;
	double xfactor, most_xfactor; /* 1 + wait / limit                             */
	double accuracy;              /* run time / limit                             */
	double known_s, used_s;       /* dedicated by, and used of, those whose manager said */
};

struct statistics {
	const struct snapshot *s;
	struct tally all;
	struct tally *of_cred;           /* by index of the snapshot's credentials */
	uint32_t *by_name;               /* private: credentials by type and name  */
	int64_t first_end_s, last_end_s; /* TIME_NONE: none has ended    */
};

/* Since when: a moment, or INT64_MIN. False: history could not be read. Release with statistics_clear. */
bool statistics_gather(struct statistics *st, struct cmd_env *env, int64_t since_s);
void statistics_clear(struct statistics *st);

/* --- statistics by job size and length ---------------------------------------------------------------- */

/*
 * The matrix of showgrid: a row for each doubling of processors, a column for each doubling of
 * the wallclock limit; a job stands in the first that holds it.
 */

/* Prints one statistic of the jobs that ended at or after since_s. CMD_USAGE: there is none of that name. */
enum cmd_status grid_print(struct cmd_env *env, const char *statistic, int64_t since_s);

/* --- wallclock accuracy of ended jobs ----------------------------------------------------------------- */

/*
 * The one place that says which jobs count: those that ran and came to their own end, or to their limit.
 */

/* Does it say how long such jobs run? */
bool accuracy_counts(const struct ended_job *ended);

/* All that ended within ASSUME_LOOK_BACK_S. False: env->err says why. */
bool accuracy_gather(struct cmd_env *env, struct accuracy *out);

/*
 * The assumption of --assume, without it that jobs run to their limits, and what it needs of history. USAGE:
 * it is none; FAILED: history cannot be read.
 */
enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out);

/* The assumption alone. False: --assume names none. */
bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind);

#define ASSUME_OPTION                                                                                        \
	{                                                                                                    \
		"--assume", "KIND",                                                                          \
			"how long jobs run: wclimit (to their limits), history (the share of the limit "     \
			"that "                                                                              \
			"recent jobs of the user took) or median (the share that all recent jobs took)"      \
	}

#endif
