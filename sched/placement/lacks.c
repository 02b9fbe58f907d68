/* SPDX-License-Identifier: MIT */
/*
 * room_reason.c - where is room for a job, now and later? How much of it there is, and what lacks.
 */
#include <stdlib.h>

#include "placement_state.h"
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
static struct fit fit_closed(const struct request *request, const struct node *node)
{
	enum lack lack = request_lack_now(request, node);

	return (struct fit){.lack = (uint8_t)(lack == LACK_NONE ? LACK_PROCS : lack)};
}

/* What was found on the nodes looked at so far. */
struct look {
	struct placement *p;
	const struct request *request;
	int64_t begin_s, end_s, tasks;
	size_t closed; /* without a free processor now */
	struct lacks lacks;
};

static void look_at(struct look *look, uint32_t node)
{
	struct placement *p = look->p;
	const struct request *request = look->request;
	bool closed = look->begin_s == p->now_s && placement_free_on(p, node) == 0;
	struct fit fit = closed ? fit_closed(request, &snapshot_nodes(p->s)[node])
				: fit_between(p, request, node, look->begin_s, look->end_s);

	look->closed += closed;
	lacks_count(&look->lacks, fit);
	look->tasks += placement_whole_units(request->job, fit.tasks);
	if (fit.tasks > 0)
		p->candidate[p->candidate_count++] =
			(struct alloc_candidate){.node = node, .tasks = fit.tasks};
}

/* Now, for a job that is not picky: all nodes without a free processor are alike. */
static void look_at_open(struct look *look)
{
	struct placement *p = look->p;
	uint32_t shut;

	placement_list_open(p);
	shut = snapshot_count(p->s, TABLE_NODES) - (uint32_t)p->open_listed;
	look->lacks.none[LACK_DRAINED] = p->shut_drained;
	look->lacks.none[LACK_PROCS] = shut - p->shut_drained;
	for (size_t i = 0; i < p->open_listed; i++)
		look_at(look, p->open[i]);
	if (look->closed > p->open_listed / 2)
		p->has_open = false;
}

/* Looks at every node; the tasks that fit, wherever they are, and r->candidate for more. */
static int64_t look_at_all(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
			   enum lack *lack)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);
	struct look look = {.p = p, .request = request, .begin_s = begin_s, .end_s = end_s};

	claims_build(p);
	p->candidate = vec_room(p->candidate, &p->candidate_cap, nodes, sizeof *p->candidate);
	p->candidate_count = 0;
	if (begin_s == p->now_s && !request->is_picky)
		look_at_open(&look);
	for (uint32_t i = 0; i < nodes && (begin_s > p->now_s || request->is_picky); i++)
		look_at(&look, i);
	*lack = lacks_judge(&look.lacks);
	return look.tasks;
}

static int64_t tasks_between(struct placement *p, const struct request *request, int64_t begin_s,
			     int64_t end_s, enum lack *lack)
{
	bool memorable = begin_s == p->now_s && !p->is_reserved[request->slot] &&
			 placement_only_sum_counts(p->s, request->job);
	struct shape *shape = memorable ? memo_shape(p, request) : NULL;
	struct alloc_input input;
	int64_t total;

	if (shape == NULL || !memo_total(p, shape, end_s, &total, lack)) {
		total = look_at_all(p, request, begin_s, end_s, lack);
		if (shape != NULL)
			memo_note_total(p, shape, end_s, total, *lack);
	}
	if (placement_only_sum_counts(p->s, request->job))
		return total;
	input = placement_alloc_input(p, request->job,
				      placement_policy(p->s, request->job, begin_s == p->now_s));
	return nodealloc_most(&input, p->candidate, p->candidate_count);
}

static int64_t fit_of(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
		      enum lack *lack)
{
	const struct job *job = request->job;
	struct holding *own = holding_lift(p, request->slot);
	int64_t tasks = tasks_between(p, request, begin_s, end_s, lack);
	int64_t most = placement_whole_units(job, job->tasks);

	holding_restore(p, own);
	return (tasks < most ? tasks : most) * job->task_procs;
}

int64_t placement_fit(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct request request = request_in(p, slot);

	return fit_of(p, &request, begin_s, end_s, lack);
}

int64_t placement_fit_unreserved(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 enum lack *lack)
{
	struct request request = request_in(p, slot);

	request.guests = GUEST_OF_ALL;
	return fit_of(p, &request, begin_s, end_s, lack);
}

/* With an invitation more there would be so much. */
static int64_t fit_if_invited(struct placement *p, struct request request, uint32_t advance, int64_t begin_s,
			      int64_t end_s)
{
	request.guests = guests_with(p, request.guests, advance);
	return fit_of(p, &request, begin_s, end_s, &(enum lack){LACK_NONE});
}

uint32_t placement_reserved_by(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct request request = request_in(p, slot);
	uint32_t best = INDEX_NONE;
	int64_t best_fit = -1;

	for (uint32_t g = 0; g < p->advance_count; g++) {
		const struct advance_reservation *advance = &p->advance[g];
		int64_t fit;

		if (advance->begin_s >= end_s || advance->end_s <= begin_s ||
		    advance_admits(p, request.guests, g))
			continue;
		fit = fit_if_invited(p, request, g, begin_s, end_s);
		if (fit > best_fit || (fit == best_fit && advance->begin_s < p->advance[best].begin_s)) {
			best = g;
			best_fit = fit;
		}
	}
	return best == INDEX_NONE ? INDEX_NONE : p->advance[best].index;
}
