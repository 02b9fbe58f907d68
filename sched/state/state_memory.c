/* SPDX-License-Identifier: MIT */
/*
 * state_memory.c - how do the tables of the live state grow and shrink?
 *
 * Each has memory for more items than it has. The two that are kept in order are closed up
 * from the shorter side, so that taking the head off a queue of hundreds of thousands
 * moves nothing: such a table begins later in its memory, and slides back when it has
 * come to the end.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/* --- room --------------------------------------------------------------------------- */

void *state_item(struct state *st, enum snapshot_table_id id, uint32_t i)
{
	return (char *)st->s + st->s->table[id].offset + (size_t)i * snapshot_item_size[id];
}

struct job *state_job(struct state *st, uint32_t slot)
{
	return state_item(st, TABLE_JOBS, slot);
}

struct snapshot *state_header(struct state *st)
{
	return st->s;
}

const struct snapshot *state_view(const struct state *st)
{
	return st->s;
}

/* Items of memory before the first: those that were taken off the head. */
static uint32_t room_before(const struct snapshot *s, enum snapshot_table_id id)
{
	const struct snapshot_table *table = s->table;
	uint64_t end;

	if (id == 0)
		return 0;
	end = table[id - 1].offset + (uint64_t)table[id - 1].room * snapshot_item_size[id - 1];
	return (uint32_t)((table[id].offset - snapshot_align(end)) / snapshot_item_size[id]);
}

/* Moves the whole table by so many items: its room is then behind it. */
static void slide_back(struct state *st, enum snapshot_table_id id, uint32_t by)
{
	struct snapshot_table *table = &st->s->table[id];
	void *from = state_item(st, id, 0);

	table->offset -= (uint64_t)by * snapshot_item_size[id];
	table->room += by;
	memmove(state_item(st, id, 0), from, (size_t)table->count * snapshot_item_size[id]);
}

static void grow(struct state *st, enum snapshot_table_id id, uint32_t more)
{
	uint32_t room[TABLE_COUNT];
	struct snapshot *old = st->s;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = room_before(old, (enum snapshot_table_id)i) + old->table[i].room;
	room[id] = room[id] * 2 > room[id] + more ? room[id] * 2 : room[id] + more;
	st->s = snapshot_copy_with_room(old, room);
	free(old);
}

/* A slide is paid for by as many items taken off the head before it. */
void state_make_room(struct state *st, enum snapshot_table_id id, uint32_t more)
{
	const struct snapshot_table *table = &st->s->table[id];
	uint32_t before;

	if (table->room - table->count >= more)
		return;
	before = room_before(st->s, id);
	if (before >= more && before >= table->count / 2)
		slide_back(st, id, before);
	else
		grow(st, id, more);
}

/* --- empty slots ------------------------------------------------------------------------ */

#define SLOTS_KEPT 1024 /* as few are not worth a move */

/* Where each job goes: the jobs move together and keep their order. */
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

/* The tables keep a quarter more than they have, so that the next submissions do not move the block again. */
static void give_room_back(struct state *st)
{
	uint32_t room[TABLE_COUNT];
	struct snapshot *old = st->s;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = old->table[i].count + old->table[i].count / 4 + 8;
	st->s = snapshot_copy_with_room(old, room);
	free(old);
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
	give_room_back(st);
}

/* --- tables in order ---------------------------------------------------------------- */

void *state_open_gap(struct state *st, enum snapshot_table_id id, uint32_t i)
{
	struct snapshot_table *table;
	size_t size = snapshot_item_size[id];
	char *at;

	state_make_room(st, id, 1);
	table = &st->s->table[id];
	at = state_item(st, id, i);
	memmove(at + size, at, (table->count - i) * size);
	table->count++;
	return at;
}

void state_close_gap(struct state *st, enum snapshot_table_id id, uint32_t i)
{
	struct snapshot_table *table = &st->s->table[id];
	size_t size = snapshot_item_size[id];
	char *first = state_item(st, id, 0), *at = first + i * size;

	/* The shorter side moves. */
	if (i < table->count / 2) {
		memmove(first + size, first, i * size);
		table->offset += size;
		table->room--;
	} else {
		memmove(at, at + size, (table->count - i - 1) * size);
	}
	table->count--;
}

/* --- strings ------------------------------------------------------------------------ */

uint32_t state_add_string(struct state *st, const char *text)
{
	struct snapshot_table *table;
	uint32_t at, bytes;

	if (text == NULL || text[0] == '\0')
		return 0;
	bytes = (uint32_t)strlen(text) + 1;
	state_make_room(st, TABLE_STRINGS, bytes);
	table = &st->s->table[TABLE_STRINGS];
	at = table->count;
	memcpy(state_item(st, TABLE_STRINGS, at), text, bytes);
	table->count += bytes;
	return at;
}

