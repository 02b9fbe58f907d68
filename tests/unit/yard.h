/* SPDX-License-Identifier: MIT */
/*
 * yard.h - a snapshot with nodes and jobs for tests of placement
 *
 *     struct yard y;
 *     yard_begin(&y);
 *     yard_node(&y, "n001", (struct node){.procs = 4});
 *     uint32_t slot = yard_job(&y, (struct job){.tasks = 2, .wall_limit_s = 100});
 *     yard_start(&y, slot, (struct alloc_run){.node = 0, .nodes = 1, .procs = 2, .tasks = 2});
 *
 * The snapshot has a fixed capacity and is built without a state. Members that a test does not set have the
 * values that a state would set. yard_end() frees the memory.
 */
#ifndef TESTS_YARD_H
#define TESTS_YARD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/snapshot.h"
#include "sched/placement/placement.h"

struct yard {
	struct snapshot *s;
};

static inline void *yard_items(struct yard *y, enum snapshot_table_id id)
{
	return (char *)y->s + y->s->table[id].offset;
}

/* The next item of a table. */
static inline void *yard_more(struct yard *y, enum snapshot_table_id id, uint32_t *index)
{
	struct snapshot_table *table = &y->s->table[id];

	if (table->count == table->room)
		abort();
	*index = table->count;
	return (char *)yard_items(y, id) + (size_t)table->count++ * snapshot_item_size[id];
}

static inline uint32_t yard_string(struct yard *y, const char *text)
{
	struct snapshot_table *strings = &y->s->table[TABLE_STRINGS];
	uint32_t at = strings->count, len = (uint32_t)strlen(text) + 1;

	if (strings->room - at < len)
		abort();
	memcpy((char *)yard_items(y, TABLE_STRINGS) + at, text, len);
	strings->count += len;
	return at;
}

static inline uint32_t yard_cred(struct yard *y, enum cred_type type, const char *name)
{
	uint32_t index;
	struct cred *cred = yard_more(y, TABLE_CREDS, &index);

	*cred = (struct cred){.name = yard_string(y, name), .type = (uint8_t)type};
	return index;
}

static inline uint64_t yard_trait(struct yard *y, enum trait_kind kind, const char *name)
{
	uint32_t index, bit = 0;
	struct trait *trait;

	for (uint32_t i = 0; i < snapshot_count(y->s, TABLE_TRAITS); i++)
		bit += snapshot_traits(y->s)[i].kind == kind;
	trait = yard_more(y, TABLE_TRAITS, &index);
	*trait = (struct trait){.name = yard_string(y, name), .kind = (uint8_t)kind, .bit = (uint8_t)bit};
	return UINT64_C(1) << bit;
}

static inline void yard_begin(struct yard *y)
{
	static const uint32_t room[TABLE_COUNT] = {
		[TABLE_JOBS] = 256,  [TABLE_RUNNING] = 256, [TABLE_WAITING] = 256,
		[TABLE_NODES] = 64,  [TABLE_CREDS] = 64,    [TABLE_PARTITIONS] = 4,
		[TABLE_RUNS] = 2048, [TABLE_TRAITS] = 64,   [TABLE_STRINGS] = 8192,
	};
	struct snapshot_table table[TABLE_COUNT] = {0};
	size_t size = snapshot_layout(table, room);
	uint32_t index;

	y->s = mem_zero(1, size);
	memcpy(y->s->table, table, sizeof table);
	policy_default(&y->s->policy);
	yard_string(y, "");
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		yard_cred(y, (enum cred_type)type, "DEFAULT");
	yard_more(y, TABLE_PARTITIONS, &index);
}

static inline void yard_end(struct yard *y)
{
	free(y->s);
}

static inline struct node *yard_node_at(struct yard *y, uint32_t index)
{
	return (struct node *)yard_items(y, TABLE_NODES) + index;
}

static inline uint32_t yard_node(struct yard *y, const char *name, struct node node)
{
	uint32_t index;
	struct node *at = yard_more(y, TABLE_NODES, &index);

	node.name = yard_string(y, name);
	node.speed = node.speed > 0 ? node.speed : 1;
	node.used = NODE_NOT_MEASURED;
	node.active_from_s = TIME_NONE;
	node.user = INDEX_NONE;
	*at = node;
	y->s->procs_total += node.procs;
	y->s->mem_mb_total += node.mem_mb;
	y->s->swap_mb_total += node.swap_mb;
	y->s->disk_mb_total += node.disk_mb;
	return index;
}

