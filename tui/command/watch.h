/* SPDX-License-Identifier: MIT */
/*
 * watch.h - how does a verb follow what becomes of jobs?
 *
 * It asks the running scheduler again and again, soon at first, then once a second. A scheduler that is gone
 * is waited for: the next one knows as much. On a stopped store only what has ended can be told.
 */
#ifndef COMMAND_WATCH_H
#define COMMAND_WATCH_H

#include "cmd.h"
#include "tui/serve/fate.h"

/* Between two questions. */
#define WATCH_FIRST_MS 50
#define WATCH_LAST_MS  1000

struct watched {
	struct fate_name name; /* label: owned  */
	bool may_be_missing;   /* one of a range */
	struct fate fate;      /* as told last, without texts */
};

struct watch {
	struct watched *item;
	size_t count, room;
	size_t never; /* those that can never start, and were not waited for */
};

/*
 * The jobs that are meant by the words and -w, as in select.h, and those that have ended by number, range or
 * label. env->s is the state.
 */
bool watch_read(struct watch *w, struct cmd_env *env, char *const *word, int count);
void watch_clear(struct watch *w);

/* A job's phase is another than before. False: it has been followed long enough. */
typedef bool watch_change(void *self, const struct fate *before, const struct fate *now);

/*
 * Follows all of them until each has ended. False with a sentence: one is not known, or nothing can change as
 * no scheduler runs.
 */
bool watch_follow(struct watch *w, struct cmd_env *env, watch_change *change, void *self);

/*
 * What has become of the one job that a word means, with the files of its words; texts in the arena. False
 * with a sentence: it is not known, or the word means several.
 */
bool watch_find(struct cmd_env *env, char *word, struct arena *arena, struct fate *out);
/* The same job again; false: the scheduler does not say, and *out is as it was. */
bool watch_again(struct cmd_env *env, struct fate *out);

#endif
