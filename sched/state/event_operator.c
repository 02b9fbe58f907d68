/* SPDX-License-Identifier: MIT */
/*
 * event_operator.c - events of operators and of passes, and advance reservations
 *
 * An operator's event leaves a change, to which a later undo can refer.
 */
#include <stdlib.h>
#include <string.h>

#include "event_inside.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/placement/placement.h"
#include "undo.h"

static const char *label_of(const struct snapshot *s, uint32_t slot, char buf[static JOB_LABEL_TEXT])
{
	return snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

/* --- holds and priorities --------------------------------------------------------------------- */

bool event_check_hold(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_HOLD, ev->hold.on ? "a hold" : "a release", err);
	const struct job *job;
	const char *label;
	char buf[JOB_LABEL_TEXT];

	if (slot == INDEX_NONE)
		return false;
	if (ev->hold.bits == 0 || (ev->hold.bits & ~JOB_HOLD_ALL) != 0)
		return err_set(err, "no kind of hold was given; the kinds are user, system and batch");
	job = &snapshot_jobs(state_view(st))[slot];
	label = label_of(state_view(st), slot, buf);
	if (ev->hold.on && (job->holds & ev->hold.bits) == ev->hold.bits)
		return err_set(err, "job %s already has that hold (%s)", label, job_hold_names(job->holds));
	if (!ev->hold.on && (job->holds & ev->hold.bits) == 0)
		return err_set(err, "job %s has no such hold (its holds: %s)", label,
			       job_hold_names(job->holds));
	return true;
}

void event_apply_hold(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_HOLD);

	change.number = ev->hold.bits;
	change.on = ev->hold.on;
	state_add_change(st, &change, NULL, ev->hold.reason, ev->time_s);
}

bool event_check_priority(const struct state *st, const struct event *ev, struct err *err)
{
	if (event_job_slot(st, ev, JOB_REWEIGH, "a priority", err) == INDEX_NONE)
		return false;
	if (ev->priority.adjust > JOB_ADJUST_ABSOLUTE)
		return err_set(err, "a priority can only be set, changed by points, or reset");
	if (ev->priority.points > 1000000000 || ev->priority.points < -1000000000)
		return err_set(
			err,
			"a change of priority must be between -1000000000 and 1000000000 points, got %lld",
			(long long)ev->priority.points);
	if (ev->priority.adjust == JOB_ADJUST_ABSOLUTE && ev->priority.points < 0)
		return err_set(err, "an absolute priority must not be negative, got %lld",
			       (long long)ev->priority.points);
	return true;
}

void event_apply_priority(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_PRIORITY);

	change.number = ev->priority.points;
	change.on = ev->priority.adjust;
	state_add_change(st, &change, NULL, NULL, ev->time_s);
}

/* --- attributes and settings ------------------------------------------------------------------- */

#define ATTRIBUTES_MAX 32

static bool no_attribute(const char *name, struct err *err)
{
	const char *names[ATTRIBUTES_MAX], *nearest;
	size_t count = 0;

	for (; count < job_attribute_count && count < ATTRIBUTES_MAX; count++)
		names[count] = job_attributes[count].name;
	nearest = str_nearest(name, names, count);
	if (nearest == NULL)
		return err_set(err, "a job has no attribute %s that can be changed", name);
	return err_set(err, "a job has no attribute %s that can be changed; did you mean %s?", name, nearest);
}

bool event_check_modify(const struct state *st, const struct event *ev, struct err *err)
{
	uint32_t slot = event_job_slot(st, ev, JOB_MODIFY, "a change", err);
	const struct job_attribute *attribute;

	if (slot == INDEX_NONE)
		return false;
	if (ev->modify.name == NULL || ev->modify.value == NULL)
		return err_set(err, "an attribute and a value are required");
	attribute = state_find_attribute(ev->modify.name);
	if (attribute == NULL)
		return no_attribute(ev->modify.name, err);
	return state_check_attribute(st, &snapshot_jobs(state_view(st))[slot], attribute, ev->modify.value,
				     err);
}

void event_apply_modify(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_MODIFY);

	state_modify_job(st, &change, state_find(st, ev->job), state_find_attribute(ev->modify.name),
			 ev->modify.value);
}

bool event_check_setting(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_setting(st, ev->setting.name, ev->setting.value, err);
}

void event_apply_setting(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_SETTING);

	state_add_change(st, &change, ev->setting.name, ev->setting.value, ev->time_s);
}

/* --- temporary changes -------------------------------------------------------------------------------- */

