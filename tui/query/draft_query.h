/* SPDX-License-Identifier: MIT */
/*
 * draft_query.h - sweeps and goals on a draft
 *
 *     NAME=LO..HI            eleven values
 *     NAME=LO..HI/STEPS      so many
 *     NAME=A|B|C             these
 */
#ifndef QUERY_DRAFT_QUERY_H
#define QUERY_DRAFT_QUERY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "projection_query.h"
#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/forecast/plan.h"
#include "sched/forecast/sweep.h"
#include "sched/model/assume.h"
#include "sched/model/snapshot.h"
#include "worker.h"

struct sweep_spec {
	const char *name;
	const char *value[SWEEP_VALUES];
	size_t values;
};

/* What is read lives in arena. */
bool sweep_spec_read(struct sweep_spec *out, const struct snapshot *s, const char *words, struct arena *arena,
		     struct err *err);

/* Words for a setting that is a number: from nothing to twice what it is in s. Appended; nothing for what is
 * no number. */
void sweep_spec_offer(const struct snapshot *s, const char *name, struct str *out);

/* --- the smallest change of one weight or limit that starts a job in time ----------------------------- */

/*
 * sched/forecast/solve.h for each number that could have to do with it: the weights of the job's partition
 * that give points or would if they were set, limits that look at the job's credentials or at the system,
 * caps on their shares. How much a change is, is told relative to what the number is; one that is nothing
 * today comes after all that are something.
 */

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

/* --- sweeps and goals on a draft ---------------------------------------------------------------------- */

/*
 * A sweep (sched/forecast/sweep.h) or a goal (draft_query.h) on an outlook, by the same assumption as the
 * screen. It takes from milliseconds to minutes, so it is made in a lane of its own (worker.h), says how far
 * it is, and is told to stop when nobody looks at it any more.
 */

enum draft_query_kind {
	DRAFT_QUERY_SWEEP,
	DRAFT_QUERY_GOAL
};

struct draft_query {
	struct work work; /* of LANE_ASKED */
	/* asked */
	enum draft_query_kind kind;
	struct plan_query *outlook;            /* held */
	struct run_assumption *run_assumption; /* held; NULL: jobs run to their limits */
	uint64_t number;                       /* grows from one that is asked to the next */
	uint64_t job;                          /* watched, or that is to start; 0 = none */
	struct sweep_spec asked;
	int64_t by_s;
	struct arena arena; /* what was asked */
	/* while it is made: of how many futures, or numbers, how many are known */
	_Atomic size_t done, of;
	/* found */
	struct sweep sweep;
	struct goal goal;
	struct err err; /* not whole, and not told to stop: why */
	bool whole;
};

/* To be built; the outlook is. NULL with a sentence: the words cannot be read. */
struct draft_query *draft_query_sweep(struct plan_query *o, struct run_assumption *run_assumption,
				      uint64_t watch, const char *words, struct err *err);

struct draft_query *draft_query_goal(struct plan_query *o, struct run_assumption *run_assumption,
				     uint64_t job, int64_t by_s);

/* Drops what it holds. NULL is allowed. */
void draft_query_free(struct draft_query *t);

/* Fills what is found; false: it was told to stop, or .err says why not. */
bool draft_query_build(struct draft_query *t);

/* What a goal's changes are made to: the draft where there is one that can be taken, else the queue. */
const struct forecast *draft_query_base(const struct draft_query *t);

#endif
