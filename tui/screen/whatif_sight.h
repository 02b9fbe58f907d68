/* SPDX-License-Identifier: MIT */
/*
 * whatif_sight.h - the projections of the What-if screen, and the computation of their numbers
 *
 * The live queue and the draft are compared by their projections if both have been made, otherwise by their
 * instant plans. All data is from one plan query.
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

/* The starts and ends of all jobs of one queue, by slot, in the form that occupancy.h needs. */
struct whatif_future {
	const struct forecast *f;
	const int64_t *start_s, *end_s;
	enum future_tier tier;
	const bool *placeholder; /* by slot: the start is taken from the instant plan; for FUTURE_PARTIAL */
};

struct whatif_sight {
	const struct plan_query *o;
	const struct whatif *w;           /* the comparison; NULL = not known yet */
	enum future_tier tier;            /* how the starts in `draft` were estimated */
	bool comparing;                   /* there is a draft, and `w` compares it with the live queue */
	struct whatif_future live, draft; /* without a draft, `draft` is the same as `live` */
	int change_cells;                 /* width of column CHANGE; 0 = no limit */
};

/*
 * Returns how starts are estimated: "instant plan", "full projection, jobs run to their limits". Static
 * storage.
 */
const char *whatif_tier(enum future_tier tier, enum assume_kind kind);

/*
 * Returns FUTURE_FULL if the live queue and the draft of a plan query both have full projections, otherwise
 * FUTURE_INSTANT: their starts can only be compared if they were estimated in the same way.
 */
enum future_tier whatif_draft_tier(const struct plan_query *o);
/*
 * Returns the starts in a forecast: those of the instant plan if tier is FUTURE_INSTANT, otherwise those of
 * its projection.
 */
struct whatif_future whatif_future_of(const struct forecast *f, enum future_tier tier);
/*
 * Appends the estimated start of a waiting job, and returns its role: "19:44:39", "~19:44:39" (from the
 * instant plan), "now", or "-".
 */
enum role whatif_put_start(const struct whatif_future *future, uint32_t slot, struct str *out);

/*
 * Fills *sight from the last projection if it is for the shown queue and draft, otherwise from the shown plan
 * query. Borrows from the console until the next call.
 */
void whatif_sight_take(struct whatif_sight *sight, struct screen_host *host);

/* Is a past state shown instead of the live queue? */
bool whatif_sight_is_past(const struct whatif_sight *sight);

/*
 * Returns the time of the last start in live and draft, at which the chart of the utilization ends; now if no
 * job starts.
 */
int64_t whatif_sight_end_s(const struct whatif_sight *sight);

/* --- computation of the numbers ----------------------------------------------------------------------- */

/*
 * Figures (figure.h) of the numbers on the screen, with the titles of columns and lines. Titles of numbers
 * with the draft end in DRAFT, those of ranks and priorities with the draft in AFTER.
 */

/*
 * Adds RANK and PRIORITY of a job, and its start: LIVE, DRAFT and CHANGE or, without a draft, START and WAIT.
 */
void whatif_figures_job(struct figures *out, const struct whatif_sight *sight, uint64_t job);
/* Adds the totals that are shown beside the jobs: "mean wait", "mean wait DRAFT". */
void whatif_figures_totals(struct figures *out, const struct whatif_sight *sight);
/* Adds the numbers in the row of one credential: JOBS, MEAN WAIT, MEAN WAIT DRAFT, ... */
void whatif_figures_group(struct figures *out, const struct whatif_sight *sight,
			  const struct whatif_group *group);
/* Adds a sentence with the assumptions of all starts. */
void whatif_figures_tier(struct figures *out, const struct whatif_sight *sight, enum assume_kind kind);

#endif
