/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - accuracy of past estimated starts, and what moved them
 *
 * Estimates are not recorded. The journal can restore every past state, so the current code can compute the
 * estimate that would have been given at a past time. The first walk over the journal (estimate_starts) finds
 * out when jobs started, and selects some of these jobs. The second walk (estimate_walk) replays the states
 * from their first submission on and computes the estimates, which estimate_errors compares with the actual
 * starts. A third walk (estimate_tracker) finds what moved the starts with the largest errors.
 *
 * An error is the actual start minus the estimate: positive if the job started later than estimated.
 */
#ifndef FORECAST_ESTIMATE_H
#define FORECAST_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "future.h"
#include "sched/state/event.h"

/* The time at which an estimate is made. */
enum estimate_stage {
	ESTIMATE_SUBMITTED,   /* right after the submission of the job */
	ESTIMATE_HALFWAY,     /* after half of the wait; only jobs that waited at least two seconds */
	ESTIMATE_HOUR_BEFORE, /* an hour before the start; only jobs that waited for more than an hour */
	ESTIMATE_STAGES
};

#define ESTIMATE_HOUR_S 3600

/* The method of an estimate. */
enum estimate_tier {
	ESTIMATE_INSTANT, /* the instant plan (plan.h) */
	ESTIMATE_FULL,    /* the full projection (project.h) */
	ESTIMATE_TIERS
};

/*
 * Returns true if an estimate is made at this stage by this method. The full projection, which costs a
 * hundred instant plans, is not made halfway.
 */
static inline bool estimate_is_asked(enum estimate_stage stage, enum estimate_tier tier)
{
	return tier == ESTIMATE_INSTANT || stage != ESTIMATE_HALFWAY;
}

/*
 * Names: "submitted", "halfway" or "hour-before" of a stage; "instant" or "full" of a method. Static storage.
 */
const char *estimate_stage_name(enum estimate_stage stage);
const char *estimate_tier_name(enum estimate_tier tier);

/* A job that started, and its estimates. */
struct estimate_row {
	uint64_t job; /* ID of the job */
	int64_t submit_s, start_s;
	/* The estimates, by stage and method. TIME_NONE: not made; TIME_NEVER: the start was unknown. */
	int64_t said_s[ESTIMATE_STAGES][ESTIMATE_TIERS];
	char *label; /* label of the job, owned by the row; NULL: no estimate was made */
};

void estimate_rows_free(struct estimate_row *row, size_t count);

/* --- the errors ------------------------------------------------------------------------------------ */

/*
 * The errors of one stage and method. Percentiles are by nearest rank, in seconds; 0 if there are no errors.
 * A job that was expected to start at once, and did, says nothing about the accuracy for jobs that wait: it
 * is counted only in at_once.
 */
#define ESTIMATE_AT_ONCE_S 1 /* seconds after a submission within which the next pass runs */

struct estimate_errors {
	uint32_t asked;   /* jobs with an estimate: unknown + at_once + known */
	uint32_t unknown; /* jobs whose estimated start was unknown */
	uint32_t at_once;
	uint32_t known;                 /* jobs to which the members below apply */
	uint32_t earlier, later;        /* jobs that started earlier, or later, than estimated */
	uint32_t within;                /* jobs with an error of at most a tenth of their wait */
	int64_t median_s, p80_s, p95_s; /* percentiles of absolute errors */
	int64_t shift_s;                /* median of signed errors */
};

/* Sets *out_s to the error of a row. Returns false if there is no error for this stage and method. */
bool estimate_error(const struct estimate_row *row, enum estimate_stage stage, enum estimate_tier tier,
		    int64_t *out_s);

void estimate_errors_of(struct estimate_errors *out, const struct estimate_row *row, size_t count,
			enum estimate_stage stage, enum estimate_tier tier);

/*
 * Sets out to the rows with the largest absolute errors, largest first, at most `most`; returns their number.
 * Rows without an error are left out.
 */
size_t estimate_worst(const struct estimate_row *row, size_t count, enum estimate_stage stage,
		      enum estimate_tier tier, const struct estimate_row **out, size_t most);

/* --- the first walk: starts ------------------------------------------------------------------------ */

struct estimate_start {
	uint64_t job;
	int64_t submit_s, start_s; /* TIME_NONE: no start within the walk */
};

/* A zeroed struct is a valid empty one; estimate_starts_clear frees it. */
struct estimate_starts {
	int64_t since_s;            /* only starts at or after this time count */
	struct estimate_start *job; /* by ID: all jobs that were idle at the beginning or were submitted */
	size_t jobs, room;
	size_t started; /* number of jobs whose start counts */
};

/*
 * Begins with the idle jobs of a state; the journal entries after this state are then passed to
 * estimate_starts_take one by one. A job counts once, with its first start.
 */
void estimate_starts_begin(struct estimate_starts *s, const struct snapshot *from, int64_t since_s);
void estimate_starts_take(struct estimate_starts *s, const struct event *ev);
/*
 * Returns rows, without estimates, for up to `most` of the jobs that count, evenly distributed in the order
 * of their starts. estimate_rows_free frees them.
 */
struct estimate_row *estimate_starts_choose(const struct estimate_starts *s, size_t most, size_t *count);
void estimate_starts_clear(struct estimate_starts *s);

/* --- the second walk: estimates -------------------------------------------------------------------- */

struct estimate_setup {
	/* The full projection is made for one row in every `full_every`; 0 = for none. */
	uint32_t full_every;
	enum assume_kind assume; /* assumption of the full projection about run times */
	/*
	 * Returns the run times that were known at at_s, which never decreases between the calls of one walk.
	 * NULL only with ASSUME_WCLIMIT.
	 */
	const struct accuracy *(*known)(void *self, int64_t at_s);
	uint64_t most_work; /* budget of each full projection (struct future_setup); 0 = unlimited */
	/* Polled before and during each estimate; false stops the walk. NULL = never stop. */
	bool (*should_continue)(void *self);
	void *self;
};

