/* SPDX-License-Identifier: MIT */
/*
 * post.h - what becomes of the changes a verb gave back, where no console asks about them?
 */
#ifndef TUI_POST_H
#define TUI_POST_H

#include "cmd.h"

struct driver; /* sched/host/driver.h */

/*
 * After a verb that ended with CMD_DONE: posts env->changes to the driver and prints what was done,
 * or, with --dry-run, prints the preview line and changes nothing. Nothing to change is CMD_DONE.
 */
enum cmd_status post_changes(struct cmd_env *env, struct driver *driver);

#endif
