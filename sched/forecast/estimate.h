/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - accuracy of past estimated starts, and what moved them
 *
 * Estimates are not recorded. The journal can restore every past state, so that the current code computes the
 * estimate that would have been given at a past time. The first walk over the journal (estimate_starts) finds
 * out which jobs started when, and selects some of them; the second (estimate_walk) replays the states from
 * their first submission on and computes the estimates, which estimate_errors compares with the actual
 * starts. A third walk (estimate_tracker) finds what moved the starts with the largest errors.
 *
 * An error is the actual start minus the estimate: positive if the job started later.
 */
#ifndef FORECAST_ESTIMATE_H
#define FORECAST_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "future.h"
#include "sched/state/event.h"

/* When the estimate is made. */
enum estimate_stage {
	ESTIMATE_SUBMITTED,   /* right after the submission                                     */
	ESTIMATE_HALFWAY,     /* after half of the wait; jobs that waited two seconds or more       */
	ESTIMATE_HOUR_BEFORE, /* jobs that waited for more than an hour                         */
	ESTIMATE_STAGES
};

#define ESTIMATE_HOUR_S 3600

/* How the estimate is made. */
enum estimate_tier {
	ESTIMATE_INSTANT, /* the instant plan   */
	ESTIMATE_FULL,    /* the full projection */
	ESTIMATE_TIERS
};

/* Whether this estimate is made. The full projection, which costs a hundred instant plans, is not made
 * halfway. */
static inline bool estimate_is_asked(enum estimate_stage stage, enum estimate_tier tier)
{
	return tier == ESTIMATE_INSTANT || stage != ESTIMATE_HALFWAY;
}

/* "submitted", "halfway", "hour-before"; "instant", "full"; static storage. */
const char *estimate_stage_name(enum estimate_stage stage);
const char *estimate_tier_name(enum estimate_tier tier);

/* One job that started, and its estimates. */
struct estimate_row {
	uint64_t job; /* ID */
	int64_t submit_s, start_s;
	/* The estimates. TIME_NONE: not made; TIME_NEVER: no start was known. */
	int64_t said_s[ESTIMATE_STAGES][ESTIMATE_TIERS];
	char *label; /* label of the job; owned; NULL: no estimate was made */
};

void estimate_rows_free(struct estimate_row *row, size_t count);

/* --- the errors ------------------------------------------------------------------------------------ */

/*
 * The errors of one stage and tier. Percentiles are by nearest rank, in seconds; 0 if there are none. A job
 * that was expected to start at once, and did, says nothing about the accuracy for jobs that wait: it is only
 * counted.
 */
#define ESTIMATE_AT_ONCE_S 1 /* seconds within which a pass follows a submission */

struct estimate_errors {
	uint32_t asked;   /* jobs: unknown + at_once + known           */
	uint32_t unknown; /* no start was known                        */
	uint32_t at_once;
	uint32_t known;                 /* the fields below cover these */
	uint32_t earlier, later;        /* started earlier or later than estimated; the rest at that second */
	uint32_t within;                /* error of at most a tenth of the wait                            */
	int64_t median_s, p80_s, p95_s; /* of absolute errors                                              */
	int64_t shift_s;                /* median of signed errors                                         */
};

/* Returns the error in *out_s; false: there is none for this stage and tier. */
bool estimate_error(const struct estimate_row *row, enum estimate_stage stage, enum estimate_tier tier,
		    int64_t *out_s);

void estimate_errors_of(struct estimate_errors *out, const struct estimate_row *row, size_t count,
			enum estimate_stage stage, enum estimate_tier tier);

/* The rows with the largest absolute errors, largest first; returns their number. */
size_t estimate_worst(const struct estimate_row *row, size_t count, enum estimate_stage stage,
		      enum estimate_tier tier, const struct estimate_row **out, size_t most);

/* --- the first walk: starts ------------------------------------------------------------------------ */

struct estimate_start {
	uint64_t job;
	int64_t submit_s, start_s; /* TIME_NONE: not within the walk */
};

/* All zero is empty; estimate_starts_clear frees. */
struct estimate_starts {
	int64_t since_s;            /* only starts at or after this time count */
	struct estimate_start *job; /* by ID: all jobs that waited or were submitted */
	size_t jobs, room;
	size_t started; /* number of starts that count */
};

/* Starts with the waiting jobs of a state; its journal entries follow from the next seq on. A job counts
 * once, at its first start. */
void estimate_starts_begin(struct estimate_starts *s, const struct snapshot *from, int64_t since_s);
void estimate_starts_take(struct estimate_starts *s, const struct event *ev);
/* Rows for up to `most` of the jobs that count, evenly distributed in the order of their starts, without
 * estimates; estimate_rows_free frees. */
struct estimate_row *estimate_starts_choose(const struct estimate_starts *s, size_t most, size_t *count);
void estimate_starts_clear(struct estimate_starts *s);

/* --- the second walk: estimates -------------------------------------------------------------------- */

