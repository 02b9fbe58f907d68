/* SPDX-License-Identifier: MIT */
/*
 * event_copy.c - copies of events that own their strings
 */
#include "event_copy.h"

#include "sched/state/stored_field.h"

static const struct used_by *copy_used_by(struct arena *arena, const struct used_by *item, uint32_t count)
{
	struct used_by *kept = arena_copy(arena, item, count * sizeof *item);

	for (uint32_t i = 0; i < count; i++)
		kept[i].name = arena_string(arena, item[i].name);
	return kept;
}

static size_t item_size(enum stored_type type)
{
	switch (type) {
	case STORED_RUNS:
		return sizeof(struct alloc_run);
	case STORED_DEPENDS:
		return sizeof(struct depend);
	case STORED_RANGES:
		return sizeof(struct array_range);
	case STORED_BYPASSED:
		return sizeof(struct bypassed);
	default:
		return 0;
	}
}

static uint32_t count_of(const void *base, const struct stored_field *field)
{
	return *(const uint32_t *)(const void *)((const char *)base + field->count_offset);
}

static struct node_record node_record_copy(struct arena *arena, const struct node_record *record);

/* Replaces the strings and arrays that the fields of the struct at `base` point to with copies in the arena.
 */
static void copy_fields(struct arena *arena, void *base, const struct stored_field *fields)
{
	for (const struct stored_field *field = fields; field->name != NULL; field++) {
		void *at = (char *)base + field->offset;
		struct switched *switched = at;

		if (field->type == STORED_TEXT)
			*(const char **)at = arena_string(arena, *(const char **)at);
		else if (item_size(field->type) > 0)
			*(const void **)at = arena_copy(arena, *(const void **)at,
							count_of(base, field) * item_size(field->type));
		else if (field->type == STORED_USED_BY)
			*(const struct used_by **)at =
				copy_used_by(arena, *(const struct used_by **)at, count_of(base, field));
		else if (field->type == STORED_SWITCHED)
			switched->more = arena_copy(arena, switched->more,
						    switched->more_count * sizeof *switched->more);
		else if (field->type == STORED_JOB)
			*(struct job_record *)at = job_record_copy(arena, at);
		else if (field->type == STORED_NODE)
			*(struct node_record *)at = node_record_copy(arena, at);
		else if (stored_fields(field->type) != NULL)
			copy_fields(arena, at, stored_fields(field->type));
	}
}

/*
 * The launch data has no row in the table of fields, because it is stored in a separate record; so it is
 * copied here.
 */
struct job_record job_record_copy(struct arena *arena, const struct job_record *record)
{
	struct job_record kept = *record;

	copy_fields(arena, &kept, stored_fields(STORED_JOB));
	kept.launch = arena_copy(arena, record->launch, record->launch_size);
	return kept;
}

/* used_by has no row in the table of fields, because it is not stored; so it is copied here. */
static struct node_record node_record_copy(struct arena *arena, const struct node_record *record)
{
	struct node_record kept = *record;

	copy_fields(arena, &kept, stored_fields(STORED_NODE));
	kept.used_by = arena_string(arena, record->used_by);
	return kept;
}

struct event event_copy(struct arena *arena, const struct event *ev)
{
	struct event kept = *ev;

	kept.who = arena_string(arena, ev->who);
	kept.why = arena_string(arena, ev->why);
	copy_fields(arena, &kept, event_fields(ev->kind));
	return kept;
}

struct event event_copy_without_launch(struct arena *arena, const struct event *ev)
{
	struct event bare = *ev, kept;

	if (ev->kind != EVENT_SUBMIT)
		return event_copy(arena, ev);
	bare.submit.launch = NULL;
	kept = event_copy(arena, &bare);
	kept.submit.launch = ev->submit.launch;
	return kept;
}

struct job_record job_record_of_slot(struct arena *arena, const struct snapshot *s, uint32_t slot)
{
	struct state_parts parts = {.run = NULL};
	struct job_record record, kept;

	state_job_record(s, slot, &record, &parts);
	kept = job_record_copy(arena, &record);
	state_parts_free(&parts);
	return kept;
}

/* Does the event remove the job? A running job that is cancelled is removed only when its end is reported. */
static bool leaves(const struct job *job, const struct event *ev)
{
	if (ev->kind == EVENT_CANCEL)
		return job->state == JOB_IDLE;
	return ev->kind == EVENT_END && event_ends_for_good(job, ev);
}

/*
 * Returns the reason that was given for cancelling the job; NULL: none was given, or the job was not
 * cancelled.
 */
static const char *reason_of_cancel(const struct ended_job *ended)
{
	return (ended->record.job.flags & JOB_CANCELLED) != 0 ? ended->record.base_reason : NULL;
}

bool ended_job_of_event(struct arena *arena, const struct state *st, const struct event *ev,
			struct ended_job *out)
{
	uint32_t slot = state_find(st, ev->job);
	bool cancelled = ev->kind == EVENT_CANCEL;

	if (slot == INDEX_NONE || !leaves(&snapshot_jobs(state_view(st))[slot], ev))
		return false;
	*out = (struct ended_job){.record = job_record_of_slot(arena, state_view(st), slot),
				  .end_s = ev->time_s};
	if (cancelled) {
		out->status = ev->cancel.depends ? STATUS_DEPEND_FAILED : STATUS_CANCELLED;
		out->why = arena_string(arena, ev->cancel.depends ? ev->cancel.cause : ev->why);
		return true;
	}
	out->status = ev->end.status;
	out->at_limit = ev->end.at_limit;
	out->lost = ev->end.lost;
	out->mem_mb = ev->end.mem_mb;
	out->why = reason_of_cancel(out) != NULL ? reason_of_cancel(out) : arena_string(arena, ev->end.why);
	if (ev->end.has_used)
		out->record.job.used_ps = ev->end.used_ps;
	return true;
}
