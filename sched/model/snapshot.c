/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - layout and copying of snapshots
 */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

const uint32_t snapshot_item_size[TABLE_COUNT] = {
	[TABLE_JOBS] = sizeof(struct job),
	[TABLE_WAITING] = sizeof(struct waiting),
	[TABLE_RUNNING] = sizeof(uint32_t),
	[TABLE_NODES] = sizeof(struct node),
	[TABLE_CREDS] = sizeof(struct cred),
	[TABLE_PARTITIONS] = sizeof(struct partition),
	[TABLE_RUNS] = sizeof(struct alloc_run),
	[TABLE_CHANGES] = sizeof(struct change),
	[TABLE_VALUES] = sizeof(struct config_entry),
	[TABLE_USAGE] = sizeof(struct usage),
	[TABLE_LIMITS] = sizeof(struct limit),
	[TABLE_PERMITS] = sizeof(struct permit),
	[TABLE_TRAITS] = sizeof(struct trait),
	[TABLE_DEPENDS] = sizeof(struct depend),
	[TABLE_ADVANCES] = sizeof(struct advance),
	[TABLE_KEPT_RUNS] = sizeof(struct alloc_run),
	[TABLE_GUESTS] = sizeof(struct guest),
	[TABLE_STRINGS] = 1,
};

int64_t snapshot_pass_s(const struct snapshot *s, int64_t at_s)
{
	int64_t beyond_s;

	if (s->grid_s == 0 || at_s >= TIME_NEVER - s->grid_s)
		return at_s;
	beyond_s = at_s % s->grid_s;
	if (beyond_s != 0)
		at_s += (beyond_s < 0 ? 0 : s->grid_s) - beyond_s;
	return at_s > s->grid_passed_s ? at_s : s->grid_passed_s + s->grid_s;
}

int64_t snapshot_next_return_s(const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);
	int64_t next_s = TIME_NEVER;

	for (uint32_t i = 0; s->timed_changes > 0 && i < snapshot_count(s, TABLE_CHANGES); i++)
		if (snapshot_is_for_a_while(&change[i]) && change[i].until_s < next_s)
			next_s = change[i].until_s;
	return next_s;
}

size_t snapshot_layout(struct snapshot_table table[TABLE_COUNT], const uint32_t room[TABLE_COUNT])
{
	uint64_t at = snapshot_align(sizeof(struct snapshot));

	for (int i = 0; i < TABLE_COUNT; i++) {
		table[i].offset = at;
		table[i].room = room[i];
		at = snapshot_align(at + (uint64_t)room[i] * snapshot_item_size[i]);
	}
	return at;
}

/* Sets count[i] to the number of items in use in table i. */
static void count_items(const struct snapshot *s, uint32_t count[TABLE_COUNT])
{
	for (int i = 0; i < TABLE_COUNT; i++)
		count[i] = s->table[i].count;
}

size_t snapshot_copy_size(const struct snapshot *s)
{
	struct snapshot_table table[TABLE_COUNT];
	uint32_t count[TABLE_COUNT];

	count_items(s, count);
	return snapshot_layout(table, count);
}

/* Copies the items of all tables. `to` must have memory for them, and its tables must be laid out. */
static void copy_tables(struct snapshot *to, const struct snapshot *from, const uint32_t count[TABLE_COUNT])
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		size_t bytes = (size_t)count[i] * snapshot_item_size[i];

		to->table[i].count = count[i];
		if (bytes > 0)
			memcpy((char *)to + to->table[i].offset, (const char *)from + from->table[i].offset,
			       bytes);
	}
}

static void copy_to(struct snapshot *to, const struct snapshot *s, const uint32_t room[TABLE_COUNT])
{
	uint32_t count[TABLE_COUNT];

	count_items(s, count);
	memcpy(to, s, sizeof *to);
	to->size = snapshot_layout(to->table, room);
	copy_tables(to, s, count);
}

