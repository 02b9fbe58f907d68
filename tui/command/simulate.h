/* SPDX-License-Identifier: MIT */
/*
 * simulate.h - how does a simulated session begin, and how does it go on?
 *
 * Shared by demo, replay --console and the console without a verb.
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
 * Starts the scheduler of a session as the options of every verb ask for; the driver is taken over. Under a
 * script time stands still, as only the script moves it.
 */
enum cmd_status simulate_start(struct session *session, const struct shell *shell, struct driver *driver,
			       int64_t start_s, int64_t speed, struct err *err);

/*
 * Opens the store of a session: the folder dir for change, or a temporary one for NULL. CMD_REFUSED when
 * somebody else holds it.
 */
enum cmd_status simulate_open_store(struct session *session, const char *dir, struct err *err);

/* A configuration, and then settings, as the first entries of a journal. text NULL: the defaults. */
enum cmd_status simulate_configure(struct driver *driver, const char *file, const char *text,
				   const char *const *set_name, const char *const *set_value,
				   size_t set_count, struct err *err);

/*
 * The driver of a simulated cluster that a session's store holds, to go on where it was. CMD_REFUSED with
 * a sentence when the store holds none.
 */
enum cmd_status simulate_load(struct session *session, struct driver **out, struct err *err);

/* `kahu` without a verb: the session on a store that exists, running on. */
enum cmd_status simulate_resume(const struct shell *shell, struct session *session, struct err *err);

/*
 * What a session is opened for: the console with the shell's script; or, with -b or
 * --linear, the queue as plain text. Closes nothing.
 */
enum cmd_status simulate_show(const struct shell *shell, struct session *session, struct err *err);

#endif
