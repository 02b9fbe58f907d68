/* SPDX-License-Identifier: MIT */
/*
 * plan.c - the instant plan: estimated start of each idle job, from a single pass
 *
 * The starts and reservations of the next pass come first. All other jobs follow by rank, each in the
 * earliest gap. Placements only make gaps smaller, so a job that requests at least as many processors for at
 * least as long as a job placed earlier cannot start before it: a table of earlier placements shortens most
 * searches.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/pass/backfill.h"
#include "sched/pass/gate.h"
#include "sched/placement/placement.h"
#include "sched/placement/profile.h"
#include "sched/placement/reservation.h"
#include "sched/policy/fairshare_steady.h"

/*
 * By size class: a time before which no further job of this size can start, from the placements so far. Size
 * classes are powers of two of processors and of wallclock seconds.
 */
#define SIZE_CLASSES 32
#define TIME_CLASSES 40

struct hints {
	int64_t begin_s[SIZE_CLASSES][TIME_CLASSES]; /* no job of this size and length, or larger, starts
							before this time */
};

/* Returns the largest class with 2^class <= n. */
static unsigned class_below(int64_t n)
{
	unsigned c = 0;

	while (n > 1) {
		n >>= 1;
		c++;
	}
	return c;
}

/* Returns the smallest class with 2^class >= n. */
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

/* Records a placement as a hint for all jobs that need at least as many processors for at least as long. */
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

/*
 * If nodes differ, this number of jobs, by rank, is placed on nodes; later jobs are placed on processors
 * only.
 */
#define PLACED_ON_NODES 256

static void place_at(struct plan *plan, const struct snapshot *s, uint32_t slot, int64_t begin_s)
{
	const struct job *job = job_at(s, slot);

	profile_take(placement_profile(plan->placement), begin_s, begin_s + job->wall_limit_s,
		     job_procs(job));
	plan->start_s[slot] = begin_s;
}

static void place_on(struct plan *plan, const struct snapshot *s, uint32_t slot, int64_t begin_s,
		     const struct alloc_run *runs, uint32_t count)
{
	placement_take(plan->placement, slot, begin_s, begin_s + job_at(s, slot)->wall_limit_s, runs, count);
	plan->start_s[slot] = begin_s;
}

/* Adds the starts and reservations of the next pass. */
static void place_decided(struct plan *plan, const struct snapshot *s, const struct cycle_result *result)
{
	const struct reservations *reserved = cycle_reservations(plan->cycle);

	for (uint32_t i = 0; i < result->decision_count; i++) {
		const struct decision *d = &result->decision[i];

		if (d->kind == DECIDE_START)
			place_on(plan, s, d->slot, plan->now_s, result->runs + d->first_run, d->run_count);
	}
	plan->starts_now = result->started;
	for (size_t i = 0; i < reserved->count; i++) {
		const struct reservation *r = &reserved->item[i];

		if (plan->start_s[r->slot] != TIME_NEVER)
			continue;
		if (r->run_count > 0)
			place_on(plan, s, r->slot, r->begin_s, reserved->runs.item + r->first_run,
				 r->run_count);
		else
			place_at(plan, s, r->slot, r->begin_s);
	}
}

/* Places the job on nodes. Returns false if no time is known at which it fits. */
static bool place_named(struct plan *plan, const struct snapshot *s, uint32_t slot, int64_t from_s)
{
	struct alloc_list runs = {0};
	int64_t begin_s = placement_earliest(plan->placement, slot, from_s, &runs);

	if (begin_s != TIME_NEVER)
		place_on(plan, s, slot, begin_s, runs.item, (uint32_t)runs.count);
	free(runs.item);
	return begin_s != TIME_NEVER;
}

/* Returns true if the next job is placed on nodes; otherwise it is placed on processors only. */
static bool uses_nodes(const struct plan *plan)
{
	return !placement_is_plain(plan->placement) && plan->placed_on_nodes < PLACED_ON_NODES;
}

static void place_earliest(struct plan *plan, const struct snapshot *s, uint32_t slot, int64_t from_s)
{
	const struct job *job = job_at(s, slot);
	int64_t begin_s;

	if (uses_nodes(plan)) {
		plan->placed_on_nodes++;
		place_named(plan, s, slot, from_s);
		return;
	}
	if (placement_has_advances(plan->placement) && !plan->guarded_profile) {
		placement_take_advances(plan->placement);
		plan->guarded_profile = true;
	}
	begin_s = profile_earliest(placement_profile(plan->placement), from_s, job_procs(job),
				   job->wall_limit_s);
	if (begin_s != TIME_NEVER)
		place_at(plan, s, slot, begin_s);
}

