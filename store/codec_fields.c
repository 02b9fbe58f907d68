/* SPDX-License-Identifier: MIT */
/*
 * codec_fields.c - encoding and decoding of the fields of records
 */
#include "codec_fields.h"

#include <string.h>

#include "sched/base/vec.h"

/* --- arrays ------------------------------------------------------------------------------------ */

static void put_runs(struct str *out, const struct alloc_run *runs, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u32(out, runs[i].node);
		put_u32(out, runs[i].nodes);
		put_u32(out, runs[i].procs);
	}
}

#define RUN_SIZE 12 /* bytes of one run in a record; the other _SIZE macros likewise */

static const struct alloc_run *get_runs(struct record *r, struct codec_scratch *scratch, uint32_t *count)
{
	struct state_parts *parts = &scratch->parts;

	*count = get_count(r, RUN_SIZE);
	parts->run = vec_room(parts->run, &parts->run_room, *count, sizeof *parts->run);
	for (uint32_t i = 0; i < *count; i++) {
		struct alloc_run *run = &parts->run[i];

		*run = (struct alloc_run){.node = get_u32(r), .next = INDEX_NONE};
		run->nodes = get_u32(r);
		run->procs = get_u32(r);
	}
	return *count ? parts->run : NULL;
}

static void put_tasks(struct str *out, const struct alloc_run *runs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		put_u32(out, runs[i].tasks);
}

static void get_tasks(struct record *r, struct codec_scratch *scratch, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		scratch->parts.run[i].tasks = get_u32(r);
}

static void put_depends(struct str *out, const struct depend *depend, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u64(out, depend[i].on);
		put_u8(out, depend[i].type);
		put_u8(out, depend[i].state);
	}
}

#define DEPEND_SIZE 10

static const struct depend *get_depends(struct record *r, struct codec_scratch *scratch, uint32_t *count)
{
	struct state_parts *parts = &scratch->parts;

	*count = get_count(r, DEPEND_SIZE);
	parts->depend = vec_room(parts->depend, &parts->depend_room, *count, sizeof *parts->depend);
	for (uint32_t i = 0; i < *count; i++) {
		parts->depend[i] = (struct depend){.on = get_u64(r), .next = INDEX_NONE};
		parts->depend[i].type = get_below(r, DEPEND_TYPE_COUNT);
		parts->depend[i].state = get_below(r, DEPEND_NEVER + 1);
	}
	return *count ? parts->depend : NULL;
}

static void put_depends_task(struct str *out, const struct depend *depend, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		put_u8(out, depend[i].of);
		put_u32(out, depend[i].number);
	}
}

static void get_depends_task(struct record *r, struct codec_scratch *scratch, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		scratch->parts.depend[i].of = get_below(r, DEPEND_OF_COUNT);
		scratch->parts.depend[i].number = get_u32(r);
	}
}

static void put_ranges(struct str *out, const struct array_range *ranges, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_i64(out, ranges[i].first);
		put_i64(out, ranges[i].last);
		put_i64(out, ranges[i].step);
	}
}

#define RANGE_SIZE 24

static const struct array_range *get_ranges(struct record *r, struct codec_scratch *scratch, uint32_t *count)
{
	struct state_parts *parts = &scratch->parts;

	*count = get_count(r, RANGE_SIZE);
	parts->range = vec_room(parts->range, &parts->range_room, *count, sizeof *parts->range);
	for (uint32_t i = 0; i < *count; i++) {
		parts->range[i] = (struct array_range){.first = get_i64(r)};
		parts->range[i].last = get_i64(r);
		parts->range[i].step = get_i64(r);
	}
	return *count ? parts->range : NULL;
}

static void put_bypassed(struct str *out, const struct bypassed *item, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u64(out, item[i].job);
		put_u32(out, item[i].by);
	}
}

#define BYPASSED_SIZE 12

static const struct bypassed *get_bypassed(struct record *r, struct codec_scratch *scratch, uint32_t *count)
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

static void put_used_by(struct str *out, const struct used_by *item, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u8(out, (uint8_t)item[i].type);
		put_text(out, item[i].name);
		put_i64(out, item[i].amount);
	}
}

