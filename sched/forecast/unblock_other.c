/* SPDX-License-Identifier: MIT */
/*
 * unblock_other.c - what could others give up, and what could the site offer?
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/model/policy.h"
#include "sched/placement/room.h"
#include "unblock_inside.h"

/* So many others are tried, those first who would lose least. */
#define OTHERS_MAX 16

/* --- those who wait ---------------------------------------------------------------------------- */

static void try_hold(struct search *s, uint32_t slot)
{
	struct event ev = search_event(s, EVENT_HOLD);

	ev.job = snapshot_jobs(s->s)[slot].id;
	ev.hold.bits = JOB_HOLD_SYSTEM;
	ev.hold.on = true;
	search_keep_if_it_does(s, ev);
}

/* First the jobs ahead, from the nearest on: one that is held back may leave what it needs. Then those
 * behind: they may have a promise, or count against a limit. */
static void try_hold_others(struct search *s)
{
	const struct queue *q = &s->plan.queue;
	uint32_t at = 0, tried = 0;

	while (at < q->idle_count && q->idle[at].slot != s->slot)
		at++;
	for (uint32_t i = at; i-- > 0 && tried < OTHERS_MAX; tried++)
		try_hold(s, q->idle[i].slot);
	for (uint32_t i = at + 1; i < q->idle_count && tried < OTHERS_MAX; i++, tried++)
		try_hold(s, q->idle[i].slot);
	for (uint32_t i = 0; i < q->blocked_count && tried < OTHERS_MAX; i++)
		if (q->blocked[i] != s->slot) {
			try_hold(s, q->blocked[i]);
			tried++;
		}
}

static void try_cancel(struct search *s, uint64_t job)
{
	struct event ev = search_event(s, EVENT_CANCEL);

	ev.job = job;
	search_keep_if_it_does(s, ev);
}

/* Who waits for another's end, or for its failure, need not wait for one that is taken away. One that runs is
 * among those below. */
static void try_cancel_awaited(struct search *s)
{
	const struct reason *r = &s->why.check[GATE_DEPENDENCY].reason;
	uint32_t slot = search_fails(s, GATE_DEPENDENCY) && r->asked == DEPEND_ON_JOB
				? snapshot_find_job(s->s, r->other)
				: INDEX_NONE;

	if (slot != INDEX_NONE && snapshot_jobs(s->s)[slot].state == JOB_IDLE)
		try_cancel(s, r->other);
}

/* --- those who run ------------------------------------------------------------------------------ */

struct victim {
	uint64_t job;
	int64_t done_ps;
};

static int by_loss(const void *a, const void *b)
{
	const struct victim *one = a, *two = b;

	if (one->done_ps != two->done_ps)
		return one->done_ps < two->done_ps ? -1 : 1;
	return (one->job > two->job) - (one->job < two->job);
}

/* In the copy a job that is cancelled has ended: its manager will say so soon. */
static void try_cancel_others(struct search *s)
{
	uint32_t count = snapshot_count(s->s, TABLE_RUNNING);
	struct victim *victim = mem_zero(count + (size_t)1, sizeof *victim);

	for (uint32_t i = 0; i < count; i++) {
		const struct job *job = &snapshot_jobs(s->s)[snapshot_running(s->s)[i]];

		victim[i] =
			(struct victim){job->id, (s->setup->now_s - job->start_s) * job_procs_counted(job)};
	}
	qsort(victim, count, sizeof *victim, by_loss);
	for (uint32_t i = 0; i < count && i < OTHERS_MAX; i++)
		try_cancel(s, victim[i].job);
	free(victim);
}

/* --- the site ------------------------------------------------------------------------------------ */

static void try_undrain(struct search *s)
{
	struct str name = {0};
	unsigned tried = 0;

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_NODES) && tried < OTHERS_MAX; i++) {
		const struct node *node = &snapshot_nodes(s->s)[i];

		if (!node->drained)
			continue;
		tried++;
		str_clear(&name);
		str_addf(&name, "node[%s].drained", snapshot_string(s->s, node->name));
		search_keep_if_it_does(s, search_setting(s, str_text(&name), "false"));
	}
	str_free(&name);
}

/* What is kept for others: given up whole. */
static void try_unreserve(struct search *s)
{
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s->s)[i];
		struct event ev = search_event(s, EVENT_UNRESERVE);

		if (advance_is_over(a, s->setup->now_s))
			continue;
		ev.job = 0;
		ev.reserve.name = snapshot_string(s->s, a->name);
		search_keep_if_it_does(s, ev);
	}
}

static bool is_used_outside(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (room_outside_procs(s, i) > 0)
			return true;
	return false;
}

/* Processors that processes outside the queue use are given to jobs all the same. */
static void try_dedicated(struct search *s)
{
	uint8_t available[AVAILABLE_RESOURCE_COUNT];
	struct str value = {0};

	memcpy(available, s->s->policy.available, sizeof available);
	available[AVAILABLE_PROCS] = AVAILABLE_DEDICATED;
	config_print_available(available, &value);
	search_keep_if_it_does(s, search_setting(s, "nodeavailabilitypolicy", str_text(&value)));
	str_free(&value);
}

/* Rules that keep jobs from starting, as others or as this one: given up. */
static void try_policy(struct search *s)
{
	if (s->s->policy.reject_negative)
		search_keep_if_it_does(s, search_setting(s, "rejectnegpriojobs", "false"));
	if (s->s->policy.hard_pass == HARD_IDLEONLY)
		search_keep_if_it_does(s, search_setting(s, "hardpass", "resources"));
	if (s->s->policy.backfill == BACKFILL_NONE)
		search_keep_if_it_does(s, search_setting(s, "backfillpolicy", "firstfit"));
	if (s->s->policy.reservation != RESERVE_NEVER)
		search_keep_if_it_does(s, search_setting(s, "reservationpolicy", "never"));
	if (is_used_outside(s->s))
		try_dedicated(s);
}

void search_site(struct search *s)
{
	try_undrain(s);
	try_unreserve(s);
	try_policy(s);
}

void search_others(struct search *s)
{
	try_hold_others(s);
	try_cancel_awaited(s);
	try_cancel_others(s);
}
