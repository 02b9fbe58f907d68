/* SPDX-License-Identifier: MIT */
/*
 * shape.c - results cached for jobs with equal requests
 *
 * Thousands of idle jobs have equal requests per node (a shape) and differ only in their number of tasks and
 * their wallclock limit. While claims are only added, free resources only decrease: tasks that did not fit
 * still do not fit, and a job of the same shape with at least as many tasks and at least as long a limit
 * cannot start before the job that was just placed. How many tasks fit from now on depends on the end of the
 * job only through the reservations that begin before this end.
 */
#include "placement_state.h"

#include <string.h>

#include "sched/base/vec.h"

#define SHAPES_MOST 1024 /* maximum number of shapes; for further shapes nothing is cached */
#define TABLE_SIZE  4096

/* --- shapes --------------------------------------------------------------------------------------------- */

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
	if (p->shape_count == SHAPES_MOST)
		return NULL;
	p->shape = vec_room(p->shape, &p->shape_cap, p->shape_count + 1, sizeof *p->shape);
	p->shape[p->shape_count] = (struct shape){.key = key};
	p->shape_at[at] = (uint32_t)++p->shape_count;
	return &p->shape[p->shape_count - 1];
}

void memo_forget(struct placement *p)
{
	if (p->shape_count > 0)
		memset(p->shape_at, 0, TABLE_SIZE * sizeof *p->shape_at);
	p->shape_count = 0;
}

/* --- cached totals -------------------------------------------------------------------------------------- */

/* Returns how many of the noted results are still cached. */
static unsigned cached(unsigned noted)
{
	return noted < RESULTS_MOST ? noted : RESULTS_MOST;
}

bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s)
{
	for (unsigned i = 0; i < cached(shape->total_count); i++)
		if (shape->total[i].end_s <= end_s && shape->total[i].tasks < tasks)
			return true;
	return false;
}

/* Do the same reservations begin before a_s as before b_s? */
static bool same_reservations(const struct placement *p, int64_t a_s, int64_t b_s)
{
	size_t low = 0, high = p->future_begin_count;

	/* Binary search for the first reservation that begins at or after the earlier time. */
	if (a_s > b_s)
		return same_reservations(p, b_s, a_s);
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
	for (unsigned i = 0; i < cached(shape->total_count); i++) {
		const struct total *total = &shape->total[i];

		if (total->lack == LACK_COUNT || total->version != p->version ||
		    !same_reservations(p, total->end_s, end_s))
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
	shape->total[shape->total_count++ % RESULTS_MOST] =
		(struct total){.version = p->version, .end_s = end_s, .tasks = tasks, .lack = lack};
}

/* --- cached start times --------------------------------------------------------------------------------- */

int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s)
{
	for (unsigned i = 0; i < cached(shape->begin_count); i++) {
		const struct begin *begin = &shape->begin[i];

		if (begin->tasks <= job->tasks && begin->wall_s <= job->wall_limit_s &&
		    begin->from_s <= from_s && begin->begin_s > from_s)
			from_s = begin->begin_s;
	}
	return from_s;
}

void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s)
{
	shape->begin[shape->begin_count++ % RESULTS_MOST] = (struct begin){
		.tasks = job->tasks, .wall_s = job->wall_limit_s, .from_s = from_s, .begin_s = begin_s};
}
