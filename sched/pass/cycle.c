/* SPDX-License-Identifier: MIT */
/*
 * cycle.c - one pass of the scheduler, as a pure function
 *
 * The walk (backfill.c) makes starts and reservations. This file adds the other changes of a pass, the time
 * of the next pass, and the reasons.
 */
#include "cycle.h"

#include <stdlib.h>

#include "backfill.h"
#include "drift.h"
#include "gate.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

#define BYPASSES_SHOWN 100 /* number of jobs whose bypass counts are updated although no weight uses them */

struct cycle {
	struct walk walk;
	struct drift *drift;
	struct reason *reason; /* reasons by job slot */
	size_t reason_room;
	/* slots of the jobs that a run with reasons starts, or would start without a pause, in this order */
	uint32_t *start;
	size_t start_count, start_room;
	struct queue then;           /* accounts before a start, for cycle_gate_at_start */
	struct gate_context context; /* input of the gates after the last run, for cycle_gate */
	int64_t expected_s;          /* time announced by cycle_expect; TIME_NEVER = none */
	bool asks;                   /* argument of cycle_expect */
	bool follows;                /* cycle_follow was called */
};

struct cycle *cycle_new(void)
{
	struct cycle *c = mem_zero(1, sizeof *c);

	c->drift = drift_new();
	c->expected_s = TIME_NEVER;
	return c;
}

void cycle_free(struct cycle *c)
{
	if (c == NULL)
		return;
	walk_free(&c->walk);
	drift_free(c->drift);
	queue_clear(&c->then);
	free(c->reason);
	free(c->start);
	free(c);
}

static void due_at(int64_t *due_s, int64_t at_s, int64_t now_s)
{
	if (at_s > now_s && at_s < *due_s)
		*due_s = at_s;
}

/* --- other changes of a pass ------------------------------------------------------------ */

static bool starts(const struct walk *w, uint32_t slot)
{
	return (w->mark[slot] & MARK_STARTS) != 0;
}

/* True if the nodes of the reservation are those that the state already has for it. */
static bool same_nodes(const struct walk *w, const struct reservation *r)
{
	uint32_t at = walk_job(w, r->slot)->run;

	for (uint32_t i = 0; i < r->run_count; i++) {
		const struct alloc_run *now = &w->reservations.runs.item[r->first_run + i];
		const struct alloc_run *was = at == INDEX_NONE ? NULL : &snapshot_runs(w->s)[at];

		if (was == NULL || was->node != now->node || was->nodes != now->nodes ||
		    was->procs != now->procs || was->tasks != now->tasks)
			return false;
		at = was->next;
	}
	return at == INDEX_NONE;
}

/* Appends the nodes of a reservation to the runs of the walk. Returns the index of the first. */
static uint32_t append_runs(struct walk *w, const struct reservation *r)
{
	struct alloc_list *runs = &w->runs;
	uint32_t first = (uint32_t)runs->count;

	runs->item = vec_room(runs->item, &runs->room, runs->count + r->run_count, sizeof *runs->item);
	for (uint32_t i = 0; i < r->run_count; i++)
		runs->item[runs->count++] = w->reservations.runs.item[r->first_run + i];
	return first;
}

/* Decides all reservations that are new or have moved. */
static void decide_plans(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++) {
		const struct reservation *r = &w->reservations.item[i];
		struct decision *d;

		if (starts(w, r->slot) || (walk_job(w, r->slot)->planned_s == r->begin_s && same_nodes(w, r)))
			continue;
		d = walk_decide(w, DECIDE_PLAN, r->slot);
		d->planned_s = r->begin_s;
		d->run_count = r->run_count;
		d->first_run = append_runs(w, r);
	}
}

/* Number of jobs that had a reservation before the pass and have one again or start. */
static uint32_t count_renewed(const struct walk *w)
{
	uint32_t renewed = 0;

	for (size_t i = 0; i < w->reservations.count; i++) {
		uint32_t slot = w->reservations.item[i].slot;

		renewed += !starts(w, slot) && walk_job(w, slot)->planned_s != TIME_NEVER;
	}
	for (size_t i = 0; i < w->decision_count; i++)
		renewed += w->decision[i].kind == DECIDE_START &&
			   walk_job(w, w->decision[i].slot)->planned_s != TIME_NEVER;
	return renewed;
}

