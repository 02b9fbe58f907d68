/* SPDX-License-Identifier: MIT */
/*
 * replay_wish.h - what was asked of a replay?
 */
#ifndef TUI_REPLAY_WISH_H
#define TUI_REPLAY_WISH_H

#include "cmd.h"
#include "replay_script.h"
#include "sched/rm/fake.h"
#include "sched/trace/swf.h"

/* Zero but for env and file before it is read. */
struct replay_wish {
	struct cmd_env *env; /* options and the sentence */
	const char *file;    /* the log; "-" is standard input */
	struct trace trace;
	struct fake_cluster cluster;
	struct str config;       /* its text                                        */
	const char *config_file; /* for messages; NULL = the defaults               */
	char **set;              /* "NAME", NUL, "VALUE" each; owned                */
	const char **set_name, **set_value;
	size_t set_count;
	int64_t until_s; /* TIME_NEVER = to the end */
	struct replay_script script;
};

/*
 * Reads options, configuration, log and script; what can be wrong with them is found
 * here. Lines of the log that cannot be read are named on standard error.
 */
enum cmd_status replay_wish_read(struct replay_wish *w);
void replay_wish_clear(struct replay_wish *w);

#endif
