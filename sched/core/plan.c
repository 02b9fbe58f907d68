/* SPDX-License-Identifier: MIT */
/*
 * plan.c - when would each waiting job start, as things stand? (the instant plan)
 *
 * First what the next pass does: its starts and its reservations stand. Then everybody
 * else in the order of rank, each at the earliest gap. Taking from the profile only makes
 * gaps smaller, so a job that asks for at least as much for at least as long as one placed
 * before it cannot begin before that one did: a few remembered placements spare most of
 * each search.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "backfill.h"
#include "profile.h"
#include "reserve.h"
#include "sched/base/vec.h"

/* Of the searches made so far, the latest begin for each pair of power-of-two sizes. */
#define SIZE_CLASSES 32
#define TIME_CLASSES 40

struct hints {
	int64_t begin_s[SIZE_CLASSES][TIME_CLASSES]; /* no job at least so big and so long begins before */
};

/* The class whose bound is at most n: n is at least 2^class. */
static unsigned class_below(int64_t n)
{
	unsigned c = 0;

	while (n > 1) {
		n >>= 1;
		c++;
	}
	return c;
}

/* The class whose bound is at least n. */
static unsigned class_above(int64_t n)
{
	unsigned c = class_below(n);

	return (INT64_C(1) << c) < n ? c + 1 : c;
}

static int64_t hint_begin(const struct hints *h, int64_t procs, int64_t wall_s)
{
	unsigned p = class_below(procs), t = class_below(wall_s);

	return h->begin_s[p < SIZE_CLASSES ? p : SIZE_CLASSES - 1][t < TIME_CLASSES ? t : TIME_CLASSES - 1];
}

/* Spreads a placement to every class of jobs at least as big and as long. */
static void hint_placed(struct hints *h, int64_t procs, int64_t wall_s, int64_t begin_s)
{
	for (unsigned p = class_above(procs); p < SIZE_CLASSES; p++) {
		for (unsigned t = class_above(wall_s); t < TIME_CLASSES; t++) {
			if (h->begin_s[p][t] >= begin_s)
				break;
			h->begin_s[p][t] = begin_s;
		}
	}
}

static void hints_reset(struct hints *h, int64_t from_s)
{
	for (int p = 0; p < SIZE_CLASSES; p++)
		for (int t = 0; t < TIME_CLASSES; t++)
			h->begin_s[p][t] = from_s;
}

/* --- placing --------------------------------------------------------------------------- */

static const struct job *job_at(const struct snapshot *s, uint32_t slot)
{
	return &snapshot_jobs(s)[slot];
}

static void place_at(struct plan *plan, const struct snapshot *s, uint32_t slot, int64_t begin_s)
{
	const struct job *job = job_at(s, slot);

	profile_take(plan->profile, begin_s, begin_s + job->wall_limit_s, job_procs(job));
	plan->start_s[slot] = begin_s;
}

/* What the next pass does is no estimate. */
static void place_decided(struct plan *plan, const struct snapshot *s, const struct cycle_result *result)
{
	const struct reservations *reserved = cycle_reservations(plan->cycle);

	for (uint32_t i = 0; i < result->decision_count; i++)
		if (result->decision[i].kind == DECIDE_START)
			place_at(plan, s, result->decision[i].slot, plan->now_s);
	plan->starts_now = result->started;
	for (size_t i = 0; i < reserved->count; i++)
		if (plan->start_s[reserved->item[i].slot] == TIME_NEVER)
			place_at(plan, s, reserved->item[i].slot, reserved->item[i].begin_s);
}

static void place_idle(struct plan *plan, const struct snapshot *s)
{
	bool strict = s->policy.backfill == BACKFILL_NONE;
	int64_t not_before_s = plan->now_s;
	struct hints hints;

	/* Whoever does not start in the next pass waits at least until something changes. */
	hints_reset(&hints, profile_next(plan->profile, plan->now_s));
	for (uint32_t i = 0; i < plan->queue.idle_count; i++) {
		uint32_t slot = plan->queue.idle[i].slot;
		const struct job *job = job_at(s, slot);
		int64_t procs = job_procs(job), from_s, begin_s;

		if (plan->start_s[slot] == TIME_NEVER) {
			from_s = hint_begin(&hints, procs, job->wall_limit_s);
			if (from_s < not_before_s)
				from_s = not_before_s;
			begin_s = profile_earliest(plan->profile, from_s, procs, job->wall_limit_s);
			if (begin_s == TIME_NEVER)
				continue;
			place_at(plan, s, slot, begin_s);
			hint_placed(&hints, procs, job->wall_limit_s, begin_s);
		}
		if (strict)
			not_before_s = plan->start_s[slot];
	}
}

