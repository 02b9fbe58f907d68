/* SPDX-License-Identifier: MIT */
/*
 * unpack.h - compressed files, read through the programs that unpack them
 */
#ifndef RM_UNPACK_H
#define RM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

/* Does the name of a file end in .gz, .xz or .zst? */
bool unpack_is_packed(const char *path);

/*
 * Appends what a compressed file holds, at most max_bytes, and at most 64 times its size and 16 MB: a
 * workload log has a tenth of its size at most when it is packed, and a small file may hold more than the
 * memory of the machine. False with a sentence, and *out as it was: the file or its program is missing, the
 * file is damaged or holds more.
 */
bool unpack_read(const char *path, size_t max_bytes, struct str *out, struct err *err);

#endif
