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

/*
 * Parses a sweep specification, such as NAME=LO..HI. The strings of *out are in the arena. Returns false with
 * a message on failure.
 */
bool sweep_spec_read(struct sweep_spec *out, const struct snapshot *s, const char *words, struct arena *arena,
		     struct err *err);

/*
 * Appends a proposed sweep specification for a numeric option: from 0 to twice its value in s. Appends
 * nothing if the option is not numeric.
 */
void sweep_spec_offer(const struct snapshot *s, const char *name, struct str *out);

/* --- the smallest change of one weight or limit that starts a job in time ----------------------------- */

/*
 * Searches (sched/forecast/solve.h) for a value of each option that may affect the job: the weights of its
 * partition that contribute points or would do so if they were not 0, the limits of its credentials and of
 * the system, and caps on the shares of its credentials. The size of a change is relative to the current
 * value; options that are 0 now come last.
 */

struct goal_setup {
	const struct snapshot *s;
	const struct plan *plan; /* instant plan of s */
	uint64_t job;
	int64_t now_s, by_s; /* the job must start at or before by_s */
	enum assume_kind assume;
	const struct accuracy
		*accuracy; /* accuracy of wallclock limits, see future.h; NULL for ASSUME_WCLIMIT */
	/*
	 * Called after each option with the number of options evaluated so far and their total; may be NULL.
	 */
	void (*looked)(void *self, size_t done, size_t of);
	bool (*should_continue)(void *self); /* called often; false stops the search; NULL = never stop */
	void *self;
};

/* One option and its value that starts the job. Strings live as long as the goal. */
struct goal_way {
	const char *name, *value; /* name and new value, in the syntax of `tune` */
	bool is_set;              /* the option is set now; otherwise `now` is 0 */
	double now, number;       /* current and new value; of a limit, the soft values */
	double relative;          /* |change| / |current value|; infinite if the current value is 0 */
	int64_t start_s;          /* start of the job */
	uint32_t earlier, later;  /* number of other jobs that start earlier and later than in s */
	int64_t most_delay_s;
	uint64_t most_delayed; /* ID of the job with that delay; 0 = no job is delayed */
};

/* A zeroed goal is valid and empty. Free with goal_clear. */
struct goal {
	bool needless;        /* the job starts in time without a change */
	struct goal_way *way; /* in ascending order of the relative change */
	size_t count, room;
	size_t tried;     /* number of options tried */
	int64_t start_s;  /* start of the job without a change; TIME_NEVER = unknown */
	struct str holds; /* what blocks the job, as a predicate that follows "job 12" */
	struct arena arena;
};

/* Replaces *out. Returns false with err set if the search was stopped or the job is not idle. */
bool goal_find(struct goal *out, const struct goal_setup *setup, struct err *err);
void goal_clear(struct goal *g);

/* --- sweeps and goals on a draft ---------------------------------------------------------------------- */

/*
 * A query that computes a sweep (sched/forecast/sweep.h) or a goal for a plan query, with the same run time
 * assumption as the screen. It takes milliseconds to minutes, and therefore runs in its own lane (worker.h),
 * reports its progress, and is stopped when the user leaves the screen.
 */

enum draft_query_kind {
	DRAFT_QUERY_SWEEP,
	DRAFT_QUERY_GOAL
};

struct draft_query {
	struct query query;
	/* request */
	enum draft_query_kind kind;
	struct run_assumption *run_assumption; /* run time assumption, referenced; NULL: jobs run to their
						  wallclock limits */
	uint64_t number;                       /* number of the request; larger for later ones */
	uint64_t job;                          /* job to watch (sweep) or to start (goal); 0 = none */
	struct sweep_spec asked;
	int64_t by_s;
	struct arena arena; /* strings of the parsed request */
	/* progress: projections (sweep) or options (goal), evaluated so far and in total */
	_Atomic size_t done, of;
	/* result */
	struct sweep sweep;
	struct goal goal;
	struct err err; /* why it failed, unless it was stopped */
};

/*
 * Creates a query for a sweep; the plan query o must be built. Returns NULL with err set if the words cannot
 * be parsed.
 */
struct draft_query *draft_query_sweep(struct plan_query *o, struct run_assumption *run_assumption,
				      uint64_t watch, const char *words, struct err *err);

struct draft_query *draft_query_goal(struct plan_query *o, struct run_assumption *run_assumption,
				     uint64_t job, int64_t by_s);

/* Frees the query and drops its references. NULL is allowed. */
void draft_query_free(struct draft_query *t);

/* Computes the result. Returns false if the query was stopped, or failed with .err set. */
bool draft_query_build(struct draft_query *t);

/*
 * Returns the queue to which the changes of a goal apply: that of the draft, if there is a draft that would
 * not be refused, otherwise the live queue.
 */
const struct forecast *draft_query_base(const struct draft_query *t);

#endif
