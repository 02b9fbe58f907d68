/* SPDX-License-Identifier: MIT */
/*
 * driver_act.c - actions of the resource manager
 *
 * Actions follow the commit, so every started job has a durable decision. If the manager refuses a start,
 * another event returns the job to the queue; after DEFERSTARTCOUNT failures it is deferred for DEFERTIME.
 * Before that, its start is tried again at the next pass, after RMPOLLINTERVAL at the latest, but never at
 * the same time, which would be an endless loop.
 *
 * A start that failed because the host is temporarily short of processes, descriptors, memory or disk space
 * is retried after 1 s, then 2 s, 4 s and so on up to a minute, and counts neither as a deferral nor as a
 * failed start. Users can cause such failures, so after RETRIES_OFTEN retries, or when the user's share of
 * the journal is used up, the next retry comes after RETRY_SELDOM_S.
 */
#include <inttypes.h>

#include "driver_inside.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define RETRIES_OFTEN  30 /* about 25 minutes, longer than most shortages */
#define RETRY_SELDOM_S 600
#define RETRY_BYTES    640 /* approximate journal bytes that the entries of a failed start take */

static const struct job *find_running(const struct driver *d, uint64_t id)
{
	uint32_t slot = state_find(d->st, id);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(d->st))[slot];

	return job != NULL && job->state == JOB_RUNNING ? job : NULL;
}

/*
 * Must the manager act on the event? It need not if a cancelled job was idle, or if a resumed job has to
 * wait until its processors are free.
 */
static bool concerns_manager(const struct driver *d, const struct event *ev)
{
	const struct job *job = find_running(d, ev->job);

	if (ev->kind == EVENT_CANCEL)
		return job != NULL;
	if (ev->kind == EVENT_SUSPEND && job != NULL && job_awaits_resume(job))
		return false;
	return ev->kind == EVENT_START || ev->kind == EVENT_SUSPEND || ev->kind == EVENT_REQUEUE ||
	       ev->kind == EVENT_SIGNAL;
}

/*
 * If the event undoes a suspend or a resume, returns it as the suspend event that the manager must carry
 * out; otherwise returns the event unchanged.
 */
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

	if (d->rm.ops == NULL || d->rm.ops->compare != NULL || !concerns_manager(d, ev))
		return;
	d->action = vec_room(d->action, &d->action_cap, d->action_count + 1, sizeof *d->action);
	action = &d->action[d->action_count++];
	*action = (struct action){.kind = ev->kind, .job = ev->job};
	if (ev->kind == EVENT_START) {
		action->runs = arena_copy(&d->action_arena, ev->start.runs,
					  ev->start.count * sizeof *ev->start.runs);
		action->run_count = ev->start.count;
	} else if (ev->kind == EVENT_SUSPEND) {
		action->on = ev->suspend.on;
	} else if (ev->kind == EVENT_SIGNAL) {
		action->number = ev->signal.number;
	}
}

static bool is_deferred_now(const struct policy *policy, const struct job *job)
{
	return policy->defer_time_s > 0 &&
	       (int64_t)job->start_count - job->retries >= policy->defer_start_count;
}

/*
 * Makes the next pass due after a failed start: other jobs may use the processors, or the start is retried.
 * After a transient failure of the host no other job is started at once in its place; it would fail as well.
 */
static void schedule_next_pass(struct driver *d, const struct event *ev, int64_t now_s)
{
	int64_t poll_s = state_view(d->st)->policy.poll_interval_s, again_s;

	if (ev->kind == EVENT_END || (ev->defer.until_s != TIME_NONE && !ev->defer.retry)) {
		d->dirty = true;
		return;
	}
	again_s = ev->defer.retry ? ev->defer.until_s : now_s + (poll_s > 0 ? poll_s : 1);
	if (again_s < d->due_s)
		d->due_s = again_s;
}

static int64_t retry_delay_s(const struct driver *d, const struct job *job)
{
	bool often = job->retries < RETRIES_OFTEN &&
		     (d->toll == NULL || d->toll(d->toll_self, state_view(d->st), job, RETRY_BYTES));

	return often ? job_retry_delay_s(job) : RETRY_SELDOM_S;
}

/*
 * Sets the time until which the job has to wait after a failed start. The event's until_s is TIME_NEVER if
 * the manager reports a permanent fault of the host: after DEFERSTARTCOUNT such starts the job is deferred,
 * before that it stays idle; if deferring is disabled, the start is retried as after a transient failure.
 * until_s is TIME_NONE if there is no fault, for example if the scheduler was stopped before the start: the
 * job stays idle.
 */
