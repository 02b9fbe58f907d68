/* SPDX-License-Identifier: MIT */
/*
 * goal.h - which one weight or limit, changed least, starts a job in time?
 *
 * sched/forecast/solve.h for each number that could have to do with it: the weights of the job's partition
 * that give points or would if they were set, limits that look at the job's credentials or at the system,
 * caps on their shares. How much a change is, is told relative to what the number is; one that is nothing
 * today comes after all that are something.
 */
#ifndef QUERY_GOAL_H
#define QUERY_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/forecast/plan.h"
#include "sched/model/assume.h"
#include "sched/model/snapshot.h"

struct goal_setup {
	const struct snapshot *s;
	const struct plan *plan; /* of s */
	uint64_t job;
	int64_t now_s, by_s; /* it is to start at or before by_s */
	enum assume_kind assume;
	const struct accuracy *accuracy; /* as in future.h; NULL for ASSUME_WCLIMIT */
	/* Told how many of the numbers are done, after each; NULL = nobody asks. */
	void (*looked)(void *self, size_t done, size_t of);
	bool (*go_on)(void *self); /* asked now and then; NULL = go on */
	void *self;
};

/* One number, and what it would have to be. Texts live as long as the goal. */
struct goal_way {
	const char *name, *value; /* as tune takes them                           */
	bool is_set;              /* today; else now is 0                         */
	double now, number;       /* of a limit the soft part                     */
	double relative;          /* |change| / |today's|; infinite from nothing  */
	int64_t start_s;          /* of the job                                   */
	uint32_t earlier, later;  /* others, from s as it is                      */
	int64_t most_delay_s;
	uint64_t most_delayed; /* id; 0 = none is delayed by so much */
};

/* Zero is a valid empty one; goal_clear frees. */
struct goal {
	bool needless;        /* it starts in time as things are            */
	struct goal_way *way; /* the smallest change first                   */
	size_t count, room;
	size_t tried;     /* so many numbers                             */
	int64_t start_s;  /* as things are; TIME_NEVER = not known       */
	struct str holds; /* what stands in its way, behind "job 12"     */
	struct arena arena;
};

/* Replaces what *out holds. False: it was told to stop, or (a sentence) the job does not wait. */
bool goal_find(struct goal *out, const struct goal_setup *setup, struct err *err);
void goal_clear(struct goal *g);

#endif
