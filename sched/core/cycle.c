/* SPDX-License-Identifier: MIT */
/*
 * cycle.c - one pass of the scheduler: a pure function
 *
 * The walk (backfill.c) decides who starts and who is promised a start. Around it stand
 * what a pass changes besides, the next moment that matters, and the reasons.
 */
#include "cycle.h"

#include <stdlib.h>

#include "backfill.h"
#include "priority.h"
#include "sched/base/vec.h"

struct cycle {
	struct walk walk;
	struct reason *reason; /* by slot */
	size_t reason_room;
	struct gate_context context; /* of the last run, for cycle_gate */
};

struct cycle *cycle_new(void)
{
	return mem_zero(1, sizeof(struct cycle));
}

void cycle_free(struct cycle *c)
{
	if (c == NULL)
		return;
	walk_free(&c->walk);
	free(c->reason);
	free(c);
}

static const struct job *job_at(const struct walk *w, uint32_t slot)
{
	return &snapshot_jobs(w->s)[slot];
}

/* --- what a pass changes besides ------------------------------------------------------- */

/* Promises that are new or have moved. */
static void decide_plans(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++) {
		const struct reservation *r = &w->reservations.item[i];

		if (!w->done[r->slot] && job_at(w, r->slot)->planned_s != r->begin_s)
			walk_decide(w, DECIDE_PLAN, r->slot)->planned_s = r->begin_s;
	}
}

/* Of the jobs that had a promise, how many have one again or start. */
static uint32_t count_renewed(const struct walk *w)
{
	uint32_t renewed = 0;

	for (size_t i = 0; i < w->reservations.count; i++) {
		uint32_t slot = w->reservations.item[i].slot;

		renewed += !w->done[slot] && job_at(w, slot)->planned_s != TIME_NEVER;
	}
	for (size_t i = 0; i < w->decision_count; i++)
		renewed += w->decision[i].kind == DECIDE_START &&
			   job_at(w, w->decision[i].slot)->planned_s != TIME_NEVER;
	return renewed;
}

/* Jobs that had a promise and got none in this pass. Those with one stand near the head. */
static void decide_unplans(struct walk *w)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t left = count_renewed(w) < w->s->planned ? w->s->planned : 0;

	for (uint32_t i = 0; left > 0 && i < snapshot_count(w->s, TABLE_WAITING); i++) {
		const struct job *job = job_at(w, waiting[i].slot);

		if (job->planned_s == TIME_NEVER)
			continue;
		left--;
		if (!w->done[waiting[i].slot] && reservation_of(&w->reservations, job->id) == NULL)
			walk_decide(w, DECIDE_UNPLAN, waiting[i].slot);
	}
}

/* Under a policy that never stops queue time for a gate that exists, there is nothing to look for. */
static bool accrual_can_change(const struct snapshot *s)
{
	if (s->policy.accrual == ACCRUAL_FULL)
		return true;
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (gate_rows[g].pauses_queue)
			return true;
	return s->paused > 0;
}

static void decide_accrual(struct walk *w)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	struct gate_context ctx = {.s = w->s, .now_s = w->now_s, .procs_free = -1};
	struct prio_world world;

	if (!accrual_can_change(w->s))
		return;
	snapshot_world(w->s, w->now_s, &world);
	for (uint32_t i = 0; i < snapshot_count(w->s, TABLE_WAITING); i++) {
		const struct job *job = job_at(w, waiting[i].slot);
		bool paused = (job->flags & JOB_ACCRUAL_PAUSED) != 0, accrues;

		if (w->done[waiting[i].slot])
			continue;
		ctx.rank = queue_rank(w->s, job, &world);
		accrues = gate_accrues(&ctx, job);
		if (accrues == paused)
			walk_decide(w, accrues ? DECIDE_ACCRUE : DECIDE_PAUSE, waiting[i].slot);
	}
}

/*
 * One for each job that was backfilled past it. With no weight set nothing can read the
 * count, and a queue of tens of thousands would be counted through at every start.
 */
