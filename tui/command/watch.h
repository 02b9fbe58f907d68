/* SPDX-License-Identifier: MIT */
/*
 * watch.h - following jobs until they end
 *
 * Asks the running scheduler for the states of the jobs, often at first, then once a second. If the scheduler
 * ends, waits for the next one. Without a scheduler, only jobs that have ended are known.
 */
#ifndef COMMAND_WATCH_H
#define COMMAND_WATCH_H

#include "cmd.h"
#include "tui/serve/ended_cache.h"

/* First and longest pause between two requests. */
#define WATCH_FIRST_MS 50
#define WATCH_LAST_MS  1000

struct watched {
	struct job_ref name;          /* its label is owned */
	bool may_be_missing;          /* from a range of IDs, in which some numbers may not be jobs */
	struct job_status job_status; /* the last known state, without texts */
};

struct watch {
	struct watched *item;
	size_t count, room;
	size_t never; /* number of jobs that can never start */
};

/*
 * Reads which jobs to follow: words and -w as in select.h; jobs that have ended by ID, range or label.
 * Returns false with env->err set on failure.
 */
bool watch_read(struct watch *w, struct cmd_env *env, char *const *word, int count);
void watch_clear(struct watch *w);

/* Called when the phase or the start of a job changes. Returning false ends watch_follow. */
typedef bool watch_change(void *self, const struct job_status *before, const struct job_status *now);

/*
 * Follows the jobs until each has ended, and calls change. Returns false with env->err set if a job is
 * unknown, or no scheduler is running, so that nothing can change.
 */
bool watch_follow(struct watch *w, struct cmd_env *env, watch_change *change, void *self);

/*
 * Finds the state of the one job that a word names, with the paths of its output files. Texts are in the
 * arena. Returns false with env->err set if the job is unknown, or the word names several jobs.
 */
bool watch_find(struct cmd_env *env, char *word, struct arena *arena, struct job_status *out);
/*
 * Updates phase and start of a job that watch_find has found. Returns false, with *out unchanged, if no
 * scheduler answers.
 */
bool watch_again(struct cmd_env *env, struct job_status *out);

#endif
