/* SPDX-License-Identifier: MIT */
/*
 * crossing_inside.h - what the files of a crossing share and nobody else sees
 *
 * crossing.c walks from today's value outwards, crossing_zones.c says where on the way the order may change,
 * crossing_option.c which option is turned and whose weights turn with it.
 */
#ifndef PASS_CROSSING_INSIDE_H
#define PASS_CROSSING_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crossing.h"

#define CROSSING_BENDS 40
#define CROSSING_ZONES (2 * CROSSING_BENDS)

/* Whole values, both ends included. */
struct crossing_zone {
	int64_t from, to;
};

/* All values of one option for one pair. */
struct crossing_line {
	const struct crossing_pair *p;
	struct config_weight weight;
	bool both;      /* the option is also that of job b's partition */
	int64_t lo, hi; /* legal, ends included                         */
	double bend[CROSSING_BENDS];
	size_t bends;
	struct crossing_zone zone[CROSSING_ZONES]; /* upward, apart from each other */
	size_t zones;
};

/* What the weights have for the option. */
double crossing_value(const struct prio_weights *w, struct config_weight weight);

/* With the option at x: is job a before job b? */
bool crossing_is_ahead(const struct crossing_line *l, double x);

/* What is cut to a whole number to give the rank of j, whose weights turn with the option if it moves. */
double crossing_points_of(const struct crossing_line *l, const struct crossing_job *j, bool moves, double x);

/* Fills in bends and zones; all else is set. Outside of the zones the order is one between each two. */
void crossing_find_zones(struct crossing_line *l);

/* Whose weights turn when the option of job a's partition is set? */
enum crossing_moved {
	CROSSING_MOVES_ONE, /* job a's                                                              */
	CROSSING_MOVES_BOTH,
	CROSSING_MOVED_HIDDEN /* job a's; whether job b's too is hidden from who looks. It has the same value
				 now. */
};
enum crossing_moved crossing_moved(const struct crossing_pair *p, struct config_weight weight);

#endif