#define USED_BY_SIZE 14 /* bytes of an item with the shortest name */

static const struct used_by *get_used_by(struct record *r, struct codec_scratch *scratch, uint32_t *count)
{
	*count = get_count(r, USED_BY_SIZE);
	scratch->used = vec_room(scratch->used, &scratch->used_room, *count, sizeof *scratch->used);
	for (uint32_t i = 0; i < *count; i++) {
		scratch->used[i] = (struct used_by){.type = get_below(r, CRED_TYPE_COUNT)};
		scratch->used[i].name = get_text(r);
		scratch->used[i].amount = get_i64(r);
		if (!scratch->used[i].name)
			record_fault(r, "fairshare usage has no name");
	}
	return scratch->used;
}

static void put_switched(struct str *out, const struct switched *what)
{
	put_u8(out, what->on);
	put_u32(out, what->more_count);
	for (uint32_t i = 0; i < what->more_count; i++)
		put_u64(out, what->more[i]);
}

/* The version of events in which one accrual or eligible event may concern many jobs. */
#define SWITCHED_MORE 9

static void get_switched(struct record *r, struct codec_scratch *scratch, struct switched *out)
{
	out->on = get_bool(r);
	out->more_count = record_since(r, SWITCHED_MORE) ? get_count(r, sizeof *out->more) : 0;
	scratch->switched = vec_room(scratch->switched, &scratch->switched_room, out->more_count,
				     sizeof *scratch->switched);
	for (uint32_t i = 0; i < out->more_count; i++)
		scratch->switched[i] = get_u64(r);
	out->more = scratch->switched;
}

/* --- jobs and nodes ------------------------------------------------------------------------------ */

/* Sets the fields that records of earlier versions lack and whose default is not 0. */
static void complete_job(const struct record *r, struct job_record *out)
{
	struct job *job = &out->job;
	bool runs = job->state == JOB_RUNNING;

	if (!record_since(r, 2)) {
		job->defer_until_s = TIME_NONE;
		job->used_ps = -1;
		job->start_count = runs;
		job->access_held = runs ? ACCESS_SHARED : ACCESS_UNSET;
		out->qos_asked = out->cred[CRED_QOS];
	}
	/* Earlier versions did not record the time of a suspension: assume that the whole wallclock limit is
	 * left. */
	if (!record_since(r, 7) && (job->real & JOB_REAL_SUSPENDED) != 0)
		job->suspended_at_s = job->start_s;
}

static void get_job_record(struct record *r, struct job_record *out, struct codec_scratch *scratch)
{
	*out = (struct job_record){.job = {.run = INDEX_NONE, .depend = INDEX_NONE, .qos_asked = INDEX_NONE}};
	memset(out->job.cred, 0xff, sizeof out->job.cred);
	get_fields(r, out, stored_fields(STORED_JOB), scratch);
	complete_job(r, out);
}

static void get_node_record(struct record *r, struct node_record *out, struct codec_scratch *scratch)
{
	*out = (struct node_record){.used = NODE_NOT_MEASURED, .active_from_s = TIME_NONE};
	get_fields(r, out, stored_fields(STORED_NODE), scratch);
}

/* --- fields -------------------------------------------------------------------------------------- */

