/* SPDX-License-Identifier: MIT */
/*
 * crossing.h - at which value of a weight does one job pass another?
 *
 * Both priorities are linear in a weight between few bends: where a cap of the component begins to act, where
 * the sum meets a bound. A pass looks at whole numbers of points, and at equal ones the older job is first;
 * so where two lines cross slowly the order may go to and fro within less than a point. Bends and crossings
 * are found in closed form; around a crossing every whole value is then judged by the code that orders the
 * queue (priority.h), so that a value found and its neighbour differ in nothing but the order of this pair.
 */
#ifndef CORE_CROSSING_H
#define CORE_CROSSING_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "priority.h"
#include "queue.h"
#include "snapshot.h"

/* One job at a moment: all that its priority is made of. */
struct crossing_job {
	const struct job *job;
	struct prio_creds creds;
	struct prio_weights weights; /* its partition's */
	double value[PRIO_FACTOR_COUNT];
	uint32_t order; /* index in WAITING: who is first at equal ranks */
};

struct crossing_pair {
	const struct policy *policy;
	struct crossing_job a, b;
	uint32_t partition; /* whose weight is meant: that of job a; 0 = ALL                */
	bool both;          /* job b has the same weights; else only job a moves            */
};

/* Two waiting jobs, by slot. shares: built for the moment, as in queue.h. */
void crossing_measure(struct crossing_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		      int64_t now_s, const struct fairshare *shares);

/* Is a before b when the weight has this value? By the code that orders the queue. */
bool crossing_is_ahead(const struct crossing_pair *p, struct config_weight weight, double x);

/* One way from today's value. */
struct crossing_flip {
	bool found;
	int64_t at;  /* the nearest whole value with the other order; the one before it (nearer to today's)
			has today's */
	bool steady; /* up to the end of what is legal the other order stays                      */
	bool proven; /* not found: there is none; false: only that many values near by were looked at */
};

struct crossing {
	double now; /* today's value of the weight */
	bool ahead; /* a before b today            */
	struct crossing_flip down, up;
};

void crossing_find(struct crossing *out, const struct crossing_pair *p, struct config_weight weight);

/* The nearest flip of any weight in use (not of caps), by how much of today's value it is away. */
struct crossing_nearest {
	bool found;
	struct config_weight weight;
	double now;
	int64_t at;
	double relative; /* |at - now| / |now| */
};
struct crossing_nearest crossing_nearest(const struct crossing_pair *p);

#endif
