/* SPDX-License-Identifier: MIT */
/*
 * replay_since.h - kahu replay --since: the journal of a store replayed
 *
 * Replays a period of the journal under the recorded policy or under others (sched/host/rerun.h). The store
 * is only read, so a scheduler may be running on it at the same time.
 */
#ifndef COMMAND_REPLAY_SINCE_H
#define COMMAND_REPLAY_SINCE_H

#include "cmd.h"

enum cmd_status replay_since(struct cmd_env *env);

#endif