static void put_field(struct str *out, const void *base, const struct stored_field *field)
{
	const void *at = (const char *)base + field->offset;
	const uint32_t *count = (const void *)((const char *)base + field->count_offset);

	switch (field->type) {
	case STORED_TEXT:
		put_text(out, *(const char *const *)at);
		break;
	case STORED_BOOL:
		put_u8(out, *(const bool *)at);
		break;
	case STORED_U8:
		put_u8(out, *(const uint8_t *)at);
		break;
	case STORED_U8_WIDE:
		put_u8(out, (uint8_t) * (const uint32_t *)at);
		break;
	case STORED_I32:
		put_u32(out, (uint32_t) * (const int32_t *)at);
		break;
	case STORED_U32:
		put_u32(out, *(const uint32_t *)at);
		break;
	case STORED_I64:
		put_i64(out, *(const int64_t *)at);
		break;
	case STORED_U64:
		put_u64(out, *(const uint64_t *)at);
		break;
	case STORED_REAL:
		put_real(out, *(const double *)at);
		break;
	case STORED_RUNS:
		put_runs(out, *(const struct alloc_run *const *)at, *count);
		break;
	case STORED_TASKS:
		put_tasks(out, *(const struct alloc_run *const *)at, *count);
		break;
	case STORED_DEPENDS:
		put_depends(out, *(const struct depend *const *)at, *count);
		break;
	case STORED_DEPENDS_TASK:
		put_depends_task(out, *(const struct depend *const *)at, *count);
		break;
	case STORED_RANGES:
		put_ranges(out, *(const struct array_range *const *)at, *count);
		break;
	case STORED_BYPASSED:
		put_bypassed(out, *(const struct bypassed *const *)at, *count);
		break;
	case STORED_USED_BY:
		put_used_by(out, *(const struct used_by *const *)at, *count);
		break;
	case STORED_SWITCHED:
		put_switched(out, at);
		break;
	case STORED_JOB:
	case STORED_NODE:
	case STORED_SIM:
	case STORED_WINDOW:
	case STORED_USED:
		put_fields(out, at, stored_fields(field->type));
		break;
	}
}

static void get_field(struct record *r, void *base, const struct stored_field *field,
		      struct codec_scratch *scratch)
{
	void *at = (char *)base + field->offset;
	uint32_t *count = (void *)((char *)base + field->count_offset);

	switch (field->type) {
	case STORED_TEXT:
		*(const char **)at = get_text(r);
		break;
	case STORED_BOOL:
		*(bool *)at = get_bool(r);
		break;
	case STORED_U8:
		*(uint8_t *)at = field->below > 0 ? get_below(r, field->below) : get_u8(r);
		break;
	case STORED_U8_WIDE:
		*(uint32_t *)at = field->below > 0 ? get_below(r, field->below) : get_u8(r);
		break;
	case STORED_I32:
		*(int32_t *)at = (int32_t)get_u32(r);
		break;
	case STORED_U32:
		*(uint32_t *)at = get_u32(r);
		break;
	case STORED_I64:
		*(int64_t *)at = get_i64(r);
		break;
	case STORED_U64:
		*(uint64_t *)at = get_u64(r);
		break;
	case STORED_REAL:
		*(double *)at = get_real(r);
		break;
	case STORED_RUNS:
		*(const struct alloc_run **)at = get_runs(r, scratch, count);
		break;
	case STORED_TASKS:
		get_tasks(r, scratch, *count);
		break;
	case STORED_DEPENDS:
		*(const struct depend **)at = get_depends(r, scratch, count);
		break;
	case STORED_DEPENDS_TASK:
		get_depends_task(r, scratch, *count);
		break;
	case STORED_RANGES:
		*(const struct array_range **)at = get_ranges(r, scratch, count);
		break;
	case STORED_BYPASSED:
		*(const struct bypassed **)at = get_bypassed(r, scratch, count);
		break;
	case STORED_USED_BY:
		*(const struct used_by **)at = get_used_by(r, scratch, count);
		break;
	case STORED_SWITCHED:
		get_switched(r, scratch, at);
		break;
	case STORED_JOB:
		get_job_record(r, at, scratch);
		break;
	case STORED_NODE:
		get_node_record(r, at, scratch);
		break;
	case STORED_SIM:
	case STORED_WINDOW:
	case STORED_USED:
		get_fields(r, at, stored_fields(field->type), scratch);
		break;
	}
	if (field->missing != NULL && *(const char *const *)at == NULL)
		record_fault(r, field->missing);
}

void put_fields(struct str *out, const void *base, const struct stored_field *fields)
{
	for (const struct stored_field *field = fields; field->name != NULL; field++)
		if (field->until == 0)
			put_field(out, base, field);
}

static bool has_field(const struct record *r, const struct stored_field *field)
{
	return record_since(r, field->since) && (field->until == 0 || !record_since(r, field->until));
}

void get_fields(struct record *r, void *base, const struct stored_field *fields,
		struct codec_scratch *scratch)
{
	for (const struct stored_field *field = fields; field->name != NULL; field++)
		if (has_field(r, field))
			get_field(r, base, field, scratch);
}
