/* SPDX-License-Identifier: MIT */
/*
 * quiet.h - would a pass at a later moment decide nothing, as the one before it?
 *
 * A pass that is held only to look at shares again mostly finds nothing new: nobody has come within a
 * fairshare cap or out of it, and ranks that grew have changed no order. That is seen from shares and ranks
 * alone, without the gates and the walk.
 */
#ifndef CORE_QUIET_H
#define CORE_QUIET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue.h"
#include "snapshot.h"

/* Zero is a valid empty one; quiet_clear frees. */
struct quiet {
	const struct snapshot *s; /* borrowed until the next beginning, as the queue is */
	const struct queue *queue;
	struct fairshare shares; /* of the moment looked at                                  */
	/* By index in queue->candidate: the same with the rank of that moment; is it within all caps? */
	struct queued *ranked;
	bool *keeps;
	size_t ranked_room, keeps_room;
};

/* After a pass on s, with this queue, that decided nothing. */
void quiet_begin(struct quiet *q, const struct snapshot *s, const struct queue *queue);
/*
 * False: a pass might decide something. at_s is after the pass, before anything that was known to come due
 * and before a running job is due to end.
 */
bool quiet_at(struct quiet *q, int64_t at_s);
void quiet_clear(struct quiet *q);

#endif
