/* SPDX-License-Identifier: MIT */
/*
 * replay_do.h - what do commands and reports say in the middle of a replay?
 */
#ifndef COMMAND_REPLAY_DO_H
#define COMMAND_REPLAY_DO_H

#include <stddef.h>
#include <stdint.h>

#include "tui/command/cmd.h"

struct json;
struct replay; /* sched/host/replay.h */

/* Where commands of a replay put what they print. */
struct replay_output {
	struct str *text;  /* "$ command" and its output       */
	struct json *json; /* or an object for each; NULL = text */
	bool refused;      /* one of them did not work         */
};

/* Runs a line at a moment on the replay's driver; what it changes is posted. */
void replay_do(struct replay *replay, int64_t at_s, const char *line, bool ascii, struct replay_output *out);

/* Runs a report at a moment: text or JSON is appended to out. False with the sentence. */
bool replay_report(struct replay *replay, int64_t at_s, const char *line, bool json, bool ascii,
		   struct str *out, struct err *err);

#endif
