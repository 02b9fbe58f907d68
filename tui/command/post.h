/* SPDX-License-Identifier: MIT */
/*
 * post.h - posting the changes of a verb
 */
#ifndef COMMAND_POST_H
#define COMMAND_POST_H

#include "cmd.h"
#include "sched/host/driver.h"

struct client; /* client.h */

/* The owner of the state: a driver in this process, or the scheduler of a caller. */
struct post_to {
	struct driver *driver;
	struct client *client; /* when driver is NULL */
	/* Opens a driver in this process after the scheduler has gone; NULL: not possible. */
	struct driver *(*instead)(void *self);
	void *self;
};

/* The status of a verb whose request had this outcome. */
static inline enum cmd_status post_status(enum driver_outcome outcome)
{
	if (outcome == DRIVER_DONE)
		return CMD_DONE;
	return outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

/*
 * After a verb that returned CMD_DONE: posts env->changes and prints them; with --dry-run prints the preview
 * and changes nothing. CMD_DONE without changes.
 */
enum cmd_status post_changes(struct cmd_env *env, const struct post_to *to);

#endif