bool event_check_keep(const struct state *st, const struct event *ev, struct err *err)
{
	const struct change *change = state_find_change(state_view(st), ev->keep.seq);

	return (change != NULL && snapshot_is_for_a_while(change)) ||
	       err_set(err, "entry %llu is not a temporary change in force",
		       (unsigned long long)ev->keep.seq);
}

void event_apply_keep(struct state *st, const struct event *ev)
{
	state_keep_for_good(st, ev->keep.seq);
	state_suspend_stays(st, ev->keep.seq, ev->time_s);
}

/*
 * Goes from the newest change to the oldest. The undos that the caller applies meanwhile are added after
 * position *at and are not temporary, so they need not be visited.
 */
bool event_returns(const struct state *st, int64_t now_s, uint32_t *at, struct event *ev)
{
	const struct snapshot *s = state_view(st);
	const struct change *change = snapshot_changes(s);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);

	for (*at = *at < count ? *at : count; s->timed_changes > 0 && *at > 0;) {
		const struct change *one = &change[--*at];
		enum undo_bar bar;

		if (!snapshot_is_for_a_while(one) || one->until_s > now_s)
			continue;
		bar = undo_bar(s, one, one->job == 0 ? INDEX_NONE : state_find(st, one->job));
		ev->kind = bar == UNDO_OPEN ? EVENT_UNDO : EVENT_KEEP;
		ev->why = bar == UNDO_OPEN ? "the temporary change is over" : undo_bar_text(bar);
		ev->job = 0;
		ev->undo.seq = one->seq;
		return true;
	}
	return false;
}

/* --- undo -------------------------------------------------------------------------------------- */

static bool refuse_undo(const struct state *st, const struct change *change, enum undo_bar bar,
			uint64_t number, struct err *err)
{
	const struct snapshot *s = state_view(st);
	unsigned long long seq = number;
	char label[JOB_LABEL_TEXT];

	switch (bar) {
	case UNDO_DONE:
		return err_set(err, "entry %llu has been undone already", seq);
	case UNDO_STARTED:
		return err_set(err, "entry %llu cannot be undone: job %s has started since", seq,
			       label_of(s, state_find(st, change->job), label));
	case UNDO_STOPPED:
		return err_set(err, "entry %llu cannot be undone: job %s is no longer running", seq,
			       label_of(s, state_find(st, change->job), label));
	case UNDO_OVER:
		return err_set(err,
			       "entry %llu cannot be undone: it undid a temporary change that is over; make "
			       "that change again",
			       seq);
	default:
		return err_set(err,
			       "entry %llu cannot be undone: it is not a change of an operator, or what it "
			       "changed no longer exists",
			       seq);
	}
}

/* Can a reservation or its release be undone in this state? */
static bool can_move(const struct state *st, const struct change *change, struct err *err)
{
	const struct change *moved = state_change_moved(state_view(st), change);

	return (moved->kind != CHANGE_RESERVE && moved->kind != CHANGE_UNRESERVE) ||
	       state_can_reserve(st, err);
}

bool event_check_undo(const struct state *st, const struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(st);
	const struct change *change = state_find_change(s, ev->undo.seq);
	enum undo_bar bar;

	if (change == NULL)
		return refuse_undo(st, NULL, UNDO_UNKNOWN, ev->undo.seq, err);
	bar = undo_bar(s, change, state_find(st, change->job));
	return bar == UNDO_OPEN ? can_move(st, change, err) : refuse_undo(st, change, bar, ev->undo.seq, err);
}

void event_apply_undo(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_UNDO);

	change.job = state_find_change(state_view(st), ev->undo.seq)->job;
	change.number = (int64_t)ev->undo.seq;
	state_add_change(st, &change, NULL, NULL, ev->time_s);
}

/*
 * --- events of a pass: plans, counts, deferrals ----------------------------------------------------------
 */

static bool check_waiting_job(const struct state *st, uint64_t id, struct err *err)
{
	uint32_t slot = state_find(st, id);

	if (slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != JOB_IDLE)
		return err_set(err, "job %llu is not idle", (unsigned long long)id);
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
		return err_set(err, "the reservation of job %llu names nodes, but has no start time",
			       (unsigned long long)ev->job);
	return state_check_named(st, &snapshot_jobs(state_view(st))[state_find(st, ev->job)], ev->plan.runs,
				 ev->plan.count, err);
}

void event_apply_plan(struct state *st, const struct event *ev)
{
	state_plan_job(st, state_find(st, ev->job), ev->plan.start_s, ev->plan.runs, ev->plan.count);
}

/* --- events about several jobs ------------------------------------------------------------------------ */

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

/*
 * Resumes (on) or stops the accrual of a job's queue time. A period of less than a poll interval is not
 * counted: accrual_s is then set to the time of the stop, too (cycle.c).
 */
