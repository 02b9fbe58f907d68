/* SPDX-License-Identifier: MIT */
/*
 * forewarn.h - jobs that can never start
 *
 * A job never starts when it asks for more than the machine has, alone exceeds a limit, or depends on a job
 * that has ended otherwise than the dependency needs. Another machine, limit or dependency may change that.
 */
#ifndef COMMAND_FOREWARN_H
#define COMMAND_FOREWARN_H

#include "cmd.h"

struct caller; /* tui/serve/caller.h */

/*
 * Tries the submissions among env's changes on a copy of the state of the scheduler, or of s when caller is
 * NULL. False: one of them would never start; env->err says why. True also when that cannot be found out: the
 * scheduler decides what it accepts.
 */
bool forewarn_accepts(struct cmd_env *env, struct caller *caller, const struct snapshot *s);

/* Do all of them have a start in s, as far as is known? False: cause has the sentence behind "the job would
 * never start: ". */
bool forewarn_may_start(struct cmd_env *env, const struct snapshot *s, int64_t now_s, struct str *cause);

/* Makes the event of a submission that of the asking user, as the scheduler does. */
void forewarn_sign(struct event *ev);

/* Which waiting jobs of a state never start. */
struct forewarned {
	uint64_t *job; /* ascending */
	char **why;    /* a sentence for each, safe for a terminal */
	size_t count, room;
};

/* All of a state at a moment. Release with forewarned_clear. */
void forewarned_find(const struct snapshot *s, int64_t now_s, bool ascii, struct forewarned *out);
/* Why a job never starts, NULL when it may. */
const char *forewarned_why(const struct forewarned *f, uint64_t job);
void forewarned_clear(struct forewarned *f);

#endif
