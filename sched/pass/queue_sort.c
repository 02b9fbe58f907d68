/* SPDX-License-Identifier: MIT */
/*
 * queue_sort.c - sorting the jobs of a pass by rank
 *
 * Every pass sorts all candidates. They come in the order of WAITING, which is the order of jobs with equal
 * ranks, so a stable LSD radix sort is enough: its key is the distance from the highest rank. It needs two or
 * three rounds over the jobs; a digit that is equal in all keys needs no round.
 */
#include <stdlib.h>
#include <string.h>

#include "queue.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/*
 * Fewer than FEW jobs are sorted by short digits: counting long digits would cost more than moving the jobs.
 */
#define DIGIT_BITS  11
#define SHORT_BITS  6
#define FEW         512
#define DIGIT_COUNT (1U << DIGIT_BITS)
#define KEY_BITS    64
#define RADIX_LEAST 24 /* for fewer jobs, qsort is faster */

int queue_compare(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	return priority_compare(x->rank, y->rank, (x->order > y->order) - (x->order < y->order));
}

/* Properties of a list of jobs before it is sorted. */
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

/* One round of the radix sort. False: all keys have the same digit, and nothing was moved. */
static bool sort_by_digit(const struct queued *from, struct queued *to, uint32_t count, int64_t highest,
			  unsigned shift, unsigned digits)
{
	uint32_t next[DIGIT_COUNT], at = 0;

	memset(next, 0, digits * sizeof *next);
	for (uint32_t i = 0; i < count; i++)
		next[digit_of(&from[i], highest, shift, digits)]++;
	if (next[digit_of(&from[0], highest, shift, digits)] == count)
		return false;
	for (unsigned d = 0; d < digits; d++) {
		uint32_t digit_count = next[d];

		next[d] = at;
		at += digit_count;
	}
	for (uint32_t i = 0; i < count; i++)
		to[next[digit_of(&from[i], highest, shift, digits)]++] = from[i];
	return true;
}

static void radix_sort(struct sort_memory *m, struct queued *item, uint32_t count, const struct survey *s)
{
	uint64_t span = (uint64_t)s->highest - (uint64_t)s->lowest;
	unsigned bits = count < FEW ? SHORT_BITS : DIGIT_BITS;
	struct queued *from = item, *to;

	m->spare = vec_room(m->spare, &m->room, count, sizeof *m->spare);
	to = m->spare;
	for (unsigned shift = 0; shift < KEY_BITS && span >> shift != 0; shift += bits) {
		if (!sort_by_digit(from, to, count, s->highest, shift, 1U << bits))
			continue;
		to = from;
		from = from == item ? m->spare : item;
	}
	if (from != item)
		memcpy(item, from, count * sizeof *item);
}

void queue_sort(struct sort_memory *m, struct queued *item, uint32_t count)
{
	struct survey s;

	if (count < 2)
		return;
	s = survey(item, count);
	if (s.sorted)
		return;
	if (s.by_order && count >= RADIX_LEAST)
		radix_sort(m, item, count, &s);
	else
		qsort(item, count, sizeof *item, queue_compare);
}

void queue_sort_clear(struct sort_memory *m)
{
	free(m->spare);
	*m = (struct sort_memory){0};
}
