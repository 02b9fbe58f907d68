/* SPDX-License-Identifier: MIT */
/*
 * fsfile.h - what does an FS.<epoch> file say of one window of fairshare usage?
 *
 * The name says when the window became active (F-17); the lines what each credential used
 * in it, in processor-seconds, and all jobs together:
 *
 *     # Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00
 *     User A 150000.000
 *     TOTAL 600000.00
 *
 * Read are the guide's form and that of the original ("user  bob  999999.000", "acct",
 * "TOTAL DEFAULT 999999.000000"), in any case and order of lines; '#' begins a comment. The
 * guide's form is written. Text in, records out; no file is opened. A text with any mistake
 * is refused whole.
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

/* What one credential used. */
struct fs_use {
	const char *name;
	int64_t amount; /* thousandths of a processor-second (FS_UNIT), >= 0 */
	enum cred_type type;
	uint32_t line; /* of the text, from 1; 0 when not read              */
};

/* One window. What was read is released with fsfile_clear. */
struct fsfile {
	struct fs_use *use; /* each credential once; in the order of the text */
	size_t count, room;
	int64_t begin_s;  /* when the window became active                     */
	int64_t length_s; /* its FSINTERVAL; 0 = the file does not say         */
	int64_t total;    /* thousandths, of all jobs                          */
	char *text;       /* holds the names of what was read; else NULL       */
};

/* The moment in a file's name, with or without folders before it; false when it is not FS.<epoch>. */
bool fsfile_epoch(const char *file, int64_t *begin_s);

/* Reads a file's text of len bytes. On failure *out is empty and err says file and line. */
bool fsfile_read(const char *file, const char *text, size_t len, struct fsfile *out, struct err *err);

void fsfile_clear(struct fsfile *f);

struct str;
/*
 * Writes the window, uses by type; length_s > 0. A blank or control byte of a name becomes
 * '_', for a line is made of words.
 */
void fsfile_write(const struct fsfile *f, struct str *out);

#endif
