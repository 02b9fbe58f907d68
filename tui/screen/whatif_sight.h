/* SPDX-License-Identifier: MIT */
/*
 * whatif_sight.h - the projections of the What-if screen, and the computation of their numbers
 *
 * Compares the live queue with the draft: the full projections if they are complete, otherwise the instant
 * plans. All data is from one plan query.
 */
#ifndef SCREEN_WHATIF_SIGHT_H
#define SCREEN_WHATIF_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/forecast/whatif.h"
#include "tui/query/plan_query.h"
#include "tui/query/projection_query.h"
#include "tui/report/figure.h"

struct screen_host; /* host.h */

/* The starts and ends of one queue by slot, as used by occupancy.h. */
struct whatif_future {
	const struct forecast *f;
	const int64_t *start_s, *end_s;
	enum future_tier tier;
	const bool *placeholder; /* of a partial tier: starts taken from the instant plan */
};

struct whatif_sight {
	const struct plan_query *o;
	const struct whatif *w;           /* NULL: not known yet */
	enum future_tier tier;            /* instant: from the instant plans */
	bool comparing;                   /* draft is the projection of a draft */
	struct whatif_future live, draft; /* without a draft, both are the same */
	int change_cells;                 /* width of the column of changes; 0 = no limit */
};

/* "instant plan", "full projection, jobs run to their limits": how starts are estimated. Static storage. */
const char *whatif_tier(enum future_tier tier, enum assume_kind kind);

/* The tier for comparing the starts of a plan query and of its draft: full or instant. */
enum future_tier whatif_draft_tier(const struct plan_query *o);
/* The estimated starts of a forecast; while its projection is not complete, those of the instant plan. */
struct whatif_future whatif_future_of(const struct forecast *f, enum future_tier tier);
/* Appends the projected start of a waiting job: "19:44:39", "~19:44:39", "now", or "-". */
enum role whatif_put_start(const struct whatif_future *future, uint32_t slot, struct str *out);

void whatif_sight_take(struct whatif_sight *sight, struct screen_host *host);

/* Is it a past state instead of the live queue? */
bool whatif_sight_is_past(const struct whatif_sight *sight);

/* Time of the last start in either projection, now if there is none: end of the timeline. */
int64_t whatif_sight_end_s(const struct whatif_sight *sight);

/* --- computation of the numbers ----------------------------------------------------------------------- */

/*
 * Computed from the shown tier. Titles are those of columns and lines; the draft's numbers end in DRAFT, its
 * ranks and priorities in AFTER.
 */

/* RANK, PRIORITY and the starts of a job: LIVE, DRAFT and CHANGE, or without a draft START and WAIT. */
void whatif_figures_job(struct figures *out, const struct whatif_sight *sight, uint64_t job);
/* The totals beside the jobs: "mean wait", "mean wait DRAFT". */
void whatif_figures_totals(struct figures *out, const struct whatif_sight *sight);
/* The row of one user, group or class: JOBS, MEAN WAIT, MEAN WAIT DRAFT, ... */
void whatif_figures_group(struct figures *out, const struct whatif_sight *sight,
			  const struct whatif_group *group);
/* The common assumptions. */
void whatif_figures_tier(struct figures *out, const struct whatif_sight *sight, enum assume_kind kind);

#endif
