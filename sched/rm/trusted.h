/* SPDX-License-Identifier: MIT */
/*
 * trusted.h - permissions of programs that a configuration names
 *
 * Such a program runs with the rights of the scheduler or of users. So only root and the user running this
 * process may be able to change it: the file, its symbolic links and all folders above them must belong to
 * one of these two, and must not be writable by group or others. In a folder with the sticky bit, such as
 * /tmp, other users can create files but not replace those of these two; there the next component of the path
 * must exist.
 */
#ifndef RM_TRUSTED_H
#define RM_TRUSTED_H

#include <stdbool.h>

#include "sched/base/err.h"

struct stat;

/*
 * Can only root and this user change the program at this path? False: err names the file or folder that
 * others can change, and errno is EPERM, or the error with which it could not be examined. A path that does
 * not exist is trusted: starting it reports what is missing. A relative path begins at "/".
 */
bool trusted_program(const char *path, struct err *err);

/*
 * May the programs be run that are named in a configuration with this fstat() result? False: the file belongs
 * to another user, or others can write to it. Its group may.
 */
bool trusted_config(const char *name, const struct stat *st, struct err *err);

#endif
