/* SPDX-License-Identifier: MIT */
/*
 * replay_script.h - which commands are to run at which moments of a replay?
 */
#ifndef COMMAND_REPLAY_SCRIPT_H
#define COMMAND_REPLAY_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

struct trace; /* sched/trace/trace.h */

/*
 * A moment of a trace: its own seconds, "+D" from the first submission, or a date when the log has one. Of a
 * trace whose seconds are moments, "16:30" too: the first after the first submission.
 */
bool trace_moment(const struct trace *trace, const char *text, int64_t *out_s, struct err *err);

struct replay_command {
	int64_t at_s;
	char *line; /* points into the text of its script */
};

/* By time, then by line. Release with replay_script_free. */
struct replay_script {
	struct replay_command *command;
	size_t count, room;
	char *text; /* owned */
};

/*
 * Lines "TIME COMMAND..."; empty ones and those that begin with # are left out. The text, made by mem_alloc
 * or its like, is taken over, also on failure; file is for messages.
 */
bool replay_script_read(const char *file, char *text, const struct trace *trace, struct replay_script *out,
			struct err *err);
void replay_script_free(struct replay_script *script);

#endif
