/* SPDX-License-Identifier: MIT */
/*
 * estimate_cause.h - what moved the start of a job between what was said and what came?
 *
 * A third walk over the journal follows the instant plan of a few jobs from their submission to their start.
 * Before and after each entry that can move a start it is made anew; the difference is put down to the entry,
 * what has moved between two entries to time. So the causes of a job sum to its whole error, and none of it
 * is a guess. A start that is not known for a while (a job that is held) is put down to what made it unknown.
 *
 * It costs a plan for every entry of interest while one of the jobs waits, so there is a bound to it; a job
 * that it is not enough for is said to be lost, and keeps the causes found so far.
 */
#ifndef FORECAST_ESTIMATE_CAUSE_H
#define FORECAST_ESTIMATE_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

enum estimate_cause {
	ESTIMATE_BY_END,     /* a job ended before its limit                                          */
	ESTIMATE_BY_ARRIVAL, /* a job was submitted                                                   */
	ESTIMATE_BY_PEOPLE,  /* somebody held, released, cancelled, weighed, tuned, reserved, drained */
	ESTIMATE_BY_MACHINE, /* a node was reported another, a start failed                           */
	ESTIMATE_BY_TIME,    /* priorities aged, windows rolled, limits fell; a pass decided otherwise */
	ESTIMATE_CAUSES
};

/* "ends", "arrivals", "people", "machine", "time"; static storage. */
const char *estimate_cause_name(enum estimate_cause cause);

/* All of one cause. */
struct estimate_move {
	int64_t moved_s;             /* the start was moved later by so much, earlier when negative */
	uint32_t entries;            /* that moved it                                           */
	int64_t most_s;              /* by one of them: the largest                             */
	uint64_t most_seq, most_job; /* which, and the job it is about; 0 = none     */
};

struct estimate_tale {
	struct estimate_row row; /* a copy; its label is the caller's */
	struct estimate_move by[ESTIMATE_CAUSES];
	int64_t expected_s;             /* what is said now; TIME_NEVER: nothing                 */
	enum estimate_cause unknown_by; /* what made it unknown                      */
	int64_t known_s;                /* what was said last                                    */
	bool begun, ended;
	bool lost; /* not followed to the end */
};

#define ESTIMATE_TALES 8

/* Zero before it begins; estimate_follower_clear frees. */
struct estimate_follower {
	struct state *st; /* of the caller */
	struct estimate_tale tale[ESTIMATE_TALES];
	size_t count;
	struct plan plan;
	int64_t planned_s;    /* the moment of the plan          */
	uint64_t planned_seq; /* the entry that it is right after */
	int64_t cost, most;   /* jobs looked at so far; at most   */
};

/* rows: asked about at submission, at most ESTIMATE_TALES of them. most: so many jobs may be looked at in
 * plans altogether. st as for estimate_walk_begin. */
void estimate_follower_begin(struct estimate_follower *f, struct state *st,
			     const struct estimate_row *const *row, size_t count, int64_t most);
/* The next entry; false with a sentence: it does not follow on the state. */
bool estimate_follower_take(struct estimate_follower *f, const struct event *ev, struct err *err);
/* All have started, or are lost. */
bool estimate_follower_is_done(const struct estimate_follower *f);
void estimate_follower_clear(struct estimate_follower *f);

/* The cause that moved it the most in the direction of the error; ESTIMATE_CAUSES: there is none. */
enum estimate_cause estimate_main_cause(const struct estimate_tale *tale);

#endif
