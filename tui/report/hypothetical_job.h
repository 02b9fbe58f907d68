/* SPDX-License-Identifier: MIT */
/*
 * hypothetical_job.h - a hypothetical job, submitted to a copy of the state
 *
 * It is submitted to a copy of the state, now, in the name of the person who asks or of whom
 * the options name. Used by verbs whose options are HYPOTHETICAL_JOB_OPTIONS.
 */
#ifndef REPORT_HYPOTHETICAL_JOB_H
#define REPORT_HYPOTHETICAL_JOB_H

#include "cmd_env.h"
#include "tui/serve/users.h"

#define HYPOTHETICAL_JOB_OPTIONS                                                                             \
	{"-u", "USER", "user of the job (default: you)"},                                                    \
		{"-g", "GROUP", "group of the job (default: the primary group of the user)"},                \
		{"-a", "ACCOUNT", "account of the job"}, {"-c", "CLASS", "class of the job"},                \
		{"-q", "QOS", "QOS of the job"}, {"-m", "MEMORY", "memory for each task"},                   \
	{                                                                                                    \
		"-f", "FEATURES", "features that its nodes must have"                                        \
	}

struct hypothetical_job {
	int64_t procs, wall_s;
	uint8_t holds;                     /* enum job_hold: it waits for no pass to take it */
	const char *cred[CRED_TYPE_COUNT]; /* as asked for; filled by hypothetical_job_submit        */
	char group[PEOPLE_NAME];           /* that a submission of the user would have   */
	struct state *copy;                /* with the job in it                             */
	uint32_t slot;
};

/* procs, wall_s and holds say what it wants, options the rest. False with a sentence: it would be refused.
 * Release with hypothetical_job_free. */
bool hypothetical_job_submit(struct hypothetical_job *w, struct cmd_env *env);
void hypothetical_job_free(struct hypothetical_job *w);

#endif
