/* SPDX-License-Identifier: MIT */
/*
 * draft_query.h - sweeps and goals on a draft
 *
 *     NAME=LO..HI            eleven values
 *     NAME=LO..HI/STEPS      STEPS values
 *     NAME=A|B|C             the listed values
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

/* The result lives in arena. */
bool sweep_spec_read(struct sweep_spec *out, const struct snapshot *s, const char *words, struct arena *arena,
		     struct err *err);

/*
 * Appends a sweep specification for a numeric option: from 0 to twice its value in s. Appends nothing for
 * other options.
 */
void sweep_spec_offer(const struct snapshot *s, const char *name, struct str *out);

/* --- the smallest change of one weight or limit that starts a job in time ----------------------------- */

/*
 * Runs sched/forecast/solve.h on each option that may affect the job: the weights of its partition that
 * contribute points or would if they were set, the limits of its credentials and of the system, and caps on
 * their shares. Changes are measured relative to the current value; options that are 0 now come last.
 */

struct goal_setup {
	const struct snapshot *s;
	const struct plan *plan; /* plan of s */
	uint64_t job;
	int64_t now_s, by_s; /* the job must start at or before by_s */
	enum assume_kind assume;
	const struct accuracy *accuracy; /* see future.h; NULL for ASSUME_WCLIMIT */
	/* Called after each option with the number evaluated so far; may be NULL. */
	void (*looked)(void *self, size_t done, size_t of);
	bool (*should_continue)(void *self); /* polled; NULL = always continue */
	void *self;
};

/* One option and the value that starts the job. Strings live as long as the goal. */
struct goal_way {
	const char *name, *value; /* in the syntax of tune */
	bool is_set;              /* currently set; otherwise now is 0 */
	double now, number;       /* of a limit, the soft value */
	double relative;          /* |change| / |current value|; infinite if that is 0 */
	int64_t start_s;          /* of the job */
	uint32_t earlier, later;  /* other jobs, compared with s */
	int64_t most_delay_s;
	uint64_t most_delayed; /* job ID; 0 = no job is delayed by that much */
};

/* A zeroed goal is valid and empty. Free with goal_clear. */
struct goal {
	bool needless;        /* the job starts in time without a change */
	struct goal_way *way; /* in ascending order of the change */
	size_t count, room;
	size_t tried;     /* number of options tried */
	int64_t start_s;  /* without a change; TIME_NEVER = unknown */
	struct str holds; /* predicate that says what blocks the job, to follow "job 12" */
	struct arena arena;
};

/* Replaces *out. False if the search was stopped, or, with err set, if the job is not idle. */
bool goal_find(struct goal *out, const struct goal_setup *setup, struct err *err);
void goal_clear(struct goal *g);

/* --- sweeps and goals on a draft ---------------------------------------------------------------------- */

/*
 * A sweep (sched/forecast/sweep.h) or a goal on a plan query, with the same run time assumption as the
 * screen. It takes milliseconds to minutes and therefore runs in its own lane (worker.h), reports its
 * progress, and is stopped when the screen is left.
 */

enum draft_query_kind {
	DRAFT_QUERY_SWEEP,
	DRAFT_QUERY_GOAL
};

struct draft_query {
	struct query query;
	/* request */
	enum draft_query_kind kind;
	struct run_assumption *run_assumption; /* referenced; NULL: jobs run to their limits */
	uint64_t number;                       /* increases with each request */
	uint64_t job;                          /* job to watch or to start; 0 = none */
	struct sweep_spec asked;
	int64_t by_s;
	struct arena arena; /* the parsed request */
	/* progress: evaluated and total projections or options */
	_Atomic size_t done, of;
	/* result */
	struct sweep sweep;
	struct goal goal;
	struct err err; /* why it failed, unless it was stopped */
};

/* Creates a query to run; o must be built. NULL with err set if the words cannot be parsed. */
struct draft_query *draft_query_sweep(struct plan_query *o, struct run_assumption *run_assumption,
				      uint64_t watch, const char *words, struct err *err);

struct draft_query *draft_query_goal(struct plan_query *o, struct run_assumption *run_assumption,
				     uint64_t job, int64_t by_s);

/* Drops the references. NULL is allowed. */
void draft_query_free(struct draft_query *t);

/* Computes the result; false if stopped, or failed with .err set. */
bool draft_query_build(struct draft_query *t);

/* The base of a goal's changes: the draft if there is one that is not refused, otherwise the queue. */
const struct forecast *draft_query_base(const struct draft_query *t);

#endif
