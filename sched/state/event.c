/* SPDX-License-Identifier: MIT */
/*
 * event.c - the kinds of events: which exist, when each is allowed, and what it does
 *
 * One row per kind: check returns a reason why the event is not allowed; after a successful check apply
 * cannot fail. A new kind needs a row here, its text in event_text.c and its fields in stored_field.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "event_inside.h"
#include "sched/base/duration.h"
#include "state_inside.h"

uint32_t event_job_slot(const struct state *st, const struct event *ev, enum job_action action,
			const char *what, struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = state_find(st, ev->job);
	const struct job *job = &snapshot_jobs(s)[slot == INDEX_NONE ? 0 : slot];
	char label[JOB_LABEL_TEXT], since[DURATION_TEXT];

	if (slot == INDEX_NONE)
		err_set(err, "job %llu is not in the queue: it does not exist or has ended",
			(unsigned long long)ev->job);
	else if (job_next((enum job_state)job->state, action) != JOB_STATE_COUNT)
		return slot;
	else if (job->state == JOB_RUNNING)
		err_set(err, "job %s has run for %s; %s applies only to idle jobs",
			snapshot_job_label(s, job, label), duration_text(since, ev->time_s - job->start_s),
			what);
	else
		err_set(err, "job %s is %s; %s does not apply", snapshot_job_label(s, job, label),
			job_state_name((enum job_state)job->state), what);
	return INDEX_NONE;
}

/* --- the site: configuration, nodes, clock ------------------------------------------------------------ */

bool event_check_config(const struct state *st, const struct event *ev, struct err *err)
{
	struct state *copy = state_from_snapshot(state_view(st));
	bool ok = state_set_config(copy, ev->config.file, ev->config.text, err);

	state_free(copy);
	return ok;
}

void event_apply_config(struct state *st, const struct event *ev)
{
	state_set_config(st, ev->config.file, ev->config.text, NULL);
}

bool event_check_node(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_report(st, &ev->node, err);
}

void event_apply_node(struct state *st, const struct event *ev)
{
	state_report_node(st, &ev->node);
}

bool event_check_load(const struct state *st, const struct event *ev, struct err *err)
{
	const char *name = ev->load.node == NULL ? "" : ev->load.node;

	if (state_find_node(st, name) == INDEX_NONE)
		return err_set(err, "the load of an unknown node %s was reported", name);
	return (isfinite(ev->load.used.load) && isfinite(ev->load.used.procs)) ||
	       err_set(err, "the reported load of node %s is not a number", name);
}

void event_apply_load(struct state *st, const struct event *ev)
{
	state_set_load(st, state_find_node(st, ev->load.node), &ev->load.used, ev->load.by);
}

bool event_check_usage(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_usage(st, &ev->usage, err);
}

void event_apply_usage(struct state *st, const struct event *ev)
{
	state_set_usage(st, &ev->usage);
}

/* Checks the time at which the clock was set: by the old clock, it must not be before the previous event. */
bool event_check_clock(const struct state *st, const struct event *ev, struct err *err)
{
	int64_t now_s = state_view(st)->now_s, by_s = ev->clock.by_s;
	char back[DURATION_TEXT];

	if (by_s == 0 || by_s > EVENT_CLOCK_MOST || by_s < -EVENT_CLOCK_MOST)
		return err_set(err, "the clock cannot be set by %lld seconds", (long long)by_s);
	if (now_s == TIME_NONE || now_s + by_s <= ev->time_s)
		return true;
	return err_set(err,
		       "the clock was set by %lld seconds, from a time that is %s before the previous event",
		       (long long)by_s, duration_text(back, now_s + by_s - ev->time_s));
}

void event_apply_clock(struct state *st, const struct event *ev)
{
	state_set_clock(st, ev->time_s, ev->clock.by_s);
	if (ev->clock.by_s < 0)
		state_header(st)->set_back = ev->seq;
}

/* Is the event the scheduler's own countdown before a pause? Such an event leaves no change. */
static bool is_counted_down(const struct event *ev)
{
	return ev->who != NULL && strcmp(ev->who, "sched") == 0;
}

