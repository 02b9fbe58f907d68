/* SPDX-License-Identifier: MIT */
/*
 * edits.h - what does a draft consist of?
 *
 * Edits in their order, each a command line with the events that it gave. What comes next takes the place of
 * edits that are not kept, and stands beside those that are; either way it takes the place of an earlier edit
 * about the same thing. An edit that is off stays in the list and gives no events.
 */
#ifndef TUI_CONSOLE_EDITS_H
#define TUI_CONSOLE_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/commands/cmd.h"

struct edit {
	char *line;           /* the command                                             */
	char *text;           /* what it does, in words; "" before it was on for the first time */
	const void *by;       /* who drafts it and may draft it anew; NULL = a person          */
	bool kept, off;       /* see above                                               */
	size_t first, events; /* its events among those of the draft                      */
};

/* Zero is a valid empty list; edits_clear frees. */
struct edits {
	struct edit *item;
	size_t count, room;
};

/* At the end, not kept. One with this line by the same stays where it is, kept and off as it was. */
void edits_add(struct edits *e, const char *line, const void *by);
/* A line each. */
void edits_add_lines(struct edits *e, const char *lines, const void *by);
/* A copy of the edits that a draft by someone leaves in place: what is kept and not his. */
void edits_add_staying(struct edits *e, const struct edits *from, const void *by);
void edits_drop(struct edits *e, size_t at);
void edits_clear(struct edits *e);

/* How many are kept; are there any by someone? */
size_t edits_kept(const struct edits *e);
bool edits_are_by(const struct edits *e, const void *by);

/*
 * Fills the events of all that are on, and the words, by running each line in env, whose changes are empty.
 * What turns out to change nothing is dropped, and so is what a later edit takes the place of. False:
 * env->err says which line was refused and why.
 */
bool edits_compile(struct edits *e, struct cmd_env *env);

/*
 * Appends in words, "; " between, what was drafted and is not any more: the edits that were on and not kept,
 * of which nothing is among the later ones, neither they nor others about the same things. Those by the hand
 * that drafts anew do not count. The changes are those of either list.
 */
void edits_add_gone(const struct edits *from, const struct cmd_changes *had, const struct edits *to,
		    const struct cmd_changes *have, const void *by, struct str *out);

/* The lines that are on, "\n" between, appended. */
void edits_add_text(const struct edits *e, struct str *out);

#endif
