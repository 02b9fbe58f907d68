/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - the effect of several values of one option
 *
 * Each value is set on top of the draft and projected. All totals, including those of the live state, are
 * taken over the same jobs: the jobs that start with every value.
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
	const char *name; /* name of the option, as for `kahu tune` */
	const char *const *value;
	size_t values;
	uint64_t watch; /* ID of an idle or blocked job to watch; 0 = none */
	struct future_setup ahead;
	/*
	 * Reports progress: called before each value with the number of finished futures, out of `values` +
	 * 1. NULL = not called. self: ahead.self.
	 */
	void (*looked)(void *self, size_t futures);
};

struct sweep_point {
	const char *value; /* owned by the caller */
	bool refused;      /* the value or the draft is refused: only err is valid below */
	struct err err;    /* why it is refused */
	struct whatif_totals totals;
	struct start_changes change; /* difference from the live state */
	uint32_t reordered;  /* number of jobs with another position in the queue than in the live state */
	int64_t watch_s;     /* start of the watched job; TIME_NEVER = unknown */
	uint32_t watch_rank; /* position of the watched job among idle jobs; 0 = not idle */
};

/* The result. A zeroed struct is a valid empty one; sweep_clear frees it. */
struct sweep {
	struct sweep_point live; /* the live state; its value is NULL */
	struct sweep_point *point;
	size_t points, room;
	uint32_t jobs; /* number of jobs over which means are taken */
};

/* Replaces the contents of *out. Returns false if stopped. */
bool sweep_find(struct sweep *out, const struct snapshot *s, const struct sweep_setup *setup);
void sweep_clear(struct sweep *w);

/* Returns the index of the first point with the shortest mean wait; INDEX_NONE if no value shortens it. */
size_t sweep_best(const struct sweep *w);

/*
 * Sets `out` to at most `steps` values from lo to hi, inclusive, in the notation of the option and without
 * duplicates. The values are whole numbers if lo and hi are whole and far enough apart. Their distances are
 * equal, or equal on a logarithmic scale if hi is more than SWEEP_WIDE times lo and lo > 0. The texts are
 * allocated in `arena`. Returns the number of values.
 */
#define SWEEP_WIDE   100
#define SWEEP_VALUES 100
size_t sweep_range(const struct knob *k, double lo, double hi, size_t steps, struct arena *arena,
		   const char *out[static SWEEP_VALUES]);

#endif
