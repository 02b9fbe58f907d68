/* SPDX-License-Identifier: MIT */
/*
 * hypothetical_job.h - a hypothetical job, submitted to a copy of the state
 *
 * The job is submitted now, as the requesting user or the user named by the options. Used by verbs whose
 * options are HYPOTHETICAL_JOB_OPTIONS.
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
	uint8_t holds;                     /* enum job_hold: holds of the new job */
	const char *cred[CRED_TYPE_COUNT]; /* credentials as requested; set by hypothetical_job_submit */
	char group[USER_NAME_SIZE];        /* group of the user, as in a real submission */
	struct state *copy;                /* state with the job in it */
	uint32_t slot;
};

/*
 * Submits the job to a copy of the state. The caller has set procs, wall_s and holds; all other attributes
 * come from the options. Returns false with env->err set if the submission would be refused. Free with
 * hypothetical_job_free.
 */
bool hypothetical_job_submit(struct hypothetical_job *w, struct cmd_env *env);
void hypothetical_job_free(struct hypothetical_job *w);

#endif
