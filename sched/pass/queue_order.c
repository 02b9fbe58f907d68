/* SPDX-License-Identifier: MIT */
/*
 * queue_order.c - in which order do jobs stand?
 *
 * Every pass orders all that wait, so this is what a long queue costs most. Jobs come in the order of
 * WAITING, and dealing them out by the digits of their distance from the highest rank, the lowest digit
 * first, keeps that order among equals: two or three rounds over the jobs instead of a comparison for each
 * level of a tree. Digits in which all jobs agree need no round.
 */
#include "queue_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* Few jobs are dealt by short digits: with long ones the counts would cost more than the jobs. */
#define DIGIT_BITS  11
#define SHORT_BITS  6
#define FEW         512
#define DIGIT_COUNT (1U << DIGIT_BITS)
#define KEY_BITS    64
#define DEALT_LEAST 24 /* fewer are quicker compared */

int queue_compare(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	return priority_compare(x->rank, y->rank, (x->order > y->order) - (x->order < y->order));
}

/* What is known of the jobs before they are sorted. */
struct survey {
	int64_t highest, lowest;
	bool sorted, by_order;
};

static struct survey survey(const struct queued *item, uint32_t count)
{
	struct survey s = {.highest = item[0].rank, .lowest = item[0].rank, .sorted = true, .by_order = true};

	for (uint32_t i = 1; i < count; i++) {
		s.sorted &= queue_compare(&item[i - 1], &item[i]) <= 0;
		s.by_order &= item[i - 1].order < item[i].order;
		s.highest = item[i].rank > s.highest ? item[i].rank : s.highest;
		s.lowest = item[i].rank < s.lowest ? item[i].rank : s.lowest;
	}
	return s;
}

static unsigned digit_of(const struct queued *one, int64_t highest, unsigned shift, unsigned digits)
{
	return (unsigned)(((uint64_t)highest - (uint64_t)one->rank) >> shift) & (digits - 1);
}

/* One round: false when all have the same digit, and nothing was moved. */
static bool deal(const struct queued *from, struct queued *to, uint32_t count, int64_t highest,
		 unsigned shift, unsigned digits)
{
	uint32_t next[DIGIT_COUNT], at = 0;

	memset(next, 0, digits * sizeof *next);
	for (uint32_t i = 0; i < count; i++)
		next[digit_of(&from[i], highest, shift, digits)]++;
	if (next[digit_of(&from[0], highest, shift, digits)] == count)
		return false;
	for (unsigned d = 0; d < digits; d++) {
		uint32_t those = next[d];

		next[d] = at;
		at += those;
	}
	for (uint32_t i = 0; i < count; i++)
		to[next[digit_of(&from[i], highest, shift, digits)]++] = from[i];
	return true;
}

static void deal_all(struct queue_order *o, struct queued *item, uint32_t count, const struct survey *s)
{
	uint64_t span = (uint64_t)s->highest - (uint64_t)s->lowest;
	unsigned bits = count < FEW ? SHORT_BITS : DIGIT_BITS;
	struct queued *from = item, *to;

	o->spare = vec_room(o->spare, &o->room, count, sizeof *o->spare);
	to = o->spare;
	for (unsigned shift = 0; shift < KEY_BITS && span >> shift != 0; shift += bits) {
		if (!deal(from, to, count, s->highest, shift, 1U << bits))
			continue;
		to = from;
		from = from == item ? o->spare : item;
	}
	if (from != item)
		memcpy(item, from, count * sizeof *item);
}

void queue_order_sort(struct queue_order *o, struct queued *item, uint32_t count)
{
	struct survey s;

	if (count < 2)
		return;
	s = survey(item, count);
	if (s.sorted)
		return;
	if (s.by_order && count >= DEALT_LEAST)
		deal_all(o, item, count, &s);
	else
		qsort(item, count, sizeof *item, queue_compare);
}

void queue_order_clear(struct queue_order *o)
{
	free(o->spare);
	*o = (struct queue_order){0};
}
