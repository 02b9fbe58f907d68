/* SPDX-License-Identifier: MIT */
/*
 * room_reason.c - where is room for a job, now and later? How much of it there is, and what lacks.
 */
#include <stdlib.h>

#include "room_inside.h"
#include "sched/base/vec.h"

void lacks_count(struct lacks *lacks, struct fit fit)
{
	if (fit.tasks == 0)
		lacks->none[fit.lack]++;
	else
		lacks->some[fit.lack]++;
}

static enum lack commonest(const uint32_t count[static LACK_COUNT])
{
	int most = LACK_NONE;

	for (int i = LACK_NONE + 1; i < LACK_COUNT; i++)
		if (count[i] > 0 && (most == LACK_NONE || count[i] > count[most]))
			most = i;
	return (enum lack)most;
}

/* What keeps more from fitting counts where there are no nodes on which nothing fits. */
enum lack lacks_judge(const struct lacks *lacks)
{
	enum lack lack = commonest(lacks->none);

	if (lack == LACK_NONE)
		lack = commonest(lacks->some);
	return lack == LACK_NONE ? LACK_PROCS : lack;
}

/* --- beside all claims ------------------------------------------------------------------------------ */

/* A node without a free processor now. */
static struct fit fit_closed(const struct want *want, const struct node *node)
{
	enum lack lack = want_lacks_now(want, node);

	return (struct fit){.lack = (uint8_t)(lack == LACK_NONE ? LACK_PROCS : lack)};
}

/* What was found on the nodes looked at so far. */
struct look {
	struct room *r;
	const struct want *want;
	int64_t begin_s, end_s, tasks;
	size_t closed; /* without a free processor now */
	struct lacks lacks;
};

static void look_at(struct look *look, uint32_t node)
{
	struct room *r = look->r;
	const struct want *want = look->want;
	bool closed = look->begin_s == r->now_s && room_free_on(r, node) == 0;
	struct fit fit = closed ? fit_closed(want, &snapshot_nodes(r->s)[node])
				: fit_between(r, want, node, look->begin_s, look->end_s);

	look->closed += closed;
	lacks_count(&look->lacks, fit);
	look->tasks += room_in_units(want->job, fit.tasks);
	if (fit.tasks > 0)
		r->candidate[r->candidate_count++] =
			(struct alloc_candidate){.node = node, .tasks = fit.tasks};
}

/* Now, for a job that is not picky: all nodes without a free processor are alike. */
static void look_at_open(struct look *look)
{
	struct room *r = look->r;
	uint32_t shut;

	room_list_open(r);
	shut = snapshot_count(r->s, TABLE_NODES) - (uint32_t)r->open_listed;
	look->lacks.none[LACK_DRAINED] = r->shut_drained;
	look->lacks.none[LACK_PROCS] = shut - r->shut_drained;
	for (size_t i = 0; i < r->open_listed; i++)
		look_at(look, r->open[i]);
	if (look->closed > r->open_listed / 2)
		r->has_open = false;
}

/* Looks at every node; the tasks that fit, wherever they are, and r->candidate for more. */
static int64_t look_at_all(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
			   enum lack *lack)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);
	struct look look = {.r = r, .want = want, .begin_s = begin_s, .end_s = end_s};

	room_need_claims(r);
	r->candidate = vec_room(r->candidate, &r->candidate_room, nodes, sizeof *r->candidate);
	r->candidate_count = 0;
	if (begin_s == r->now_s && !want->is_picky)
		look_at_open(&look);
	for (uint32_t i = 0; i < nodes && (begin_s > r->now_s || want->is_picky); i++)
		look_at(&look, i);
	*lack = lacks_judge(&look.lacks);
	return look.tasks;
}

static int64_t tasks_between(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
			     enum lack *lack)
{
	bool memorable =
		begin_s == r->now_s && !r->promised[want->slot] && room_only_sum_counts(r->s, want->job);
	struct shape *shape = memorable ? memo_shape(r, want) : NULL;
	struct alloc_ask ask;
	int64_t total;

	if (shape == NULL || !memo_total(r, shape, end_s, &total, lack)) {
		total = look_at_all(r, want, begin_s, end_s, lack);
		if (shape != NULL)
			memo_note_total(r, shape, end_s, total, *lack);
	}
	if (room_only_sum_counts(r->s, want->job))
		return total;
	ask = room_ask(r, want->job, room_policy(r->s, want->job, begin_s == r->now_s));
	return nodealloc_most(&ask, r->candidate, r->candidate_count);
}

static int64_t fit_of(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
		      enum lack *lack)
{
	const struct job *job = want->job;
	struct holding *own = room_lift(r, want->slot);
	int64_t tasks = tasks_between(r, want, begin_s, end_s, lack);
	int64_t most = room_in_units(job, job->tasks);

	room_lower(r, own);
	return (tasks < most ? tasks : most) * job->task_procs;
}

int64_t room_fit(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct want want = want_in(r, slot);

	return fit_of(r, &want, begin_s, end_s, lack);
}

int64_t room_fit_past(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct want want = want_in(r, slot);

	want.guests = GUEST_OF_ALL;
	return fit_of(r, &want, begin_s, end_s, lack);
}

/* With an invitation more there would be so much. */
static int64_t fit_if_invited(struct room *r, struct want want, uint32_t guard, int64_t begin_s,
			      int64_t end_s)
{
	want.guests = guard_invited_too(r, want.guests, guard);
	return fit_of(r, &want, begin_s, end_s, &(enum lack){LACK_NONE});
}

uint32_t room_reserved_by(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct want want = want_in(r, slot);
	uint32_t best = INDEX_NONE;
	int64_t best_fit = -1;

	for (uint32_t g = 0; g < r->guard_count; g++) {
		const struct guard *guard = &r->guard[g];
		int64_t fit;

		if (guard->begin_s >= end_s || guard->end_s <= begin_s || guard_invites(r, want.guests, g))
			continue;
		fit = fit_if_invited(r, want, g, begin_s, end_s);
		if (fit > best_fit || (fit == best_fit && guard->begin_s < r->guard[best].begin_s)) {
			best = g;
			best_fit = fit;
		}
	}
	return best == INDEX_NONE ? INDEX_NONE : r->guard[best].advance;
}
