/* SPDX-License-Identifier: MIT */
/*
 * post.h - what becomes of the changes a verb gave back, where no console asks about them?
 */
#ifndef COMMAND_POST_H
#define COMMAND_POST_H

#include "cmd.h"
#include "sched/host/driver.h"

struct caller; /* caller.h */

/* Who owns the state that is to change: a driver in this process, or the scheduler that a caller reaches. */
struct post_to {
	struct driver *driver;
	struct caller *caller; /* when driver is NULL */
	/* Gives a driver of this process where the scheduler has gone; NULL: there is none to be had. */
	struct driver *(*instead)(void *self);
	void *self;
};

/* What a verb ends with when its request had this outcome. */
static inline enum cmd_status post_status(enum driver_outcome outcome)
{
	if (outcome == DRIVER_DONE)
		return CMD_DONE;
	return outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

/*
 * After a verb that ended with CMD_DONE: posts env->changes and prints what was done,
 * or, with --dry-run, prints the preview line and changes nothing. Nothing to change is CMD_DONE.
 */
enum cmd_status post_changes(struct cmd_env *env, const struct post_to *to);

#endif
