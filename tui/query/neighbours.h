/* SPDX-License-Identifier: MIT */
/*
 * neighbours.h - neighbours of a job in the queue, and the weights at which they change places
 *
 * The neighbours of a job are the nearest jobs above and below it that could use the same nodes. For each
 * weight in use, this file finds the values at which the job and its neighbour swap (crossover.h), smallest
 * change first; and it computes the priorities after another hour in the queue. An order is called fragile if
 * a change of one weight by NEIGHBOUR_FRAGILE reverses it.
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
#define NEIGHBOUR_FRAGILE 0.05 /* largest fragile change, relative to the current value of the weight */

struct neighbour_weight {
	struct config_weight weight;
	struct crossover found;
	double nearest; /* smallest change that swaps the jobs, relative to the current value; INFINITY: none
			 */
};

struct neighbour {
	bool exists;
	bool tied; /* the job and its neighbour have equal priorities */
	uint32_t slot;
	struct crossover_pair pair; /* job a is the given job, job b the neighbour */
	struct neighbour_weight weight[NEIGHBOUR_WEIGHTS];
	size_t weights; /* number of weights in use; weight[] is sorted by the change, smallest first */
};

struct neighbours {
	const struct forecast *f;
	uint32_t slot;
	bool waits; /* the job is in the idle queue; otherwise the members below are not set */
	struct neighbour at[NEIGHBOUR_SIDES];
	struct prio_result now, later; /* priority of the job now and in one hour */
	int64_t later_rank[NEIGHBOUR_SIDES];
};

/*
 * Finds the neighbours of the job in a slot. Borrows the forecast. Takes a few microseconds for each weight
 * in use, more if the priorities are almost equal.
 */
void neighbours_find(struct neighbours *out, const struct forecast *f, uint32_t slot);

/* Points of each factor of the job now and in one hour. */
struct neighbour_gains {
	double before[PRIO_FACTOR_COUNT], after[PRIO_FACTOR_COUNT];
};

/* --- neighbours in one line --------------------------------------------------------------------------- */

/*
 * Appends a line such as "Swaps with 1224 if: xfactor < 143 (fragile: -4.7%) | queuetime > 3 | never by qos
 * proc", as much of it as fits into width, or a sentence if there is no neighbour. For tied jobs, the line
 * says what decides their order. Returns the role of the text.
 */
enum role neighbours_line(const struct neighbours *r, enum neighbour_side side, int width, struct str *out);

/* Appends a line such as "In 1 h: 4957 -> 6557 (queuetime +600, xfactor +1000); already first". */
void neighbours_hour_line(const struct neighbours *r, int width, struct str *out);

/* --- figures of the neighbours ------------------------------------------------------------------------ */

/* Appends a figure or a sentence for each number of the lines above; nothing if the job is not idle. */
void neighbours_figures(struct figures *out, const struct neighbours *r);

#endif