static void switch_accrual(struct state *st, uint64_t id, bool on, int64_t now_s)
{
	uint32_t slot = state_find(st, id);
	struct job job = *state_job(st, slot);

	job.flags = on ? job.flags & (uint8_t)~JOB_ACCRUAL_PAUSED : job.flags | JOB_ACCRUAL_PAUSED;
	if (on ||
	    (job.accrual_s > job.submit_s && now_s - job.accrual_s < state_view(st)->policy.poll_interval_s))
		job.accrual_s = now_s;
	state_edit_waiting(st, slot, &job);
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

/* --- bypasses and node orders --------------------------------------------------------------------- */

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

/* --- deferrals ----------------------------------------------------------------------------- */

static bool check_failed_start(const struct state *st, uint64_t id, struct err *err)
{
	uint32_t slot = state_find(st, id);
	const struct job *job = &snapshot_jobs(state_view(st))[slot == INDEX_NONE ? 0 : slot];

	if (slot == INDEX_NONE || job->state != JOB_RUNNING)
		return err_set(err, "job %llu was not started, so its start cannot have failed",
			       (unsigned long long)id);
	return (job->flags & JOB_CANCELLED) == 0 ||
	       err_set(err, "job %llu was cancelled: a failed start must be reported as its end",
		       (unsigned long long)id);
}

static void defer(struct state *st, struct job *job, const struct event *ev);

static void retry(struct state *st, struct job *job, const struct event *ev);

bool event_check_defer(const struct state *st, const struct event *ev, struct err *err)
{
	unsigned long long id = ev->job;

	if (!(ev->defer.failed_start ? check_failed_start : check_waiting_job)(st, ev->job, err))
		return false;
	if (ev->defer.retry && (!ev->defer.failed_start || ev->defer.until_s == TIME_NONE))
		return err_set(
			err, "job %llu: a retry is possible only after a failed start, and needs a time", id);
	if (ev->defer.until_s != TIME_NONE)
		return ev->defer.until_s >= ev->time_s ||
		       err_set(err, "job %llu cannot be deferred until a time in the past", id);
	return ev->defer.failed_start ||
	       snapshot_jobs(state_view(st))[state_find(st, ev->job)].defer_until_s != TIME_NONE ||
	       err_set(err, "job %llu is not deferred", id);
}

/*
 * After DEFERCOUNT deferrals the scheduler sets a batch hold, so that an operator looks at the job. The hold
 * is a change, so that earlier changes do not release it.
 */
static void hold_after_defers(struct state *st, const struct event *ev, const struct job *job)
{
	struct change hold = {
		.seq = ev->seq, .job = job->id, .kind = CHANGE_HOLD, .number = JOB_HOLD_BATCH, .on = 1};
	struct str why = {0};

	if (job->defer_count <= state_view(st)->policy.defer_count || (job->holds & JOB_HOLD_BATCH) != 0)
		return;
	str_addf(&why, HOLD_AFTER_DEFERS "%u times%s%s", job->defer_count,
		 ev->defer.reason == NULL ? "" : ", most recently: ",
		 ev->defer.reason == NULL ? "" : ev->defer.reason);
	state_add_change(st, &hold, NULL, str_text(&why), ev->time_s);
	str_free(&why);
}

/* The queue time restarts at 0 when the deferral ends. */
static void defer(struct state *st, struct job *job, const struct event *ev)
{
	state_wipe_string(st, job->base_reason);
	job->base_reason = state_add_string(st, ev->defer.reason);
	job->defer_until_s = job->accrual_s = ev->defer.until_s;
	job->defer_count++;
	job->retries = 0;
}

/* The failure is not the job's fault: it keeps its queue time, and the start does not count as failed. */
static void retry(struct state *st, struct job *job, const struct event *ev)
{
	state_wipe_string(st, job->base_reason);
	job->base_reason = state_add_string(st, ev->defer.reason);
	job->defer_until_s = ev->defer.until_s;
	if (job->retries < JOB_RETRIES_MAX)
		job->retries++;
}

/*
 * A failed start is charged if the job is deferred or retried, because the user may have caused a late
 * failure, by a signal, or by a file system for which PAM or the kernel waits.
 */
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

/* --- advance reservations ----------------------------------------------------------------------------- */

/*
 * Administrators may reserve any nodes, including nodes with running jobs: these continue, and the
 * reservation takes what they release. A user's reservation must be within the limits of the site, must not
 * take processors that other jobs may still hold then, must not delay job reservations, and must include the
 * user who makes it.
 */

/* --- reservations of users ---------------------------------------------------------------------------- */

static bool is_for(const struct advance_text *a, const char *user)
{
	for (size_t i = 0; i < a->guest_count; i++)
		if (a->guest[i].type == CRED_USER && strcmp(a->guest[i].name, user) == 0)
			return true;
	return false;
}

static uint32_t own_reservations(const struct snapshot *s, const char *user, int64_t now_s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];

		count += a->personal && !advance_is_over(a, now_s) &&
			 strcmp(snapshot_string(s, a->owner), user) == 0;
	}
	return count;
}