/* Blocked jobs whose gate opens at a known time come after everybody who may start now. */
static void place_dated(struct plan *plan, const struct snapshot *s)
{
	for (uint32_t i = 0; i < plan->queue.blocked_count; i++) {
		uint32_t slot = plan->queue.blocked[i];
		const struct job *job = job_at(s, slot);
		int64_t until_s = plan->queue.blocked_reason[i].until_s, begin_s;
		struct reason never;

		if (until_s == TIME_NEVER || until_s < plan->now_s ||
		    !cycle_gate(plan->cycle, slot, GATE_FEASIBLE, &never))
			continue;
		begin_s = profile_earliest(plan->profile, until_s, job_procs(job), job->wall_limit_s);
		if (begin_s != TIME_NEVER)
			place_at(plan, s, slot, begin_s);
	}
}

static void make_room(struct plan *plan, const struct snapshot *s, const struct reason *reason)
{
	uint32_t slots = snapshot_count(s, TABLE_JOBS);

	if (plan->cycle == NULL)
		plan->cycle = cycle_new();
	if (plan->profile == NULL)
		plan->profile = profile_new();
	plan->slots = slots;
	plan->start_s = vec_room(plan->start_s, &plan->start_room, slots, sizeof *plan->start_s);
	plan->reason = vec_room(plan->reason, &plan->reason_room, slots, sizeof *plan->reason);
	for (uint32_t i = 0; i < slots; i++)
		plan->start_s[i] = TIME_NEVER;
	if (slots > 0 && reason != NULL)
		memcpy(plan->reason, reason, slots * sizeof *reason);
}

void plan_build(struct plan *plan, const struct snapshot *s, int64_t now_s)
{
	struct cycle_result result;

	if (plan->cycle == NULL)
		plan->cycle = cycle_new();
	plan->now_s = now_s;
	cycle_run(plan->cycle, s, now_s, true, &result);
	make_room(plan, s, result.reason);
	plan->queue = *cycle_queue(plan->cycle);
	running_profile(plan->profile, s, now_s);
	place_decided(plan, s, &result);
	place_idle(plan, s);
	place_dated(plan, s);
}

void plan_clear(struct plan *plan)
{
	cycle_free(plan->cycle);
	profile_free(plan->profile);
	free(plan->start_s);
	free(plan->reason);
	*plan = (struct plan){0};
}

/* --- comparing ---------------------------------------------------------------------------- */

/* By slot: 1 = idle in this plan; free() it. */
static uint8_t *idle_marks(const struct plan *plan)
{
	uint8_t *mark = mem_zero(plan->slots + 1, sizeof *mark);

	for (uint32_t i = 0; i < plan->queue.idle_count; i++)
		mark[plan->queue.idle[i].slot] = 1;
	return mark;
}

/* By slot: position among the idle that the other plan has too, from 1; free() it. */
static uint32_t *places(const struct plan *plan, const uint8_t *other, uint32_t other_slots)
{
	uint32_t *place = mem_zero(plan->slots + 1, sizeof *place), count = 0;

	for (uint32_t i = 0; i < plan->queue.idle_count; i++) {
		uint32_t slot = plan->queue.idle[i].slot;

		if (slot < other_slots && other[slot])
			place[slot] = ++count;
	}
	return place;
}

static void compare_start(struct plan_change *out, uint64_t job, int64_t before_s, int64_t after_s)
{
	if (before_s == after_s)
		return;
	out->moved++;
	if (after_s < before_s) {
		out->earlier++;
		return;
	}
	out->later++;
	if (after_s != TIME_NEVER && after_s - before_s > out->most_delay_s) {
		out->most_delayed = job;
		out->most_delay_s = after_s - before_s;
	}
}

void plan_compare(const struct plan *before, const struct snapshot *s_before, const struct plan *after,
		  const struct snapshot *s_after, struct plan_change *out)
{
	uint8_t *was_idle = idle_marks(before), *is_idle = idle_marks(after);
	uint32_t *was = places(before, is_idle, after->slots), *is = places(after, was_idle, before->slots);

	*out = (struct plan_change){0};
	for (uint32_t slot = 0; slot < before->slots && slot < after->slots; slot++) {
		const struct job *job = job_at(s_before, slot);

		if (job->state != JOB_IDLE || job_at(s_after, slot)->id != job->id)
			continue;
		out->reordered += was[slot] != is[slot];
		compare_start(out, job->id, before->start_s[slot], after->start_s[slot]);
	}
	free(was_idle);
	free(is_idle);
	free(was);
	free(is);
}
