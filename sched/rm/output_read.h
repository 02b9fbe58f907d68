/* SPDX-License-Identifier: MIT */
/*
 * output_read.h - reading the output file of a job as the job's user
 */
#ifndef RM_OUTPUT_READ_H
#define RM_OUTPUT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sched/base/err.h"

struct output_reader;

/*
 * Opens a regular file for reading. A symbolic link in the last component of the path is not followed, and a
 * FIFO or a device is refused without waiting for it. A root process must name `user` and opens the file
 * through a child process that has this user's ids and groups: users' folders can hold anything, and must not
 * make root read a file that the user may not read, or block. Any other process opens the file itself.
 * Returns a reader, which output_read_close() frees, or NULL with errno and *err set.
 *
 * errno is ENOENT if there is no file, and ETIMEDOUT if the user or a file system kept the child from
 * answering for 2 seconds, or is able to: trying again at once would take as long. The calls below fail in
 * the same ways, and a reader that has failed can only be closed. In a root process none of these calls waits
 * longer than that for a user's file system, and closing takes at most one second.
 */
struct output_reader *output_read_open(const char *path, const char *user, struct err *err);

/* Gets the current size of the file. False with errno and a message. */
bool output_read_size(struct output_reader *r, off_t *size, struct err *err);

/* Reads `size` bytes from offset `at`. Returns the number of bytes read, fewer at the end of the file; -1
 * with errno and a message. */
ssize_t output_read_at(struct output_reader *r, void *bytes, size_t size, off_t at, struct err *err);

/* NULL is ignored. */
void output_read_close(struct output_reader *r);

#endif