/*
 * Places the jobs that no gate blocks any more, although this pass does not start them: the pass requests
 * another pass at the same time, which starts them.
 */
static void place_left(struct plan *plan, const struct snapshot *s)
{
	for (uint32_t i = 0; i < plan->queue.idle_count; i++) {
		uint32_t slot = plan->queue.idle[i].slot;

		if (plan->reason[slot].gate == GATE_NONE && plan->start_s[slot] == TIME_NEVER)
			place_earliest(plan, s, slot, plan->now_s);
	}
}

/*
 * Returns true for a job over a soft limit: it starts after all other jobs, or when it is within the limit
 * again.
 */
static bool has_second_turn(const struct plan *plan, uint32_t slot)
{
	return plan->reason[slot].gate == GATE_ACTIVE_SOFT;
}

static void place_idle(struct plan *plan, const struct snapshot *s)
{
	bool strict = s->policy.backfill == BACKFILL_NONE;
	int64_t not_before_s = plan->now_s;
	struct hints hints;

	/* A job that does not start in the next pass waits at least until something changes. */
	hints_reset(&hints, placement_next_change(plan->placement, plan->now_s));
	for (uint32_t i = 0; i < plan->queue.idle_count; i++) {
		uint32_t slot = plan->queue.idle[i].slot;
		const struct job *job = job_at(s, slot);
		int64_t procs = job_procs(job), from_s;

		if (has_second_turn(plan, slot))
			continue;
		if (plan->start_s[slot] == TIME_NEVER) {
			bool on_nodes = uses_nodes(plan);

			from_s = hint_begin(&hints, procs, job->wall_limit_s);
			place_earliest(plan, s, slot, from_s > not_before_s ? from_s : not_before_s);
			if (plan->start_s[slot] == TIME_NEVER)
				continue;
			/* A job that waits for particular nodes gives no bound for other jobs. */
			if (!on_nodes)
				hint_placed(&hints, procs, job->wall_limit_s, plan->start_s[slot]);
		}
		if (strict)
			not_before_s = plan->start_s[slot];
	}
}

/*
 * Places the jobs over a soft limit: from the time when the limit clears, or, if HARDPASS gives them all
 * remaining resources, from now on.
 */
static void place_second(struct plan *plan, const struct snapshot *s)
{
	bool any_time = s->policy.hard_pass == HARD_RESOURCES && s->policy.backfill != BACKFILL_NONE;

	for (uint32_t i = 0; i < plan->queue.second_count; i++) {
		uint32_t slot = plan->queue.second[i].slot;
		int64_t from_s = any_time ? plan->now_s : plan->reason[slot].until_s;

		if (plan->start_s[slot] == TIME_NEVER && from_s != TIME_NEVER)
			place_earliest(plan, s, slot, from_s);
	}
}

/*
 * Returns the time at which all gates that depend on the job alone have cleared by themselves; TIME_NEVER if
 * they do not.
 */
static int64_t gates_clear_s(struct plan *plan, uint32_t slot)
{
	int64_t clear_s = plan->reason[slot].until_s;
	struct reason reason;

	for (int g = GATE_NONE + 1; g < GATE_ARRAY && clear_s != TIME_NEVER; g++)
		if (!cycle_gate(plan->cycle, slot, (enum gate)g, &reason) && reason.until_s > clear_s)
			clear_s = reason.until_s;
	return clear_s;
}

/* Places blocked jobs whose gate clears at a known time, after all jobs that are eligible now. */
static void place_dated(struct plan *plan, const struct snapshot *s)
{
	for (uint32_t i = 0; i < plan->queue.blocked_count; i++) {
		uint32_t slot = plan->queue.blocked[i];
		int64_t from_s;

		if (plan->start_s[slot] != TIME_NEVER)
			continue;
		from_s = gates_clear_s(plan, slot);
		if (from_s != TIME_NEVER && from_s >= plan->now_s)
			place_earliest(plan, s, slot, from_s);
	}
}

/* --- arrays ------------------------------------------------------------------------------ */

/* The end of a task that is running or has been placed. */
struct task_end {
	uint64_t array;
	int64_t end_s;
};

