/* SPDX-License-Identifier: MIT */
/*
 * foresight.h - how will it go on: with the queue as it is, and with the draft?
 *
 * An outlook run ahead: the full projection (sched/forecast/project.h) of both of its queues, compared job by
 * job. It takes from a millisecond to seconds, so it is made in a lane of its own (worker.h), can be told to
 * stop between two passes, and says how far it is. The instant plan of the outlook stands in for it until
 * then.
 *
 * The queue as it is is run ahead once for all drafts that are compared with it: a slider's step costs one
 * projection.
 */
#ifndef QUERY_FORESIGHT_H
#define QUERY_FORESIGHT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/forecast/future.h"
#include "sched/forecast/project.h"
#include "sched/forecast/whatif.h"
#include "sched/model/assume.h"
#include "tui/query/outlook.h"
#include "tui/query/worker.h"

/* For how much of their limits jobs are taken to run, counted by the console's thread alone. */
struct habits {
	int holders;
	enum assume_kind kind;
	struct accuracy accuracy;
};

/* With one holder, and nothing known yet. */
struct habits *habits_new(enum assume_kind kind);
struct habits *habits_hold(struct habits *h);
void habits_drop(struct habits *h); /* NULL is allowed */

/* A queue run ahead, counted by the console's thread alone. */
struct ahead {
	int holders;
	bool done; /* not broken off; then it changes no more */
	struct projection run;
	struct never never; /* of run */
	/* Of one that its budget stopped: the starts of run, and placeholders; else NULL. */
	int64_t *start_s;
	bool *placeholder;
	size_t start_room, placeholder_room;
};

struct ahead *ahead_hold(struct ahead *a);
void ahead_drop(struct ahead *a); /* NULL is allowed */
/* By slot. */
const int64_t *ahead_starts(const struct ahead *a);
/* As whatif.h takes it: of a queue with its plan that was run ahead. */
struct whatif_side ahead_side(const struct ahead *a, const struct forecast *f);

extern const struct work_ops foresight_work;

struct foresight {
	struct work work; /* of LANE_FAR */
	/* asked */
	struct outlook *outlook; /* held */
	struct habits *habits;   /* held; NULL: jobs run to their limits */
	struct ahead *live;      /* held; perhaps done already */
	/* while it is made: jobs of both queues that are to start, and that have */
	_Atomic uint32_t waiting, started;
	struct assumed assumed; /* memory for what project.h asks for */
	/* found */
	struct ahead *draft; /* held; NULL without a draft that can be taken */
	struct whatif compared;
	bool whole; /* it was not broken off: all the above is there */
};

/*
 * To be built: holds the outlook, which is built, and the habits, and takes over from `before` (NULL =
 * nothing) what is the same.
 */
struct foresight *foresight_new(struct outlook *o, struct habits *habits, const struct foresight *before);
/* Drops what it holds. NULL is allowed. */
void foresight_free(struct foresight *f);

/* Fills what is found; false: it was told to stop. */
bool foresight_build(struct foresight *f);

/* The estimated starts of its outlook, and of its draft; in the console's thread. It is whole, and jobs run
 * to their limits. */
void foresight_settle(struct foresight *f);

/* Is it about the same queue, at the same moment, by the same habits; and the same draft? */
bool foresight_same_queue(const struct foresight *f, const struct outlook *o, const struct habits *habits);
bool foresight_same_draft(const struct foresight *f, const struct outlook *o);
/* Did the projections of the queue and of the draft both end within the budget? Otherwise what lies between
 * them says nothing, and the instant plans are compared, as by future_compare. */
bool foresight_compares(const struct foresight *f);

#endif
