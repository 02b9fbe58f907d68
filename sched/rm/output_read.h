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
 * FIFO or a device is refused without blocking. A process of root must pass `user`, and opens the file
 * through a child process with the IDs and groups of this user: a user's folder can contain anything, and
 * must not make root block, or read a file that the user may not read. Any other process opens the file
 * itself. Returns a reader, which output_read_close() frees, or NULL with errno and *err set.
 *
 * errno is ENOENT if there is no such file. It is ETIMEDOUT if the child has not answered within 2 seconds,
 * because the user or a file system delays it; an immediate retry would take as long. It is also ETIMEDOUT,
 * without a wait, for a file in a file system that a user has mounted and could make hang. The functions
 * below fail in the same ways, and a reader that has failed can only be closed. In a process of root, no
 * function waits more than 2 seconds for a user's file system, and closing takes at most one second.
 */
struct output_reader *output_read_open(const char *path, const char *user, struct err *err);

/* Gets the current size of the file. Returns false with errno and *err set on failure. */
bool output_read_size(struct output_reader *r, off_t *size, struct err *err);

/*
 * Reads `size` bytes at offset `at`. Returns the number of bytes read, which is less at the end of the file,
 * or -1 with errno and *err set.
 */
ssize_t output_read_at(struct output_reader *r, void *bytes, size_t size, off_t at, struct err *err);

/* Ends the child process and frees the reader. NULL is ignored. */
void output_read_close(struct output_reader *r);

#endif
