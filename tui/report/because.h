/* SPDX-License-Identifier: MIT */
/*
 * because.h - what has happened because of an entry of the journal?
 *
 * All that is on record from the entry on is run again twice (sched/host/rerun.h), without it and with it,
 * with real arrivals and run times, up to the journal's last entry. What differs between the two is the
 * entry's doing. It takes as long as the record is: it can be stopped, and says how far it is.
 */
#ifndef REPORT_BECAUSE_H
#define REPORT_BECAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "annals.h"
#include "sched/base/err.h"
#include "sched/host/rerun_moves.h"

struct str; /* sched/base/str.h */

/* Zero but for what is asked; because_clear frees what was found. */
struct because {
	/* asked */
	struct annals annals;
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
bool because_find(struct because *b, struct err *err);
void because_clear(struct because *b);

/* "3 jobs started earlier (max -2:10:00), 1 later (+0:25:00), utilisation +0.3 %". */
void because_say(const struct because *b, struct str *out);

#endif
