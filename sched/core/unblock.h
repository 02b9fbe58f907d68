/* SPDX-License-Identifier: MIT */
/*
 * unblock.h - which single change would start a job now, or by a given time, and what would it cost others?
 *
 * For every check that the job fails there are changes that could help: a release, a limit as large as it has
 * to be, a shorter wallclock limit, a better place in the queue, another QOS, a node that takes jobs again,
 * somebody else's job held back or taken away. Each is made in a copy of the state and projected (project.h);
 * only those that do what they say are kept, each with the smallest number that does. Beside it stands whom
 * it delays, by a projection with and without it.
 *
 * Where no change is enough, those are listed that start it soonest. What needs two changes at once is not
 * found.
 */
#ifndef CORE_UNBLOCK_H
#define CORE_UNBLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "explain.h"
#include "sched/base/arena.h"
#include "snapshot.h"

struct unblock_setup {
	int64_t now_s;
	int64_t by_s; /* the job is to start at or before this moment; now_s = at once */
	/* Asked now and then; false ends the search with what was found by then. NULL = go on. */
	bool (*go_on)(void *self);
	void *self;
};

struct unblock_delay {
	uint64_t job;
	int64_t by_s; /* > 0; TIME_NEVER: it does not start any more */
};

#define UNBLOCK_DELAYS 8 /* the largest; how many there are in all stands in delayed */

struct unblock_change {
	struct event ev;      /* what to do; its texts live as long as the list */
	int64_t starts_s;     /* the job, by projection                          */
	uint32_t delayed;     /* other jobs that start later                      */
	int64_t delay_sum_s;  /* of those that still start                        */
	int64_t work_lost_ps; /* processor-seconds of a job that would be cancelled */
	struct unblock_delay delay[UNBLOCK_DELAYS];
	uint32_t delays;
};

/* Zero is a valid empty one; unblock_clear frees. */
struct unblock {
	struct unblock_change *change; /* the cheapest first: fewest delayed, least delay */
	size_t count, room;
	int64_t start_s; /* without any change, by projection; TIME_NEVER = never */
	int64_t by_s;    /* in time for what the changes are: as asked, or, where none would do, the soonest
			    that any gives; TIME_NEVER = none gives anything                 */
	struct arena arena;
};

/* slot holds a waiting job. Replaces what *out holds. False: it was told to stop, and there is
 * no answer. */
bool unblock_find(struct unblock *out, const struct snapshot *s, uint32_t slot,
		  const struct unblock_setup *setup);
void unblock_clear(struct unblock *u);

#endif
