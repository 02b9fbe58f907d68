/* SPDX-License-Identifier: MIT */
/*
 * post.h - posting the changes of a verb
 */
#ifndef COMMAND_POST_H
#define COMMAND_POST_H

#include "cmd.h"
#include "sched/host/driver.h"

struct client; /* client.h */

/* The owner of the state: a driver in this process, or a scheduler that the client is connected to. */
struct post_to {
	struct driver *driver;
	struct client *client; /* used if driver is NULL */
	/*
	 * Opens a driver in this process after the scheduler has ended. Returns NULL if that is not possible.
	 */
	struct driver *(*instead)(void *self);
	void *self;
};

/* Converts the outcome of a request to the status of its verb. */
static inline enum cmd_status post_status(enum driver_outcome outcome)
{
	if (outcome == DRIVER_DONE)
		return CMD_DONE;
	return outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

/*
 * Called after a verb has returned CMD_DONE. Posts env->changes and prints them; with --dry-run prints the
 * preview and changes nothing. Returns CMD_DONE if there are no changes. If the result is not CMD_DONE,
 * env->err is set.
 */
enum cmd_status post_changes(struct cmd_env *env, const struct post_to *to);

#endif
