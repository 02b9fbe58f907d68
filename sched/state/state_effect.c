/* SPDX-License-Identifier: MIT */
/*
 * state_effect.c - effects of operators' changes, and of undoing them
 *
 * The value in force is the submitted value with all live changes applied in the order in which they were
 * made; so undoing an entry in the middle needs no inverse operation.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "state_inside.h"

/* --- holds and priorities ---------------------------------------------------------------------- */

/* Applies one change on top of the previous ones. */
static void change_job(struct job *job, const struct change *change)
{
	uint8_t bits = (uint8_t)change->number;

	if (change->kind == CHANGE_HOLD) {
		job->holds = change->on ? job->holds | bits : job->holds & (uint8_t)~bits;
	} else if (change->kind == CHANGE_PRIORITY) {
		job->adjust = (uint8_t)change->on;
		job->points = change->number;
	}
}

/* Resets the job to its submitted values and applies all live changes in order. */
static void change_job_again(const struct state *st, struct job *job)
{
	const struct change *change = snapshot_changes(st->s);
	struct change_list list = state_list_changes(st, job->id);

	job->holds = job->base_holds;
	job_take_base_points(job);
	for (size_t i = 0; i < list.count; i++)
		if (!change[list.at[i]].dead)
			change_job(job, &change[list.at[i]]);
	free(list.at);
}

/* Does the change set a hold that was not set before it and is still set? Then it provides the reason. */
static bool provides_reason(const struct change *change, const struct job *then, const struct job *job)
{
	uint8_t bits = (uint8_t)change->number;

	return change->on && (then->holds & bits) != bits && (job->holds & bits) != 0;
}

/*
 * Returns why the job is held or deferred: the reason for the newest hold in force, otherwise that of the
 * scheduler.
 */
static uint32_t hold_reason(const struct state *st, const struct job *job)
{
	const struct change *change = snapshot_changes(st->s);
	struct job then = {.holds = job->base_holds};
	uint32_t reason = job->base_reason;
	struct change_list list;

	if (job->holds == 0)
		return job->defer_until_s == TIME_NONE ? 0 : reason;
	list = state_list_changes(st, job->id);
	for (size_t i = 0; i < list.count; i++) {
		const struct change *one = &change[list.at[i]];

		if (one->kind != CHANGE_HOLD || one->dead)
			continue;
		if (provides_reason(one, &then, job))
			reason = one->value;
		change_job(&then, one);
	}
	free(list.at);
	return reason;
}

void state_note_reason(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);

	job->hold_reason = hold_reason(st, job);
}

/* --- attributes --------------------------------------------------------------------------------- */

static bool modifies(const struct snapshot *s, const struct change *change, const char *name)
{
	return change->kind == CHANGE_MODIFY && strcmp(snapshot_string(s, change->name), name) == 0;
}

/*
 * Returns the oldest change of an attribute, whose base is the submitted value; NULL if the attribute was
 * never changed.
 */
static const struct change *first_modify(const struct snapshot *s, const struct job *job, const char *name)
{
	const struct change *first = NULL;

	for (const struct change *c = state_newest_change(s, job); c != NULL; c = state_change_before(s, c))
		if (modifies(s, c, name))
			first = c;
	return first;
}

/* Does the text request the QOS that the job already has? Then nothing else changes. */
static bool is_same_qos(const struct snapshot *s, const struct job *job,
			const struct job_attribute *attribute, const char *text)
{
	const char *qos = snapshot_job_cred(s, job, CRED_QOS);

	return strcmp(attribute->name, "qos") == 0 && qos != NULL && strcmp(qos, text) == 0;
}

/* Drops the job's planned start and its node order, which are no longer valid. */
static void forget_plan(struct state *st, uint32_t slot, struct job *changed)
{
	state_unplan_job(st, slot);
	changed->planned_s = state_job(st, slot)->planned_s;
	changed->run = state_job(st, slot)->run;
	state_waste_string(st, changed->order);
	changed->order = 0;
}

/* Sets an attribute. If the value is the same, the job keeps its reservation. text must not be one of the
 * state's own strings. */
