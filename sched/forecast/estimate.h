/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - how well have past estimates of starts come true?
 *
 * Nothing was written down when an estimate was given: the journal keeps every state, so what would have been
 * said at a moment is asked of the state of that moment, by the code that says it today. Two walks over the
 * journal: the first (estimate_starts) finds out which jobs started when, and chooses some of them; the
 * second (estimate_walk) goes through the states from the first submission of these on and asks. What was
 * said is then compared with what came (estimate_errors).
 *
 * An error is the real start less what was said: positive when the job started later. Why the worst went
 * wrong is estimate_cause.h.
 */
#ifndef FORECAST_ESTIMATE_H
#define FORECAST_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "future.h"
#include "sched/state/event.h"

/* When it was said. */
enum estimate_stage {
	ESTIMATE_SUBMITTED,   /* right after the submission                                     */
	ESTIMATE_HALFWAY,     /* half of the wait was over; of jobs that waited two seconds or more */
	ESTIMATE_HOUR_BEFORE, /* of jobs that waited for more than an hour                      */
	ESTIMATE_STAGES
};

#define ESTIMATE_HOUR_S 3600

/* By what. */
enum estimate_tier {
	ESTIMATE_INSTANT, /* the instant plan   */
	ESTIMATE_FULL,    /* the full projection */
	ESTIMATE_TIERS
};

/* Is it asked? The full projection, which costs a hundred instant plans, is left out half-way. */
static inline bool estimate_is_asked(enum estimate_stage stage, enum estimate_tier tier)
{
	return tier == ESTIMATE_INSTANT || stage != ESTIMATE_HALFWAY;
}

/* "submitted", "halfway", "hour-before"; "instant", "full"; static storage. */
const char *estimate_stage_name(enum estimate_stage stage);
const char *estimate_tier_name(enum estimate_tier tier);

/* One job that started, and what was said of it. */
struct estimate_row {
	uint64_t job; /* id */
	int64_t submit_s, start_s;
	/* TIME_NONE: it was not asked; TIME_NEVER: no start was known then. */
	int64_t said_s[ESTIMATE_STAGES][ESTIMATE_TIERS];
	char *label; /* what people know it by; owned; NULL: it was never asked about */
};

void estimate_rows_free(struct estimate_row *row, size_t count);

/* --- the errors ------------------------------------------------------------------------------------ */

/*
 * Of one stage and tier. Percentiles are by nearest rank, in seconds; 0 without any. A job that was to start
 * at once, and did, says nothing of how well a wait is foretold: it is counted, and left out of all else.
 */
#define ESTIMATE_AT_ONCE_S 1 /* a pass follows a submission within so long */

struct estimate_errors {
	uint32_t asked;   /* jobs: those of unknown, at_once and known */
	uint32_t unknown; /* no start was known                        */
	uint32_t at_once;
	uint32_t known;                 /* all below is of these */
	uint32_t earlier, later;        /* they started earlier, later than said; the others to the second */
	uint32_t within;                /* by at most a tenth of their wait                                */
	int64_t median_s, p80_s, p95_s; /* of errors without their sign                                    */
	int64_t shift_s;                /* median of errors with their sign                                */
};

/* Is there an error? Then it is in *out_s. */
bool estimate_error(const struct estimate_row *row, enum estimate_stage stage, enum estimate_tier tier,
		    int64_t *out_s);

void estimate_errors_of(struct estimate_errors *out, const struct estimate_row *row, size_t count,
			enum estimate_stage stage, enum estimate_tier tier);

/* The rows with the largest errors, without their sign, largest first; returns how many there are of them. */
size_t estimate_worst(const struct estimate_row *row, size_t count, enum estimate_stage stage,
		      enum estimate_tier tier, const struct estimate_row **out, size_t most);

/* --- the first walk: who started ------------------------------------------------------------------- */

struct estimate_start {
	uint64_t job;
	int64_t submit_s, start_s; /* TIME_NONE: not within the walk */
};

/* Zero is an empty one; estimate_starts_clear frees. */
struct estimate_starts {
	int64_t since_s;            /* only starts from then on count */
	struct estimate_start *job; /* by id: all that waited, or were submitted */
	size_t jobs, room;
	size_t started; /* of them, that count */
};

/* Begins with the jobs that wait in a state; entries follow from the next seq on. A job counts once, at its
 * first start. */
void estimate_starts_begin(struct estimate_starts *s, const struct snapshot *from, int64_t since_s);
void estimate_starts_take(struct estimate_starts *s, const struct event *ev);
/* Rows for up to that many of those that count, evenly spread over them in the order of their starts, for
 * estimate_rows_free. Nothing is asked yet. */
struct estimate_row *estimate_starts_choose(const struct estimate_starts *s, size_t most, size_t *count);
void estimate_starts_clear(struct estimate_starts *s);

/* --- the second walk: what was said ---------------------------------------------------------------- */

struct estimate_setup {
	/*
	 * One of so many rows is asked about by the full projection, too; 0 = none is, 1 = each.
	 */
	uint32_t full_every;
	enum assume_kind assume; /* of that                                         */
	/* What was known of run times at a moment, the last one or a later one. NULL: ASSUME_WCLIMIT. */
	const struct accuracy *(*known)(void *self, int64_t at_s);
	/* Called before each question, and while it is answered; false ends all. NULL = go on. */
	bool (*should_continue)(void *self);
	void *self;
};

/* A moment at which something is asked of a row. */
struct estimate_due {
	int64_t at_s;
	uint32_t row, stage;
};

/* Zero before it begins; estimate_walk_clear frees. */
struct estimate_walk {
	struct state *st; /* of the caller: as of the entry taken last */
	const struct estimate_setup *setup;
	struct estimate_row *row; /* of the caller, by id */
	size_t count;
	struct estimate_due *due; /* by their moments */
	size_t dues, next;
	struct future future; /* of the state as of seq, at at_s */
	uint64_t seq;
	int64_t at_s;
	bool has_future, has_full;
	bool stopped; /* it was told to */
};

/*
 * st: the state before the first entry that will be taken, which it changes. from_s: the moment it is of;
 * what was to be asked before that is not. Sorts the rows by id.
 */
void estimate_walk_begin(struct estimate_walk *w, struct state *st, int64_t from_s, struct estimate_row *row,
			 size_t count, const struct estimate_setup *setup);
/* The next entry. False: it was told to stop, or (with a sentence) the entry does not follow on the state. */
bool estimate_walk_take(struct estimate_walk *w, const struct event *ev, struct err *err);
void estimate_walk_clear(struct estimate_walk *w);

/* Applies an entry of the journal to the state before it; false with a sentence: it is of another. */
bool estimate_follow(struct state *st, const struct event *ev, struct err *err);

#endif
