/* SPDX-License-Identifier: MIT */
/*
 * event_life.c - what happens to a job from its submission to its end?
 */
#include <stdio.h>

#include "event_inside.h"

#define STATUS_STOPPED (256 + 15) /* by TERM */

/* Who names an id answers for it: a log and a journal have each once, but jobs that were submitted to the
 * replay of a log have larger ones before those of the log have come (state_reserve_ids). */
bool event_check_submit(const struct state *st, const struct event *ev, struct err *err)
{
	if (ev->job != 0 && state_find(st, ev->job) != INDEX_NONE)
		return err_set(err, "job id %llu is in use", (unsigned long long)ev->job);
	return state_check_submission(st, &ev->submit, err);
}

void event_apply_submit(struct state *st, const struct event *ev)
{
	state_submit_job(st, &ev->submit, ev->job);
}

bool event_check_start(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_START, "a start", err);

	return slot != INDEX_NONE && state_check_runs(st, &snapshot_jobs(state_view(st))[slot],
						      ev->start.runs, ev->start.count, err);
}

/* Why the start before failed is out of date, and names files. A start that fails, too, brings its own
 * reason. */
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

	state_start_job(st, slot, ev->time_s, ev->start.runs, ev->start.count, ev->start.backfilled);
	forget_start_reason(st, slot);
	started = *state_job(st, slot);
	state_settle_depends(st, &started, JOB_STARTED);
}

bool event_check_end(const struct state *st, const struct event *ev, struct err *err)
{
	return event_job_slot(st, ev, JOB_END, "an end", err) != INDEX_NONE;
}

/*
 * The time it ran does not count as waiting. Who has a job requeued waits from now on, as in the original:
 * with the queue time that gave it its turn it would have the next one at once, and no limit would ever end
 * it.
 */
static void wait_again(struct state *st, uint32_t slot, int64_t now_s)
{
	bool asked = (state_job(st, slot)->real & JOB_REAL_AGAIN) != 0;
	int64_t ran_s = now_s - state_job(st, slot)->start_s;
	struct job *job;

	state_return_job(st, slot, now_s); /* the tables may move */
	job = state_job(st, slot);
	job->accrual_s = asked ? now_s : job->accrual_s + ran_s;
	job->used_ps = -1;
	job->retries = 0;
	job->flags &= (uint8_t)~JOB_CANCELLED;
	job->real &= (uint8_t)~JOB_REAL_AGAIN;
}

bool event_ends_for_good(const struct job *job, const struct event *ev)
{
	bool again = (job->real & JOB_REAL_AGAIN) != 0 || (ev->end.lost && (job->real & JOB_REAL_RERUN) != 0);

	return !again || (job->flags & JOB_CANCELLED) != 0;
}

/*
 * Times are whole seconds, rounded down. A real job is charged for at least one second, and for another one
 * if it held its processors for longer than the times say: a user could otherwise start jobs with a second,
 * have them end just before the next, and be charged for nothing, or for half of what they use.
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
	return err_set(err, "job %s has been cancelled already; it goes when its manager reports its end",
		       snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

/* Its owner reads it when the job has ended. */
static void keep_reason(struct state *st, uint32_t slot, const char *why)
{
	struct job *job = state_job(st, slot);
	uint32_t reason;

	state_wipe_string(st, job->base_reason);
	reason = state_add_string(st, why); /* the tables may move */
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

/* What a job waits for in vain, as of the journal and the history. */
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

/* Jobs are looked at in the order of their submission, in which most wait for one before them: a chain is
 * dropped in a single walk. */
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

/* May they stand in this combination? */
static bool is_way(const struct event *ev)
{
	const unsigned both = SUSPEND_RELEASE | SUSPEND_KEEP;

	if (!ev->suspend.on)
		return (ev->suspend.how & ~SUSPEND_RESUMED) == 0;
	return (ev->suspend.how & ~(SUSPEND_BY_OWNER | both)) == 0 && (ev->suspend.how & both) != both;
}

/* The job waits for its processors, and they are free. */
static bool can_resume_now(const struct state *st, const struct event *ev, const struct job *job,
			   struct err *err)
{
	char label[JOB_LABEL_TEXT];

	if (ev->until_s != 0)
		return err_set(err, "job %s cannot be resumed for a while",
			       snapshot_job_label(state_view(st), job, label));
	if (!job_awaits_resume(job))
		return err_set(err, "job %s does not wait for its processors",
			       snapshot_job_label(state_view(st), job, label));
	return state_check_retake(st, job, err);
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
	/* One that waits for its processors is as good as resumed: it can be suspended again. */
	if ((job_is_suspended(job) && !job_awaits_resume(job)) != ev->suspend.on)
		return true;
	return err_set(err, "job %s %s", snapshot_job_label(state_view(st), job, label),
		       ev->suspend.on           ? "is suspended already"
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
		return err_set(err, "job %s has been cancelled; it does not wait again", label);
	return (job->real & JOB_REAL_AGAIN) == 0 ||
	       err_set(err,
		       "job %s is being requeued already; it waits again when its manager reports its end",
		       label);
}

void event_apply_requeue(struct state *st, const struct event *ev)
{
	state_job(st, state_find(st, ev->job))->real |= JOB_REAL_AGAIN;
}

bool event_check_signal(const struct state *st, const struct event *ev, struct err *err)
{
	if (ev->signal.number == 0 || ev->signal.number > EVENT_SIGNAL_MAX)
		return err_set(err, "there is no signal %u; they are numbered from 1 to %d",
			       ev->signal.number, EVENT_SIGNAL_MAX);
	return event_job_slot(st, ev, JOB_SIGNAL, "a signal", err) != INDEX_NONE;
}

/* What the job makes of it is its own business: it says so by its end. */
void event_apply_signal(struct state *st, const struct event *ev)
{
	(void)st;
	(void)ev;
}

bool event_check_used(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = state_find(st, ev->job);

	if (slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != JOB_RUNNING)
		return err_set(err, "job %llu does not run, and cannot have used anything",
			       (unsigned long long)ev->job);
	return ev->used.ps >= 0 || err_set(err, "job %llu was reported to have used less than nothing",
					   (unsigned long long)ev->job);
}

void event_apply_used(struct state *st, const struct event *ev)
{
	state_job(st, state_find(st, ev->job))->used_ps = ev->used.ps;
}