static void settle_until(const struct driver *d, const struct job *job, struct event *ev)
{
	const struct policy *policy = &state_view(d->st)->policy;
	bool lasting = !ev->defer.retry && ev->defer.until_s == TIME_NEVER;

	if (lasting && is_deferred_now(policy, job)) {
		ev->defer.until_s = ev->time_s + policy->defer_time_s;
	} else if (lasting && policy->defer_time_s > 0) {
		ev->defer.until_s = TIME_NONE;
	} else if (lasting || ev->defer.retry) {
		ev->defer.retry = true;
		ev->defer.until_s = ev->time_s + retry_delay_s(d, job);
	}
}

void driver_settle_failed_start(const struct driver *d, struct event *ev)
{
	const struct job *job =
		ev->kind == EVENT_DEFER && ev->defer.failed_start ? find_running(d, ev->job) : NULL;

	if (job == NULL)
		return;
	if ((job->flags & JOB_CANCELLED) != 0)
		*ev = (struct event){.kind = EVENT_END,
				     .time_s = ev->time_s,
				     .job = ev->job,
				     .who = ev->who,
				     .end.status = STATUS_CANCELLED};
	else
		settle_until(d, job, ev);
}

/*
 * Returns the event that follows a refused start: EVENT_DEFER, or the end of a job that was cancelled in the
 * meantime.
 */
static struct event undo_start(const struct driver *d, const struct job *job, int64_t now_s, bool passes,
			       const struct err *why)
{
	const struct policy *policy = &state_view(d->st)->policy;
	struct event ev = {.time_s = now_s, .kind = EVENT_DEFER, .job = job->id, .who = "sched"};

	if ((job->flags & JOB_CANCELLED) != 0) {
		ev.kind = EVENT_END;
		ev.end.status = STATUS_CANCELLED;
		return ev;
	}
	ev.defer.until_s = passes                         ? now_s + retry_delay_s(d, job)
			   : is_deferred_now(policy, job) ? now_s + policy->defer_time_s
							  : TIME_NONE;
	ev.defer.reason = why->text;
	ev.defer.failed_start = true;
	ev.defer.retry = passes;
	return ev;
}

static bool return_to_queue(struct driver *d, const struct job *job, int64_t now_s, bool passes,
			    const struct err *why, struct err *err)
{
	struct event ev = undo_start(d, job, now_s, passes, why);

	if (ev.kind == EVENT_DEFER && ev.defer.retry)
		driver_say(d, "job %" PRIu64 " could not be started: %s; it is retried in %" PRId64 " s",
			   ev.job, why->text, ev.defer.until_s - now_s);
	else
		driver_say(d, "job %" PRIu64 " could not be started: %s", ev.job, why->text);
	ev = driver_in_time(d->st, &ev);
	schedule_next_pass(d, &ev, now_s);
	return driver_apply(d, &ev, err);
}

/* Loads the launch data of a job; consecutive tasks of an array share it. */
static bool find_launch(struct driver *d, uint64_t id, struct err *why)
{
	if (d->launch_id == id)
		return true;
	str_clear(&d->launch);
	d->launch_id = 0;
	if (d->ledger.ops == NULL || !d->ledger.ops->launch(d->ledger.self, id, &d->launch, why))
		return false;
	d->launch_id = id;
	return true;
}

static bool start(struct driver *d, const struct job *job, const struct action *action, int64_t now_s,
		  bool *passes /* NOLINT(readability-non-const-parameter): the manager writes it */,
		  struct err *why)
{
	struct rm_start start = {.s = state_view(d->st),
				 .job = job,
				 .runs = action->runs,
				 .run_count = action->run_count,
				 .barred = d->barred.len > 0 ? str_text(&d->barred) : NULL,
				 .passes = passes};

	if ((job->real & JOB_REAL_LAUNCH) != 0) {
		if (!find_launch(d, job_launch_id(job), why))
			return false;
		start.launch = str_text(&d->launch);
		start.launch_size = d->launch.len;
	}
	return d->rm.ops->start(d->rm.self, &start, now_s, why);
}

/* If the manager cannot act on a running job, the driver only warns. */
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
	bool passes = false;

	if (job == NULL)
		return true;
	if (action->kind == EVENT_START)
		return start(d, job, action, now_s, &passes, &why) ||
		       return_to_queue(d, job, now_s, passes, &why, err);
	act_on_running(d, job, action, now_s);
	return true;
}

bool driver_act(struct driver *d, int64_t now_s, struct err *err)
{
	size_t count = d->action_count;
	bool good = true;

	d->action_count = 0;
	for (size_t i = 0; i < count && good; i++)
		good = act(d, &d->action[i], now_s, err);
	arena_reset(&d->action_arena);
	return good && driver_commit(d, err);
}
