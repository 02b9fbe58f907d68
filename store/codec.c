/* SPDX-License-Identifier: MIT */
/*
 * codec.c - encoding and decoding of records
 *
 * Each kind of record is a struct and the rows of its fields (sched/state/stored_field.h). What each version
 * added: for jobs, changes and events, 2 most fields; 3 the fields of real jobs; 4 array tasks and requested
 * priorities; 5 temporary settings; 6 the end time and the reason of any change; 7 failed starts that are
 * retried, suspensions, and the size of launch data; 8 the largest user of a node outside the queue; 9
 * accrual and eligible events for many jobs; 10 cancels because of a dependency; 11 what a
 * manager that decides by itself reports: starts, its words about jobs and nodes. For nodes, 2 most fields; 3
 * the largest user outside the queue.
 */
#include "codec.h"
#include "codec_fields.h"

#include <stdlib.h>

/* The newest version of each kind that this program writes and reads. */
static const uint16_t newest[] = {
	[RECORD_SCHEMA] = 2, [RECORD_COUNTERS] = 4, [RECORD_CONFIG] = 1, [RECORD_JOB] = 11,
	[RECORD_ENDED] = 11, [RECORD_NODE] = 11,    [RECORD_CHANGE] = 6, [RECORD_EVENT] = 11,
	[RECORD_USAGE] = 1,  [RECORD_LAUNCH] = 1,   [RECORD_COOKIE] = 1, [RECORD_PRUNED] = 1,
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

static size_t begin(struct str *out, enum record_type type)
{
	return record_begin(out, type, newest[type]);
}

static bool open_record(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
			struct err *err)
{
	return record_open(r, bytes, key, type, newest[type], err);
}

/* Writes a record that consists of the fields of the struct at base. */
static void put_record(struct str *out, enum record_type type, const struct key *key, const void *base,
		       const struct stored_field *fields)
{
	size_t at = begin(out, type);

	put_fields(out, base, fields);
	record_end(out, at, key);
}

/* --- the store itself ---------------------------------------------------------------- */

static const struct stored_field schema_fields[] = {
	{STORED_ROW(schema, version, U32)},
	{STORED_ROW(schema, writer, TEXT)},
	{STORED_ROW(schema, proven_from, U64), .since = 2},
	STORED_END,
};

void put_schema(struct str *out, const struct key *key, const struct schema *schema)
{
	put_record(out, RECORD_SCHEMA, key, schema, schema_fields);
}

bool get_schema(struct bytes *bytes, const struct key *key, struct schema *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_SCHEMA, err))
		return false;
	*out = (struct schema){.version = 0};
	get_fields(&r, out, schema_fields, NULL);
	return record_close(&r, err);
}

static const struct stored_field pruned_fields[] = {
	{STORED_ROW(pruned, journal, U64)}, {STORED_ROW(pruned, history_s, I64)}, STORED_END};

void put_pruned(struct str *out, const struct key *key, const struct pruned *pruned)
{
	put_record(out, RECORD_PRUNED, key, pruned, pruned_fields);
}

bool get_pruned(struct bytes *bytes, const struct key *key, struct pruned *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_PRUNED, err))
		return false;
	get_fields(&r, out, pruned_fields, NULL);
	return record_close(&r, err);
}

static const struct stored_field tally_fields[] = {
	{STORED_ROW(tally, counters.now_s, I64)},
	{STORED_ROW(tally, counters.seq, U64)},
	{STORED_ROW(tally, counters.next_job_id, U64)},
	{STORED_ROW(tally, counters.ends_pending, U32)},
	{STORED_ROW(tally, counters.sim, SIM)},
	{STORED_ROW(tally, nodes, U64)},
	{STORED_ROW(tally, jobs, U64)},
	{STORED_ROW(tally, changes, U64)},
	{STORED_ROW(tally, ended, U64)},
	{STORED_ROW(tally, counters.stats_since_s, I64), .since = 2},
	{STORED_ROW(tally, windows, U64), .since = 2},
	{STORED_ROW(tally, counters.halted, U32), .since = 3},
	{STORED_ROW(tally, counters.halt_after, U32), .since = 3},
	{STORED_ROW(tally, counters.set_back, U64), .since = 4},
	STORED_END,
};

void put_tally(struct str *out, const struct key *key, const struct tally *tally)
{
	put_record(out, RECORD_COUNTERS, key, tally, tally_fields);
}

bool get_tally(struct bytes *bytes, const struct key *key, struct tally *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_COUNTERS, err))
		return false;
	*out = (struct tally){.nodes = 0};
	get_fields(&r, out, tally_fields, NULL);
	/* In a store without statistics, the statistics begin at the time of the stored state. */
	if (!record_since(&r, 2))
		out->counters.stats_since_s = out->counters.now_s;
	return record_close(&r, err);
}

