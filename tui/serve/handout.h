/* SPDX-License-Identifier: MIT */
/*
 * handout.h - how does everybody get the state without a copy for each?
 *
 * As one sealed file in memory for all who ask while it is the same; those who are to see no names but their
 * own (mask.h) have one each, of which a few are kept. States that are past are handed out
 * in the same way.
 */
#ifndef TUI_SERVE_HANDOUT_H
#define TUI_SERVE_HANDOUT_H

#include "people.h"
#include "sched/core/snapshot.h"

struct handout; /* opaque */

struct handout *handout_new(void);
void handout_free(struct handout *h);

/*
 * A descriptor of the state for whoever asks, the caller's to close; -1 with a sentence. s is durable: no
 * other state has its seq.
 */
int handout_state(struct handout *h, const struct snapshot *s, const struct person *to, struct err *err);

/*
 * The same of states of any seq. whole: with all names. What is kept of one, -1: nothing is; and what is made
 * of it, to be kept, -1 with a sentence.
 */
int handout_kept(const struct handout *h, uint64_t seq, const struct person *to, bool whole);
int handout_make(struct handout *h, const struct snapshot *s, const struct person *to, bool whole,
		 struct err *err);

/* May they see other people's names? */
bool handout_shows_names(const struct snapshot *s, const struct person *to);

#endif
