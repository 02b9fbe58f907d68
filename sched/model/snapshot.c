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

/* The capacity that just holds the items in use. */
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

/* `to` has memory for its layout, and its tables are laid out. */
static void copy_tables(struct snapshot *to, const struct snapshot *from)
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		size_t bytes = (size_t)from->table[i].count * snapshot_item_size[i];

		to->table[i].count = from->table[i].count;
		if (bytes > 0)
			memcpy((char *)to + to->table[i].offset, (const char *)from + from->table[i].offset,
			       bytes);
	}
}

static void copy_to(struct snapshot *to, const struct snapshot *s, const uint32_t room[TABLE_COUNT])
{
	memcpy(to, s, sizeof *to);
	to->size = snapshot_layout(to->table, room);
	copy_tables(to, s);
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

struct snapshot *snapshot_copy_into(const struct snapshot *s, void *buffer, size_t *room)
{
	uint32_t count[TABLE_COUNT];
	size_t size = snapshot_copy_size(s);

	count_items(s, count);
	if (size > *room) {
		free(buffer);
		*room = size + size / 4;
		buffer = mem_alloc(*room);
	}
	copy_to(buffer, s, count);
	return buffer;
}

struct snapshot *snapshot_copy(const struct snapshot *s)
{
	uint32_t count[TABLE_COUNT];

	count_items(s, count);
	return snapshot_copy_with_room(s, count);
}
