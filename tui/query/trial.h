/* SPDX-License-Identifier: MIT */
/*
 * trial.h - what did somebody ask about the draft: a setting through several values, or a job to start in
 * time?
 *
 * A sweep (sched/forecast/sweep.h) or a goal (goal.h) on an outlook, by the same assumption as the screen. It
 * takes from milliseconds to minutes, so it is made in a lane of its own (worker.h), says how far it is, and
 * is told to stop when nobody looks at it any more.
 */
#ifndef QUERY_TRIAL_H
#define QUERY_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "foresight.h"
#include "goal.h"
#include "sched/forecast/sweep.h"
#include "tui/query/worker.h"
#include "tui/report/sweep_words.h"

enum trial_kind {
	TRIAL_SWEEP,
	TRIAL_GOAL
};

struct trial {
	struct work work; /* of LANE_ASKED */
	/* asked */
	enum trial_kind kind;
	struct outlook *outlook; /* held */
	struct habits *habits;   /* held; NULL: jobs run to their limits */
	uint64_t number;         /* grows from one that is asked to the next */
	uint64_t job;            /* watched, or that is to start; 0 = none */
	struct sweep_words asked;
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
struct trial *trial_sweep(struct outlook *o, struct habits *habits, uint64_t watch, const char *words,
			  struct err *err);
struct trial *trial_goal(struct outlook *o, struct habits *habits, uint64_t job, int64_t by_s);
/* Drops what it holds. NULL is allowed. */
void trial_free(struct trial *t);
/* Fills what is found; false: it was told to stop, or .err says why not. */
bool trial_build(struct trial *t);

/* What a goal's changes are made to: the draft where there is one that can be taken, else the queue. */
const struct forecast *trial_base(const struct trial *t);

#endif
