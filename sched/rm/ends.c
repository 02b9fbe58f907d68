/* SPDX-License-Identifier: MIT */
/*
 * ends.c - which of the running jobs ends next?
 *
 * A binary heap: the children of item i are items 2i + 1 and 2i + 2, and none is before
 * its parent.
 */
#include "ends.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/core/job.h"

static bool is_before(const struct ending *a, const struct ending *b)
{
	return a->end_s != b->end_s ? a->end_s < b->end_s : a->order < b->order;
}

void ends_add(struct ends *ends, const struct ending *added)
{
	size_t i = ends->count++;

	ends->item = vec_room(ends->item, &ends->room, ends->count, sizeof *ends->item);
	for (; i > 0 && is_before(added, &ends->item[(i - 1) / 2]); i = (i - 1) / 2)
		ends->item[i] = ends->item[(i - 1) / 2];
	ends->item[i] = *added;
}

int64_t ends_next_s(const struct ends *ends)
{
	return ends->count > 0 ? ends->item[0].end_s : TIME_NEVER;
}

struct ending ends_take(struct ends *ends)
{
	struct ending *item = ends->item;
	struct ending first = item[0];
	struct ending last = item[--ends->count];
	size_t i = 0;

	for (size_t child = 1; child < ends->count; child = 2 * i + 1) {
		if (child + 1 < ends->count && is_before(&item[child + 1], &item[child]))
			child++;
		if (!is_before(&item[child], &last))
			break;
		item[i] = item[child];
		i = child;
	}
	item[i] = last;
	return first;
}

void ends_clear(struct ends *ends)
{
	free(ends->item);
	*ends = (struct ends){0};
}
