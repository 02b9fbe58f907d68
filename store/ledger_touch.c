/* SPDX-License-Identifier: MIT */
/*
 * ledger_touch.c - the records that a step changes
 *
 * The kinds of the step's events determine the changed records. An event changes its job. The start and the
 * end of a job also change the jobs whose dependencies they settle, and the nodes of the job, which record
 * how long they have been in use. A record that did not change may be written again; a record that changed
 * must be written.
 */
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "ledger_inside.h"
#include "sched/base/vec.h"

/* --- jobs --------------------------------------------------------------------------------- */

static void touch(struct commit *c, uint64_t id)
{
	if (id == 0)
		return;
	c->job = vec_room(c->job, &c->job_room, c->job_count + 1, sizeof *c->job);
	c->job[c->job_count++] = (struct touched){.id = id, .slot = INDEX_NONE};
}

static void touch_switched(struct commit *c, const struct event *ev, const struct switched *what)
{
	touch(c, ev->job);
	for (uint32_t i = 0; i < what->more_count; i++)
		touch(c, what->more[i]);
}

static void touch_job(struct commit *c, const struct event *ev)
{
	const struct change *change;

	switch (ev->kind) {
	case EVENT_UNDO:
		change = state_find_change(c->step->after, ev->seq);
		touch(c, change ? change->job : 0);
		break;
	case EVENT_BYPASS:
		for (uint32_t i = 0; i < ev->bypass.count; i++)
			touch(c, ev->bypass.item[i].job);
		break;
	case EVENT_ACCRUAL:
		touch_switched(c, ev, &ev->accrual);
		break;
	case EVENT_ELIGIBLE:
		touch_switched(c, ev, &ev->eligible);
		break;
	case EVENT_SUBMIT:
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++)
			touch(c, ev->job + i);
		break;
	default:
		touch(c, ev->job);
		break;
	}
}

static int by_id(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/*
 * Adds the job if the step settled one of its dependencies: the settled_seq of such a dependency is at least
 * `since`, the number of the last entry before the step.
 */
static void touch_if_settled(struct commit *c, const struct job *job, uint64_t since)
{
	const struct depend *depend = snapshot_depends(c->step->after);

	for (uint32_t d = job->depend; d != INDEX_NONE; d = depend[d].next)
		if (depend[d].settled_seq >= since) {
			touch(c, job->id);
			return;
		}
}

/* Adds all jobs with a dependency that the step settled, including jobs that were then started in the same
 * step. */
static void touch_dependents(struct commit *c)
{
	const struct snapshot *s = c->step->after;
	uint64_t since = c->step->event_count == 0 ? UINT64_MAX : c->step->event[0].seq - 1;

	if (s->settled_seq == 0 || s->settled_seq < since)
		return;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		touch_if_settled(c, &snapshot_jobs(s)[snapshot_waiting(s)[i].slot], since);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		touch_if_settled(c, &snapshot_jobs(s)[snapshot_running(s)[i]], since);
}

/* Setting the clock moves the times of all jobs. */
static void touch_all(struct commit *c)
{
	const struct snapshot *s = c->step->after;

	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++)
		if (snapshot_jobs(s)[slot].state != JOB_NONE)
			touch(c, snapshot_jobs(s)[slot].id);
}

static void list_touched(struct commit *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->step->event_count; i++)
		touch_job(c, &c->step->event[i]);
	touch_dependents(c);
	if (c->has[EVENT_CLOCK])
		touch_all(c);
	if (c->job_count == 0)
		return;
	qsort(c->job, c->job_count, sizeof *c->job, by_id);
	for (size_t i = 1; i < c->job_count; i++)
		if (c->job[i].id != c->job[kept].id)
			c->job[++kept] = c->job[i];
	c->job_count = kept + 1;
}

/* find_slots traverses the job slots once for all IDs. A flag for each ID modulo SIEVE excludes most slots
 * without a search of the list of IDs. */
#define SIEVE 4096

static void find_slots(struct commit *c)
{
	const struct job *job = snapshot_jobs(c->step->after);
	uint32_t count = snapshot_count(c->step->after, TABLE_JOBS);
	size_t missing = c->job_count;
	bool sieve[SIEVE] = {false};

	for (size_t i = 0; i < c->job_count; i++)
		sieve[c->job[i].id % SIEVE] = true;
	for (uint32_t slot = 0; slot < count && missing > 0; slot++) {
		struct touched *found, wanted = {.id = job[slot].id};

		if (!sieve[wanted.id % SIEVE] || job[slot].state == JOB_NONE)
			continue;
		found = bsearch(&wanted, c->job, c->job_count, sizeof *c->job, by_id);
		if (found) {
			found->slot = slot;
			missing--;
		}
	}
}

/* --- nodes -------------------------------------------------------------------------------- */

static void touch_runs(struct commit *c, const struct alloc_run *runs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		memset(c->node + runs[i].node, true, runs[i].nodes * sizeof *c->node);
}

static void touch_named(struct commit *c, const char *name)
{
	const struct snapshot *s = c->step->after;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (strcmp(snapshot_string(s, snapshot_nodes(s)[i].name), name) == 0)
			c->node[i] = true;
}

/* If a step has more load events than this, as in a report on all nodes, all nodes are written. */
#define FEW_LOADS 32

static void touch_nodes(struct commit *c)
{
	const struct ledger_step *step = c->step;

	c->all_nodes = c->has[EVENT_CONFIG] || c->has[EVENT_CLOCK] || c->has[EVENT_NODE] ||
		       c->has[EVENT_DEFER] || c->again || c->has[EVENT_LOAD] > FEW_LOADS;
	if (c->all_nodes || !(c->has[EVENT_START] || c->has[EVENT_END] || c->has[EVENT_LOAD]))
		return;
	c->node = mem_zero((size_t)snapshot_count(step->after, TABLE_NODES) + 1, sizeof *c->node);
	for (size_t i = 0; i < step->event_count; i++)
		if (step->event[i].kind == EVENT_START)
			touch_runs(c, step->event[i].start.runs, step->event[i].start.count);
		else if (step->event[i].kind == EVENT_LOAD)
			touch_named(c, step->event[i].load.node);
	for (size_t i = 0; i < step->ended_count; i++)
		if (step->ended[i].record.job.state == JOB_RUNNING)
			touch_runs(c, step->ended[i].record.runs, step->ended[i].record.run_count);
}

/* Was a running job requeued in the step? Such a job is not in the list of ended jobs, so the nodes on which
 * it ran are unknown. */
static bool some_wait_again(const struct commit *c)
{
	size_t ran = 0;

	for (size_t i = 0; i < c->step->ended_count; i++)
		ran += c->step->ended[i].record.job.state == JOB_RUNNING;
	return c->has[EVENT_END] > ran;
}

void commit_touch(struct commit *c)
{
	for (size_t i = 0; i < c->step->event_count; i++)
		c->has[c->step->event[i].kind]++;
	c->again = some_wait_again(c);
	list_touched(c);
	find_slots(c);
	touch_nodes(c);
}
