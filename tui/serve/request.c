/* SPDX-License-Identifier: MIT */
/*
 * request.c - requests of clients and their answers, as bytes
 */
#include "request.h"

#include <stdlib.h>
#include <string.h>

#include "request_check.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "store/codec.h"

/* Types of the records in messages, which never appear in a file. Stored records have lower types. */
#define RECORD_REQUEST ((enum record_type)64)
#define RECORD_ANSWER  ((enum record_type)65)
#define REQUEST_NEWEST 5
#define REQUEST_ANY    UINT16_MAX

#define NAME_SIZE 12 /* minimum bytes of a requested job */

/* Key of the record at a position in the message. */
static struct key place(uint64_t at)
{
	return key_number(at);
}

/* Reads the version of the program that sent the message. It is the first field in every version of the
 * format. */
static const char *get_writer(struct record *r)
{
	const char *writer = get_text(r);

	if (r->version != REQUEST_NEWEST)
		record_fault(r, "it is of another version");
	return writer != NULL ? writer : "of an unknown version";
}

/*
 * Sets err to the reason why a message cannot be decoded, or, if the sender has another version of the
 * program, to a text that says so. Returns false.
 */
static bool cannot_read(const char *writer, const char *what, const char *others, struct err *err)
{
	if (writer == NULL || strcmp(writer, KAHU_VERSION) == 0)
		return err_prefix(err, "%s cannot be read", what);
	return err_set(err,
		       "%s is kahu %s and this is kahu " KAHU_VERSION
		       ": use the program that the scheduler was started from",
		       others, writer);
}

/* --- requests ------------------------------------------------------------------------------- */

static void put_names(struct str *out, const struct request_text *request)
{
	put_u8(out, request->outputs);
	put_u32(out, (uint32_t)request->name_count);
	for (size_t i = 0; i < request->name_count; i++) {
		put_u64(out, request->name[i].job);
		put_text(out, request->name[i].label);
	}
}

/* Reads the names of jobs; labels point into the request. */
static void get_names(struct record *r, struct arena *arena, struct request_text *out)
{
	size_t labels = 0;

	out->outputs = get_bool(r);
	out->name_count = get_count(r, NAME_SIZE);
	if (out->name_count > JOB_REFS_MAX) {
		out->name_count = 0;
		record_fault(r, "it names too many jobs");
	}
	out->name = arena_take(arena, (out->name_count + 1) * sizeof *out->name);
	for (size_t i = 0; i < out->name_count; i++) {
		out->name[i].job = get_u64(r);
		out->name[i].label = get_text(r);
		labels += out->name[i].label != NULL;
	}
	if (labels > JOB_REF_LABELS_MAX)
		record_fault(r, "it names too many labels");
	if (out->outputs && out->name_count > JOB_REF_FILES_MAX)
		record_fault(r, "it requests the files of too many jobs");
	if (out->kind != ASK_JOBS && (out->name_count > 0 || out->outputs))
		record_fault(r, "it is of an unknown kind");
}

#define IDS_SIZE 16 /* bytes of a range of IDs */

static void put_place(struct str *out, const struct history_place *place)
{
	put_i64(out, place->end_s);
	put_u64(out, place->job);
}

static struct history_place get_place(struct record *r)
{
	struct history_place place = {.end_s = get_i64(r)};

	place.job = get_u64(r);
	return place;
}

static void put_jobs_wish(struct str *out, const struct history_filter *wish)
{
	put_place(out, &wish->after);
	put_place(out, &wish->before);
	put_u8(out, wish->backward);
	put_u8(out, wish->ran);
	put_text(out, wish->user);
	put_u32(out, wish->id_count);
	for (uint32_t i = 0; i < wish->id_count; i++) {
		put_u64(out, wish->id[i].first);
		put_u64(out, wish->id[i].last);
	}
}

static void put_past(struct str *out, const struct past_wish *past)
{
	put_u8(out, past->journal);
	put_u8(out, past->backward);
	put_u64(out, past->from);
	put_i64(out, past->since_s);
	put_u8(out, past->own);
	put_jobs_wish(out, &past->jobs);
}

static void get_jobs_wish(struct record *r, struct history_filter *out)
{
	out->after = get_place(r);
	out->before = get_place(r);
	out->backward = get_bool(r);
	out->ran = get_bool(r);
	out->user = get_text(r);
	out->id_count = get_count(r, IDS_SIZE);
	if (out->id_count > HISTORY_IDS_MAX) {
		out->id_count = 0;
		record_fault(r, "it names too many ended jobs");
	}
	for (uint32_t i = 0; i < out->id_count; i++) {
		out->id[i].first = get_u64(r);
		out->id[i].last = get_u64(r);
	}
}

