/* SPDX-License-Identifier: MIT */
/*
 * state_index.c - hash indexes of jobs, credentials and nodes by ID or name
 *
 * The hash tables are beside the snapshot block. They contain positions only, and are rebuilt from the block
 * when a state is made from a snapshot. The few partitions are searched linearly.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/* --- hashes ---------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t seed, const char *text)
{
	uint64_t h = seed ^ UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return state_mix(h);
}

static void index_put(struct index_table *t, uint64_t hash, uint32_t value)
{
	uint32_t i = (uint32_t)hash & (t->room - 1);

	while (t->entry[i] != INDEX_NONE)
		i = (i + 1) & (t->room - 1);
	t->entry[i] = value;
	t->count++;
}

/* Empties the table and ensures capacity for `need` entries. */
static void index_reset(struct index_table *t, uint32_t need)
{
	uint32_t room = 64;

	while (room < need + need / 2 + 1)
		room *= 2;
	t->entry = mem_resize(t->entry, room * sizeof *t->entry);
	memset(t->entry, 0xff, room * sizeof *t->entry);
	t->room = room;
	t->count = 0;
}

static bool index_full(const struct index_table *t)
{
	return (t->count + 1) * 3 > t->room * 2;
}

static uint64_t hash_cred(const struct snapshot *s, uint32_t i)
{
	const struct cred *cred = &snapshot_creds(s)[i];

	return hash_text(cred->type, snapshot_string(s, cred->name));
}

static void index_creds(struct state *st)
{
	index_reset(&st->by_cred, 2 * snapshot_count(st->s, TABLE_CREDS));
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		index_put(&st->by_cred, hash_cred(st->s, i), i);
}

static void index_nodes(struct state *st)
{
	const struct node *node = snapshot_nodes(st->s);

	index_reset(&st->by_node, 2 * snapshot_count(st->s, TABLE_NODES));
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
		index_put(&st->by_node, hash_text(0, snapshot_string(st->s, node[i].name)), i);
}

static uint64_t hash_task(uint64_t array, uint32_t number)
{
	return state_mix(state_mix(array) + number);
}

/* Rebuilds the index of tasks, with capacity for twice as many tasks. */
static void index_tasks(struct state *st)
{
	const struct job *job = snapshot_jobs(st->s);
	uint32_t tasks = 0;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		tasks += job[i].state != JOB_NONE && job[i].array != 0;
	index_reset(&st->by_task, 2 * tasks);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE && job[i].array != 0)
			index_put(&st->by_task, hash_task(job[i].array, job[i].array_index), i);
}

static void index_jobs(struct state *st)
{
	const struct job *job = snapshot_jobs(st->s);

	index_reset(&st->by_id,
		    2 * (snapshot_count(st->s, TABLE_WAITING) + snapshot_count(st->s, TABLE_RUNNING)));
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE)
			index_put(&st->by_id, state_mix(job[i].id), i);
}

static uint32_t find_entry(const struct state *st, uint64_t id)
{
	const struct index_table *t = &st->by_id;
	const struct job *job = snapshot_jobs(st->s);
	uint32_t i = (uint32_t)state_mix(id) & (t->room - 1);

	while (t->entry[i] != INDEX_NONE && job[t->entry[i]].id != id)
		i = (i + 1) & (t->room - 1);
	return i;
}

uint32_t state_find(const struct state *st, uint64_t id)
{
	return st->by_id.entry[find_entry(st, id)];
}

static uint32_t find_task_entry(const struct state *st, uint64_t array, uint32_t number)
{
	const struct index_table *t = &st->by_task;
	const struct job *job = snapshot_jobs(st->s);
	uint32_t i = (uint32_t)hash_task(array, number) & (t->room - 1);

	while (t->entry[i] != INDEX_NONE &&
	       (job[t->entry[i]].array != array || job[t->entry[i]].array_index != number))
		i = (i + 1) & (t->room - 1);
	return i;
}

uint32_t state_find_task(const struct state *st, uint64_t array, uint32_t number)
{
	return st->by_task.entry[find_task_entry(st, array, number)];
}

static void unindex_task(struct state *st, const struct job *task)
{
	struct index_table *t = &st->by_task;
	const struct job *job = snapshot_jobs(st->s);
	uint32_t mask = t->room - 1, hole = find_task_entry(st, task->array, task->array_index);

	for (uint32_t i = (hole + 1) & mask; t->entry[i] != INDEX_NONE; i = (i + 1) & mask) {
		const struct job *other = &job[t->entry[i]];
		uint32_t home = (uint32_t)hash_task(other->array, other->array_index) & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			t->entry[hole] = t->entry[i];
			hole = i;
		}
	}
	t->entry[hole] = INDEX_NONE;
	t->count--;
}

/* Backward-shift deletion leaves no tombstones, so that searches stay short however many jobs have left. */
void state_unindex_job(struct state *st, uint64_t id)
{
	struct index_table *t = &st->by_id;
	const struct job *job = snapshot_jobs(st->s);
	uint32_t mask = t->room - 1, hole = find_entry(st, id);
	const struct job *gone = &job[t->entry[hole]];

	if (gone->array != 0)
		unindex_task(st, gone);
	for (uint32_t i = (hole + 1) & mask; t->entry[i] != INDEX_NONE; i = (i + 1) & mask) {
		uint32_t home = (uint32_t)state_mix(job[t->entry[i]].id) & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			t->entry[hole] = t->entry[i];
			hole = i;
		}
	}
	t->entry[hole] = INDEX_NONE;
	t->count--;
}

