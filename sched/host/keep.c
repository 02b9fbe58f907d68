/* SPDX-License-Identifier: MIT */
/*
 * keep.c - how does an event outlive the memory its strings came from?
 */
#include "keep.h"

struct job_record keep_record(struct arena *arena, const struct job_record *record)
{
	struct job_record kept = *record;

	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		kept.cred[t] = arena_string(arena, record->cred[t]);
	kept.partition = arena_string(arena, record->partition);
	kept.label = arena_string(arena, record->label);
	kept.name = arena_string(arena, record->name);
	kept.runs = arena_copy(arena, record->runs, record->run_count * sizeof *record->runs);
	return kept;
}

struct event keep_event(struct arena *arena, const struct event *ev)
{
	struct event kept = *ev;

	kept.who = arena_string(arena, ev->who);
	switch (ev->kind) {
	case EVENT_CONFIG:
		kept.config.file = arena_string(arena, ev->config.file);
		kept.config.text = arena_string(arena, ev->config.text);
		break;
	case EVENT_NODE:
		kept.node.name = arena_string(arena, ev->node.name);
		kept.node.partition = arena_string(arena, ev->node.partition);
		break;
	case EVENT_SUBMIT:
		kept.submit = keep_record(arena, &ev->submit);
		break;
	case EVENT_START:
		kept.start.runs = arena_copy(arena, ev->start.runs, ev->start.count * sizeof *ev->start.runs);
		break;
	case EVENT_BYPASS:
		kept.bypass.item =
			arena_copy(arena, ev->bypass.item, ev->bypass.count * sizeof *ev->bypass.item);
		break;
	case EVENT_SETTING:
		kept.setting.name = arena_string(arena, ev->setting.name);
		kept.setting.value = arena_string(arena, ev->setting.value);
		break;
	default: /* the other kinds point at nothing */
		break;
	}
	return kept;
}

struct job_record keep_job(struct arena *arena, const struct snapshot *s, uint32_t slot)
{
	uint32_t count = state_run_count(s, slot);
	struct alloc_run *runs = arena_take(arena, (count + 1) * sizeof *runs);
	struct job_record record;

	state_job_record(s, slot, &record, runs, count);
	return keep_record(arena, &record);
}
