/* SPDX-License-Identifier: MIT */
/*
 * edits.h - the edits that a draft consists of
 *
 * Edits in their order, each a command line with the events that it gives. A new edit joins the others; only
 * an edit about the same thing is replaced by it. An edit that is off stays in the list and gives no events.
 */
#ifndef TUI_EDITS_H
#define TUI_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "changes.h"

struct edit {
	char *line;           /* the command                                              */
	char *text;           /* what it does, in words; "" before it was on for the first time */
	bool off;             /* see above                                                */
	size_t first, events; /* its events among those of the draft                      */
};

/* Zero is a valid empty list; edits_clear frees. */
struct edits {
	struct edit *item;
	size_t count, room;
	size_t refused; /* the last edits_compile was refused by this one */
};

/* At the end; a line that is in the list already stays where it is. */
void edits_add(struct edits *e, const char *line);
/* A line each. */
void edits_add_lines(struct edits *e, const char *lines);
/* Appends a copy of each edit. */
void edits_copy(struct edits *e, const struct edits *from);
void edits_drop(struct edits *e, size_t at);
void edits_clear(struct edits *e);

/*
 * Fills the events of all that are on, and the words, by running each line (cmd_run_line) in env, whose
 * changes are empty. Edits that change nothing are dropped, and so are those that a later edit about the same
 * things replaces. False: env->err says which line was refused and why.
 */
typedef enum cmd_status edit_run(struct cmd_env *env, const char *line);
bool edits_compile(struct edits *e, struct cmd_env *env, edit_run *run_edit);

/* The edit that sets an option, of those that are on; e->count if none does. *value is its value. */
size_t edits_find_setting(const struct edits *e, const struct cmd_changes *changes, const char *name,
			  const char **value);
/* Likewise the edit of a job's priority. */
size_t edits_find_priority(const struct edits *e, const struct cmd_changes *changes, uint64_t job);

/* The lines that are on, "\n" between, appended. */
void edits_add_text(const struct edits *e, struct str *out);

#endif
