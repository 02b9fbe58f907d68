/* SPDX-License-Identifier: MIT */
/*
 * hypothetical_job.c - a hypothetical job, submitted to a copy of the state
 */
#include "hypothetical_job.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "tui/serve/session.h"

/*
 * Returns the group of the user's newest job; NULL if there is none. Users of a simulated cluster have no
 * account.
 */
static const char *group_of_jobs(const struct snapshot *s, const char *user)
{
	const struct job *newest = NULL;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];
		const char *name = job->state == JOB_NONE ? NULL : snapshot_job_cred(s, job, CRED_USER);

		if (name != NULL && strcmp(name, user) == 0 && (newest == NULL || job->id > newest->id))
			newest = job;
	}
	return newest == NULL ? NULL : snapshot_job_cred(s, newest, CRED_GROUP);
}

/* Sets the group from the user's account, as a real submission does (authorization.h). */
static void take_account(struct hypothetical_job *w, const struct snapshot *s, uid_t uid, gid_t gid)
{
	struct users *users = users_new();

	snprintf(w->group, sizeof w->group, "%s", users_find(users, s, uid, gid)->group);
	users_free(users);
}

static const char *find_group(struct hypothetical_job *w, const struct cmd_env *env)
{
	const char *user = w->cred[CRED_USER], *group;
	const struct passwd *account;

	if (strcmp(user, session_user()) == 0) {
		take_account(w, env->s, geteuid(), getegid());
	} else if ((group = group_of_jobs(env->s, user)) != NULL) {
		snprintf(w->group, sizeof w->group, "%s", group);
	} else {
		account = getpwnam(user);
		if (account == NULL)
			return NULL;
		take_account(w, env->s, account->pw_uid, account->pw_gid);
	}
	return w->group;
}

static void name_creds(struct hypothetical_job *w, const struct cmd_env *env)
{
	static const char *const options[CRED_TYPE_COUNT] = {
		[CRED_USER] = "-u", [CRED_GROUP] = "-g", [CRED_ACCOUNT] = "-a",
		[CRED_QOS] = "-q",  [CRED_CLASS] = "-c",
	};

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		w->cred[type] = cmd_option(env, options[type]);
	if (!w->cred[CRED_USER])
		w->cred[CRED_USER] = env->who;
	if (!w->cred[CRED_GROUP])
		w->cred[CRED_GROUP] = find_group(w, env);
}

bool hypothetical_job_submit(struct hypothetical_job *w, struct cmd_env *env)
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

void hypothetical_job_free(struct hypothetical_job *w)
{
	if (w->copy)
		state_free(w->copy);
	w->copy = NULL;
}
