/* SPDX-License-Identifier: MIT */
/*
 * state_change.c - what do the changes of operators make of jobs, and what is left when one is undone?
 *
 * Changes stand in a table in the order in which they were made. What is in force is what was
 * submitted with all live ones applied in that order; so undoing an entry in the middle needs
 * no inverse.
 */
#include <string.h>

#include "state_inside.h"

const struct change *state_find_change(const struct snapshot *s, uint64_t seq)
{
	const struct change *change = snapshot_changes(s);
	uint32_t low = 0, high = snapshot_count(s, TABLE_CHANGES);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (change[middle].seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low < snapshot_count(s, TABLE_CHANGES) && change[low].seq == seq ? &change[low] : NULL;
}

/* Newest first: an undo that is itself alive kills what it names. */
void state_mark_dead_changes(struct state *st)
{
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t count = snapshot_count(st->s, TABLE_CHANGES);

	for (uint32_t i = 0; i < count; i++)
		change[i].dead = 0;
	for (uint32_t i = count; i-- > 0;) {
		const struct change *found;

		if (change[i].kind != CHANGE_UNDO || change[i].dead)
			continue;
		found = state_find_change(st->s, (uint64_t)change[i].number);
		if (found != NULL)
			change[found - change].dead = 1;
	}
}

/* One more change on top of those before it. */
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

/* The job as it was submitted with all its live changes, in order. */
static void change_job_again(const struct state *st, struct job *job)
{
	const struct change *change = snapshot_changes(st->s);

	job->holds = job->base_holds;
	job->adjust = JOB_ADJUST_NONE;
	job->points = 0;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++)
		if (change[i].job == job->id && !change[i].dead)
			change_job(job, &change[i]);
}

/* Brings the thing a change touches up to date; a change of a job that is new, without looking at the others.
 */
static void apply_touched(struct state *st, const struct change *change, bool is_new)
{
	uint32_t slot;
	struct job job;

	if (change->job == 0) {
		if (change->kind == CHANGE_SETTING)
			state_rebuild_policy(st);
		return;
	}
	slot = state_find(st, change->job);
	if (slot == INDEX_NONE)
		return;
	job = *state_job(st, slot);
	if (is_new)
		change_job(&job, change);
	else
		change_job_again(st, &job);
	if (job.state == JOB_IDLE)
		state_edit_waiting(st, slot, &job);
	else
		*state_job(st, slot) = job;
}

/* Follows undo of undo to the change that really moves. */
static const struct change *undone_change(const struct snapshot *s, const struct change *change)
{
	while (change != NULL && change->kind == CHANGE_UNDO)
		change = state_find_change(s, (uint64_t)change->number);
	return change;
}

const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value)
{
	uint32_t name_at = state_add_string(st, name), value_at = state_add_string(st, value);
	struct change *added;

	state_make_room(st, TABLE_CHANGES, 1);
	added = state_item(st, TABLE_CHANGES, st->s->table[TABLE_CHANGES].count++);
	*added = *change;
	added->name = name_at;
	added->value = value_at;
	return added;
}

void state_add_change(struct state *st, const struct change *change, const char *name, const char *value)
{
	const struct change *added = state_keep_change(st, change, name, value);
	const struct change *moved = added;
	bool is_undo = change->kind == CHANGE_UNDO;

	if (is_undo) {
		state_mark_dead_changes(st);
		moved = undone_change(st->s, added);
	}
	if (moved != NULL) {
		struct change copy = *moved;

		apply_touched(st, &copy, !is_undo);
	}
}
