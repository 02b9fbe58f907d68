/* SPDX-License-Identifier: MIT */
/*
 * ids.c - sorted sets of IDs
 */
#include "ids.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

size_t ids_order(uint64_t *id, size_t count)
{
	size_t kept = 0;

	if (count > 0)
		qsort(id, count, sizeof *id, by_number);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || id[i] != id[i - 1])
			id[kept++] = id[i];
	return kept;
}

size_t ids_find(const uint64_t *id, size_t count, uint64_t wanted)
{
	const uint64_t *found = count == 0 ? NULL : bsearch(&wanted, id, count, sizeof *id, by_number);

	return found == NULL ? SIZE_MAX : (size_t)(found - id);
}
