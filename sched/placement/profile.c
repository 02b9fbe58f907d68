/* SPDX-License-Identifier: MIT */
/*
 * profile.c - availability profile: free processors over time
 *
 * Blocks are stored in an array in order of time. A block holds up to BLOCK_STEPS steps, an amount that is
 * added to every step in it, and the minimum and maximum of its steps. Times and values of steps are in
 * separate arrays, so that a search reads only times.
 */
#include "profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/job.h"

#define BLOCK_STEPS 64

struct block {
	uint32_t count;
	int64_t add;         /* added to every free[i] */
	int64_t least, most; /* minimum and maximum of free[i], without add */
	int64_t at_s[BLOCK_STEPS];
	int64_t free[BLOCK_STEPS];
};

struct profile {
	struct block **block; /* in order of time; each has at least one step */
	size_t count, cap;
	struct block **spare; /* unused blocks, kept for the next pass */
	size_t spare_count, spare_cap;
	uint32_t steps;
};

/* --- blocks --------------------------------------------------------------------------------------------- */

static struct block *take_block(struct profile *p)
{
	struct block *b = p->spare_count > 0 ? p->spare[--p->spare_count] : mem_alloc(sizeof *b);

	b->count = 0;
	b->add = 0;
	b->least = INT64_MAX;
	b->most = INT64_MIN;
	return b;
}

static void drop_block(struct profile *p, struct block *b)
{
	p->spare = vec_room(p->spare, &p->spare_cap, p->spare_count + 1, sizeof *p->spare);
	p->spare[p->spare_count++] = b;
}

static void insert_block(struct profile *p, size_t i, struct block *b)
{
	p->block = vec_room(p->block, &p->cap, p->count + 1, sizeof *p->block);
	memmove(&p->block[i + 1], &p->block[i], (p->count - i) * sizeof *p->block);
	p->block[i] = b;
	p->count++;
}

static void summarise(struct block *b)
{
	b->least = INT64_MAX;
	b->most = INT64_MIN;
	for (uint32_t i = 0; i < b->count; i++) {
		if (b->free[i] < b->least)
			b->least = b->free[i];
		if (b->free[i] > b->most)
			b->most = b->free[i];
	}
}

/* Moves the later half of the steps of block i into a new block after it. */
static void split_block(struct profile *p, size_t i)
{
	struct block *from = p->block[i], *to = take_block(p);
	uint32_t half = from->count / 2;

	to->count = from->count - half;
	to->add = from->add;
	memcpy(to->at_s, from->at_s + half, to->count * sizeof *to->at_s);
	memcpy(to->free, from->free + half, to->count * sizeof *to->free);
	from->count = half;
	summarise(from);
	summarise(to);
	insert_block(p, i + 1, to);
}

/* --- positions of steps --------------------------------------------------------------------------------- */

struct place {
	size_t block;
	uint32_t step;
};

/*
 * Returns the position of the step in effect at at_s: the last one that begins at or before at_s, or the
 * first step.
 */
static struct place find_place(const struct profile *p, int64_t at_s)
{
	size_t low = 0, high = p->count;
	const struct block *b;
	uint32_t from = 0, to;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (p->block[middle]->at_s[0] <= at_s)
			low = middle;
		else
			high = middle;
	}
	b = p->block[low];
	to = b->count;
	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;

		if (b->at_s[middle] <= at_s)
			from = middle;
		else
			to = middle;
	}
	return (struct place){low, from};
}

static int64_t place_time(const struct profile *p, struct place at)
{
	return p->block[at.block]->at_s[at.step];
}

/* Moves to the next step; false if there is none. */
static bool next_place(const struct profile *p, struct place *at)
{
	if (++at->step < p->block[at->block]->count)
		return true;
	at->step = 0;
	return ++at->block < p->count;
}

/*
 * Inserts a step at a position and returns its final position, which differs if a full block had to be split.
 */
static struct place insert_step(struct profile *p, struct place at, int64_t at_s, int64_t value)
{
	struct block *b;

	if (p->block[at.block]->count == BLOCK_STEPS) {
		split_block(p, at.block);
		if (at.step > p->block[at.block]->count) {
			at.step -= p->block[at.block]->count;
			at.block++;
		}
	}
	b = p->block[at.block];
	value -= b->add;
	memmove(&b->at_s[at.step + 1], &b->at_s[at.step], (b->count - at.step) * sizeof *b->at_s);
	memmove(&b->free[at.step + 1], &b->free[at.step], (b->count - at.step) * sizeof *b->free);
	b->at_s[at.step] = at_s;
	b->free[at.step] = value;
	b->count++;
	if (value < b->least)
		b->least = value;
	if (value > b->most)
		b->most = value;
	p->steps++;
	return at;
}

/* Ensures that a step begins at at_s, which is not before the first step, and returns its position. */
static struct place cut(struct profile *p, int64_t at_s)
{
	struct place at = find_place(p, at_s);
	const struct block *b = p->block[at.block];

	if (b->at_s[at.step] == at_s)
		return at;
	assert(b->at_s[at.step] < at_s);
	return insert_step(p, (struct place){at.block, at.step + 1}, at_s, b->free[at.step] + b->add);
}

/* --- interface ------------------------------------------------------------------------------------------ */

struct profile *profile_new(void)
{
	struct profile *p = mem_zero(1, sizeof *p);

