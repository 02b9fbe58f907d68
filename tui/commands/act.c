/* SPDX-License-Identifier: MIT */
/*
 * act.c - how does a verb act on several jobs?
 */
#include "act.h"

#include <stdlib.h>

#include "select.h"

enum cmd_status act_on_jobs(struct cmd_env *env, char *const *word, int count, unsigned states, act_one *act,
			    const void *what)
{
	const char *where = cmd_option(env, "-w");
	struct job_selection chosen;

	if (!select_jobs(env->s, word, count, where, &chosen, &env->err))
		return count == 0 && !where ? CMD_USAGE : CMD_REFUSED;
	for (size_t i = 0; i < chosen.count; i++) {
		const struct job *job = &snapshot_jobs(env->s)[chosen.slot[i]];

		if (!where || (states & 1u << job->state))
			act(env, job, what);
	}
	free(chosen.slot);
	if (env->changes->count > 0)
		return CMD_DONE;
	err_set(&env->err, "none of the jobs that match '%s' can take this", where ? where : "");
	return CMD_REFUSED;
}
