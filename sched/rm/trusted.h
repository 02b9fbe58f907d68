/* SPDX-License-Identifier: MIT */
/*
 * trusted.h - permissions of programs that a configuration names
 *
 * Such a program runs with the rights of the scheduler, or of one user after the other. So nobody but root
 * and the user who runs it here may be able to change it: the file, its symbolic links and all folders above
 * them belong to one of these two, and neither group nor others can write to them. In a folder with the
 * sticky bit, such as /tmp, others can create files but not replace those of these two; there the next name
 * of the path must exist.
 */
#ifndef RM_TRUSTED_H
#define RM_TRUSTED_H

#include <stdbool.h>

#include "sched/base/err.h"

struct stat;

/*
 * Is the program at this path only root's and ours? False: err names the file or folder that is not, and why.
 * errno is EPERM then, or why it could not be looked at. A path that leads nowhere is true: whoever runs it
 * learns what is missing. A relative path begins at "/".
 */
bool trusted_program(const char *path, struct err *err);

/*
 * May the programs that a configuration names be run, given what fstat() says of the file that it was read
 * from? False: it belongs to another user, or others can write to it. Its group may.
 */
bool trusted_config(const char *name, const struct stat *st, struct err *err);

#endif
