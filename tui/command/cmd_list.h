/* SPDX-License-Identifier: MIT */
/*
 * cmd_list.h - the command table
 */
#ifndef COMMAND_CMD_LIST_H
#define COMMAND_CMD_LIST_H

#include "cmd.h"

/*
 * All verbs, in the order of the help. Only the command line and the console use this table; verbs use
 * env->verbs.
 */
extern const struct cmd_table cmd_verbs;

#endif
