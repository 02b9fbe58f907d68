/* SPDX-License-Identifier: MIT */
/*
 * driver.c - events, passes and commits of the scheduler, one step at a time
 */
#include "driver.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver_inside.h"
#include "sched/base/duration.h"
#include "sched/base/failpoint.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

#define MANY_JOBS 32768

#define TRIAL_KEPT_S 600 /* time for which the trial copy is kept after its last use */

#define RETRY_S 2 /* wait after a failed commit, and while the store is full */

/*
 * Maximum number of dependencies and jobs that one request may examine, which takes a few tenths of a second.
 */
#define LOOKED_AT_MAX 1000000u

void driver_say(struct driver *d, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	if (d->warn == NULL)
		return;
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	d->warn(d->warn_self, str_text(&text));
	str_free(&text);
}

/* --- events ------------------------------------------------------------------------------------- */

struct event driver_in_time(const struct state *st, const struct event *ev)
{
	struct event timely = *ev;

	if (timely.time_s < state_view(st)->now_s)
		timely.time_s = state_view(st)->now_s;
	return timely;
}

/*
 * Copies the output paths and mail settings into the record of a job that ends, because its launch data is
 * removed with the job.
 */
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
	d->ended = vec_room(d->ended, &d->ended_cap, d->ended_count + 1, sizeof *d->ended);
	if (!ended_job_of_event(&d->arena, d->st, ev, &d->ended[d->ended_count]))
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

/*
 * A modified job loses its reservation, and the next pass makes another one. If all changes are undone before
 * any other event, the job gets the old reservation back, so that a mistake that the user undoes at once does
 * not cost the job its place. The plan event is written to the journal like one of a pass.
 */
static void note_reservation(struct driver *d, const struct event *ev)
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
		d->given_up.run = vec_room(d->given_up.run, &d->given_up.cap, d->given_up.count + 1,
					   sizeof *d->given_up.run);
		d->given_up.run[d->given_up.count++] = snapshot_runs(s)[at];
	}
}

/*
 * Called after each event: counts the modifications of the job that lost its reservation, and their undos.
 * Returns true if the event has undone the last of these modifications.
 */
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
		note_reservation(d, ev);
	if (!event_apply(d->st, ev, err)) {
		d->ended_count = ended;
		return false;
	}
	count_event(d, ev);
	if (d->ledger.ops != NULL) {
		d->event = vec_room(d->event, &d->event_cap, d->event_count + 1, sizeof *d->event);
		d->event[d->event_count++] = event_copy_without_launch(&d->arena, ev);
	}
	if (d->watch != NULL)
		d->watch(d->watch_self, ev, state_view(d->st));
	if (note_change(d, ev))
		restore_reservation(d);
	return true;
}

/*
 * If passes run only at multiples of the poll interval, a report is dated no earlier than the current
 * multiple.
 */
void driver_take_report(void *self, const struct event *reported)
{
	struct driver *d = self;
	struct event ev = driver_in_time(d->st, reported);

	if (d->failed)
		return;
	if (ev.time_s < d->step_s)
		ev.time_s = d->step_s;
	driver_settle_failed_start(d, &ev);
	/* The position of a workload generator does not affect the queue. */
	d->dirty = d->dirty || ev.kind != EVENT_SIM;
	d->failed = !driver_apply(d, &ev, &d->err);
}

/* --- a manager that is watched -------------------------------------------------------------------- */

/*
 * Applies a report of a watched manager. If the report is refused, the state is unchanged, and the manager
 * repeats the report after its next poll.
 */
static void take_watched(void *self, const struct event *reported)
{
	struct driver *d = self;
	struct event ev = driver_in_time(d->st, reported);
	struct err why;

	if (driver_apply(d, &ev, &why))
		d->dirty = true;
	else
		d->rm.ops->note_refused(d->rm.self, &ev, &why);
}

