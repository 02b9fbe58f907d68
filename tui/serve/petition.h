/* SPDX-License-Identifier: MIT */
/*
 * petition.h - who asks for this, and may they?
 *
 * What a client says of who it is, is thrown away: the person of an event, and the user and group of a job,
 * are those whom the kernel named.
 */
#ifndef TUI_SERVE_PETITION_H
#define TUI_SERVE_PETITION_H

#include <stdbool.h>
#include <stddef.h>

#include "people.h"
#include "sched/base/arena.h"
#include "sched/core/event.h"

struct fates;

struct petition {
	const struct person *by;
	const struct state *st;
	const struct fates *fates; /* how jobs have ended; NULL = nobody remembers */
	int64_t now_s;
};

/* Signs the events of one request; what is new in them lives in the arena. False with a sentence: they may
 * not. */
bool petition_sign(const struct petition *p, struct event *ev, size_t count, struct arena *arena,
		   struct err *err);

#endif
