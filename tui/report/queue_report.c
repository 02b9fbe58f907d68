/* SPDX-License-Identifier: MIT */
/*
 * queue_report.c - which jobs stand in a report of the queue, and in which order?
 *
 * The plan orders those that run and those that wait; blocked jobs have no rank, so they stand by number.
 */
#include "queue_report.h"

#include <stdlib.h>

#include "estimated.h"
#include "jobtext.h"
#include "oversoft.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* Does the job run on a node of the partition, or could it? */
static bool is_in_partition(const struct queue_report *r, const struct job *job)
{
	if (r->partition == 0 || job->partition == r->partition)
		return true;
	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(r->s)[at].next)
		if (snapshot_nodes(r->s)[snapshot_runs(r->s)[at].node].partition == r->partition)
			return true;
	return job->state == JOB_IDLE && job->partition == 0;
}

bool queue_report_shows(const struct queue_report *r, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(r->s)[slot];

	return job_filter_match(&r->filter, r->s, job) && is_in_partition(r, job);
}

bool queue_report_has_names(const struct queue_report *r)
{
	const struct job *jobs = snapshot_jobs(r->s);

	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE && jobs[i].name != 0 && queue_report_shows(r, i))
			return true;
	return false;
}

int64_t queue_report_rank(const struct queue_report *r, uint32_t slot)
{
	struct prio_world world;

	snapshot_world(r->s, r->future.plan.now_s, &world);
	return queue_rank(r->s, &snapshot_jobs(r->s)[slot], &world, &r->future.plan.queue.shares);
}

static int by_number(const void *a, const void *b)
{
	const struct queue_blocked *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void list_blocked(struct queue_report *r)
{
	const struct queue *q = &r->future.plan.queue;

	r->blocked_jobs = mem_zero((size_t)q->blocked_count + 1, sizeof *r->blocked_jobs);
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		const struct job *job = &snapshot_jobs(r->s)[q->blocked[i]];

		r->blocked_jobs[i] =
			(struct queue_blocked){jobtext_number(r->s, job), job->id, q->blocked[i]};
	}
	qsort(r->blocked_jobs, q->blocked_count, sizeof *r->blocked_jobs, by_number);
}

bool queue_report_has_starts(const struct queue_report *r)
{
	return (r->env->json || r->long_form) && (r->idle || r->blocked);
}

void queue_report_look(struct queue_report *r)
{
	if (queue_report_has_starts(r))
		estimated_list(&r->future, r->env, r->s);
	else
		future_build(&r->future, r->s, &(struct future_setup){.now_s = r->env->now_s});
	r->over_soft = oversoft_find(r->s, r->env->now_s);
	list_blocked(r);
}

void queue_report_forget(struct queue_report *r)
{
	future_clear(&r->future);
	job_filter_clear(&r->filter);
	free(r->over_soft);
	free(r->blocked_jobs);
}