/*
 * Drops the reservations of jobs that got none in this pass. The search ends after s->planned jobs, most of
 * which are near the front of WAITING.
 */
static void decide_unplans(struct walk *w)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t left = count_renewed(w) < w->s->planned ? w->s->planned : 0;

	for (uint32_t i = 0; left > 0 && i < snapshot_count(w->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;

		if (walk_job(w, slot)->planned_s == TIME_NEVER)
			continue;
		left--;
		if (w->mark[slot] == 0)
			walk_decide(w, DECIDE_UNPLAN, slot);
	}
}

/*
 * True if an idle job is within its hard limits after the starts of this pass; only then its queue time may
 * resume. Otherwise, if only one job may run at a time, every end would resume the queue time of thousands of
 * jobs, and the next pass would stop it again.
 */
static bool keeps_place(const struct walk *w, uint32_t slot)
{
	return w->started == 0 || !gate_pauses(GATE_ACTIVE_HARD, w->s->policy.accrual) ||
	       walk_keeps_hard_limits(w, slot);
}

/*
 * True if the queue time of a job may resume. Queue time that stopped within a poll interval after it had
 * resumed (event_operator.c) stays stopped for a poll interval, as in Maui, which updates it once per poll.
 * Otherwise a user who runs short jobs at a limit would cause every job that waits at this limit to be
 * rewritten many times a second.
 */
static bool has_stood_still(struct walk *w, const struct job *job)
{
	int64_t until_s = job->accrual_s + w->s->policy.poll_interval_s;

	if (job->accrual_s <= job->submit_s || w->s->policy.accrual == ACCRUAL_ALWAYS || until_s <= w->now_s)
		return true;
	due_at(&w->next_date_s, until_s, w->now_s);
	return false;
}

static void let_accrue(struct walk *w, uint32_t slot)
{
	if (!starts(w, slot) && keeps_place(w, slot) && has_stood_still(w, walk_job(w, slot)))
		walk_decide(w, DECIDE_ACCRUE, slot);
}

/*
 * Resumes stopped queue time if jobs are ordered by submit time: then no gate stops it, and it was stopped
 * under an earlier policy.
 */
