/* SPDX-License-Identifier: MIT */
/*
 * explain.c - reasons in words: the only place where a reason becomes a sentence
 */
#include "explain.h"

#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

/* What people call the other job of a reason. */
static const char *other_label(const struct snapshot *s, const struct reason *reason,
			       char buf[static JOB_LABEL_TEXT])
{
	uint32_t slot = reason->other == 0 ? INDEX_NONE : snapshot_find_job(s, reason->other);

	if (slot == INDEX_NONE)
		return "another job";
	return snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

/* --- a few words -------------------------------------------------------------------------- */

void explain_short(const struct snapshot *s, const struct reason *reason, struct str *out)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	switch ((enum gate)reason->gate) {
	case GATE_NONE:
		str_add(out, "starts now");
		break;
	case GATE_HOLD:
		str_addf(out, "held (%s)", job_hold_names((unsigned)reason->value));
		break;
	case GATE_START_DATE:
		str_addf(out, "not before %s", moment_short(when, reason->until_s, reason->value));
		break;
	case GATE_FEASIBLE:
		str_addf(out, "never: %lld of %lld procs", (long long)reason->value,
			 (long long)reason->limit);
		break;
	case GATE_NEGATIVE:
		str_addf(out, "priority %lld < 0", (long long)reason->value);
		break;
	case GATE_RESOURCES:
		str_addf(out, "%lld proc%s short", (long long)(reason->value - reason->limit),
			 reason->value - reason->limit == 1 ? "" : "s");
		break;
	case GATE_RESERVATIONS:
		if (reason->other == 0)
			str_add(out, "promised a later start");
		else
			str_addf(out, "would delay %s", other_label(s, reason, label));
		break;
	case GATE_ORDER:
		str_addf(out, "behind %s", other_label(s, reason, label));
		break;
	case GATE_COUNT:
		break;
	}
}

/* --- a sentence ----------------------------------------------------------------------------- */

static void say_resources(const struct job *job, const struct reason *reason, struct str *out)
{
	(void)job;
	str_addf(out, "needs %lld processors and %lld are free: %lld short", (long long)reason->value,
		 (long long)reason->limit, (long long)(reason->value - reason->limit));
}

static void say_reservations(const struct snapshot *s, const struct job *job, const struct reason *reason,
			     int64_t now_s, struct str *out)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT], limit[DURATION_TEXT];

	moment_short(when, reason->until_s, now_s);
	if (reason->other == 0) {
		str_addf(out, "has a reservation that begins at %s and moves up when a job ends", when);
		return;
	}
	str_addf(out,
		 "would run %s into the reservation of job %s at %s, which leaves it %lld of its %lld "
		 "processors",
		 duration_text(limit, job->wall_limit_s), other_label(s, reason, label), when,
		 (long long)reason->limit, (long long)reason->value);
}

