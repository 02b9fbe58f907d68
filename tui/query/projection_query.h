/* SPDX-License-Identifier: MIT */
/*
 * projection_query.h - full projections of the queue and of a draft, and of single edits
 *
 * An outlook run ahead: the full projection (sched/forecast/project.h) of both of its queues, compared job by
 * job. It takes from a millisecond to seconds, so it is made in a lane of its own (worker.h), can be told to
 * stop between two passes, and says how far it is. The instant plan of the outlook stands in for it until
 * then.
 *
 * The queue as it is is run ahead once for all drafts that are compared with it: a slider's step costs one
 * projection.
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

/* For how much of their limits jobs are taken to run, counted by the console's thread alone. */
struct run_assumption {
	int holders;
	enum assume_kind kind;
	struct accuracy accuracy;
};

/* With one holder, and nothing known yet. */
struct run_assumption *run_assumption_new(enum assume_kind kind);
struct run_assumption *run_assumption_hold(struct run_assumption *h);
void run_assumption_drop(struct run_assumption *h); /* NULL is allowed */

/* A queue run ahead, counted by the console's thread alone. */
struct projected {
	int holders;
	bool done; /* not broken off; then it changes no more */
	struct projection run;
	struct never never; /* of run */
	/* Of one that its budget stopped: the starts of run, and placeholders; else NULL. */
	int64_t *start_s;
	bool *placeholder;
	size_t start_room, placeholder_room;
};

/* By slot. */
const int64_t *projected_starts(const struct projected *a);

extern const struct work_ops projection_query_work;

struct projection_query {
	struct work work; /* of LANE_FAR */
	/* asked */
	struct plan_query *outlook;            /* held */
	struct run_assumption *run_assumption; /* held; NULL: jobs run to their limits */
	struct projected *live;                /* held; perhaps done already */
	/* while it is made: jobs of both queues that are to start, and that have */
	_Atomic uint32_t waiting, started;
	struct assumed assumed; /* memory for what project.h asks for */
	/* found */
	struct projected *draft; /* held; NULL without a draft that can be taken */
	struct whatif compared;
	bool whole; /* it was not broken off: all the above is there */
};

/*
 * To be built: holds the outlook, which is built, and the habits, and takes over from `before` (NULL =
 * nothing) what is the same.
 */
struct projection_query *projection_query_new(struct plan_query *o, struct run_assumption *run_assumption,
					      const struct projection_query *before);

/* Drops what it holds. NULL is allowed. */
void projection_query_free(struct projection_query *f);

/* Fills what is found; false: it was told to stop. */
bool projection_query_build(struct projection_query *f);

/* The estimated starts of its outlook, and of its draft; in the console's thread. It is whole, and jobs run
 * to their limits. */
void projection_query_settle(struct projection_query *f);

/* Is it about the same queue, at the same moment, by the same habits; and the same draft? */
bool projection_query_same_queue(const struct projection_query *f, const struct plan_query *o,
				 const struct run_assumption *run_assumption);
bool projection_query_same_draft(const struct projection_query *f, const struct plan_query *o);

/* Did the projections of the queue and of the draft both end within the budget? Otherwise what lies between
 * them says nothing, and the instant plans are compared, as by future_compare. */
bool projection_query_compares(const struct projection_query *f);

/* --- each edit of a draft by itself, and the lint findings that the draft brings ---------------------- */

/*
 * Made of a foresight that is whole, in the same lane: each edit alone, all without it, and what lint says
 * that it did not say before. It takes as many projections as there are sets of edits, so it comes last and
 * is told to stop first.
 */

struct ablation_query {
	struct work work; /* of LANE_FAR */
	/* asked */
	struct plan_query *outlook;            /* held */
	struct run_assumption *run_assumption; /* held; NULL: jobs run to their limits */
	struct projected *live;                /* held, done */
	bool singly;                           /* each edit, too */
	/* found */
	struct ablate ablate; /* count 0: not asked for, or it was refused */
	struct lint_list odd; /* findings that the draft brings            */
	bool whole;
};

extern const struct work_ops ablation_query_work;

/* To be built: of a foresight that is whole and has a draft. */
struct ablation_query *ablation_query_new(const struct projection_query *f, bool singly);
void ablation_query_free(struct ablation_query *s); /* NULL is allowed */

/* Fills what is found; false: it was told to stop. */
bool ablation_query_build(struct ablation_query *s);

#endif