/* Warns of the fault that the manager has reported, or reports that the previous fault is over. */
static void say_fault(struct driver *d, bool was_wrong)
{
	const struct snapshot *s = state_view(d->st);

	if (s->watch_fault != 0)
		driver_say(d, "%s", snapshot_string(s, s->watch_fault));
	else if (was_wrong)
		driver_say(d, "Slurm can be read again");
}

/* Applies what the watched manager reports, and warns when it has a fault or the fault is over. */
static void follow_manager(struct driver *d, int64_t now_s)
{
	struct err before = {{0}};
	const struct snapshot *s = state_view(d->st);

	err_set(&before, "%s", snapshot_string(s, s->watch_fault));
	d->rm.ops->compare(d->rm.self, d->st, now_s, take_watched, d);
	s = state_view(d->st);
	if (strcmp(before.text, snapshot_string(s, s->watch_fault)) != 0)
		say_fault(d, before.text[0] != '\0');
}

/* --- commit ------------------------------------------------------------------------------------- */

/* Drops the collected events of a step: they are durable, or the step is abandoned. */
static void forget_step(struct driver *d)
{
	d->event_count = d->ended_count = d->answered_count = 0;
	outputs_cache_trim(d->outputs);
	arena_reset(&d->arena);
}

#ifdef KAHU_FAILPOINTS
/* Failpoints before and after the commit of an event of each kind. */
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

/* Reports the first successful commit after a failed one. */
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
	forget_step(d);
	return ok;
}

void driver_expect_many(struct driver *d)
{
	d->expects_many = true;
	state_reserve_room(d->st, MANY_JOBS);
}

/* --- recovery after a failed commit ------------------------------------------------------------- */

/*
 * A failed commit (the disk is full, for example) leaves the store as it was before the step. The driver
 * loads the state again and the resource manager adopts it, as after a crash: the manager repeats the reports
 * that were lost. For RETRY_S seconds nothing is tried, and requests are refused with the store's error. This
 * requires a manager that keeps its own record of what happened (adopts_again); with any other manager, the
 * scheduler stops.
 */
static bool load_again(struct driver *d, struct err *err)
{
	struct state *st = state_new();

	if (!d->ledger.ops->load(d->ledger.self, st, err)) {
		state_free(st);
		return false;
	}
	state_free(d->st);
	d->st = st;
	state_set_watched(d->st, driver_is_watching(d));
	if (d->expects_many)
		driver_expect_many(d);
	cycle_free(d->cycle);
	d->cycle = cycle_new();
	return true;
}

/*
 * After a commit that failed with err: restores the state and the resource manager to what the store
 * contains. Returns false, with the reason in err, if that is not possible or fails.
 */
static bool recover(struct driver *d, int64_t now_s, struct err *err)
{
	if (!d->stall.refused || d->rm.ops == NULL || !d->rm.ops->adopts_again)
		return false;
	d->stall.refused = false;
	if (!d->stall.told)
		driver_say(d, "nothing is done until the store can be written: %s", err->text);
	d->stall.why = *err;
	forget_step(d);
	d->action_count = 0;
	arena_reset(&d->action_arena);
	if (!load_again(d, err) || !d->rm.ops->adopt(d->rm.self, state_view(d->st), err))
		return false;
	d->stall.waits = d->stall.told = true;
	d->stall.until_s = now_s + RETRY_S;
	d->dirty = true;
	return true;
}

/*
 * Does the store have room for new work? If not, err says why. Ends and cancellations can still be written,
 * because the store reserves space for them.
 */
static bool store_has_room(struct driver *d, struct err *err)
{
	struct err why;
	bool room = d->ledger.ops == NULL || d->ledger.ops->has_room == NULL ||
		    d->ledger.ops->has_room(d->ledger.self, &why);

	state_set_no_room(d->st, !room);
	if (!room && !d->room_told)
		driver_say(d, "no job is started: %s", why.text);
	else if (room && d->room_told)
		driver_say(d, "the store has room again: jobs are started");
	d->room_told = !room;
	return room || err_set(err, "%s", why.text);
}

bool driver_is_stalled(const struct driver *d, int64_t now_s)
{
	return d->stall.waits && now_s < d->stall.until_s;
}

