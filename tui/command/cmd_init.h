/* SPDX-License-Identifier: MIT */
/* cmd_init.h - the initial configuration of a host */
#ifndef COMMAND_CMD_INIT_H
#define COMMAND_CMD_INIT_H

#include <stdint.h>

#include "sched/rm/host_info.h"
#include "sched/rm/host_users.h"

/*
 * Appends the configuration, with comments about the hardware and other settings. why: why the kernel does
 * not enforce memory limits; "" = it does.
 */
void init_print_config(const struct host_info *info, const char *why, const struct host_users *users,
		       int64_t now_s, struct str *out);

#endif
