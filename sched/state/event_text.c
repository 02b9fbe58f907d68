/* SPDX-License-Identifier: MIT */
/*
 * event_text.c - descriptions of events, as shown in the journal
 */
#include "event.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

#define JOB_NUMBER_TEXT 24

static void describe_priority(const struct event *ev, const char *job, struct str *out)
{
	if (ev->priority.adjust == JOB_ADJUST_NONE)
		str_addf(out, "reset priority of %s to the computed value", job);
	else
		str_addf(out,
			 ev->priority.adjust == JOB_ADJUST_RELATIVE ? "change priority of %s by %+lld"
								    : "set priority of %s = %lld",
			 job, (long long)ev->priority.points);
}

static void describe_job(const struct event *ev, struct str *out)
{
	const struct job *job = &ev->submit.job;
	char limit[DURATION_TEXT];

	str_addf(out, "%s %llu", ev->kind == EVENT_DESCRIBE ? "describe" : "submit",
		 (unsigned long long)ev->job);
	if (ev->submit.range_count > 0)
		str_addf(out, "[], %u tasks", job_record_tasks(&ev->submit));
	str_addf(out, ": %lld processor%s", (long long)job_procs(job), job_procs(job) == 1 ? "" : "s");
	if (job->wall_limit_s > 0) /* otherwise it is the default of the class or of the site */
		str_addf(out, " for %s", duration_text(limit, job->wall_limit_s));
	str_addf(out, ", user %s", ev->submit.cred[CRED_USER] == NULL ? "none" : ev->submit.cred[CRED_USER]);
}

static void describe_plan(const struct event *ev, const char *job, moment_clock *clock, struct str *out)
{
	char when[MOMENT_TEXT];

	if (ev->plan.start_s == TIME_NEVER)
		str_addf(out, "reservation of %s dropped", job);
	else
		str_addf(out, "reservation of %s at %s", job,
			 moment_iso(when, moment_by(clock, ev->plan.start_s)));
}

static void add_reason(const char *reason, struct str *out)
{
	if (reason != NULL && reason[0] != '\0')
		str_addf(out, ": %s", reason);
}

static void describe_end(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "end %s, ", job);
	if (ev->end.lost)
		str_add(out, "status unknown");
	else
		str_addf(out, "status %d", (int)ev->end.status);
	if (ev->end.at_limit)
		str_add(out, ", at its wallclock limit");
	add_reason(ev->end.why, out);
}

static void describe_defer(const struct event *ev, const char *job, moment_clock *clock, struct str *out)
{
	char when[MOMENT_TEXT];

	str_addf(out, ev->defer.failed_start ? "start of %s failed, " : "%s ", job);
	if (ev->defer.until_s == TIME_NONE)
		str_add(out, ev->defer.failed_start ? "it is idle again" : "is no longer deferred");
	else if (ev->defer.retry)
		str_addf(out, "retried at %s", moment_iso(when, moment_by(clock, ev->defer.until_s)));
	else
		str_addf(out, "deferred until %s", moment_iso(when, moment_by(clock, ev->defer.until_s)));
	add_reason(ev->defer.reason, out);
}

static void describe_order(const struct event *ev, const char *job, struct str *out)
{
	if (ev->order.nodes == NULL)
		str_addf(out, "no order of nodes for %s", job);
	else
		str_addf(out, "nodes for %s: %s", job, ev->order.nodes);
}

/* Values that are not measured are omitted. */
static void describe_load(const struct event *ev, struct str *out)
{
	const struct node_used *used = &ev->load.used;

	str_addf(out, "node %s:", ev->load.node);
	if (used->load >= 0) {
		str_add(out, " load ");
		str_add_real(out, used->load);
	}
	if (used->procs >= 0) {
		str_add(out, " processors ");
		str_add_real(out, used->procs);
	}
	if (used->mem_mb >= 0)
		str_addf(out, " memory %lld MB", (long long)used->mem_mb);
	if (used->swap_mb >= 0)
		str_addf(out, " swap %lld MB", (long long)used->swap_mb);
	if (used->disk_mb >= 0)
		str_addf(out, " disk %lld MB", (long long)used->disk_mb);
	if (ev->load.by != NULL)
		str_addf(out, ", mostly by %s", ev->load.by);
}

