/* SPDX-License-Identifier: MIT */
/*
 * keyset.h - which rows are marked?
 *
 * A set of 64-bit keys in ascending order. {0} is the empty set; release with keyset_free.
 * Looking up is O(log n); adding many at once sorts once.
 */
#ifndef DRAW_KEYSET_H
#define DRAW_KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyset {
	uint64_t *key; /* ascending, no two the same */
	size_t count, cap;
};

bool keyset_has(const struct keyset *set, uint64_t key);
/* Adds the key, or takes it out if it is in. */
void keyset_toggle(struct keyset *set, uint64_t key);
/* Appends without order; keyset_settle must follow before the set is used. */
void keyset_append(struct keyset *set, uint64_t key);
void keyset_settle(struct keyset *set);
void keyset_clear(struct keyset *set);
void keyset_free(struct keyset *set);

#endif
