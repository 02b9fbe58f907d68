/* SPDX-License-Identifier: MIT */
/*
 * codec_job.c - encoding and decoding of idle, running and ended jobs
 *
 * The fields of the first version come first; those added in the second version follow in one block.
 */
#include <string.h>

#include "codec.h"
#include "codec_fields.h"
#include "sched/base/vec.h"

#define JOB_FLAGS (JOB_BACKFILLED | JOB_ACCRUAL_PAUSED | JOB_CANCELLED | JOB_PARTICULAR | JOB_ELIGIBLE)

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

void put_tasks(struct str *out, const struct alloc_run *runs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		put_u32(out, runs[i].tasks);
}

void get_tasks(struct record *r, struct codec_scratch *scratch, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		scratch->parts.run[i].tasks = get_u32(r);
}

#define DEPEND_SIZE 10 /* bytes of a dependency in a record */

static void put_depends(struct str *out, const struct job_record *job)
{
	put_u32(out, job->depend_count);
	for (uint32_t i = 0; i < job->depend_count; i++) {
		put_u64(out, job->depend[i].on);
		put_u8(out, job->depend[i].type);
		put_u8(out, job->depend[i].state);
	}
}

static void get_depends(struct record *r, struct job_record *out, struct codec_scratch *scratch)
{
	struct state_parts *parts = &scratch->parts;

	out->depend_count = get_count(r, DEPEND_SIZE);
	parts->depend =
		vec_room(parts->depend, &parts->depend_room, out->depend_count, sizeof *parts->depend);
	for (uint32_t i = 0; i < out->depend_count; i++) {
		parts->depend[i] = (struct depend){.on = get_u64(r), .next = INDEX_NONE};
		parts->depend[i].type = get_below(r, DEPEND_TYPE_COUNT);
		parts->depend[i].state = get_below(r, DEPEND_NEVER + 1);
	}
	out->depend = out->depend_count ? parts->depend : NULL;
}

#define RANGE_SIZE 24 /* bytes of a range of numbers in a record */

/* For a task its array and number, for the submission of an array its ranges, and which dependencies are on
 * arrays and tasks. */
static void put_array(struct str *out, const struct job_record *job)
{
	put_u64(out, job->job.array);
	put_u32(out, job->job.array_index);
	put_u32(out, job->job.array_limit);
	put_u32(out, (uint32_t)job->job.base_points);
	put_u32(out, job->range_count);
	for (uint32_t i = 0; i < job->range_count; i++) {
		put_i64(out, job->ranges[i].first);
		put_i64(out, job->ranges[i].last);
		put_i64(out, job->ranges[i].step);
	}
	for (uint32_t i = 0; i < job->depend_count; i++) {
		put_u8(out, job->depend[i].of);
		put_u32(out, job->depend[i].number);
	}
}

static void get_array(struct record *r, struct job_record *out, struct codec_scratch *scratch)
{
	struct state_parts *parts = &scratch->parts;

	out->job.array = get_u64(r);
	out->job.array_index = get_u32(r);
	out->job.array_limit = get_u32(r);
	out->job.base_points = (int32_t)get_u32(r);
	out->range_count = get_count(r, RANGE_SIZE);
	parts->range = vec_room(parts->range, &parts->range_room, out->range_count, sizeof *parts->range);
	for (uint32_t i = 0; i < out->range_count; i++) {
		parts->range[i] = (struct array_range){.first = get_i64(r)};
		parts->range[i].last = get_i64(r);
		parts->range[i].step = get_i64(r);
	}
	out->ranges = out->range_count ? parts->range : NULL;
	for (uint32_t i = 0; i < out->depend_count; i++) {
		parts->depend[i].of = get_below(r, DEPEND_OF_COUNT);
		parts->depend[i].number = get_u32(r);
	}
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
	*out = (struct job){
		.id = get_u64(r), .run = INDEX_NONE, .depend = INDEX_NONE, .qos_asked = INDEX_NONE};
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
	out->flags = get_below(r, JOB_FLAGS + 1);
}

static void put_more_numbers(struct str *out, const struct job *job)
{
	put_i64(out, job->defer_until_s);
	put_i64(out, job->used_ps);
	put_u32(out, job->tasks_per_node);
	put_u32(out, job->procs_held);
	put_u32(out, job->defer_count);
	put_u32(out, job->start_count);
	put_u8(out, job->access);
	put_u8(out, job->allocation);
	put_u8(out, job->access_held);
}