/* Reads the part of a request that concerns the past; the user name points into the request. */
static void get_past(struct record *r, struct past_wish *out)
{
	*out = (struct past_wish){.journal = get_bool(r)};
	out->backward = get_bool(r);
	out->from = get_u64(r);
	out->since_s = get_i64(r);
	out->own = get_bool(r);
	get_jobs_wish(r, &out->jobs);
}

void request_write(const struct request_text *request, struct str *out)
{
	struct key first = place(0);
	size_t at = record_begin(out, RECORD_REQUEST, REQUEST_NEWEST);

	put_text(out, KAHU_VERSION);
	put_u8(out, (uint8_t)request->kind);
	put_bytes(out, request->cookie, COOKIE_BYTES);
	put_u32(out, (uint32_t)request->count);
	put_names(out, request);
	put_past(out, &request->past);
	put_bytes(out, request->was, request->was != NULL ? (uint32_t)request->count : 0);
	record_end(out, at, &first);
	for (size_t i = 0; i < request->count; i++) {
		const struct event *ev = &request->event[i];
		struct key key = place(i + 1);

		put_event(out, &key, ev);
		if (ev->kind == EVENT_SUBMIT)
			put_launch(out, &key, (struct bytes){ev->submit.launch, ev->submit.launch_size});
	}
}

/* Decodes the record of one event and, after a submission, the record of its launch data. Does not validate
 * the event. */
static bool decode_event(struct bytes *bytes, uint64_t at, struct codec_scratch *scratch, struct event *ev,
			 struct err *err)
{
	struct key key = place(at);
	struct bytes launch;

	if (!get_event(bytes, &key, ev, scratch, err))
		return false;
	if (ev->kind != EVENT_SUBMIT)
		return true;
	if (!get_launch(bytes, &key, &launch, err))
		return false;
	ev->submit.launch = launch.size > 0 ? launch.data : NULL;
	ev->submit.launch_size = (uint32_t)launch.size;
	return true;
}

static bool read_event(struct bytes *bytes, uint64_t at, struct arena *arena, struct codec_scratch *scratch,
		       const char *writer, struct event *out, struct err *err)
{
	struct event ev;

	if (!decode_event(bytes, at, scratch, &ev, err))
		return cannot_read(writer, "the request", "the client", err);
	if (!request_check_event(&ev, err))
		return false;
	*out = event_copy_without_launch(arena, &ev);
	return true;
}

static bool read_events(struct bytes *bytes, struct arena *arena, const char *writer,
			struct request_text *out, struct err *err)
{
	struct codec_scratch scratch = {.bypassed = NULL};
	bool good = true;

	out->event = arena_take(arena, (out->count + 1) * sizeof *out->event);
	for (size_t i = 0; i < out->count && good; i++)
		good = read_event(bytes, i + 1, arena, &scratch, writer, &out->event[i], err);
	codec_scratch_free(&scratch);
	return good;
}

static bool check_names(const struct request_text *request, struct err *err)
{
	for (size_t i = 0; i < request->name_count; i++)
		if (!request_check_name(&request->name[i], err))
			return false;
	return true;
}

static void get_cookie(struct record *r, unsigned char out[static COOKIE_BYTES])
{
	struct bytes bytes = get_bytes(r);

	if (bytes.size == COOKIE_BYTES)
		memcpy(out, bytes.data, COOKIE_BYTES);
	else
		record_fault(r, "its cookie has the wrong length");
}

/* Reads the earlier states of the jobs: one for each event, or none at all. */
static void get_was(struct record *r, struct arena *arena, struct request_text *out)
{
	struct bytes bytes = get_bytes(r);

	if (bytes.size == 0)
		return;
	if (bytes.size != out->count) {
		record_fault(r, "the number of previous job states differs from the number of events");
		return;
	}
	out->was = arena_copy(arena, bytes.data, bytes.size);
	for (size_t i = 0; i < bytes.size; i++)
		if (out->was[i] >= JOB_STATE_COUNT)
			record_fault(r, "it has an unknown previous state of a job");
}

/* Decodes the part before the events and advances bytes past it. */
static bool read_head(struct bytes *bytes, struct arena *arena, struct request_text *out, const char **writer,
		      struct err *err)
{
	struct key first = place(0);
	struct record r;

	*out = (struct request_text){.count = 0};
	if (!record_open(&r, bytes, &first, RECORD_REQUEST, REQUEST_ANY, err))
		return cannot_read(NULL, "the request", "", err);
	*writer = get_writer(&r);
	out->kind = get_below(&r, ASK_KIND_COUNT);
	get_cookie(&r, out->cookie);
	out->count = get_u32(&r);
	if (out->kind == 0 || (out->kind != ASK_CHANGE && out->count > 0))
		record_fault(&r, "it is of an unknown kind");
	/* each event takes at least a header: a false count is detected before memory is allocated */
	if (out->count > REQUEST_EVENTS_MAX || out->count > bytes->size / RECORD_HEADER)
		record_fault(&r, "it has too many events");
	get_names(&r, arena, out);
	get_past(&r, &out->past);
	get_was(&r, arena, out);
	if (!record_close(&r, err))
		return cannot_read(*writer, "the request", "the client", err);
	return check_names(out, err) && request_check_past(&out->past, out->kind == ASK_PAST, err);
}