static int compare_task_ends(const void *a, const void *b)
{
	const struct task_end *x = a, *y = b;

	if (x->array != y->array)
		return x->array < y->array ? -1 : 1;
	return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

static void add_task_end(struct task_end *end, size_t *count, const struct job *job, int64_t end_s)
{
	if (job->array_limit != 0)
		end[(*count)++] = (struct task_end){job->array, end_s};
}

/*
 * Returns the ends of the tasks of all arrays with a limit, sorted by array and time; the caller frees the
 * list.
 */
static struct task_end *find_task_ends(const struct plan *plan, const struct snapshot *s, size_t *count)
{
	const struct queue *q = &plan->queue;
	struct task_end *end = mem_zero((size_t)q->active_count + q->idle_count + 1, sizeof *end);

	*count = 0;
	for (uint32_t i = 0; i < q->active_count; i++)
		add_task_end(end, count, job_at(s, q->active[i]), job_due_end_s(job_at(s, q->active[i])));
	for (uint32_t i = 0; i < q->idle_count; i++) {
		const struct job *job = job_at(s, q->idle[i].slot);
		int64_t begin_s = plan->start_s[q->idle[i].slot];

		if (begin_s != TIME_NEVER)
			add_task_end(end, count, job, begin_s + job->wall_limit_s);
	}
	qsort(end, *count, sizeof *end, compare_task_ends);
	return end;
}

/*
 * The latest ends of the tasks of one array, in ascending order: one lane for each task that may run at a
 * time.
 */
struct lanes {
	int64_t *end_s;
	size_t count, room;
};

static void lanes_begin(struct lanes *l, const struct task_end *end, size_t count, const struct job *job)
{
	size_t first = 0, last;

	while (first < count && end[first].array != job->array)
		first++;
	for (last = first; last < count && end[last].array == job->array;)
		last++;
	if (last - first > job->array_limit)
		first = last - job->array_limit;
	l->end_s = vec_room(l->end_s, &l->room, (size_t)job->array_limit + 1, sizeof *l->end_s);
	for (l->count = 0; first < last; first++)
		l->end_s[l->count++] = end[first].end_s;
}

/* Puts the task into the lane that becomes free first. */
static void lanes_take(struct lanes *l, int64_t end_s, uint32_t limit)
{
	size_t at;

	if (l->count == limit) {
		memmove(l->end_s, l->end_s + 1, (l->count - 1) * sizeof *l->end_s);
		l->count--;
	}
	for (at = l->count; at > 0 && l->end_s[at - 1] > end_s; at--)
		l->end_s[at] = l->end_s[at - 1];
	l->end_s[at] = end_s;
	l->count++;
}

/*
 * Places tasks that are blocked by the limit of their array: each starts when another task ends. The tasks of
 * one array are consecutive.
 */
static void place_tasks(struct plan *plan, const struct snapshot *s)
{
	struct lanes lanes = {.count = 0};
	const struct job *before = NULL;
	struct task_end *end;
	size_t count;

	if (s->throttled == 0)
		return;
	end = find_task_ends(plan, s, &count);
	for (uint32_t i = 0; i < plan->queue.blocked_count; i++) {
		uint32_t slot = plan->queue.blocked[i];
		const struct job *job = job_at(s, slot);
		int64_t from_s;

		if (plan->reason[slot].gate != GATE_ARRAY || plan->start_s[slot] != TIME_NEVER)
			continue;
		if (before == NULL || job->array != before->array || job->array_limit != before->array_limit)
			lanes_begin(&lanes, end, count, job);
		before = job;
		from_s = lanes.count < job->array_limit ? plan->now_s : lanes.end_s[0];
		if (from_s != TIME_NEVER)
			place_earliest(plan, s, slot, from_s);
		if (plan->start_s[slot] == TIME_NEVER)
			continue;
		lanes_take(&lanes, plan->start_s[slot] + job->wall_limit_s, job->array_limit);
	}
	free(lanes.end_s);
	free(end);
}

/* --- reasons ------------------------------------------------------------------------------ */

void plan_date_reason(const struct plan *plan, const struct snapshot *s, uint32_t slot, struct reason *reason)
{
	struct fs_world world;

	if (reason->gate == GATE_IDLE_LIMIT && reason->until_s != TIME_NEVER &&
	    queue_is_preceded(&plan->queue, s, plan->now_s, slot, reason, reason->until_s))
		reason->until_s = TIME_NEVER;
	if (reason->gate != GATE_FS_CAP || reason->cred == INDEX_NONE)
		return;
	snapshot_fs_world(s, plan->now_s, &world);
	reason->until_s = fairshare_clears_s(&plan->queue.shares, &world, job_at(s, slot));
}

bool plan_limits_stay(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (snapshot_is_for_a_while(&snapshot_changes(s)[i]))
			return false;
	return true;
}

bool plan_is_permanent(const struct snapshot *s, const struct reason *reason)
{
	bool too_much = reason->asked > reason->limit && plan_limits_stay(s);

	switch ((enum gate)reason->gate) {
	case GATE_FEASIBLE:
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
		return plan_limits_stay(s);
	case GATE_DEPENDENCY:
		return reason->limit == DEPEND_NEVER;
	case GATE_IDLE_LIMIT:
	case GATE_ACTIVE_HARD:
		return too_much;
	case GATE_ACTIVE_SOFT:
		return too_much && policy_has_no_second_turn(&s->policy);
	default:
		return false;
	}
}

bool plan_find_failing(const struct plan *plan, const struct snapshot *s, uint32_t slot, bool permanent,
		       struct reason *out)
{
	struct reason reason;

	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		if (cycle_gate(plan->cycle, slot, (enum gate)g, &reason) ||
		    plan_is_permanent(s, &reason) != permanent)
			continue;
		*out = reason;
		plan_date_reason(plan, s, slot, out);
		return true;
	}
	return false;
}

