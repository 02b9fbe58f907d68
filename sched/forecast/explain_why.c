/* SPDX-License-Identifier: MIT */
/*
 * explain_why.c - all checks of one job with their numbers, and the reason shown first
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/amount.h"
#include "sched/base/duration.h"
#include "sched/pass/cycle.h"
#include "sched/pass/gate.h"
#include "sched/placement/placement.h"

static const char *const verdict_names[] = {"runs", "starts-now", "not-now", "never", "held"};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

static void print_until(struct check *c, const struct snapshot *s, int64_t now_s)
{
	struct str other = {0};
	char when[MOMENT_TEXT];

	if (c->ok)
		snprintf(c->value, sizeof c->value, "no reservation is delayed");
	else if (c->reason.other == 0)
		snprintf(c->value, sizeof c->value, "its own reservation begins at %s",
			 moment_short(when, c->reason.until_s, now_s));
	else {
		explain_other_job(s, &c->reason, &other);
		snprintf(c->value, sizeof c->value, "%lld free from %s on (%s)", (long long)c->reason.limit,
			 moment_short(when, c->reason.until_s, now_s), str_text(&other));
	}
	snprintf(c->limit, sizeof c->limit, ">= %lld", (long long)c->reason.value);
	str_free(&other);
}

static void print_reserved(struct check *c, const struct snapshot *s, int64_t now_s)
{
	char when[MOMENT_TEXT];

	if (c->ok) {
		snprintf(c->value, sizeof c->value, "none");
		return;
	}
	snprintf(c->limit, sizeof c->limit, ">= %lld", (long long)c->reason.value);
	if (c->reason.asked > now_s)
		snprintf(c->value, sizeof c->value, "%lld free from %s on (%s)", (long long)c->reason.limit,
			 moment_short(when, c->reason.asked, now_s), explain_advance(s, &c->reason));
	else if (c->reason.until_s == TIME_NEVER)
		snprintf(c->value, sizeof c->value, "%lld free (%s)", (long long)c->reason.limit,
			 explain_advance(s, &c->reason));
	else
		snprintf(c->value, sizeof c->value, "%lld free until %s (%s)", (long long)c->reason.limit,
			 moment_short(when, c->reason.until_s, now_s), explain_advance(s, &c->reason));
}

static void print_dependency(const struct snapshot *s, struct check *c)
{
	char on[DEPEND_ON_TEXT];

	if (c->reason.other == 0)
		snprintf(c->value, sizeof c->value, "none");
	else
		snprintf(c->value, sizeof c->value, "%s %s%s",
			 c->reason.asked == DEPEND_ON_ARRAY ? "all of" : "job",
			 explain_depend_on(s, &c->reason, on),
			 c->reason.limit == DEPEND_NEVER ? ", can no longer be met" : "");
}

static void print_limit(struct check *c)
{
	const struct reason *r = &c->reason;

	if (r->kind == LIMIT_KIND_COUNT) {
		snprintf(c->value, sizeof c->value, "none");
		return;
	}
	if (r->scope == LIMIT_CLASS || r->scope == LIMIT_SYSTEM)
		snprintf(c->value, sizeof c->value, "%lld", (long long)r->asked);
	else
		snprintf(c->value, sizeof c->value, "%lld + %lld = %lld", (long long)r->value,
			 (long long)r->asked, (long long)amount_add(r->value, r->asked));
	snprintf(c->limit, sizeof c->limit, "%s %lld", explain_limit_name(r), (long long)r->limit);
}

static void print_array(struct check *c)
{
	const struct reason *r = &c->reason;

	if (r->limit == 0) {
		snprintf(c->value, sizeof c->value, "none");
		return;
	}
	snprintf(c->value, sizeof c->value, "%lld running, %lld next", (long long)r->value,
		 (long long)r->asked);
	snprintf(c->limit, sizeof c->limit, "%lld at a time", (long long)r->limit);
}

static void print_cap(struct check *c, const struct snapshot *s)
{
	const struct reason *r = &c->reason;

	if (r->cred == INDEX_NONE) {
		snprintf(c->value, sizeof c->value, "none");
	} else if (snapshot_creds(s)[r->cred].attr.fs_mode == FS_CAP_RELATIVE) {
		snprintf(c->value, sizeof c->value, "%.2f %%", (double)r->value / 1000);
		snprintf(c->limit, sizeof c->limit, "%.2f %%", (double)r->limit / 1000);
	} else {
		snprintf(c->value, sizeof c->value, "%lld proc-s", (long long)r->value);
		snprintf(c->limit, sizeof c->limit, "%lld proc-s", (long long)r->limit);
	}
}

void explain_check(struct check *c, const struct snapshot *s, int64_t now_s)
{
	char when[MOMENT_TEXT], label[JOB_LABEL_TEXT];

	snprintf(c->limit, sizeof c->limit, "-");
	switch (c->gate) {
	case GATE_HOLD:
		snprintf(c->value, sizeof c->value, "%s", job_hold_names((unsigned)c->reason.value));
		break;
	case GATE_DEPENDENCY:
		print_dependency(s, c);
		break;
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
	case GATE_IDLE_LIMIT:
	case GATE_ACTIVE_HARD:
	case GATE_ACTIVE_SOFT:
		print_limit(c);
		break;
	case GATE_ARRAY:
		print_array(c);
		break;
	case GATE_FS_CAP:
		print_cap(c, s);
		break;
	case GATE_DEFER:
	case GATE_START_DATE:
		snprintf(c->value, sizeof c->value, "%s",
			 c->reason.limit == TIME_NONE ? "none" : moment_iso(when, c->reason.limit));
		break;
	case GATE_FEASIBLE:
		snprintf(c->value, sizeof c->value, "%lld procs", (long long)c->reason.value);
		snprintf(c->limit, sizeof c->limit, "%lld in the machine", (long long)c->reason.limit);
		break;
	case GATE_NEGATIVE:
		snprintf(c->value, sizeof c->value, "%lld", (long long)c->reason.value);
		if (s->policy.reject_negative)
			snprintf(c->limit, sizeof c->limit, ">= 0");
		break;
	case GATE_RESOURCES:
		snprintf(c->value, sizeof c->value, "%lld procs", (long long)c->reason.value);
		snprintf(c->limit, sizeof c->limit, "%lld free", (long long)c->reason.limit);
		break;
	case GATE_RESERVED:
		print_reserved(c, s, now_s);
		break;
	case GATE_RESERVATIONS:
		print_until(c, s, now_s);
		break;
	case GATE_ORDER:
		snprintf(c->value, sizeof c->value, "%s",
			 c->ok ? "none ahead" : explain_other(s, &c->reason, label));
		break;
	case GATE_HALT:
		snprintf(c->value, sizeof c->value, "%s",
			 c->ok             ? "none"
			 : s->no_room != 0 ? "disk full"
					   : "the scheduler");
		break;
	case GATE_NONE:
	case GATE_COUNT:
		break;
	}
}

/* --- the leading reason ---------------------------------------------------------------------- */

