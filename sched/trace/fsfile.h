/* SPDX-License-Identifier: MIT */
/*
 * fsfile.h - Maui's FS.<epoch> files: one window of fairshare usage
 *
 * The file name contains the time at which the window became active (F-17); the lines contain the usage of
 * each credential in it, in processor-seconds, and that of all jobs:
 *
 *     # Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00
 *     User A 150000.000
 *     TOTAL 600000.00
 *
 * Two forms are read: that of the guide and that of Maui ("user  bob  999999.000", "acct", "TOTAL DEFAULT
 * 999999.000000"), with any case and order of lines; '#' begins a comment. The guide's form is written. No
 * function opens a file. A text with an error is rejected completely.
 *
 * Source: Maui Administrator's Guide 6.3.
 */
#ifndef TRACE_FSFILE_H
#define TRACE_FSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/cred.h"

/* Usage of one credential. */
struct fs_use {
	const char *name;
	int64_t amount; /* thousandths of a processor-second (FS_UNIT), >= 0 */
	enum cred_type type;
	uint32_t line; /* line of the text, from 1; 0 if not read */
};

/* One window. Release a window that was read with fsfile_clear. */
struct fsfile {
	struct fs_use *use; /* each credential once; in the order of the text */
	size_t count, room;
	int64_t begin_s;  /* when the window became active                     */
	int64_t length_s; /* its FSINTERVAL; 0 = not in the file */
	int64_t total;    /* usage of all jobs, in thousandths of a processor-second */
	char *text;       /* contains the names that were read; else NULL */
};

/* The time in a file name, with or without directories; false if the name is not FS.<epoch>. */
bool fsfile_epoch(const char *file, int64_t *begin_s);

/* Parses a text of len bytes. On failure *out is empty and err contains file and line. */
bool fsfile_read(const char *file, const char *text, size_t len, struct fsfile *out, struct err *err);

void fsfile_clear(struct fsfile *f);

struct str;
/*
 * Writes the window, usage sorted by type; length_s > 0. Blanks and control characters in names become '_',
 * because a line consists of words.
 */
void fsfile_write(const struct fsfile *f, struct str *out);

#endif
