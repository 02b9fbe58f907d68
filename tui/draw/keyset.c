/* SPDX-License-Identifier: MIT */
/*
 * keyset.c - which rows are marked?
 */
#include "keyset.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* Where key is, or would be put. */
static size_t find_place(const struct keyset *set, uint64_t key)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->key[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool keyset_has(const struct keyset *set, uint64_t key)
{
	size_t at = find_place(set, key);

	return at < set->count && set->key[at] == key;
}

void keyset_toggle(struct keyset *set, uint64_t key)
{
	size_t at = find_place(set, key);
	size_t behind = set->count - at;

	if (behind && set->key[at] == key) {
		memmove(&set->key[at], &set->key[at + 1], (behind - 1) * sizeof *set->key);
		set->count--;
		return;
	}
	set->key = vec_room(set->key, &set->cap, set->count + 1, sizeof *set->key);
	memmove(&set->key[at + 1], &set->key[at], behind * sizeof *set->key);
	set->key[at] = key;
	set->count++;
}

void keyset_append(struct keyset *set, uint64_t key)
{
	set->key = vec_room(set->key, &set->cap, set->count + 1, sizeof *set->key);
	set->key[set->count++] = key;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void keyset_settle(struct keyset *set)
{
	size_t kept = 0;

	if (set->count == 0)
		return;
	qsort(set->key, set->count, sizeof *set->key, compare_keys);
	for (size_t i = 0; i < set->count; i++)
		if (kept == 0 || set->key[kept - 1] != set->key[i])
			set->key[kept++] = set->key[i];
	set->count = kept;
}

void keyset_clear(struct keyset *set)
{
	set->count = 0;
}

void keyset_free(struct keyset *set)
{
	free(set->key);
	*set = (struct keyset){0};
}
