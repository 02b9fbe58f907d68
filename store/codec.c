/* SPDX-License-Identifier: MIT */
/*
 * codec.c - which fields does each kind of record have?
 *
 * Each pair of functions below reads as a list of fields in the order they are kept.
 * Events, of which there are many kinds, are in codec_event.c.
 */
#include "codec.h"
#include "codec_fields.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* The newest version of each kind that this program writes and reads. */
static const uint16_t newest[] = {
	[RECORD_SCHEMA] = 1, [RECORD_COUNTERS] = 1, [RECORD_CONFIG] = 1, [RECORD_JOB] = 1,
	[RECORD_ENDED] = 1,  [RECORD_NODE] = 1,     [RECORD_CHANGE] = 1, [RECORD_EVENT] = 1,
};

size_t codec_begin(struct str *out, enum record_type type)
{
	return record_begin(out, type, newest[type]);
}

bool codec_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		struct err *err)
{
	return record_open(r, bytes, key, type, newest[type], err);
}

/* --- meta ---------------------------------------------------------------------------- */

void put_schema(struct str *out, const struct key *key, const struct schema *schema)
{
	size_t at = codec_begin(out, RECORD_SCHEMA);

	put_u32(out, schema->version);
	put_text(out, schema->writer);
	record_end(out, at, key);
}

bool get_schema(struct bytes *bytes, const struct key *key, struct schema *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_SCHEMA, err))
		return false;
	out->version = get_u32(&r);
	out->writer = get_text(&r);
	return record_close(&r, err);
}

void put_sim_fields(struct str *out, const struct sim_origin *sim)
{
	put_u64(out, sim->seed);
	put_u64(out, sim->next_index);
	put_u64(out, sim->job_limit);
	put_i64(out, sim->load_pct);
	put_i64(out, sim->last_s);
	put_u32(out, sim->active);
}

void get_sim_fields(struct record *r, struct sim_origin *out)
{
	*out = (struct sim_origin){.seed = get_u64(r)};
	out->next_index = get_u64(r);
	out->job_limit = get_u64(r);
	out->load_pct = get_i64(r);
	out->last_s = get_i64(r);
	out->active = get_u32(r);
}

void put_tally(struct str *out, const struct key *key, const struct tally *tally)
{
	const struct state_counters *c = &tally->counters;
	size_t at = codec_begin(out, RECORD_COUNTERS);

	put_i64(out, c->now_s);
	put_u64(out, c->seq);
	put_u64(out, c->next_job_id);
	put_u32(out, c->ends_pending);
	put_sim_fields(out, &c->sim);
	put_u64(out, tally->nodes);
	put_u64(out, tally->jobs);
	put_u64(out, tally->changes);
	put_u64(out, tally->ended);
	record_end(out, at, key);
}

bool get_tally(struct bytes *bytes, const struct key *key, struct tally *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_COUNTERS, err))
		return false;
	*out = (struct tally){.counters = {.now_s = get_i64(&r)}};
	out->counters.seq = get_u64(&r);
	out->counters.next_job_id = get_u64(&r);
	out->counters.ends_pending = get_u32(&r);
	get_sim_fields(&r, &out->counters.sim);
	out->nodes = get_u64(&r);
	out->jobs = get_u64(&r);
	out->changes = get_u64(&r);
	out->ended = get_u64(&r);
	return record_close(&r, err);
}

void put_config(struct str *out, const struct key *key, const struct config_text *config)
{
	size_t at = codec_begin(out, RECORD_CONFIG);

	put_text(out, config->file);
	put_text(out, config->text);
	record_end(out, at, key);
}

bool get_config(struct bytes *bytes, const struct key *key, struct config_text *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_CONFIG, err))
		return false;
	out->file = get_text(&r);
	out->text = get_text(&r);
	return record_close(&r, err);
}

/* --- jobs ---------------------------------------------------------------------------- */

#define RUN_SIZE 12 /* bytes of an allocation run in a record */

void put_runs(struct str *out, const struct alloc_run *runs, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u32(out, runs[i].node);
		put_u32(out, runs[i].nodes);
		put_u32(out, runs[i].procs);
	}
}

const struct alloc_run *get_runs(struct record *r, struct codec_scratch *scratch, uint32_t *count)
{
	*count = get_count(r, RUN_SIZE);
	scratch->run = vec_room(scratch->run, &scratch->room, *count, sizeof *scratch->run);
	for (uint32_t i = 0; i < *count; i++) {
		struct alloc_run *run = &scratch->run[i];

		*run = (struct alloc_run){.node = get_u32(r), .next = INDEX_NONE};
		run->nodes = get_u32(r);
		run->procs = get_u32(r);
	}
	return *count ? scratch->run : NULL;
}

void codec_scratch_free(struct codec_scratch *scratch)
{
	free(scratch->run);
	free(scratch->bypassed);
	*scratch = (struct codec_scratch){0};
}

static void put_job_numbers(struct str *out, const struct job *job)
{
	put_u64(out, job->id);
	put_i64(out, job->submit_s);
	put_i64(out, job->accrual_s);
	put_i64(out, job->not_before_s);
	put_i64(out, job->wall_limit_s);
	put_i64(out, job->true_run_s);
	put_i64(out, job->start_s);
	put_i64(out, job->planned_s);
	put_i64(out, job->mem_mb);
	put_i64(out, job->swap_mb);
	put_i64(out, job->disk_mb);
	put_i64(out, job->points);
	put_u32(out, job->tasks);
	put_u32(out, job->task_procs);
	put_u32(out, job->nodes);
	put_u32(out, job->bypass);
	put_u8(out, job->state);
	put_u8(out, job->base_holds);
	put_u8(out, job->holds);
	put_u8(out, job->adjust);
	put_u8(out, job->flags);
}

