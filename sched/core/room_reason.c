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

/* Looks at every node; the tasks that fit, wherever they are, and r->candidate for more. */
static int64_t look_at_all(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
			   enum lack *lack)
{
	const struct node *node = snapshot_nodes(r->s);
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);
	bool now = begin_s == r->now_s;
	struct lacks lacks = {0};
	int64_t total = 0;

	room_need_claims(r);
	r->candidate = vec_room(r->candidate, &r->candidate_room, nodes, sizeof *r->candidate);
	r->candidate_count = 0;
	for (uint32_t i = 0; i < nodes; i++) {
		struct fit fit = now && room_free_on(r, i) == 0 ? fit_closed(want, &node[i])
								: fit_between(r, want, i, begin_s, end_s);

		lacks_count(&lacks, fit);
		total += room_in_units(want->job, fit.tasks);
		if (fit.tasks > 0)
			r->candidate[r->candidate_count++] =
				(struct alloc_candidate){.node = i, .tasks = fit.tasks};
	}
	*lack = lacks_judge(&lacks);
	return total;
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
