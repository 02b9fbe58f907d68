/* SPDX-License-Identifier: MIT */
/*
 * state_table.c - the tables and strings of a state: their capacity, their order, counts of jobs and nodes
 *
 * The snapshot block contains the whole state; the indexes and free lists beside it can be rebuilt from it at
 * any time.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state.h"
#include "state_inside.h"

/*
 * Tables have spare capacity. In the two sorted tables a gap is closed from the shorter side, so that
 * removing the head of a queue of hundreds of thousands of jobs moves nothing: such a table begins at an
 * offset into its memory and slides back when it reaches the end.
 */

/* --- growing tables ----------------------------------------------------------------------------------- */

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

/*
 * Returns the number of free items before the first item of a table, where items were removed from the head.
 */
static uint32_t room_before(const struct snapshot *s, enum snapshot_table_id id)
{
	const struct snapshot_table *table = s->table;
	uint64_t end;

	if (id == 0)
		return 0;
	end = table[id - 1].offset + (uint64_t)table[id - 1].room * snapshot_item_size[id - 1];
	return (uint32_t)((table[id].offset - snapshot_align(end)) / snapshot_item_size[id]);
}

/*
 * Moves the whole table by a number of items towards its beginning, so that its free capacity is at the end.
 */
static void slide_back(struct state *st, enum snapshot_table_id id, uint32_t by)
{
	struct snapshot_table *table = &st->s->table[id];
	void *from = state_item(st, id, 0);

	table->offset -= (uint64_t)by * snapshot_item_size[id];
	table->room += by;
	memmove(state_item(st, id, 0), from, (size_t)table->count * snapshot_item_size[id]);
}

/*
 * A block is allocated larger than its tables, by 1/SPARE_PART, so that it seldom has to be moved when it
 * grows: where the processor's page tables are emulated, each page of a moved block costs microseconds when
 * it is read next. Pages that are not written take no memory.
 */
#define SPARE_PART 2

/*
 * Enlarges the block where it is, if the allocator can, and moves the tables behind those that grow: last to
 * first, so that none is overwritten. A copy into a new block would be much slower, because the kernel must
 * supply each of its pages.
 */
static void enlarge(struct state *st, const uint32_t room[TABLE_COUNT])
{
	struct snapshot_table table[TABLE_COUNT];
	size_t bytes;

	memcpy(table, st->s->table, sizeof table);
	bytes = snapshot_layout(table, room);
	if (bytes > st->block_bytes) {
		st->block_bytes = bytes + bytes / SPARE_PART;
		st->s = mem_resize(st->s, st->block_bytes);
	}
	for (int i = TABLE_COUNT; i-- > 0;)
		memmove((char *)st->s + table[i].offset, (char *)st->s + st->s->table[i].offset,
			(size_t)st->s->table[i].count * snapshot_item_size[i]);
	memcpy(st->s->table, table, sizeof table);
	st->s->size = bytes;
}

static void list_rooms(const struct snapshot *s, uint32_t room[TABLE_COUNT])
{
	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = room_before(s, (enum snapshot_table_id)i) + s->table[i].room;
}

static void grow(struct state *st, enum snapshot_table_id id, uint32_t more)
{
	uint32_t room[TABLE_COUNT];

	list_rooms(st->s, room);
	room[id] = room[id] * 2 > room[id] + more ? room[id] * 2 : room[id] + more;
	enlarge(st, room);
}

/* Returns the usual number of items in a table for this number of jobs. */
static uint32_t room_for(uint32_t jobs, enum snapshot_table_id id)
{
	switch (id) {
	case TABLE_JOBS:
	case TABLE_WAITING:
	case TABLE_RUNNING:
	case TABLE_RUNS:
	case TABLE_CHANGES:
		return jobs;
	case TABLE_DEPENDS:
	case TABLE_CREDS:
		return jobs / 8;
	case TABLE_STRINGS:
		return jobs * 64;
	default:
		return 0;
	}
}

void state_reserve_room(struct state *st, uint32_t jobs)
{
	uint32_t room[TABLE_COUNT];

	list_rooms(st->s, room);
	for (int i = 0; i < TABLE_COUNT; i++)
		if (room[i] < room_for(jobs, (enum snapshot_table_id)i))
			room[i] = room_for(jobs, (enum snapshot_table_id)i);
	enlarge(st, room);
	st->room_jobs = jobs;
}

void state_give_room_back(struct state *st)
{
	uint32_t room[TABLE_COUNT];
	struct snapshot *old = st->s;

	for (int i = 0; i < TABLE_COUNT; i++) {
		room[i] = old->table[i].count + old->table[i].count / 4 + 8;
		if (room[i] < room_for(st->room_jobs, (enum snapshot_table_id)i))
			room[i] = room_for(st->room_jobs, (enum snapshot_table_id)i);
	}
	st->s = snapshot_copy_with_room(old, room);
	st->block_bytes = st->s->size;
	free(old);
}

/*
 * If many items were removed from the head, the table slides back, the cost of which is amortized over these
 * items; otherwise the table grows.
 */
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

/* --- tables in order ---------------------------------------------------------------- */

/* Makes a gap at item i of a table, which the caller fills; returns its address. */
static void *state_open_gap(struct state *st, enum snapshot_table_id id, uint32_t i)
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

	/* Move the shorter side. */
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

/*
 * The compacted strings, and the new position of each string; a string with several references is moved
 * once.
 */
