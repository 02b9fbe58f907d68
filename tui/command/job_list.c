/* SPDX-License-Identifier: MIT */
/*
 * job_list.c - jobs of the queue for the listings of PBS and Slurm
 */
#include "job_list.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/jobtext.h"
#include "tui/report/select.h"

/* The jobs that words name; a word that names none is an error, as in every verb. */
static bool choose_named(struct cmd_env *env, struct delegate *d, struct job_selection *out)
{
	const char *where = d->terms.len > 0 ? str_text(&d->terms) : NULL;

	return d->count <= DELEGATE_WORDS
		       ? select_jobs(env->s, d->word, d->count, where, out, &env->err)
		       : err_set(&env->err, "at most %d jobs can be named, got %d", DELEGATE_WORDS, d->count);
}

/* All that match; none is no error here. */
static bool choose_matching(struct cmd_env *env, struct delegate *d, struct job_selection *out)
{
	const struct job *jobs = snapshot_jobs(env->s);
	struct job_filter filter;

	if (!job_filter_read(str_text(&d->terms), &filter, &env->err) ||
	    !job_filter_is_live(&filter, &env->err))
		return false;
	for (uint32_t i = 0; i < snapshot_count(env->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE || !job_filter_match(&filter, env->s, &jobs[i]))
			continue;
		out->slot = vec_room(out->slot, &out->room, out->count + 1, sizeof *out->slot);
		out->slot[out->count++] = i;
	}
	job_filter_clear(&filter);
	return true;
}

static int by_id(const void *a, const void *b, void *self)
{
	const struct job *jobs = self;
	uint64_t x = jobs[*(const uint32_t *)a].id, y = jobs[*(const uint32_t *)b].id;

	return (x > y) - (x < y);
}

bool job_list_find(struct cmd_env *env, struct delegate *d, struct job_list *out)
{
	struct job_selection chosen = {.slot = NULL};
	bool good = (d->count > 0 ? choose_named : choose_matching)(env, d, &chosen);

	delegate_free(d);
	*out = (struct job_list){
		.s = env->s, .now_s = env->now_s, .slot = chosen.slot, .count = chosen.count};
	if (!good)
		return false;
	if (chosen.count > 0)
		qsort_r(out->slot, out->count, sizeof *out->slot, by_id,
			(void *)(uintptr_t)snapshot_jobs(env->s));
	future_build(&out->future, env->s,
		     &(struct future_setup){.now_s = env->now_s,
					    .full = chosen.count > 0,
					    .most_work = FUTURE_LIST_WORK,
					    .reasons = true});
	return true;
}

void job_list_free(struct job_list *list)
{
	free(list->slot);
	future_clear(&list->future);
}

const struct job_state_words *job_list_state(const struct job_list *list, const struct job *job)
{
	static const struct job_state_words ends = {"E", "CG", "COMPLETING"}, runs = {"R", "R", "RUNNING"},
					    suspended = {"S", "S", "SUSPENDED"},
					    held = {"H", "PD", "PENDING"}, later = {"W", "PD", "PENDING"},
					    waits = {"Q", "PD", "PENDING"};

	if (job->state == JOB_RUNNING && (job->flags & JOB_CANCELLED) != 0)
		return &ends;
	if (job->state == JOB_RUNNING)
		return (job->real & JOB_REAL_SUSPENDED) != 0 ? &suspended : &runs;
	if (job->holds != 0 || job->depend != INDEX_NONE)
		return &held;
	return job->not_before_s > list->now_s ? &later : &waits;
}

int64_t job_list_ran_s(const struct job_list *list, const struct job *job)
{
	return job->state == JOB_RUNNING ? job_ran_s(job, list->now_s) : 0;
}

static void add_lead(const struct job_list *list, uint32_t slot, struct str *out)
{
	const struct reason reason = explain_future(&list->future, slot).reason;

	jobtext_short(list->s, &reason, list->now_s, out);
}

void job_list_reason(const struct job_list *list, uint32_t slot, struct str *out)
{
	if (snapshot_jobs(list->s)[slot].state == JOB_RUNNING)
		str_add(out, "None");
	else
		add_lead(list, slot, out);
}

void job_list_nodes(const struct job_list *list, const struct job *job, struct str *out)
{
	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(list->s)[at].next)
		str_addf(out, "%s%s", at == job->run ? "" : ",",
			 snapshot_string(list->s,
					 snapshot_nodes(list->s)[snapshot_runs(list->s)[at].node].name));
}

uint32_t job_list_node_count(const struct job_list *list, const struct job *job)
{
	uint32_t count = 0;

	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(list->s)[at].next)
		count++;
	if (count == 0)
		count = job->nodes;
	return count > 0 ? count : 1;
}

const char *job_list_name(const struct job_list *list, const struct job *job)
{
	return job->name != 0 ? snapshot_string(list->s, job->name) : "-";
}
