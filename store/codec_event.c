/* SPDX-License-Identifier: MIT */
/*
 * codec_event.c - which fields does each kind of event have?
 *
 * All begin with seq, moment, kind, job and person; what follows is its kind's own.
 */
#include "codec.h"
#include "codec_fields.h"
#include "sched/base/vec.h"

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
		break;
	case EVENT_END:
		put_u32(out, (uint32_t)ev->end.status);
		put_u8(out, ev->end.at_limit);
		break;
	case EVENT_HOLD:
		put_u8(out, ev->hold.bits);
		put_u8(out, ev->hold.on);
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
		put_u64(out, ev->undo.seq);
		break;
	case EVENT_PLAN:
		put_i64(out, ev->plan.start_s);
		break;
	case EVENT_ACCRUAL:
		put_u8(out, ev->accrual.on);
		break;
	case EVENT_ELIGIBLE:
		put_u8(out, ev->eligible.on);
		break;
	case EVENT_BYPASS:
		put_u32(out, ev->bypass.count);
		for (uint32_t i = 0; i < ev->bypass.count; i++) {
			put_u64(out, ev->bypass.item[i].job);
			put_u32(out, ev->bypass.item[i].by);
		}
		break;
	case EVENT_PASS:
	case EVENT_KIND_COUNT:
		break;
	}
}

#define BYPASSED_SIZE 12 /* bytes of one */

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
		break;
	case EVENT_END:
		out->end.status = (int32_t)get_u32(r);
		out->end.at_limit = get_bool(r);
		break;
	case EVENT_HOLD:
		out->hold.bits = get_below(r, JOB_HOLD_ALL + 1);
		out->hold.on = get_bool(r);
		break;
	case EVENT_PRIORITY:
		out->priority.adjust = get_below(r, JOB_ADJUST_ABSOLUTE + 1);
		out->priority.points = get_i64(r);
		break;
	case EVENT_SETTING:
		out->setting.name = get_text(r);
		out->setting.value = get_text(r);
		if (!out->setting.name || !out->setting.value)
			record_fault(r, "a setting has no name or no value");
		break;
	case EVENT_UNDO:
		out->undo.seq = get_u64(r);
		break;
	case EVENT_PLAN:
		out->plan.start_s = get_i64(r);
		break;
	case EVENT_ACCRUAL:
		out->accrual.on = get_bool(r);
		break;
	case EVENT_ELIGIBLE:
		out->eligible.on = get_bool(r);
		break;
	case EVENT_BYPASS:
		get_bypassed(r, out, scratch);
		break;
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
	if (out->kind == 0)
		record_fault(&r, "an event is of no kind");
	get_event_part(&r, out, scratch);
	return record_close(&r, err);
}
