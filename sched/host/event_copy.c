/* SPDX-License-Identifier: MIT */
/*
 * event_copy.c - copies of events that own their strings
 */
#include "event_copy.h"

#include "sched/state/event_field.h"

struct job_record job_record_copy(struct arena *arena, const struct job_record *record)
{
	struct job_record kept = *record;

	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		kept.cred[t] = arena_string(arena, record->cred[t]);
	kept.partition = arena_string(arena, record->partition);
	kept.label = arena_string(arena, record->label);
	kept.name = arena_string(arena, record->name);
	kept.qos_asked = arena_string(arena, record->qos_asked);
	kept.features = arena_string(arena, record->features);
	kept.prefer = arena_string(arena, record->prefer);
	kept.gres = arena_string(arena, record->gres);
	kept.hosts = arena_string(arena, record->hosts);
	kept.order = arena_string(arena, record->order);
	kept.hold_reason = arena_string(arena, record->hold_reason);
	kept.base_reason = arena_string(arena, record->base_reason);
	kept.depend = arena_copy(arena, record->depend, record->depend_count * sizeof *record->depend);
	kept.runs = arena_copy(arena, record->runs, record->run_count * sizeof *record->runs);
	kept.ranges = arena_copy(arena, record->ranges, record->range_count * sizeof *record->ranges);
	kept.launch = arena_copy(arena, record->launch, record->launch_size);
	return kept;
}

static struct node_record node_record_copy(struct arena *arena, const struct node_record *record)
{
	struct node_record kept = *record;

	kept.name = arena_string(arena, record->name);
	kept.partition = arena_string(arena, record->partition);
	kept.features = arena_string(arena, record->features);
	kept.classes = arena_string(arena, record->classes);
	kept.gres = arena_string(arena, record->gres);
	kept.used_by = arena_string(arena, record->used_by);
	return kept;
}

static const struct used_by *usage_copy(struct arena *arena, const struct used_by *item, uint32_t count)
{
	struct used_by *kept = arena_copy(arena, item, count * sizeof *item);

	for (uint32_t i = 0; i < count; i++)
		kept[i].name = arena_string(arena, item[i].name);
	return kept;
}

static void copy_field(struct arena *arena, struct event *kept, const struct event_field *field)
{
	void *at = (char *)kept + field->offset;
	const uint32_t *count = (const void *)((const char *)kept + field->count_offset);

	switch (field->type) {
	case EVENT_FIELD_TEXT:
		*(const char **)at = arena_string(arena, *(const char **)at);
		break;
	case EVENT_FIELD_RUNS:
		*(const struct alloc_run **)at =
			arena_copy(arena, *(const struct alloc_run **)at, *count * sizeof(struct alloc_run));
		break;
	case EVENT_FIELD_BYPASSED:
		*(const struct bypassed **)at =
			arena_copy(arena, *(const struct bypassed **)at, *count * sizeof(struct bypassed));
		break;
	case EVENT_FIELD_SWITCHED: {
		struct switched *what = at;

		what->more = arena_copy(arena, what->more, what->more_count * sizeof *what->more);
		break;
	}
	case EVENT_FIELD_JOB:
		*(struct job_record *)at = job_record_copy(arena, at);
		break;
	case EVENT_FIELD_NODE:
		*(struct node_record *)at = node_record_copy(arena, at);
		break;
	case EVENT_FIELD_WINDOW: {
		struct usage_window *window = at;

		window->item = usage_copy(arena, window->item, window->count);
		break;
	}
	default: /* the other types contain no pointers */
		break;
	}
}

struct event event_copy(struct arena *arena, const struct event *ev)
{
	struct event kept = *ev;

	kept.who = arena_string(arena, ev->who);
	kept.why = arena_string(arena, ev->why);
	for (const struct event_field *field = event_fields(ev->kind); field->name != NULL; field++)
		copy_field(arena, &kept, field);
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

/* A running job that is cancelled is removed when its end is reported. */
static bool leaves(const struct job *job, const struct event *ev)
{
	if (ev->kind == EVENT_CANCEL)
		return job->state == JOB_IDLE;
	return ev->kind == EVENT_END && event_ends_for_good(job, ev);
}

/* The reason given with a cancel; NULL: none was given, or the job was not cancelled. */
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