struct estimate_setup {
	/* The full projection is made for one of this many rows; 0 = for none, 1 = for each. */
	uint32_t full_every;
	enum assume_kind assume; /* of the full projection                          */
	/* The run times on record at a time, which never decreases between calls. NULL: ASSUME_WCLIMIT. */
	const struct accuracy *(*known)(void *self, int64_t at_s);
	/* Polled before and during each estimate; false stops. NULL = never stop. */
	bool (*should_continue)(void *self);
	void *self;
};

/* A time at which an estimate is made for a row. */
struct estimate_due {
	int64_t at_s;
	uint32_t row, stage;
};

/* All zero before estimate_walk_begin; estimate_walk_clear frees. */
struct estimate_walk {
	struct state *st; /* owned by the caller: the state after the last entry */
	const struct estimate_setup *setup;
	struct estimate_row *row; /* owned by the caller, by ID */
	size_t count;
	struct estimate_due *due; /* by time */
	size_t dues, next;
	struct future future; /* of the state as of seq, at at_s */
	uint64_t seq;
	int64_t at_s;
	bool has_future, has_full;
	bool stopped; /* by setup->should_continue */
};

/*
 * st: the state before the first entry; the walk modifies it. from_s: the time of that state; estimates due
 * before it are not made. Sorts the rows by ID.
 */
void estimate_walk_begin(struct estimate_walk *w, struct state *st, int64_t from_s, struct estimate_row *row,
			 size_t count, const struct estimate_setup *setup);
/* Takes the next entry. False: stopped or, with err set, the entry does not follow the state. */
bool estimate_walk_take(struct estimate_walk *w, const struct event *ev, struct err *err);
void estimate_walk_clear(struct estimate_walk *w);

/* Applies a journal entry to the state before it. False with err: the entry does not follow that state. */
bool estimate_follow(struct state *st, const struct event *ev, struct err *err);

/* --- the third walk: what moved a start ------------------------------------------------------------- */

/*
 * Follows the instant plan of a few jobs from submission to start. The plan is rebuilt before and after each
 * journal entry that can move a start; the difference is attributed to the entry, and what moved between two
 * entries to time. So the causes of a job sum to its whole error. If a start is unknown for a while (the job
 * is held), the move is attributed to the cause that made it unknown.
 *
 * Costs a plan for every such entry while one of the jobs waits, so there is a bound; a job that exceeds it
 * is marked as lost and keeps the causes found so far.
 */
enum estimate_cause {
	ESTIMATE_BY_END,     /* a job ended before its limit                                          */
	ESTIMATE_BY_ARRIVAL, /* a job was submitted                                                   */
	ESTIMATE_BY_PEOPLE,  /* an operator or user held, released, cancelled, reserved, drained ... */
	ESTIMATE_BY_MACHINE, /* the report of a node changed, a start failed                          */
	ESTIMATE_BY_TIME,    /* priorities aged, windows rolled over; a pass decided otherwise         */
	ESTIMATE_CAUSES
};

/* "ends", "arrivals", "people", "machine", "time"; static storage. */
const char *estimate_cause_name(enum estimate_cause cause);

/* The moves of one cause. */
struct estimate_move {
	int64_t moved_s;             /* sum of the moves; negative: the start moved earlier         */
	uint32_t entries;            /* number of journal entries that moved the start          */
	int64_t most_s;              /* the largest move by one of them                         */
	uint64_t most_seq, most_job; /* that entry, and the job it concerns; 0 = none*/
};

struct estimate_track {
	struct estimate_row row; /* a copy; its label is owned by the caller */
	struct estimate_move by[ESTIMATE_CAUSES];
	int64_t expected_s;             /* the current estimate; TIME_NEVER: unknown             */
	enum estimate_cause unknown_by; /* what made the estimate unknown            */
	int64_t known_s;                /* the last known estimate                               */
	bool begun, ended;
	bool lost; /* not tracked up to its start */
};

#define ESTIMATE_TRACKS 8

/* All zero before estimate_tracker_begin; estimate_tracker_clear frees. */
struct estimate_tracker {
	struct state *st; /* owned by the caller */
	struct estimate_track track[ESTIMATE_TRACKS];
	size_t count;
	struct plan plan;
	int64_t planned_s;    /* time of the plan                */
	uint64_t planned_seq; /* the last entry before it         */
	int64_t cost, most;   /* jobs in all plans so far; its bound*/
};

/* row: at most ESTIMATE_TRACKS rows with an estimate at submission. most: upper bound for the number of jobs
 * in all plans together. st as for estimate_walk_begin. */
void estimate_tracker_begin(struct estimate_tracker *f, struct state *st,
			    const struct estimate_row *const *row, size_t count, int64_t most);
/* Takes the next entry; false with err: it does not follow the state. */
bool estimate_tracker_take(struct estimate_tracker *f, const struct event *ev, struct err *err);
/* Whether all jobs have started or are lost. */
bool estimate_tracker_is_done(const struct estimate_tracker *f);
void estimate_tracker_clear(struct estimate_tracker *f);

/* The cause that moved the start the most in the direction of the error; ESTIMATE_CAUSES: none. */
enum estimate_cause estimate_main_cause(const struct estimate_track *track);

#endif
