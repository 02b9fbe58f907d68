/* SPDX-License-Identifier: MIT */
/*
 * driver_apply.c - events of a step and their commit
 *
 * Without a ledger nothing is kept of a step but the state: that is what makes a replay fast.
 */
#include "driver_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"

struct event driver_in_time(const struct state *st, const struct event *ev)
{
	struct event timely = *ev;

	if (timely.time_s < state_view(st)->now_s)
		timely.time_s = state_view(st)->now_s;
	return timely;
}

/* Before it leaves, and what is to be run for it with it. */
static void keep_outputs(struct driver *d, struct ended_job *ended)
{
	const struct snapshot *s = state_view(d->st);
	const struct job *job = &snapshot_jobs(s)[state_find(d->st, ended->record.job.id)];
	struct outputs outputs = outputs_find(d->ledger, d->outputs, s, job, &d->arena);

	ended->output = outputs.output;
	ended->errors = outputs.errors;
	ended->mail = outputs.mail;
	ended->mail_to = outputs.mail_to;
}

static void keep_end(struct driver *d, const struct event *ev)
{
	if (d->ledger.ops == NULL)
		return;
	d->ended = vec_room(d->ended, &d->ended_room, d->ended_count + 1, sizeof *d->ended);
	if (!keep_ended(&d->arena, d->st, ev, &d->ended[d->ended_count]))
		return;
	keep_outputs(d, &d->ended[d->ended_count++]);
}

static void count_event(struct driver *d, const struct event *ev)
{
	d->stats.events++;
	if (ev->kind == EVENT_SUBMIT)
		d->stats.submitted += job_record_tasks(&ev->submit);
	d->stats.ended += ev->kind == EVENT_END;
	if (ev->kind == EVENT_START) {
		d->stats.started++;
		d->stats.backfilled += ev->start.backfilled;
	}
}

/* --- reservations that a change of their job gives up ------------------------------------------------ */

/*
 * A change of a waiting job gives its reservation up, and the next pass makes another one. Where all such
 * changes are undone before anything else has happened, the job has its reservation again: otherwise a
 * mistake that is taken back at once would cost the job its place. The event that says so is in the journal
 * like that of a pass.
 */
static void look_at_reservation(struct driver *d, const struct event *ev)
{
	const struct snapshot *s = state_view(d->st);
	uint32_t slot = ev->kind == EVENT_MODIFY ? state_find(d->st, ev->job) : INDEX_NONE;
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];

	if (job == NULL || job->planned_s == TIME_NEVER || job->state != JOB_IDLE)
		return;
	d->given_up.job = ev->job;
	d->given_up.first_seq = d->given_up.last_seq = s->seq + 1;
	d->given_up.standing = 0;
	d->given_up.start_s = job->planned_s;
	d->given_up.count = 0;
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next) {
		d->given_up.run = vec_room(d->given_up.run, &d->given_up.room, d->given_up.count + 1,
					   sizeof *d->given_up.run);
		d->given_up.run[d->given_up.count++] = snapshot_runs(s)[at];
	}
}

/* True: the last of the changes is undone. */
static bool note_change(struct driver *d, const struct event *ev)
{
	bool is_next =
		d->given_up.first_seq != 0 && ev->seq == d->given_up.last_seq + (d->given_up.standing > 0);

	if (is_next && ev->kind == EVENT_MODIFY && ev->job == d->given_up.job) {
		d->given_up.standing++;
		d->given_up.last_seq = ev->seq;
		return false;
	}
	if (d->given_up.standing > 0 && ev->kind == EVENT_UNDO && ev->undo.seq >= d->given_up.first_seq &&
	    ev->undo.seq <= d->given_up.last_seq)
		return --d->given_up.standing == 0;
	d->given_up.first_seq = 0;
	d->given_up.standing = 0;
	return false;
}

static void restore_reservation(struct driver *d)
{
	uint32_t slot = state_find(d->st, d->given_up.job);
	struct event ev = {.kind = EVENT_PLAN,
			   .time_s = state_view(d->st)->now_s,
			   .who = "sched",
			   .job = d->given_up.job,
			   .plan = {.start_s = d->given_up.start_s,
				    .runs = d->given_up.run,
				    .count = d->given_up.count}};

	d->given_up.first_seq = 0;
	if (slot != INDEX_NONE && snapshot_jobs(state_view(d->st))[slot].planned_s == TIME_NEVER &&
	    ev.plan.start_s > ev.time_s)
		(void)driver_apply(d, &ev, &(struct err){{0}});
}

