/* SPDX-License-Identifier: MIT */
/*
 * script.h - a console driven from a file, without a terminal
 *
 * One directive a line; blank lines and lines that begin with # are skipped:
 *
 *     size 100x30          keys j j <Enter> <C-d>      type TEXT      :command
 *     advance 10m          until 16:30                 step 3
 *     wait-idle            dump FILE                   expect-exit N
 *     wait-for TEXT
 *
 * Each directive, and each key, waits until nothing is pending, so nothing
 * sleeps and the same script gives the same screens. Virtual time moves only by advance,
 * until and step; real jobs take the time they take, and wait-for waits until the screen shows a text (in
 * simulated time it looks once). expect-exit checks the exit status of the previous command, or of the
 * console after it has quit. The first directive that fails ends the script.
 */
#ifndef TUI_CONSOLE_SCRIPT_H
#define TUI_CONSOLE_SCRIPT_H

#include <stdbool.h>

#include "sched/base/err.h"

struct console; /* console.h */

/* Runs the text of a script; file is used in messages. False with "file:line: directive: why". */
bool script_run(struct console *c, const char *file, const char *text, struct err *err);

#endif