/* A string that several name moves once. */
struct string_move {
	char *text;
	uint32_t count;
	uint32_t *moved; /* by old offset: where it is now; 0 = not moved yet */
	const struct snapshot *s;
};

static void move_string(struct string_move *to, uint32_t *at)
{
	const char *text = snapshot_string(to->s, *at);
	size_t bytes = strlen(text) + 1;

	if (*at == 0)
		return;
	if (to->moved[*at] == 0) {
		memcpy(to->text + to->count, text, bytes);
		to->moved[*at] = to->count;
		to->count += (uint32_t)bytes;
	}
	*at = to->moved[*at];
}

static void move_site_strings(struct state *st, struct string_move *to)
{
	struct snapshot *s = st->s;

	move_string(to, &s->config_file);
	move_string(to, &s->config_text);
	move_string(to, &s->local_program);
	move_string(to, &s->priorityf);
	for (int i = 0; i < SITE_TEXT_COUNT; i++)
		move_string(to, &s->site_text[i]);
	for (uint32_t i = 0; i < s->table[TABLE_CREDS].count; i++)
		move_string(to, &((struct cred *)state_item(st, TABLE_CREDS, i))->name);
	for (uint32_t i = 0; i < s->table[TABLE_PARTITIONS].count; i++)
		move_string(to, &((struct partition *)state_item(st, TABLE_PARTITIONS, i))->name);
	for (uint32_t i = 0; i < s->table[TABLE_TRAITS].count; i++)
		move_string(to, &((struct trait *)state_item(st, TABLE_TRAITS, i))->name);
	for (uint32_t i = 0; i < s->table[TABLE_NODES].count; i++) {
		struct node *node = state_item(st, TABLE_NODES, i);

		move_string(to, &node->name);
		move_string(to, &node->priorityf);
		move_string(to, &node->used_by);
	}
	for (uint32_t i = 0; i < s->table[TABLE_VALUES].count; i++) {
		struct config_entry *entry = state_item(st, TABLE_VALUES, i);

		move_string(to, &entry->title);
		move_string(to, &entry->text);
	}
}

static void move_job_strings(struct state *st, struct string_move *to)
{
	for (uint32_t i = 0; i < st->s->table[TABLE_CHANGES].count; i++) {
		struct change *change = state_item(st, TABLE_CHANGES, i);

		move_string(to, &change->name);
		move_string(to, &change->value);
		move_string(to, &change->base);
	}
	for (uint32_t i = 0; i < st->s->table[TABLE_ADVANCES].count; i++) {
		struct advance *advance = state_item(st, TABLE_ADVANCES, i);

		move_string(to, &advance->name);
		move_string(to, &advance->owner);
		move_string(to, &advance->reason);
	}
	for (uint32_t i = 0; i < st->s->table[TABLE_JOBS].count; i++) {
		struct job *job = state_job(st, i);

		if (job->state == JOB_NONE)
			continue;
		move_string(to, &job->label);
		move_string(to, &job->name);
		move_string(to, &job->hosts);
		move_string(to, &job->order);
		move_string(to, &job->hold_reason);
		move_string(to, &job->base_reason);
		for (int k = 0; k < UNKNOWN_COUNT; k++)
			move_string(to, &job->unknown[k]);
	}
}

void state_compact_strings(struct state *st)
{
	uint32_t count = st->s->table[TABLE_STRINGS].count;
	struct string_move to = {.s = st->s, .count = 1};

	if (st->string_waste < 65536 || st->string_waste < count / 2)
		return;
	to.text = mem_zero(count, 1);
	to.moved = mem_zero(count, sizeof *to.moved);
	move_site_strings(st, &to);
	move_job_strings(st, &to);
	memcpy(state_item(st, TABLE_STRINGS, 0), to.text, to.count);
	st->s->table[TABLE_STRINGS].count = to.count;
	st->string_waste = 0;
	free(to.text);
	free(to.moved);
}

void state_waste_string(struct state *st, uint32_t at)
{
	if (at != 0)
		st->string_waste += (uint32_t)strlen(snapshot_string(st->s, at)) + 1;
}

void state_wipe_string(struct state *st, uint32_t at)
{
	char *text = state_item(st, TABLE_STRINGS, at);

	state_waste_string(st, at);
	if (at != 0)
		memset(text, 0, strlen(text));
}

void state_waste_change(struct state *st, const struct change *change)
{
	state_waste_string(st, change->name);
	state_waste_string(st, change->value);
	state_waste_string(st, change->base);
}
