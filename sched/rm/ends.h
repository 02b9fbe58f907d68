/* SPDX-License-Identifier: MIT */
/*
 * ends.h - order in which running jobs end
 *
 * A queue of future ends by (moment, job): an order that does not depend on who was told of which
 * start first, so a state that is adopted goes on with the same. Zero is a valid empty one.
 */
#ifndef RM_ENDS_H
#define RM_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ending {
	int64_t end_s;
	uint64_t job;
	int32_t status; /* with which it will end */
	bool at_limit;  /* it will be stopped at its wallclock limit */
};

struct ends {
	struct ending *item; /* heap: no parent is later than its children */
	size_t count, room;
};

void ends_add(struct ends *ends, const struct ending *added);

/* The moment of the next one; TIME_NEVER (sched/model/job.h) when there is none. */
int64_t ends_next_s(const struct ends *ends);

/* Takes the next one out; there must be one. */
struct ending ends_take(struct ends *ends);

/* Takes the one of a job out; false when there is none. Looks at all of them. */
bool ends_drop(struct ends *ends, uint64_t job);

/* Empties it and gives the memory back. */
void ends_clear(struct ends *ends);

#endif
