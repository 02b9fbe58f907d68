/* SPDX-License-Identifier: MIT */
/*
 * command_line.h - the command line
 */
#ifndef COMMAND_COMMAND_LINE_H
#define COMMAND_COMMAND_LINE_H

struct cmd_console; /* tui/command/cmd_console.h */

/* Runs the command line and returns the exit status of the program. */
int command_line_run(int argc, char **argv, const struct cmd_console *console);

#endif