/* A time at which an estimate is made for a row. */
struct estimate_due {
	int64_t at_s;
	uint32_t row, stage;
};

/* Must be zeroed before estimate_walk_begin; estimate_walk_clear frees it. */
struct estimate_walk {
	struct state *st; /* the state after the last entry; owned by the caller */
	const struct estimate_setup *setup;
	struct estimate_row *row; /* the jobs whose starts are estimated, sorted by ID; owned by the caller */
	size_t count;
	struct estimate_due *due; /* the times at which estimates are made, sorted; `next` is the next one */
	size_t dues, next;
	struct future future; /* future of the state after entry seq, at at_s */
	uint64_t seq;
	int64_t at_s;
	bool has_future, has_full;
	bool stopped; /* setup->should_continue returned false */
};

/*
 * Begins the walk. st: the state before the first entry, which the walk modifies. from_s: the time of that
 * state; estimates that are due before it are not made. Sorts the rows by ID.
 */
void estimate_walk_begin(struct estimate_walk *w, struct state *st, int64_t from_s, struct estimate_row *row,
			 size_t count, const struct estimate_setup *setup);
/*
 * Makes the estimates that are due and applies the next entry. Returns false if the walk was stopped or, with
 * err set, if the entry is not the one right after the state, or cannot be applied to it.
 */
bool estimate_walk_take(struct estimate_walk *w, const struct event *ev, struct err *err);
void estimate_walk_clear(struct estimate_walk *w);

/*
 * Applies a journal entry to the state before it. Returns false with err set if the entry is not the one
 * right after that state, or cannot be applied to it.
 */
bool estimate_follow(struct state *st, const struct event *ev, struct err *err);

/* --- the third walk: what moved a start ------------------------------------------------------------- */

/*
 * Follows the projected starts of a few jobs from submission to start. The projection is repeated after each
 * journal entry that can move a start, and before it if something else has happened than was projected. The
 * difference is attributed to the entry, and a move between two entries to time. So the moves of a job sum to
 * its whole error. If a start is unknown for a while (the job is held), the move is attributed to the cause
 * that made it unknown.
 *
 * While one of the jobs is idle, each such entry costs a projection, so the total work is limited. If the
 * limit is reached, all jobs that have not started are marked as lost and keep the moves found so far.
 */
enum estimate_cause {
	ESTIMATE_BY_END,     /* a job ended before its wallclock limit */
	ESTIMATE_BY_ARRIVAL, /* a job was submitted */
	ESTIMATE_BY_PEOPLE,  /* a user or operator held, released, cancelled, reserved, drained ... */
	ESTIMATE_BY_MACHINE, /* the reported state of a node changed, or a start failed */
	ESTIMATE_BY_TIME,    /* priorities grew, fairshare windows rolled, or a pass decided otherwise */
	ESTIMATE_CAUSES
};

/* "ends", "arrivals", "people", "machine" or "time"; static storage. */
const char *estimate_cause_name(enum estimate_cause cause);

/* The moves of one start by one cause. */
struct estimate_move {
	int64_t moved_s;             /* sum of the moves in seconds; negative: the start moved earlier */
	uint32_t entries;            /* number of moves */
	int64_t most_s;              /* the largest move in seconds */
	uint64_t most_seq, most_job; /* journal entry of that move, and the job it concerns; 0 = none */
};

struct estimate_track {
	struct estimate_row row; /* a copy; the caller owns its label */
	struct estimate_move by[ESTIMATE_CAUSES];
	int64_t expected_s;             /* the current estimate; TIME_NEVER: unknown */
	enum estimate_cause unknown_by; /* the cause that made the estimate unknown */
	int64_t known_s;                /* the last known estimate */
	bool begun, ended;
	bool lost; /* no longer followed, because the work limit was reached before the job started */
};

#define ESTIMATE_TRACKS 8

/* Must be zeroed before estimate_tracker_begin; estimate_tracker_clear frees it. */
struct estimate_tracker {
	struct state *st; /* the state after the last entry; owned by the caller */
	struct estimate_track track[ESTIMATE_TRACKS];
	size_t count;
	const struct estimate_setup *setup;
	struct projection projection;
	struct assumed assumed;
	bool holds; /* the projection still holds: nothing has happened since that it did not project */
	uint64_t cost, most; /* work of all projections so far (projection.work), and its limit */
};

/*
 * row: at most ESTIMATE_TRACKS rows with an estimate at submission by the full projection. most: limit on the
 * work of all projections together. st: as for estimate_walk_begin. setup: as for the walk that made the
 * estimates, except full_every and most_work, which are not used.
 */
void estimate_tracker_begin(struct estimate_tracker *f, struct state *st,
			    const struct estimate_row *const *row, size_t count, uint64_t most,
			    const struct estimate_setup *setup);
/*
 * Applies the next entry to the state and updates the projected starts. Returns false with err set if the
 * entry is not the one right after the state, or cannot be applied to it.
 */
bool estimate_tracker_take(struct estimate_tracker *f, const struct event *ev, struct err *err);
/* Returns true if all jobs have started or are no longer followed. */
bool estimate_tracker_is_done(const struct estimate_tracker *f);
void estimate_tracker_clear(struct estimate_tracker *f);

/*
 * Returns the cause that moved the start the most in the direction of the error; ESTIMATE_CAUSES if there is
 * none.
 */
enum estimate_cause estimate_main_cause(const struct estimate_track *track);

#endif