static void let_all_accrue(struct walk *w)
{
	for (uint32_t i = 0; w->s->paused > 0 && i < snapshot_count(w->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(w->s)[i].slot;

		if ((walk_job(w, slot)->flags & JOB_ACCRUAL_PAUSED) != 0)
			let_accrue(w, slot);
	}
}

/*
 * True if the queue time of a blocked job stops. This depends on the first gate that fails. For a job with a
 * negative priority its limits count as well: otherwise its queue time would resume until the priority is
 * positive, stop at the limit and be reset, again and again.
 */
static bool stops_accrual(const struct gate_context *ctx, const bool pauses[static GATE_COUNT], uint32_t slot,
			  enum gate gate)
{
	static const enum gate hidden[] = {GATE_CLASS_LIMIT, GATE_SYSTEM_LIMIT, GATE_ACTIVE_HARD};
	const struct job *job = &snapshot_jobs(ctx->s)[slot];
	struct reason ignored;

	for (size_t i = 0; gate == GATE_NEGATIVE && i < sizeof hidden / sizeof hidden[0]; i++)
		if (pauses[hidden[i]] && !gate_test(ctx, job, hidden[i], &ignored))
			return true;
	return pauses[gate];
}

/* True if queue time of the blocked job may stop or resume: certainly not if it is as its gate requires. */
static inline bool may_turn(const struct queue *q, const bool pauses[static GATE_COUNT], uint32_t blocked)
{
	enum gate gate = queue_stopped_by(q, blocked);

	return q->paused[q->blocked_at[blocked]] != pauses[gate] || gate == GATE_NEGATIVE;
}

/*
 * Decides where queue time stops or resumes. All stops come before all resumptions, so that each group is a
 * single event.
 */
static void decide_accrual(struct walk *w)
{
	const struct queue *q = &w->queue;
	struct gate_context ctx = queue_context(q, w->s, w->now_s);
	bool pauses[GATE_COUNT];

	if (w->by_submit) {
		let_all_accrue(w);
		return;
	}
	for (unsigned g = 0; g < GATE_COUNT; g++)
		pauses[g] = gate_pauses((enum gate)g, w->s->policy.accrual);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (may_turn(q, pauses, i) && !q->paused[q->blocked_at[i]] && !starts(w, q->blocked[i]) &&
		    stops_accrual(&ctx, pauses, q->blocked[i], queue_stopped_by(q, i)))
			walk_decide(w, DECIDE_PAUSE, q->blocked[i]);
	if (w->s->paused == 0)
		return;
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (may_turn(q, pauses, i) && q->paused[q->blocked_at[i]] &&
		    !stops_accrual(&ctx, pauses, q->blocked[i], queue_stopped_by(q, i)))
			let_accrue(w, q->blocked[i]);
	for (uint32_t i = 0; i < q->idle_count; i++)
		if (q->paused[q->idle[i].order])
			let_accrue(w, q->idle[i].slot);
}

static void set_eligible(struct walk *w, uint32_t slot, bool eligible)
{
	bool was = (walk_job(w, slot)->flags & JOB_ELIGIBLE) != 0;

	if (!starts(w, slot) && eligible != was)
		walk_decide(w, eligible ? DECIDE_PROMOTE : DECIDE_DEMOTE, slot);
}

/*
 * Decides which jobs become or no longer are eligible. Only IDLEPROMOTION NEWEST needs this: there, eligible
 * jobs stay eligible, so the state must record them.
 */
static void decide_promotions(struct walk *w)
{
	const struct queue *q = &w->queue;

	if (w->by_submit || w->s->policy.idle_promotion != PROMOTE_NEWEST)
		return;
	for (uint32_t i = 0; i < q->idle_count; i++)
		set_eligible(w, q->idle[i].slot, true);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		set_eligible(w, q->blocked[i],
			     queue_stopped_by(q, i) == GATE_ACTIVE_SOFT ||
				     queue_stopped_by(q, i) == GATE_FS_CAP);
}

/*
 * Adds to the bypass count of each job the number of jobs that are backfilled past it. Every changed count is
 * written to the store, so a small job that starts ahead of tens of thousands would rewrite all of them.
 * Unless a weight uses the counts, only the first BYPASSES_SHOWN jobs are therefore updated, for display.
 */
static void decide_bypasses(struct walk *w)
{
	uint32_t idle = 0, second = 0, left = w->backfilled;
	uint32_t most = snapshot_weighs(w->s, PRIO_SERV_BYPASS) ? UINT32_MAX : BYPASSES_SHOWN;
	const struct queued *one;

	if (w->backfilled == 0 || w->by_submit || w->s->ranks_equal)
		return;
	while (left > 0 && most > 0 && (one = walk_next_ranked(&w->queue, &idle, &second)) != NULL) {
		if (!starts(w, one->slot)) {
			walk_decide(w, DECIDE_BYPASS, one->slot)->count = left;
			most--;
		} else if ((w->mark[one->slot] & MARK_BACKFILLED) != 0) {
			left--;
		}
	}
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

/*
 * Drops the starts and resumes of the pass, because the scheduler is paused. The pass itself runs as usual,
 * so that all reasons are correct.
 */
static void drop_starts(struct walk *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START)
			w->mark[w->decision[i].slot] = 0;
		else if (w->decision[i].kind != DECIDE_RESUME)
			w->decision[kept++] = w->decision[i];
	w->decision_count = kept;
	w->started = w->backfilled = 0;
}

/* --- the next pass ----------------------------------------------------------------------- */

/* True if any job uses processors after the decisions of this pass. */
static bool has_running(const struct walk *w)
{
	if (w->started > 0 || snapshot_count(w->s, TABLE_RUNNING) > w->s->released)
		return true;
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_RESUME)
			return true;
	return false;
}

