/* SPDX-License-Identifier: MIT */
/*
 * replay_input.h - which workload, machine and usage does a replay begin with?
 *
 * Formats are told apart by their first line: Maui's traces begin with VERSION, all else is a
 * log in the Standard Workload Format.
 */
#ifndef COMMAND_REPLAY_INPUT_H
#define COMMAND_REPLAY_INPUT_H

#include "sched/rm/fake.h"
#include "sched/trace/fsfile.h"
#include "sched/trace/maui_resource.h"
#include "sched/trace/trace.h"
#include "tui/command/cmd.h"

/* Zero is empty; the cluster points into it. */
struct replay_input {
	struct trace trace;
	struct maui_resource resource;
	struct fake_cluster cluster; /* without nodes: what the log says counts */
	struct fsfile *window;       /* by their begin                          */
	size_t window_count, window_room;
};

/* "64x8", or the name of a Maui resource trace. Lines of files that cannot be read are named on stderr. */
enum cmd_status replay_read_cluster(const char *text, bool strict, struct replay_input *in, struct err *err);

/* The workload, after the cluster. "-" is standard input. */
bool replay_read_trace(const char *file, bool strict, struct replay_input *in, struct err *err);

/* All FS.<epoch> files of a folder. */
bool replay_read_usage(const char *folder, struct replay_input *in, struct err *err);

void replay_input_clear(struct replay_input *in);

#endif
