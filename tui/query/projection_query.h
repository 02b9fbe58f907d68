/* SPDX-License-Identifier: MIT */
/*
 * projection_query.h - full projections of the queue and of a draft, and of single edits
 *
 * The full projections (sched/forecast/project.h) of both queues of a plan query, compared by job. A
 * projection takes a millisecond to seconds. It runs in its own lane (worker.h), can be stopped between two
 * passes, and reports its progress. Until it is finished, the instant plan is shown.
 *
 * The live queue is projected once for all drafts that are compared with it, so each step of a slider costs
 * one projection.
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

/* Returns an empty one with one reference. */
struct run_assumption *run_assumption_new(enum assume_kind kind);
struct run_assumption *run_assumption_hold(struct run_assumption *h);
void run_assumption_drop(struct run_assumption *h); /* NULL is allowed */

/* A projected queue. Only the console's thread changes the reference count. */
struct projected {
	int holders;
	bool done; /* finished; immutable from now on */
	struct projection run;
	struct never never; /* of run */
	/* If the budget was exhausted: the starts of run with placeholders; otherwise NULL. */
	int64_t *start_s;
	bool *placeholder;
	size_t start_room, placeholder_room;
};

/* Starts by slot. */
const int64_t *projected_starts(const struct projected *a);

struct projection_query {
	struct query query;
	/* request */
	struct run_assumption *run_assumption; /* referenced; NULL: jobs run to their limits */
	struct projected *live;                /* referenced; may already be finished */
	/* progress: jobs of both queues that are to be started, and that have been started */
	_Atomic uint32_t waiting, started;
	struct assumed assumed; /* memory for the functions of project.h */
	/* result */
	struct projected *draft; /* referenced; NULL without a draft or if it would be refused */
	struct whatif compared;
};

/*
 * Creates a query to run. References the plan query, which must be built, and the assumptions, and reuses the
 * unchanged parts of before, which may be NULL.
 */
struct projection_query *projection_query_new(struct plan_query *o, struct run_assumption *run_assumption,
					      const struct projection_query *before);

/* Drops the references. NULL is allowed. */
void projection_query_free(struct projection_query *f);

/* Computes the result; false if stopped. */
bool projection_query_build(struct projection_query *f);

/*
 * Stores the estimated starts in the plan query; called in the console's thread. The projection must be
 * complete and without run time assumptions.
 */
void projection_query_settle(struct projection_query *f);

/* Does it have the same queue, time and assumptions, and the same draft? */
bool projection_query_same_queue(const struct projection_query *f, const struct plan_query *o,
				 const struct run_assumption *run_assumption);
bool projection_query_same_draft(const struct projection_query *f, const struct plan_query *o);

/*
 * Did both projections finish within the budget? Otherwise their differences are meaningless, and the instant
 * plans are compared, as in future_compare.
 */
bool projection_query_compares(const struct projection_query *f);

/* --- effect of each edit of a draft, and lint findings caused by the draft ---------------------------- */

/*
 * Runs in the same lane on a complete projection: each edit alone, the draft without each edit, and the lint
 * findings caused by the draft. It needs one projection per set of edits, and therefore runs last and is
 * stopped first.
 */

struct ablation_query {
	struct query query;
	/* request */
	struct run_assumption *run_assumption; /* referenced; NULL: jobs run to their limits */
	struct projected *live;                /* referenced, finished */
	bool singly;                           /* evaluate each edit */
	/* result */
	struct ablate ablate; /* count 0: not requested, or refused */
	struct lint_list odd; /* findings caused by the draft */
};

/* Creates a query on a complete projection with a draft. */
struct ablation_query *ablation_query_new(const struct projection_query *f, bool singly);
void ablation_query_free(struct ablation_query *s); /* NULL is allowed */

/* Computes the result; false if stopped. */
bool ablation_query_build(struct ablation_query *s);

#endif
