/* SPDX-License-Identifier: MIT */
/*
 * codec_event.c - encoding and decoding of events
 *
 * All events begin with seq, time, kind, job and user; the other fields are those of the kind
 * (event_field.h).
 */
#include "codec.h"
#include "codec_fields.h"
#include "sched/base/vec.h"
#include "sched/state/event_field.h"

/* The end of a temporary change and the reason: most events have neither. */
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
	if (!record_since(r, VERSION_6) || !get_bool(r))
		return;
	out->until_s = get_i64(r);
	out->why = get_text(r);
}

/* --- fields that are arrays ------------------------------------------------------------------ */

static void put_bypassed(struct str *out, const struct bypassed *item, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u64(out, item[i].job);
		put_u32(out, item[i].by);
	}
}

#define BYPASSED_SIZE 12 /* size of one in bytes */

static const struct bypassed *get_bypassed(struct record *r, uint32_t *count, struct codec_scratch *scratch)
{
	*count = get_count(r, BYPASSED_SIZE);
	scratch->bypassed =
		vec_room(scratch->bypassed, &scratch->bypassed_room, *count, sizeof *scratch->bypassed);
	for (uint32_t i = 0; i < *count; i++) {
		scratch->bypassed[i] = (struct bypassed){.job = get_u64(r)};
		scratch->bypassed[i].by = get_u32(r);
	}
	return scratch->bypassed;
}

static void put_switched(struct str *out, const struct switched *what)
{
	put_u8(out, what->on);
	put_u32(out, what->more_count);
	for (uint32_t i = 0; i < what->more_count; i++)
		put_u64(out, what->more[i]);
}

static void get_switched(struct record *r, struct switched *out, struct codec_scratch *scratch)
{
	out->on = get_bool(r);
	out->more_count = record_since(r, VERSION_9) ? get_count(r, sizeof *out->more) : 0;
	scratch->switched = vec_room(scratch->switched, &scratch->switched_room, out->more_count,
				     sizeof *scratch->switched);
	for (uint32_t i = 0; i < out->more_count; i++)
		scratch->switched[i] = get_u64(r);
	out->more = scratch->switched;
}

/* --- fields ---------------------------------------------------------------------------------- */

static void put_field(struct str *out, const struct event *ev, const struct event_field *field)
{
	const void *at = (const char *)ev + field->offset;
	const uint32_t *count = (const void *)((const char *)ev + field->count_offset);

	switch (field->type) {
	case EVENT_FIELD_TEXT:
		put_text(out, *(const char *const *)at);
		break;
	case EVENT_FIELD_BOOL:
		put_u8(out, *(const bool *)at);
		break;
	case EVENT_FIELD_U8:
		put_u8(out, *(const uint8_t *)at);
		break;
	case EVENT_FIELD_I32:
		put_u32(out, (uint32_t) * (const int32_t *)at);
		break;
	case EVENT_FIELD_U32:
		put_u32(out, *(const uint32_t *)at);
		break;
	case EVENT_FIELD_I64:
		put_i64(out, *(const int64_t *)at);
		break;
	case EVENT_FIELD_U64:
		put_u64(out, *(const uint64_t *)at);
		break;
	case EVENT_FIELD_RUNS:
		put_runs(out, *(const struct alloc_run *const *)at, *count);
		break;
	case EVENT_FIELD_TASKS:
		put_tasks(out, *(const struct alloc_run *const *)at, *count);
		break;
	case EVENT_FIELD_SWITCHED:
		put_switched(out, at);
		break;
	case EVENT_FIELD_BYPASSED:
		put_bypassed(out, *(const struct bypassed *const *)at, *count);
		break;
	case EVENT_FIELD_JOB:
		put_job_fields(out, at);
		break;
	case EVENT_FIELD_NODE:
		put_node_fields(out, at);
		break;
	case EVENT_FIELD_SIM:
		put_sim_fields(out, at);
		break;
	case EVENT_FIELD_WINDOW:
		put_window(out, at);
		break;
	case EVENT_FIELD_USED:
		put_used(out, at);
		break;
	}
}

static void get_field(struct record *r, struct event *out, const struct event_field *field,
		      struct codec_scratch *scratch)
{
	void *at = (char *)out + field->offset;
	uint32_t *count = (void *)((char *)out + field->count_offset);

	switch (field->type) {
	case EVENT_FIELD_TEXT:
		*(const char **)at = get_text(r);
		break;
	case EVENT_FIELD_BOOL:
		*(bool *)at = get_bool(r);
		break;
	case EVENT_FIELD_U8:
		*(uint8_t *)at = field->below > 0 ? get_below(r, field->below) : get_u8(r);
		break;
	case EVENT_FIELD_I32:
		*(int32_t *)at = (int32_t)get_u32(r);
		break;
	case EVENT_FIELD_U32:
		*(uint32_t *)at = get_u32(r);
		break;
	case EVENT_FIELD_I64:
		*(int64_t *)at = get_i64(r);
		break;
	case EVENT_FIELD_U64:
		*(uint64_t *)at = get_u64(r);
		break;
	case EVENT_FIELD_RUNS:
		*(const struct alloc_run **)at = get_runs(r, scratch, count);
		break;
	case EVENT_FIELD_TASKS:
		get_tasks(r, scratch, *count);
		break;
	case EVENT_FIELD_SWITCHED:
		get_switched(r, at, scratch);
		break;
	case EVENT_FIELD_BYPASSED:
		*(const struct bypassed **)at = get_bypassed(r, count, scratch);
		break;
	case EVENT_FIELD_JOB:
		get_job_fields(r, at, scratch);
		break;
	case EVENT_FIELD_NODE:
		get_node_fields(r, at);
		break;
	case EVENT_FIELD_SIM:
		get_sim_fields(r, at);
		break;
	case EVENT_FIELD_WINDOW:
		get_window(r, at, scratch);
		break;
	case EVENT_FIELD_USED:
		get_used(r, at);
		break;
	}
	if (field->missing != NULL && *(const char *const *)at == NULL)
		record_fault(r, field->missing);
}

/* Does a record of this version contain the field? A field that it does not contain is zero. */
static bool has_field(const struct record *r, const struct event_field *field)
{
	return record_since(r, field->since) && (field->until == 0 || !record_since(r, field->until));
}

/* --- events ---------------------------------------------------------------------------------- */

void put_event(struct str *out, const struct key *key, const struct event *ev)
{
	size_t at = codec_begin(out, RECORD_EVENT);

	put_u64(out, ev->seq);
	put_i64(out, ev->time_s);
	put_u8(out, (uint8_t)ev->kind);
	put_u64(out, ev->job);
	put_text(out, ev->who);
	put_terms(out, ev);
	for (const struct event_field *field = event_fields(ev->kind); field->name != NULL; field++)
		if (field->until == 0)
			put_field(out, ev, field);
	record_end(out, at, key);
}

bool get_event(struct bytes *bytes, const struct key *key, struct event *out, struct codec_scratch *scratch,
	       struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_EVENT, err))
		return false;
	*out = (struct event){.seq = get_u64(&r)};
	out->time_s = get_i64(&r);
	out->kind = get_below(&r, EVENT_KIND_COUNT);
	out->job = get_u64(&r);
	out->who = get_text(&r);
	get_terms(&r, out);
	if (out->kind == 0)
		record_fault(&r, "an event is of no kind");
	for (const struct event_field *field = event_fields(out->kind); field->name != NULL; field++)
		if (has_field(&r, field))
			get_field(&r, out, field, scratch);
	return record_close(&r, err);
}
