/* SPDX-License-Identifier: MIT */
/*
 * queue.c - the queue in its three parts, and the table of gates between them
 */
#include "queue.h"

#include <stdlib.h>

#include "nodealloc.h"
#include "priority.h"
#include "profile.h"
#include "reserve.h"
#include "sched/base/vec.h"

/* --- gates ----------------------------------------------------------------------------- */

static bool test_hold(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	(void)ctx;
	out->value = job->holds;
	return job->holds == 0;
}

static bool test_start_date(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	out->value = ctx->now_s;
	out->limit = job->not_before_s;
	if (job->not_before_s == TIME_NONE || job->not_before_s <= ctx->now_s)
		return true;
	out->until_s = job->not_before_s;
	return false;
}

/* Processors of the whole machine that tasks of this size can have: each task stands on one node. */
static int64_t procs_for_tasks(const struct snapshot *s, uint32_t task_procs)
{
	const struct node *node = snapshot_nodes(s);
	int64_t procs = 0;

	if (task_procs == 1)
		return s->procs_total;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		procs += node[i].procs - node[i].procs % task_procs;
	return procs;
}

static bool test_feasible(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	out->value = job_procs(job);
	out->limit = procs_for_tasks(ctx->s, job->task_procs);
	return out->value <= out->limit;
}

static bool test_negative(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	(void)job;
	out->value = ctx->rank;
	return ctx->rank >= 0 || !ctx->s->policy.reject_negative;
}

static bool test_resources(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	out->value = job_procs(job);
	out->limit = ctx->procs_free;
	if (job->task_procs > 1 && out->value <= out->limit)
		out->limit = (int64_t)job->task_procs *
			     nodealloc_fit(snapshot_nodes(ctx->s), snapshot_count(ctx->s, TABLE_NODES),
					   ctx->taken, job->task_procs, job->tasks);
	return out->value <= out->limit;
}

/*
 * A kept promise moves up in its turn only: when those below have moved up after it, they
 * may leave free what it could have now.
 */
static bool keeps_promise(const struct gate_context *ctx, const struct job *job,
			  const struct reservation *own, struct reason *out)
{
	struct reason resources;

	if (own == NULL || !test_resources(ctx, job, &resources))
		return false;
	out->until_s = own->begin_s;
	return true;
}

/*
 * What is free falls only where a reservation begins; the job's own does not stand in its
 * way. A job that is too big for what is free now is judged by that much of it, so that
 * the row speaks of reservations alone.
 */
static bool test_reservations(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	const struct reservation *own = reservation_of(ctx->reservations, job->id);
	int64_t procs = job_procs(job), end_s = ctx->now_s + job->wall_limit_s;

	out->value = out->limit = procs;
	if (own != NULL && own->begin_s < end_s)
		end_s = own->begin_s;
	if (end_s <= ctx->now_s)
		return true;
	out->until_s = profile_first_below(ctx->profile, ctx->now_s, end_s,
					   procs < ctx->procs_free ? procs : ctx->procs_free);
	if (out->until_s == TIME_NEVER)
		return !keeps_promise(ctx, job, own, out);
	out->limit = profile_least(ctx->profile, ctx->now_s, end_s);
	out->other = reservation_beginning(ctx->reservations, out->until_s, job->id);
	return false;
}

static bool test_order(const struct gate_context *ctx, const struct job *job, struct reason *out)
{
	out->other = ctx->strict_head == job->id ? 0 : ctx->strict_head;
	return out->other == 0;
}

const struct gate_row gate_rows[GATE_COUNT] = {
	[GATE_HOLD] = {.name = "hold", .blocks = true, .pauses_full = true, .test = test_hold},
	[GATE_START_DATE] = {.name = "start date", .blocks = true, .test = test_start_date},
	[GATE_FEASIBLE] = {.name = "fits the machine", .blocks = true, .test = test_feasible},
	[GATE_NEGATIVE] = {.name = "priority not negative",
			   .blocks = true,
			   .pauses_full = true,
			   .test = test_negative},
	[GATE_RESOURCES] = {.name = "resources now", .in_pass = true, .test = test_resources},
	[GATE_RESERVATIONS] = {.name = "reservations ahead", .in_pass = true, .test = test_reservations},
	[GATE_ORDER] = {.name = "strict order", .in_pass = true, .test = test_order},
};

