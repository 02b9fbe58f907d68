/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - what happens when one setting goes through several values?
 *
 * Each value is set on top of the draft, and the future is looked at. All of them, and the first, things as
 * they are, are told over the same jobs: those that start in every one.
 */
#ifndef FORECAST_SWEEP_H
#define FORECAST_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "comparison.h"
#include "future.h"
#include "sched/base/arena.h"
#include "sched/policy/knob.h"
#include "sched/state/event.h"
#include "whatif.h"

struct sweep_setup {
	const struct event *ev; /* the draft; may be NULL without any */
	size_t count;
	const char *name; /* of the option, as for tune     */
	const char *const *value;
	size_t values;
	uint64_t watch; /* a job that waits; 0 = none     */
	struct future_setup ahead;
	/* Told before each value how many futures, of values + 1, are known; NULL = nobody asks. self:
	 * ahead's. */
	void (*looked)(void *self, size_t futures);
};

struct sweep_point {
	const char *value; /* the caller's */
	bool refused;      /* with the draft or without, the state would not take it: nothing below counts */
	struct err err;    /* why                                                                  */
	struct whatif_totals totals;
	struct start_changes change; /* from things as they are     */
	uint32_t reordered;          /* jobs whose place among the idle is another than it is */
	int64_t watch_s;             /* start of the watched job; TIME_NEVER = not known */
	uint32_t watch_rank;         /* its place among the idle; 0 = not idle           */
};

/* Zero is a valid empty one; sweep_clear frees. */
struct sweep {
	struct sweep_point live; /* things as they are; value NULL         */
	struct sweep_point *point;
	size_t points, room;
	uint32_t jobs; /* over so many jobs means are taken      */
};

/* Replaces what *out holds. False: it was told to stop. */
bool sweep_find(struct sweep *out, const struct snapshot *s, const struct sweep_setup *setup);
void sweep_clear(struct sweep *w);

/* The point of the shortest mean wait, of several the first; INDEX_NONE: none is shorter than it is. */
size_t sweep_best(const struct sweep *w);

/*
 * So many values from lo to hi, both among them, as the option writes them; whole numbers where lo and hi
 * are whole and far enough apart, without repeats. Steps are even, or, where hi is more than SWEEP_WIDE times
 * lo > 0, even in the logarithm. Their texts live in arena. Returns how many.
 */
#define SWEEP_WIDE   100
#define SWEEP_VALUES 100
size_t sweep_range(const struct knob *k, double lo, double hi, size_t steps, struct arena *arena,
		   const char *out[static SWEEP_VALUES]);

#endif
