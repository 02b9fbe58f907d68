/* SPDX-License-Identifier: MIT */
/*
 * shell.h - the options that the program was started with
 */
#ifndef SERVE_SHELL_H
#define SERVE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

struct cmd_console; /* tui/command/cmd_console.h */
struct cmd_table;   /* tui/command/cmd.h */

/* The options that every verb accepts. NULL = not given. */
struct shell {
	const char *store;  /* --store DIR    */
	const char *config; /* --config FILE  */
	const char *script; /* --script FILE  */
	bool json, ascii, no_color, readonly, linear;
	bool batch; /* -b: without a verb, print the queue instead of opening the console */
	const struct cmd_console *console; /* opens the console */
	const struct cmd_table *verbs;     /* the command table */
};

#endif
