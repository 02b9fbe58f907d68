/* SPDX-License-Identifier: MIT */
/*
 * codec_event.c - encoding and decoding of events
 *
 * All events begin with seq, time, kind, job and user; the other fields depend on the kind.
 */
#include "codec.h"
#include "codec_fields.h"
#include "sched/base/vec.h"

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

static void put_end(struct str *out, const struct event *ev)
{
	put_u32(out, (uint32_t)ev->end.status);
	put_u8(out, ev->end.at_limit);
	put_u8(out, ev->end.has_used);
	put_i64(out, ev->end.used_ps);
	put_u8(out, ev->end.lost);
	put_i64(out, ev->end.mem_mb);
	put_text(out, ev->end.why);
	put_i64(out, ev->end.held_s);
}

static void put_bypassed(struct str *out, const struct event *ev)
{
	put_u32(out, ev->bypass.count);
	for (uint32_t i = 0; i < ev->bypass.count; i++) {
		put_u64(out, ev->bypass.item[i].job);
		put_u32(out, ev->bypass.item[i].by);
	}
}

static void put_switched(struct str *out, const struct switched *what)
{
	put_u8(out, what->on);
	put_u32(out, what->more_count);
	for (uint32_t i = 0; i < what->more_count; i++)
		put_u64(out, what->more[i]);
}

static void put_defer(struct str *out, const struct event *ev)
{
	put_i64(out, ev->defer.until_s);
	put_text(out, ev->defer.reason);
	put_u8(out, ev->defer.failed_start);
	put_u8(out, ev->defer.retry);
}

static void put_hold(struct str *out, const struct event *ev)
{
	put_u8(out, ev->hold.bits);
	put_u8(out, ev->hold.on);
	put_text(out, ev->hold.reason);
}

static void put_load(struct str *out, const struct event *ev)
{
	put_text(out, ev->load.node);
	put_used(out, &ev->load.used);
	put_text(out, ev->load.by);
}

static void put_event_part(struct str *out, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_CONFIG:
		put_text(out, ev->config.file);
		put_text(out, ev->config.text);
		break;
	case EVENT_NODE:
		put_node_fields(out, &ev->node);
		break;
	case EVENT_SIM:
		put_sim_fields(out, &ev->sim);
		break;
	case EVENT_SUBMIT:
		put_job_fields(out, &ev->submit);
		break;
	case EVENT_START:
		put_runs(out, ev->start.runs, ev->start.count);
		put_u8(out, ev->start.backfilled);
		put_tasks(out, ev->start.runs, ev->start.count);
		break;
	case EVENT_END:
		put_end(out, ev);
		break;
	case EVENT_HOLD:
		put_hold(out, ev);
		break;
	case EVENT_PRIORITY:
		put_u8(out, ev->priority.adjust);
		put_i64(out, ev->priority.points);
		break;
	case EVENT_SETTING:
		put_text(out, ev->setting.name);
		put_text(out, ev->setting.value);
		break;
	case EVENT_UNDO:
	case EVENT_KEEP:
		put_u64(out, ev->undo.seq);
		break;
	case EVENT_PLAN:
		put_i64(out, ev->plan.start_s);
		put_runs(out, ev->plan.runs, ev->plan.count);
		put_tasks(out, ev->plan.runs, ev->plan.count);
		break;
	case EVENT_ACCRUAL:
		put_switched(out, &ev->accrual);
		break;
	case EVENT_ELIGIBLE:
		put_switched(out, &ev->eligible);
		break;
	case EVENT_BYPASS:
		put_bypassed(out, ev);
		break;
	case EVENT_DEFER:
		put_defer(out, ev);
		break;
	case EVENT_MODIFY:
		put_text(out, ev->modify.name);
		put_text(out, ev->modify.value);
		break;
	case EVENT_USAGE:
		put_window(out, &ev->usage);
		break;
	case EVENT_USED:
		put_i64(out, ev->used.ps);
		break;
	case EVENT_LOAD:
		put_load(out, ev);
		break;
	case EVENT_ORDER:
		put_text(out, ev->order.nodes);
		break;
	case EVENT_SUSPEND:
		put_u8(out, ev->suspend.on);
		put_u8(out, ev->suspend.how);
		break;
	case EVENT_SIGNAL:
		put_u8(out, ev->signal.number);
		break;
	case EVENT_RESERVE:
	case EVENT_UNRESERVE:
		put_text(out, ev->reserve.name);
		put_text(out, ev->reserve.text);
		break;
	case EVENT_HALT:
		put_u8(out, ev->halt.on);
		put_u32(out, ev->halt.after);
		break;
	case EVENT_CLOCK:
		put_i64(out, ev->clock.by_s);
		put_u64(out, ev->clock.before);
		break;
	case EVENT_CANCEL:
		put_u8(out, ev->cancel.depends);
		put_text(out, ev->cancel.cause);
		break;
	case EVENT_REQUEUE:
	case EVENT_PASS:
	case EVENT_KIND_COUNT:
		break;
	}
}

