/* SPDX-License-Identifier: MIT */
/*
 * never.c - which idle jobs never start, as proven by a projection, and what blocks each of them
 */
#include "never.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* What the proof is based on; see never_reason. */
struct proof {
	const struct snapshot *s;
	const struct plan *now;
	const struct projection *p;
	const struct snapshot *then;
	const struct plan *end;
};

static bool starts(const struct proof *f, uint32_t slot)
{
	return f->p->start_s[slot] != TIME_NEVER;
}

/* --- how other jobs end ------------------------------------------------------------------------- */

/* maximum length of a chain of dependencies that is followed */
#define CHAIN_MOST 32

static bool is_kept(const struct proof *f, uint32_t slot, unsigned links);

/*
 * Returns true if the dependency can never be met, or is on a job that never starts and therefore never ends.
 */
static bool stays_open(const struct proof *f, const struct depend *d, unsigned links)
{
	uint32_t on;

	if (d->state != DEPEND_OPEN || d->of != DEPEND_ON_JOB)
		return d->state == DEPEND_NEVER;
	on = snapshot_find_job(f->s, d->on);
	return links > 0 && on != INDEX_NONE && is_kept(f, on, links - 1);
}

/*
 * Returns true if the job does not start, however other jobs end: it is held, or one of its dependencies is
 * never met.
 */
static bool is_kept(const struct proof *f, uint32_t slot, unsigned links)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];
	const struct depend *depends = snapshot_depends(f->s);

	if (job->state != JOB_IDLE || starts(f, slot))
		return false;
	if (job->holds != 0)
		return true;
	for (uint32_t d = job->depend; d != INDEX_NONE; d = depends[d].next)
		if (stays_open(f, &depends[d], links))
			return true;
	return false;
}

static bool waits_for_failure(const struct snapshot *s, uint32_t slot)
{
	const struct depend *depends = snapshot_depends(s);

	for (uint32_t d = snapshot_jobs(s)[slot].depend; d != INDEX_NONE; d = depends[d].next)
		if (depends[d].state == DEPEND_OPEN && depends[d].type == DEPEND_FAILED)
			return true;
	return false;
}

/*
 * Returns true if a job that does not start depends on the failure of another job. A projection does not show
 * what would follow such a failure.
 */
static bool failures_matter(const struct proof *f)
{
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(f->s)[i].slot;

		if (!starts(f, slot) && waits_for_failure(f->s, slot) && !is_kept(f, slot, CHAIN_MOST))
			return true;
	}
	return false;
}

/* --- the job itself ----------------------------------------------------------------------------- */

/*
 * Is the job still idle at the end of the projection? If not, it has left the queue, because a dependency
 * could no longer be met.
 */
static bool still_waits(const struct proof *f, uint32_t slot)
{
	return slot < snapshot_count(f->then, TABLE_JOBS) && snapshot_jobs(f->then)[slot].state == JOB_IDLE &&
	       snapshot_jobs(f->then)[slot].id == snapshot_jobs(f->s)[slot].id;
}

/* Returns true if the request of the job alone exceeds the limit, whatever other jobs use. */
static bool is_over_alone(const struct plan *plan, uint32_t slot, enum gate gate)
{
	struct reason reason;

	return !cycle_gate(plan->cycle, slot, gate, &reason) && reason.asked > reason.limit;
}

/*
 * Returns true if the reason does not depend on other jobs: a hold, a dependency that cannot be met, or a
 * request larger than the machine or a limit.
 */
static bool is_its_own(const struct proof *f, uint32_t slot)
{
	static const enum gate sizes[] = {GATE_FEASIBLE, GATE_CLASS_LIMIT, GATE_SYSTEM_LIMIT};
	static const enum gate limits[] = {GATE_ACTIVE_HARD, GATE_IDLE_LIMIT};
	struct reason reason;

	if (is_kept(f, slot, CHAIN_MOST))
		return true;
	if (!still_waits(f, slot))
		return false;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (!cycle_gate(f->end->cycle, slot, sizes[i], &reason))
			return true;
	for (size_t i = 0; i < sizeof limits / sizeof limits[0] && plan_limits_stay(f->s); i++)
		if (is_over_alone(f->now, slot, limits[i]) && is_over_alone(f->end, slot, limits[i]))
			return true;
	return false;
}

static struct reason kept_by(const struct proof *f, uint32_t slot)
{
	struct reason reason;

	if (!still_waits(f, slot)) {
		(void)cycle_gate(f->now->cycle, slot, GATE_DEPENDENCY, &reason);
		return reason;
	}
	reason = f->end->reason[slot];
	if (reason.gate >= GATE_CLASS_LIMIT && reason.gate <= GATE_FS_CAP)
		reason.until_s = TIME_NEVER;
	return reason;
}

/*
 * Returns true if the projection proves anything: it ran until nothing happened any more. While the scheduler
 * is paused, nothing is known about the future.
 */
static bool proves(const struct proof *f)
{
	return f->p->whole && !snapshot_is_halted(f->s);
}

struct reason never_reason(const struct snapshot *s, const struct plan *now, const struct projection *p,
			   const struct snapshot *then, const struct plan *end, uint32_t slot)
{
	const struct proof f = {s, now, p, then, end};

	if (!proves(&f) || starts(&f, slot) || (failures_matter(&f) && !is_its_own(&f, slot)))
		return (struct reason){.gate = GATE_NONE};
	return kept_by(&f, slot);
}

/* --- all jobs ----------------------------------------------------------------------------------- */

static bool is_asked(const struct proof *f, uint32_t slot)
{
	return !starts(f, slot) && snapshot_jobs(f->s)[slot].holds == 0;
}

static uint32_t count_asked(const struct proof *f)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++)
		count += is_asked(f, snapshot_waiting(f->s)[i].slot);
	return count;
}

/* Returns true if the plan of the current state is needed. */
static bool looks_at_present(const struct proof *f, bool matter)
{
	if (matter)
		return true;
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(f->s)[i].slot;

		if (is_asked(f, slot) && !still_waits(f, slot))
			return true;
	}
	return false;
}

void never_find(struct never *n, const struct snapshot *s, int64_t now_s, const struct projection *p,
		const struct snapshot *then)
{
	struct plan now = {.start_s = NULL}, end = {.start_s = NULL};
	const struct proof f = {s, &now, p, then, &end};
	bool matter;

	n->slots = 0;
	if (!proves(&f) || count_asked(&f) == 0)
		return;
	plan_build(&end, then, p->last_s);
	matter = failures_matter(&f);
	if (looks_at_present(&f, matter))
		plan_build(&now, s, now_s);
	n->slots = p->slots;
	n->reason = vec_room(n->reason, &n->room, n->slots, sizeof *n->reason);
	for (uint32_t slot = 0; slot < n->slots; slot++)
		n->reason[slot] = (struct reason){.gate = GATE_NONE};
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;

		if (is_asked(&f, slot) && (!matter || is_its_own(&f, slot)))
			n->reason[slot] = kept_by(&f, slot);
	}
	plan_clear(&now);
	plan_clear(&end);
}

struct reason never_of(const struct never *n, uint32_t slot)
{
	return slot < n->slots ? n->reason[slot] : (struct reason){.gate = GATE_NONE};
}

void never_clear(struct never *n)
{
	free(n->reason);
	*n = (struct never){.reason = NULL};
}
