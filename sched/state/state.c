/* SPDX-License-Identifier: MIT */
/*
 * state.c - how does a live state begin and end?
 *
 * Everything that means something is in the snapshot block; what stands beside it
 * (indexes, free lists) can be rebuilt from the block at any time.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

static struct state *state_around(struct snapshot *s)
{
	struct state *st = mem_zero(1, sizeof *st);

	st->s = s;
	st->depend_search = mem_zero(1, sizeof *st->depend_search);
	st->free_run = st->free_depend = INDEX_NONE;
	return st;
}

/* Rows that tables have room for before they grow. */
static const uint32_t first_room[TABLE_COUNT] = {
	[TABLE_JOBS] = 64,   [TABLE_WAITING] = 64,   [TABLE_RUNNING] = 64, [TABLE_NODES] = 64,
	[TABLE_CREDS] = 64,  [TABLE_PARTITIONS] = 4, [TABLE_RUNS] = 64,    [TABLE_CHANGES] = 16,
	[TABLE_VALUES] = 64, [TABLE_USAGE] = 4,      [TABLE_LIMITS] = 16,  [TABLE_PERMITS] = 4,
	[TABLE_TRAITS] = 4,  [TABLE_DEPENDS] = 4,    [TABLE_ADVANCES] = 2, [TABLE_KEPT_RUNS] = 4,
	[TABLE_GUESTS] = 4,  [TABLE_STRINGS] = 4096,
};

struct state *state_new(void)
{
	struct snapshot empty = {
		.magic = SNAPSHOT_MAGIC,
		.version = SNAPSHOT_VERSION,
		.now_s = TIME_NONE,
		.stats_since_s = TIME_NONE,
		.qdef = INDEX_NONE,
		.next_job_id = 1,
	};
	struct state *st;

	policy_default(&empty.policy);
	st = state_around(snapshot_copy_with_room(&empty, first_room));
	*(char *)state_item(st, TABLE_STRINGS, 0) = '\0';
	st->s->table[TABLE_STRINGS].count = 1;
	state_index_all(st);
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		state_intern_cred(st, (enum cred_type)t, CRED_DEFAULT);
	struct partition *all = state_item(st, TABLE_PARTITIONS, 0);
	memset(all, 0, sizeof *all);
	st->s->table[TABLE_PARTITIONS].count = 1;
	uint32_t name = state_add_string(st, "ALL");
	((struct partition *)state_item(st, TABLE_PARTITIONS, 0))->name = name;
	state_rebuild_policy(st);
	return st;
}

/* The items of a chained table that no job names, as a chain. next: where an item says the next. */
static uint32_t chain_free(struct state *st, enum snapshot_table_id id, const bool *used, size_t next)
{
	uint32_t first = INDEX_NONE;

	for (uint32_t i = snapshot_count(st->s, id); i-- > 0;) {
		if (used[i])
			continue;
		memcpy((char *)state_item(st, id, i) + next, &first, sizeof first);
		first = i;
	}
	return first;
}

/* Finds the free slots, runs and dependencies again: those that no job names. */
static void collect_free(struct state *st)
{
	bool *runs = mem_zero(snapshot_count(st->s, TABLE_RUNS) + 1, sizeof *runs);
	bool *depends = mem_zero(snapshot_count(st->s, TABLE_DEPENDS) + 1, sizeof *depends);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		const struct job *job = state_job(st, i);

		if (job->state == JOB_NONE) {
			st->free_slot = vec_room(st->free_slot, &st->free_room, st->free_count + 1,
						 sizeof *st->free_slot);
			st->free_slot[st->free_count++] = i;
			continue;
		}
		for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next)
			runs[r] = true;
		for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(st->s)[d].next)
			depends[d] = true;
	}
	st->free_run = chain_free(st, TABLE_RUNS, runs, offsetof(struct alloc_run, next));
	st->free_depend = chain_free(st, TABLE_DEPENDS, depends, offsetof(struct depend, next));
	free(runs);
	free(depends);
}

struct state *state_from_snapshot(const struct snapshot *s)
{
	uint32_t room[TABLE_COUNT];
	struct state *st;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = s->table[i].count + s->table[i].count / 8 + 8;
	st = state_around(snapshot_copy_with_room(s, room));
	state_index_all(st);
	collect_free(st);
	return st;
}

void state_free(struct state *st)
{
	if (st == NULL)
		return;
	state_index_free(st);
	free(st->free_slot);
	free(st->marks.seq);
	free(st->depend_search->named);
	free(st->depend_search);
	free(st->s);
	free(st);
}
