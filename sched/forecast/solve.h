/* SPDX-License-Identifier: MIT */
/*
 * solve.h - the value of an option, nearest to the current one, with which a job starts in time
 *
 * Every answer is projected. The start of the job need not be monotonic in the value, because other jobs may
 * overtake it. So values are tried at growing distances on both sides of the current one, and the nearest
 * value between the last that fails and the first that works is found by bisection. Each distance exceeds the
 * one before by a fiftieth (by one up to 50) or, in a long queue where that would take seconds, by a fifth. A
 * value in a gap between two that fail is not found; each_within is the distance up to which there are no
 * gaps, at least 10 if the range is that wide. Values are whole numbers, or thousandths if whole numbers are
 * too coarse (knob.h).
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

/* Results that do not depend on the option: a caller that solves for several options keeps them, as long as
 * job, draft and time are the same. All zero is a valid empty value; solve_known_clear frees. */
struct solve_known {
	bool has_start, has_live;
	int64_t start_s;    /* with the draft alone */
	struct future live; /* of the live state */
};
void solve_known_clear(struct solve_known *known);

struct solve_setup {
	const struct event *ev; /* the draft below the value; NULL if count is 0 */
	size_t count;
	const struct knob *knob;
	double lo, hi; /* the range to try: knob_ceil, knob_floor */
	uint64_t job;
	int64_t now_s, by_s;             /* the job has to start at or before by_s */
	enum assume_kind assume;         /* as in future.h                   */
	const struct accuracy *accuracy; /* likewise                         */
	struct solve_known *known;       /* kept between calls; NULL = not kept */
	bool nearest_only;               /* if no value works, do not search for the soonest start */
	bool (*should_continue)(void *self);
	void *self;
};

enum solve_outcome {
	SOLVE_FOUND,
	SOLVE_NEEDLESS, /* the job starts in time with the draft alone*/
	SOLVE_NONE,     /* no value tried in the range works */
	SOLVE_STOPPED
};

/* Zero is a valid empty one; solve_clear frees. */
struct solve {
	enum solve_outcome outcome;
	double value;    /* FOUND: the nearest that works; NONE: the one with the soonest start, if that was
			    searched for; else the current one */
	int64_t start_s; /* with this value; TIME_NEVER = never         */
	int64_t start_without_s; /* with the draft alone                        */
	struct whatif effect;    /* FOUND: on all jobs, from the live state */
	unsigned tried;          /* projections                                  */
	double each_within; /* all values up to this distance from the current one were tried; beyond, some */
	/* NONE: the state with this value, or with the draft alone if the value is refused, and why the job
	 * does not start in it. */
	struct state *with;
	struct reason holds;
	struct arena arena;
};

/* Replaces the contents of *out. False with err: the draft is refused, or the job does not wait. */
bool solve_find(struct solve *out, const struct snapshot *s, const struct solve_setup *setup,
		struct err *err);
void solve_clear(struct solve *v);

#endif
