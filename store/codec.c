/* SPDX-License-Identifier: MIT */
/*
 * codec.c - encoding and decoding of records
 *
 * Each pair of functions below is a list of fields in their stored order. Jobs are in codec_job.c; events, of
 * which there are many kinds, in codec_event.c.
 */
#include "codec.h"
#include "codec_fields.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* The newest version of each kind that this program writes and reads. */
static const uint16_t newest[] = {
	[RECORD_SCHEMA] = VERSION_2, [RECORD_COUNTERS] = VERSION_4, [RECORD_CONFIG] = 1,
	[RECORD_JOB] = VERSION_7,    [RECORD_ENDED] = VERSION_7,    [RECORD_NODE] = VERSION_3,
	[RECORD_CHANGE] = VERSION_6, [RECORD_EVENT] = VERSION_10,   [RECORD_USAGE] = 1,
	[RECORD_LAUNCH] = 1,         [RECORD_COOKIE] = 1,           [RECORD_PRUNED] = 1,
};

uint16_t codec_newest(enum record_type type)
{
	return newest[type];
}

void codec_scratch_free(struct codec_scratch *scratch)
{
	state_parts_free(&scratch->parts);
	free(scratch->bypassed);
	free(scratch->switched);
	free(scratch->used);
	*scratch = (struct codec_scratch){.bypassed = NULL};
}

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
	put_u64(out, schema->proven_from);
	record_end(out, at, key);
}

bool get_schema(struct bytes *bytes, const struct key *key, struct schema *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_SCHEMA, err))
		return false;
	out->version = get_u32(&r);
	out->writer = get_text(&r);
	out->proven_from = record_since(&r, VERSION_2) ? get_u64(&r) : 0;
	return record_close(&r, err);
}

void put_pruned(struct str *out, const struct key *key, const struct pruned *pruned)
{
	size_t at = codec_begin(out, RECORD_PRUNED);

	put_u64(out, pruned->journal);
	put_i64(out, pruned->history_s);
	record_end(out, at, key);
}

bool get_pruned(struct bytes *bytes, const struct key *key, struct pruned *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_PRUNED, err))
		return false;
	out->journal = get_u64(&r);
	out->history_s = get_i64(&r);
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
	put_i64(out, c->stats_since_s);
	put_u64(out, tally->windows);
	put_u32(out, c->halted);
	put_u32(out, c->halt_after);
	put_u64(out, c->set_back);
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
	/* If a store has no statistics, they begin at the time of its state. */
	out->counters.stats_since_s = record_since(&r, VERSION_2) ? get_i64(&r) : out->counters.now_s;
	out->windows = record_since(&r, VERSION_2) ? get_u64(&r) : 0;
	out->counters.halted = record_since(&r, VERSION_3) ? get_u32(&r) : 0;
	out->counters.halt_after = record_since(&r, VERSION_3) ? get_u32(&r) : 0;
	out->counters.set_back = record_since(&r, VERSION_4) ? get_u64(&r) : 0;
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

/* --- nodes and changes --------------------------------------------------------------- */

void put_used(struct str *out, const struct node_used *used)
{
	put_real(out, used->load);
	put_real(out, used->procs);
	put_i64(out, used->mem_mb);
	put_i64(out, used->swap_mb);
	put_i64(out, used->disk_mb);
}

void get_used(struct record *r, struct node_used *out)
{
	out->load = get_real(r);
	out->procs = get_real(r);
	out->mem_mb = get_i64(r);
	out->swap_mb = get_i64(r);
	out->disk_mb = get_i64(r);
}

void put_node_fields(struct str *out, const struct node_record *node)
{
	put_text(out, node->name);
	put_text(out, node->partition);
	put_u32(out, node->procs);
	put_i64(out, node->mem_mb);
	put_i64(out, node->swap_mb);
	put_i64(out, node->disk_mb);
	put_text(out, node->features);
	put_text(out, node->classes);
	put_text(out, node->gres);
	put_real(out, node->speed);
	put_real(out, node->procspeed);
	put_u32(out, node->rack);
	put_u32(out, node->index);
	put_u8(out, node->access);
	put_used(out, &node->used);
	put_i64(out, node->active_s);
	put_i64(out, node->active_from_s);
}

static void get_more_of_node(struct record *r, struct node_record *out)
{
	out->features = get_text(r);
	out->classes = get_text(r);
	out->gres = get_text(r);
	out->speed = get_real(r);
	out->procspeed = get_real(r);
	out->rack = get_u32(r);
	out->index = get_u32(r);
	out->access = get_below(r, ACCESS_SINGLETASK + 1);
	get_used(r, &out->used);
	out->active_s = get_i64(r);
	out->active_from_s = get_i64(r);
}

void get_node_fields(struct record *r, struct node_record *out)
{
	*out = (struct node_record){
		.name = get_text(r), .used = NODE_NOT_MEASURED, .active_from_s = TIME_NONE};
	out->partition = get_text(r);
	out->procs = get_u32(r);
	out->mem_mb = get_i64(r);
	out->swap_mb = get_i64(r);
	out->disk_mb = get_i64(r);
	if (record_since(r, VERSION_2))
		get_more_of_node(r, out);
	if (!out->name)
		record_fault(r, "a node has no name");
}

