/* SPDX-License-Identifier: MIT */
/*
 * future.c - the projected future of a queue, and the estimated start of each of its jobs
 */
#include "future.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/pass/gate.h"

static const char *const tier_names[] = {"instant", "partial", "full"};

const char *future_tier_name(enum future_tier tier)
{
	return tier_names[tier];
}

/* --- the projection within its budget ---------------------------------------------------------------- */

struct budget {
	const struct future_setup *setup;
	const struct projection *p;
	const struct snapshot *s;
	struct never *never;
	bool refused; /* setup->should_continue has stopped the projection */
};

static bool within_budget(void *self, uint32_t started)
{
	struct budget *b = self;
	const struct future_setup *setup = b->setup;

	if (setup->one && b->p->start_s[setup->slot] != TIME_NEVER)
		return false;
	if (setup->most_work != 0 && b->p->work >= setup->most_work)
		return false;
	b->refused = setup->should_continue != NULL && !setup->should_continue(setup->self, started);
	return !b->refused;
}

static void look_at_end(void *self, const struct snapshot *then)
{
	struct budget *b = self;

	never_find(b->never, b->s, b->setup->now_s, b->p, then);
}

bool future_project(struct projection *out, struct never *never, struct assumed *assumed,
		    const struct snapshot *s, const struct future_setup *setup)
{
	struct budget budget = {.setup = setup, .p = out, .s = s, .never = never};
	struct project_setup ahead = {.from_s = setup->now_s,
				      .until_s = TIME_NEVER,
				      .should_continue = within_budget,
				      .self = &budget};

	never->slots = 0;
	if (setup->reasons)
		ahead.at_end = look_at_end;

	ahead.run_share = assume_shares(assumed, s, setup->accuracy, setup->assume);
	(void)project_run(out, s, &ahead);
	return !budget.refused;
}

/* --- estimated starts -------------------------------------------------------------------------------- */

enum future_tier future_tier_of(const struct projection *p)
{
	if (p == NULL)
		return FUTURE_INSTANT;
	return p->stopped ? FUTURE_PARTIAL : FUTURE_FULL;
}

static struct future_start placeholder_of(const struct snapshot *s, const struct plan *plan, int64_t after_s,
					  uint32_t slot)
{
	struct future_start f = {.start_s = plan->start_s[slot], .end_s = TIME_NEVER, .tier = FUTURE_INSTANT};
	const enum gate gate = (enum gate)plan->reason[slot].gate;
	struct reason reason;

	/*
	 * The plan places a job at the time when its first failing check clears, and ignores later checks, of
	 * which one may be permanent.
	 */
	if (f.start_s != TIME_NEVER && gate != GATE_NONE && !gate_rows[gate].in_pass &&
	    plan_find_failing(plan, s, slot, true, &reason))
		f.start_s = TIME_NEVER;
	if (f.start_s == TIME_NEVER)
		return f;
	if (f.start_s < after_s)
		f.start_s = after_s;
	f.end_s = f.start_s + snapshot_jobs(s)[slot].wall_limit_s;
	f.placeholder = true;
	return f;
}

struct future_start future_start_of(const struct snapshot *s, const struct plan *plan,
				    const struct projection *p, uint32_t slot)
{
	if (p == NULL)
		return placeholder_of(s, plan, plan->now_s, slot);
	if (p->stopped && p->start_s[slot] == TIME_NEVER)
		return placeholder_of(s, plan, p->last_s, slot);
	return (struct future_start){
		.start_s = p->start_s[slot], .end_s = p->end_s[slot], .tier = FUTURE_FULL};
}

struct future_start future_start(const struct future *f, uint32_t slot)
{
	return future_start_of(f->side.s, &f->plan, f->tier == FUTURE_INSTANT ? NULL : &f->projection, slot);
}

/* --- futures ---------------------------------------------------------------------------------------- */

/*
 * Sets the starts of a partial projection: idle jobs that it did not reach get their start in the instant
 * plan.
 */
static void merge_starts(struct future *f, const struct snapshot *s)
{
	uint32_t slots = snapshot_count(s, TABLE_JOBS);

	f->start_s = vec_room(f->start_s, &f->start_room, slots, sizeof *f->start_s);
	for (uint32_t slot = 0; slot < slots; slot++)
		f->start_s[slot] = f->projection.start_s[slot];
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;

		f->start_s[slot] = future_start(f, slot).start_s;
	}
}

bool future_build(struct future *f, const struct snapshot *s, const struct future_setup *setup)
{
	bool finished = true;

	plan_build(&f->plan, s, setup->now_s);
	f->tier = FUTURE_INSTANT;
	f->never.slots = 0;
	f->side = (struct whatif_side){.s = s, .plan = &f->plan, .start_s = f->plan.start_s};
	if (!setup->full)
		return true;
	finished = future_project(&f->projection, &f->never, &f->assumed, s, setup);
	f->tier = future_tier_of(&f->projection);
	f->side.start_s = f->projection.start_s;
	if (f->tier == FUTURE_PARTIAL && finished) {
		merge_starts(f, s);
		f->side.start_s = f->start_s;
	}
	return finished;
}

void future_clear(struct future *f)
{
	plan_clear(&f->plan);
	project_clear(&f->projection);
	never_clear(&f->never);
	free(f->assumed.share);
	free(f->start_s);
	*f = (struct future){.side = {.s = NULL}};
}

/* --- pairs ------------------------------------------------------------------------------------------- */

static bool build_both(struct future_pair *p, const struct snapshot *before, const struct snapshot *after,
		       const struct future_setup *setup)
{
	return future_build(&p->before, before, setup) &&
	       (p->before.tier == FUTURE_PARTIAL || future_build(&p->after, after, setup));
}

bool future_compare(struct future_pair *p, const struct snapshot *before, const struct snapshot *after,
		    const struct future_setup *setup)
{
	struct future_setup instant = *setup;

	instant.full = false;
	if (!build_both(p, before, after, setup))
		return false;
	if (p->before.tier == FUTURE_PARTIAL || p->after.tier == FUTURE_PARTIAL)
		(void)build_both(p, before, after, &instant);
	p->tier = p->before.tier;
	whatif_compare(&p->whatif, &p->before.side, &p->after.side);
	plan_compare(&p->before.plan, before, &p->after.plan, after, &p->change);
	p->change.earlier = p->whatif.earlier;
	p->change.later = p->whatif.later;
	p->change.moved = p->whatif.earlier + p->whatif.later;
	p->change.most_delayed = p->whatif.most_delayed;
	p->change.most_delay_s = p->whatif.most_delay_s;
	return true;
}

void future_pair_clear(struct future_pair *p)
{
	future_clear(&p->before);
	future_clear(&p->after);
	whatif_clear(&p->whatif);
}