struct explain_lead explain_lead(const struct snapshot *s, const struct plan *plan, uint32_t slot,
				 int64_t start_s, struct reason never)
{
	struct explain_lead lead = {.verdict = VERDICT_NOT_NOW, .reason = plan->reason[slot]};
	enum gate gate = (enum gate)lead.reason.gate;

	if (snapshot_jobs(s)[slot].state == JOB_RUNNING)
		return (struct explain_lead){.verdict = VERDICT_RUNS};
	if (gate == GATE_NONE && plan->start_s[slot] == plan->now_s)
		return (struct explain_lead){.verdict = VERDICT_STARTS_NOW};
	if (gate == GATE_HALT)
		return lead;
	if (start_s == TIME_NEVER && plan_find_failing(plan, s, slot, true, &lead.reason))
		lead.verdict = VERDICT_NEVER;
	else if (gate == GATE_HOLD)
		lead.verdict = VERDICT_HELD;
	else if (start_s == TIME_NEVER && never.gate != GATE_NONE)
		lead = (struct explain_lead){VERDICT_NEVER, never};
	else if (plan_is_permanent(s, &lead.reason))
		(void)plan_find_failing(plan, s, slot, false, &lead.reason);
	return lead;
}

struct explain_lead explain_future(const struct future *f, uint32_t slot)
{
	int64_t start_s =
		snapshot_jobs(f->side.s)[slot].state == JOB_IDLE ? future_start(f, slot).start_s : TIME_NEVER;

	return explain_lead(f->side.s, &f->plan, slot, start_s, never_of(&f->never, slot));
}

/* --- all checks -------------------------------------------------------------------------------- */

/*
 * Sets until_s of a reservation that blocks the job to the time when the job fits. The advance reservation
 * blocks it until the reservation ends or until running jobs leave enough other processors; then another
 * reservation may block it.
 */