void event_apply_halt(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_HALT);

	if (is_counted_down(ev)) {
		state_count_halt(st, ev->halt.on, ev->halt.after);
		return;
	}
	change.on = ev->halt.on;
	change.number = ev->halt.on ? ev->halt.after : 0;
	state_add_change(st, &change, NULL, NULL, ev->time_s);
}

bool event_counts_pass(const struct snapshot *s, struct event *ev)
{
	if (s->halted == 0 || s->halt_after == 0)
		return false;
	ev->kind = EVENT_HALT;
	ev->job = 0;
	ev->halt.on = true;
	ev->halt.after = s->halt_after - 1;
	return true;
}

void event_apply_sim(struct state *st, const struct event *ev)
{
	state_header(st)->sim = ev->sim;
}

/* --- jobs from submission to end ---------------------------------------------------------------------- */

#define STATUS_STOPPED (256 + 15) /* ended by SIGTERM */

/*
 * Submissions with a given ID come from a log or a journal, which contains each ID once. Jobs that are
 * submitted to the replay of a log get larger IDs than all jobs of the log (state_reserve_ids).
 */
bool event_check_submit(const struct state *st, const struct event *ev, struct err *err)
{
	if (ev->job != 0 && state_find(st, ev->job) != INDEX_NONE)
		return err_set(err, "job ID %llu is already in use", (unsigned long long)ev->job);
	return state_check_submission(st, &ev->submit, err);
}

void event_apply_submit(struct state *st, const struct event *ev)
{
	state_submit_job(st, &ev->submit, ev->job);
}

bool event_check_start(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_START, "a start", err);

	if (slot != INDEX_NONE && ev->start.reported)
		return (ev->start.since_s <= ev->time_s ||
			err_set(err, "job %llu was reported with a start in the future",
				(unsigned long long)ev->job)) &&
		       state_check_kept_runs(st, &snapshot_jobs(state_view(st))[slot], ev->start.runs,
					     ev->start.count, err);
	return slot != INDEX_NONE && state_check_runs(st, &snapshot_jobs(state_view(st))[slot],
						      ev->start.runs, ev->start.count, err);
}

bool event_check_describe(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = state_find(st, ev->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(st))[slot];

	if (job == NULL)
		return err_set(err, "job %llu is not in the queue and cannot be described",
			       (unsigned long long)ev->job);
	if ((job->real & JOB_REAL_LAUNCH) != 0 || (ev->submit.job.real & JOB_REAL_LAUNCH) != 0 ||
	    ev->submit.range_count > 0)
		return err_set(err, "job %llu cannot be described: it is an array, or has launch data",
			       (unsigned long long)ev->job);
	if (job->state == JOB_RUNNING)
		return ev->submit.job.wall_limit_s > 0 ||
		       err_set(err, "job %llu was described without a wallclock limit",
			       (unsigned long long)ev->job);
	return state_check_submission(st, &ev->submit, err);
}

void event_apply_describe(struct state *st, const struct event *ev)
{
	state_describe_job(st, state_find(st, ev->job), &ev->submit);
}

/* Drops the reason for the previous failed start, which names files and is out of date. Another failed start
 * sets its own reason. */
static void forget_start_reason(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);

	if (!job_has_start_reason(job))
		return;
	state_wipe_string(st, job->base_reason);
	job->base_reason = 0;
	state_note_reason(st, slot);
}

void event_apply_start(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job started;

	state_start_job(st, slot, event_start_s(ev), ev->start.runs, ev->start.count, ev->start.backfilled);
	forget_start_reason(st, slot);
	started = *state_job(st, slot);
	state_settle_depends(st, &started, JOB_STARTED);
}

bool event_check_end(const struct state *st, const struct event *ev, struct err *err)
{
	return event_job_slot(st, ev, JOB_END, "an end", err) != INDEX_NONE;
}

/*
 * Makes a job idle again. The time it ran does not count as waiting. The queue time of a requeued job
 * restarts at 0, as in Maui: with its old queue time, the job would usually start again at once.
 */
