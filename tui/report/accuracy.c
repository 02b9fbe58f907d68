/* SPDX-License-Identifier: MIT */
/*
 * accuracy.c - how much of their limits have people's jobs used, by what is remembered of them?
 */
#include "accuracy.h"

#include "ended.h"

bool accuracy_counts(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	bool taken_away = (job->flags & JOB_CANCELLED) != 0 || ended->status == STATUS_CANCELLED;

	return job->start_s != TIME_NONE && !ended->lost && !taken_away;
}

static void take(void *self, const struct ended_job *ended)
{
	if (accuracy_counts(ended))
		accuracy_note(self, ended->record.cred[CRED_USER], ended_run_s(ended),
			      ended->record.job.wall_limit_s);
}

bool accuracy_gather(struct cmd_env *env, struct accuracy *out)
{
	return ended_sample(env, env->now_s - ASSUME_LOOK_BACK_S, take, out);
}

bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind)
{
	const char *text = cmd_option(env, "--assume");

	*kind = ASSUME_WCLIMIT;
	return text == NULL || assume_read(text, kind, &env->err) || err_prefix(&env->err, "--assume");
}

enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out)
{
	if (!accuracy_assumption(env, kind))
		return CMD_USAGE;
	return *kind == ASSUME_WCLIMIT || accuracy_gather(env, out) ? CMD_DONE : CMD_FAILED;
}
