/* SPDX-License-Identifier: MIT */
/*
 * solve.h - the value of an option, nearest to the current one, with which a job starts in time
 *
 * Every answer is projected. The start of the job need not be monotonic in the value, because other jobs may
 * overtake it. So values are tried at growing distances on both sides of the current value, and the nearest
 * value between the last that fails and the first that works is found by bisection. Each distance exceeds the
 * previous one by a fiftieth (by one up to distance 50) or, in a long queue where that would take seconds, by
 * a fifth. A value in a gap between two values that fail is not found; each_within is the distance up to
 * which there are no gaps, at least 10 if the range is that wide. Values are whole numbers, or thousandths if
 * whole numbers are too coarse (knob.h).
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

/*
 * Results that do not depend on the option. A caller that solves for several options keeps them while job,
 * draft and time are the same. A zeroed struct is a valid empty one; solve_known_clear frees it.
 */
struct solve_known {
	bool has_start, has_live;
	int64_t start_s;    /* start of the job with the draft alone */
	struct future live; /* future of the live state */
};
void solve_known_clear(struct solve_known *known);

struct solve_setup {
	const struct event *ev; /* the draft to which the value is added; NULL if count is 0 */
	size_t count;
	const struct knob *knob;
	double lo, hi; /* the range to try, rounded by knob_ceil and knob_floor */
	uint64_t job;
	int64_t now_s, by_s;             /* the job must start at or before by_s */
	enum assume_kind assume;         /* how long jobs run; as in struct future_setup */
	const struct accuracy *accuracy; /* known run times; as in struct future_setup */
	struct solve_known *known;       /* reused between calls; NULL = not kept */
	bool nearest_only;               /* if no value works, do not search for the soonest start */
	bool (*should_continue)(void *self);
	void *self;
};

enum solve_outcome {
	SOLVE_FOUND,
	SOLVE_NEEDLESS, /* the job starts in time with the draft alone */
	SOLVE_NONE,     /* no value that was tried in the range works */
	SOLVE_STOPPED
};

/* The result. A zeroed struct is a valid empty one; solve_clear frees it. */
struct solve {
	enum solve_outcome outcome;
	/*
	 * SOLVE_FOUND: the nearest value that works. SOLVE_NONE: the value with the soonest start, if that
	 * was searched for. Otherwise the current value.
	 */
	double value;
	int64_t start_s;         /* start of the job with this value; TIME_NEVER = never */
	int64_t start_without_s; /* start of the job with the draft alone */
	struct whatif effect; /* SOLVE_FOUND: effect of the value on all jobs, compared with the live state */
	unsigned tried;       /* number of projections */
	double each_within; /* all values up to this distance from the current one were tried; beyond it only
			       some */
	/*
	 * SOLVE_NONE: the state with this value, or with the draft alone if the value is refused, and the
	 * reason why the job does not start in this state.
	 */
	struct state *with;
	struct reason holds;
	struct arena arena;
};

/*
 * Replaces the contents of *out. Returns false with err set if the draft is refused, the job is not idle,
 * by_s has passed, or the range is empty.
 */
bool solve_find(struct solve *out, const struct snapshot *s, const struct solve_setup *setup,
		struct err *err);
void solve_clear(struct solve *v);

#endif
