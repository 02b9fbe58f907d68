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
 * FIFO or a device is refused without waiting for it. A process of root does so through a child process with
 * the ids and groups of `user`, whom it has to name: the folders of a user can hold anything, and must make
 * root neither read a file for somebody nor wait. Any other process opens the file as itself. Returns a
 * reader, which output_read_close() frees; NULL with errno and a sentence.
 *
 * errno is ENOENT if there is no file, and ETIMEDOUT if the user, or a file system, kept the child from
 * answering for 2 seconds, or could keep it: trying again at once would take as long. The calls below fail
 * in the same ways; a reader that has failed can only be closed. In a process of root none of these calls
 * waits for a file system of a user for longer than that, and closing takes at most one second.
 */
struct output_reader *output_read_open(const char *path, const char *user, struct err *err);

/* How many bytes the file has now. False with errno and a sentence. */
bool output_read_size(struct output_reader *r, off_t *size, struct err *err);

/* Reads `size` bytes from the offset `at` of the file on. Returns how many were read, fewer at the end of the
 * file; -1 with errno and a sentence. */
ssize_t output_read_at(struct output_reader *r, void *bytes, size_t size, off_t at, struct err *err);

/* NULL is ignored. */
void output_read_close(struct output_reader *r);

#endif
