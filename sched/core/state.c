/* SPDX-License-Identifier: MIT */
/*
 * state.c - what stands in the tables of the live state, and in which order?
 *
 * Everything that means something is in the snapshot block; what stands beside it
 * (indexes, free lists) can be rebuilt from the block at any time.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/* --- looking in ------------------------------------------------------------------- */

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

/* --- the two ordered tables -------------------------------------------------------- */

static bool waits_before(const struct job *a, const struct job *b)
{
	return a->submit_s != b->submit_s ? a->submit_s < b->submit_s : a->id < b->id;
}

static bool ends_before(const struct job *a, const struct job *b)
{
	int64_t a_s = job_due_end_s(a), b_s = job_due_end_s(b);

	return a_s != b_s ? a_s < b_s : a->id < b->id;
}

/* Where job stands, or would stand, in WAITING. */
static uint32_t waiting_place(const struct state *st, const struct job *job)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_WAITING);

	/* Arrivals come in order: look at the end first. */
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

static void add_waiting(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);
	struct waiting entry = {
		.slot = slot, .wall_s = at_most_u32(job->wall_limit_s), .procs = at_most_u32(job_procs(job))};
	struct waiting *at = state_open_gap(st, TABLE_WAITING, waiting_place(st, job));

	*at = entry;
}

static void add_running(struct state *st, uint32_t slot)
{
	uint32_t *at = state_open_gap(st, TABLE_RUNNING, running_place(st, state_job(st, slot)));

	*at = slot;
}

/* --- jobs -------------------------------------------------------------------------- */

/* The header counts waiting jobs that a pass has to look for. */
static void count_waiting(struct state *st, const struct job *job, int sign)
{
	uint32_t one = sign > 0 ? 1 : UINT32_MAX;

	st->s->adjusted += job->adjust != JOB_ADJUST_NONE ? one : 0;
	st->s->planned += job->planned_s != TIME_NEVER ? one : 0;
	st->s->paused += (job->flags & JOB_ACCRUAL_PAUSED) != 0 ? one : 0;
}

void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited)
{
	struct job *job = state_job(st, slot);

	count_waiting(st, job, -1);
	*job = *edited;
	count_waiting(st, job, 1);
}

static uint32_t take_slot(struct state *st)
{
	if (st->free_count > 0)
		return st->free_slot[--st->free_count];
	state_make_room(st, TABLE_JOBS, 1);
	return st->s->table[TABLE_JOBS].count++;
}

uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id)
{
	uint32_t slot = take_slot(st);
	struct job job = record->job;

	job.id = id;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		job.cred[t] = record->cred[t] == NULL || record->cred[t][0] == '\0'
				      ? INDEX_NONE
				      : state_intern_cred(st, (enum cred_type)t, record->cred[t]);
	job.partition = state_intern_partition(st, record->partition);
	job.label = state_add_string(st, record->label);
	job.name = state_add_string(st, record->name);
	job.run = INDEX_NONE;
	job.state = JOB_IDLE;
	*state_job(st, slot) = job;
	state_index_job(st, slot);
	add_waiting(st, slot);
	count_waiting(st, &job, 1);
	if (id >= st->s->next_job_id)
		st->s->next_job_id = id + 1;
	return slot;
}

static uint32_t take_run(struct state *st)
{
	uint32_t i = st->free_run;

	if (i != INDEX_NONE) {
		st->free_run = ((struct alloc_run *)state_item(st, TABLE_RUNS, i))->next;
		return i;
	}
	state_make_room(st, TABLE_RUNS, 1);
	return st->s->table[TABLE_RUNS].count++;
}

/* Adds sign * procs to the busy count of every node of a run. */
static void occupy(struct state *st, const struct alloc_run *run, int sign)
{
	struct node *node = state_item(st, TABLE_NODES, run->node);

	for (uint32_t i = 0; i < run->nodes; i++) {
		bool was_busy = node[i].procs_busy > 0;

		node[i].procs_busy += sign > 0 ? run->procs : -run->procs;
		st->s->nodes_busy += (node[i].procs_busy > 0) - was_busy;
	}
	st->s->procs_busy += sign * (int64_t)run->nodes * run->procs;
}

static void chain_runs(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count)
{
	uint32_t next = INDEX_NONE;

	for (uint32_t i = count; i-- > 0;) {
		uint32_t at = take_run(st);
		struct alloc_run *run = state_item(st, TABLE_RUNS, at);

		*run = runs[i];
		run->next = next;
		next = at;
		occupy(st, run, 1);
	}
	state_job(st, slot)->run = next;
}

void state_start_job(struct state *st, uint32_t slot, int64_t now_s, const struct alloc_run *runs,
		     uint32_t count, bool backfilled)
{
	struct job *job = state_job(st, slot);

	state_close_gap(st, TABLE_WAITING, waiting_place(st, job));
	count_waiting(st, job, -1);
	job->state = JOB_RUNNING;
	job->start_s = now_s;
	job->planned_s = TIME_NEVER;
	if (backfilled)
		job->flags |= JOB_BACKFILLED;
	chain_runs(st, slot, runs, count);
	add_running(st, slot);
}

