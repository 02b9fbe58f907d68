/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - the effect of several values of one option
 *
 * Each value is set on top of the draft and projected. All totals, those of the live state included, are
 * taken over the same jobs: those that start with every value.
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
	const struct event *ev; /* the draft; NULL if count is 0 */
	size_t count;
	const char *name; /* of the option, as in `tune`     */
	const char *const *value;
	size_t values;
	uint64_t watch; /* an idle or blocked job; 0 = none*/
	struct future_setup ahead;
	/* Progress: called before each value with the number of finished futures, out of values + 1; NULL =
	 * none. self is that of `ahead`. */
	void (*looked)(void *self, size_t futures);
};

struct sweep_point {
	const char *value; /* owned by the caller */
	bool refused;      /* the value or the draft is refused: only err is valid below           */
	struct err err;    /* the reason for the refusal                                          */
	struct whatif_totals totals;
	struct start_changes change; /* from the live state         */
	uint32_t reordered;          /* idle jobs with another position in the queue than live */
	int64_t watch_s;             /* start of the watched job; TIME_NEVER = unknown */
	uint32_t watch_rank;         /* its position among idle jobs; 0 = not idle       */
};

/* Zero is a valid empty one; sweep_clear frees. */
struct sweep {
	struct sweep_point live; /* the live state; value NULL             */
	struct sweep_point *point;
	size_t points, room;
	uint32_t jobs; /* number of jobs in the means            */
};

/* Replaces the contents of *out. False: stopped. */
bool sweep_find(struct sweep *out, const struct snapshot *s, const struct sweep_setup *setup);
void sweep_clear(struct sweep *w);

/* The first point with the shortest mean wait; INDEX_NONE: no value shortens it. */
size_t sweep_best(const struct sweep *w);

/*
 * Fills out with `steps` values from lo to hi inclusive, in the notation of the option and without
 * duplicates; whole numbers if lo and hi are whole and far enough apart. Steps are equal, or equal on a
 * logarithmic scale if hi is more than SWEEP_WIDE times lo > 0. The texts live in arena. Returns the number
 * of values.
 */
#define SWEEP_WIDE   100
#define SWEEP_VALUES 100
size_t sweep_range(const struct knob *k, double lo, double hi, size_t steps, struct arena *arena,
		   const char *out[static SWEEP_VALUES]);

#endif
