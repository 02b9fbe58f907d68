/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - how have jobs fared, of everybody and of each credential?
 *
 * What runs and waits now is counted from the state, the rest from the jobs that have ended.
 */
#ifndef REPORT_STATISTICS_H
#define REPORT_STATISTICS_H

#include "cmd_env.h"

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

#endif
