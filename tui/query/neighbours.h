/* SPDX-License-Identifier: MIT */
/*
 * neighbours.h - neighbours of a job in the queue, and the weights at which they change places
 *
 * The nearest jobs above and below it that could use the same nodes: for each weight in use, the values at
 * which they swap (crossover.h), smallest change first, and the priorities after another hour in the queue.
 * An order is called fragile if a change of one weight by NEIGHBOUR_FRAGILE reverses it.
 */
#ifndef QUERY_NEIGHBOURS_H
#define QUERY_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan_query.h"
#include "sched/pass/crossover.h"
#include "tui/draw/theme.h"
#include "tui/report/figure.h"

enum neighbour_side {
	NEIGHBOUR_BELOW,
	NEIGHBOUR_ABOVE,
	NEIGHBOUR_SIDES
};

#define NEIGHBOUR_WEIGHTS (PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT)
#define NEIGHBOUR_FRAGILE 0.05 /* relative to the current value of the weight */

struct neighbour_weight {
	struct config_weight weight;
	struct crossover found;
	double nearest; /* smallest change that swaps them, relative to the current value; INFINITY: none */
};

struct neighbour {
	bool exists;
	bool tied; /* equal priorities */
	uint32_t slot;
	struct crossover_pair pair; /* job a is the given job */
	struct neighbour_weight weight[NEIGHBOUR_WEIGHTS];
	size_t weights; /* weights in use, smallest change first */
};

struct neighbours {
	const struct forecast *f;
	uint32_t slot;
	bool waits; /* the job is ranked; otherwise no other field is set */
	struct neighbour at[NEIGHBOUR_SIDES];
	struct prio_result now, later; /* priority now and in one hour */
	int64_t later_rank[NEIGHBOUR_SIDES];
};

/*
 * Borrows the forecast. Takes a few microseconds for each weight in use, more if the priorities are almost
 * equal.
 */
void neighbours_find(struct neighbours *out, const struct forecast *f, uint32_t slot);

/* Points of each factor now and in one hour. */
struct neighbour_gains {
	double before[PRIO_FACTOR_COUNT], after[PRIO_FACTOR_COUNT];
};

/* --- neighbours in one line --------------------------------------------------------------------------- */

/* For tied jobs, the text says what decides. */

/*
 * "Swaps with 1224 if: xfactor < 143 (fragile: -4.7%) | queuetime > 3 | never by qos proc", as much as fits
 * into width, or that there is no neighbour. Returns the role of the text.
 */
enum role neighbours_line(const struct neighbours *r, enum neighbour_side side, int width, struct str *out);

/* "In 1 h: 4957 -> 6557 (queuetime +600, xfactor +1000), already first" */
void neighbours_hour_line(const struct neighbours *r, int width, struct str *out);

/* --- figures of the neighbours ------------------------------------------------------------------------ */

/* Appends a figure or a sentence for each number of the lines above; nothing if the job is not idle. */
void neighbours_figures(struct figures *out, const struct neighbours *r);

#endif
