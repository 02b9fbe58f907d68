/* SPDX-License-Identifier: MIT */
/*
 * event_operator.c - what do operators change, and when is it refused?
 *
 * Each of these leaves a change behind, which a later undo may name.
 */
#include "event_inside.h"
#include "sched/base/str.h"
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
		return err_set(err, "job %s has that hold already (%s)", label, job_hold_names(job->holds));
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
		return err_set(err, "a priority is set, added or taken away; nothing else");
	if (ev->priority.points > 1000000000 || ev->priority.points < -1000000000)
		return err_set(err, "a priority change of %lld is beyond +-1000000000",
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
		return err_set(err, "no attribute was named, or no value for it");
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

/* --- for a while ------------------------------------------------------------------------------- */

bool event_check_keep(const struct state *st, const struct event *ev, struct err *err)
{
	const struct change *change = state_find_change(state_view(st), ev->keep.seq);

	return (change != NULL && snapshot_is_for_a_while(change)) ||
	       err_set(err, "entry %llu is no change that was made for a while and still holds",
		       (unsigned long long)ev->keep.seq);
}

void event_apply_keep(struct state *st, const struct event *ev)
{
	state_keep_for_good(st, ev->keep.seq);
	state_suspend_stays(st, ev->keep.seq, ev->time_s);
}

/* Newest first. Undoing a change adds no change that is over already, and none behind *at. */
bool event_returns(const struct snapshot *s, int64_t now_s, uint32_t *at, struct event *ev)
{
	const struct change *change = snapshot_changes(s);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);

	for (*at = *at < count ? *at : count; s->timed_changes > 0 && *at > 0;) {
		const struct change *one = &change[--*at];
		enum undo_bar bar;

		if (!snapshot_is_for_a_while(one) || one->until_s > now_s)
			continue;
		bar = undo_bar_of(s, one->seq);
		ev->kind = bar == UNDO_OPEN ? EVENT_UNDO : EVENT_KEEP;
		ev->why = bar == UNDO_OPEN ? "it was for a while" : undo_bar_text(bar);
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
		return err_set(err, "entry %llu cannot be undone: job %s has started since then", seq,
			       label_of(s, state_find(st, change->job), label));
	case UNDO_STOPPED:
		return err_set(err, "entry %llu cannot be undone: job %s does not run any more", seq,
			       label_of(s, state_find(st, change->job), label));
	case UNDO_OVER:
		return err_set(err,
			       "entry %llu cannot be undone: what it took back was made for a while that is "
			       "over; make it again",
			       seq);
	default:
		return err_set(err,
			       "entry %llu cannot be undone: it is no change of an operator, or what it was "
			       "about has ended",
			       seq);
	}
}

/* Of a reservation, or of its release: can it be done here? */
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
