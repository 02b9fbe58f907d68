/* SPDX-License-Identifier: MIT */
/*
 * room_reason.c - where is room for a job, now and later? How much of it there is, and what lacks.
 */
#include <stdlib.h>

#include "room_inside.h"
#include "sched/base/vec.h"

static enum lack commonest(const uint32_t count[static LACK_COUNT])
{
	int most = LACK_NONE;

	for (int i = LACK_NONE + 1; i < LACK_COUNT; i++)
		if (count[i] > 0 && (most == LACK_NONE || count[i] > count[most]))
			most = i;
	return (enum lack)most;
}

/* What most nodes lack on which nothing fits; if there are none, what keeps more from fitting. */
static enum lack judge(const struct lacks *lacks)
{
	enum lack lack = commonest(lacks->none);

	if (lack == LACK_NONE)
		lack = commonest(lacks->some);
	return lack == LACK_NONE ? LACK_PROCS : lack;
}

int64_t room_fit(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	const struct job *job = room_job(r, slot);
	struct alloc_ask ask = room_ask(r, job, room_policy(r->s, job, begin_s == r->now_s));
	struct lacks lacks = {0};
	size_t count = room_candidates(r, &ask, slot, begin_s, end_s, &lacks);

	*lack = judge(&lacks);
	return (int64_t)nodealloc_most(&ask, r->candidate, count) * job->task_procs;
}

/* --- on an empty machine -------------------------------------------------------------------------- */

/* The nodes looked at so far. */
struct empty {
	struct alloc_ask ask;
	struct alloc_candidate *candidate;
	size_t count, room, next_look;
	int64_t tasks; /* of the job that fit on them */
	struct lacks lacks;
};

static void look_at_empty(struct empty *e, const struct want *want, uint32_t node)
{
	struct fit fit = fit_empty(want, &e->ask.node[node]);

	if (fit.tasks == 0) {
		e->lacks.none[fit.lack]++;
		return;
	}
	e->lacks.some[fit.lack]++;
	e->tasks += fit.tasks;
	e->candidate = vec_room(e->candidate, &e->room, e->count + 1, sizeof *e->candidate);
	e->candidate[e->count++] = (struct alloc_candidate){.node = node, .tasks = fit.tasks};
}

/* Whether those so far do is asked now and then, twice as many apart each time. */
static bool suffices(struct empty *e)
{
	if (e->tasks < e->ask.job->tasks || e->count < e->ask.job->nodes || e->count < e->next_look)
		return false;
	e->next_look = 2 * e->count;
	return nodealloc_most(&e->ask, e->candidate, e->count) == e->ask.job->tasks;
}

int64_t room_ever(const struct snapshot *s, const struct job *job, enum lack *lack)
{
	struct want want = want_of(s, job, INDEX_NONE);
	struct empty e = {.ask = {.job = job,
				  .policy = room_policy(s, job, true),
				  .node = snapshot_nodes(s),
				  .node_count = snapshot_count(s, TABLE_NODES)}};
	uint32_t tasks = 0;

	for (uint32_t i = 0; i < e.ask.node_count && tasks == 0; i++) {
		look_at_empty(&e, &want, i);
		if (suffices(&e))
			tasks = job->tasks;
	}
	if (tasks == 0)
		tasks = nodealloc_most(&e.ask, e.candidate, e.count);
	free(e.candidate);
	*lack = judge(&e.lacks);
	return (int64_t)tasks * job->task_procs;
}

bool room_could(const struct snapshot *s, const struct job *job, uint32_t node)
{
	struct want want = want_of(s, job, INDEX_NONE);

	return fit_empty(&want, &snapshot_nodes(s)[node]).tasks > 0;
}