/* The name of the signal if it has one, otherwise its number. */
static void describe_signal(const struct event *ev, const char *job, struct str *out)
{
	const char *name = sigabbrev_np(ev->signal.number);

	if (name != NULL)
		str_addf(out, "signal %s to %s", name, job);
	else
		str_addf(out, "signal %u to %s", ev->signal.number, job);
}

static void describe_reserve(const struct event *ev, moment_clock *clock, struct str *out)
{
	char from[MOMENT_TEXT], to[MOMENT_TEXT];
	bool has_name = ev->reserve.name != NULL && ev->reserve.name[0] != '\0';
	struct advance_text a;

	str_add(out, "reserve");
	if (has_name)
		str_addf(out, " %s", ev->reserve.name);
	if (!advance_read(ev->reserve.text, &a, NULL))
		return;
	str_add(out, has_name ? ": " : " ");
	advance_say_places(&a, out);
	str_add(out, " for ");
	advance_say_guests(&a, out);
	str_addf(out, " from %s", moment_iso(from, moment_by(clock, a.begin_s)));
	if (a.end_s != TIME_NEVER)
		str_addf(out, " to %s", moment_iso(to, moment_by(clock, a.end_s)));
	add_reason(a.reason, out);
	advance_text_free(&a);
}

const char *event_value_text(const char *name, const char *value, int64_t now_s, moment_clock *clock,
			     char buf[static MOMENT_TEXT])
{
	int64_t date_s;

	if (strcmp(name, "starttime") != 0 || !moment_parse(value, now_s, &date_s, NULL))
		return value;
	return moment_iso(buf, moment_by(clock, date_s));
}

static void describe_modify(const struct event *ev, const char *job, moment_clock *clock, struct str *out)
{
	char when[MOMENT_TEXT];

	str_addf(out, "modify %s: %s = %s", job, ev->modify.name,
		 event_value_text(ev->modify.name, ev->modify.value, ev->time_s, clock, when));
}

static void describe_halt(const struct event *ev, struct str *out)
{
	if (!ev->halt.on)
		str_add(out, "the scheduler resumes");
	else if (ev->halt.after == 0)
		str_add(out, "the scheduler is paused");
	else
		str_addf(out, "the scheduler pauses after %u more pass%s", ev->halt.after,
			 ev->halt.after == 1 ? "" : "es");
}

static void describe_suspend(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "%s %s%s", ev->suspend.on ? "suspend" : "resume", job,
		 (ev->suspend.how & SUSPEND_RELEASE) != 0   ? " and release its processors"
		 : (ev->suspend.how & SUSPEND_RESUMED) != 0 ? ", because its processors are free"
							    : "");
}

static void describe_accrual(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "queue time of %s", job);
	if (ev->accrual.more_count > 0)
		str_addf(out, " and of %u more jobs", ev->accrual.more_count);
	str_addf(out, " %s", ev->accrual.on ? "accrues again" : "stops");
}

static void describe_eligible(const struct event *ev, const char *job, struct str *out)
{
	str_add(out, job);
	if (ev->eligible.more_count > 0)
		str_addf(out, " and %u more jobs are", ev->eligible.more_count);
	else
		str_add(out, " is");
	str_addf(out, " %s eligible", ev->eligible.on ? "now" : "no longer");
}

static void describe_clock(const struct event *ev, moment_clock *clock, struct str *out)
{
	int64_t by_s = ev->clock.by_s;
	char text[DURATION_TEXT], when[MOMENT_TEXT];

	str_addf(out, "the system clock was set %s by %s, from %s", by_s < 0 ? "back" : "forward",
		 duration_text(text, by_s < 0 ? -by_s : by_s),
		 moment_iso(when, moment_by(clock, ev->time_s - by_s)));
}

static void describe_hold(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "%s %s %s", ev->hold.on ? "hold" : "release", job_hold_names(ev->hold.bits), job);
	add_reason(ev->hold.reason, out);
}

static void describe_usage(const struct event *ev, moment_clock *clock, struct str *out)
{
	char when[MOMENT_TEXT];

	str_addf(out, "fairshare usage of %s: %u credentials",
		 moment_iso(when, moment_by(clock, ev->usage.begin_s)), ev->usage.count);
}

static void describe_start(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "start %s", job);
	if (ev->start.backfilled)
		str_add(out, " (backfilled)");
	else if (ev->start.reported)
		str_add(out, " (by the resource manager)");
}