/*
 * True if shares must be checked at each poll: a job waits at a fairshare cap, and usage of other jobs
 * reduces its share without any event.
 */
static bool is_polled(const struct walk *w)
{
	return w->queue.stopped[GATE_FS_CAP] > 0 && has_running(w);
}

/* True if the next roll of a window changes shares, which it does as long as there is any usage. */
static bool roll_matters(const struct walk *w)
{
	const struct fairshare *f = &w->queue.shares;

	return !f->off && f->total_usage > 0 && snapshot_count(w->s, TABLE_WAITING) > 0;
}

static void note_second(const struct walk *w, const struct queued *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!starts(w, list[i].slot))
			throttle_active_noted(w->queue.throttle, walk_job(w, list[i].slot), LEVEL_SOFT);
}

/*
 * Adds the time at which a job over a soft limit comes within the limit, as running jobs approach their ends.
 * The queue has computed this time for blocked jobs, unless jobs start in this pass. Starts can also take
 * idle jobs over their soft limits.
 */
static void due_of_second(const struct cycle *c, int64_t *due_s)
{
	const struct walk *w = &c->walk;

	if (w->started == 0 && gate_blocks(GATE_ACTIVE_SOFT, &w->s->policy))
		return;
	note_second(w, w->queue.second, w->queue.second_count);
	if (w->started > 0 && throttle_any(w->queue.throttle))
		note_second(w, w->queue.idle, w->queue.idle_count);
	due_at(due_s, throttle_noted_clear_s(w->queue.throttle, w->started > 0 ? TIME_NEVER : c->expected_s),
	       w->now_s);
}

/* True if another pass may promote blocked jobs, because starts have made space below idle limits. */
static bool promotes_more(const struct walk *w)
{
	return w->started > 0 && w->queue.stopped[GATE_IDLE_LIMIT] > 0;
}

/* True if this pass starts the job, or a task of the array, that a dependency names. */
static bool starts_named(const struct walk *w, const struct depend *depend)
{
	for (size_t i = 0; i < w->decision_count; i++) {
		const struct job *job = walk_job(w, w->decision[i].slot);

		if (w->decision[i].kind == DECIDE_START &&
		    (depend->of == DEPEND_ON_JOB ? job->id : job->array) == depend->on)
			return true;
	}
	return false;
}

/* True if a start meets a dependency: another pass at the same time may start the dependent job. */
static bool meets_dependency(const struct walk *w)
{
	const struct depend *depends = snapshot_depends(w->s);

	for (uint32_t i = 0; w->started > 0 && i < snapshot_count(w->s, TABLE_DEPENDS); i++)
		if (depends[i].on != 0 && depends[i].type == DEPEND_START &&
		    depends[i].state == DEPEND_OPEN && starts_named(w, &depends[i]))
			return true;
	return false;
}

static int64_t next_poll_s(const struct walk *w)
{
	return drift_poll_s(w->now_s, w->now_s, snapshot_poll_s(w->s));
}

/*
 * The earliest known time at which a decision can change. Sets *polled if shares must also be checked at the
 * next poll.
 */
static int64_t known_due(const struct cycle *c, bool *polled)
{
	const struct walk *w = &c->walk;
	const struct queue *q = &w->queue;
	const struct resume_claim *resume;
	int64_t due_s = w->next_date_s;
	size_t count;

	due_at(&due_s, snapshot_next_return_s(w->s), w->now_s);
	for (size_t i = 0; i < w->reservations.count; i++)
		due_at(&due_s, w->reservations.item[i].begin_s, w->now_s);
	resume = placement_resumes(w->placement, &count);
	for (size_t i = 0; i < count; i++)
		due_at(&due_s, resume[i].begin_s, w->now_s);
	for (uint32_t i = 0; i < snapshot_count(w->s, TABLE_ADVANCES); i++) {
		due_at(&due_s, snapshot_advances(w->s)[i].begin_s, w->now_s);
		due_at(&due_s, snapshot_advances(w->s)[i].end_s, w->now_s);
	}
	if (snapshot_is_halted(w->s))
		return snapshot_next_return_s(w->s);
	if (meets_dependency(w))
		return w->now_s;
	if (w->by_submit)
		return due_s;
	if ((w->cut && w->started > 0) || promotes_more(w) || walk_exceeded_limits(w))
		return w->now_s;
	*polled = is_polled(w);
	due_at(&due_s, q->opens_s, w->now_s);
	due_at(&due_s, q->limits_clear_s, w->now_s);
	due_of_second(c, &due_s);
	if (roll_matters(w))
		due_at(&due_s, q->shares.next_roll_s, w->now_s);
	return due_s;
}