/* --- pass --------------------------------------------------------------------------------------- */

/*
 * Undoes temporary changes that have expired, before the pass decides anything. Many may expire in the same
 * second: a step undoes at most DRIVER_RETURNS_MOST of them and the next step continues, so that requests are
 * answered in between, and undos that are done are not lost if the scheduler is killed. *all is false if some
 * are left; the pass runs after the last one.
 */
static bool undo_expired(struct driver *d, int64_t now_s, bool *all, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	for (unsigned taken = 0; event_returns(d->st, now_s, &at, &ev); taken++) {
		*all = taken < DRIVER_RETURNS_MOST;
		if (!*all)
			return true;
		if (!driver_apply(d, &ev, err))
			return false;
		driver_note_action(d, &ev);
	}
	return true;
}

/*
 * Cancels jobs whose dependency can no longer be met; at most DRIVER_RETURNS_MOST in a step. *all is false
 * if some are left.
 */
static bool drop_unmet(struct driver *d, int64_t now_s, bool *all, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	for (unsigned taken = 0; event_drops(d->st, &at, &ev, cause); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return !(*all = false);
		if (!driver_apply(d, &ev, err))
			return false;
	}
	return true;
}

/* Runs one pass, applies its decisions and notes what the resource manager must do. */
static bool run_pass(struct driver *d, int64_t now_s, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	struct cycle_result result;
	int64_t began_ns = monotonic_ns(); /* for the statistics only: no decision depends on it */
	bool all = true;

	if (!undo_expired(d, now_s, &all, err) ||
	    (!driver_is_watching(d) && !drop_unmet(d, now_s, &all, err)))
		return false;
	if (!all) {
		d->dirty = true;
		return true;
	}
	cycle_run(d->cycle, state_view(d->st), now_s, false, &result);
	d->stats.passes++;
	d->stats.pass_ns += (uint64_t)(monotonic_ns() - began_ns);
	d->due_s = result.next_due_s;
	d->dirty = false;
	d->enact.result = &result;
	d->enact.at = 0;
	if (driver_is_watching(d))
		d->due_s =
			snapshot_next_return_s(state_view(d->st)); /* otherwise it follows the next report */
	while (enact_next(&d->enact, &ev)) {
		if (driver_is_watching(d) && ev.kind != EVENT_ACCRUAL && ev.kind != EVENT_ELIGIBLE)
			continue;
		if (!driver_apply(d, &ev, err))
			return err_prefix(err, "the scheduler's own decision was refused");
		decision_hash_add(&d->stats.decisions_hash, &ev);
		driver_note_action(d, &ev);
	}
	return !event_counts_pass(state_view(d->st), &ev) || driver_apply(d, &ev, err);
}

/* --- nodes -------------------------------------------------------------------------------------- */

/*
 * Applies a report about a node unless the node is unchanged since its last report. The report of a simulated
 * manager has no time (0); it gets the time of the state.
 */
static void take_node(void *self, const struct event *reported)
{
	struct driver *d = self;
	const struct snapshot *s = state_view(d->st);
	struct event ev = *reported;

	if (!state_report_is_news(d->st, &ev.node))
		return;
	if (ev.time_s == 0)
		ev.time_s = s->now_s != TIME_NONE ? s->now_s : d->rm.ops->next_s(d->rm.self);
	if (ev.time_s == TIME_NEVER)
		ev.time_s = 0;
	driver_take_report(self, &ev);
}

/*
 * Makes the manager report its nodes again, because the new configuration may leave values to the manager
 * that the old configuration set. Returns false if a report was refused.
 */
static bool ask_nodes(struct driver *d, struct err *err)
{
	if (d->rm.ops != NULL)
		d->rm.ops->nodes(d->rm.self, state_view(d->st), take_node, d);
	return !d->failed || err_set(err, "%s", d->err.text);
}

/* --- due times ---------------------------------------------------------------------------------- */

/* Returns the last multiple of the poll interval at or before at_s. */
static int64_t poll_before(const struct driver *d, int64_t at_s)
{
	int64_t beyond_s = at_s % d->poll_s;

	return at_s - (beyond_s < 0 ? beyond_s + d->poll_s : beyond_s);
}

