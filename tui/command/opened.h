/* SPDX-License-Identifier: MIT */
/*
 * opened.h - which state does a verb of the command line work on?
 *
 * The scheduler's, when one runs; else that of the store, as of its last moment. A report opens a store
 * without a lock; a verb that changes something holds the lock for as long as it takes.
 */
#ifndef COMMAND_OPENED_H
#define COMMAND_OPENED_H

#include <stdbool.h>

#include "tui/command/cmd.h"

struct caller;
struct driver;
struct state;
struct store;

/* All but shell begins empty. */
struct opened {
	const struct shell *shell;
	struct store *store;
	struct state *state;   /* of a report                */
	struct driver *driver; /* of a verb that changes it  */
	struct caller *caller; /* a scheduler runs: of both  */
	bool busy;             /* another process had the store when it was to be changed */
	bool unread;           /* it could not be opened for a report */
};

/*
 * As cmd_env.open, with a struct opened for env->door. Others who hold the store for a moment, and a
 * scheduler that begins, are waited for.
 */
enum cmd_status opened_for(struct cmd_env *env, const struct cmd *cmd);
/* The store itself, to be changed, where the scheduler has gone and nobody follows. NULL: somebody has it, or
 * it is not ours. */
struct driver *opened_instead(struct opened *opened);
/* Leaves it as it began. */
void opened_close(struct opened *opened);

#endif