void put_node(struct str *out, const struct key *key, const struct node_record *node)
{
	size_t at = codec_begin(out, RECORD_NODE);

	put_node_fields(out, node);
	put_text(out, node->used_by);
	record_end(out, at, key);
}

bool get_node(struct bytes *bytes, const struct key *key, struct node_record *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_NODE, err))
		return false;
	get_node_fields(&r, out);
	out->used_by = record_since(&r, VERSION_3) ? get_text(&r) : NULL;
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
	put_text(out, change->base);
	put_i64(out, c->until_s);
	record_end(out, at, key);
}

/* In earlier versions only settings could be temporary. */
static void get_until(struct record *r, struct change *out)
{
	if (record_since(r, VERSION_6)) {
		out->until_s = get_i64(r);
	} else if (out->kind == CHANGE_SETTING) {
		out->until_s = out->number;
		out->number = 0;
	}
}

bool get_change(struct bytes *bytes, const struct key *key, struct change_record *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_CHANGE, err))
		return false;
	*out = (struct change_record){.change = {.seq = get_u64(&r)}};
	out->change.job = get_u64(&r);
	out->change.number = get_i64(&r);
	out->change.kind = get_below(&r, CHANGE_KIND_COUNT);
	out->change.on = get_u32(&r);
	out->change.dead = get_bool(&r);
	out->name = get_text(&r);
	out->value = get_text(&r);
	out->base = record_since(&r, VERSION_2) ? get_text(&r) : NULL;
	get_until(&r, &out->change);
	if (out->change.kind == CHANGE_UNRESERVE)
		out->change.number = 0; /* the released entry in earlier versions; no longer used */
	if (out->change.kind == CHANGE_SETTING && (!out->name || !out->value))
		record_fault(&r, "a setting has no name or no value");
	if (out->change.kind == CHANGE_RESERVE && (!out->name || !out->value))
		record_fault(&r, "a reservation has no name or no text");
	if (out->change.kind == CHANGE_MODIFY && (!out->name || !out->value || !out->base))
		record_fault(&r, "a changed attribute has no name or no value");
	return record_close(&r, err);
}

/* --- usage ----------------------------------------------------------------------------- */

#define USED_SIZE 14 /* minimum size of one credential's usage in bytes */

void put_window(struct str *out, const struct usage_window *window)
{
	put_i64(out, window->begin_s);
	put_i64(out, window->length_s);
	put_i64(out, window->total);
	put_u32(out, window->count);
	for (uint32_t i = 0; i < window->count; i++) {
		put_u8(out, (uint8_t)window->item[i].type);
		put_text(out, window->item[i].name);
		put_i64(out, window->item[i].amount);
	}
}

void get_window(struct record *r, struct usage_window *out, struct codec_scratch *scratch)
{
	*out = (struct usage_window){.begin_s = get_i64(r)};
	out->length_s = get_i64(r);
	out->total = get_i64(r);
	out->count = get_count(r, USED_SIZE);
	scratch->used = vec_room(scratch->used, &scratch->used_room, out->count, sizeof *scratch->used);
	for (uint32_t i = 0; i < out->count; i++) {
		scratch->used[i] = (struct used_by){.type = get_below(r, CRED_TYPE_COUNT)};
		scratch->used[i].name = get_text(r);
		scratch->used[i].amount = get_i64(r);
		if (!scratch->used[i].name)
			record_fault(r, "usage is of nobody");
	}
	out->item = scratch->used;
}

void put_usage(struct str *out, const struct key *key, const struct usage_window *window)
{
	size_t at = codec_begin(out, RECORD_USAGE);

	put_window(out, window);
	record_end(out, at, key);
}

bool get_usage(struct bytes *bytes, const struct key *key, struct usage_window *out,
	       struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_USAGE, err))
		return false;
	get_window(&r, out, scratch);
	return record_close(&r, err);
}

void put_launch_head(struct str *out, const struct key *key, struct bytes launch)
{
	size_t at = codec_begin(out, RECORD_LAUNCH);

	put_u32(out, (uint32_t)launch.size);
	record_end_with(out, at, key, launch);
}

void put_launch(struct str *out, const struct key *key, struct bytes launch)
{
	put_launch_head(out, key, launch);
	str_add_bytes(out, launch.data, launch.size);
}

bool get_launch(struct bytes *bytes, const struct key *key, struct bytes *launch, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_LAUNCH, err))
		return false;
	*launch = get_bytes(&r);
	return record_close(&r, err);
}

void put_answer(struct str *out, const struct key *key, const struct kept_answer *answer)
{
	size_t at = codec_begin(out, RECORD_COOKIE);

	put_i64(out, answer->at_s);
	put_bytes(out, answer->bytes.data, (uint32_t)answer->bytes.size);
	record_end(out, at, key);
}

bool get_answer(struct bytes *bytes, const struct key *key, struct kept_answer *out, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_COOKIE, err))
		return false;
	out->at_s = get_i64(&r);
	out->bytes = get_bytes(&r);
	return record_close(&r, err);
}