/* Returns the earliest time at which a pass or the resource manager is due. */
static int64_t due_s(const struct driver *d)
{
	int64_t next_s = d->dirty ? state_view(d->st)->now_s : d->due_s;
	int64_t manager_s = d->rm.ops == NULL ? TIME_NEVER : d->rm.ops->next_s(d->rm.self);

	return manager_s < next_s ? manager_s : next_s;
}

int driver_fd(const struct driver *d)
{
	return d->rm.ops == NULL || d->stall.waits ? -1 : d->rm.ops->fd(d->rm.self);
}

int64_t driver_next_s(const struct driver *d)
{
	int64_t next_s = snapshot_pass_s(state_view(d->st), due_s(d));

	return driver_is_stalled(d, next_s) ? d->stall.until_s : next_s;
}

/* In a loaded state, the pass at the last multiple before its current time has already run. */
void driver_set_poll(struct driver *d, int64_t poll_s)
{
	int64_t now_s = state_view(d->st)->now_s;

	d->poll_s = poll_s;
	state_set_grid(d->st, poll_s, poll_s > 0 ? poll_before(d, now_s != TIME_NONE ? now_s : due_s(d)) : 0);
}

/* --- the trial copy ------------------------------------------------------------------------------ */

/*
 * Returns the copy of the state on which a request is tried. Its memory is kept for a while: a copy into new
 * memory takes much longer, because the kernel must supply each page.
 */
static struct state *copy_for_trial(struct driver *d)
{
	if (d->trial == NULL)
		d->trial = state_new();
	state_copy(d->trial, d->st);
	d->trial_until_s = state_view(d->st)->now_s + TRIAL_KEPT_S;
	return d->trial;
}

static void release_trial(struct driver *d, int64_t now_s)
{
	if (d->trial == NULL || now_s < d->trial_until_s)
		return;
	state_free(d->trial);
	d->trial = NULL;
}

/* --- steps -------------------------------------------------------------------------------------- */

/*
 * Runs the part of a step before its commit: applies the manager's reports, then runs a pass if one is due.
 */
static bool gather(struct driver *d, int64_t now_s, struct err *err)
{
	d->stall.waits = false;
	if (d->rm.ops != NULL)
		d->rm.ops->poll(d->rm.self, now_s, driver_take_report, d);
	if (driver_is_watching(d))
		follow_manager(d, now_s);
	if (d->failed)
		return err_set(err, "%s", d->err.text);
	if (d->rm.ops != NULL && d->rm.ops->nodes_changed != NULL && d->rm.ops->nodes_changed(d->rm.self) &&
	    !ask_nodes(d, err))
		return false;
	if (!d->dirty && d->due_s > now_s)
		return true;
	if (!store_has_room(d, NULL)) {
		d->dirty = false;
		d->due_s = now_s + RETRY_S;
		return true;
	}
	return driver_ask_local(d, now_s, err) && run_pass(d, now_s, err);
}

static bool step(struct driver *d, int64_t now_s, struct err *err)
{
	return gather(d, now_s, err) && driver_commit(d, err) && driver_act(d, now_s, err);
}

bool driver_step(struct driver *d, int64_t now_s, struct err *err)
{
	release_trial(d, now_s);
	if (driver_is_stalled(d, now_s))
		return true;
	if (d->poll_s == 0)
		return step(d, now_s, err) || recover(d, now_s, err);
	if (now_s < driver_next_s(d))
		return true;
	d->step_s = poll_before(d, now_s);
	state_set_grid(d->st, d->poll_s, d->step_s);
	return step(d, d->step_s, err);
}

static void say_clock(struct driver *d, const struct event *ev)
{
	int64_t by_s = ev->clock.by_s;
	char text[DURATION_TEXT];

	driver_say(d, "the system clock was set %s by %s; run times and queue times of jobs are not affected",
		   by_s < 0 ? "back" : "forward", duration_text(text, by_s < 0 ? -by_s : by_s));
}

