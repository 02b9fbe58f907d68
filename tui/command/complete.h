/* SPDX-License-Identifier: MIT */
/*
 * complete.h - what could stand at the end of a line that is being typed?
 */
#ifndef COMMAND_COMPLETE_H
#define COMMAND_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd.h"

/* Whole words, in alphabetical order without repeats once cmd_complete has returned. */
struct cmd_candidates {
	char **text; /* owned */
	size_t count, room;
	const struct cmd_console *ask; /* the console in which the line is typed; NULL: it is not */
};

/* Adds text when it begins with word. */
void candidates_add(struct cmd_candidates *c, const char *word, const char *text);
void candidates_clear(struct cmd_candidates *c);

/* What the rows of cmd.complete use: labels of jobs, names of options. */
void complete_jobs(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_options(const struct snapshot *s, const char *word, struct cmd_candidates *out);
void complete_verbs(const struct snapshot *s, const char *word, struct cmd_candidates *out);

/*
 * Candidates for the last word of a line: verbs for the first word, a verb's options
 * after '-', else what the verb knows. *start is where that word begins in the line. s may be
 * NULL. In a console (ask) the verbs of the screen are among them, and those of the shell are not.
 */
void cmd_complete(const struct snapshot *s, const char *line, const struct cmd_console *ask, size_t *start,
		  struct cmd_candidates *out);

#endif