static void describe_cancel(const struct event *ev, const char *job, struct str *out)
{
	str_addf(out, "%s %s", ev->cancel.depends ? "drop" : "cancel", job);
	add_reason(ev->cancel.cause, out);
}

static void describe_fault(const struct event *ev, struct str *out)
{
	str_add(out, ev->fault.text != NULL ? ev->fault.text : "the resource manager can be read again");
}

static void describe(const struct event *ev, const char *job, moment_clock *clock, struct str *out)
{
	switch (ev->kind) {
	case EVENT_CONFIG:
		str_addf(out, "configuration read from %s", ev->config.file);
		break;
	case EVENT_NODE:
		str_addf(out, "node %s: %u processors", ev->node.name, ev->node.procs);
		break;
	case EVENT_SIM:
		str_addf(out, "simulated workload at job %llu", (unsigned long long)ev->sim.next_index);
		break;
	case EVENT_SUBMIT:
	case EVENT_DESCRIBE:
		describe_job(ev, out);
		break;
	case EVENT_START:
		describe_start(ev, job, out);
		break;
	case EVENT_END:
		describe_end(ev, job, out);
		break;
	case EVENT_HOLD:
		describe_hold(ev, job, out);
		break;
	case EVENT_PRIORITY:
		describe_priority(ev, job, out);
		break;
	case EVENT_SETTING:
		str_addf(out, "set %s = %s", ev->setting.name, ev->setting.value);
		break;
	case EVENT_KEEP:
		str_addf(out, "keep %llu", (unsigned long long)ev->keep.seq);
		break;
	case EVENT_UNDO:
		str_addf(out, "undo %llu", (unsigned long long)ev->undo.seq);
		break;
	case EVENT_PLAN:
		describe_plan(ev, job, clock, out);
		break;
	case EVENT_ACCRUAL:
		describe_accrual(ev, job, out);
		break;
	case EVENT_ELIGIBLE:
		describe_eligible(ev, job, out);
		break;
	case EVENT_BYPASS:
		str_addf(out, "backfill bypassed %u jobs", ev->bypass.count);
		break;
	case EVENT_PASS:
		str_add(out, "reservations moved up after job ends");
		break;
	case EVENT_CANCEL:
		describe_cancel(ev, job, out);
		break;
	case EVENT_DEFER:
		describe_defer(ev, job, clock, out);
		break;
	case EVENT_MODIFY:
		describe_modify(ev, job, clock, out);
		break;
	case EVENT_USAGE:
		describe_usage(ev, clock, out);
		break;
	case EVENT_USED:
		str_addf(out, "%s has used %lld processor-seconds", job, (long long)ev->used.ps);
		break;
	case EVENT_LOAD:
		describe_load(ev, out);
		break;
	case EVENT_ORDER:
		describe_order(ev, job, out);
		break;
	case EVENT_SUSPEND:
		describe_suspend(ev, job, out);
		break;
	case EVENT_REQUEUE:
		str_addf(out, "requeue %s", job);
		break;
	case EVENT_SIGNAL:
		describe_signal(ev, job, out);
		break;
	case EVENT_HALT:
		describe_halt(ev, out);
		break;
	case EVENT_CLOCK:
		describe_clock(ev, clock, out);
		break;
	case EVENT_RESERVE:
		describe_reserve(ev, clock, out);
		break;
	case EVENT_UNRESERVE:
		str_addf(out, "release reservation %s", ev->reserve.name == NULL ? "" : ev->reserve.name);
		break;
	case EVENT_FAULT:
		describe_fault(ev, out);
		break;
	case EVENT_KIND_COUNT:
		break;
	}
}

void event_describe_as(const struct event *ev, const char *job, moment_clock *clock, struct str *out)
{
	char text[DURATION_TEXT], number[JOB_NUMBER_TEXT];

	if (job == NULL) {
		snprintf(number, sizeof number, "%llu", (unsigned long long)ev->job);
		job = number;
	}
	describe(ev, job, clock, out);
	if (ev->until_s > ev->time_s)
		str_addf(out, " for %s", duration_text(text, ev->until_s - ev->time_s));
	add_reason(ev->why, out);
}

void event_describe(const struct event *ev, moment_clock *clock, struct str *out)
{
	event_describe_as(ev, NULL, clock, out);
}
