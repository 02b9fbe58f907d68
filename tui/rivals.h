/* SPDX-License-Identifier: MIT */
/*
 * rivals.h - at which weights does a job change places with those next to it?
 *
 * The nearest jobs above and below it in the order that could ever take the same node: for each weight in
 * use the values at which they swap (crossing.h), the least change first, and what an hour of waiting does.
 * An order that a change of a weight by FRAGILE of it turns round is called fragile, and of a tie it is said
 * what decides.
 */
#ifndef TUI_RIVALS_H
#define TUI_RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "figure.h"
#include "outlook.h"
#include "sched/core/crossing.h"
#include "tui/draw/role.h"

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

/*
 * "Swaps with 1224 if: xfactor < 143 (fragile: -4.7%) | queuetime > 3 | never by qos proc", as much of
 * it as has room, or that nobody is there. How it is to be shown.
 */
enum role rivals_line(const struct rivals *r, enum rival_side side, int width, struct str *out);

/* "In 1 h: 4957 -> 6557 (queuetime +600, xfactor +1000), already first" */
void rivals_hour_line(const struct rivals *r, int width, struct str *out);

/* Where the numbers of these lines come from. */
void rivals_figures(struct figures *out, const struct rivals *r);

#endif
