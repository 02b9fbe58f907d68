/* SPDX-License-Identifier: MIT */
/*
 * replay_since.h - what would have become of the jobs of last week?
 *
 * `kahu replay --since 7d`: what the journal of a store tells, once more, under the same policy or under
 * others (sched/host/rerun.h). The store is only read, also while a scheduler runs on it; who may not read it
 * is refused.
 */
#ifndef COMMAND_REPLAY_SINCE_H
#define COMMAND_REPLAY_SINCE_H

#include "tui/command/cmd.h"

enum cmd_status replay_since(struct cmd_env *env);

#endif