static void wait_again(struct state *st, uint32_t slot, int64_t now_s)
{
	bool asked = (state_job(st, slot)->real & JOB_REAL_AGAIN) != 0;
	int64_t ran_s = now_s - state_job(st, slot)->start_s;
	struct job job;

	state_return_job(st, slot, now_s);
	job = *state_job(st, slot);
	job.accrual_s = asked ? now_s : job.accrual_s + ran_s;
	job.used_ps = -1;
	job.retries = 0;
	job.flags &= (uint8_t)~JOB_CANCELLED;
	job.real &= (uint8_t)~JOB_REAL_AGAIN;
	state_edit_waiting(st, slot, &job);
}

bool event_ends_for_good(const struct job *job, const struct event *ev)
{
	bool again = (job->real & JOB_REAL_AGAIN) != 0 || (ev->end.lost && (job->real & JOB_REAL_RERUN) != 0);

	return !again || (job->flags & JOB_CANCELLED) != 0;
}

/*
 * Returns the time until which the job is charged. Times are whole seconds, rounded down. A real job is
 * charged for at least one second, and for one more if it was measured to hold its processors for longer than
 * from its start to its end in whole seconds. Otherwise a user could start jobs at a full second, let them
 * end just before the next full second, and be charged for nothing or for half of the usage.
 */
static int64_t charged_until(const struct job *job, const struct event *ev)
{
	int64_t span_s = ev->time_s - job->start_s;

	if (ev->end.has_used && span_s < 1)
		return job->start_s + 1;
	return ev->end.held_s > span_s ? ev->time_s + 1 : ev->time_s;
}

void event_apply_end(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job ended;

	if (ev->end.has_used)
		state_job(st, slot)->used_ps = ev->end.used_ps;
	state_charge_job(st, slot, charged_until(state_job(st, slot), ev));
	if (!event_ends_for_good(state_job(st, slot), ev)) {
		wait_again(st, slot, ev->time_s);
		return;
	}
	ended = *state_job(st, slot);
	state_end_job(st, slot, ev->time_s);
	state_settle_depends(st, &ended, ev->end.status == 0 && !ev->end.lost ? JOB_SUCCEEDED : JOB_FAILED);
}

struct event event_of_stop(uint64_t job)
{
	return (struct event){.kind = EVENT_END, .job = job, .end.status = STATUS_STOPPED};
}

