/* SPDX-License-Identifier: MIT */
/*
 * rivals.h - at which weights does a job change places with those next to it?
 *
 * The nearest jobs above and below it in the order that could ever take the same node: for each weight in
 * use the values at which they swap (crossing.h), the least change first, and what an hour of waiting does.
 * An order that a change of a weight by RIVAL_FRAGILE of it turns round is called fragile.
 */
#ifndef QUERY_RIVALS_H
#define QUERY_RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/pass/crossing.h"
#include "tui/query/outlook.h"

enum rival_side {
	RIVAL_BELOW,
	RIVAL_ABOVE,
	RIVAL_SIDES
};

#define RIVAL_WEIGHTS (PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT)
#define RIVAL_FRAGILE 0.05 /* of a weight's value */

struct rival_weight {
	struct config_weight weight;
	struct crossing found;
	double nearest; /* the least change that swaps them, as a part of today's value; INFINITY: none */
};

struct rival {
	bool exists;
	bool tied; /* their priorities are the same number */
	uint32_t slot;
	struct crossing_pair pair; /* job a is the one that was asked for */
	struct rival_weight weight[RIVAL_WEIGHTS];
	size_t weights; /* in use, the nearest first */
};

struct rivals {
	const struct forecast *f;
	uint32_t slot;
	bool waits; /* it has a place in the order; else nothing else is set */
	struct rival at[RIVAL_SIDES];
	struct prio_result now, later; /* its priority, and that in an hour */
	int64_t later_rank[RIVAL_SIDES];
};

/* The forecast stays. A few microseconds for each weight in use, more where sums are hardly apart. */
void rivals_find(struct rivals *out, const struct forecast *f, uint32_t slot);

/* How much of today's value of a weight lies between it and another. */
double rival_distance(const struct crossing *c, int64_t at);

/* "xfactor": the option without what all of them end in. */
void rival_add_weight_name(struct config_weight weight, struct str *out);

/* The least change that swaps them, with its sign; one of the two ways must be found. */
double rival_change_percent(const struct rival_weight *w);

/* Does a change by RIVAL_FRAGILE of some weight swap them? */
bool rival_is_fragile(const struct rival *r);

/* Points that each factor gives now and in an hour. */
struct rival_gains {
	double before[PRIO_FACTOR_COUNT], after[PRIO_FACTOR_COUNT];
};

void rivals_gains(const struct rivals *r, struct rival_gains *out);

/* In whole points. */
int64_t rival_gain(const struct rival_gains *g, enum prio_factor f);

#endif
