/* SPDX-License-Identifier: MIT */
/*
 * told.h - the journal of a scene
 *
 * All events of a scene since told_begin(), and the state before them; for tests of code that reads a
 * journal.
 */
#ifndef TESTS_TOLD_H
#define TESTS_TOLD_H

#include <stdlib.h>

#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "tests/scene.h"

struct told {
	struct state *before;
	int64_t from_s;
	struct event *event;
	size_t count, room;
	struct arena arena;
};

static inline void told_take(void *self, const struct event *ev)
{
	struct told *t = self;

	t->event = vec_room(t->event, &t->room, t->count + 1, sizeof *t->event);
	t->event[t->count++] = event_copy(&t->arena, ev);
}

static inline void told_begin(struct told *t, struct scene *sc)
{
	*t = (struct told){.before = state_from_snapshot(scene_view(sc)), .from_s = sc->now_s};
	sc->tell = told_take;
	sc->tell_self = t;
}

static inline void told_end(struct told *t)
{
	state_free(t->before);
	free(t->event);
	arena_free(&t->arena);
}

#endif