bool event_check_cancel(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_CANCEL, "a cancel", err);
	const struct snapshot *s = state_view(st);
	char label[JOB_LABEL_TEXT];

	if (slot == INDEX_NONE || (snapshot_jobs(s)[slot].flags & JOB_CANCELLED) == 0)
		return slot != INDEX_NONE;
	return err_set(err, "job %s is already cancelled; it leaves the queue when its end is reported",
		       snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

/* Stores the reason for a cancellation in the job, so that the owner can read it after the job has ended. */
static void keep_reason(struct state *st, uint32_t slot, const char *why)
{
	struct job *job = state_job(st, slot);
	uint32_t reason;

	state_wipe_string(st, job->base_reason);
	reason = state_add_string(st, why); /* may move the tables */
	state_job(st, slot)->base_reason = reason;
	state_note_reason(st, slot);
}

void event_apply_cancel(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job *job = state_job(st, slot), gone;

	if (job->state == JOB_RUNNING) {
		job->flags |= JOB_CANCELLED;
		keep_reason(st, slot, ev->why);
		return;
	}
	gone = *job;
	state_end_job(st, slot, ev->time_s);
	state_settle_depends(st, &gone, JOB_NEVER_RAN);
}

/* Describes the dependency that can no longer be met, for the journal and the history. */
static void write_cause(const struct depend *depend, char cause[static EVENT_CAUSE_TEXT])
{
	static const char *const what[DEPEND_TYPE_COUNT] = {
		[DEPEND_START] = "has not started and never will",
		[DEPEND_COMPLETE] = "has not ended and never will",
		[DEPEND_OK] = "has not ended with status 0",
		[DEPEND_FAILED] = "has not failed",
	};
	char on[DEPEND_ON_TEXT];

	snprintf(cause, EVENT_CAUSE_TEXT, "it depends on %s %s, which %s",
		 depend->of == DEPEND_ON_ARRAY ? "array" : "job", job_depend_on(depend, on),
		 what[depend->type]);
}

/* Jobs are examined in the order of submission. Most depend on an earlier job, so a chain of dependencies is
 * dropped in a single traversal. */
bool event_drops(struct state *st, uint32_t *at, struct event *ev, char cause[static EVENT_CAUSE_TEXT])
{
	const struct snapshot *s = state_view(st);
	const struct depend *lost;

	if (s->policy.keep_depend_failed)
		return false;
	lost = state_next_lost(st, at);
	if (lost == NULL)
		return false;
	write_cause(lost, cause);
	ev->kind = EVENT_CANCEL;
	ev->job = snapshot_jobs(s)[snapshot_waiting(s)[*at].slot].id;
	ev->why = NULL;
	ev->until_s = 0;
	ev->cancel.depends = true;
	ev->cancel.cause = cause;
	return true;
}

/* Is the combination of suspend_how bits allowed? */
static bool is_way(const struct event *ev)
{
	const unsigned both = SUSPEND_RELEASE | SUSPEND_KEEP;

	if (!ev->suspend.on)
		return (ev->suspend.how & ~SUSPEND_RESUMED) == 0;
	return (ev->suspend.how & ~(SUSPEND_BY_OWNER | both)) == 0 && (ev->suspend.how & both) != both;
}

/* Is the job waiting for its processors, and are they free? */
static bool can_resume_now(const struct state *st, const struct event *ev, const struct job *job,
			   struct err *err)
{
	char label[JOB_LABEL_TEXT];

	if (ev->until_s != 0)
		return err_set(err, "job %s cannot be resumed temporarily",
			       snapshot_job_label(state_view(st), job, label));
	if (!job_awaits_resume(job))
		return err_set(err, "job %s is not waiting for its processors",
			       snapshot_job_label(state_view(st), job, label));
	return state_check_retake(st, job, err);
}

/*
 * Can the job be suspended? A job that is to be resumed, and only waits for its processors, counts as
 * resumed. An administrator may suspend a job that its owner has suspended, so that the owner cannot resume
 * it.
 */
static bool can_be_suspended(const struct job *job, const struct event *ev)
{
	return !job_is_suspended(job) || job_awaits_resume(job) ||
	       ((job->real & JOB_REAL_OWNER) != 0 && (ev->suspend.how & SUSPEND_BY_OWNER) == 0);
}

bool event_check_suspend(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_SUSPEND, ev->suspend.on ? "a suspend" : "a resume", err);
	const struct job *job = &snapshot_jobs(state_view(st))[slot == INDEX_NONE ? 0 : slot];
	char label[JOB_LABEL_TEXT];

	if (slot == INDEX_NONE)
		return false;
	if (!is_way(ev))
		return err_set(err, "job %s: unknown way to suspend or resume a job",
			       snapshot_job_label(state_view(st), job, label));
	if ((ev->suspend.how & SUSPEND_RESUMED) != 0)
		return can_resume_now(st, ev, job, err);
	if (ev->suspend.on ? can_be_suspended(job, ev) : job_is_suspended(job) && !job_awaits_resume(job))
		return true;
	return err_set(err, "job %s %s", snapshot_job_label(state_view(st), job, label),
		       ev->suspend.on           ? "is already suspended"
		       : job_awaits_resume(job) ? "is resumed as soon as its processors are free"
						: "is not suspended");
}

void event_apply_suspend(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_SUSPEND);
	const unsigned said = SUSPEND_RELEASE | SUSPEND_KEEP;

	if ((ev->suspend.how & SUSPEND_RESUMED) != 0) {
		state_resume_job(st, state_find(st, ev->job), ev->time_s);
		return;
	}
	change.on = ev->suspend.on;
	change.number = ev->suspend.how;
	if (ev->suspend.on && (ev->suspend.how & said) == 0 &&
	    state_view(st)->policy.site.owner_suspend == OWNER_SUSPEND_RELEASE)
		change.number |= SUSPEND_RELEASE;
	state_add_change(st, &change, NULL, NULL, ev->time_s);
}