bool snapshot_write_copy(const struct snapshot *s, snapshot_write *put, void *self)
{
	struct snapshot header = *s;
	uint32_t count[TABLE_COUNT];

	count_items(s, count);
	header.size = snapshot_layout(header.table, count);
	if (!put(self, 0, &header, sizeof header))
		return false;
	for (int i = 0; i < TABLE_COUNT; i++)
		if (count[i] > 0 && !put(self, header.table[i].offset, (const char *)s + s->table[i].offset,
					 (size_t)count[i] * snapshot_item_size[i]))
			return false;
	return true;
}

struct snapshot *snapshot_copy_with_room(const struct snapshot *s, const uint32_t room[TABLE_COUNT])
{
	struct snapshot_table table[TABLE_COUNT];
	struct snapshot *to = mem_alloc(snapshot_layout(table, room));

	copy_to(to, s, room);
	return to;
}

#define SHRINK_BELOW 8 /* a buffer that is this many times as large as the copy is made smaller */

struct snapshot *snapshot_copy_into(const struct snapshot *s, const uint32_t room[TABLE_COUNT],
				    struct snapshot_buffer *buffer)
{
	struct snapshot_table table[TABLE_COUNT];
	uint32_t count[TABLE_COUNT];
	size_t size;

	count_items(s, count);
	room = room == NULL ? count : room;
	size = snapshot_layout(table, room);
	if (size > buffer->room || size < buffer->room / SHRINK_BELOW) {
		free(buffer->at);
		buffer->room = size + size / 4;
		buffer->at = mem_alloc(buffer->room);
	}
	copy_to(buffer->at, s, room);
	return buffer->at;
}

/* Clears the members of the header that count or refer to jobs and changes. */
static void forget_jobs(struct snapshot *to)
{
	to->procs_busy = to->nodes_busy = 0;
	to->ends_pending = to->adjusted = to->planned = to->paused = to->particular = 0;
	to->shifted = to->deferred = to->throttled = to->of_arrays = to->released = 0;
	to->gone_changes = to->timed_changes = to->depend_changes = 0;
	to->site_changed = to->settled_seq = 0;
}

static void forget_jobs_of(struct cred *cred)
{
	cred->jobs = 0;
	cred->stored = cred->texts = cred->kept_depends = cred->kept_changes = 0;
}

static void empty_node(struct node *node)
{
	node->procs_busy = node->jobs = node->held_whole = node->held_user = 0;
	node->mem_busy_mb = node->swap_busy_mb = node->disk_busy_mb = 0;
	memset(node->gres_busy, 0, sizeof node->gres_busy);
	node->user = INDEX_NONE;
	node->users = node->users_mixed = 0;
	node->active_from_s = TIME_NONE;
}

struct snapshot *snapshot_copy_site(const struct snapshot *s)
{
	static const enum snapshot_table_id of_jobs[] = {TABLE_JOBS, TABLE_WAITING, TABLE_RUNNING,
							 TABLE_RUNS, TABLE_CHANGES, TABLE_DEPENDS};
	uint32_t count[TABLE_COUNT];
	struct snapshot_table table[TABLE_COUNT];
	struct snapshot *to;
	struct node *node;
	struct cred *cred;

	count_items(s, count);
	for (size_t i = 0; i < sizeof of_jobs / sizeof of_jobs[0]; i++)
		count[of_jobs[i]] = 0;
	to = mem_alloc(snapshot_layout(table, count));
	memcpy(to, s, sizeof *to);
	to->size = snapshot_layout(to->table, count);
	copy_tables(to, s, count);
	forget_jobs(to);
	node = (struct node *)((char *)to + to->table[TABLE_NODES].offset);
	for (uint32_t i = 0; i < count[TABLE_NODES]; i++)
		empty_node(&node[i]);
	cred = (struct cred *)((char *)to + to->table[TABLE_CREDS].offset);
	for (uint32_t i = 0; i < count[TABLE_CREDS]; i++)
		forget_jobs_of(&cred[i]);
	return to;
}

struct snapshot *snapshot_copy(const struct snapshot *s)
{
	uint32_t count[TABLE_COUNT];

	count_items(s, count);
	return snapshot_copy_with_room(s, count);
}