static bool check_count(const struct snapshot *s, const char *user, int64_t now_s, struct err *err)
{
	int64_t most = s->policy.user_reservations;

	if (most == 0)
		return err_set(err, "users may not make reservations at this site (userreservations is 0)");
	return own_reservations(s, user, now_s) < most ||
	       err_set(err, "%s already has %lld reservation%s, the maximum for a user", user,
		       (long long)most, most == 1 ? "" : "s");
}

static bool check_length(const struct policy *policy, const struct advance_text *a, int64_t now_s,
			 struct err *err)
{
	int64_t begin_s = a->begin_s > now_s ? a->begin_s : now_s, most_s = policy->user_reservation_s;
	char is[DURATION_TEXT], most[DURATION_TEXT];

	if (a->end_s == TIME_NEVER)
		return err_set(err, "a user's reservation needs an end");
	return most_s == 0 || a->end_s - begin_s <= most_s ||
	       err_set(err, "a user's reservation lasts at most %s, not %s", duration_text(most, most_s),
		       duration_text(is, a->end_s - begin_s));
}

/*
 * A requested reservation: the processors on each node, their sum, and a placement that tells which
 * processors remain free.
 */
struct asking {
	const struct snapshot *s;
	const struct advance_text *text;
	struct placement *placement;
	uint32_t *procs; /* by node */
	int64_t sum, now_s;
};

static void add_node(struct asking *k, uint32_t node, uint32_t procs)
{
	k->procs[node] = procs > 0 ? procs : snapshot_nodes(k->s)[node].procs;
	k->sum += k->procs[node];
}

static bool has_spare(const struct asking *k, uint32_t node)
{
	return k->procs[node] == 0 ||
	       placement_spare(k->placement, node, k->text->begin_s, k->text->end_s) >= k->procs[node];
}

/*
 * Checks that the requested processors of a node are free of other jobs and reservations until the end of the
 * requested reservation.
 */
static bool check_node(const struct asking *k, uint32_t node, struct err *err)
{
	int64_t spare = placement_spare(k->placement, node, k->text->begin_s, k->text->end_s);

	return spare >= k->procs[node] ||
	       err_set(err, "node %s will have only %lld processors free in this period, not %lld",
		       snapshot_string(k->s, snapshot_nodes(k->s)[node].name),
		       (long long)(spare > 0 ? spare : 0), (long long)k->procs[node]);
}

/* --- effect on reserved starts of waiting jobs -------------------------------------------------------- */

/* Is the job a guest of the requested reservation? */
static bool is_invited(const struct asking *k, const struct job *job)
{
	for (size_t i = 0; i < k->text->guest_count; i++) {
		const struct advance_guest *guest = &k->text->guest[i];
		uint32_t cred = guest->type == GUEST_JOB ? INDEX_NONE : job->cred[guest->type];

		if (guest->type == GUEST_JOB
			    ? guest->job == job->id
			    : cred != INDEX_NONE &&
				      strcmp(snapshot_string(k->s, snapshot_creds(k->s)[cred].name),
					     guest->name) == 0)
			return true;
	}
	return false;
}

/* Counts the named nodes of a planned start as reserved. Returns false if they overlap the request. */
static bool keep_named(struct asking *k, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct job *job = &snapshot_jobs(k->s)[slot];
	bool good = true;

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(k->s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(k->s)[at];

		placement_count_reservation(k->placement, slot, begin_s, end_s, run, 1);
		for (uint32_t n = run->node; good && n < run->node + run->nodes; n++)
			good = has_spare(k, n);
	}
	return good;
}

/*
 * Counts processors for a planned start without named nodes as reserved. If this start overlaps the requested
 * reservation in time, counts only processors that are not requested. Returns false if there are too few.
 */