/*
 * If the job fails both a limit that clears and a limit that its own request exceeds, makes the second the
 * reason.
 */
static void prefer_permanent(struct plan *plan, const struct snapshot *s, uint32_t slot)
{
	static const enum gate gates[] = {GATE_ACTIVE_HARD, GATE_ACTIVE_SOFT};
	struct reason reason;

	if (plan->reason[slot].gate != GATE_ACTIVE_HARD && plan->reason[slot].gate != GATE_ACTIVE_SOFT)
		return;
	for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++)
		if (!cycle_gate(plan->cycle, slot, gates[i], &reason) && plan_is_permanent(s, &reason)) {
			plan->reason[slot] = reason;
			return;
		}
}

/*
 * An idle limit with a known clear time, and the turn of the job that is promoted first among the jobs that
 * it blocks.
 */
struct idle_limit {
	const struct reason *reason;
	uint32_t turn;
};

static bool is_same_limit(const struct reason *a, const struct reason *b)
{
	return a->scope == b->scope && a->kind == b->kind && a->cred == b->cred && a->second == b->second;
}

static struct idle_limit *find_limit(struct idle_limit *limit, size_t count, const struct reason *reason)
{
	for (size_t i = 0; i < count; i++)
		if (is_same_limit(limit[i].reason, reason))
			return &limit[i];
	return NULL;
}

static bool has_dated_idle_limit(const struct plan *plan, uint32_t slot)
{
	return plan->reason[slot].gate == GATE_IDLE_LIMIT && plan->reason[slot].until_s != TIME_NEVER;
}

/* Returns the idle limits with a known clear time; free() the list. */
static struct idle_limit *find_idle_limits(const struct plan *plan, size_t *count)
{
	const struct queue *q = &plan->queue;
	struct idle_limit *limit = NULL, *known;
	size_t room = 0;

	*count = 0;
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		const struct reason *reason = &plan->reason[q->blocked[i]];
		uint32_t turn = q->turn[q->blocked_at[i]];

		if (!has_dated_idle_limit(plan, q->blocked[i]))
			continue;
		known = find_limit(limit, *count, reason);
		if (known == NULL) {
			limit = vec_room(limit, &room, *count + 1, sizeof *limit);
			limit[(*count)++] = (struct idle_limit){reason, turn};
		} else if (turn < known->turn) {
			known->turn = turn;
		}
	}
	return limit;
}

/*
 * Sets the clear time of idle limits to unknown, except for the job that each limit promotes first: only for
 * this job is it known when the limit will admit it.
 */
static void undate_idle_limits(struct plan *plan)
{
	const struct queue *q = &plan->queue;
	size_t count;
	struct idle_limit *limit = find_idle_limits(plan, &count);

	for (uint32_t i = 0; i < q->blocked_count && count > 0; i++) {
		struct reason *reason = &plan->reason[q->blocked[i]];

		if (has_dated_idle_limit(plan, q->blocked[i]) &&
		    find_limit(limit, count, reason)->turn != q->turn[q->blocked_at[i]])
			reason->until_s = TIME_NEVER;
	}
	free(limit);
}