static const struct stored_field config_fields[] = {
	{STORED_ROW(config_text, file, TEXT)}, {STORED_ROW(config_text, text, TEXT)}, STORED_END};

void put_config(struct str *out, const struct key *key, const struct config_text *config)
{
	put_record(out, RECORD_CONFIG, key, config, config_fields);
}

bool get_config(struct bytes *bytes, const struct key *key, struct config_text *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_CONFIG, err))
		return false;
	get_fields(&r, out, config_fields, NULL);
	return record_close(&r, err);
}

/* --- jobs, nodes and usage --------------------------------------------------------------- */

static const struct stored_field job_fields[] = {{.name = "job", .type = STORED_JOB}, STORED_END};

void put_job(struct str *out, const struct key *key, const struct job_record *job)
{
	put_record(out, RECORD_JOB, key, job, job_fields);
}

bool get_job(struct bytes *bytes, const struct key *key, struct job_record *out,
	     struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_JOB, err))
		return false;
	get_fields(&r, out, job_fields, scratch);
	return record_close(&r, err);
}

static const struct stored_field ended_fields[] = {
	{STORED_ROW(ended_job, end_s, I64)},
	{STORED_ROW(ended_job, status, I32)},
	{STORED_ROW(ended_job, at_limit, BOOL)},
	{STORED_ROW(ended_job, record, JOB)},
	{STORED_ROW(ended_job, lost, BOOL), .since = 3},
	{STORED_ROW(ended_job, mem_mb, I64), .since = 3},
	{STORED_ROW(ended_job, why, TEXT), .since = 3},
	{STORED_ROW(ended_job, output, TEXT), .since = 3},
	{STORED_ROW(ended_job, errors, TEXT), .since = 3},
	STORED_END,
};

void put_ended(struct str *out, const struct key *key, const struct ended_job *ended)
{
	put_record(out, RECORD_ENDED, key, ended, ended_fields);
}

bool get_ended(struct bytes *bytes, const struct key *key, struct ended_job *out,
	       struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_ENDED, err))
		return false;
	*out = (struct ended_job){.end_s = 0};
	get_fields(&r, out, ended_fields, scratch);
	return record_close(&r, err);
}

/* Offsets of the start time and of the user name in the fields of an ended job's record. They follow from the
 * first rows of ended_fields and of the fields of a job. */
#define SUMMARY_START (8 + 4 + 1 + 6 * 8)
#define SUMMARY_USER  (SUMMARY_START + 6 * 8 + 4 * 4 + 5)

bool get_ended_summary(struct bytes bytes, struct ended_summary *out)
{
	struct record r;

	if (record_peek(bytes) != RECORD_ENDED || bytes.size < RECORD_HEADER + SUMMARY_USER)
		return false;
	r = (struct record){.type = RECORD_ENDED,
			    .at = (const unsigned char *)bytes.data + RECORD_HEADER + SUMMARY_START,
			    .end = (const unsigned char *)bytes.data + bytes.size};
	out->start_s = get_i64(&r);
	r.at = (const unsigned char *)bytes.data + RECORD_HEADER + SUMMARY_USER;
	out->user = get_text(&r);
	return r.fault == NULL;
}

static const struct stored_field node_fields[] = {{.name = "node", .type = STORED_NODE},
						  {STORED_ROW(node_record, used_by, TEXT), .since = 3},
						  STORED_END};

void put_node(struct str *out, const struct key *key, const struct node_record *node)
{
	put_record(out, RECORD_NODE, key, node, node_fields);
}

bool get_node(struct bytes *bytes, const struct key *key, struct node_record *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_NODE, err))
		return false;
	get_fields(&r, out, node_fields, NULL);
	return record_close(&r, err);
}

static const struct stored_field usage_fields[] = {{.name = "usage", .type = STORED_WINDOW}, STORED_END};

void put_usage(struct str *out, const struct key *key, const struct usage_window *window)
{
	put_record(out, RECORD_USAGE, key, window, usage_fields);
}

bool get_usage(struct bytes *bytes, const struct key *key, struct usage_window *out,
	       struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_USAGE, err))
		return false;
	*out = (struct usage_window){.begin_s = 0};
	get_fields(&r, out, usage_fields, scratch);
	return record_close(&r, err);
}

/* --- changes ----------------------------------------------------------------------------- */

