/* SPDX-License-Identifier: MIT */
/*
 * statistics.c - how have jobs fared, of everybody and of each credential?
 */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

#include "ended.h"
#include "sched/base/vec.h"

/* --- credentials by name ----------------------------------------------------------------- */

static int compare_names(const struct snapshot *s, uint32_t a, enum cred_type type, const char *name)
{
	const struct cred *cred = &snapshot_creds(s)[a];

	if (cred->type != (uint32_t)type)
		return cred->type < (uint32_t)type ? -1 : 1;
	return strcmp(snapshot_string(s, cred->name), name);
}

static int by_name(const void *a, const void *b, void *self)
{
	const struct snapshot *s = self;
	const struct cred *other = &snapshot_creds(s)[*(const uint32_t *)b];

	return compare_names(s, *(const uint32_t *)a, (enum cred_type)other->type,
			     snapshot_string(s, other->name));
}

static void index_names(struct statistics *st)
{
	uint32_t count = snapshot_count(st->s, TABLE_CREDS);

	st->by_name = mem_zero((size_t)count + 1, sizeof *st->by_name);
	for (uint32_t i = 0; i < count; i++)
		st->by_name[i] = i;
	qsort_r(st->by_name, count, sizeof *st->by_name, by_name, (void *)(uintptr_t)st->s);
}

/* NULL: the state has not heard of it. */
static struct tally *find_tally(const struct statistics *st, enum cred_type type, const char *name)
{
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_CREDS);

	while (name && low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = compare_names(st->s, st->by_name[middle], type, name);

		if (order == 0)
			return &st->of_cred[st->by_name[middle]];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* --- adding up ---------------------------------------------------------------------------- */

static void add_start(struct tally *t, const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	int64_t wait_s = ended_wait_s(ended);
	double limit_s = (double)job->wall_limit_s, run_s = (double)ended_run_s(ended);
	double procs = (double)job_procs_counted(job), xfactor = 1 + (double)wait_s / limit_s;

	t->started++;
	t->backfilled += (job->flags & JOB_BACKFILLED) != 0;
	t->asked_s += procs * limit_s;
	t->dedicated_s += procs * run_s;
	t->wait_s += (double)wait_s;
	if (wait_s > t->most_wait_s)
		t->most_wait_s = wait_s;
	t->xfactor += xfactor;
	if (xfactor > t->most_xfactor)
		t->most_xfactor = xfactor;
	t->accuracy += run_s / limit_s;
	if (job->used_ps >= 0) {
		t->known_s += procs * run_s;
		t->used_s += (double)job->used_ps;
	}
}

static void add_ended(struct tally *t, const struct ended_job *ended)
{
	t->ended++;
	if (ended->record.job.start_s != TIME_NONE)
		add_start(t, ended);
}

static void take_ended(void *self, const struct ended_job *ended)
{
	struct statistics *st = self;

	add_ended(&st->all, ended);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		struct tally *t = find_tally(st, type, ended->record.cred[type]);

		if (t)
			add_ended(t, ended);
	}
	if (st->first_end_s == TIME_NONE || ended->end_s < st->first_end_s)
		st->first_end_s = ended->end_s;
	if (st->last_end_s == TIME_NONE || ended->end_s > st->last_end_s)
		st->last_end_s = ended->end_s;
}

static void add_present(struct tally *t, const struct job *job, int64_t now_s)
{
	if (job->state != JOB_RUNNING) {
		t->waiting++;
		return;
	}
	t->running++;
	t->procs += job_is_released(job) ? 0 : job_procs_counted(job);
	t->procs_s += (double)job_procs_counted(job) * (double)job_held_s(job, now_s);
}

static void take_present(struct statistics *st, int64_t now_s)
{
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE)
			continue;
		add_present(&st->all, &jobs[i], now_s);
		for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
			if (jobs[i].cred[type] != INDEX_NONE)
				add_present(&st->of_cred[jobs[i].cred[type]], &jobs[i], now_s);
	}
}

bool statistics_gather(struct statistics *st, struct cmd_env *env, int64_t since_s)
{
	*st = (struct statistics){.s = env->s, .first_end_s = TIME_NONE, .last_end_s = TIME_NONE};
	st->of_cred = mem_zero((size_t)snapshot_count(env->s, TABLE_CREDS) + 1, sizeof *st->of_cred);
	index_names(st);
	take_present(st, env->now_s);
	return ended_each(env, since_s, take_ended, st);
}

void statistics_clear(struct statistics *st)
{
	free(st->of_cred);
	free(st->by_name);
	*st = (struct statistics){.s = NULL};
}
