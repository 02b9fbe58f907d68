/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - how is a snapshot laid out, copied and looked into?
 */
#include "snapshot.h"

#include <stdio.h>
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

/* Room for what is there, and no more. */
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

/* to has memory for layout; its header's tables are already laid out. */
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

uint32_t snapshot_find_job(const struct snapshot *s, uint64_t id)
{
	const struct job *job = snapshot_jobs(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (job[i].id == id && job[i].state != JOB_NONE)
			return i;
	return INDEX_NONE;
}

uint32_t snapshot_find_partition(const struct snapshot *s, const char *name)
{
	if (name == NULL || name[0] == '\0')
		return 0;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		if (str_same_word(snapshot_string(s, snapshot_partitions(s)[i].name), name))
			return i;
	return INDEX_NONE;
}

uint32_t snapshot_find_advance(const struct snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++)
		if (str_same_word(snapshot_string(s, snapshot_advances(s)[i].name), name))
			return i;
	return INDEX_NONE;
}

bool snapshot_is_guest(const struct snapshot *s, const struct advance *advance, const struct job *job)
{
	for (uint32_t i = 0; i < advance->guest_count; i++) {
		const struct guest *guest = &snapshot_guests(s)[advance->first_guest + i];

		if (guest->type == GUEST_JOB ? guest->job == job->id : guest->cred == job->cred[guest->type])
			return true;
	}
	return false;
}

uint32_t snapshot_find_label(const struct snapshot *s, const char *label)
{
	const struct job *job = snapshot_jobs(s);
	char buf[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE && strcmp(snapshot_job_label(s, &job[i], buf), label) == 0)
			return i;
	return INDEX_NONE;
}

uint32_t snapshot_find_cred(const struct snapshot *s, enum cred_type type, const char *name)
{
	const struct cred *cred = snapshot_creds(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		if (cred[i].type == (uint32_t)type && strcmp(snapshot_string(s, cred[i].name), name) == 0)
			return i;
	return INDEX_NONE;
}

const char *snapshot_job_label(const struct snapshot *s, const struct job *job,
			       char buf[static JOB_LABEL_TEXT])
{
	if (job->label != 0)
		return snapshot_string(s, job->label);
	snprintf(buf, JOB_LABEL_TEXT, "%llu", (unsigned long long)job->id);
	return buf;
}

const char *snapshot_job_cred(const struct snapshot *s, const struct job *job, enum cred_type type)
{
	uint32_t i = job->cred[type];

	return i == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[i].name);
}