/*
 * The first poll at which a changed order may change the decisions; TIME_NEVER if it is not needed. The order
 * of jobs is checked only at polls. If shares are also checked at polls, the same check covers the order
 * (pass_skip.h).
 */
static int64_t order_due(const struct cycle *c, int64_t known_due_s, bool asks)
{
	const struct walk *w = &c->walk;
	int64_t poll_s = next_poll_s(w);

	if (snapshot_is_halted(w->s) || w->by_submit || known_due_s <= poll_s || c->expected_s <= poll_s)
		return TIME_NEVER;
	return (asks ? drift_first_poll_s : drift_due_s)(c->drift, w, &c->context);
}

static void find_due(const struct cycle *c, struct cycle_result *out)
{
	bool polled = false;

	out->next_due_s = out->known_due_s = known_due(c, &polled);
	out->order_due_s = order_due(c, out->known_due_s, c->asks && !polled);
	out->share_due_s = polled ? next_poll_s(&c->walk) : TIME_NEVER;
	due_at(&out->next_due_s, out->order_due_s, c->walk.now_s);
	due_at(&out->next_due_s, out->share_due_s, c->walk.now_s);
}

void cycle_expect(struct cycle *c, int64_t at_s, bool asks)
{
	c->expected_s = at_s;
	c->asks = asks;
}

void cycle_follow(struct cycle *c)
{
	c->follows = true;
}

bool cycle_is_unchanged(struct cycle *c, const struct snapshot *s, int64_t at_s, int64_t *next_s)
{
	return drift_is_unchanged(c->drift, s, at_s, next_s);
}

/* --- reasons ------------------------------------------------------------------------------- */

/* Prepares the input of the gates for the state after the pass. */
static void set_context(struct cycle *c)
{
	struct walk *w = &c->walk;

	c->context = queue_context(&w->queue, w->s, w->now_s);
	c->context.placement = w->placement;
	c->context.reservations = &w->reservations;
	c->context.strict_head = w->strict_head;
}

static const struct reason starts_now = {.gate = GATE_NONE,
					 .kind = LIMIT_KIND_COUNT,
					 .cred = INDEX_NONE,
					 .second = INDEX_NONE,
					 .until_s = TIME_NEVER};

static void find_reason_blocked(struct cycle *c, uint32_t slot, const struct prio_world *world)
{
	const struct job *job = walk_job(&c->walk, slot);

	c->context.rank = queue_rank(c->walk.s, job, world, &c->walk.queue.shares);
	gate_first_failing(&c->context, job, &c->reason[slot]);
}

/*
 * Finds the reason of an idle job. The queue has tested the gates of single jobs, and starts do not change
 * their results.
 */
static void find_reason_idle(struct cycle *c, const struct queued *one)
{
	c->context.rank = one->rank;
	gate_first_between(&c->context, walk_job(&c->walk, one->slot), GATE_ARRAY, GATE_COUNT,
			   &c->reason[one->slot]);
}

/* Finds the reason of a job that the pass would start: only a pause can stop it. */
static void find_reason_started(struct cycle *c, uint32_t slot)
{
	if (snapshot_is_halted(c->walk.s))
		gate_test(&c->context, walk_job(&c->walk, slot), GATE_HALT, &c->reason[slot]);
}

