/* SPDX-License-Identifier: MIT */
/*
 * event_pass.c - what does the scheduler itself change: plans, counts, defers?
 */
#include "event_inside.h"
#include "sched/base/str.h"

static bool check_waiting_job(const struct state *st, uint64_t id, struct err *err)
{
	uint32_t slot = state_find(st, id);

	if (slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != JOB_IDLE)
		return err_set(err, "job %llu does not wait", (unsigned long long)id);
	return true;
}

bool event_check_waits(const struct state *st, const struct event *ev, struct err *err)
{
	return check_waiting_job(st, ev->job, err);
}

bool event_check_plan(const struct state *st, const struct event *ev, struct err *err)
{
	if (!check_waiting_job(st, ev->job, err))
		return false;
	if (ev->plan.count == 0)
		return true;
	if (ev->plan.start_s == TIME_NEVER)
		return err_set(err, "nodes were named for job %llu, and no start",
			       (unsigned long long)ev->job);
	return state_check_named(st, &snapshot_jobs(state_view(st))[state_find(st, ev->job)], ev->plan.runs,
				 ev->plan.count, err);
}

void event_apply_plan(struct state *st, const struct event *ev)
{
	state_plan_job(st, state_find(st, ev->job), ev->plan.start_s, ev->plan.runs, ev->plan.count);
}

/* --- what is said of many jobs at once ---------------------------------------------------------- */

static bool check_switched(const struct state *st, const struct event *ev, const struct switched *what,
			   struct err *err)
{
	bool good = check_waiting_job(st, ev->job, err);

	for (uint32_t i = 0; good && i < what->more_count; i++)
		good = check_waiting_job(st, what->more[i], err);
	return good;
}

bool event_check_accrual(const struct state *st, const struct event *ev, struct err *err)
{
	return check_switched(st, ev, &ev->accrual, err);
}

bool event_check_eligible(const struct state *st, const struct event *ev, struct err *err)
{
	return check_switched(st, ev, &ev->eligible, err);
}

static void set_flag(struct state *st, uint64_t id, uint8_t flag, bool on)
{
	uint32_t slot = state_find(st, id);
	struct job job = *state_job(st, slot);

	job.flags = on ? job.flags | flag : job.flags & (uint8_t)~flag;
	state_edit_waiting(st, slot, &job);
}

/* When queue time stops soon after it resumed, accrual_s records since when it has been stopped (cycle.c). */
static void switch_accrual(struct state *st, uint64_t id, bool on, int64_t now_s)
{
	struct job *job = state_job(st, state_find(st, id));

	set_flag(st, id, JOB_ACCRUAL_PAUSED, !on);
	if (on || (job->accrual_s > job->submit_s &&
		   now_s - job->accrual_s < state_view(st)->policy.poll_interval_s))
		job->accrual_s = now_s;
}

void event_apply_accrual(struct state *st, const struct event *ev)
{
	switch_accrual(st, ev->job, ev->accrual.on, ev->time_s);
	for (uint32_t i = 0; i < ev->accrual.more_count; i++)
		switch_accrual(st, ev->accrual.more[i], ev->accrual.on, ev->time_s);
}

void event_apply_eligible(struct state *st, const struct event *ev)
{
	set_flag(st, ev->job, JOB_ELIGIBLE, ev->eligible.on);
	for (uint32_t i = 0; i < ev->eligible.more_count; i++)
		set_flag(st, ev->eligible.more[i], JOB_ELIGIBLE, ev->eligible.on);
}

/* --- the others --------------------------------------------------------------------------------- */

bool event_check_bypass(const struct state *st, const struct event *ev, struct err *err)
{
	for (uint32_t i = 0; i < ev->bypass.count; i++)
		if (!check_waiting_job(st, ev->bypass.item[i].job, err))
			return false;
	return true;
}

void event_apply_bypass(struct state *st, const struct event *ev)
{
	for (uint32_t i = 0; i < ev->bypass.count; i++)
		state_job(st, state_find(st, ev->bypass.item[i].job))->bypass += ev->bypass.item[i].by;
}

void event_apply_pass(struct state *st, const struct event *ev)
{
	(void)ev;
	state_header(st)->ends_pending = 0;
}

static void set_order(struct job *job, struct state *st, const char *order)
{
	state_waste_string(st, job->order);
	job->order = state_add_string(st, order);
}

