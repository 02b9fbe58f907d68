/* SPDX-License-Identifier: MIT */
/*
 * pass_skip.h - skipping passes that would decide nothing
 *
 * While a job waits for a fairshare cap, shares are checked at every poll, and most of these passes decide
 * nothing: no job has crossed its cap, and no changed rank has changed an order that matters. This module
 * detects that from shares and ranks alone, without the gates and the walk. It is known in advance how long
 * no job crosses a cap, so shares need not be rebuilt at every poll.
 */
#ifndef PASS_PASS_SKIP_H
#define PASS_PASS_SKIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue.h"
#include "sched/model/snapshot.h"
#include "sched/policy/fairshare_steady.h"

/* A zeroed struct is a valid empty one; pass_skip_clear frees it. */
struct pass_skip {
	const struct snapshot *s; /* borrowed, like the queue, until the next pass_skip_begin */
	const struct queue *queue;
	/*
	 * The jobs that have a rank, with their ranks at the last check. Each of the first `ordered` jobs
	 * must stay ahead of the next one, and all other jobs must stay behind the last of them.
	 */
	struct queued *ranked;
	uint32_t ranked_count, ordered;
	bool shares_rank; /* ranks depend on fairshare usage */

	/* The candidates with a fairshare cap. */
	struct capped_job {
		uint32_t slot;
		bool within; /* the job is within all of its caps */
	} * cap;
	uint32_t cap_count;
	int64_t steady_s;        /* before this time no job crosses a cap */
	struct fairshare shares; /* the shares that were built last */
	struct fs_pace pace;
	size_t ranked_room, cap_room;
};

/* To be called after a pass on s that built this queue and decided nothing. */
void pass_skip_begin(struct pass_skip *p, const struct snapshot *s, const struct queue *queue);

/*
 * True if a pass at at_s would decide nothing; false if it might decide something. at_s must be after the
 * pass and after the at_s of the previous call, and before the next time that is known to be due and the next
 * end of a running job.
 */
bool pass_skip_allowed(struct pass_skip *p, int64_t at_s);

void pass_skip_clear(struct pass_skip *p);

#endif
