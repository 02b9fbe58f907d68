/* SPDX-License-Identifier: MIT */
/*
 * wish.c - a job that does not exist: what would be said of it?
 */
#include "wish.h"

#include "sched/base/duration.h"

static void name_creds(struct wish *w, const struct cmd_env *env)
{
	static const char *const options[CRED_TYPE_COUNT] = {
		[CRED_USER] = "-u", [CRED_GROUP] = "-g", [CRED_ACCOUNT] = "-a",
		[CRED_QOS] = "-q",  [CRED_CLASS] = "-c",
	};

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		w->cred[type] = cmd_option(env, options[type]);
	if (!w->cred[CRED_USER])
		w->cred[CRED_USER] = env->who;
}

bool wish_submit(struct wish *w, struct cmd_env *env)
{
	const char *memory = cmd_option(env, "-m");
	struct event ev = {.time_s = env->now_s, .kind = EVENT_SUBMIT, .who = env->who};
	struct job *job = &ev.submit.job;

	name_creds(w, env);
	*job = (struct job){.submit_s = env->now_s,
			    .not_before_s = TIME_NONE,
			    .wall_limit_s = w->wall_s,
			    .true_run_s = -1,
			    .tasks = (uint32_t)w->procs,
			    .task_procs = 1,
			    .base_holds = w->holds};
	if (memory && !memory_parse(memory, &job->mem_mb, &env->err))
		return false;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		ev.submit.cred[type] = w->cred[type];
	ev.submit.features = cmd_option(env, "-f");
	w->copy = state_from_snapshot(env->s);
	if (!event_apply(w->copy, &ev, &env->err))
		return false;
	w->slot = state_find(w->copy, ev.job);
	return true;
}

void wish_free(struct wish *w)
{
	if (w->copy)
		state_free(w->copy);
	w->copy = NULL;
}
