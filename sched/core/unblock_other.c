/* SPDX-License-Identifier: MIT */
/*
 * unblock_other.c - what could others give up, and what could the site offer?
 */
#include <stdlib.h>

#include "policy.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "unblock_inside.h"

/* So many others are tried, those first who would lose least. */
#define OTHERS_MAX 16

static void keep_if_it_does(struct search *s, struct event ev)
{
	if (search_try(s, &ev) != TIME_NEVER)
		search_keep(s, &ev);
}

/* --- those who wait ---------------------------------------------------------------------------- */

/* The jobs ahead, from the nearest on: one that is held back may leave what it needs. */
static void try_hold_others(struct search *s)
{
	const struct queue *q = &s->plan.queue;
	uint32_t at = 0, tried = 0;

	while (at < q->idle_count && q->idle[at].slot != s->slot)
		at++;
	for (uint32_t i = at < q->idle_count ? at : q->idle_count; i-- > 0 && tried < OTHERS_MAX; tried++) {
		struct event ev = search_event(s, EVENT_HOLD);

		ev.job = snapshot_jobs(s->s)[q->idle[i].slot].id;
		ev.hold.bits = JOB_HOLD_SYSTEM;
		ev.hold.on = true;
		keep_if_it_does(s, ev);
	}
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
	for (uint32_t i = 0; i < count && i < OTHERS_MAX; i++) {
		struct event ev = search_event(s, EVENT_CANCEL);

		ev.job = victim[i].job;
		keep_if_it_does(s, ev);
	}
	free(victim);
}

/* --- the site ------------------------------------------------------------------------------------ */

static void try_undrain(struct search *s)
{
	struct str name = {0};

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_NODES); i++) {
		const struct node *node = &snapshot_nodes(s->s)[i];

		if (!node->drained)
			continue;
		str_clear(&name);
		str_addf(&name, "node[%s].drained", snapshot_string(s->s, node->name));
		keep_if_it_does(s, search_setting(s, str_text(&name), "false"));
	}
	str_free(&name);
}

static void try_policy(struct search *s)
{
	if (s->s->policy.backfill == BACKFILL_NONE)
		keep_if_it_does(s, search_setting(s, "backfillpolicy", "firstfit"));
	if (s->s->policy.reservation != RESERVE_NEVER)
		keep_if_it_does(s, search_setting(s, "reservationpolicy", "never"));
}

void search_others(struct search *s)
{
	try_undrain(s);
	try_policy(s);
	try_hold_others(s);
	try_cancel_others(s);
}