static void set_attribute(struct state *st, uint32_t slot, const struct job_attribute *attribute,
			  const char *text)
{
	bool same = is_same_qos(st->s, state_job(st, slot), attribute, text);
	struct job job = *state_job(st, slot);
	struct str before = {0}, after = {0};

	state_print_attribute(st->s, &job, attribute, &before);
	state_set_attribute(st, &job, attribute, text);
	state_print_attribute(st->s, &job, attribute, &after);
	if (!same && strcmp(str_text(&before), str_text(&after)) != 0)
		forget_plan(st, slot, &job);
	state_edit_waiting(st, slot, &job);
	state_restate_job(st, slot);
	str_free(&before);
	str_free(&after);
}

void state_modify_job(struct state *st, const struct change *change, uint32_t slot,
		      const struct job_attribute *attribute, const char *text)
{
	const struct change *first = first_modify(st->s, state_job(st, slot), attribute->name);
	struct str base = {0}, value = {0};

	if (first != NULL)
		str_add(&base, snapshot_string(st->s, first->base));
	else
		state_print_attribute(st->s, state_job(st, slot), attribute, &base);
	set_attribute(st, slot, attribute, text);
	state_print_attribute(st->s, state_job(st, slot), attribute, &value);
	state_keep_change(st, change, attribute->name, str_text(&value), str_text(&base));
	str_free(&base);
	str_free(&value);
}

/* Sets the attribute to the value of its newest live change, or else to its submitted value. */
static void modify_again(struct state *st, uint32_t slot, const char *name)
{
	const struct job_attribute *attribute = state_find_attribute(name);
	const struct change *newest = state_newest_change(st->s, state_job(st, slot));
	struct str text = {0};
	uint32_t at;

	while (newest != NULL && (newest->dead || !modifies(st->s, newest, name)))
		newest = state_change_before(st->s, newest);
	at = newest != NULL ? newest->value : first_modify(st->s, state_job(st, slot), name)->base;
	str_add(&text, snapshot_string(st->s, at));
	if (attribute != NULL)
		set_attribute(st, slot, attribute, str_text(&text));
	str_free(&text);
}

/* --- pause of the scheduler, suspended jobs ------------------------------------------------------ */

/* Returns the newest live pause; NULL if there is none. */
static struct change *newest_halt(struct state *st)
{
	struct change *change = state_item(st, TABLE_CHANGES, 0);

	for (uint32_t i = snapshot_count(st->s, TABLE_CHANGES); i-- > 0;)
		if (change[i].kind == CHANGE_HALT && !change[i].dead)
			return &change[i];
	return NULL;
}

static const struct change *first_halt(const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_HALT)
			return &change[i];
	return NULL;
}

static void halt_again(struct state *st)
{
	const struct change *change = newest_halt(st);

	st->s->halted = change != NULL ? change->on : first_halt(st->s)->base != 0;
	st->s->halt_after = change != NULL && change->on ? (uint32_t)change->number : 0;
}

void state_count_halt(struct state *st, bool on, uint32_t after)
{
	struct change *change = newest_halt(st);

	st->s->halted = on;
	st->s->halt_after = on ? after : 0;
	if (change == NULL)
		return;
	change->number = st->s->halt_after;
	state_mark_change(st, (uint32_t)(change - snapshot_changes(st->s)));
}

/*
 * The processors of a job are released, or not, when it is suspended; another suspend event does not change
 * this until the job runs again.
 */
static void suspend_job(struct state *st, uint32_t slot, int64_t how, int64_t until_s, int64_t now_s)
{
	bool was_suspended = job_is_suspended(state_job(st, slot));
	struct job *job;

	if (!was_suspended && (how & SUSPEND_RELEASE) != 0)
		state_release_procs(st, slot, now_s);
	state_unlist_running(st, slot);
	job = state_job(st, slot);
	if (!was_suspended)
		job->suspended_at_s = now_s;
	job->real &= (uint8_t) ~(JOB_REAL_RESUMES | JOB_REAL_OWNER);
	job->real |= JOB_REAL_SUSPENDED;
	if ((how & SUSPEND_BY_OWNER) != 0)
		job->real |= JOB_REAL_OWNER;
	job->resume_s = until_s;
	state_list_running(st, slot);
}

