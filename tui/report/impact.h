/* SPDX-License-Identifier: MIT */
/*
 * impact.h - effects of journal entries on the queue
 *
 * Compares the queue right before the entry with the queue right after it, at the time of the entry: which
 * jobs moved from one part of the queue to another, and which of the idle jobs changed rank. For later
 * consequences see struct consequences.
 */
#ifndef REPORT_IMPACT_H
#define REPORT_IMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history_source.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/host/rerun.h"
#include "sched/state/event.h"

#define IMPACT_SHOWN 5 /* number of jobs shown at the head of the queue */

/* A zeroed struct is valid and empty; impact_clear frees. */
struct impact {
	uint64_t seq;
	struct str brief;         /* "order: 14 jobs moved", "1 idle -> blocked": for a column */
	struct str before, after; /* head of the queue, "900997 900995 ..."; "" = no idle job */
	uint64_t *job;            /* affected jobs by ID, except jobs that the entry removed */
	size_t jobs, room;
};

/* Can an entry of this kind, made by a person or a node, affect the queue? Other entries get no text. */
bool impact_applies(enum event_kind kind);

/*
 * Finds the effect of an entry. st: the state right before the entry; the entry is applied to it. Returns
 * false with err set if the entry cannot be applied.
 */
bool impact_find(struct impact *out, struct state *st, const struct event *entry, struct err *err);
void impact_clear(struct impact *impact);

/*
 * Finds the effects of journal entries. seq is in ascending order; out[i] is the effect of entry seq[i],
 * without a text if entries of its kind have no effect. should_continue is called from time to time and
 * returns false to stop; NULL: never stop. Entries that are close together take little more time than one.
 * Returns false with an empty err if stopped, else with the error in err.
 */

bool impacts_read(const struct history_source *source, const uint64_t *seq, size_t count, struct impact *out,
		  bool (*should_continue)(void *self), void *self, struct err *err);

/*
 * Appends the effect of undoing the entry now, with the number of affected jobs that no longer wait:
 * "xfactorweight: 1000 -> 600; 2 of 4 affected jobs no longer wait". Appends nothing if the entry is not a
 * change that can be undone, or if its job has ended.
 */
void impact_print_undo(const struct impact *impact, const struct snapshot *now, struct str *out);

/* --- later consequences of an entry ------------------------------------------------------------------- */

/*
 * The recorded period from the entry on is replayed twice (sched/host/rerun.h), without and with the entry,
 * with real arrivals and run times, up to the last journal entry. The differences are consequences of the
 * entry. The duration depends on the length of the record, so the query can be stopped and reports its
 * progress.
 */

struct str; /* sched/base/str.h */

/* The caller sets the request and zeroes all other members. consequences_clear frees the result. */
struct consequences {
	/* request */
	struct history_source source;
	uint64_t seq;
	/*
	 * Called from time to time with the number of entries processed and the total; returns false to stop.
	 * NULL: never stop.
	 */
	bool (*should_continue)(void *self, uint64_t done, uint64_t all);
	void *self;
	/* result */
	struct rerun_record record;
	struct rerun *without, *with;
	/* changes of starts from the replay without the entry to the replay with it */
	struct rerun_moves moves;
	struct replay_summary before, after;
	/* private */
	struct state *from;
	uint64_t last, done, all; /* the last entry; number of entries processed, and in total */
	bool stopped;
};

/*
 * Runs both replays. Returns false with an empty err if stopped, else with the error in err: the entry no
 * longer exists, or cannot be left out. May be called in any thread.
 */
bool consequences_find(struct consequences *b, struct err *err);
void consequences_clear(struct consequences *b);

/* Appends "3 jobs started earlier (max -2:10:00), 1 later (+0:25:00), utilization +0.3 %". */
void consequences_print(const struct consequences *b, struct str *out);

#endif
