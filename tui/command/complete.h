/* SPDX-License-Identifier: MIT */
/*
 * complete.h - completion of command lines
 */
#ifndef COMMAND_COMPLETE_H
#define COMMAND_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd.h"

/* The words that are offered. cmd_complete returns them in alphabetical order, without duplicates. */
struct cmd_candidates {
	char **text; /* owned */
	size_t count, room;
	const struct cmd_table *verbs;
	/* operations on the console in which the line is typed; NULL outside of a console */
	const struct cmd_console *ask;
};

/* Adds text if it begins with word. */
void candidates_add(struct cmd_candidates *c, const char *word, const char *text);
void candidates_clear(struct cmd_candidates *c);

/* Functions for cmd.complete: they add the jobs, options and verbs that begin with word. */
void complete_jobs(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_options(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_verbs(const struct snapshot *s, const char *word, struct cmd_candidates *out);

/*
 * Finds the candidates for the last word of a line: verbs for the first word, options after '-', else what
 * the verb's own function adds. Sets *start to the index of that word in the line. s may be NULL. In a
 * console (ask is not NULL) verbs that exist only in the console are included, and verbs that exist only in
 * the shell are not.
 */
void cmd_complete(const struct cmd_table *verbs, const struct snapshot *s, const char *line,
		  const struct cmd_console *ask, size_t *start, struct cmd_candidates *out);

#endif
