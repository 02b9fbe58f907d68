/* SPDX-License-Identifier: MIT */
/*
 * crossover.h - the values of a weight at which two jobs change their order
 *
 * As a function of a weight, a priority is a straight line between a few bends: where a cap begins to apply,
 * or where a sum meets a bound. Ranks are whole numbers, and of two equal ranks the older job is first. Where
 * two lines cross at a small angle, the order may therefore change several times while the lines are less
 * than a point apart. Bends and intersections are computed in closed form; around them, the order at every
 * whole value is determined by the code that orders the queue (priority_weigh). So at a value that is
 * reported, the order of the pair differs from the order at the neighbouring value.
 */
#ifndef PASS_CROSSOVER_H
#define PASS_CROSSOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/config/config.h"
#include "sched/model/snapshot.h"
#include "sched/policy/priority.h"

struct str; /* defined in sched/base/str.h */

/* An idle job at a given time: everything that its priority depends on. */
struct crossover_job {
	const struct job *job;
	struct prio_creds creds;
	struct prio_weights weights; /* weights of its partition */
	double value[PRIO_FACTOR_COUNT];
	uint32_t order; /* index in WAITING: of two equal ranks, the job with the lower index is first */
};

struct crossover_pair {
	const struct snapshot *s;
	struct crossover_job a, b;
};

/*
 * Measures two idle jobs, given by slot, at now_s. shares must be built for now_s or be off. *out borrows s.
 */
void crossover_measure(struct crossover_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		       int64_t now_s, const struct fairshare *shares);

/* Appends the name of the option that sets the weight for job a, such as "partition[p1].xfactorweight". */
void crossover_name(const struct crossover_pair *p, struct config_weight weight, struct str *out);

/* The nearest change of the order in one direction from the current value, among all legal whole values. */
struct crossover_flip {
	bool found;
	int64_t at;    /* the first value with the new order; its neighbour towards the current value has the
			  current order */
	int64_t until; /* the last value up to which the new order is known to hold, inclusive */
	bool to_the_end; /* `until` is the end of the legal range */
	/*
	 * No nearer value, or if not found no value at all, changes the order. False: in a range in which the
	 * jobs are less than a few points apart, only CROSSOVER_SCAN values were tried.
	 */
	bool proven;
	/*
	 * A masked snapshot does not show whether the option applies to job b, too; no other member is set.
	 */
	bool hidden;
};

#define CROSSOVER_SCAN 4096

struct crossover {
	double now; /* current value of the weight or cap */
	bool ahead; /* job a is before job b at the current value */
	struct crossover_flip down, up;
};

/*
 * Sets points[] to the priorities of job a and job b, before truncation, if the option has this value. Must
 * not be called for a flip that is hidden.
 */
void crossover_points(const struct crossover_pair *p, struct config_weight weight, double at,
		      double points[2]);

/*
 * Appends the range of values with the new order: "< 20", "9..79" or "= 0", or else "never", "not nearby" or
 * "not known". sign: -1 for the flip below the current value, 1 for the flip above it.
 */
void crossover_add_flip(const struct crossover_flip *flip, int sign, struct str *out);

/* Finds the flips of a pair for a weight or cap. */
void crossover_find(struct crossover *out, const struct crossover_pair *p, struct config_weight weight);

/* Of all weights in use (without caps), the flip that needs the smallest relative change of its weight. */
struct crossover_nearest {
	bool found;
	bool hidden; /* the flips of a weight in use are hidden; no other member is set */
	struct config_weight weight;
	double now;
	int64_t at;
	double relative; /* |at - now| / |now| */
};
/* Finds the nearest flip of a pair. */
struct crossover_nearest crossover_nearest(const struct crossover_pair *p);

/*
 * True if the weight has an effect: the weight of a factor, if it and the weight of its component are not 0;
 * the weight of a component, if it and the weight of a factor in the component are not 0. False for caps.
 */
bool crossover_in_use(const struct prio_weights *weights, struct config_weight weight);

#endif
