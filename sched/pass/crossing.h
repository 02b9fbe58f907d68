/* SPDX-License-Identifier: MIT */
/*
 * crossing.h - at which value of a weight does one job pass another?
 *
 * Both priorities are linear in a weight between few bends: where a cap begins to act, where a sum meets a
 * bound. A pass compares whole numbers of points, and among equals the older job is first; so where two lines
 * cross slowly the order may go to and fro while they are less than a point apart. Bends and crossings are
 * found in closed form; around them every whole value is judged by the code that orders the queue
 * (priority_weigh), so that a value found and its neighbour differ in the order of this pair.
 */
#ifndef PASS_CROSSING_H
#define PASS_CROSSING_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/config/config.h"
#include "sched/model/snapshot.h"
#include "sched/policy/priority.h"

struct str; /* sched/base/str.h */

/* One waiting job at a moment: all that its priority is made of. */
struct crossing_job {
	const struct job *job;
	struct prio_creds creds;
	struct prio_weights weights; /* its partition's */
	double value[PRIO_FACTOR_COUNT];
	uint32_t order; /* index in WAITING: who is first among equals */
};

struct crossing_pair {
	const struct snapshot *s;
	struct crossing_job a, b;
};

/* Two waiting jobs, by slot. shares: built for the moment, as in queue.h; the snapshot has to stay. */
void crossing_measure(struct crossing_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		      int64_t now_s, const struct fairshare *shares);

/* "partition[p1].xfactorweight": the option that is meant, which is that of job a's partition. */
void crossing_name(const struct crossing_pair *p, struct config_weight weight, struct str *out);

/* One way from today's value, over all whole values that are legal. */
struct crossing_flip {
	bool found;
	int64_t at;      /* here the order is the other one, and one nearer to today's value it is today's */
	int64_t until;   /* as far as the other order is known to hold from there, itself included */
	bool to_the_end; /* which is as far as is legal                                         */
	bool proven; /* nothing nearer, or nothing at all, flips them; false: of a stretch in which they are
			less than a few points apart only CROSSING_SCAN values were looked at */
	bool hidden; /* who looks may not know whether job b moves too: nothing else is set */
};

#define CROSSING_SCAN 4096

struct crossing {
	double now; /* today's value of the weight or cap */
	bool ahead; /* job a is before job b today        */
	struct crossing_flip down, up;
};

/* With the option at a value: what is cut toward zero, then compared, of job a and of job b. Not for what is
 * hidden. */
void crossing_points(const struct crossing_pair *p, struct config_weight weight, double at, double points[2]);

/* Appends "never", "not known", "< 20", "9..79", "= 0": where the order is the other one on the way down (-1)
 * or up (1). */
void crossing_add_flip(const struct crossing_flip *flip, int sign, struct str *out);

/* weight: any weight or cap of config_weight_of. */
void crossing_find(struct crossing *out, const struct crossing_pair *p, struct config_weight weight);

/* The flip of any weight in use (caps do not count) that is the least away from its value today. */
struct crossing_nearest {
	bool found;
	bool hidden; /* of a weight in use who looks may not know it: nothing else is set */
	struct config_weight weight;
	double now;
	int64_t at;
	double relative; /* |at - now| / |now| */
};
struct crossing_nearest crossing_nearest(const struct crossing_pair *p);

/* Is it a factor's or a component's weight that gives points to any job of the partition today? */
bool crossing_in_use(const struct prio_weights *weights, struct config_weight weight);

#endif
