/* SPDX-License-Identifier: MIT */
/*
 * ids.h - sorted sets of IDs
 */
#ifndef STORE_IDS_H
#define STORE_IDS_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the IDs in ascending order and removes duplicates; returns the number that remains. */
size_t ids_order(uint64_t *id, size_t count);

/* Returns the index of an ID in an array sorted by ids_order; SIZE_MAX if it is not in the array. */
size_t ids_find(const uint64_t *id, size_t count, uint64_t wanted);

#endif