/*
 * The last event may be slightly later than the old clock; the clock then moves by less, so that the time of
 * the state does not go back.
 */
enum driver_outcome driver_set_clock(struct driver *d, int64_t now_s, int64_t by_s, struct err *err)
{
	int64_t last_s = state_view(d->st)->now_s;
	struct event ev = {.kind = EVENT_CLOCK, .time_s = now_s, .who = "sched", .clock.by_s = by_s};

	if (last_s != TIME_NONE && now_s - last_s < by_s)
		ev.clock.by_s = now_s - last_s;
	if (ev.clock.by_s == 0)
		return DRIVER_DONE;
	if (driver_is_stalled(d, now_s - by_s) || d->stall.waits)
		return DRIVER_REFUSED;
	if (!driver_apply(d, &ev, err))
		return DRIVER_FAILED;
	if (!driver_commit(d, err))
		return recover(d, now_s - by_s, err) ? DRIVER_REFUSED : DRIVER_FAILED;
	if (d->rm.ops != NULL && d->rm.ops->set_clock != NULL)
		d->rm.ops->set_clock(d->rm.self, ev.clock.by_s);
	say_clock(d, &ev);
	/* The cycle has cached due times of the old clock. */
	cycle_free(d->cycle);
	d->cycle = cycle_new();
	d->dirty = true;
	return DRIVER_DONE;
}

/* --- requests ----------------------------------------------------------------------------------- */

/*
 * Group commit: a request is applied when it is accepted, so that the next one is checked against its result,
 * and becomes durable with all other requests of the same turn. A burst of submissions costs one commit,
 * which also contains the starts that follow.
 */

/*
 * Has the request examined an acceptable number of dependencies so far? The cost of changing dependencies
 * grows with the jobs that the user has queued, and no other request is answered in the meantime.
 */
static bool is_within_work_limit(const struct state *trial, struct err *err)
{
	return state_depends_looked_at(trial) <= LOOKED_AT_MAX ||
	       err_set(err, "the request changes too many dependencies at once, given those in the queue; "
			    "change fewer jobs at a time");
}

/*
 * Can all events of the request be applied? Several events are tried on a copy of the state, so that either
 * all of them are applied or none is. A single event needs no trial, because a refused event changes
 * nothing. The first event is checked before the copy is made.
 */
static bool would_apply(struct driver *d, const struct event *ev, size_t count, struct err *err)
{
	struct event first;
	struct state *trial;
	bool ok = true;

	if (count <= 1)
		return true;
	first = driver_in_time(d->st, &ev[0]);
	if (!event_check(d->st, &first, err))
		return false;
	trial = copy_for_trial(d);
	for (size_t i = 0; i < count && ok; i++) {
		struct event timely = driver_in_time(trial, &ev[i]);

		ok = is_within_work_limit(trial, err) && event_apply(trial, &timely, err);
	}
	return ok;
}

/* Can the event change the configuration of the host's node? An undo may revert any such change. */
static bool may_change_nodes(const struct event *ev)
{
	return ev->kind == EVENT_CONFIG || ev->kind == EVENT_UNDO ||
	       (ev->kind == EVENT_SETTING && (str_same_word(ev->setting.name, "rmpollinterval") ||
					      str_same_word(ev->setting.name, "devices") ||
					      str_same_word(ev->setting.name, "systemprocs") ||
					      str_same_word(ev->setting.name, "systemmemory")));
}

/*
 * Do all events only reduce the load or stop something? Such requests are accepted even if the store is
 * full.
 */
static bool is_allowed_without_room(const struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++)
		switch (ev[i].kind) {
		case EVENT_CANCEL:
		case EVENT_SIGNAL:
		case EVENT_SUSPEND:
		case EVENT_REQUEUE:
		case EVENT_HOLD:
		case EVENT_HALT:
			break;
		default:
			return false;
		}
	return true;
}

enum driver_outcome driver_accept(struct driver *d, struct event *ev, size_t count, struct err *err)
{
	bool configured = false;

