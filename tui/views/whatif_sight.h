/* SPDX-License-Identifier: MIT */
/*
 * whatif_sight.h - which numbers does the What-if screen show: by which tier, of which queue?
 *
 * The full projection of the draft that is open where there is one; until then the instant plans. Whatever it
 * is, all of the screen is of one outlook.
 */
#ifndef VIEWS_WHATIF_SIGHT_H
#define VIEWS_WHATIF_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/core/whatif.h"
#include "tui/answers/foresight.h"
#include "tui/outlook.h"

struct console; /* tui/console/console.h */

/* A future of one of the two queues: by slot, as occupancy.h takes it. */
struct whatif_future {
	const struct forecast *f;
	const int64_t *start_s, *end_s;
};

struct whatif_sight {
	const struct outlook *o;
	const struct whatif *w;           /* NULL: nothing is known yet                     */
	bool full;                        /* by the full projection, else by instant plans   */
	bool comparing;                   /* there is a draft, and draft below is of it      */
	struct whatif_future live, draft; /* the same twice without a draft           */
	int change_cells;                 /* width of the column of changes; 0 = not limited */
};

/* "instant plan", "full projection, jobs run to their limits": how starts are found, on every screen. Static
 * storage. */
const char *whatif_tier(bool full, enum assume_kind kind);

void whatif_sight_take(struct whatif_sight *sight, const struct console *c);

/* Is it of a moment of the past? It is not the live queue then. */
bool whatif_sight_is_past(const struct whatif_sight *sight);

/* When the last job starts in either future; now without any. Until then the timeline goes. */
int64_t whatif_sight_end_s(const struct whatif_sight *sight);

#endif