#define BYPASSED_SIZE 12 /* size of one in bytes */

static void get_bypassed(struct record *r, struct event *out, struct codec_scratch *scratch)
{
	uint32_t count = get_count(r, BYPASSED_SIZE);

	scratch->bypassed =
		vec_room(scratch->bypassed, &scratch->bypassed_room, count, sizeof *scratch->bypassed);
	for (uint32_t i = 0; i < count; i++) {
		scratch->bypassed[i] = (struct bypassed){.job = get_u64(r)};
		scratch->bypassed[i].by = get_u32(r);
	}
	out->bypass.item = scratch->bypassed;
	out->bypass.count = count;
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

static void get_end(struct record *r, struct event *out)
{
	out->end.status = (int32_t)get_u32(r);
	out->end.at_limit = get_bool(r);
	if (record_since(r, VERSION_2)) {
		out->end.has_used = get_bool(r);
		out->end.used_ps = get_i64(r);
	}
	if (record_since(r, VERSION_3)) {
		out->end.lost = get_bool(r);
		out->end.mem_mb = get_i64(r);
		out->end.why = get_text(r);
	}
	out->end.held_s = record_since(r, VERSION_10) ? get_i64(r) : 0;
}

static void get_plan(struct record *r, struct event *out, struct codec_scratch *scratch)
{
	out->plan.start_s = get_i64(r);
	if (!record_since(r, VERSION_2))
		return;
	out->plan.runs = get_runs(r, scratch, &out->plan.count);
	get_tasks(r, scratch, out->plan.count);
}

/* Two texts that must both be present. */
static void get_pair(struct record *r, const char **name, const char **value, const char *missing)
{
	*name = get_text(r);
	*value = get_text(r);
	if (*name == NULL || *value == NULL)
		record_fault(r, missing);
}

static void get_defer(struct record *r, struct event *out)
{
	out->defer.until_s = get_i64(r);
	out->defer.reason = get_text(r);
	out->defer.failed_start = get_bool(r);
	out->defer.retry = record_since(r, VERSION_7) && get_bool(r);
}

static void get_reserve(struct record *r, struct event *out)
{
	out->reserve.name = get_text(r);
	out->reserve.text = get_text(r);
	if (!out->reserve.name || (out->kind == EVENT_RESERVE && !out->reserve.text))
		record_fault(r, "a reservation has no name or no text");
}

static void get_hold(struct record *r, struct event *out)
{
	out->hold.bits = get_below(r, JOB_HOLD_ALL + 1);
	out->hold.on = get_bool(r);
	out->hold.reason = record_since(r, VERSION_2) ? get_text(r) : NULL;
}

static void get_load(struct record *r, struct event *out)
{
	out->load.node = get_text(r);
	get_used(r, &out->load.used);
	out->load.by = record_since(r, VERSION_8) ? get_text(r) : NULL;
}

static void get_event_part(struct record *r, struct event *out, struct codec_scratch *scratch)
{
	switch (out->kind) {
	case EVENT_CONFIG:
		out->config.file = get_text(r);
		out->config.text = get_text(r);
		break;
	case EVENT_NODE:
		get_node_fields(r, &out->node);
		break;
	case EVENT_SIM:
		get_sim_fields(r, &out->sim);
		break;
	case EVENT_SUBMIT:
		get_job_fields(r, &out->submit, scratch);
		break;
	case EVENT_START:
		out->start.runs = get_runs(r, scratch, &out->start.count);
		out->start.backfilled = get_bool(r);
		if (record_since(r, VERSION_2))
			get_tasks(r, scratch, out->start.count);
		break;
	case EVENT_END:
		get_end(r, out);
		break;
	case EVENT_HOLD:
		get_hold(r, out);
		break;
	case EVENT_PRIORITY:
		out->priority.adjust = get_below(r, JOB_ADJUST_ABSOLUTE + 1);
		out->priority.points = get_i64(r);
		break;
	case EVENT_SETTING:
		get_pair(r, &out->setting.name, &out->setting.value, "a setting has no name or no value");
		if (record_since(r, VERSION_5) && !record_since(r, VERSION_6))
			out->until_s = get_i64(r);
		break;
	case EVENT_UNDO:
	case EVENT_KEEP:
		out->undo.seq = get_u64(r);
		break;
	case EVENT_PLAN:
		get_plan(r, out, scratch);
		break;
	case EVENT_ACCRUAL:
		get_switched(r, &out->accrual, scratch);
		break;
	case EVENT_ELIGIBLE:
		get_switched(r, &out->eligible, scratch);
		break;
	case EVENT_BYPASS:
		get_bypassed(r, out, scratch);
		break;
	case EVENT_DEFER:
		get_defer(r, out);
		break;
	case EVENT_MODIFY:
		get_pair(r, &out->modify.name, &out->modify.value,
			 "a changed attribute has no name or no value");
		break;
	case EVENT_USAGE:
		get_window(r, &out->usage, scratch);
		break;
	case EVENT_USED:
		out->used.ps = get_i64(r);
		break;
	case EVENT_LOAD:
		get_load(r, out);
		break;
	case EVENT_ORDER:
		out->order.nodes = get_text(r);
		break;
	case EVENT_SUSPEND:
		out->suspend.on = get_bool(r);
		out->suspend.how = record_since(r, VERSION_7) ? get_below(r, SUSPEND_HOW_ALL + 1) : 0;
		break;
	case EVENT_SIGNAL:
		out->signal.number = get_u8(r);
		break;
	case EVENT_RESERVE:
	case EVENT_UNRESERVE:
		get_reserve(r, out);
		break;
	case EVENT_HALT:
		out->halt.on = get_bool(r);
		out->halt.after = get_u32(r);
		break;
	case EVENT_CLOCK:
		out->clock.by_s = get_i64(r);
		out->clock.before = get_u64(r);
		break;
	case EVENT_CANCEL:
		out->cancel.depends = record_since(r, VERSION_10) && get_bool(r);
		out->cancel.cause = record_since(r, VERSION_10) ? get_text(r) : NULL;
		break;
	case EVENT_REQUEUE:
	case EVENT_PASS:
	case EVENT_KIND_COUNT:
		break;
	}
}

void put_event(struct str *out, const struct key *key, const struct event *ev)
{
	size_t at = codec_begin(out, RECORD_EVENT);

	put_u64(out, ev->seq);
	put_i64(out, ev->time_s);
	put_u8(out, (uint8_t)ev->kind);
	put_u64(out, ev->job);
	put_text(out, ev->who);
	put_terms(out, ev);
	put_event_part(out, ev);
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
	get_event_part(&r, out, scratch);
	return record_close(&r, err);
}
