/* SPDX-License-Identifier: MIT */
/*
 * room_memo.c - where is room for a job, now and later? What was found for jobs that ask the same.
 *
 * Thousands of jobs wait that want the same of each node (a shape) and differ in the number of
 * tasks and in time. While claims are only added, room only shrinks: what was too much stays too
 * much, and nobody who asks for at least as much for at least as long begins before somebody who
 * was just placed. How many tasks fit from now on depends on a job's end only by the
 * reservations that begin before it.
 */
#include <stdlib.h>
#include <string.h>

#include "placement_state.h"
#include "sched/base/vec.h"

#define SHAPES_MOST 1024 /* beyond them nothing is remembered */
#define TABLE_SIZE  4096
#define REMEMBERED  4 /* of each kind, for each shape */

/* What jobs of a shape have in common. No padding: compared and hashed as bytes. */
struct shape_key {
	int64_t amount[ALLOC_KIND_COUNT];
	uint64_t features, classes;
	uint32_t hosts, partition;
	uint32_t tasks_per_node, nodes;
	uint32_t user; /* where users matter */
	uint32_t rest; /* invitations, names that no node has, access, has_class, contiguous */
};

/* So many tasks fit throughout [now, end_s) when the claims had this version; without a lack: at most so
 * many. */
struct total {
	uint64_t version;
	int64_t end_s, tasks;
	enum lack lack;
};

/* Jobs with at least so many tasks and so long a limit: no begin in [from_s, begin_s). */
struct begin {
	uint32_t tasks;
	int64_t wall_s, from_s, begin_s;
};

struct shape {
	struct shape_key key;
	struct total total[REMEMBERED];
	struct begin begin[REMEMBERED];
	unsigned total_count, begin_count; /* noted ever: the oldest make place */
	struct empty_sum empty;
	struct alone alone;
};

/* --- shapes -------------------------------------------------------------------------------------- */

static struct shape_key key_of(const struct placement *p, const struct request *request)
{
	const struct job *job = request->job;
	bool contiguous = placement_policy(p->s, job, true) == ALLOCATE_CONTIGUOUS;
	struct shape_key key = {
		.features = job->features,
		.classes = request->classes,
		.hosts = job->hosts,
		.partition = job->partition,
		.tasks_per_node = job->tasks_per_node,
		.nodes = job->nodes,
		.user = INDEX_NONE,
		.rest = request->guests << 8 | (uint32_t)(job->unknown[UNKNOWN_GRES] != 0) << 7 |
			(uint32_t)(job->unknown[UNKNOWN_FEATURES] != 0) << 6 |
			(uint32_t)request->access << 2 | (uint32_t)request->has_class << 1 | contiguous};

	for (unsigned i = 0; i < request->count; i++)
		key.amount[request->resource[i].kind] = request->resource[i].amount;
	if (p->users_matter || request->access == ACCESS_SINGLEUSER)
		key.user = job->cred[CRED_USER];
	return key;
}

static uint32_t hash_of(const struct shape_key *key)
{
	uint64_t word[sizeof *key / sizeof(uint64_t)], hash = 0;

	memcpy(word, key, sizeof word);
	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
		hash = (hash ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 20);
}

static struct shape *add_shape(struct placement *p, const struct shape_key *key, uint32_t *at)
{
	if (p->shape_count == SHAPES_MOST)
		return NULL;
	p->shape = vec_room(p->shape, &p->shape_cap, p->shape_count + 1, sizeof *p->shape);
	p->shape[p->shape_count] = (struct shape){.key = *key};
	*at = (uint32_t)++p->shape_count;
	return &p->shape[*at - 1];
}

struct shape *memo_shape(struct placement *p, const struct request *request)
{
	struct shape_key key = key_of(p, request);
	uint32_t at = hash_of(&key) % TABLE_SIZE;

	if (p->shape_at == NULL)
		p->shape_at = mem_zero(TABLE_SIZE, sizeof *p->shape_at);
	for (; p->shape_at[at] != 0; at = (at + 1) % TABLE_SIZE) {
		struct shape *shape = &p->shape[p->shape_at[at] - 1];

		if (memcmp(&shape->key, &key, sizeof key) == 0)
			return shape;
	}
	return add_shape(p, &key, &p->shape_at[at]);
}

void memo_forget(struct placement *p)
{
	if (p->shape_count > 0)
		memset(p->shape_at, 0, TABLE_SIZE * sizeof *p->shape_at);
	p->shape_count = 0;
}

struct empty_sum *memo_empty(struct shape *shape)
{
	return &shape->empty;
}

struct alone *memo_alone(struct shape *shape)
{
	return &shape->alone;
}

/* --- totals ---------------------------------------------------------------------------------------- */

static unsigned kept(unsigned noted)
{
	return noted < REMEMBERED ? noted : REMEMBERED;
}

bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s)
{
	for (unsigned i = 0; i < kept(shape->total_count); i++)
		if (shape->total[i].end_s <= end_s && shape->total[i].tasks < tasks)
			return true;
	return false;
}

/* Do the same reservations begin before both moments? */
static bool alike(const struct placement *p, int64_t a_s, int64_t b_s)
{
	size_t low = 0, high = p->future_begin_count;

	/* The first that begins at or after the earlier of the two. */
	if (a_s > b_s)
		return alike(p, b_s, a_s);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->future_begin_s[middle] < a_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low == p->future_begin_count || p->future_begin_s[low] >= b_s;
}

bool memo_total(const struct placement *p, const struct shape *shape, int64_t end_s, int64_t *tasks,
		enum lack *lack)
{
	for (unsigned i = 0; i < kept(shape->total_count); i++) {
		const struct total *total = &shape->total[i];

		if (total->lack == LACK_COUNT || total->version != p->version ||
		    !alike(p, total->end_s, end_s))
			continue;
		*tasks = total->tasks;
		*lack = total->lack;
		return true;
	}
	return false;
}

void memo_note_total(const struct placement *p, struct shape *shape, int64_t end_s, int64_t tasks,
		     enum lack lack)
{
	shape->total[shape->total_count++ % REMEMBERED] =
		(struct total){.version = p->version, .end_s = end_s, .tasks = tasks, .lack = lack};
}

/* --- begins ------------------------------------------------------------------------------------------ */

int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s)
{
	for (unsigned i = 0; i < kept(shape->begin_count); i++) {
		const struct begin *begin = &shape->begin[i];

		if (begin->tasks <= job->tasks && begin->wall_s <= job->wall_limit_s &&
		    begin->from_s <= from_s && begin->begin_s > from_s)
			from_s = begin->begin_s;
	}
	return from_s;
}

void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s)
{
	shape->begin[shape->begin_count++ % REMEMBERED] = (struct begin){
		.tasks = job->tasks, .wall_s = job->wall_limit_s, .from_s = from_s, .begin_s = begin_s};
}
