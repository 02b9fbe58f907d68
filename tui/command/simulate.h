/* SPDX-License-Identifier: MIT */
/*
 * simulate.h - sessions of simulated clusters
 *
 * Used by demo, by replay --console, and by the console without a verb if the store contains a simulated
 * cluster.
 */
#ifndef COMMAND_SIMULATE_H
#define COMMAND_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd.h"

struct driver;
struct session;
struct shell;

/*
 * Starts the scheduler of a session, with the global options in shell. Takes ownership of the driver. With
 * --script, -b or --linear the clock is stopped; a script advances it.
 */
enum cmd_status simulate_start(struct session *session, const struct shell *shell, struct driver *driver,
			       int64_t start_s, int64_t speed, struct err *err);

/*
 * Opens the store of a session for changes; a temporary one if dir is NULL. CMD_REFUSED: another process
 * holds the lock.
 */
enum cmd_status simulate_open_store(struct session *session, const char *dir, struct err *err);

/*
 * Posts a configuration and settings as journal entries. text NULL: no configuration, so that the defaults
 * stay in force.
 */
enum cmd_status simulate_configure(struct driver *driver, const char *file, const char *text,
				   const char *const *set_name, const char *const *set_value,
				   size_t set_count, struct err *err);

/*
 * Creates the driver of the simulated cluster in the session's store. CMD_REFUSED: the store is empty, or it
 * contains real jobs.
 */
enum cmd_status simulate_load(struct session *session, struct driver **out, struct err *err);

/*
 * Opens the store of --store or the default one, and starts its simulation again at the time at which it was
 * stopped.
 */
enum cmd_status simulate_resume(const struct shell *shell, struct session *session, struct err *err);

/*
 * Runs the console on the session; with -b or --linear prints the queue instead. Does not close the session.
 */
enum cmd_status simulate_show(const struct shell *shell, struct session *session, struct err *err);

#endif
