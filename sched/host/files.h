/* SPDX-License-Identifier: MIT */
/*
 * files.h - reading and atomic replacement of whole files
 *
 * For files that users name: configurations, workload logs, scripts, reports. Parsers do not open these
 * files: they are passed the contents in a buffer.
 */
#ifndef HOST_FILES_H
#define HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

struct str; /* sched/base/str.h */

/*
 * Appends all bytes of a file to out; "-" is standard input. Pipes are read to their end. On failure (no such
 * file, a directory, no permission, more than max_bytes) returns false with err set, and *out is unchanged.
 */
bool file_read(const char *path, size_t max_bytes, struct str *out, struct err *err);

/*
 * Reads a configuration like file_read. *barred says why the programs that it names must not be run, judged
 * by the owner and the permissions of the file that was read (sched/rm/trusted.h); it is empty if they may
 * be run.
 */
bool file_read_config(const char *path, struct str *out, struct err *barred, struct err *err);

/* Returns the name of the file in messages: the path, or "standard input" for "-". */
const char *file_name(const char *path);

/* --- atomic replacement ------------------------------------------------------------------------------- */

/*
 * outfile_open() checks early that the file can be written. The text is written to a temporary file in the
 * same directory, which is then renamed. A path that is not a regular file (a pipe, a terminal) is written
 * directly. A symbolic link to a file is replaced, not followed; one to a device or pipe is followed if it
 * belongs to this user or to root, because other users may make links in a shared directory. A zeroed struct
 * is a valid closed file.
 */
struct outfile {
	char path[4096], temp[4120]; /* temp is empty if the path is written directly */
	int fd;
	bool open;
};

/* Returns false with err set if the path cannot be written. */
bool outfile_open(struct outfile *f, const char *path, struct err *err);

/*
 * Writes the text, replaces the file, and closes it even on failure. Returns false with err set if the file
 * was not replaced.
 */
bool outfile_write(struct outfile *f, const struct str *text, struct err *err);

/* Closes the file without replacing it. Does nothing after outfile_write. */
void outfile_drop(struct outfile *f);

#endif
