/* SPDX-License-Identifier: MIT */
/*
 * whatif_sight.h - the two futures that screens compare: of the live queue and of the draft
 *
 * The full projection of the draft that is open where there is one; until then the instant plans. Whatever it
 * is, all of the screen is of one outlook.
 */
#ifndef SCREEN_WHATIF_SIGHT_H
#define SCREEN_WHATIF_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/forecast/whatif.h"
#include "tui/query/plan_query.h"
#include "tui/query/projection_query.h"

struct screen_host; /* host.h */

/* A future of one of the two queues: by slot, as occupancy.h takes it. */
struct whatif_future {
	const struct forecast *f;
	const int64_t *start_s, *end_s;
	enum future_tier tier;
	const bool *placeholder; /* of a partial tier: which starts are of the instant plan */
};

struct whatif_sight {
	const struct plan_query *o;
	const struct whatif *w;           /* NULL: nothing is known yet                     */
	enum future_tier tier;            /* instant: by the plans of both             */
	bool comparing;                   /* there is a draft, and draft below is of it      */
	struct whatif_future live, draft; /* the same twice without a draft           */
	int change_cells;                 /* width of the column of changes; 0 = not limited */
};

/* "instant plan", "full projection, jobs run to their limits": how starts are found, on every screen. Static
 * storage. */
const char *whatif_tier(enum future_tier tier, enum assume_kind kind);

/* The tier by which the starts of an outlook and of its draft are compared: full or instant. */
enum future_tier whatif_draft_tier(const struct plan_query *o);
/* The estimated starts that a forecast has, or, where a projection is still to be made, those of its plan. */
struct whatif_future whatif_future_of(const struct forecast *f, enum future_tier tier);
/* Appends the start of a waiting job in a future: "19:44:39", "~19:44:39", "now", "-". */
enum role whatif_put_start(const struct whatif_future *future, uint32_t slot, struct str *out);

void whatif_sight_take(struct whatif_sight *sight, struct screen_host *host);

/* Is it of a moment of the past? It is not the live queue then. */
bool whatif_sight_is_past(const struct whatif_sight *sight);

/* When the last job starts in either future; now without any. Until then the timeline goes. */
int64_t whatif_sight_end_s(const struct whatif_sight *sight);

#endif