static inline struct job *yard_job_at(struct yard *y, uint32_t slot)
{
	return (struct job *)yard_items(y, TABLE_JOBS) + slot;
}

/* An idle job; without a user unless it has one. */
static inline uint32_t yard_job(struct yard *y, struct job job)
{
	const struct machine machine = snapshot_machine(y->s);
	uint32_t slot;
	struct job *at = yard_more(y, TABLE_JOBS, &slot);

	for (int i = 0; i < CRED_TYPE_COUNT; i++)
		job.cred[i] = job.cred[i] == 0 ? INDEX_NONE : job.cred[i];
	job.id = slot + 1;
	job.state = JOB_IDLE;
	job.tasks = job.tasks > 0 ? job.tasks : 1;
	job.task_procs = job.task_procs > 0 ? job.task_procs : 1;
	job.wall_limit_s = job.wall_limit_s > 0 ? job.wall_limit_s : 100;
	job.start_s = TIME_NONE;
	job.planned_s = TIME_NEVER;
	job.run = INDEX_NONE;
	job.flags |= job_is_particular(&job, &machine) ? JOB_PARTICULAR : 0;
	y->s->particular += job_is_particular(&job, &machine);
	*at = job;
	return slot;
}

/*
 * Adds a run to a job, which is running from then on; it started at start_s of its record, by default at 0.
 */
static inline void yard_start(struct yard *y, uint32_t slot, struct alloc_run run)
{
	struct job *job = yard_job_at(y, slot);
	struct alloc_run *at;
	uint32_t index;

	if (job->state != JOB_RUNNING)
		*(uint32_t *)yard_more(y, TABLE_RUNNING, &index) = slot;
	if (job->state != JOB_RUNNING && job->start_s == TIME_NONE)
		job->start_s = 0;
	job->state = JOB_RUNNING;
	job->access_held = (uint8_t)snapshot_job_access(y->s, job);
	at = yard_more(y, TABLE_RUNS, &index);
	*at = run;
	at->next = job->run;
	job->run = index;
	job->procs_held += run.nodes * run.procs;
	y->s->procs_busy += (int64_t)run.nodes * run.procs;
	for (uint32_t n = run.node; n < run.node + run.nodes; n++) {
		struct node *node = yard_node_at(y, n);

		node->procs_busy += run.procs;
		node->mem_busy_mb += run.tasks * job->mem_mb;
		node->swap_busy_mb += run.tasks * job->swap_mb;
		node->disk_busy_mb += run.tasks * job->disk_mb;
		for (int i = 0; i < GRES_MAX; i++)
			node->gres_busy[i] += run.tasks * job->gres[i];
		node->jobs++;
	}
}

/* --- with a placement ----------------------------------------------------------------------------- */

/* "n003:2 n004:1": the tasks on each node, in the order found. */
static inline const char *yard_shown(const struct yard *y, const struct alloc_list *runs)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < runs->count; i++)
		for (uint32_t n = 0; n < runs->item[i].nodes; n++)
			len += (size_t)snprintf(
				text + len, sizeof text - len, "%s%s:%u", len > 0 ? " " : "",
				snapshot_string(y->s, snapshot_nodes(y->s)[runs->item[i].node + n].name),
				runs->item[i].tasks);
	return text;
}

/* Places a job at begin_s; returns its nodes, "" if it does not fit. */
static inline const char *yard_place(const struct yard *y, struct placement *r, uint32_t slot,
				     int64_t begin_s)
{
	int64_t end_s = begin_s + snapshot_jobs(y->s)[slot].wall_limit_s;
	struct alloc_list runs = {0};
	const char *text;

	if (placement_find(r, slot, begin_s, end_s, &runs))
		placement_take(r, slot, begin_s, end_s, runs.item, (uint32_t)runs.count);
	text = yard_shown(y, &runs);
	free(runs.item);
	return text;
}

/* The earliest start of the job at or after from_s. */
static inline int64_t yard_earliest(struct placement *r, uint32_t slot, int64_t from_s)
{
	struct alloc_list runs = {0};
	int64_t begin_s = placement_earliest(r, slot, from_s, &runs);

	free(runs.item);
	return begin_s;
}

#endif
