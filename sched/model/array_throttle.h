/* SPDX-License-Identifier: MIT */
/*
 * array_throttle.h - limit on the number of running tasks of an array
 *
 * Accounting of one pass, for arrays with a limit on running tasks (submit -t 0-9%4). First the running tasks
 * are counted. Then idle tasks are tested in the order of promotion: a task is within the limit while the
 * running tasks, plus the earlier tasks that may start in this pass, are fewer than the limit of its array.
 * So the limit is never exceeded, whichever of these tasks the pass starts or plans. A task that was within
 * the limit stays within it for the whole pass.
 */
#ifndef MODEL_ARRAY_THROTTLE_H
#define MODEL_ARRAY_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot.h"

/* Usage of one array. */
struct array_throttle_use {
	uint64_t array;
	uint32_t running; /* running tasks */
	uint32_t next;    /* idle tasks that may start in this pass */
};

/* The accounting of a pass. In a zeroed struct, no array has a limit. */
struct array_throttle {
	const struct snapshot *s;
	bool any; /* an idle task belongs to an array with a limit; if not, the members below are not used */
	struct array_throttle_use *use;
	uint32_t *hash; /* indexes into use; size is a power of two; INDEX_NONE = empty */
	uint8_t *mark;  /* by job slot: 1 = the job was passed to array_throttle_pass */
	size_t count, room, hash_room, mark_room;
};

/* Counts the running tasks at the start of a pass; does nothing if no idle task belongs to an array with a
 * limit. */
void array_throttle_begin(struct array_throttle *a, const struct snapshot *s);
void array_throttle_free(struct array_throttle *a);

/*
 * Is the job within the limit of its array? Sets *use to the usage of the array, all 0 for a job without such
 * a limit.
 */
bool array_throttle_within(const struct array_throttle *a, const struct job *job,
			   struct array_throttle_use *use);
/*
 * Records that the job in this slot is within the limit. may_start: no other gate blocks the job, so it also
 * counts as a task that may start in this pass.
 */
void array_throttle_pass(struct array_throttle *a, uint32_t slot, bool may_start);

#endif
