/* SPDX-License-Identifier: MIT */
/*
 * enact.h - the events that carry out the decisions of a pass
 *
 * The running scheduler and a projection apply the same events in the same order:
 *
 *     struct enact enact = {.result = &result};
 *     while (enact_next(&enact, &ev)) event_apply(st, &ev, err);
 *     enact_clear(&enact);
 *
 * Applying an event changes the snapshot of the pass, but never the result.
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
	uint32_t at;               /* index of the next decision */
	struct bypassed *bypassed; /* memory that the current event borrows, for bypassed jobs */
	uint64_t *switched;        /* memory that the current event borrows, for job IDs */
	size_t bypassed_room, switched_room;
};

/*
 * Sets *ev to the next event, except for its time and author, which the caller sets. The event borrows memory
 * from the result and from enact until the next call. False if there is no further event.
 */
bool enact_next(struct enact *enact, struct event *ev);
void enact_clear(struct enact *enact);

#endif
