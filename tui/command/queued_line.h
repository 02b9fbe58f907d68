/* SPDX-License-Identifier: MIT */
/*
 * queued_line.h - what does one who waits for a job read meanwhile?
 *
 * One line on the terminal at standard error, written anew only when it says something else, and taken away
 * when the job starts.
 */
#ifndef COMMAND_QUEUED_LINE_H
#define COMMAND_QUEUED_LINE_H

#include "cmd.h"

struct queued_line {
	bool wanted; /* standard error is a terminal, and nobody asked for quiet */
	bool ascii;
	struct str line; /* what stands there; "" = nothing */
};

/* Says why the job waits and when it is thought to start. False: it never can, with the sentence. */
bool queued_line_tell(struct queued_line *q, const struct snapshot *s, uint64_t job, int64_t now_s,
		      struct err *err);
/* Takes the line away. */
void queued_line_clear(struct queued_line *q);

#endif
