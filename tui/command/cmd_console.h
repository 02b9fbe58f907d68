/* SPDX-License-Identifier: MIT */
/* cmd_console.h - functions of the console for verbs */
#ifndef COMMAND_CMD_CONSOLE_H
#define COMMAND_CMD_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

struct console; /* tui/console/console.h */
struct session; /* tui/serve/session.h */

/* Functions of the console. Those that return bool set err when they return false. */
struct cmd_console {
	/*
	 * Runs the console on a session until the user quits: in the terminal or, if `script` is not NULL,
	 * with the lines of that file as input. Returns the exit status of the program.
	 */
	int (*run)(struct session *session, const char *script, struct err *err);
	bool (*has_terminal)(struct err *err);

	/* Returns the name of the screen at an index, in the order of the tabs; NULL after the last one. */
	const char *(*screen)(size_t at);
	/* Shows a screen by its name ("queue") or number ("1"). */
	bool (*show)(struct console *c, const char *screen, struct err *err);
	/* Shows all screens as of a past time (text as for at_moment in at.h), or live if text is "now". */
	bool (*show_at)(struct console *c, const char *text, struct err *err);
	/* Shows changes that would start a job by the given time; TIME_NONE = now. */
	void (*seek)(struct console *c, uint64_t job, int64_t to_start_by_s);
	/* Sets the filter of the screen; "" removes it. */
	void (*set_filter)(struct console *c, const char *text);
	bool (*set_theme)(struct console *c, const char *name, struct err *err);
	void (*set_mouse)(struct console *c, bool on);
	/* Sets the simulation speed, in simulated seconds per second. */
	bool (*set_speed)(struct console *c, int64_t speed, struct err *err);
	/* Writes the screen to a file as text. */
	bool (*dump)(struct console *c, const char *file, struct err *err);
	/* Writes the screen with all rows of its list to a file, which must not exist. */
	bool (*export_list)(struct console *c, const char *file, struct err *err);
	/*
	 * Applies the action in the box, or the draft if there is no box. With for_s > 0 the changes are
	 * undone after that time. reason may be NULL.
	 */
	bool (*apply_for)(struct console *c, int64_t for_s, const char *reason, struct err *err);
	/* Dismisses the action in the box; discards the draft if there is no box. */
	bool (*drop_all)(struct console *c, struct err *err);
	/*
	 * Sets *first and *last to the range of journal entries that were written together with entry seq by
	 * one action of this console; both to seq if there was no such action.
	 */
	void (*act_of)(const struct console *c, uint64_t seq, uint64_t *first, uint64_t *last);
	/* Returns the job under the cursor; 0: none. */
	uint64_t (*job)(const struct console *c);
	/*
	 * Both end the console without confirmation. After detach, the scheduler of this process continues in
	 * a new process.
	 */
	void (*quit)(struct console *c);
	bool (*detach)(struct console *c, struct err *err);
};

#endif
