/* SPDX-License-Identifier: MIT */
/*
 * handout.h - how does everybody get the state without a copy for each?
 *
 * As one sealed file in memory for all who ask while it is the same; those who are to see no names but their
 * own (mask.h) have one each, of which a few are kept.
 */
#ifndef TUI_COMMANDS_HANDOUT_H
#define TUI_COMMANDS_HANDOUT_H

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

/* The same of a state that is past, for nobody else; whole: with all names. */
int handout_past(const struct snapshot *s, const struct person *to, bool whole, struct err *err);

/* May they see other people's names? */
bool handout_shows_names(const struct snapshot *s, const struct person *to);

#endif
