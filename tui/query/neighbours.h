/* SPDX-License-Identifier: MIT */
/*
 * neighbours.h - neighbours of a job in the queue, and the weights at which they change places
 *
 * The nearest jobs above and below it in the order that could ever take the same node: for each weight in
 * use the values at which they swap (crossing.h), the least change first, and what an hour of waiting does.
 * An order that a change of a weight by NEIGHBOUR_FRAGILE of it turns round is called fragile.
 */
#ifndef QUERY_NEIGHBOURS_H
#define QUERY_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan_query.h"
#include "sched/pass/crossing.h"
#include "tui/draw/theme.h"
#include "tui/report/figure.h"

enum neighbour_side {
	NEIGHBOUR_BELOW,
	NEIGHBOUR_ABOVE,
	NEIGHBOUR_SIDES
};

#define NEIGHBOUR_WEIGHTS (PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT)
#define NEIGHBOUR_FRAGILE 0.05 /* of a weight's value */

struct neighbour_weight {
	struct config_weight weight;
	struct crossing found;
	double nearest; /* the least change that swaps them, as a part of today's value; INFINITY: none */
};

struct neighbour {
	bool exists;
	bool tied; /* their priorities are the same number */
	uint32_t slot;
	struct crossing_pair pair; /* job a is the one that was asked for */
	struct neighbour_weight weight[NEIGHBOUR_WEIGHTS];
	size_t weights; /* in use, the nearest first */
};

struct neighbours {
	const struct forecast *f;
	uint32_t slot;
	bool waits; /* it has a place in the order; else nothing else is set */
	struct neighbour at[NEIGHBOUR_SIDES];
	struct prio_result now, later; /* its priority, and that in an hour */
	int64_t later_rank[NEIGHBOUR_SIDES];
};

/* The forecast stays. A few microseconds for each weight in use, more where sums are hardly apart. */
void neighbours_find(struct neighbours *out, const struct forecast *f, uint32_t slot);

/* Points that each factor gives now and in an hour. */
struct neighbour_gains {
	double before[PRIO_FACTOR_COUNT], after[PRIO_FACTOR_COUNT];
};

/* --- neighbours in one line --------------------------------------------------------------------------- */

/*
 * Of a tie it is said what decides.
 */

/*
 * "Swaps with 1224 if: xfactor < 143 (fragile: -4.7%) | queuetime > 3 | never by qos proc", as much of
 * it as has room, or that nobody is there. How it is to be shown.
 */
enum role neighbours_line(const struct neighbours *r, enum neighbour_side side, int width, struct str *out);

/* "In 1 h: 4957 -> 6557 (queuetime +600, xfactor +1000), already first" */
void neighbours_hour_line(const struct neighbours *r, int width, struct str *out);

/* --- figures of the neighbours ------------------------------------------------------------------------ */

/* A figure, or a sentence, for each number of the lines (neighbours.h). Nothing of a job that does not wait.
 */
void neighbours_figures(struct figures *out, const struct neighbours *r);

#endif
