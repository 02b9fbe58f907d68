/* SPDX-License-Identifier: MIT */
/*
 * distinct.h - removal of duplicates from the lists of a request
 *
 * A list of nodes, features, resources or dependencies that a user sends then has at most as many items as
 * there are distinct ones, however long the text of the request is. A list without duplicates is returned as
 * it came.
 */
#ifndef TUI_SERVE_DISTINCT_H
#define TUI_SERVE_DISTINCT_H

#include <stdbool.h>

#include "sched/base/arena.h"
#include "sched/state/event.h"

/*
 * The distinct words of a text as config_word() finds them; case does not matter. Of words that are the same
 * the last one stays. counted: a word is the same as another whatever follows its colon ("gpu:2", "gpu:1").
 * NULL for NULL. The result is the text or lives in the arena.
 */
const char *distinct_words(const char *text, bool counted, struct arena *arena);

/* The distinct dependencies of a list, in their order. Sets *count; the result is item or lives in the arena.
 */
const struct depend *distinct_depends(const struct depend *item, uint32_t *count, struct arena *arena);

/* The same of a text as depend_list_read() accepts it; a text that it refuses is returned as it came. */
const char *distinct_depend_text(const char *text, struct arena *arena);

/* All lists of one event that is asked for. */
void distinct_lists(struct event *ev, struct arena *arena);

#endif
