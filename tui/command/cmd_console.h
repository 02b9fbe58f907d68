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

/* A function that returns bool sets err when it returns false. */
struct cmd_console {
	/*
	 * Runs the console on a session until the user quits: in the terminal, or with the lines of a script.
	 * Returns the exit status of the program.
	 */
	int (*run)(struct session *session, const char *script, struct err *err);
	bool (*has_terminal)(struct err *err);

	/* The name of the screen at an index in the order of tabs; NULL behind the last. */
	const char *(*screen)(size_t at);
	/* Shows a screen by its name ("queue") or number ("1"). */
	bool (*show)(struct console *c, const char *screen, struct err *err);
	/* Shows all screens as of a past time (at.h), or live with "now". */
	bool (*show_at)(struct console *c, const char *text, struct err *err);
	/* Shows changes that would start a job by a time; TIME_NONE: now. */
	void (*seek)(struct console *c, uint64_t job, int64_t to_start_by_s);
	/* "" clears the filter. */
	void (*set_filter)(struct console *c, const char *text);
	bool (*set_theme)(struct console *c, const char *name, struct err *err);
	void (*set_mouse)(struct console *c, bool on);
	/* Simulated seconds per second. */
	bool (*set_speed)(struct console *c, int64_t speed, struct err *err);
	/* Writes the screen to a file as text. */
	bool (*dump)(struct console *c, const char *file, struct err *err);
	/* Writes the screen with all rows of its list to a new file. */
	bool (*export_list)(struct console *c, const char *file, struct err *err);
	/* Applies the action in the box, else the draft; for_s > 0: temporarily. reason may be NULL. */
	bool (*apply_for)(struct console *c, int64_t for_s, const char *reason, struct err *err);
	/* Closes the box, else discards the draft. */
	bool (*drop_all)(struct console *c, struct err *err);
	/* The journal entries that were written together with this one by one action of this console. */
	void (*act_of)(const struct console *c, uint64_t seq, uint64_t *first, uint64_t *last);
	/* The current job; 0: none. */
	uint64_t (*job)(const struct console *c);
	/* Quits without confirmation; with detach, the scheduler in this process continues. */
	void (*quit)(struct console *c);
	bool (*detach)(struct console *c, struct err *err);
};

#endif
