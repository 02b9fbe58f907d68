/* SPDX-License-Identifier: MIT */
/*
 * act.h - how does a verb act on several jobs?
 *
 * Jobs that are named must be able to take the change, or all is refused; of those that are
 * selected with -w, or meant by 12[] as tasks of an array, the ones that cannot take it are left out.
 */
#ifndef COMMAND_ACT_H
#define COMMAND_ACT_H

#include "cmd.h"

#define ACT_WHERE_OPTION                                                                                     \
	{                                                                                                    \
		"-w", "TERMS", "jobs that match: 'user=eva state=idle'"                                      \
	}

/* Adds what is to happen to one job; nothing when -w selected it and it cannot take it. */
typedef void act_one(struct cmd_env *env, const struct job *job, const void *what);

/* Of the words' jobs and -w; with -w alone those in one of the states, bits 1 << enum job_state. */
enum cmd_status act_on_jobs(struct cmd_env *env, char *const *word, int count, unsigned states, act_one *act,
			    const void *what);

#define ACT_WAITING (1u << JOB_IDLE)
#define ACT_RUNNING (1u << JOB_RUNNING)
#define ACT_ALL     (ACT_WAITING | ACT_RUNNING)

#endif
