/* SPDX-License-Identifier: MIT */
/*
 * trusted.h - permissions of programs that a configuration names
 *
 * Such a program runs with the permissions of the scheduler or of users. So only root and the user of this
 * process may be able to change it: the file, all symbolic links in its path and all folders above them must
 * belong to one of these two users, and must not be writable by group or others. Exception: in a folder with
 * the sticky bit, such as /tmp, other users can create files but cannot replace those of the two users; there
 * the next component of the path must exist.
 */
#ifndef RM_TRUSTED_H
#define RM_TRUSTED_H

#include <stdbool.h>

#include "sched/base/err.h"

struct stat;

/*
 * Is it certain that only root and this user can change the program at this path? If not, returns false; err
 * names the file or folder that others can change or that could not be examined, and errno is EPERM or the
 * error of the examination. A path that does not exist is trusted, because starting it fails and reports the
 * error. A relative path begins at "/".
 */
bool trusted_program(const char *path, struct err *err);

/*
 * May programs be run that are named in the configuration file with this fstat() result? Returns false with a
 * message if the file belongs to a user other than root and this user, or if all users can write to it. Its
 * group may have write permission.
 */
bool trusted_config(const char *name, const struct stat *st, struct err *err);

#endif