static void get_job_numbers(struct record *r, struct job *out)
{
	*out = (struct job){.id = get_u64(r), .run = INDEX_NONE};
	memset(out->cred, 0xff, sizeof out->cred);
	out->submit_s = get_i64(r);
	out->accrual_s = get_i64(r);
	out->not_before_s = get_i64(r);
	out->wall_limit_s = get_i64(r);
	out->true_run_s = get_i64(r);
	out->start_s = get_i64(r);
	out->planned_s = get_i64(r);
	out->mem_mb = get_i64(r);
	out->swap_mb = get_i64(r);
	out->disk_mb = get_i64(r);
	out->points = get_i64(r);
	out->tasks = get_u32(r);
	out->task_procs = get_u32(r);
	out->nodes = get_u32(r);
	out->bypass = get_u32(r);
	out->state = get_below(r, JOB_STATE_COUNT);
	out->base_holds = get_below(r, JOB_HOLD_ALL + 1);
	out->holds = get_below(r, JOB_HOLD_ALL + 1);
	out->adjust = get_below(r, JOB_ADJUST_ABSOLUTE + 1);
	out->flags = get_below(r, (JOB_BACKFILLED | JOB_ACCRUAL_PAUSED) + 1);
}

void put_job_fields(struct str *out, const struct job_record *job)
{
	put_job_numbers(out, &job->job);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		put_text(out, job->cred[type]);
	put_text(out, job->partition);
	put_text(out, job->label);
	put_text(out, job->name);
	put_runs(out, job->runs, job->run_count);
}

void get_job_fields(struct record *r, struct job_record *out, struct codec_scratch *scratch)
{
	*out = (struct job_record){.run_count = 0};
	get_job_numbers(r, &out->job);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		out->cred[type] = get_text(r);
	out->partition = get_text(r);
	out->label = get_text(r);
	out->name = get_text(r);
	out->runs = get_runs(r, scratch, &out->run_count);
}

void put_job(struct str *out, const struct key *key, const struct job_record *job)
{
	size_t at = codec_begin(out, RECORD_JOB);

	put_job_fields(out, job);
	record_end(out, at, key);
}

bool get_job(struct bytes *bytes, const struct key *key, struct job_record *out,
	     struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_JOB, err))
		return false;
	get_job_fields(&r, out, scratch);
	return record_close(&r, err);
}

void put_ended(struct str *out, const struct key *key, const struct ended_job *ended)
{
	size_t at = codec_begin(out, RECORD_ENDED);

	put_i64(out, ended->end_s);
	put_u32(out, (uint32_t)ended->status);
	put_u8(out, ended->at_limit);
	put_job_fields(out, &ended->record);
	record_end(out, at, key);
}

bool get_ended(struct bytes *bytes, const struct key *key, struct ended_job *out,
	       struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_ENDED, err))
		return false;
	out->end_s = get_i64(&r);
	out->status = (int32_t)get_u32(&r);
	out->at_limit = get_bool(&r);
	get_job_fields(&r, &out->record, scratch);
	return record_close(&r, err);
}

/* --- nodes and changes --------------------------------------------------------------- */

void put_node_fields(struct str *out, const struct node_record *node)
{
	put_text(out, node->name);
	put_text(out, node->partition);
	put_u32(out, node->procs);
	put_i64(out, node->mem_mb);
	put_i64(out, node->swap_mb);
	put_i64(out, node->disk_mb);
}

void get_node_fields(struct record *r, struct node_record *out)
{
	out->name = get_text(r);
	out->partition = get_text(r);
	out->procs = get_u32(r);
	out->mem_mb = get_i64(r);
	out->swap_mb = get_i64(r);
	out->disk_mb = get_i64(r);
	if (!out->name)
		record_fault(r, "a node has no name");
}

void put_node(struct str *out, const struct key *key, const struct node_record *node)
{
	size_t at = codec_begin(out, RECORD_NODE);

	put_node_fields(out, node);
	record_end(out, at, key);
}

bool get_node(struct bytes *bytes, const struct key *key, struct node_record *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_NODE, err))
		return false;
	get_node_fields(&r, out);
	return record_close(&r, err);
}

void put_change(struct str *out, const struct key *key, const struct change_record *change)
{
	const struct change *c = &change->change;
	size_t at = codec_begin(out, RECORD_CHANGE);

	put_u64(out, c->seq);
	put_u64(out, c->job);
	put_i64(out, c->number);
	put_u8(out, (uint8_t)c->kind);
	put_u32(out, c->on);
	put_u8(out, (uint8_t)c->dead);
	put_text(out, change->name);
	put_text(out, change->value);
	record_end(out, at, key);
}

bool get_change(struct bytes *bytes, const struct key *key, struct change_record *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_CHANGE, err))
		return false;
	*out = (struct change_record){.change = {.seq = get_u64(&r)}};
	out->change.job = get_u64(&r);
	out->change.number = get_i64(&r);
	out->change.kind = get_below(&r, CHANGE_UNDO + 1);
	out->change.on = get_u32(&r);
	out->change.dead = get_bool(&r);
	out->name = get_text(&r);
	out->value = get_text(&r);
	if (out->change.kind == CHANGE_SETTING && (!out->name || !out->value))
		record_fault(&r, "a setting has no name or no value");
	return record_close(&r, err);
}
