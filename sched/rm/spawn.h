/* SPDX-License-Identifier: MIT */
/*
 * spawn.h - start of a site program
 *
 * By a path, never through a shell; it leads a session and a process group, and finds nothing of ours: two
 * variables and those it is given, two descriptors, no terminal, no signal blocked or ignored, the root
 * folder.
 */
#ifndef RM_SPAWN_H
#define RM_SPAWN_H

#include <sys/types.h>

#include "sched/base/str.h"

/* A file in memory with the text, to be read from its beginning; -1 with errno. */
int spawn_input(const struct str *text);

/*
 * argv[0] is the path. environment: "NAME=value" ..., NULL at the end; PATH and LC_ALL are added. out: -1 =
 * /dev/null. 0, or why not.
 */
int spawn_program(const char *const *argv, const char *const *environment, int in, int out, pid_t *pid);

#endif
