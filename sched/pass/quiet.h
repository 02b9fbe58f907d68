/* SPDX-License-Identifier: MIT */
/*
 * quiet.h - would a pass at a later moment decide nothing, as the one before it?
 *
 * A pass that is held only to look at shares again mostly finds nothing new: nobody has come within a
 * fairshare cap or out of it, and ranks that grew have changed no order that counts. That is seen from shares
 * and ranks alone, without the gates and the walk; of caps it is known for a long while ahead.
 */
#ifndef PASS_QUIET_H
#define PASS_QUIET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue.h"
#include "sched/model/snapshot.h"
#include "sched/policy/fairshare_steady.h"

/* Zero is a valid empty one; quiet_clear frees. */
struct quiet {
	const struct snapshot *s; /* borrowed until the next beginning, as the queue is */
	const struct queue *queue;
	/* Those who have a place, with their ranks of the moment looked at last: the first ones each behind
	 * the one before, the others behind all of these. */
	struct queued *ranked;
	uint32_t ranked_count, ordered;
	bool shares_rank; /* ranks follow shares too */

	/* Candidates under a cap: are they within all caps? */
	struct quiet_cap {
		uint32_t slot;
		bool keeps;
	} * cap;
	uint32_t cap_count;
	int64_t steady_s;        /* up to there, itself left out, that stays as it is */
	struct fairshare shares; /* of the moment they were looked at last            */
	struct fs_pace pace;
	size_t ranked_room, cap_room;
};

/* After a pass on s, with this queue, that decided nothing. */
void quiet_begin(struct quiet *q, const struct snapshot *s, const struct queue *queue);
/*
 * False: a pass might decide something. at_s is after the pass, and after the moment asked about before;
 * before anything that was known to come due and before a running job is due to end.
 */
bool quiet_at(struct quiet *q, int64_t at_s);
void quiet_clear(struct quiet *q);

#endif
