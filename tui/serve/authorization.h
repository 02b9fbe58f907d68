/* SPDX-License-Identifier: MIT */
/*
 * authorization.h - authorization of requests that change something
 *
 * Identities supplied by a client are discarded: the user who is recorded with an event, and the user and
 * group of a job, are set from the peer credentials that the kernel reports.
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
struct ended_cache;
struct new_name;
struct store;

struct authorization {
	const struct person *by;
	const struct state *st;
	struct configured *configured;         /* names of the configuration; NULL: parsed when needed */
	const struct ended_cache *ended_cache; /* outcomes of ended jobs; NULL: they are unknown */
	const struct store *store;             /* store that the events are written to; NULL: none */
	int64_t now_s;
	const struct allowance *allowance; /* NULL: additions to the journal are not limited */
	const struct allowance_use *use;   /* allowance record of the person */
	size_t size;                       /* size of the request in bytes */
	uint32_t names; /* number of names that the person has introduced so far in jobs and reservations */
	uint32_t new_names;             /* result: number of names that this request introduces */
	const struct new_name *brought; /* result: the list of these names, in the arena */
	uint64_t tasks_bytes;           /* result: bytes that the submitted jobs add until they have ended */
	int64_t journal;                /* result: approximate bytes added to the journal and the history */
};

/* Returns the number of changes in a request; each task of an array and each dependency counts. */
uint64_t authorize_weight(const struct event *ev, size_t count);

/* Is the number of changes within the limit for one request of the person? */
bool authorize_size(const struct snapshot *s, const struct person *by, uint64_t asked, struct err *err);

/*
 * Authorizes the events of one request and fills in their identities; new data lives in the arena. Returns
 * false with err set if the request is not permitted.
 */
bool authorize_events(struct authorization *p, struct event *ev, size_t count, struct arena *arena,
		      struct err *err);

#endif
