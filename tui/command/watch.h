/* SPDX-License-Identifier: MIT */
/*
 * watch.h - following jobs until they end
 *
 * Polls the running scheduler, often at first, then once a second. If the scheduler ends, waits for the next
 * one. On a stopped store only jobs that have ended are known.
 */
#ifndef COMMAND_WATCH_H
#define COMMAND_WATCH_H

#include "cmd.h"
#include "tui/serve/ended_cache.h"

/* Pauses between two requests. */
#define WATCH_FIRST_MS 50
#define WATCH_LAST_MS  1000

struct watched {
	struct job_ref name;          /* label: owned */
	bool may_be_missing;          /* a number of a range */
	struct job_status job_status; /* the last known state, without texts */
};

struct watch {
	struct watched *item;
	size_t count, room;
	size_t never; /* jobs that can never start */
};

/*
 * Reads the jobs of words and -w, as in select.h; jobs that have ended by number, range or label. env->s is
 * the state.
 */
bool watch_read(struct watch *w, struct cmd_env *env, char *const *word, int count);
void watch_clear(struct watch *w);

/* Called when the phase of a job changes. False stops watch_follow. */
typedef bool watch_change(void *self, const struct job_status *before, const struct job_status *now);

/*
 * Follows all of them until each has ended. False with err set: a job is unknown, or nothing can change
 * because no scheduler is running.
 */
bool watch_follow(struct watch *w, struct cmd_env *env, watch_change *change, void *self);

/*
 * The state of the one job that a word names, with its output files; texts are in the arena. False with err
 * set: unknown, or the word names several jobs.
 */
bool watch_find(struct cmd_env *env, char *word, struct arena *arena, struct job_status *out);
/* Updates phase and start of the same job. False: no scheduler is running, and *out is unchanged. */
bool watch_again(struct cmd_env *env, struct job_status *out);

#endif
