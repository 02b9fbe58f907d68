/* SPDX-License-Identifier: MIT */
/*
 * authorization.h - authorization of requests that change something
 *
 * What a client says of who it is, is thrown away: the person of an event, and the user and group of a job,
 * are those whom the kernel named.
 */
#ifndef SERVE_AUTHORIZATION_H
#define SERVE_AUTHORIZATION_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/arena.h"
#include "sched/state/event.h"
#include "users.h"

struct configured;
struct allowance;
struct allowance_use;
struct fates;
struct new_name;
struct store;

struct petition {
	const struct person *by;
	const struct state *st;
	struct configured *configured; /* names of the configuration; NULL = it is read as needed */
	const struct fates *fates;     /* how jobs have ended; NULL = nobody remembers */
	const struct store *store;     /* which the events go into; NULL = none        */
	int64_t now_s;
	const struct allowance *allowance; /* NULL = additions to the journal are not limited */
	const struct allowance_use *use;   /* of the person                                   */
	size_t size;                       /* bytes of the request                            */
	uint32_t names;     /* new names that the person has brought so far, in jobs and reservations */
	uint32_t new_names; /* set: those of this request                       */
	const struct new_name *brought; /* set: which they are; in the arena of petition_sign */
	uint64_t tasks_bytes;           /* set: bytes that the jobs it submits add until they have ended */
	int64_t journal;                /* set: bytes it adds to the journal and the history, about */
};

/* How many changes the events ask for; each task of an array and each dependency counts. */
uint64_t petition_weight(const struct event *ev, size_t count);

/* May one request of the person ask for so many changes? */
bool petition_is_small(const struct snapshot *s, const struct person *by, uint64_t asked, struct err *err);

/* Signs the events of one request; what is new in them lives in the arena. False with a sentence: they may
 * not. */
bool petition_sign(struct petition *p, struct event *ev, size_t count, struct arena *arena, struct err *err);

#endif