static void clear_reserved(struct plan *plan, uint32_t slot, struct reason *reason)
{
	struct alloc_list unused = {0};
	int64_t begin_s = placement_earliest(cycle_placement(plan->cycle), slot, plan->now_s, &unused);
	struct reason next;

	free(unused.item);
	while (reason->until_s < begin_s && reason->until_s != TIME_NEVER &&
	       !cycle_gate_reserved(plan->cycle, slot, reason->until_s, &next) &&
	       next.until_s > reason->until_s)
		reason->until_s = next.until_s;
	if (begin_s < reason->until_s)
		reason->until_s = begin_s;
}

static void check_all(struct plan *plan, const struct snapshot *s, uint32_t slot, struct why *out)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		struct check *c = &out->check[g];

		*c = (struct check){.gate = (enum gate)g, .known = true};
		c->ok = cycle_gate(plan->cycle, slot, (enum gate)g, &c->reason);
		if (!c->ok)
			plan_date_reason(plan, s, slot, &c->reason);
		explain_check(c, s, plan->now_s);
		if (g == GATE_RESERVED && !c->ok)
			clear_reserved(plan, slot, &c->reason);
		if (!c->ok && out->first == GATE_NONE)
			out->first = (enum gate)g;
	}
}

/*
 * Sets the checks of a job that this pass starts: all pass but the soft limits, over which the job may start.
 * The job is not tested again: its processors already count as used, so they would count twice, and jobs that
 * start after it may have filled its limits.
 */
static void set_started_rows(const struct snapshot *s, struct plan *plan, uint32_t slot, struct why *out)
{
	int64_t procs = job_procs(&snapshot_jobs(s)[slot]);

	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		struct check *c = &out->check[g];

		c->ok = true;
		if (gate_rows[g].in_pass)
			c->reason = (struct reason){
				.gate = (uint8_t)g, .value = procs, .limit = procs, .until_s = TIME_NEVER};
		else if (g == GATE_ACTIVE_HARD || g == GATE_ACTIVE_SOFT)
			c->ok = cycle_gate_at_start(plan->cycle, slot, (enum gate)g, &c->reason);
		else
			continue;
		explain_check(c, s, plan->now_s);
	}
	out->first = GATE_NONE;
}

/* Sets the checks of a job that would start if the scheduler were not paused. */
static void only_halted(const struct snapshot *s, struct plan *plan, uint32_t slot, struct why *out)
{
	struct check *c = &out->check[GATE_HALT];

	set_started_rows(s, plan, slot, out);
	c->ok = false;
	c->reason = plan->reason[slot];
	explain_check(c, s, plan->now_s);
	out->first = GATE_HALT;
}

/* Sets the estimated start and the clear time. A reason without a known time clears when the job starts. */
static void set_dates(struct why *out, int64_t start_s)
{
	out->estimated_s = start_s;
	if (out->first != GATE_NONE)
		out->clears_s = out->check[out->first].reason.until_s;
	if (out->clears_s == TIME_NEVER && (gate_rows[out->first].in_pass || out->first == GATE_ARRAY))
		out->clears_s = start_s;
}

void explain_planned(const struct snapshot *s, uint32_t slot, struct plan *plan, struct why *out)
{
	struct explain_lead lead =
		explain_lead(s, plan, slot, TIME_NEVER, never_of(&(struct never){0}, slot));

	*out = (struct why){.clears_s = TIME_NEVER,
			    .estimated_s = TIME_NEVER,
			    .verdict = lead.verdict,
			    .lead = lead.reason};
	if (lead.verdict == VERDICT_RUNS) {
		for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
			out->check[g] =
				(struct check){.gate = (enum gate)g, .ok = true, .value = "-", .limit = "-"};
		return;
	}
	check_all(plan, s, slot, out);
	if (lead.verdict == VERDICT_STARTS_NOW)
		set_started_rows(s, plan, slot, out);
	else if (lead.reason.gate == GATE_HALT)
		only_halted(s, plan, slot, out);
	if (lead.verdict != VERDICT_NEVER)
		set_dates(out, plan->start_s[slot]);
}

void explain_dated(struct why *why, const struct snapshot *s, const struct future_start *start,
		   struct explain_lead lead)
{
	if (why->verdict == VERDICT_RUNS)
		return;
	why->verdict = lead.verdict;
	why->lead = lead.reason;
	why->clears_s = why->estimated_s = TIME_NEVER;
	if (why->verdict == VERDICT_NEVER ||
	    (start->start_s == TIME_NEVER && start->tier == FUTURE_FULL && !snapshot_is_halted(s)))
		return;
	set_dates(why, start->start_s);
}

void explain_why(const struct snapshot *s, uint32_t slot, int64_t now_s, struct plan *plan, struct why *out)
{
	plan_build(plan, s, now_s);
	explain_planned(s, slot, plan, out);
}