	if (count > 0 && driver_is_stalled(d, ev->time_s)) {
		*err = d->stall.why;
		return DRIVER_REFUSED;
	}
	if (!driver_may_change(d, ev, count, err))
		return DRIVER_REFUSED;
	if (!is_allowed_without_room(ev, count) && !store_has_room(d, err))
		return DRIVER_REFUSED;
	if (!would_apply(d, ev, count, err))
		return DRIVER_REFUSED;
	for (size_t i = 0; i < count; i++) {
		struct event timely = driver_in_time(d->st, &ev[i]);

		if (!driver_apply(d, &timely, err))
			return DRIVER_REFUSED;
		driver_note_action(d, &timely);
		configured = configured || may_change_nodes(&timely);
		ev[i] = timely;
	}
	d->dirty = true;
	return configured && !ask_nodes(d, err) ? DRIVER_FAILED : DRIVER_DONE;
}

static enum driver_outcome refuse(struct driver *d, int64_t now_s, struct err *err)
{
	struct err why = *err;

	if (!recover(d, now_s, err))
		return DRIVER_FAILED;
	*err = why;
	return DRIVER_REFUSED;
}

/*
 * Returns FAILED if the actions fail after the commit. Nothing is lost then: the events are durable, and
 * recovery repeats the actions that follow from them.
 */
static enum driver_outcome commit_and_act(struct driver *d, int64_t now_s, struct err *err)
{
	if (!driver_commit(d, err))
		return refuse(d, now_s, err);
	return driver_carry_out(d, now_s, err) ? DRIVER_DONE : DRIVER_FAILED;
}

enum driver_outcome driver_post(struct driver *d, struct event *ev, size_t count, struct err *err)
{
	enum driver_outcome outcome = driver_accept(d, ev, count, err);

	return outcome == DRIVER_DONE ? commit_and_act(d, state_view(d->st)->now_s, err) : outcome;
}

enum driver_outcome driver_settle(struct driver *d, int64_t now_s, struct err *err)
{
	if (!driver_is_stalled(d, now_s) && d->poll_s == 0 && !gather(d, now_s, err))
		return DRIVER_FAILED;
	return driver_commit(d, err) ? DRIVER_DONE : refuse(d, now_s, err);
}

bool driver_carry_out(struct driver *d, int64_t now_s, struct err *err)
{
	return driver_act(d, now_s, err) || recover(d, now_s, err);
}

/* --- answers kept for repeated requests --------------------------------------------------------- */

void driver_remember(struct driver *d, const struct cookie *cookie, const void *answer, size_t size)
{
	if (d->ledger.ops == NULL)
		return;
	d->answered = vec_room(d->answered, &d->answered_cap, d->answered_count + 1, sizeof *d->answered);
	d->answered[d->answered_count++] =
		(struct answered){*cookie, arena_copy(&d->arena, answer, size), size};
}

static const struct answered *find_unsettled(const struct driver *d, const struct cookie *cookie)
{
	for (size_t i = 0; i < d->answered_count; i++) {
		const struct cookie *kept = &d->answered[i].cookie;

		if (kept->uid == cookie->uid && memcmp(kept->bytes, cookie->bytes, COOKIE_BYTES) == 0)
			return &d->answered[i];
	}
	return NULL;
}

bool driver_recall(const struct driver *d, const struct cookie *cookie, bool *known, struct str *out,
		   struct err *err)
{
	const struct answered *unsettled = find_unsettled(d, cookie);

	*known = unsettled != NULL;
	if (unsettled != NULL)
		str_add_bytes(out, unsettled->answer, unsettled->size);
	return *known || d->ledger.ops == NULL || d->ledger.ops->recall == NULL ||
	       d->ledger.ops->recall(d->ledger.self, cookie, known, out, err);
}

/* --- life cycle and settings -------------------------------------------------------------------- */

static void close_manager(struct rm *rm)
{
	if (rm->ops != NULL)
		rm->ops->close(rm->self);
	rm->ops = NULL;
}