void event_apply_order(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job job = *state_job(st, slot);
	bool answered = ev->order.nodes != NULL && ev->order.nodes[0] != '\0';

	set_order(&job, st, answered ? ev->order.nodes : JOB_NO_ANSWER);
	state_edit_waiting(st, slot, &job);
}

/* --- defers -------------------------------------------------------------------------------- */

static bool check_failed_start(const struct state *st, uint64_t id, struct err *err)
{
	uint32_t slot = state_find(st, id);
	const struct job *job = &snapshot_jobs(state_view(st))[slot == INDEX_NONE ? 0 : slot];

	if (slot == INDEX_NONE || job->state != JOB_RUNNING)
		return err_set(err, "job %llu was not started, so its start cannot have failed",
			       (unsigned long long)id);
	return (job->flags & JOB_CANCELLED) == 0 ||
	       err_set(err, "job %llu was cancelled: that its start failed is its end",
		       (unsigned long long)id);
}

bool event_check_defer(const struct state *st, const struct event *ev, struct err *err)
{
	unsigned long long id = ev->job;

	if (!(ev->defer.failed_start ? check_failed_start : check_waiting_job)(st, ev->job, err))
		return false;
	if (ev->defer.retry && (!ev->defer.failed_start || ev->defer.until_s == TIME_NONE))
		return err_set(err, "job %llu is retried without a failed start, or without a moment", id);
	if (ev->defer.until_s != TIME_NONE)
		return ev->defer.until_s >= ev->time_s ||
		       err_set(err, "job %llu cannot be deferred until a moment that is past", id);
	return ev->defer.failed_start ||
	       snapshot_jobs(state_view(st))[state_find(st, ev->job)].defer_until_s != TIME_NONE ||
	       err_set(err, "job %llu is not deferred", id);
}

/* After so many defers the scheduler holds the job: somebody has to look. The hold stands among the changes,
 * so that those made before it do not release it. */
static void hold_after_defers(struct state *st, const struct event *ev, const struct job *job)
{
	struct change hold = {
		.seq = ev->seq, .job = job->id, .kind = CHANGE_HOLD, .number = JOB_HOLD_BATCH, .on = 1};
	struct str why = {0};

	if (job->defer_count <= state_view(st)->policy.defer_count || (job->holds & JOB_HOLD_BATCH) != 0)
		return;
	str_addf(&why, HOLD_AFTER_DEFERS "%u times%s%s", job->defer_count,
		 ev->defer.reason == NULL ? "" : ", at last: ",
		 ev->defer.reason == NULL ? "" : ev->defer.reason);
	state_add_change(st, &hold, NULL, str_text(&why), ev->time_s);
	str_free(&why);
}

/* Queue time begins again when the defer ends. */
static void defer(struct state *st, struct job *job, const struct event *ev)
{
	state_wipe_string(st, job->base_reason);
	job->base_reason = state_add_string(st, ev->defer.reason);
	job->defer_until_s = job->accrual_s = ev->defer.until_s;
	job->defer_count++;
	job->retries = 0;
}

/* Nothing is wrong with the job: it keeps its queue time, and the start is not counted as failed. */
static void retry(struct state *st, struct job *job, const struct event *ev)
{
	state_wipe_string(st, job->base_reason);
	job->base_reason = state_add_string(st, ev->defer.reason);
	job->defer_until_s = ev->defer.until_s;
	if (job->retries < JOB_RETRIES_MAX)
		job->retries++;
}

/* Its user may have made it fail, and late: by a signal, or by a file system that PAM or the kernel waits
 * for. */
bool event_charges_start(const struct event *ev)
{
	return ev->kind == EVENT_DEFER && ev->defer.failed_start && ev->defer.until_s != TIME_NONE;
}

void event_apply_defer(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job job;

	if (event_charges_start(ev))
		state_charge_job(st, slot, ev->time_s);
	if (ev->defer.failed_start)
		state_return_job(st, slot, ev->time_s);
	job = *state_job(st, slot);
	if (ev->defer.retry) {
		retry(st, &job, ev);
	} else if (ev->defer.until_s != TIME_NONE) {
		defer(st, &job, ev);
	} else if (job.defer_until_s != TIME_NONE) {
		if (!job_is_retried(&job))
			job.accrual_s = ev->time_s;
		job.defer_until_s = TIME_NONE;
	}
	state_edit_waiting(st, slot, &job);
	if (ev->defer.until_s != TIME_NONE && !ev->defer.retry)
		hold_after_defers(st, ev, &job);
	state_note_reason(st, slot);
}