	profile_reset(p, 0, 0);
	return p;
}

void profile_free(struct profile *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->count; i++)
		free(p->block[i]);
	for (size_t i = 0; i < p->spare_count; i++)
		free(p->spare[i]);
	free(p->block);
	free(p->spare);
	free(p);
}

void profile_reset(struct profile *p, int64_t from_s, int64_t value)
{
	for (size_t i = 0; i < p->count; i++)
		drop_block(p, p->block[i]);
	p->count = 0;
	p->steps = 0;
	insert_block(p, 0, take_block(p));
	insert_step(p, (struct place){0, 0}, from_s, value);
}

void profile_note(struct profile *p, int64_t at_s, int64_t procs)
{
	struct place at = {p->count - 1, p->block[p->count - 1]->count - 1};
	struct block *b;

	/* Ends of running jobs usually arrive in order of time: check the last step first. */
	if (place_time(p, at) > at_s)
		at = find_place(p, at_s);
	b = p->block[at.block];
	assert(b->at_s[at.step] <= at_s);
	if (b->at_s[at.step] == at_s)
		b->free[at.step] += procs;
	else
		insert_step(p, (struct place){at.block, at.step + 1}, at_s, procs);
}

bool profile_settle(struct profile *p)
{
	int64_t value = 0, least = INT64_MAX;

	for (size_t i = 0; i < p->count; i++) {
		struct block *b = p->block[i];

		for (uint32_t step = 0; step < b->count; step++)
			b->free[step] = value += b->free[step];
		summarise(b);
		least = b->least < least ? b->least : least;
	}
	return least >= 0;
}

/* Adds amount to the steps of a block from index `from` on that begin before end_s. */
static void add_until(struct block *b, uint32_t from, int64_t end_s, int64_t amount)
{
	bool to_its_end = b->at_s[b->count - 1] < end_s;
	uint32_t to = to_its_end ? b->count : from;

	while (!to_its_end && b->at_s[to] < end_s)
		to++;
	if (from == 0 && to_its_end) {
		b->add += amount;
	} else {
		for (uint32_t i = from; i < to; i++)
			b->free[i] += amount;
		summarise(b);
	}
	assert(b->least + b->add >= 0);
}

void profile_take(struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs)
{
	struct place at;

	if (begin_s >= end_s || procs == 0)
		return;
	if (end_s != TIME_NEVER)
		cut(p, end_s);
	at = cut(p, begin_s);
	for (; at.block < p->count && p->block[at.block]->at_s[0] < end_s; at.block++, at.step = 0)
		add_until(p->block[at.block], at.step, end_s, -procs);
}

/*
 * Moves *at to the first step, from *at on, that begins before until_s and has fewer than procs free
 * processors (if `below` is true) or at least procs (if it is false). Returns false if there is no such step.
 */
static bool seek(const struct profile *p, struct place *at, int64_t until_s, int64_t procs, bool below)
{
	for (; at->block < p->count && p->block[at->block]->at_s[0] < until_s; at->block++, at->step = 0) {
		const struct block *b = p->block[at->block];
		int64_t need = procs - b->add;

		if (below ? b->least >= need : b->most < need)
			continue;
		for (; at->step < b->count; at->step++)
			if ((b->free[at->step] < need) == below)
				return b->at_s[at->step] < until_s;
	}
	return false;
}

int64_t profile_earlier(const struct profile *p, int64_t from_s, int64_t until_s, int64_t procs,
			int64_t duration_s)
{
	struct place at = find_place(p, from_s);

	while (from_s < until_s && seek(p, &at, until_s, procs, false)) {
		int64_t begin_s = place_time(p, at);

		if (begin_s < from_s)
			begin_s = from_s;
		if (!seek(p, &at, until_s, procs, true) || place_time(p, at) - begin_s >= duration_s)
			return begin_s;
	}
	return TIME_NEVER;
}

int64_t profile_earliest(const struct profile *p, int64_t from_s, int64_t procs, int64_t duration_s)
{
	return profile_earlier(p, from_s, TIME_NEVER, procs, duration_s);
}

int64_t profile_least(const struct profile *p, int64_t begin_s, int64_t end_s)
{
	struct place at = find_place(p, begin_s);
	int64_t least = INT64_MAX;

	while (at.block < p->count && place_time(p, at) < end_s) {
		const struct block *b = p->block[at.block];
		bool whole = at.step == 0 && b->at_s[b->count - 1] < end_s;
		int64_t value = (whole ? b->least : b->free[at.step]) + b->add;

		if (value < least)
			least = value;
		if (whole)
			at = (struct place){at.block + 1, 0};
		else
			next_place(p, &at);
	}
	return least;
}

int64_t profile_first_below(const struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs)
{
	struct place at = find_place(p, begin_s);
	int64_t at_s;

	if (!seek(p, &at, end_s, procs, true))
		return TIME_NEVER;
	at_s = place_time(p, at);
	return at_s < begin_s ? begin_s : at_s;
}

int64_t profile_next(const struct profile *p, int64_t at_s)
{
	struct place at = find_place(p, at_s);

	if (place_time(p, at) <= at_s && !next_place(p, &at))
		return TIME_NEVER;
	return place_time(p, at);
}

uint32_t profile_steps(const struct profile *p)
{
	return p->steps;
}