static void release_runs(struct state *st, struct job *job)
{
	while (job->run != INDEX_NONE) {
		uint32_t at = job->run;
		struct alloc_run *run = state_item(st, TABLE_RUNS, at);

		occupy(st, run, -1);
		job->run = run->next;
		run->next = st->free_run;
		st->free_run = at;
	}
}

/* Changes of a job that has left can neither matter nor be undone. */
static void drop_changes(struct state *st, uint64_t id)
{
	struct snapshot_table *table = &st->s->table[TABLE_CHANGES];
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < table->count; i++)
		if (change[i].job != id)
			change[kept++] = change[i];
	table->count = kept;
}

void state_end_job(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);

	if (job->state == JOB_RUNNING) {
		state_close_gap(st, TABLE_RUNNING, running_place(st, job));
	} else {
		state_close_gap(st, TABLE_WAITING, waiting_place(st, job));
		count_waiting(st, job, -1);
	}
	release_runs(st, job);
	drop_changes(st, job->id);
	state_unindex_job(st, job->id);
	state_waste_string(st, job->label);
	state_waste_string(st, job->name);
	*job = (struct job){.state = JOB_NONE};
	st->free_slot = vec_room(st->free_slot, &st->free_room, st->free_count + 1, sizeof *st->free_slot);
	st->free_slot[st->free_count++] = slot;
	state_compact_strings(st);
}

uint32_t state_run_count(const struct snapshot *s, uint32_t slot)
{
	uint32_t count = 0;

	for (uint32_t i = snapshot_jobs(s)[slot].run; i != INDEX_NONE; i = snapshot_runs(s)[i].next)
		count++;
	return count;
}

void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out, struct alloc_run *runs,
		      uint32_t runs_room)
{
	const struct job *job = &snapshot_jobs(s)[slot];

	*out = (struct job_record){.job = *job, .runs = runs};
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		out->cred[t] = snapshot_job_cred(s, job, (enum cred_type)t);
	if (job->partition != 0)
		out->partition = snapshot_string(s, snapshot_partitions(s)[job->partition].name);
	if (job->label != 0)
		out->label = snapshot_string(s, job->label);
	if (job->name != 0)
		out->name = snapshot_string(s, job->name);
	for (uint32_t i = job->run; i != INDEX_NONE && out->run_count < runs_room;
	     i = snapshot_runs(s)[i].next)
		runs[out->run_count++] = snapshot_runs(s)[i];
}

/* --- making and ending a state ------------------------------------------------------ */

static struct state *state_around(struct snapshot *s)
{
	struct state *st = mem_zero(1, sizeof *st);

	st->s = s;
	st->free_run = INDEX_NONE;
	return st;
}

struct state *state_new(void)
{
	static const uint32_t room[TABLE_COUNT] = {
		[TABLE_JOBS] = 64,   [TABLE_WAITING] = 64,   [TABLE_RUNNING] = 64,   [TABLE_NODES] = 64,
		[TABLE_CREDS] = 64,  [TABLE_PARTITIONS] = 4, [TABLE_RUNS] = 64,      [TABLE_CHANGES] = 16,
		[TABLE_VALUES] = 64, [TABLE_USAGE] = 4,      [TABLE_LIMITS] = 16,    [TABLE_PERMITS] = 4,
		[TABLE_TRAITS] = 4,  [TABLE_DEPENDS] = 4,    [TABLE_STRINGS] = 4096,
	};
	struct snapshot empty = {
		.magic = SNAPSHOT_MAGIC,
		.version = SNAPSHOT_VERSION,
		.now_s = TIME_NONE,
		.next_job_id = 1,
	};
	struct state *st;

	policy_default(&empty.policy);
	st = state_around(snapshot_copy_with_room(&empty, room));
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

/* Finds the free slots and the free runs again: those that no job names. */
static void collect_free(struct state *st)
{
	uint32_t runs = snapshot_count(st->s, TABLE_RUNS);
	bool *used = mem_zero(runs + 1, sizeof *used);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		const struct job *job = state_job(st, i);

		if (job->state == JOB_NONE) {
			st->free_slot = vec_room(st->free_slot, &st->free_room, st->free_count + 1,
						 sizeof *st->free_slot);
			st->free_slot[st->free_count++] = i;
			continue;
		}
		for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next)
			used[r] = true;
	}
	for (uint32_t r = 0; r < runs; r++) {
		if (used[r])
			continue;
		((struct alloc_run *)state_item(st, TABLE_RUNS, r))->next = st->free_run;
		st->free_run = r;
	}
	free(used);
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
	free(st->s);
	free(st);
}