bool driver_apply(struct driver *d, struct event *ev, struct err *err)
{
	size_t ended = d->ended_count;

	if (d->watch_end != NULL && (ev->kind == EVENT_END || ev->kind == EVENT_CANCEL))
		d->watch_end(d->watch_end_self, ev, d->st);
	keep_end(d, ev);
	if (d->given_up.standing == 0)
		look_at_reservation(d, ev);
	if (!event_apply(d->st, ev, err)) {
		d->ended_count = ended;
		return false;
	}
	count_event(d, ev);
	if (d->ledger.ops != NULL) {
		d->event = vec_room(d->event, &d->event_room, d->event_count + 1, sizeof *d->event);
		d->event[d->event_count++] = keep_event_but_launch(&d->arena, ev);
	}
	if (d->watch != NULL)
		d->watch(d->watch_self, ev, state_view(d->st));
	if (note_change(d, ev))
		restore_reservation(d);
	return true;
}

/* Where passes fall on multiples of the poll, what happened in between is seen now. */
void driver_take_report(void *self, const struct event *reported)
{
	struct driver *d = self;
	struct event ev = driver_in_time(d->st, reported);

	if (d->failed)
		return;
	if (ev.time_s < d->step_s)
		ev.time_s = d->step_s;
	driver_settle_failed_start(d, &ev);
	/* Where a workload stands is no reason to look at the queue again. */
	d->dirty = d->dirty || ev.kind != EVENT_SIM;
	d->failed = !driver_apply(d, &ev, &d->err);
}

void driver_forget_step(struct driver *d)
{
	d->event_count = d->ended_count = d->answered_count = 0;
	outputs_cache_trim(d->outputs);
	arena_reset(&d->arena);
}

#ifdef KAHU_FAILPOINTS
/* The places around the commit of an event of each kind. */
static const struct {
	enum event_kind kind;
	enum failpoint before, after;
} commit_point[] = {
	{EVENT_SUBMIT, FAIL_SUB_BEFORE_COMMIT, FAIL_SUB_AFTER_COMMIT},
	{EVENT_START, FAIL_START_BEFORE_COMMIT, FAIL_START_AFTER_COMMIT},
	{EVENT_END, FAIL_DONE_BEFORE_COMMIT, FAIL_DONE_AFTER_COMMIT},
	{EVENT_CANCEL, FAIL_CANCEL_BEFORE_COMMIT, FAIL_CANCEL_AFTER_COMMIT},
	{EVENT_REQUEUE, FAIL_REQUEUE_BEFORE_COMMIT, FAIL_REQUEUE_BETWEEN},
	{EVENT_SUSPEND, FAIL_SUSPEND_BEFORE_COMMIT, FAIL_SUSPEND_AFTER_COMMIT},
	{EVENT_DEFER, FAIL_DEFER_BEFORE_COMMIT, FAIL_DEFER_AFTER_COMMIT},
};

static bool has_event(const struct driver *d, enum event_kind kind)
{
	for (size_t i = 0; i < d->event_count; i++)
		if (d->event[i].kind == kind)
			return true;
	return false;
}

static void pass_failpoints(const struct driver *d, bool committed)
{
	for (size_t i = 0; i < sizeof commit_point / sizeof commit_point[0]; i++)
		if (has_event(d, commit_point[i].kind))
			fail_at(committed ? commit_point[i].after : commit_point[i].before);
}
#else
static void pass_failpoints(const struct driver *d, bool committed)
{
	(void)d;
	(void)committed;
}
#endif

/* After driver_recover, the first that is good again is told. */
static void note_commit(struct driver *d)
{
	if (d->stall.told)
		driver_say(d, "the store can be written again");
	d->stall.told = false;
}

bool driver_commit(struct driver *d, struct err *err)
{
	struct ledger_step step = {
		.event = d->event,
		.event_count = d->event_count,
		.ended = d->ended,
		.ended_count = d->ended_count,
		.answered = d->answered,
		.answered_count = d->answered_count,
		.after = state_view(d->st),
		.changes = state_change_marks(d->st),
	};
	bool ok;

	pass_failpoints(d, false);
	ok = d->ledger.ops == NULL || d->event_count == 0 ||
	     d->ledger.ops->commit(d->ledger.self, &step, err);
	pass_failpoints(d, true);
	d->stall.refused = !ok;
	if (ok && d->event_count > 0) {
		state_clear_change_marks(d->st);
		note_commit(d);
		state_close_slots(d->st);
		step.after = state_view(d->st);
	}
	if (ok && d->event_count > 0 && d->tell != NULL)
		d->tell(d->tell_self, &step, d->st, &d->stats);
	driver_forget_step(d);
	return ok;
}
