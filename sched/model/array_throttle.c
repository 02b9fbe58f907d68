/* SPDX-License-Identifier: MIT */
/*
 * array_throttle.c - limit on the number of running tasks of an array
 */
#include "array_throttle.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define HASH_LEAST 16

static size_t hash_place(const struct array_throttle *a, uint64_t array)
{
	size_t mask = a->hash_room - 1, at = (size_t)(array * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

	while (a->hash[at] != INDEX_NONE && a->use[a->hash[at]].array != array)
		at = (at + 1) & mask;
	return at;
}

static void make_hash(struct array_throttle *a, size_t room)
{
	if (room > a->hash_room) {
		a->hash = mem_resize(a->hash, room * sizeof *a->hash);
		a->hash_room = room;
	}
	memset(a->hash, 0xff, a->hash_room * sizeof *a->hash);
	for (uint32_t i = 0; i < a->count; i++)
		a->hash[hash_place(a, a->use[i].array)] = i;
}

static struct array_throttle_use *use_of(struct array_throttle *a, uint64_t array)
{
	uint32_t *place;

	if (2 * (a->count + 1) > a->hash_room)
		make_hash(a, 2 * a->hash_room);
	place = &a->hash[hash_place(a, array)];
	if (*place == INDEX_NONE) {
		a->use = vec_room(a->use, &a->room, a->count + 1, sizeof *a->use);
		a->use[a->count] = (struct array_throttle_use){.array = array};
		*place = (uint32_t)a->count++;
	}
	return &a->use[*place];
}

void array_throttle_begin(struct array_throttle *a, const struct snapshot *s)
{
	const uint32_t *running = snapshot_running(s);

	a->s = s;
	a->any = s->throttled > 0;
	if (!a->any)
		return;
	a->count = 0;
	make_hash(a, HASH_LEAST);
	a->mark = vec_room(a->mark, &a->mark_room, snapshot_count(s, TABLE_JOBS), sizeof *a->mark);
	memset(a->mark, 0, snapshot_count(s, TABLE_JOBS) * sizeof *a->mark);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint64_t array = snapshot_jobs(s)[running[i]].array;

		if (array != 0)
			use_of(a, array)->running++;
	}
}

void array_throttle_free(struct array_throttle *a)
{
	free(a->use);
	free(a->hash);
	free(a->mark);
	*a = (struct array_throttle){.any = false};
}

bool array_throttle_within(const struct array_throttle *a, const struct job *job,
			   struct array_throttle_use *use)
{
	uint32_t at;

	*use = (struct array_throttle_use){.array = 0};
	if (!a->any || job->array_limit == 0)
		return true;
	use->array = job->array;
	at = a->hash[hash_place(a, job->array)];
	if (at != INDEX_NONE)
		*use = a->use[at];
	return a->mark[job - snapshot_jobs(a->s)] != 0 ||
	       (uint64_t)use->running + use->next < job->array_limit;
}

void array_throttle_pass(struct array_throttle *a, uint32_t slot, bool may_start)
{
	const struct job *job = &snapshot_jobs(a->s)[slot];

	if (!a->any || job->array_limit == 0)
		return;
	a->mark[slot] = 1;
	if (may_start)
		use_of(a, job->array)->next++;
}
