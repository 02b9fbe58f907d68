/* SPDX-License-Identifier: MIT */
/*
 * output_read.h - opening the output file of a job for reading, as the job's user
 */
#ifndef RM_OUTPUT_READ_H
#define RM_OUTPUT_READ_H

#include "sched/base/err.h"

/*
 * Opens a regular file for reading. A symbolic link is not followed, and a FIFO or a device is refused
 * without waiting for it. A process of root opens the file with the ids and groups of `user`, whom it has to
 * name: the folders of a user can hold anything, and must not make root read a file for somebody. Any other
 * process opens it as itself. Returns the descriptor, which exec closes; -1 with errno and a sentence. errno
 * is ENOENT if there is no file, and ETIMEDOUT if the user, or a file system, kept the file from being opened
 * for some seconds, or could keep a reader waiting: trying again at once would take as long.
 */
int output_read_open(const char *path, const char *user, struct err *err);

#endif
