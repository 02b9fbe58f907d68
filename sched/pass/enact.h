/* SPDX-License-Identifier: MIT */
/*
 * enact.h - how do the decisions of a pass become events?
 *
 * The running scheduler and a projection take the same decisions in the same order:
 *
 *     struct enact enact = {.result = &result};
 *     while (enact_next(&enact, &ev)) event_apply(st, &ev, err);
 *     enact_clear(&enact);
 *
 * Applying an event changes the snapshot the pass looked at, never the result.
 */
#ifndef PASS_ENACT_H
#define PASS_ENACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cycle.h"
#include "sched/state/event.h"

struct enact {
	const struct cycle_result *result;
	uint32_t at;               /* the next decision    */
	struct bypassed *bypassed; /* of the event at hand */
	uint64_t *switched;        /* likewise             */
	size_t bypassed_room, switched_room;
};

/* The next event; its time and who is behind it are the caller's. What it points at is the result's or
 * enact's, until the next call. False: that was all. */
bool enact_next(struct enact *enact, struct event *ev);
void enact_clear(struct enact *enact);

#endif
