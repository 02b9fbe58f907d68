/* SPDX-License-Identifier: MIT */
/*
 * outfile.h - atomic replacement of a file
 *
 * The place is tried before the work begins; the text goes to a file of another name
 * beside it, which takes its name at the end. What is no regular file (a pipe, a terminal)
 * is written directly.
 */
#ifndef RM_OUTFILE_H
#define RM_OUTFILE_H

#include <stdbool.h>

#include "sched/base/err.h"

struct str;

/* Zero is a valid file that was not asked for. */
struct outfile {
	char path[4096], temp[4120]; /* temp is empty when it is written directly */
	int fd;
	bool open;
};

/* False with a sentence when nothing could be written there. */
bool outfile_open(struct outfile *f, const char *path, struct err *err);
/* Writes the text and puts the file in its place; it is closed in any case. */
bool outfile_write(struct outfile *f, const struct str *text, struct err *err);
/* Closes it; what was there before stays. Does nothing after outfile_write. */
void outfile_drop(struct outfile *f);

#endif