static bool keep_floating(struct asking *k, uint32_t slot, int64_t begin_s, int64_t end_s, bool overlaps)
{
	int64_t left = job_procs(&snapshot_jobs(k->s)[slot]);

	for (uint32_t n = 0; left > 0 && n < snapshot_count(k->s, TABLE_NODES); n++) {
		int64_t spare =
			placement_spare(k->placement, n, begin_s, end_s) - (overlaps ? k->procs[n] : 0);
		uint32_t procs = (uint32_t)(spare < left ? spare : left);
		const struct alloc_run run = {
			.node = n, .nodes = 1, .procs = procs, .tasks = procs, .next = INDEX_NONE};

		if (spare <= 0)
			continue;
		placement_count_reservation(k->placement, slot, begin_s, end_s, &run, 1);
		left -= procs;
	}
	return left == 0;
}

static bool check_plan(struct asking *k, uint32_t slot, struct err *err)
{
	const struct job *job = &snapshot_jobs(k->s)[slot];
	int64_t begin_s = job->planned_s > k->now_s ? job->planned_s : k->now_s, end_s;
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	bool overlaps, kept;

	if (job->planned_s == TIME_NEVER)
		return true;
	end_s = begin_s + job->wall_limit_s;
	overlaps = k->text->begin_s < end_s && k->text->end_s > begin_s;
	if (overlaps && is_invited(k, job))
		return true;
	kept = job->run != INDEX_NONE ? keep_named(k, slot, begin_s, end_s)
				      : keep_floating(k, slot, begin_s, end_s, overlaps);
	return kept || !overlaps ||
	       err_set(err,
		       "the reservation would delay job %s, whose reserved start is %s; reserve other "
		       "processors, or another time",
		       snapshot_job_label(k->s, job, label), moment_short(when, job->planned_s, k->now_s));
}

static bool check_plans(struct asking *k, struct err *err)
{
	bool good = true;

	for (uint32_t i = 0; good && k->s->planned > 0 && i < snapshot_count(k->s, TABLE_WAITING); i++)
		good = check_plan(k, snapshot_waiting(k->s)[i].slot, err);
	return good;
}

static bool check_nodes(const struct state *st, const struct advance_text *a, int64_t now_s, int64_t *sum,
			struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	struct asking k = {.s = s, .text = a, .now_s = now_s};
	bool good = true;

	k.placement = placement_new();
	k.procs = mem_zero((size_t)nodes + 1, sizeof *k.procs);
	placement_begin(k.placement, s, now_s);
	for (uint32_t n = 0; a->all_nodes && n < nodes; n++)
		add_node(&k, n, 0);
	for (size_t i = 0; i < a->place_count; i++)
		add_node(&k, state_find_node(st, a->place[i].node), a->place[i].procs);
	for (uint32_t n = 0; good && n < nodes; n++)
		good = k.procs[n] == 0 || check_node(&k, n, err);
	good = good && check_plans(&k, err);
	*sum = k.sum;
	placement_free(k.placement);
	free(k.procs);
	return good;
}

static bool check_personal(const struct state *st, const struct event *ev, const struct advance_text *a,
			   struct err *err)
{
	const struct snapshot *s = state_view(st);
	int64_t most = s->policy.user_reservation_procs, procs = 0;

	if (ev->who == NULL || !is_for(a, ev->who))
		return err_set(err, "a user's reservation must include that user");
	if (!check_count(s, ev->who, ev->time_s, err) || !check_length(&s->policy, a, ev->time_s, err) ||
	    !check_nodes(st, a, ev->time_s, &procs, err))
		return false;
	return most == 0 || procs <= most ||
	       err_set(err, "a user's reservation has at most %lld processors, not %lld", (long long)most,
		       (long long)procs);
}

/* --- the events ------------------------------------------------------------------------------------ */

bool event_check_reserve(const struct state *st, const struct event *ev, struct err *err)
{
	struct advance_text a;
	bool good;

	if (!state_can_reserve(st, err) || !advance_read(ev->reserve.text, &a, err))
		return false;
	good = state_check_advance(st, ev->reserve.name, &a, ev->time_s, err) &&
	       (!a.personal || check_personal(st, ev, &a, err));
	advance_text_free(&a);
	return good;
}

void event_apply_reserve(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_RESERVE);

	state_reserve(st, &change, ev->reserve.name, ev->reserve.text, ev->who, ev->time_s);
}

bool event_check_unreserve(const struct state *st, const struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(st);
	const char *name = ev->reserve.name == NULL ? "" : ev->reserve.name;
	uint32_t i = snapshot_find_advance(s, name);

	if (!state_can_reserve(st, err))
		return false;
	if (i == INDEX_NONE || advance_is_over(&snapshot_advances(s)[i], ev->time_s))
		return err_set(err, "there is no reservation %s; 'kahu reservations' lists them", name);
	return true;
}

void event_apply_unreserve(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_UNRESERVE);

	state_unreserve(st, &change, ev->reserve.name);
}
