/* SPDX-License-Identifier: MIT */
/*
 * impact.h - effects of journal entries on the queue
 *
 * The queue right before the entry and right after it, at the entry's own moment: who went from one part of
 * it to another, and who stands elsewhere among those that were idle in both. What follows later is another
 * question (struct consequences).
 */
#ifndef REPORT_IMPACT_H
#define REPORT_IMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history_source.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/host/rerun_moves.h"
#include "sched/state/event.h"

#define IMPACT_SHOWN 5 /* jobs at the head of the queue */

/* Zero is an empty one; impact_clear frees. */
struct impact {
	uint64_t seq;
	struct str brief;         /* "order: 14 jobs moved", "1 idle -> blocked": for a column */
	struct str before, after; /* the head of the queue, "900997 900995 ..."; "" = nobody was idle */
	uint64_t *job;            /* whom it changed something for, by id; without those that it took away */
	size_t jobs, room;
};

/* Is it one that people or nodes may have changed something by? Of others nothing is said. */
bool impact_applies(enum event_kind kind);

/* st: right before the entry; the entry is applied to it. False with a sentence: it does not fit. */
bool impact_find(struct impact *out, struct state *st, const struct event *entry, struct err *err);
void impact_clear(struct impact *impact);

/*
 * The same of entries that the journal keeps: out[i] is of seq[i], ascending; entries that nothing is said of
 * get a seq and no words. go_on is asked now and then, false: stop; NULL: nobody asks. Where they stand close
 * together it costs little more than one. False: it was stopped (err->text is empty), or with a sentence.
 */

bool impacts_read(const struct history_source *source, const uint64_t *seq, size_t count, struct impact *out,
		  bool (*go_on)(void *self), void *self, struct err *err);

/*
 * What undoing the entry would do now, with how many of those whom it changed something for wait no more:
 * "xfactorweight: 1000 -> 600; 2 of 4 jobs it touched wait no more". Nothing for an entry that is no
 * change, or whose job has ended.
 */
void impact_print_undo(const struct impact *impact, const struct snapshot *now, struct str *out);

/* --- later consequences of an entry ------------------------------------------------------------------- */

/*
 * All that is on record from the entry on is run again twice (sched/host/rerun.h), without it and with it,
 * with real arrivals and run times, up to the journal's last entry. What differs between the two is the
 * entry's doing. It takes as long as the record is: it can be stopped, and says how far it is.
 */

struct str; /* sched/base/str.h */

/* Zero but for what is asked; consequences_clear frees what was found. */
struct consequences {
	/* asked */
	struct history_source source;
	uint64_t seq;
	/* Told now and then how many entries have been gone through, of how many; false: stop. NULL: nobody
	 * asks. */
	bool (*go_on)(void *self, uint64_t done, uint64_t all);
	void *self;
	/* found */
	struct rerun_record record;
	struct rerun *without, *with;
	struct rerun_moves moves; /* from without to with */
	struct replay_summary before, after;
	/* private */
	struct state *from;
	uint64_t last, done, all; /* the last entry; entries */
	bool stopped;
};

/*
 * False: it was stopped (err->text is empty), or with a sentence: the entry is not kept, or is one that
 * cannot be left out. From any thread.
 */
bool consequences_find(struct consequences *b, struct err *err);
void consequences_clear(struct consequences *b);

/* "3 jobs started earlier (max -2:10:00), 1 later (+0:25:00), utilisation +0.3 %". */
void consequences_print(const struct consequences *b, struct str *out);

#endif
