/* SPDX-License-Identifier: MIT */
/*
 * act.c - how does a verb act on several jobs?
 */
#include "act.h"

#include <stdlib.h>
#include <string.h>

#include "tui/report/select.h"

/* A task that no word names by itself: it is meant as one of its array. */
static bool is_one_of_many(const struct snapshot *s, const struct job *job, char *const *word, int count)
{
	char label[JOB_LABEL_TEXT];

	for (int i = 0; i < count; i++)
		if (strcmp(word[i], snapshot_job_label(s, job, label)) == 0)
			return false;
	return job->array != 0 && count > 0;
}

/* Of an array those tasks are left out that cannot take what is asked: they run, are held already ... */
static void drop_refused(struct cmd_changes *changes, size_t from, const struct state *st)
{
	size_t kept = from;

	for (size_t i = from; i < changes->count; i++) {
		struct event timely = changes->event[i];

		timely.time_s = state_view(st)->now_s;
		if (event_check(st, &timely, NULL))
			changes->event[kept++] = changes->event[i];
	}
	changes->count = kept;
}

enum cmd_status act_on_jobs(struct cmd_env *env, char *const *word, int count, unsigned states, act_one *act,
			    const void *what)
{
	const char *where = cmd_option(env, "-w");
	struct state *st = NULL; /* only where it is asked */
	struct job_selection chosen;

	if (!select_jobs(env->s, word, count, where, &chosen, &env->err))
		return count == 0 && !where ? CMD_USAGE : CMD_REFUSED;
	for (size_t i = 0; i < chosen.count; i++) {
		const struct job *job = &snapshot_jobs(env->s)[chosen.slot[i]];

		size_t before = env->changes->count;

		if (!where || (states & 1u << job->state))
			act(env, job, what);
		if (!is_one_of_many(env->s, job, word, count))
			continue;
		if (st == NULL)
			st = state_from_snapshot(env->s);
		drop_refused(env->changes, before, st);
	}
	state_free(st);
	free(chosen.slot);
	if (env->changes->count > 0)
		return CMD_DONE;
	if (where)
		err_set(&env->err, "none of the jobs that match '%s' can take this", where);
	else
		err_set(&env->err, "none of the tasks that are meant can take this");
	return CMD_REFUSED;
}
