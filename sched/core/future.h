/* SPDX-License-Identifier: MIT */
/*
 * future.h - what lies ahead of one queue?
 *
 * The instant plan, which every future has for its order, and, when it is asked for, the full projection,
 * which then says when jobs start. Two of them are compared by whatif.h, several by lineup.h.
 */
#ifndef CORE_FUTURE_H
#define CORE_FUTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "assume.h"
#include "plan.h"
#include "project.h"
#include "whatif.h"

struct future_setup {
	int64_t now_s;
	bool full;                       /* the full projection; else the instant plan alone            */
	enum assume_kind assume;         /* how long jobs run; of a full one                 */
	const struct accuracy *accuracy; /* what is known of it; NULL for ASSUME_WCLIMIT      */
	/* Asked before each pass of a projection, with the jobs started so far; false ends it. NULL = go on.
	 */
	bool (*go_on)(void *self, uint32_t started);
	void *self;
};

/* Zero is a valid empty one; future_clear frees. */
struct future {
	struct plan plan;
	struct projection projection; /* of a full one */
	struct assumed assumed;       /* likewise      */
	struct whatif_side
		side; /* borrows the snapshot, which has to stay, and from the plan and projection */
};

/* Replaces what *f holds. False: it was told to stop, and the starts are only those found by then. */
bool future_build(struct future *f, const struct snapshot *s, const struct future_setup *setup);
void future_clear(struct future *f);

#endif