struct string_move {
	char *text;
	uint32_t count;
	uint32_t *moved; /* new offset by old offset; 0 = not moved yet */
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
	move_string(to, &s->watch_fault);
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
		move_string(to, &node->said);
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
		move_string(to, &job->said);
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

/* --- the order of waiting and running jobs ------------------------------------------------------------ */

/*
 * Both tables are kept sorted at every change, so that a pass need not sort, and jobs are found in them by
 * binary search. So the sort key of a job must not change while it is in its table.
 */

static bool waits_before(const struct job *a, const struct job *b)
{
	return job_compare_age(a, b) < 0;
}

static bool ends_before(const struct job *a, const struct job *b)
{
	int64_t a_s = job_due_end_s(a), b_s = job_due_end_s(b);

	return a_s != b_s ? a_s < b_s : a->id < b->id;
}

/* Returns the position of a job in WAITING, or where it would be inserted. */
static uint32_t waiting_place(const struct state *st, const struct job *job)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_WAITING);

	/* Jobs usually arrive in order: try the end first. */
	if (high > 0 && waits_before(&jobs[waiting[high - 1].slot], job))
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (waits_before(&jobs[waiting[middle].slot], job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t running_place(const struct state *st, const struct job *job)
{
	const uint32_t *running = snapshot_running(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_RUNNING);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ends_before(&jobs[running[middle]], job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct waiting waiting_entry(const struct job *job, uint32_t slot)
{
	return (struct waiting){
		.slot = slot, .wall_s = at_most_u32(job->wall_limit_s), .procs = at_most_u32(job_procs(job))};
}

void state_queue_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);
	struct waiting entry = waiting_entry(job, slot);
	struct waiting *at = state_open_gap(st, TABLE_WAITING, waiting_place(st, job));

	*at = entry;
}

void state_unqueue_job(struct state *st, uint32_t slot)
{
	state_close_gap(st, TABLE_WAITING, waiting_place(st, state_job(st, slot)));
}

static void state_requeue_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);

	*(struct waiting *)state_item(st, TABLE_WAITING, waiting_place(st, job)) = waiting_entry(job, slot);
}

void state_list_running(struct state *st, uint32_t slot)
{
	uint32_t *at = state_open_gap(st, TABLE_RUNNING, running_place(st, state_job(st, slot)));

	*at = slot;
}

void state_unlist_running(struct state *st, uint32_t slot)
{
	state_close_gap(st, TABLE_RUNNING, running_place(st, state_job(st, slot)));
}

/* --- counts of jobs that a pass needs ----------------------------------------------------------------- */

/*
 * The header contains these counts. Every change of a job removes it from the counts and adds it again.
 */

void state_count_job(struct state *st, uint32_t slot, int sign)
{
	const struct job *job = state_job(st, slot);
	struct snapshot *s = st->s;
	uint32_t one = sign > 0 ? 1 : UINT32_MAX;

	if (job->cred[CRED_USER] != INDEX_NONE)
		((struct cred *)state_item(st, TABLE_CREDS, job->cred[CRED_USER]))->jobs += one;
	s->particular += (job->flags & JOB_PARTICULAR) != 0 ? one : 0;
	s->of_arrays += job->array != 0 ? one : 0;
	if (job->state != JOB_IDLE)
		return;
	s->adjusted += job->adjust != JOB_ADJUST_NONE ? one : 0;
	s->planned += job->planned_s != TIME_NEVER ? one : 0;
	s->paused += (job->flags & JOB_ACCRUAL_PAUSED) != 0 ? one : 0;
	s->shifted += job->accrual_s != job->submit_s ? one : 0;
	s->deferred += job->defer_until_s != TIME_NONE || job->depend != INDEX_NONE ? one : 0;
	s->throttled += job->array_limit != 0 ? one : 0;
}

void state_mark_particular(const struct snapshot *s, struct job *job)
{
	const struct machine machine = snapshot_machine(s);

	job->flags &= (uint8_t)~JOB_PARTICULAR;
	if (job_is_particular(job, &machine))
		job->flags |= JOB_PARTICULAR;
}

void state_note_particular(struct state *st)
{
	for (uint32_t slot = 0; slot < snapshot_count(st->s, TABLE_JOBS); slot++) {
		struct job *job = state_job(st, slot);

		if (job->state == JOB_NONE)
			continue;
		state_count_job(st, slot, -1);
		state_mark_particular(st->s, job);
		state_count_job(st, slot, 1);
	}
}

void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited)
{
	struct job *job = state_job(st, slot);
	bool resized = edited->wall_limit_s != job->wall_limit_s;

	state_count_job(st, slot, -1);
	*job = *edited;
	state_mark_particular(st->s, job);
	state_count_job(st, slot, 1);
	if (resized)
		state_requeue_job(st, slot);
}

/* --- whether all nodes are equal for a plain job ------------------------------------------------------ */

/* If all nodes are equal for plain jobs, a pass counts processors and examines no nodes. */

/*
 * Does a node differ from another for a plain job? Classes or a partition that all nodes have in common make
 * no difference.
 */
static bool node_differs(const struct node *node, const struct node *other)
{
	return node->partition != other->partition || node->classes != other->classes ||
	       node->access > ACCESS_SHARED || node->used.procs >= 0 || node->drained;
}

void state_note_nodes_differ(struct state *st)
{
	const struct snapshot *s = st->s;
	bool differ = s->policy.access > ACCESS_SHARED;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES) && !differ; i++)
		differ = node_differs(&snapshot_nodes(s)[i], snapshot_nodes(s));
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && !differ; i++)
		differ = snapshot_creds(s)[i].attr.access > ACCESS_SHARED;
	st->s->nodes_differ = differ;
}

void state_note_difference(struct state *st, uint32_t i, bool is_new, const struct node *before)
{
	const struct node *node = snapshot_nodes(st->s);

	if (node_differs(&node[i], &node[0]))
		st->s->nodes_differ = 1;
	else if (!is_new && (node_differs(&node[i], before) || node_differs(before, &node[i])))
		state_note_nodes_differ(st);
}