static void decide_bypasses(struct walk *w)
{
	uint32_t *backfilled, passed = 0;

	if (w->backfilled == 0 || w->by_submit || w->s->ranks_equal)
		return;
	backfilled = mem_zero(snapshot_count(w->s, TABLE_JOBS), sizeof *backfilled);
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START && w->decision[i].backfilled)
			backfilled[w->decision[i].slot] = 1;
	for (uint32_t i = w->queue.idle_count; i-- > 0;) {
		uint32_t slot = w->queue.idle[i].slot;

		passed += backfilled[slot];
		if (passed > 0 && !w->done[slot])
			walk_decide(w, DECIDE_BYPASS, slot)->count = passed;
	}
	free(backfilled);
}

static void decide_pass(struct walk *w)
{
	struct decision *d;

	if (!w->s->ends_pending)
		return;
	w->decision = vec_room(w->decision, &w->decision_room, w->decision_count + 1, sizeof *w->decision);
	d = &w->decision[w->decision_count++];
	*d = (struct decision){.kind = DECIDE_PASS, .slot = INDEX_NONE};
}

/* --- when to look again ------------------------------------------------------------------ */

static int64_t next_due(const struct walk *w)
{
	int64_t due_s = w->next_date_s;

	for (size_t i = 0; i < w->reservations.count; i++) {
		int64_t begin_s = w->reservations.item[i].begin_s;

		if (begin_s > w->now_s && begin_s < due_s)
			due_s = begin_s;
	}
	if (w->by_submit)
		return due_s;
	for (uint32_t i = 0; i < w->queue.blocked_count; i++) {
		int64_t until_s = w->queue.blocked_reason[i].until_s;

		if (until_s > w->now_s && until_s < due_s)
			due_s = until_s;
	}
	return due_s;
}

/* --- reasons ------------------------------------------------------------------------------- */

static void set_context(struct cycle *c)
{
	struct walk *w = &c->walk;

	walk_need_profile(w);
	c->context = (struct gate_context){
		.s = w->s,
		.now_s = w->now_s,
		.procs_free = w->procs_free,
		.taken = w->taken,
		.profile = w->profile,
		.reservations = &w->reservations,
		.strict_head = w->strict_head,
	};
}

static void find_reasons(struct cycle *c)
{
	struct walk *w = &c->walk;
	uint32_t slots = snapshot_count(w->s, TABLE_JOBS);

	c->reason = vec_room(c->reason, &c->reason_room, slots, sizeof *c->reason);
	for (uint32_t i = 0; i < slots; i++)
		c->reason[i] = (struct reason){.gate = GATE_NONE, .until_s = TIME_NEVER};
	for (uint32_t i = 0; i < w->queue.blocked_count; i++)
		c->reason[w->queue.blocked[i]] = w->queue.blocked_reason[i];
	for (uint32_t i = 0; i < w->queue.idle_count; i++) {
		uint32_t slot = w->queue.idle[i].slot;

		c->context.rank = w->queue.idle[i].rank;
		if (!w->done[slot])
			gate_first_failing(&c->context, job_at(w, slot), true, &c->reason[slot]);
	}
}

bool cycle_gate(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out)
{
	const struct walk *w = &c->walk;
	struct prio_world world;

	snapshot_world(w->s, w->now_s, &world);
	c->context.rank = queue_rank(w->s, job_at(w, slot), &world);
	return gate_test(&c->context, job_at(w, slot), gate, out);
}

const struct queue *cycle_queue(const struct cycle *c)
{
	return &c->walk.queue;
}

const struct reservations *cycle_reservations(const struct cycle *c)
{
	return &c->walk.reservations;
}

/* --- the pass --------------------------------------------------------------------------------- */

void cycle_run(struct cycle *c, const struct snapshot *s, int64_t now_s, bool with_reasons,
	       struct cycle_result *out)
{
	struct walk *w = &c->walk;

	walk_run(w, s, now_s, with_reasons);
	decide_plans(w);
	decide_unplans(w);
	decide_accrual(w);
	decide_bypasses(w);
	decide_pass(w);
	if (with_reasons) {
		set_context(c);
		find_reasons(c);
	}
	*out = (struct cycle_result){
		.decision = w->decision,
		.decision_count = (uint32_t)w->decision_count,
		.started = w->started,
		.backfilled = w->backfilled,
		.runs = w->runs.item,
		.next_due_s = next_due(w),
		.reason = with_reasons ? c->reason : NULL,
	};
}
