/* SPDX-License-Identifier: MIT */
/*
 * solve.h - which value of one number, nearest to today's, starts a job in time?
 *
 * Every answer was projected. A start need not come nearer steadily as the number grows: another job may get
 * in between. So values are tried at growing distances from today's, on both sides, and between the first
 * that does it and the last that does not the nearest is found by halving. Each distance is larger than the
 * one before by a fiftieth, up to 50 by one, or in a long queue, where that would take seconds, by a fifth;
 * what lies in a gap between two that both fail is not found: each_within says up to where there are no gaps.
 * It is 10 at least, where the range is so wide. Numbers are whole, or thousandths where whole ones are too
 * coarse (knob.h).
 */
#ifndef FORECAST_SOLVE_H
#define FORECAST_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "future.h"
#include "sched/base/arena.h"
#include "sched/model/assume.h"
#include "sched/model/reason.h"
#include "sched/policy/knob.h"
#include "sched/state/event.h"
#include "whatif.h"

/* What is the same whatever number is asked about: kept by who asks about several of them for one job, in one
 * draft, at one moment. Zero is a valid empty one; solve_known_clear frees. */
struct solve_known {
	bool has_start, has_live;
	int64_t start_s;    /* with the draft alone */
	struct future live; /* of things as they are */
};
void solve_known_clear(struct solve_known *known);

struct solve_setup {
	const struct event *ev; /* a draft on top of which the number is set; may be NULL without any */
	size_t count;
	const struct knob *knob;
	double lo, hi; /* numbers that are tried: knob_ceil, knob_floor */
	uint64_t job;
	int64_t now_s, by_s;             /* it is to start at or before by_s */
	enum assume_kind assume;         /* as in future.h                   */
	const struct accuracy *accuracy; /* likewise                         */
	struct solve_known *known;       /* what was found before, and is found now; NULL = it is not kept */
	bool nearest_only;               /* where no value does it, none is looked for that comes closest */
	bool (*should_continue)(void *self);
	void *self;
};

enum solve_outcome {
	SOLVE_FOUND,
	SOLVE_NEEDLESS, /* it starts in time as things are          */
	SOLVE_NONE,     /* no value in the range that was tried does it */
	SOLVE_STOPPED
};

/* Zero is a valid empty one; solve_clear frees. */
struct solve {
	enum solve_outcome outcome;
	double value;    /* FOUND: the nearest that does it; NONE: the one of the soonest start, if it was
			    looked for; else   today's */
	int64_t start_s; /* with this value; TIME_NEVER = never         */
	int64_t start_without_s; /* with the draft alone                        */
	struct whatif effect;    /* FOUND: on everybody, from things as they are */
	unsigned tried;          /* projections                                  */
	double each_within; /* every value that is no farther from today's was tried; beyond it some were */
	/* NONE: the state with this value, or with the draft alone where the value is refused, and what holds
	 * the job back in it. */
	struct state *with;
	struct reason holds;
	struct arena arena;
};

/* Replaces what *out holds. False: a sentence; the draft is refused, or the job does not wait. */
bool solve_find(struct solve *out, const struct snapshot *s, const struct solve_setup *setup,
		struct err *err);
void solve_clear(struct solve *v);

#endif