static void list_starts(struct cycle *c)
{
	const struct walk *w = &c->walk;

	c->start = vec_room(c->start, &c->start_room, w->started, sizeof *c->start);
	c->start_count = 0;
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START)
			c->start[c->start_count++] = w->decision[i].slot;
}

/*
 * Finds all reasons in the state after the pass, with its starts. A job beyond an idle limit keeps this
 * reason until the next pass promotes it.
 */
static void find_reasons(struct cycle *c)
{
	struct walk *w = &c->walk;
	uint32_t slots = snapshot_count(w->s, TABLE_JOBS);
	struct prio_world world;

	snapshot_world(w->s, w->now_s, &world);
	c->reason = vec_room(c->reason, &c->reason_room, slots, sizeof *c->reason);
	for (uint32_t i = 0; i < slots; i++)
		c->reason[i] = starts_now;
	for (uint32_t i = 0; i < w->queue.blocked_count; i++) {
		uint32_t slot = w->queue.blocked[i];

		if (w->queue.blocked_reason[i].gate == GATE_IDLE_LIMIT)
			c->reason[slot] = w->queue.blocked_reason[i];
		else if (starts(w, slot))
			find_reason_started(c, slot);
		else
			find_reason_blocked(c, slot, &world);
	}
	for (uint32_t i = 0; i < w->queue.idle_count; i++)
		if (starts(w, w->queue.idle[i].slot))
			find_reason_started(c, w->queue.idle[i].slot);
		else
			find_reason_idle(c, &w->queue.idle[i]);
}

bool cycle_gate(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out)
{
	const struct walk *w = &c->walk;
	struct prio_world world;

	if (gate == GATE_IDLE_LIMIT && c->reason[slot].gate == GATE_IDLE_LIMIT) {
		*out = c->reason[slot];
		return false;
	}
	snapshot_world(w->s, w->now_s, &world);
	c->context.rank = queue_rank(w->s, walk_job(w, slot), &world, &w->queue.shares);
	if (gate == GATE_IDLE_LIMIT)
		return queue_test_idle(&c->walk.queue, &c->context, slot, out);
	return gate_test(&c->context, walk_job(w, slot), gate, out);
}

bool cycle_gate_at_start(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out)
{
	const struct walk *w = &c->walk;
	struct gate_context ctx;

	queue_begin(&c->then, w->s, w->now_s);
	for (size_t i = 0; i < c->start_count && c->start[i] != slot; i++)
		throttle_count_start(c->then.throttle, c->start[i]);
	ctx = queue_context(&c->then, w->s, w->now_s);
	return gate_test(&ctx, walk_job(w, slot), gate, out);
}

bool cycle_gate_reserved(struct cycle *c, uint32_t slot, int64_t at_s, struct reason *out)
{
	struct gate_context then = c->context;

	then.now_s = at_s;
	return gate_test(&then, walk_job(&c->walk, slot), GATE_RESERVED, out);
}

const struct queue *cycle_queue(const struct cycle *c)
{
	return c->walk.by_submit ? NULL : &c->walk.queue;
}

struct placement *cycle_placement(struct cycle *c)
{
	return c->walk.placement;
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

	w->queue.expected_s = c->expected_s == TIME_NEVER ? 0 : c->expected_s;
	w->queue.keeps = c->follows;
	walk_run(w, s, now_s, with_reasons);
	if (!snapshot_is_halted(s)) {
		decide_plans(w);
		decide_unplans(w);
		decide_accrual(w);
		decide_promotions(w);
		decide_bypasses(w);
		decide_pass(w);
	}
	set_context(c);
	if (with_reasons) {
		find_reasons(c);
		list_starts(c);
	}
	if (snapshot_is_halted(s))
		drop_starts(w);
	*out = (struct cycle_result){
		.decision = w->decision,
		.decision_count = (uint32_t)w->decision_count,
		.started = w->started,
		.backfilled = w->backfilled,
		.runs = w->runs.item,
		.reason = with_reasons ? c->reason : NULL,
	};
	find_due(c, out);
	c->expected_s = TIME_NEVER;
	c->asks = c->follows = false;
}
