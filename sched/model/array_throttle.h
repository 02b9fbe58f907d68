/* SPDX-License-Identifier: MIT */
/*
 * array_throttle.h - how many tasks of each array run, and how many more may?
 *
 * The account of one pass, for arrays of which only so many tasks may run at a time (submit -t 0-9%4).
 * Running tasks are counted first. Then each waiting one is asked in the order of promotion: it passes while
 * running tasks, and those before it that may start in this pass, are fewer than its array may have. So
 * whatever a pass starts or promises of those that passed, there are never more at a time. A verdict stands
 * for the whole pass.
 */
#ifndef MODEL_ARRAY_THROTTLE_H
#define MODEL_ARRAY_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot.h"

/* Of one array. */
struct array_throttle_use {
	uint64_t array;
	uint32_t running; /* tasks of it         */
	uint32_t next;    /* tasks that may start in this pass */
};

/* Zero is one in which no array is bounded. */
struct array_throttle {
	const struct snapshot *s;
	bool any; /* some waiting task belongs to a bounded array */
	struct array_throttle_use *use;
	uint32_t *hash; /* of use; a power of two; INDEX_NONE = empty */
	uint8_t *mark;  /* by slot: private */
	size_t count, room, hash_room, mark_room;
};

/* Begins the account of a pass with the running jobs; costs nothing where no waiting task is bounded. */
void array_throttle_begin(struct array_throttle *a, const struct snapshot *s);
void array_throttle_free(struct array_throttle *a);

/* Has the job's array room for it? *use: what the array has; all 0 for a job that is not bounded. */
bool array_throttle_within(const struct array_throttle *a, const struct job *job,
			   struct array_throttle_use *use);

/* The job in this slot passed in its turn; may_start: nothing else keeps it from a start in this pass. */
void array_throttle_pass(struct array_throttle *a, uint32_t slot, bool may_start);

#endif
