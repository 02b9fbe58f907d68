/* SPDX-License-Identifier: MIT */
/*
 * state_job.c - how does a job come into the tables, and how does it leave?
 */
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

static uint32_t take_slot(struct state *st)
{
	if (st->free_count > 0)
		return st->free_slot[--st->free_count];
	state_make_room(st, TABLE_JOBS, 1);
	return st->s->table[TABLE_JOBS].count++;
}

static uint32_t cred_of(struct state *st, enum cred_type type, const char *name)
{
	return name == NULL || name[0] == '\0' ? INDEX_NONE : state_intern_cred(st, type, name);
}

/* The names of a record as indexes, bits and offsets. */
static void name_job(struct state *st, struct job *job, const struct job_record *record)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		job->cred[t] = cred_of(st, (enum cred_type)t, record->cred[t]);
	job->qos_asked = cred_of(st, CRED_QOS, record->qos_asked);
	job->partition = state_intern_partition(st, record->partition);
	memset(job->unknown, 0, sizeof job->unknown);
	state_name_traits(st, job, UNKNOWN_FEATURES, record->features);
	state_name_traits(st, job, UNKNOWN_PREFER, record->prefer);
	state_name_traits(st, job, UNKNOWN_GRES, record->gres);
	job->label = state_add_string(st, record->label);
	job->name = state_add_string(st, record->name);
	job->hosts = state_add_string(st, record->hosts);
	job->order = state_add_string(st, record->order);
	job->hold_reason = state_add_string(st, record->hold_reason);
	job->base_reason = state_add_string(st, record->base_reason);
}

void state_reserve_ids(struct state *st, uint64_t last)
{
	st->reserved_id = last;
}

uint64_t state_next_id(const struct state *st)
{
	return st->s->next_job_id > st->reserved_id ? st->s->next_job_id : st->reserved_id + 1;
}

uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id)
{
	struct job job = record->job;
	uint32_t slot;

	state_find_spare_creds(st);
	slot = take_slot(st);

	job.id = id;
	name_job(st, &job, record);
	job.depend = state_chain_depends(st, record->depend, record->depend_count);
	job.run = INDEX_NONE;
	job.state = JOB_IDLE;
	job.launch_size = record->launch_size;
	state_mark_particular(st->s, &job);
	*state_job(st, slot) = job;
	state_index_job(st, slot);
	state_queue_job(st, slot);
	state_count_job(st, slot, 1);
	state_store_job(st, slot);
	if (id >= st->s->next_job_id)
		st->s->next_job_id = id + 1;
	return slot;
}

static void waste_strings(struct state *st, const struct job *job)
{
	const uint32_t string[] = {job->label, job->name, job->hosts, job->order};

	for (size_t i = 0; i < sizeof string / sizeof string[0]; i++)
		state_waste_string(st, string[i]);
	state_wipe_string(st, job->base_reason);
	for (int k = 0; k < UNKNOWN_COUNT; k++)
		state_waste_string(st, job->unknown[k]);
}

static void free_slot(struct state *st, uint32_t slot)
{
	*state_job(st, slot) = (struct job){.state = JOB_NONE};
	st->free_slot = vec_room(st->free_slot, &st->free_room, st->free_count + 1, sizeof *st->free_slot);
	st->free_slot[st->free_count++] = slot;
}

void state_end_job(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	if (job->state == JOB_RUNNING) {
		state_leave_nodes(st, slot, now_s);
	} else {
		state_unqueue_job(st, slot);
		state_free_runs(st, slot);
	}
	state_count_job(st, slot, -1);
	state_unstore_job(st, slot);
	state_free_depends(st, job->depend);
	state_drop_changes(st, job->id);
	state_unindex_job(st, job->id);
	waste_strings(st, job);
	free_slot(st, slot);
	state_compact_strings(st);
}
