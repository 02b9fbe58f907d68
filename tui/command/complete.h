/* SPDX-License-Identifier: MIT */
/*
 * complete.h - completion of command lines
 */
#ifndef COMMAND_COMPLETE_H
#define COMMAND_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd.h"

/* Whole words. After cmd_complete in alphabetical order without duplicates. */
struct cmd_candidates {
	char **text; /* owned */
	size_t count, room;
	const struct cmd_table *verbs;
	const struct cmd_console *ask; /* the console of the line; NULL: not in a console */
};

/* Adds text if it begins with word. */
void candidates_add(struct cmd_candidates *c, const char *word, const char *text);
void candidates_clear(struct cmd_candidates *c);

/* Functions for cmd.complete. */
void complete_jobs(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_options(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_verbs(const struct snapshot *s, const char *word, struct cmd_candidates *out);

/*
 * Candidates for the last word of a line: verbs for the first word, options after '-', else those of the
 * verb. *start is the index of that word. s may be NULL. In a console (ask) verbs of the console are
 * included, and verbs of the shell are not.
 */
void cmd_complete(const struct cmd_table *verbs, const struct snapshot *s, const char *line,
		  const struct cmd_console *ask, size_t *start, struct cmd_candidates *out);

#endif
