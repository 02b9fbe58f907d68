/* SPDX-License-Identifier: MIT */
/*
 * files.h - whole files and standard input in memory
 *
 * For what people hand over by name: configurations, workload logs, scripts. Everything
 * below the host reads buffers only.
 */
#ifndef HOST_FILES_H
#define HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

struct str; /* sched/base/str.h */

/*
 * Appends all bytes of a file to out; "-" is standard input. Pipes are read to their end.
 * On false out is as before and err says what is the matter: no such file, a directory,
 * no permission, more than max_bytes.
 */
bool file_read(const char *path, size_t max_bytes, struct str *out, struct err *err);

/*
 * Likewise for a configuration, and in *barred why the programs that it names must not be run: who owns the
 * file, or can write to it, is looked at as it is read. An empty sentence: they may be (sched/rm/trusted.h).
 */
bool file_read_config(const char *path, struct str *out, struct err *barred, struct err *err);

/* How messages name it: the path, or "standard input" for "-". */
const char *file_name(const char *path);

#endif
