/* SPDX-License-Identifier: MIT */
/*
 * simulate.h - sessions of simulated clusters
 *
 * Used by demo, replay --console and the console without a verb.
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
 * Starts the scheduler of a session with the global options. Takes ownership of the driver. With a script the
 * clock is stopped, because the script advances it.
 */
enum cmd_status simulate_start(struct session *session, const struct shell *shell, struct driver *driver,
			       int64_t start_s, int64_t speed, struct err *err);

/* Opens the store of a session for changes; dir NULL: a temporary one. CMD_REFUSED: another process has it.
 */
enum cmd_status simulate_open_store(struct session *session, const char *dir, struct err *err);

/* Posts a configuration and settings as the first entries of a journal. text NULL: the defaults. */
enum cmd_status simulate_configure(struct driver *driver, const char *file, const char *text,
				   const char *const *set_name, const char *const *set_value,
				   size_t set_count, struct err *err);

/* Creates the driver of the simulated cluster in the session's store. CMD_REFUSED: the store has none. */
enum cmd_status simulate_load(struct session *session, struct driver **out, struct err *err);

/* Continues the simulation of an existing store, for `kahu` without a verb. */
enum cmd_status simulate_resume(const struct shell *shell, struct session *session, struct err *err);

/* Runs the console; with -b or --linear prints the queue. Does not close the session. */
enum cmd_status simulate_show(const struct shell *shell, struct session *session, struct err *err);

#endif