bool event_check_requeue(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_REQUEUE, "a requeue", err);
	const struct job *job = &snapshot_jobs(state_view(st))[slot == INDEX_NONE ? 0 : slot];
	char buf[JOB_LABEL_TEXT];
	const char *label;

	if (slot == INDEX_NONE)
		return false;
	label = snapshot_job_label(state_view(st), job, buf);
	if ((job->flags & JOB_CANCELLED) != 0)
		return err_set(err, "job %s is cancelled; it cannot be requeued", label);
	return (job->real & JOB_REAL_AGAIN) == 0 ||
	       err_set(err, "job %s is already being requeued; it is idle again when its end is reported",
		       label);
}

void event_apply_requeue(struct state *st, const struct event *ev)
{
	state_job(st, state_find(st, ev->job))->real |= JOB_REAL_AGAIN;
}

bool event_check_signal(const struct state *st, const struct event *ev, struct err *err)
{
	if (ev->signal.number == 0 || ev->signal.number > EVENT_SIGNAL_MAX)
		return err_set(err, "there is no signal %u; signals are numbered from 1 to %d",
			       ev->signal.number, EVENT_SIGNAL_MAX);
	return event_job_slot(st, ev, JOB_SIGNAL, "a signal", err) != INDEX_NONE;
}

/* A signal does not change the state. If it ends the job, the end is an event of its own. */
void event_apply_signal(struct state *st, const struct event *ev)
{
	(void)st;
	(void)ev;
}

bool event_check_used(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = state_find(st, ev->job);

	if (slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != JOB_RUNNING)
		return err_set(err, "usage was reported for job %llu, which is not running",
			       (unsigned long long)ev->job);
	return ev->used.ps >= 0 ||
	       err_set(err, "job %llu was reported with negative usage", (unsigned long long)ev->job);
}

void event_apply_used(struct state *st, const struct event *ev)
{
	state_job(st, state_find(st, ev->job))->used_ps = ev->used.ps;
}

/* --- the table of kinds ------------------------------------------------------------------------------- */

static void apply_fault(struct state *st, const struct event *ev)
{
	state_set_fault(st, ev->fault.text);
}

static bool check_nothing(const struct state *st, const struct event *ev, struct err *err)
{
	(void)st;
	(void)ev;
	(void)err;
	return true;
}

static const struct event_row {
	const char *name;
	bool can_undo;
	bool frees; /* may let job reservations start earlier */
	event_checker *check;
	event_applier *apply;
} event_rows[EVENT_KIND_COUNT] = {
	[EVENT_CONFIG] = {"config", false, true, event_check_config, event_apply_config},
	[EVENT_NODE] = {"node", false, true, event_check_node, event_apply_node},
	[EVENT_SIM] = {"workload", false, false, check_nothing, event_apply_sim},
	[EVENT_SUBMIT] = {"submit", false, false, event_check_submit, event_apply_submit},
	[EVENT_START] = {"start", false, false, event_check_start, event_apply_start},
	[EVENT_END] = {"end", false, true, event_check_end, event_apply_end},
	[EVENT_HOLD] = {"hold", true, true, event_check_hold, event_apply_hold},
	[EVENT_PRIORITY] = {"priority", true, true, event_check_priority, event_apply_priority},
	[EVENT_SETTING] = {"set", true, true, event_check_setting, event_apply_setting},
	[EVENT_UNDO] = {"undo", true, true, event_check_undo, event_apply_undo},
	[EVENT_PLAN] = {"plan", false, false, event_check_plan, event_apply_plan},
	[EVENT_ACCRUAL] = {"accrual", false, false, event_check_accrual, event_apply_accrual},
	[EVENT_BYPASS] = {"bypass", false, false, event_check_bypass, event_apply_bypass},
	[EVENT_PASS] = {"pass", false, false, check_nothing, event_apply_pass},
	[EVENT_CANCEL] = {"cancel", false, true, event_check_cancel, event_apply_cancel},
	[EVENT_DEFER] = {"defer", false, true, event_check_defer, event_apply_defer},
	[EVENT_MODIFY] = {"modify", true, true, event_check_modify, event_apply_modify},
	[EVENT_USAGE] = {"usage", false, false, event_check_usage, event_apply_usage},
	[EVENT_USED] = {"used", false, false, event_check_used, event_apply_used},
	[EVENT_LOAD] = {"load", false, false, event_check_load, event_apply_load},
	[EVENT_ORDER] = {"order", false, false, event_check_waits, event_apply_order},
	[EVENT_ELIGIBLE] = {"eligible", false, false, event_check_eligible, event_apply_eligible},
	[EVENT_SUSPEND] = {"suspend", true, false, event_check_suspend, event_apply_suspend},
	[EVENT_REQUEUE] = {"requeue", false, true, event_check_requeue, event_apply_requeue},
	[EVENT_RESERVE] = {"reserve", true, true, event_check_reserve, event_apply_reserve},
	[EVENT_KEEP] = {"keep", false, false, event_check_keep, event_apply_keep},
	[EVENT_UNRESERVE] = {"unreserve", true, true, event_check_unreserve, event_apply_unreserve},
	[EVENT_HALT] = {"halt", true, true, check_nothing, event_apply_halt},
	[EVENT_SIGNAL] = {"signal", false, false, event_check_signal, event_apply_signal},
	[EVENT_CLOCK] = {"clock", false, true, event_check_clock, event_apply_clock},
	[EVENT_FAULT] = {"fault", false, false, check_nothing, apply_fault},
	[EVENT_DESCRIBE] = {"describe", false, true, event_check_describe, event_apply_describe},
};