bool request_read_head(const void *data, size_t size, struct arena *arena, struct request_text *out,
		       struct err *err)
{
	struct bytes bytes = {data, size};
	const char *writer;

	return read_head(&bytes, arena, out, &writer, err);
}

bool request_read(const void *data, size_t size, struct arena *arena, struct request_text *out,
		  struct err *err)
{
	struct bytes bytes = {data, size};
	const char *writer = NULL;

	if (!read_head(&bytes, arena, out, &writer, err) || !read_events(&bytes, arena, writer, out, err))
		return false;
	return bytes.size == 0 || err_set(err, "the request cannot be read: it has trailing bytes");
}

/* --- answers --------------------------------------------------------------------------------- */

#define APPLIED_SIZE 24 /* bytes of one applied event */

static void put_status(struct str *out, const struct job_status *job_status)
{
	put_u64(out, job_status->job);
	put_u8(out, job_status->phase);
	put_u8(out, job_status->lost);
	put_u8(out, job_status->at_limit);
	put_u8(out, job_status->cancelled);
	put_u32(out, (uint32_t)job_status->status);
	put_i64(out, job_status->start_s);
	put_i64(out, job_status->end_s);
	put_text(out, job_status->label);
	put_text(out, job_status->user);
	put_text(out, job_status->why);
	put_text(out, job_status->output);
	put_text(out, job_status->errors);
}

static void get_status(struct record *r, struct job_status *out)
{
	*out = (struct job_status){.job = get_u64(r)};
	out->phase = get_below(r, JOB_PHASE_COUNT);
	out->lost = get_bool(r);
	out->at_limit = get_bool(r);
	out->cancelled = get_bool(r);
	out->status = (int32_t)get_u32(r);
	out->start_s = get_i64(r);
	out->end_s = get_i64(r);
	out->label = get_text(r);
	out->user = get_text(r);
	out->why = get_text(r);
	out->output = get_text(r);
	out->errors = get_text(r);
}

#define JOB_STATUS_SIZE 52 /* minimum bytes of an outcome */

void answer_write(const struct answer_text *answer, struct str *out)
{
	struct key first = place(0);
	size_t at = record_begin(out, RECORD_ANSWER, REQUEST_NEWEST);

	put_text(out, KAHU_VERSION);
	put_u8(out, (uint8_t)answer->outcome);
	put_i64(out, answer->now_s);
	put_text(out, answer->err.text);
	put_u64(out, answer->rows);
	put_place(out, &answer->at);
	put_u8(out, answer->more);
	put_u32(out, (uint32_t)answer->count);
	for (size_t i = 0; i < answer->count; i++) {
		put_u64(out, answer->applied[i].seq);
		put_u64(out, answer->applied[i].job);
		put_i64(out, answer->applied[i].until_s);
	}
	put_u32(out, (uint32_t)answer->status_count);
	for (size_t i = 0; i < answer->status_count; i++)
		put_status(out, &answer->job_status[i]);
	record_end(out, at, &first);
}

bool answer_read(const void *data, size_t size, struct answer_text *out, struct err *err)
{
	struct bytes bytes = {data, size};
	struct key first = place(0);
	const char *sentence, *writer;
	struct record r;

	if (!record_open(&r, &bytes, &first, RECORD_ANSWER, REQUEST_ANY, err))
		return cannot_read(NULL, "the scheduler's answer", "", err);
	writer = get_writer(&r);
	*out = (struct answer_text){.outcome = get_below(&r, DRIVER_FAILED + 1)};
	out->now_s = get_i64(&r);
	sentence = get_text(&r);
	err_set(&out->err, "%s", sentence != NULL ? sentence : "");
	out->rows = get_u64(&r);
	out->at = get_place(&r);
	out->more = get_bool(&r);
	out->count = get_count(&r, APPLIED_SIZE);
	out->applied = mem_zero(out->count + 1, sizeof *out->applied);
	for (size_t i = 0; i < out->count; i++) {
		out->applied[i].seq = get_u64(&r);
		out->applied[i].job = get_u64(&r);
		out->applied[i].until_s = get_i64(&r);
	}
	out->status_count = get_count(&r, JOB_STATUS_SIZE);
	out->job_status = mem_zero(out->status_count + 1, sizeof *out->job_status);
	for (size_t i = 0; i < out->status_count; i++)
		get_status(&r, &out->job_status[i]);
	if (record_close(&r, err))
		return true;
	free(out->applied);
	free(out->job_status);
	*out = (struct answer_text){.outcome = DRIVER_FAILED};
	return cannot_read(writer, "the scheduler's answer", "the scheduler", err);
}
