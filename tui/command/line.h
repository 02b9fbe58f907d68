/* SPDX-License-Identifier: MIT */
/*
 * line.h - the shell's door: what was the program started with?
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

struct cmd_console; /* tui/command/cmd_console.h */
struct str;

/* Runs the command line and returns the exit status of the program. */
int line_run(int argc, char **argv, const struct cmd_console *console);

/* The options above with their sentences, for help and the man page. */
void line_print_options(struct str *out);

#endif