/*
 * Tells the next pass to try to move kept reservations to earlier times, which a pass does not try otherwise.
 */
static void note_freed(struct snapshot *s)
{
	if (s->planned > 0 && s->policy.reservation == RESERVE_HIGHEST)
		s->ends_pending = 1;
}

static bool known_kind(enum event_kind kind)
{
	return kind > 0 && kind < EVENT_KIND_COUNT;
}

/* Only changes that can be undone can be temporary. */
static bool check_until(const struct event *ev, struct err *err)
{
	if (ev->until_s == 0)
		return true;
	if (!event_rows[ev->kind].can_undo)
		return err_set(err, "'%s' cannot be undone and therefore cannot be temporary",
			       event_rows[ev->kind].name);
	return ev->until_s > ev->time_s ||
	       err_set(err, "the end of the temporary change is not after its start");
}

bool event_check(const struct state *st, const struct event *ev, struct err *err)
{
	char back[DURATION_TEXT];

	if (!known_kind(ev->kind))
		return err_set(err, "an event of unknown kind %d", (int)ev->kind);
	if (ev->time_s < state_view(st)->now_s && ev->kind != EVENT_CLOCK)
		return err_set(err,
			       "an event is %s earlier than the previous event; only a change of the system "
			       "clock can set the time back",
			       duration_text(back, state_view(st)->now_s - ev->time_s));
	return check_until(ev, err) && event_rows[ev->kind].check(st, ev, err);
}

/* Statistics start with the first event. */
static void move_on(struct snapshot *s, const struct event *ev)
{
	if (s->stats_since_s == TIME_NONE)
		s->stats_since_s = ev->time_s;
	s->seq = ev->seq;
	s->now_s = ev->time_s;
}

bool event_apply(struct state *st, struct event *ev, struct err *err)
{
	if (!event_check(st, ev, err))
		return false;
	ev->seq = state_view(st)->seq + 1;
	if (ev->kind == EVENT_SUBMIT && ev->job == 0)
		ev->job = state_next_id(st);
	if (ev->kind == EVENT_CLOCK)
		ev->clock.before = state_view(st)->set_back;
	event_rows[ev->kind].apply(st, ev);
	if (event_rows[ev->kind].frees)
		note_freed(state_header(st));
	move_on(state_header(st), ev);
	return true;
}

const char *event_kind_name(enum event_kind kind)
{
	return known_kind(kind) ? event_rows[kind].name : "unknown";
}

bool event_can_undo(enum event_kind kind)
{
	return known_kind(kind) && event_rows[kind].can_undo;
}