/* A job whose processors are released stays suspended until a pass finds them free. */
static void resume_job(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	if (!job_is_suspended(job))
		return;
	if (!job_is_released(job)) {
		state_resume_job(st, slot, now_s);
		return;
	}
	state_unlist_running(st, slot);
	job = state_job(st, slot);
	job->real &= (uint8_t)~JOB_REAL_OWNER;
	job->real |= JOB_REAL_RESUMES;
	job->resume_s = 0;
	state_list_running(st, slot);
}

static void suspend_again(struct state *st, uint32_t slot, int64_t now_s)
{
	const struct change *change = state_newest_change(st->s, state_job(st, slot));

	while (change != NULL && (change->kind != CHANGE_SUSPEND || change->dead))
		change = state_change_before(st->s, change);
	if (change != NULL && change->on)
		suspend_job(st, slot, change->number, change->until_s, now_s); /* may move the tables */
	else
		resume_job(st, slot, now_s);
}

/* --- making and undoing changes ------------------------------------------------------------------ */

/*
 * Applies a new change of a hold or priority, or (is_new false) applies all live changes again. Only after a
 * new hold is it certain which reason is shown; otherwise it is determined from all changes.
 */
static void apply_to_job(struct state *st, uint32_t slot, const struct change *change, bool is_new)
{
	struct job job = *state_job(st, slot);

	if (is_new)
		change_job(&job, change);
	else
		change_job_again(st, &job);
	job.hold_reason =
		is_new && change->kind == CHANGE_HOLD && change->on ? change->value : hold_reason(st, &job);
	state_edit_waiting(st, slot, &job);
}

/* Updates what a change affects after it was made (is_new) or undone. */
static void apply_touched(struct state *st, const struct change *change, bool is_new, int64_t now_s)
{
	uint32_t slot = change->job == 0 ? INDEX_NONE : state_find(st, change->job);
	struct str name = {0};

	if (change->kind == CHANGE_SETTING)
		state_rebuild_policy(st);
	if (change->kind == CHANGE_RESERVE || change->kind == CHANGE_UNRESERVE)
		state_rebuild_advances(st, NULL);
	if (change->kind == CHANGE_HALT)
		halt_again(st);
	if (slot == INDEX_NONE)
		return;
	if (change->kind == CHANGE_SUSPEND) {
		suspend_again(st, slot, now_s);
	} else if (change->kind == CHANGE_MODIFY) {
		str_add(&name, snapshot_string(st->s, change->name));
		modify_again(st, slot, str_text(&name));
		str_free(&name);
	} else {
		apply_to_job(st, slot, change, is_new);
	}
}

void state_add_change(struct state *st, const struct change *change, const char *name, const char *value,
		      int64_t now_s)
{
	bool was_halted = change->kind == CHANGE_HALT && st->s->halted != 0 && first_halt(st->s) == NULL;
	const struct change *added = state_keep_change(st, change, name, value, was_halted ? "paused" : NULL);
	const struct change *moved = added;
	bool is_undo = change->kind == CHANGE_UNDO;

	if (is_undo) {
		state_kill_named(st, snapshot_count(st->s, TABLE_CHANGES) - 1);
		moved = state_change_moved(st->s, added);
	}
	if (moved != NULL) {
		struct change copy = *moved;

		apply_touched(st, &copy, !is_undo, now_s);
	}
}

void state_suspend_stays(struct state *st, uint64_t seq, int64_t now_s)
{
	const struct change *change = state_find_change(st->s, seq);
	uint32_t slot = change->kind == CHANGE_SUSPEND ? state_find(st, change->job) : INDEX_NONE;

	if (slot != INDEX_NONE && state_job(st, slot)->state == JOB_RUNNING)
		suspend_again(st, slot, now_s);
}
