/* SPDX-License-Identifier: MIT */
/*
 * script.h - a console driven from a file, without a terminal
 *
 * One directive per line; blank lines and lines that begin with # are skipped:
 *
 *     size 100x30          keys j j <Enter> <C-d>      type TEXT      :command
 *     advance 10m          until 16:30                 step 3
 *     wait-idle            dump FILE                   expect-exit N
 *     wait-for TEXT
 *
 * After each directive and each key, the script waits until nothing is pending. It needs no delays, and the
 * same script gives the same screens. Simulated time moves only by advance, until and step. Real jobs take
 * real time; wait-for waits until the screen shows a text (in simulated time it looks only once). expect-exit
 * checks the exit status of the previous command, or of the console after it has quit. The first directive
 * that fails ends the script.
 */
#ifndef TUI_CONSOLE_SCRIPT_H
#define TUI_CONSOLE_SCRIPT_H

#include <stdbool.h>

#include "sched/base/err.h"

struct console; /* console.h */

/*
 * Runs the text of a script; file is used in messages. Returns false with err set to "file:line: directive:
 * why".
 */
bool script_run(struct console *c, const char *file, const char *text, struct err *err);

#endif
