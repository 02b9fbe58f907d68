/* SPDX-License-Identifier: MIT */
/*
 * fsfile.h - Maui's FS.<epoch> files: one window of fairshare usage
 *
 * The file name contains the time at which the window began. The lines contain the usage of each credential
 * in the window and, as TOTAL, the usage of all jobs, in processor-seconds:
 *
 *     # Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00
 *     User A 150000.000
 *     TOTAL 600000.00
 *
 * Two forms are read, with the lines in any order and the words in any case: the form shown in Maui's guide,
 * and the form that Maui writes ("user  bob  999999.000", "acct", "TOTAL DEFAULT 999999.000000"). '#' begins
 * a comment. Only the form of the guide is written. No function opens a file. A text with an error is
 * rejected completely.
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
	uint32_t line; /* line number in the text, from 1; 0 if the usage was not read from a text */
};

/* One window. A window that was read must be released with fsfile_clear. */
struct fsfile {
	struct fs_use *use; /* one entry for each credential, in the order of the text */
	size_t count, room;
	int64_t begin_s;  /* time at which the window began */
	int64_t length_s; /* length of the window (FSINTERVAL); 0 = the file does not contain it */
	int64_t total;    /* usage of all jobs, in thousandths of a processor-second */
	char *text;       /* memory of the names that were read; NULL if the window was not read */
};

/*
 * Parses the time in a file name, with or without directories. Returns false if the name is not FS.<epoch>.
 */
bool fsfile_epoch(const char *file, int64_t *begin_s);

/* Parses a text of len bytes. On failure *out is empty and err contains file and line. */
bool fsfile_read(const char *file, const char *text, size_t len, struct fsfile *out, struct err *err);

void fsfile_clear(struct fsfile *f);

struct str;
/*
 * Appends the window as a text, with the credentials sorted by type; length_s must be > 0. Blanks and control
 * characters in names become '_', because a line consists of words.
 */
void fsfile_write(const struct fsfile *f, struct str *out);

#endif
