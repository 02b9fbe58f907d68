/* SPDX-License-Identifier: MIT */
/*
 * acts.h - what may an operator do that undo knows?
 *
 * All kinds: holds, priorities, attributes, settings of every row that can be set live (for a while too),
 * nodes drained, reservations, the scheduler paused, jobs suspended, an edited draft that is applied as a
 * whole; and undo, undo of undo, and keep. Nothing here cancels, starts or ends a job.
 */
#ifndef TESTS_ACTS_H
#define TESTS_ACTS_H

#include "sched/base/rng.h"
#include "tests/scene.h"

/* What was done, as far as an undo asks for it: kind, who, number, and the entry that it names. */
struct diary {
	struct event *entry; /* free() it */
	size_t count, room;
};

void diary_note(struct diary *d, const struct event *ev);

/* A cluster with a policy, on which some jobs run and some wait. */
struct scene *acts_scene(struct rng *rng);

/* One act at random; how many entries of the journal came of it: 0 = it was refused. They are noted in d. */
unsigned acts_once(struct rng *rng, struct scene *sc, struct diary *d);

/* Time goes on; what was made for a while and is over is taken back, as before a pass. */
void acts_wait(struct scene *sc, int64_t to_s, struct diary *d);

#endif
