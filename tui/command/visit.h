/* SPDX-License-Identifier: MIT */
/*
 * visit.h - which scheduler does the console show when no verb was given?
 *
 * The one that runs, whoever runs it; else a simulated one that the store holds; else this host's, which then
 * runs in this process and can be reached by others.
 */
#ifndef COMMAND_VISIT_H
#define COMMAND_VISIT_H

#include "sched/base/err.h"
#include "tui/command/cmd.h"

struct shell; /* tui/serve/shell.h */

/* Until the console is left. */
enum cmd_status visit_run(const struct shell *shell, struct err *err);

#endif
