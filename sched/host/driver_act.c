/* SPDX-License-Identifier: MIT */
/*
 * driver_act.c - how is the manager told what was decided, and what if it will not?
 *
 * Only after the commit: what was started is known to have been decided. A start that the
 * manager refuses is undone by one more event: the job waits again, deferred for DEFERTIME once
 * it has failed DEFERSTARTCOUNT times. Before that it is tried again at the next pass, which comes
 * when something happens, at the latest after RMPOLLINTERVAL; never at once, or it would be
 * tried for ever in one moment.
 */
#include <inttypes.h>

#include "driver_inside.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

static const struct job *find_running(const struct driver *d, uint64_t id)
{
	uint32_t slot = state_find(d->st, id);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(d->st))[slot];

	return job != NULL && job->state == JOB_RUNNING ? job : NULL;
}

/* What was cancelled while it waited is gone, and no manager's business. */
static bool concerns_manager(const struct driver *d, const struct event *ev)
{
	if (ev->kind == EVENT_CANCEL)
		return find_running(d, ev->job) != NULL;
	return ev->kind == EVENT_START || ev->kind == EVENT_SUSPEND || ev->kind == EVENT_REQUEUE ||
	       ev->kind == EVENT_SIGNAL;
}

/* An undo that lets a job stand still or go on is as good as a suspend or a resume. */
static struct event as_suspend(const struct driver *d, const struct event *ev)
{
	const struct snapshot *s = state_view(d->st);
	const struct change *change = state_find_change(s, ev->seq);
	const struct change *moved = change == NULL ? NULL : state_change_moved(s, change);
	const struct job *job = moved == NULL ? NULL : find_running(d, moved->job);

	if (job == NULL || moved->kind != CHANGE_SUSPEND)
		return *ev;
	return (struct event){
		.kind = EVENT_SUSPEND, .job = job->id, .suspend.on = (job->real & JOB_REAL_SUSPENDED) != 0};
}

void driver_note_action(struct driver *d, const struct event *happened)
{
	const struct event as = happened->kind == EVENT_UNDO ? as_suspend(d, happened) : *happened;
	const struct event *ev = &as;
	struct action *action;

	if (d->rm.ops == NULL || !concerns_manager(d, ev))
		return;
	d->action = vec_room(d->action, &d->action_room, d->action_count + 1, sizeof *d->action);
	action = &d->action[d->action_count++];
	*action = (struct action){.kind = ev->kind, .job = ev->job};
	if (ev->kind == EVENT_START) {
		action->runs = ev->start.runs;
		action->run_count = ev->start.count;
	} else if (ev->kind == EVENT_SUSPEND) {
		action->on = ev->suspend.on;
	} else if (ev->kind == EVENT_SIGNAL) {
		action->number = ev->signal.number;
	}
}

static bool is_deferred_now(const struct policy *policy, const struct job *job)
{
	return policy->defer_time_s > 0 && job->start_count >= (uint64_t)policy->defer_start_count;
}

/* Others may have what it would have had; or it is tried once more. */
static void look_again(struct driver *d, bool deferred, int64_t now_s)
{
	int64_t retry_s = now_s + (state_view(d->st)->policy.poll_interval_s > 0
					   ? state_view(d->st)->policy.poll_interval_s
					   : 1);

	if (deferred)
		d->dirty = true;
	else if (retry_s < d->due_s)
		d->due_s = retry_s;
}

/* A job whose cancellation is on the way needs no second try. */
static struct event undo_start(const struct driver *d, const struct job *job, int64_t now_s,
			       const struct err *why)
{
	const struct policy *policy = &state_view(d->st)->policy;
	struct event ev = {.time_s = now_s, .kind = EVENT_DEFER, .job = job->id, .who = "sched"};

	if ((job->flags & JOB_CANCELLED) != 0) {
		ev.kind = EVENT_END;
		ev.end.status = STATUS_CANCELLED;
		return ev;
	}
	ev.defer.until_s = is_deferred_now(policy, job) ? now_s + policy->defer_time_s : TIME_NONE;
	ev.defer.reason = why->text;
	ev.defer.failed_start = true;
	return ev;
}

static bool give_back(struct driver *d, const struct job *job, int64_t now_s, const struct err *why,
		      struct err *err)
{
	struct event ev = undo_start(d, job, now_s, why);

	driver_say(d, "job %" PRIu64 " could not be started: %s", ev.job, why->text);
	look_again(d, ev.kind == EVENT_END || ev.defer.until_s != TIME_NONE, now_s);
	ev = driver_in_time(d->st, &ev);
	return driver_apply(d, &ev, err);
}

static bool start(struct driver *d, const struct job *job, const struct action *action, int64_t now_s,
		  struct err *why)
{
	struct rm_start start = {
		.s = state_view(d->st), .job = job, .runs = action->runs, .run_count = action->run_count};

	if ((job->real & JOB_REAL_LAUNCH) != 0) {
		str_clear(&d->launch);
		if (d->ledger.ops == NULL ||
		    !d->ledger.ops->launch(d->ledger.self, job_launch_id(job), &d->launch, why))
			return false;
		start.launch = str_text(&d->launch);
		start.launch_size = d->launch.len;
	}
	return d->rm.ops->start(d->rm.self, &start, now_s, why);
}

/* What the manager cannot do to a job that runs is said; nothing waits for it. */
static void act_on_running(struct driver *d, const struct job *job, const struct action *action,
			   int64_t now_s)
{
	const struct rm_ops *ops = d->rm.ops;
	struct err why = {{0}};

	switch (action->kind) {
	case EVENT_SUSPEND:
		if (!ops->suspend(d->rm.self, job, action->on, &why))
			driver_say(d, "job %" PRIu64 " could not be %s: %s", action->job,
				   action->on ? "suspended" : "resumed", why.text);
		break;
	case EVENT_SIGNAL:
		if (!ops->signal(d->rm.self, job, action->number, now_s, &why))
			driver_say(d, "job %" PRIu64 " could not be sent signal %d: %s", action->job,
				   action->number, why.text);
		break;
	default: /* CANCEL, REQUEUE */
		if (!ops->cancel(d->rm.self, job, now_s, &why))
			driver_say(d, "job %" PRIu64 " could not be stopped: %s", action->job, why.text);
		break;
	}
}

static bool act(struct driver *d, const struct action *action, int64_t now_s, struct err *err)
{
	const struct job *job = find_running(d, action->job);
	struct err why = {{0}};

	if (job == NULL)
		return true;
	if (action->kind == EVENT_START)
		return start(d, job, action, now_s, &why) || give_back(d, job, now_s, &why, err);
	act_on_running(d, job, action, now_s);
	return true;
}

bool driver_act(struct driver *d, int64_t now_s, struct err *err)
{
	size_t count = d->action_count;

	d->action_count = 0;
	for (size_t i = 0; i < count; i++)
		if (!act(d, &d->action[i], now_s, err))
			return false;
	return driver_commit(d, err);
}
