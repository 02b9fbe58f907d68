/* SPDX-License-Identifier: MIT */
/*
 * replay_since_out.h - what does a journal that was run again hand over?
 */
#ifndef COMMAND_REPLAY_SINCE_OUT_H
#define COMMAND_REPLAY_SINCE_OUT_H

#include "replay_out.h"
#include "replay_wish.h"
#include "sched/host/rerun_parties.h"
#include "tui/command/cmd.h"

/* One other policy. */
struct since_other {
	struct replay_config config;
	struct rerun *rerun;
	struct rerun_parties parties; /* against the base */
};

struct since_found {
	const struct cmd_env *env;
	const char *name; /* of its configuration; NULL = the one of then */
	bool has_set;     /* it is run with --set over it, and the others over theirs */
	const struct rerun *rerun;
	const struct rerun_agreement *agreement; /* NULL: it is another policy */
	const struct rerun *base;                /* with others only; may be rerun itself */
	const struct since_other *other;
	size_t others;
	struct replay_cost cost;
};

void since_print_text(const struct since_found *found, struct str *out);
void since_print_json(const struct since_found *found, struct str *out);

/* "job,submit,start,end,procs", by id. */
void since_print_starts(const struct rerun *rerun, struct str *out);

#endif
