/* SPDX-License-Identifier: MIT */
/*
 * replay_wish.h - what was asked of a replay?
 */
#ifndef COMMAND_REPLAY_WISH_H
#define COMMAND_REPLAY_WISH_H

#include "replay_input.h"
#include "replay_script.h"
#include "sched/host/replay.h"
#include "tui/command/cmd.h"

/* A configuration and what messages call it. */
struct replay_config {
	const char *file; /* NULL = the defaults */
	struct str text;
	struct err barred; /* why its programs are not run; "" = they are */
};

/* Zero but for env and file before it is read. */
struct replay_wish {
	struct cmd_env *env; /* options and the sentence */
	const char *file;    /* the log; "-" is standard input */
	struct replay_input input;
	struct replay_config config;
	struct replay_config other; /* of --compare; file NULL: nothing to compare */
	char **set;                 /* "NAME", NUL, "VALUE" each; owned            */
	const char **set_name, **set_value;
	struct replay_setup setup; /* points to all of these */
	struct replay_script script;
};

/*
 * Reads options, configuration, log and script; what can be wrong with them is found
 * here. Lines of the log that cannot be read are named on standard error.
 */
enum cmd_status replay_wish_read(struct replay_wish *w);
/* Only the policies: --config or --policy, --set and --compare. */
enum cmd_status replay_wish_policy(struct replay_wish *w);
/* A preset by its name, else a file. */
bool replay_read_policy(const char *name, struct replay_config *out, struct err *err);
void replay_wish_clear(struct replay_wish *w);

#endif
