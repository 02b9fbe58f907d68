/* SPDX-License-Identifier: MIT */
/*
 * crowd.h - how many tasks of each array run, and how many more may?
 *
 * The account of one pass, for arrays of which only so many tasks may run at a time (submit -t 0-9%4).
 * Running tasks are counted first. Then each waiting one is asked in the order of promotion: it passes while
 * running tasks, and those before it that may start in this pass, are fewer than its array may have. So
 * whatever a pass starts or promises of those that passed, there are never more at a time. A verdict stands
 * for the whole pass.
 */
#ifndef MODEL_CROWD_H
#define MODEL_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot.h"

/* Of one array. */
struct crowd_use {
	uint64_t array;
	uint32_t running; /* tasks of it         */
	uint32_t next;    /* tasks that may start in this pass */
};

/* Zero is one in which no array is bounded. */
struct crowd {
	const struct snapshot *s;
	bool any; /* some waiting task belongs to a bounded array */
	struct crowd_use *use;
	uint32_t *hash; /* of use; a power of two; INDEX_NONE = empty */
	uint8_t *mark;  /* by slot: private */
	size_t count, room, hash_room, mark_room;
};

/* Begins the account of a pass with the running jobs; costs nothing where no waiting task is bounded. */
void crowd_begin(struct crowd *a, const struct snapshot *s);
void crowd_free(struct crowd *a);

/* Has the job's array room for it? *use: what the array has; all 0 for a job that is not bounded. */
bool crowd_within(const struct crowd *a, const struct job *job, struct crowd_use *use);

/* The job in this slot passed in its turn; may_start: nothing else keeps it from a start in this pass. */
void crowd_pass(struct crowd *a, uint32_t slot, bool may_start);

#endif
