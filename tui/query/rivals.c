/* SPDX-License-Identifier: MIT */
/*
 * rivals.c - at which weights does a job change places with those next to it?
 *
 * A pair is measured once; crossing.h then judges every weight in use by the code that orders the queue.
 * Shares count as they are now; in an hour a job has waited an hour longer and nothing else is new.
 */
#include "rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/report/priority_report.h"

#define HOUR_S INT64_C(3600)

/* --- finding -------------------------------------------------------------------------------------------- */

/* Jobs of two partitions never wait for the same node. */
static bool may_compete(const struct job *a, const struct job *b)
{
	return a->partition == 0 || b->partition == 0 || a->partition == b->partition;
}

double rival_distance(const struct crossing *c, int64_t at)
{
	return fabs((double)at - c->now) / fabs(c->now);
}

static double nearness(const struct crossing *c)
{
	return fmin(c->down.found ? rival_distance(c, c->down.at) : INFINITY,
		    c->up.found ? rival_distance(c, c->up.at) : INFINITY);
}

static int compare_weights(const void *a, const void *b)
{
	const struct rival_weight *x = a, *y = b;

	if (x->nearest < y->nearest || x->nearest > y->nearest)
		return x->nearest < y->nearest ? -1 : 1;
	if (x->weight.kind != y->weight.kind)
		return x->weight.kind > y->weight.kind ? -1 : 1;
	return (x->weight.index > y->weight.index) - (x->weight.index < y->weight.index);
}

/* The weight of a component whose only factor in use has one does what that one does. */
static bool is_worth_telling(const struct prio_weights *w, struct config_weight weight)
{
	unsigned used = 0;

	if (!crossing_in_use(w, weight))
		return false;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		used += w->factor[f] != 0 && policy_factor_info(f)->component == weight.index;
	return weight.kind == FACTOR_WEIGHT || used > 1;
}

/* Both have the least priority there is, or the greatest: who came first decides, and no weight. */
static bool are_at_bound(const struct crossing_pair *p, struct config_weight weight, int64_t at)
{
	double points[2];

	crossing_points(p, weight, (double)at, points);
	return (points[0] == PRIO_FLOOR || points[0] == PRIO_MAX) && points[0] == points[1];
}

/* A flip is told where the one is really above, by points. */
static void leave_bound(const struct crossing_pair *p, struct config_weight weight,
			struct crossing_flip *flip)
{
	int64_t above = flip->until;

	if (!flip->found || !are_at_bound(p, weight, flip->at))
		return;
	flip->found = !are_at_bound(p, weight, above);
	while (flip->found && llabs(above - flip->at) > 1) {
		int64_t middle = flip->at + (above - flip->at) / 2;

		if (are_at_bound(p, weight, middle))
			flip->at = middle;
		else
			above = middle;
	}
	flip->at = above;
}

static void find_weights(struct rival *r)
{
	r->weights = 0;
	for (unsigned i = 0; i < RIVAL_WEIGHTS; i++) {
		struct rival_weight *one = &r->weight[r->weights];

		one->weight = (struct config_weight){
			.kind = i < PRIO_FACTOR_COUNT ? FACTOR_WEIGHT : COMPONENT_WEIGHT,
			.index = i < PRIO_FACTOR_COUNT ? i : i - PRIO_FACTOR_COUNT,
		};
		if (!is_worth_telling(&r->pair.a.weights, one->weight))
			continue;
		crossing_find(&one->found, &r->pair, one->weight);
		leave_bound(&r->pair, one->weight, &one->found.down);
		leave_bound(&r->pair, one->weight, &one->found.up);
		one->nearest = nearness(&one->found);
		r->weights++;
	}
	qsort(r->weight, r->weights, sizeof r->weight[0], compare_weights);
}

/* The next on a side that competes with it; INDEX_NONE: nobody. */
static uint32_t next_on(const struct forecast *f, uint32_t slot, enum rival_side side)
{
	const struct queue *q = &f->plan.queue;
	const struct job *job = snapshot_jobs(f->s);
	uint32_t at = f->place[slot] - 1;

	while (side == RIVAL_BELOW ? at + 1 < q->idle_count : at > 0) {
		at += side == RIVAL_BELOW ? 1 : UINT32_MAX;
		if (may_compete(&job[slot], &job[q->idle[at].slot]))
			return q->idle[at].slot;
	}
	return INDEX_NONE;
}

static void find_rival(struct rivals *r, enum rival_side side)
{
	const struct forecast *f = r->f;
	struct rival *one = &r->at[side];
	struct prio_result now, later;

	one->slot = next_on(f, r->slot, side);
	one->exists = one->slot != INDEX_NONE;
	if (!one->exists)
		return;
	crossing_measure(&one->pair, f->s, r->slot, one->slot, f->plan.now_s, &f->plan.queue.shares);
	find_weights(one);
	forecast_priority(f, one->pair.b.job, &now);
	one->tied = now.rank == r->now.rank;
	queue_priority(f->s, one->pair.b.job, f->plan.now_s + HOUR_S, &f->plan.queue.shares, &later);
	r->later_rank[side] = later.rank;
}

void rivals_find(struct rivals *out, const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	out->f = f;
	out->slot = slot;
	out->waits = f->place[slot] != 0;
	if (!out->waits)
		return;
	forecast_priority(f, job, &out->now);
	queue_priority(f->s, job, f->plan.now_s + HOUR_S, &f->plan.queue.shares, &out->later);
	find_rival(out, RIVAL_BELOW);
	find_rival(out, RIVAL_ABOVE);
}

/* --- what is found ---------------------------------------------------------------------------------------
 */

void rival_add_weight_name(struct config_weight weight, struct str *out)
{
	const char *name = config_weight_name(weight);

	str_add_bytes(out, name, strlen(name) - strlen("weight"));
}

double rival_change_percent(const struct rival_weight *w)
{
	const struct crossing_flip *up = &w->found.up, *down = &w->found.down;
	double now = w->found.now;
	bool is_up =
		up->found && (!down->found || fabs((double)up->at - now) <= fabs((double)down->at - now));

	return 100 * ((double)(is_up ? up->at : down->at) - now) / fabs(now);
}

bool rival_is_fragile(const struct rival *r)
{
	return r->weights > 0 && r->weight[0].nearest <= RIVAL_FRAGILE;
}

void rivals_gains(const struct rivals *r, struct rival_gains *out)
{
	const struct prio_weights *w = snapshot_job_weights(r->f->s, &snapshot_jobs(r->f->s)[r->slot]);

	formula_points(w, &r->now, out->before);
	formula_points(w, &r->later, out->after);
}

int64_t rival_gain(const struct rival_gains *g, enum prio_factor f)
{
	return llround(g->after[f] - g->before[f]);
}
