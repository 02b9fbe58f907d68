/* SPDX-License-Identifier: MIT */
/*
 * credset.c - jobs with the same credentials
 */
#include "credset.h"

#include <stdlib.h>

#include "sched/base/vec.h"

#define HASH_LEAST 64

/*
 * All sets are discarded once there are more than SETS_KEPT of them and more than there are job slots; sets
 * in use are added again when they are looked up.
 */
#define SETS_KEPT 4096

static size_t place_of(const struct cred_sets *sets, const struct cred_set *set)
{
	uint64_t hash = set->partition;
	size_t mask = sets->hash_room - 1, at;

	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		hash = ((hash >> 32) ^ hash ^ set->cred[t]) * UINT64_C(0x9e3779b97f4a7c15);
	at = (size_t)(hash >> 32) & mask;
	while (sets->hash[at] != INDEX_NONE && memcmp(&sets->item[sets->hash[at]], set, sizeof *set) != 0)
		at = (at + 1) & mask;
	return at;
}

static void make_hash(struct cred_sets *sets, size_t room)
{
	sets->hash = vec_room(sets->hash, &sets->hash_room, room, sizeof *sets->hash);
	sets->hash_room = room;
	memset(sets->hash, 0xff, room * sizeof *sets->hash);
	for (uint32_t i = 0; i < sets->count; i++)
		sets->hash[place_of(sets, &sets->item[i])] = i;
}

static uint32_t find_set(struct cred_sets *sets, const struct job *job)
{
	struct cred_set set = {.partition = job->partition};
	size_t at;

	memcpy(set.cred, job->cred, sizeof set.cred);
	at = place_of(sets, &set);
	if (sets->hash[at] != INDEX_NONE)
		return sets->hash[at];
	if (2 * ((size_t)sets->count + 1) > sets->hash_room) {
		make_hash(sets, 2 * sets->hash_room);
		at = place_of(sets, &set);
	}
	sets->item = vec_room(sets->item, &sets->room, (size_t)sets->count + 1, sizeof *sets->item);
	sets->item[sets->count] = set;
	sets->hash[at] = sets->count;
	return sets->count++;
}

void cred_sets_begin(struct cred_sets *sets, uint32_t slots)
{
	size_t had = sets->of_room;

	sets->of = vec_room(sets->of, &sets->of_room, (size_t)slots + 1, sizeof *sets->of);
	if (sets->of_room > had)
		memset(&sets->of[had], 0xff, (sets->of_room - had) * sizeof *sets->of);
	if (sets->hash_room == 0 || (sets->count > SETS_KEPT && sets->count > slots)) {
		sets->count = 0;
		make_hash(sets, HASH_LEAST);
	}
}

uint32_t cred_sets_look(struct cred_sets *sets, uint32_t slot, const struct job *job)
{
	sets->of[slot] = find_set(sets, job);
	return sets->of[slot];
}

void cred_sets_clear(struct cred_sets *sets)
{
	free(sets->item);
	free(sets->of);
	free(sets->hash);
	*sets = (struct cred_sets){.item = NULL};
}
