/* SPDX-License-Identifier: MIT */
/*
 * foresight.h - how will it go on: with the queue as it is, and with the draft?
 *
 * An outlook run ahead: the full projection (sched/core/project.h) of both of its queues, compared job by
 * job. It takes from a millisecond to seconds, so it is made in a lane of its own (worker.h), can be told to
 * stop between two passes, and says how far it is. The instant plan of the outlook stands in for it until
 * then.
 *
 * The queue as it is is run ahead once for all drafts that are compared with it: a slider's step costs one
 * projection.
 */
#ifndef TUI_FORESIGHT_H
#define TUI_FORESIGHT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "outlook.h"
#include "sched/core/project.h"
#include "sched/core/whatif.h"
#include "worker.h"

/* A queue run ahead, counted by the console's thread alone. */
struct ahead {
	int holders;
	bool done; /* not broken off; then it changes no more */
	struct projection run;
};

struct foresight {
	struct work work; /* of LANE_FAR */
	/* asked */
	struct outlook *outlook; /* held */
	struct ahead *live;      /* held; perhaps done already */
	/* while it is made: jobs of both queues that are to start, and that have */
	_Atomic uint32_t waiting, started;
	/* found */
	struct ahead *draft; /* held; NULL without a draft that can be taken */
	struct whatif compared;
	bool whole; /* it was not broken off: all the above is there */
};

/*
 * To be built: holds the outlook, which is built, and takes over from `before` (NULL = nothing) what is the
 * same.
 */
struct foresight *foresight_new(struct outlook *o, const struct foresight *before);
/* Drops what it holds. NULL is allowed. */
void foresight_free(struct foresight *f);

/* Fills what is found; false: it was told to stop. */
bool foresight_build(struct foresight *f);

/* Is it about the same queue, at the same moment; and the same draft? */
bool foresight_same_queue(const struct foresight *f, const struct outlook *o);
bool foresight_same_draft(const struct foresight *f, const struct outlook *o);

#endif