void explain_predicate(const struct snapshot *s, const struct job *job, const struct reason *reason,
		       int64_t now_s, struct str *out)
{
	char other[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	switch ((enum gate)reason->gate) {
	case GATE_NONE:
		if (job->state == JOB_RUNNING)
			str_addf(out, "runs since %s", moment_short(when, job->start_s, now_s));
		else
			str_add(out, "starts at the next pass");
		break;
	case GATE_HOLD:
		str_addf(out, "is held (%s); it can start only after a release",
			 job_hold_names((unsigned)reason->value));
		break;
	case GATE_START_DATE:
		str_addf(out, "asked not to start before %s", moment_short(when, reason->until_s, now_s));
		break;
	case GATE_FEASIBLE:
		str_addf(out, "never starts: it asks for %lld processors", (long long)reason->value);
		if (job->task_procs > 1)
			str_addf(out, ", %u on a node,", job->task_procs);
		str_addf(out, " and the machine has %lld", (long long)reason->limit);
		break;
	case GATE_NEGATIVE:
		str_addf(out,
			 "has priority %lld and REJECTNEGPRIOJOBS keeps negative priorities from starting",
			 (long long)reason->value);
		break;
	case GATE_RESOURCES:
		say_resources(job, reason, out);
		break;
	case GATE_RESERVATIONS:
		say_reservations(s, job, reason, now_s, out);
		break;
	case GATE_ORDER:
		str_addf(out, "waits for job %s, which is before it and does not fit yet; backfill is off",
			 other_label(s, reason, other));
		break;
	case GATE_COUNT:
		break;
	}
	str_add(out, ".");
}

void explain_sentence(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_addf(out, "Job %s ", snapshot_job_label(s, job, label));
	explain_predicate(s, job, reason, now_s, out);
}

/* --- the check list ----------------------------------------------------------------------------- */

static const char *const verdict_names[] = {"runs", "starts-now", "not-now", "never", "held"};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

static void print_until(struct check *c, const struct snapshot *s, int64_t now_s)
{
	char when[MOMENT_TEXT], label[JOB_LABEL_TEXT];

	if (c->ok)
		snprintf(c->value, sizeof c->value, "no reservation is delayed");
	else if (c->reason.other == 0)
		snprintf(c->value, sizeof c->value, "its own begins %s",
			 moment_short(when, c->reason.until_s, now_s));
	else
		snprintf(c->value, sizeof c->value, "%lld free from %s on (job %s)",
			 (long long)c->reason.limit, moment_short(when, c->reason.until_s, now_s),
			 other_label(s, &c->reason, label));
	snprintf(c->limit, sizeof c->limit, ">= %lld", (long long)c->reason.value);
}

/* What was found and against what, for one row of the list. */
static void print_check(struct check *c, const struct snapshot *s, int64_t now_s)
{
	char when[MOMENT_TEXT], label[JOB_LABEL_TEXT];

	snprintf(c->limit, sizeof c->limit, "-");
	switch (c->gate) {
	case GATE_HOLD:
		snprintf(c->value, sizeof c->value, "%s", job_hold_names((unsigned)c->reason.value));
		break;
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
	case GATE_RESERVATIONS:
		print_until(c, s, now_s);
		break;
	case GATE_ORDER:
		snprintf(c->value, sizeof c->value, "%s",
			 c->ok ? "none ahead" : other_label(s, &c->reason, label));
		break;
	case GATE_NONE:
	case GATE_COUNT:
		break;
	}
}

static enum verdict judge(const struct why *why)
{
	if (!why->check[GATE_FEASIBLE].ok)
		return VERDICT_NEVER;
	switch (why->first) {
	case GATE_NONE:
		return VERDICT_STARTS_NOW;
	case GATE_HOLD:
		return VERDICT_HELD;
	default:
		return VERDICT_NOT_NOW;
	}
}

static void check_all(struct plan *plan, const struct snapshot *s, uint32_t slot, struct why *out)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		struct check *c = &out->check[g];

		*c = (struct check){.gate = (enum gate)g, .known = true};
		c->ok = cycle_gate(plan->cycle, slot, (enum gate)g, &c->reason);
		print_check(c, s, plan->now_s);
		if (!c->ok && out->first == GATE_NONE)
			out->first = (enum gate)g;
	}
}

/* A job the pass starts has taken what it needs: its own rows would count it twice. */
static void pass_rows_ok(const struct snapshot *s, struct plan *plan, uint32_t slot, struct why *out)
{
	int64_t procs = job_procs(&snapshot_jobs(s)[slot]);

	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		struct check *c = &out->check[g];

		if (!gate_rows[g].in_pass)
			continue;
		c->ok = true;
		c->reason = (struct reason){
			.gate = (uint8_t)g, .value = procs, .limit = procs, .until_s = TIME_NEVER};
		print_check(c, s, plan->now_s);
	}
	out->first = GATE_NONE;
}

void explain_planned(const struct snapshot *s, uint32_t slot, struct plan *plan, struct why *out)
{
	*out = (struct why){.clears_s = TIME_NEVER, .estimated_s = TIME_NEVER};
	if (snapshot_jobs(s)[slot].state == JOB_RUNNING) {
		out->verdict = VERDICT_RUNS;
		for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
			out->check[g] =
				(struct check){.gate = (enum gate)g, .ok = true, .value = "-", .limit = "-"};
		return;
	}
	check_all(plan, s, slot, out);
	if (plan->reason[slot].gate == GATE_NONE && plan->start_s[slot] == plan->now_s)
		pass_rows_ok(s, plan, slot, out);
	out->verdict = judge(out);
	out->estimated_s = plan->start_s[slot];
	if (out->first != GATE_NONE)
		out->clears_s = out->check[out->first].reason.until_s;
	if (out->clears_s == TIME_NEVER && out->first != GATE_NONE && gate_rows[out->first].in_pass)
		out->clears_s = out->estimated_s;
}

void explain_why(const struct snapshot *s, uint32_t slot, int64_t now_s, struct plan *plan, struct why *out)
{
	plan_build(plan, s, now_s);
	explain_planned(s, slot, plan, out);
}
