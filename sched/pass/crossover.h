/* SPDX-License-Identifier: MIT */
/*
 * crossover.h - the values of a weight at which two jobs change their order
 *
 * As a function of a weight, a priority is a straight line between a few bends: where a cap begins to act, or
 * where a sum meets a bound. Ranks are whole numbers, and of two equal ranks the older job is first; so where
 * two lines cross at a small angle, the order may change several times while they are less than a point
 * apart. Bends and intersections are computed in closed form; around them every whole value is judged by the
 * code that orders the queue (priority_weigh). At a value that is reported, the order of the pair therefore
 * differs from that at the neighbouring value.
 */
#ifndef PASS_CROSSOVER_H
#define PASS_CROSSOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/config/config.h"
#include "sched/model/snapshot.h"
#include "sched/policy/priority.h"

struct str; /* sched/base/str.h */

/* One waiting job at a moment: everything that its priority depends on. */
struct crossover_job {
	const struct job *job;
	struct prio_creds creds;
	struct prio_weights weights; /* its partition's */
	double value[PRIO_FACTOR_COUNT];
	uint32_t order; /* index in WAITING: of equal ranks the lower index is first */
};

struct crossover_pair {
	const struct snapshot *s;
	struct crossover_job a, b;
};

/* Measures two waiting jobs, given by slot. shares must be built for now_s, as in queue.h. Borrows s. */
void crossover_measure(struct crossover_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		       int64_t now_s, const struct fairshare *shares);

/* Appends the name of the option that applies to job a, such as "partition[p1].xfactorweight". */
void crossover_name(const struct crossover_pair *p, struct config_weight weight, struct str *out);

/* The nearest change of the order in one direction from today's value, among all legal whole values. */
struct crossover_flip {
	bool found;
	int64_t at;      /* the first value with the new order; the value before it has today's order */
	int64_t until;   /* the last value up to which the new order is known to hold, inclusive */
	bool to_the_end; /* until is the end of the legal range */
	bool proven;     /* no nearer value, or no value at all, changes the order. False: only CROSSOVER_SCAN
			    values     were judged of a range in which the jobs are less than a few points apart
			  */
	bool hidden; /* a masked snapshot does not show whether the option applies to job b too; nothing else
			is set */
};

#define CROSSOVER_SCAN 4096

struct crossover {
	double now; /* today's value of the weight or cap */
	bool ahead; /* job a is before job b today        */
	struct crossover_flip down, up;
};

/* The numbers that are truncated to the ranks of job a and job b if the option has this value. Not for a flip
 * that is hidden. */
void crossover_points(const struct crossover_pair *p, struct config_weight weight, double at,
		      double points[2]);

/* Appends the range of values with the new order: "never", "not known", "< 20", "9..79" or "= 0". sign: -1
 * for the flip below today's value, 1 for that above. */
void crossover_add_flip(const struct crossover_flip *flip, int sign, struct str *out);

/* Finds the flips of a pair for a weight or cap (config_weight_of). */
void crossover_find(struct crossover *out, const struct crossover_pair *p, struct config_weight weight);

/* Of all weights in use (without caps), the flip with the smallest relative change of its weight. */
struct crossover_nearest {
	bool found;
	bool hidden; /* the flips of some weight in use are hidden; nothing else is set */
	struct config_weight weight;
	double now;
	int64_t at;
	double relative; /* |at - now| / |now| */
};
struct crossover_nearest crossover_nearest(const struct crossover_pair *p);

/* True if it is the weight of a factor or component, and both its own weight and that of the component, resp.
 * of some factor in it, are not 0. */
bool crossover_in_use(const struct prio_weights *weights, struct config_weight weight);

#endif
