/* SPDX-License-Identifier: MIT */
/*
 * ends.c - order in which running jobs end
 *
 * A binary heap: the children of item i are items 2i + 1 and 2i + 2, and none is before
 * its parent.
 */
#include "ends.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/model/job.h"

static bool is_before(const struct ending *a, const struct ending *b)
{
	return a->end_s != b->end_s ? a->end_s < b->end_s : a->job < b->job;
}

/* Puts e at i or above: its place is where its parent is not later. */
static void rise(struct ending *item, size_t i, struct ending e)
{
	for (; i > 0 && is_before(&e, &item[(i - 1) / 2]); i = (i - 1) / 2)
		item[i] = item[(i - 1) / 2];
	item[i] = e;
}

/* Puts e at i or below: where none of its children is before it. */
static void sink(struct ending *item, size_t count, size_t i, struct ending e)
{
	for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
		if (child + 1 < count && is_before(&item[child + 1], &item[child]))
			child++;
		if (!is_before(&item[child], &e))
			break;
		item[i] = item[child];
		i = child;
	}
	item[i] = e;
}

void ends_add(struct ends *ends, const struct ending *added)
{
	ends->item = vec_room(ends->item, &ends->room, ends->count + 1, sizeof *ends->item);
	rise(ends->item, ends->count++, *added);
}

int64_t ends_next_s(const struct ends *ends)
{
	return ends->count > 0 ? ends->item[0].end_s : TIME_NEVER;
}

struct ending ends_take(struct ends *ends)
{
	struct ending first = ends->item[0];
	struct ending last = ends->item[--ends->count];

	sink(ends->item, ends->count, 0, last);
	return first;
}

bool ends_drop(struct ends *ends, uint64_t job)
{
	struct ending last;
	size_t i = 0;

	while (i < ends->count && ends->item[i].job != job)
		i++;
	if (i == ends->count)
		return false;
	last = ends->item[--ends->count];
	if (i == ends->count)
		return true;
	if (is_before(&last, &ends->item[i]))
		rise(ends->item, i, last);
	else
		sink(ends->item, ends->count, i, last);
	return true;
}

void ends_clear(struct ends *ends)
{
	free(ends->item);
	*ends = (struct ends){0};
}