bool gate_test(const struct gate_context *ctx, const struct job *job, enum gate gate, struct reason *out)
{
	*out = (struct reason){
		.gate = (uint8_t)gate, .cred = INDEX_NONE, .second = INDEX_NONE, .until_s = TIME_NEVER};
	if (gate_rows[gate].test == NULL)
		return true;
	return gate_rows[gate].test(ctx, job, out);
}

enum gate gate_first_failing(const struct gate_context *ctx, const struct job *job, bool in_pass,
			     struct reason *out)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		if (gate_rows[g].test == NULL || (gate_rows[g].in_pass && !in_pass))
			continue;
		if (!gate_test(ctx, job, (enum gate)g, out))
			return (enum gate)g;
	}
	*out = (struct reason){.gate = GATE_NONE, .until_s = TIME_NEVER};
	return GATE_NONE;
}

bool gate_accrues(const struct gate_context *ctx, const struct job *job)
{
	struct reason ignored;

	if (ctx->s->policy.accrual == ACCRUAL_ALWAYS)
		return true;
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		const struct gate_row *row = &gate_rows[g];
		bool pauses =
			row->pauses_queue || (row->pauses_full && ctx->s->policy.accrual == ACCRUAL_FULL);

		if (row->test != NULL && pauses && !gate_test(ctx, job, (enum gate)g, &ignored))
			return false;
	}
	return true;
}

/* --- the three parts ---------------------------------------------------------------------- */

int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world)
{
	struct prio_creds creds;

	snapshot_job_creds(s, job, &creds);
	return prio_rank(&s->policy, snapshot_job_weights(s, job), &creds, job, world);
}

static int compare_queued(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_idle(struct queue *q)
{
	for (uint32_t i = 1; i < q->idle_count; i++) {
		if (compare_queued(&q->idle[i - 1], &q->idle[i]) > 0) {
			qsort(q->idle, q->idle_count, sizeof *q->idle, compare_queued);
			return;
		}
	}
}

static void make_room(struct queue *q, const struct snapshot *s)
{
	size_t waiting = snapshot_count(s, TABLE_WAITING);

	q->idle = vec_room(q->idle, &q->idle_room, waiting, sizeof *q->idle);
	q->blocked = vec_room(q->blocked, &q->blocked_room, waiting, sizeof *q->blocked);
	q->blocked_reason = vec_room(q->blocked_reason, &q->reason_room, waiting, sizeof *q->blocked_reason);
}

void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s)
{
	const struct waiting *waiting = snapshot_waiting(s);
	struct gate_context ctx = {.s = s, .now_s = now_s, .procs_free = -1};
	struct prio_world world;

	make_room(q, s);
	q->idle_count = q->blocked_count = 0;
	q->active = snapshot_running(s);
	q->active_count = snapshot_count(s, TABLE_RUNNING);
	snapshot_world(s, now_s, &world);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct job *job = &snapshot_jobs(s)[slot];

		ctx.rank = queue_rank(s, job, &world);
		if (gate_first_failing(&ctx, job, false, &q->blocked_reason[q->blocked_count]) == GATE_NONE)
			q->idle[q->idle_count++] =
				(struct queued){.rank = ctx.rank, .slot = slot, .order = i};
		else
			q->blocked[q->blocked_count++] = slot;
	}
	sort_idle(q);
}

void queue_clear(struct queue *q)
{
	free(q->idle);
	free(q->blocked);
	free(q->blocked_reason);
	*q = (struct queue){0};
}