static bool take_over(struct driver *d, struct err *err)
{
	if (d->ledger.ops != NULL && !d->ledger.ops->load(d->ledger.self, d->st, err))
		return false;
	if (d->rm.ops != NULL && !d->rm.ops->adopt(d->rm.self, state_view(d->st), err))
		return false;
	state_set_watched(d->st, driver_is_watching(d));
	if (!ask_nodes(d, err))
		return false;
	d->dirty = snapshot_count(state_view(d->st), TABLE_WAITING) > 0 ||
		   snapshot_count(state_view(d->st), TABLE_CHANGES) > 0;
	return driver_commit(d, err);
}

struct driver *driver_new(struct rm rm, struct ledger ledger, struct err *err)
{
	struct driver *d = mem_zero(1, sizeof *d);

	d->st = state_new();
	d->cycle = cycle_new();
	d->rm = rm;
	d->ledger = ledger;
	d->outputs = outputs_cache_new();
	d->due_s = TIME_NEVER;
	d->step_s = TIME_NONE;
	d->stats.decisions_hash = DECISION_HASH_BEGIN;
	if (take_over(d, err))
		return d;
	driver_free(d);
	return NULL;
}

void driver_free(struct driver *d)
{
	if (d == NULL)
		return;
	close_manager(&d->rm);
	cycle_free(d->cycle);
	state_free(d->trial);
	state_free(d->st);
	outputs_cache_free(d->outputs);
	arena_free(&d->arena);
	free(d->event);
	free(d->ended);
	free(d->answered);
	free(d->action);
	arena_free(&d->action_arena);
	free(d->given_up.run);
	enact_clear(&d->enact);
	str_free(&d->launch);
	str_free(&d->barred);
	free(d);
}

void driver_set_watch_end(struct driver *d, driver_watch_end *watch, void *self)
{
	d->watch_end = watch;
	d->watch_end_self = self;
}

void driver_reserve_ids(struct driver *d, uint64_t last)
{
	state_reserve_ids(d->st, last);
}

void driver_set_watch(struct driver *d, driver_watch *watch, void *self)
{
	d->watch = watch;
	d->watch_self = self;
}

void driver_set_tell(struct driver *d, driver_tell *tell, void *self)
{
	d->tell = tell;
	d->tell_self = self;
}

void driver_set_warn(struct driver *d, driver_warn *warn, void *self)
{
	d->warn = warn;
	d->warn_self = self;
}

void driver_set_toll(struct driver *d, driver_toll *toll, void *self)
{
	d->toll = toll;
	d->toll_self = self;
}

void driver_bar_programs(struct driver *d, const char *why)
{
	str_clear(&d->barred);
	str_add(&d->barred, why != NULL ? why : "");
}

const struct snapshot *driver_view(const struct driver *d)
{
	return state_view(d->st);
}

const struct state *driver_state(const struct driver *d)
{
	return d->st;
}

void driver_get_stats(const struct driver *d, struct driver_stats *out)
{
	*out = d->stats;
}

/* --- hash of decisions --------------------------------------------------------------------------------- */

static void add_number(uint64_t *h, uint64_t n)
{
	*h = (*h ^ n) * UINT64_C(0x9e3779b97f4a7c15);
	*h ^= *h >> 32;
}

void decision_hash_add(uint64_t *h, const struct event *ev)
{
	if (ev->kind != EVENT_START && ev->kind != EVENT_PLAN &&
	    (ev->kind != EVENT_SUSPEND || (ev->suspend.how & SUSPEND_RESUMED) == 0))
		return;
	add_number(h, (uint64_t)ev->kind);
	add_number(h, (uint64_t)ev->time_s);
	add_number(h, ev->job);
	if (ev->kind == EVENT_PLAN)
		add_number(h, (uint64_t)ev->plan.start_s);
	for (uint32_t i = 0; ev->kind == EVENT_START && i < ev->start.count; i++) {
		add_number(h, ev->start.runs[i].node);
		add_number(h, ev->start.runs[i].nodes);
		add_number(h, ev->start.runs[i].procs);
	}
}
