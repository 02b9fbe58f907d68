/* SPDX-License-Identifier: MIT */
/*
 * fingerprint.c - hash of decisions
 */
#include "fingerprint.h"

static void add_number(uint64_t *h, uint64_t n)
{
	*h = (*h ^ n) * UINT64_C(0x9e3779b97f4a7c15);
	*h ^= *h >> 32;
}

void fingerprint_add(uint64_t *h, const struct event *ev)
{
	if (ev->kind != EVENT_START && ev->kind != EVENT_PLAN &&
	    (ev->kind != EVENT_SUSPEND || (ev->suspend.how & SUSPEND_RESUMED) == 0))
		return;
	add_number(h, (uint64_t)ev->kind);
	add_number(h, (uint64_t)ev->time_s);
	add_number(h, ev->job);
	if (ev->kind == EVENT_PLAN)
		add_number(h, (uint64_t)ev->plan.start_s);
	for (uint32_t i = 0; ev->kind == EVENT_START && i < ev->start.count; i++) {
		add_number(h, ev->start.runs[i].node);
		add_number(h, ev->start.runs[i].nodes);
		add_number(h, ev->start.runs[i].procs);
	}
}
