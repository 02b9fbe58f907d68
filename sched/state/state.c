/* SPDX-License-Identifier: MIT */
/*
 * state.c - creating, copying and freeing a state; its empty job slots, and changes of the clock
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state.h"
#include "state_inside.h"

/* --- creating and freeing a state --------------------------------------------------------------------- */

static struct state *state_around(struct snapshot *s)
{
	struct state *st = mem_zero(1, sizeof *st);

	st->s = s;
	st->block_bytes = s->size;
	st->depend_search = mem_zero(1, sizeof *st->depend_search);
	st->free_run = st->free_depend = INDEX_NONE;
	return st;
}

/* Initial capacity of each table. */
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
	state_index_arrays(st);
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

/*
 * Chains the unused items of a table and returns the first. next: offset of the member with the index of the
 * next item.
 */
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

/* Collects the free slots, runs and dependencies: those that no job refers to. */
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
	/*
	 * A projection on the copy starts the waiting jobs. Without capacity for them the block would grow,
	 * and be copied, many times.
	 */
	room[TABLE_RUNNING] += s->table[TABLE_WAITING].count;
	room[TABLE_RUNS] += s->table[TABLE_WAITING].count;
	room[TABLE_USAGE] += s->policy.fs_policy == FS_NONE ? 0 : s->table[TABLE_CREDS].count;
	st = state_around(snapshot_copy_with_room(s, room));
	state_index_all(st);
	state_index_arrays(st);
	collect_free(st);
	return st;
}

/* Copies the block with the same layout: the header, then the items of each table. */
static void copy_block(struct state *to, const struct state *from)
{
	const struct snapshot *s = from->s;

	if (to->block_bytes < s->size) {
		to->s = mem_resize(to->s, from->block_bytes);
		to->block_bytes = from->block_bytes;
	}
	memcpy(to->s, s, sizeof *s);
	for (int i = 0; i < TABLE_COUNT; i++)
		memcpy((char *)to->s + s->table[i].offset, (const char *)s + s->table[i].offset,
		       (size_t)s->table[i].count * snapshot_item_size[i]);
}

void state_copy(struct state *to, const struct state *from)
{
	copy_block(to, from);
	state_index_copy(to, from);
	state_copy_arrays(to, from);
	state_named_copy(to, from);
	to->free_slot = vec_room(to->free_slot, &to->free_room, from->free_count, sizeof *to->free_slot);
	if (from->free_count > 0)
		memcpy(to->free_slot, from->free_slot, from->free_count * sizeof *to->free_slot);
	to->free_count = from->free_count;
	to->free_run = from->free_run;
	to->free_depend = from->free_depend;
	to->reserved_id = from->reserved_id;
	to->no_lost = from->no_lost;
	to->string_waste = from->string_waste;
	to->marks.kept = to->marks.all = false;
	to->marks.count = 0;
	state_free_depend_search(to->depend_search);
	to->depend_search = mem_zero(1, sizeof *to->depend_search);
}

void state_free(struct state *st)
{
	if (st == NULL)
		return;
	state_index_free(st);
	state_named_free(st);
	state_free_arrays(st);
	free(st->free_slot);
	free(st->marks.seq);
	state_free_depend_search(st->depend_search);
	free(st->s);
	free(st);
}

/* --- empty slots ------------------------------------------------------------------------ */

#define SLOTS_KEPT 1024 /* with fewer slots a move is not worthwhile */

/*
 * Moves the jobs together, in the same order. Returns the new slot of each job by its old slot; the caller
 * frees it.
 */
static uint32_t *move_jobs(struct state *st)
{
	uint32_t *moved = mem_zero(st->s->table[TABLE_JOBS].count, sizeof *moved), count = 0;

	for (uint32_t i = 0; i < st->s->table[TABLE_JOBS].count; i++) {
		if (state_job(st, i)->state == JOB_NONE)
			continue;
		if (count != i)
			*state_job(st, count) = *state_job(st, i);
		moved[i] = count++;
	}
	st->s->table[TABLE_JOBS].count = count;
	return moved;
}

void state_close_slots(struct state *st)
{
	uint32_t count = st->s->table[TABLE_JOBS].count, *moved;

	if (count < SLOTS_KEPT || st->free_count < count - count / 4)
		return;
	moved = move_jobs(st);
	for (uint32_t i = 0; i < st->s->table[TABLE_WAITING].count; i++) {
		struct waiting *waiting = state_item(st, TABLE_WAITING, i);

		waiting->slot = moved[waiting->slot];
	}
	for (uint32_t i = 0; i < st->s->table[TABLE_RUNNING].count; i++) {
		uint32_t *running = state_item(st, TABLE_RUNNING, i);

		*running = moved[*running];
	}
	free(moved);
	st->free_count = 0;
	state_index_slots(st);
	state_give_room_back(st);
}

/* --- when the system clock is set --------------------------------------------------------------------- */

/*
 * Times that measure elapsed time move with the clock, so that their distance from now stays the same; other
 * times stay (event.h). All jobs move by the same amount, so their order does not change.
 */

/* Moves a time, unless it is 0 and therefore not set. */
static void move_if_any(int64_t *at_s, int64_t by_s)
{
	if (*at_s != 0)
		time_move(at_s, by_s);
}

static void move_job(struct job *job, int64_t by_s)
{
	time_move(&job->submit_s, by_s);
	time_move(&job->accrual_s, by_s);
	time_move(&job->start_s, by_s);
	time_move(&job->planned_s, by_s);
	time_move(&job->defer_until_s, by_s);
	move_if_any(&job->suspended_at_s, by_s);
	move_if_any(&job->resume_s, by_s);
	move_if_any(&job->held_since_s, by_s);
}

/* Windows move by whole intervals, so that the current window stays the current one. */
static void move_windows(struct snapshot *s, int64_t now_s, int64_t by_s)
{
	int64_t length_s = s->policy.fs_interval_s;
	int64_t windows_s = fs_window_begin(now_s, length_s) - fs_window_begin(now_s - by_s, length_s);

	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++)
		if (s->fs_window[i].length_s > 0)
			time_move(&s->fs_window[i].begin_s, windows_s);
}

void state_set_clock(struct state *st, int64_t now_s, int64_t by_s)
{
	for (uint32_t slot = 0; slot < snapshot_count(st->s, TABLE_JOBS); slot++)
		if (snapshot_jobs(st->s)[slot].state != JOB_NONE)
			move_job(state_job(st, slot), by_s);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
		time_move(&((struct node *)state_item(st, TABLE_NODES, i))->active_from_s, by_s);
	time_move(&st->s->stats_since_s, by_s);
	move_windows(st->s, now_s, by_s);
}