static void get_more_numbers(struct record *r, struct job *out)
{
	out->defer_until_s = get_i64(r);
	out->used_ps = get_i64(r);
	out->tasks_per_node = get_u32(r);
	out->procs_held = get_u32(r);
	out->defer_count = get_u32(r);
	out->start_count = get_u32(r);
	out->access = get_below(r, ACCESS_SINGLETASK + 1);
	out->allocation = get_below(r, ALLOCATION_POLICY_COUNT + 1);
	out->access_held = get_below(r, ACCESS_SINGLETASK + 1);
}

/* Texts added in the second version, in their stored order. */
#define MORE_TEXTS 8
static void list_texts(struct job_record *job, const char **text[static MORE_TEXTS])
{
	text[0] = &job->qos_asked;
	text[1] = &job->features;
	text[2] = &job->prefer;
	text[3] = &job->gres;
	text[4] = &job->hosts;
	text[5] = &job->order;
	text[6] = &job->hold_reason;
	text[7] = &job->base_reason;
}

static void put_more(struct str *out, const struct job_record *job)
{
	struct job_record copy = *job;
	const char **text[MORE_TEXTS];

	put_more_numbers(out, &job->job);
	list_texts(&copy, text);
	for (int i = 0; i < MORE_TEXTS; i++)
		put_text(out, *text[i]);
	put_tasks(out, job->runs, job->run_count);
	put_depends(out, job);
}

static void get_more(struct record *r, struct job_record *out, struct codec_scratch *scratch)
{
	const char **text[MORE_TEXTS];

	get_more_numbers(r, &out->job);
	list_texts(out, text);
	for (int i = 0; i < MORE_TEXTS; i++)
		*text[i] = get_text(r);
	get_tasks(r, scratch, out->run_count);
	get_depends(r, out, scratch);
}

/* Defaults of the fields that the first version did not have. */
static void default_more(struct job_record *out)
{
	struct job *job = &out->job;
	bool runs = job->state == JOB_RUNNING;

	job->defer_until_s = TIME_NONE;
	job->used_ps = -1;
	job->start_count = runs;
	job->access_held = runs ? ACCESS_SHARED : ACCESS_UNSET;
	out->qos_asked = out->cred[CRED_QOS];
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
	put_more(out, job);
	put_u8(out, job->job.real);
	put_array(out, job);
	put_u8(out, job->job.retries);
	put_i64(out, job->job.suspended_s);
	put_i64(out, job->job.suspended_at_s);
	put_i64(out, job->job.resume_s);
	put_u32(out, job->launch_size);
	put_i64(out, job->job.released_s);
	put_i64(out, job->job.held_since_s);
	put_i64(out, job->job.charged_ps);
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
	if (record_since(r, VERSION_2))
		get_more(r, out, scratch);
	else
		default_more(out);
	if (record_since(r, VERSION_3))
		out->job.real = get_below(r, JOB_REAL_ALL + 1);
	if (record_since(r, VERSION_4))
		get_array(r, out, scratch);
	if (record_since(r, VERSION_7)) {
		out->job.retries = get_below(r, JOB_RETRIES_MAX + 1);
		out->job.suspended_s = get_i64(r);
		out->job.suspended_at_s = get_i64(r);
		out->job.resume_s = get_i64(r);
		out->launch_size = get_u32(r);
		out->job.released_s = get_i64(r);
		out->job.held_since_s = get_i64(r);
		out->job.charged_ps = get_i64(r);
	} else if ((out->job.real & JOB_REAL_SUSPENDED) != 0) {
		out->job.suspended_at_s =
			out->job.start_s; /* not recorded; the whole wallclock limit is left */
	}
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
	put_u8(out, ended->lost);
	put_i64(out, ended->mem_mb);
	put_text(out, ended->why);
	put_text(out, ended->output);
	put_text(out, ended->errors);
	record_end(out, at, key);
}

/* Offsets in the records of put_ended and put_job_numbers: of the start, and from it to the user. */
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

bool get_ended(struct bytes *bytes, const struct key *key, struct ended_job *out,
	       struct codec_scratch *scratch, struct err *err)
{
	struct record r;

	if (!codec_open(&r, bytes, key, RECORD_ENDED, err))
		return false;
	*out = (struct ended_job){.end_s = get_i64(&r)};
	out->status = (int32_t)get_u32(&r);
	out->at_limit = get_bool(&r);
	get_job_fields(&r, &out->record, scratch);
	if (record_since(&r, VERSION_3)) {
		out->lost = get_bool(&r);
		out->mem_mb = get_i64(&r);
		out->why = get_text(&r);
		out->output = get_text(&r);
		out->errors = get_text(&r);
	}
	return record_close(&r, err);
}
