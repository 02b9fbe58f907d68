/* SPDX-License-Identifier: MIT */
/*
 * line.h - the shell's door: what was the program started with?
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct cmd_console; /* tui/commands/cmd_console.h */
struct str;

/* The options that every verb takes. NULL = not given. */
struct shell {
	const char *store;  /* --store DIR    */
	const char *config; /* --config FILE  */
	const char *script; /* --script FILE  */
	bool json, ascii, no_color, readonly, linear;
	bool batch; /* -b: no verb prints the queue instead of opening the console */
	const struct cmd_console *console; /* how the console is opened */
};

/* Runs the command line and returns the exit status of the program. */
int line_run(int argc, char **argv, const struct cmd_console *console);

/* The options above with their sentences, for help and the man page. */
void line_print_options(struct str *out);

#endif