void state_index_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);

	if (job->array != 0 && index_full(&st->by_task))
		index_tasks(st);
	else if (job->array != 0)
		index_put(&st->by_task, hash_task(job->array, job->array_index), slot);
	if (index_full(&st->by_id))
		index_jobs(st);
	else
		index_put(&st->by_id, state_mix(job->id), slot);
}

void state_index_slots(struct state *st)
{
	index_jobs(st);
	index_tasks(st);
}

void state_index_all(struct state *st)
{
	index_creds(st);
	index_nodes(st);
	state_index_slots(st);
}

static void copy_table(struct index_table *to, const struct index_table *from)
{
	to->entry = mem_copy_into(to->entry, from->entry, from->room * sizeof *to->entry);
	to->room = from->room;
	to->count = from->count;
}

void state_index_copy(struct state *to, const struct state *from)
{
	copy_table(&to->by_id, &from->by_id);
	copy_table(&to->by_task, &from->by_task);
	copy_table(&to->by_cred, &from->by_cred);
	copy_table(&to->by_node, &from->by_node);
	to->spare_cred =
		mem_copy_into(to->spare_cred, from->spare_cred, from->spare_end * sizeof *to->spare_cred);
	to->spare_end = from->spare_end;
	to->spare_at = from->spare_at;
	to->creds_look = from->creds_look;
}

void state_index_free(struct state *st)
{
	free(st->by_id.entry);
	free(st->by_task.entry);
	free(st->by_cred.entry);
	free(st->spare_cred);
	free(st->by_node.entry);
}

/* --- credentials and nodes ----------------------------------------------- */

/* Returns the index of a credential's entry in the hash table, or the index at which to insert it. */
static uint32_t find_cred_entry(const struct state *st, enum cred_type type, const char *name)
{
	const struct index_table *t = &st->by_cred;
	const struct cred *cred = snapshot_creds(st->s);
	uint32_t i = (uint32_t)hash_text(type, name) & (t->room - 1);

	while (t->entry[i] != INDEX_NONE &&
	       (cred[t->entry[i]].type != (uint32_t)type ||
		strcmp(snapshot_string(st->s, cred[t->entry[i]].name), name) != 0))
		i = (i + 1) & (t->room - 1);
	return i;
}

uint32_t state_find_cred(const struct state *st, enum cred_type type, const char *name)
{
	return st->by_cred.entry[find_cred_entry(st, type, name)];
}

void state_index_cred(struct state *st, uint32_t i)
{
	if (index_full(&st->by_cred))
		index_creds(st);
	else
		index_put(&st->by_cred, hash_cred(st->s, i), i);
}

/* Backward-shift deletion, as for jobs. */
void state_unindex_cred(struct state *st, uint32_t i)
{
	struct index_table *t = &st->by_cred;
	const struct cred *cred = &snapshot_creds(st->s)[i];
	uint32_t mask = t->room - 1;
	uint32_t hole = find_cred_entry(st, (enum cred_type)cred->type, snapshot_string(st->s, cred->name));

	for (uint32_t k = (hole + 1) & mask; t->entry[k] != INDEX_NONE; k = (k + 1) & mask) {
		uint32_t home = (uint32_t)hash_cred(st->s, t->entry[k]) & mask;

		if (((k - home) & mask) >= ((k - hole) & mask)) {
			t->entry[hole] = t->entry[k];
			hole = k;
		}
	}
	t->entry[hole] = INDEX_NONE;
	t->count--;
}

void state_index_node(struct state *st, uint32_t i)
{
	const struct node *node = state_item(st, TABLE_NODES, i);

	if (index_full(&st->by_node))
		index_nodes(st);
	else
		index_put(&st->by_node, hash_text(0, snapshot_string(st->s, node->name)), i);
}

uint32_t state_find_node(const struct state *st, const char *name)
{
	const struct index_table *t = &st->by_node;
	const struct node *node = snapshot_nodes(st->s);
	uint32_t i = (uint32_t)hash_text(0, name) & (t->room - 1);

	while (t->entry[i] != INDEX_NONE && strcmp(snapshot_string(st->s, node[t->entry[i]].name), name) != 0)
		i = (i + 1) & (t->room - 1);
	return t->entry[i];
}

/* --- partitions -------------------------------------------------------------------------- */

uint32_t state_find_partition(const struct state *st, const char *name)
{
	return snapshot_find_partition(st->s, name);
}

uint32_t state_intern_partition(struct state *st, const char *name)
{
	uint32_t i = state_find_partition(st, name), at;

	if (i != INDEX_NONE)
		return i;
	at = state_add_string(st, name);
	state_make_room(st, TABLE_PARTITIONS, 1);
	i = st->s->table[TABLE_PARTITIONS].count++;
	*(struct partition *)state_item(st, TABLE_PARTITIONS, i) =
		(struct partition){.name = at, .weights = st->s->policy.weights};
	return i;
}
