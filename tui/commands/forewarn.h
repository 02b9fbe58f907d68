/* SPDX-License-Identifier: MIT */
/*
 * forewarn.h - can what was handed in ever start?
 */
#ifndef TUI_COMMANDS_FOREWARN_H
#define TUI_COMMANDS_FOREWARN_H

#include "cmd.h"

struct caller; /* tui/serve/caller.h */

/*
 * Says on standard error which of the jobs that were just submitted never start, and why. To a person only: a
 * program that hands in thousands is not to wait for one more look at the queue each time.
 */
void forewarn(const struct cmd_env *env, struct caller *caller);

#endif