static void date_reasons(struct plan *plan, const struct snapshot *s)
{
	undate_idle_limits(plan);
	for (uint32_t i = 0; i < plan->queue.blocked_count; i++) {
		uint32_t slot = plan->queue.blocked[i];

		prefer_permanent(plan, s, slot);
		plan_date_reason(plan, s, slot, &plan->reason[slot]);
	}
}

/* --- jobs over a soft limit that start now ------------------------------------------------- */

/*
 * Returns true for a blocked job for which the next pass has processors, whether or not the scheduler is
 * paused.
 */
static bool may_start_now(const struct plan *plan, uint32_t slot)
{
	return plan->reason[slot].gate == GATE_NONE || plan->reason[slot].gate == GATE_HALT;
}

/* Adds the jobs in `second` that may start now to the idle jobs, by rank. Returns their number. */
static uint32_t merge_second(struct plan *plan)
{
	struct queue *q = &plan->queue;
	uint32_t added = 0, to;

	for (uint32_t i = 0; i < q->second_count; i++)
		added += may_start_now(plan, q->second[i].slot);
	to = q->idle_count + added;
	for (uint32_t i = q->second_count, idle = q->idle_count; i-- > 0;) {
		const struct queued *one = &q->second[i];

		if (!may_start_now(plan, one->slot))
			continue;
		while (idle > 0 && queue_compare(&q->idle[idle - 1], one) > 0)
			q->idle[--to] = q->idle[--idle];
		q->idle[--to] = *one;
	}
	q->idle_count += added;
	return added;
}

/*
 * Lists as eligible those jobs over a soft limit that start now. The queue lists them as blocked, but they
 * start if processors remain.
 */
static void list_as_idle(struct plan *plan, const struct snapshot *s)
{
	struct queue *q = &plan->queue;
	uint32_t kept = 0;

	if (!gate_blocks(GATE_ACTIVE_SOFT, &s->policy) || merge_second(plan) == 0)
		return;
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		if (may_start_now(plan, q->blocked[i]))
			continue;
		q->blocked[kept] = q->blocked[i];
		q->blocked_at[kept] = q->blocked_at[i];
		q->blocked_reason[kept++] = q->blocked_reason[i];
	}
	q->blocked_count = kept;
}

/* --- building ----------------------------------------------------------------------------- */

static void make_room(struct plan *plan, const struct snapshot *s, const struct reason *reason)
{
	uint32_t slots = snapshot_count(s, TABLE_JOBS);

	if (plan->placement == NULL)
		plan->placement = placement_new();
	plan->slots = slots;
	plan->start_s = vec_room(plan->start_s, &plan->start_room, slots, sizeof *plan->start_s);
	plan->reason = vec_room(plan->reason, &plan->reason_room, slots, sizeof *plan->reason);
	for (uint32_t i = 0; i < slots; i++)
		plan->start_s[i] = TIME_NEVER;
	if (slots > 0)
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
	list_as_idle(plan, s);
	plan->placed_on_nodes = 0;
	plan->guarded_profile = false;
	placement_begin(plan->placement, s, now_s);
	plan->starts_now = 0;
	if (snapshot_is_halted(s)) /* the end of the pause is not known */
		return;
	date_reasons(plan, s);
	place_decided(plan, s, &result);
	if (result.next_due_s <= now_s)
		place_left(plan, s);
	place_idle(plan, s);
	place_second(plan, s);
	place_tasks(plan, s);
	place_dated(plan, s);
}

void plan_clear(struct plan *plan)
{
	cycle_free(plan->cycle);
	placement_free(plan->placement);
	free(plan->start_s);
	free(plan->reason);
	*plan = (struct plan){0};
}

/* --- comparing ---------------------------------------------------------------------------- */

/* Returns an array by slot: 1 = the job is idle in this plan. The caller frees it. */
static uint8_t *idle_marks(const struct plan *plan)
{
	uint8_t *mark = mem_zero(plan->slots + 1, sizeof *mark);

	for (uint32_t i = 0; i < plan->queue.idle_count; i++)
		mark[plan->queue.idle[i].slot] = 1;
	return mark;
}

/*
 * Returns an array by slot: the job's position, from 1, among the jobs that are idle in both plans. The
 * caller frees it.
 */
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
