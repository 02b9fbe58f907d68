/* SPDX-License-Identifier: MIT */
/*
 * projection_query.h - full projections of the queue and of a draft, and of single edits
 *
 * A projection query makes the full projections (sched/forecast/project.h) of both queues of a plan query and
 * compares them by job. A projection takes a millisecond to seconds. It runs in its own lane (worker.h), can
 * be stopped between two passes, and reports its progress. Until it is finished, the screens show the instant
 * plan.
 *
 * The live queue is projected once for all drafts that are compared with it, so each step of a slider
 * requires only one projection.
 */
#ifndef QUERY_PROJECTION_QUERY_H
#define QUERY_PROJECTION_QUERY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan_query.h"
#include "sched/forecast/ablate.h"
#include "sched/forecast/future.h"
#include "sched/forecast/project.h"
#include "sched/forecast/whatif.h"
#include "sched/lint/lint.h"
#include "sched/model/assume.h"
#include "worker.h"

/*
 * Assumed run times, relative to the wallclock limits. Only the console's thread changes the reference count.
 */
struct run_assumption {
	int holders;
	enum assume_kind kind;
	struct accuracy accuracy;
};

/* Returns an assumption without accuracy data, with one reference. */
struct run_assumption *run_assumption_new(enum assume_kind kind);
struct run_assumption *run_assumption_hold(struct run_assumption *h);
void run_assumption_drop(struct run_assumption *h); /* NULL is allowed */

/* A projected queue. Only the console's thread changes the reference count. */
struct projected {
	int holders;
	bool done; /* the projection is finished; it does not change any more */
	struct projection run;
	struct never never; /* jobs that never start in `run` */
	/*
	 * If the budget was exhausted: the starts of `run` with placeholders for jobs that were not reached;
	 * otherwise NULL.
	 */
	int64_t *start_s;
	bool *placeholder;
	size_t start_room, placeholder_room;
};

/* Returns the projected starts by job slot. */
const int64_t *projected_starts(const struct projected *a);

struct projection_query {
	struct query query;
	/* request */
	struct run_assumption *run_assumption; /* run time assumption, referenced; NULL: jobs run to their
						  wallclock limits */
	struct projected *live; /* the projected live queue, referenced; may already be finished */
	/* progress: number of jobs of both queues to start, and of those started so far */
	_Atomic uint32_t waiting, started;
	struct assumed assumed; /* working memory for the functions of project.h */
	/* result */
	struct projected *
		draft; /* the projected draft, referenced; NULL if there is no draft or it would be refused */
	struct whatif compared;
};

/*
 * Creates a query. References the plan query, which must be built, and the assumption. Shares the projection
 * of the live queue with `before` (which may be NULL) if queue, time and assumption are the same.
 */
struct projection_query *projection_query_new(struct plan_query *o, struct run_assumption *run_assumption,
					      const struct projection_query *before);

/* Frees the query and drops its references. NULL is allowed. */
void projection_query_free(struct projection_query *f);

/* Computes the result. Returns false if the query was stopped. */
bool projection_query_build(struct projection_query *f);

/*
 * Stores the estimated starts in the plan query. Called in the console's thread. The projection must be
 * complete and without a run time assumption.
 */
void projection_query_settle(struct projection_query *f);

/* Does the query have the same queue, time and run time assumption as o? The second function: does it have
 * the same draft? */
bool projection_query_same_queue(const struct projection_query *f, const struct plan_query *o,
				 const struct run_assumption *run_assumption);
bool projection_query_same_draft(const struct projection_query *f, const struct plan_query *o);

/*
 * Did both projections finish within the budget? Otherwise their differences are meaningless, and the instant
 * plans must be compared, as in future_compare().
 */
bool projection_query_compares(const struct projection_query *f);

/* --- effect of each edit of a draft, and lint findings caused by the draft ---------------------------- */

/*
 * A query that evaluates each edit alone and the draft without each edit, and finds the lint findings caused
 * by the draft. It runs in the lane of projections, on a complete projection. It needs a projection for each
 * set of edits, and therefore runs last and is stopped first.
 */

struct ablation_query {
	struct query query;
	/* request */
	struct run_assumption *run_assumption; /* run time assumption, referenced; NULL: jobs run to their
						  wallclock limits */
	struct projected *live;                /* the projected live queue, referenced; must be finished */
	bool singly;                           /* evaluate the edits; otherwise only find lint findings */
	/* result */
	struct ablate ablate; /* effects of the edits; count 0: not requested, or an edit was refused */
	struct lint_list odd; /* lint findings caused by the draft */
};

/* Creates a query on a complete projection with a draft. */
struct ablation_query *ablation_query_new(const struct projection_query *f, bool singly);
void ablation_query_free(struct ablation_query *s); /* NULL is allowed */

/* Computes the result. Returns false if the query was stopped. */
bool ablation_query_build(struct ablation_query *s);

#endif