static const struct stored_field change_fields[] = {
	{STORED_ROW(change_record, change.seq, U64)},
	{STORED_ROW(change_record, change.job, U64)},
	{STORED_ROW(change_record, change.number, I64)},
	{STORED_ROW(change_record, change.kind, U8_WIDE), .below = CHANGE_KIND_COUNT},
	{STORED_ROW(change_record, change.on, U32)},
	{STORED_ROW(change_record, change.dead, U8_WIDE), .below = 2},
	{STORED_ROW(change_record, name, TEXT)},
	{STORED_ROW(change_record, value, TEXT)},
	{STORED_ROW(change_record, base, TEXT), .since = 2},
	{STORED_ROW(change_record, change.until_s, I64), .since = 6},
	STORED_END,
};

void put_change(struct str *out, const struct key *key, const struct change_record *change)
{
	put_record(out, RECORD_CHANGE, key, change, change_fields);
}

/* Converts `number` of a change from the meaning that it had in earlier versions. */
static void convert_numbers(const struct record *r, struct change *out)
{
	/* Before version 6, only settings could be temporary, and `number` was the end time. */
	if (!record_since(r, 6) && out->kind == CHANGE_SETTING) {
		out->until_s = out->number;
		out->number = 0;
	}
	/* In earlier versions, `number` was the journal entry of the released reservation; it is no longer
	 * used. */
	if (out->kind == CHANGE_UNRESERVE)
		out->number = 0;
}

bool get_change(struct bytes *bytes, const struct key *key, struct change_record *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_CHANGE, err))
		return false;
	*out = (struct change_record){.name = NULL};
	get_fields(&r, out, change_fields, NULL);
	convert_numbers(&r, &out->change);
	if (out->change.kind == CHANGE_SETTING && (!out->name || !out->value))
		record_fault(&r, "a setting has no name or no value");
	if (out->change.kind == CHANGE_RESERVE && (!out->name || !out->value))
		record_fault(&r, "a reservation has no name or no text");
	if (out->change.kind == CHANGE_MODIFY && (!out->name || !out->value || !out->base))
		record_fault(&r, "a changed attribute has no name or no value");
	return record_close(&r, err);
}

/* --- events ---------------------------------------------------------------------------------- */

/* Every event begins with seq, time, kind, job and user, followed by the terms: the end of a temporary change
 * and the reason, which most events do not have. The other fields depend on the kind. */

static void put_terms(struct str *out, const struct event *ev)
{
	bool has_terms = ev->until_s != 0 || ev->why != NULL;

	put_u8(out, has_terms);
	if (!has_terms)
		return;
	put_i64(out, ev->until_s);
	put_text(out, ev->why);
}

static void get_terms(struct record *r, struct event *out)
{
	if (!record_since(r, 6) || !get_bool(r))
		return;
	out->until_s = get_i64(r);
	out->why = get_text(r);
}

void put_event(struct str *out, const struct key *key, const struct event *ev)
{
	size_t at = begin(out, RECORD_EVENT);

	put_u64(out, ev->seq);
	put_i64(out, ev->time_s);
	put_u8(out, (uint8_t)ev->kind);
	put_u64(out, ev->job);
	put_text(out, ev->who);
	put_terms(out, ev);
	put_fields(out, ev, event_fields(ev->kind));
	record_end(out, at, key);
}

bool get_event(struct bytes *bytes, const struct key *key, struct event *out, struct codec_scratch *scratch,
	       struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_EVENT, err))
		return false;
	*out = (struct event){.seq = get_u64(&r)};
	out->time_s = get_i64(&r);
	out->kind = get_below(&r, EVENT_KIND_COUNT);
	out->job = get_u64(&r);
	out->who = get_text(&r);
	get_terms(&r, out);
	if (out->kind == 0)
		record_fault(&r, "an event has no kind");
	get_fields(&r, out, event_fields(out->kind), scratch);
	return record_close(&r, err);
}

/* --- opaque bytes ------------------------------------------------------------------------------ */

void put_launch_head(struct str *out, const struct key *key, struct bytes launch)
{
	size_t at = begin(out, RECORD_LAUNCH);

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

	if (!open_record(&r, bytes, key, RECORD_LAUNCH, err))
		return false;
	*launch = get_bytes(&r);
	return record_close(&r, err);
}

void put_answer(struct str *out, const struct key *key, const struct kept_answer *answer)
{
	size_t at = begin(out, RECORD_COOKIE);

	put_i64(out, answer->at_s);
	put_bytes(out, answer->bytes.data, (uint32_t)answer->bytes.size);
	record_end(out, at, key);
}

bool get_answer(struct bytes *bytes, const struct key *key, struct kept_answer *out, struct err *err)
{
	struct record r;

	if (!open_record(&r, bytes, key, RECORD_COOKIE, err))
		return false;
	out->at_s = get_i64(&r);
	out->bytes = get_bytes(&r);
	return record_close(&r, err);
}
