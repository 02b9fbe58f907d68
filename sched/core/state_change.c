/* SPDX-License-Identifier: MIT */
/*
 * state_change.c - which changes have operators made, and which of them are alive?
 *
 * They stand in a table in the order in which they were made. What they do: state_effect.c.
 */
#include "state_inside.h"

#define STEPS_MOST 8 /* down from undo to undo one by one */

/* The change of a number among those in [low, high). */
static const struct change *find_within(const struct snapshot *s, uint64_t seq, uint32_t low, uint32_t high)
{
	const struct change *change = snapshot_changes(s);
	uint32_t end = high;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (change[middle].seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && change[low].seq == seq ? &change[low] : NULL;
}

const struct change *state_find_change(const struct snapshot *s, uint64_t seq)
{
	return find_within(s, seq, 0, snapshot_count(s, TABLE_CHANGES));
}

/* What an undo, which stands at i, names: most often something a few places before it. NULL: it is gone. */
static const struct change *find_named(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);
	uint64_t seq = (uint64_t)change[i].number;
	uint32_t step = 1, high = i;

	while (step <= high && change[high - step].seq > seq) {
		high -= step;
		step *= 2;
	}
	return find_within(s, seq, step <= high ? high - step : 0, high);
}

const struct change *state_change_moved(const struct snapshot *s, const struct change *change)
{
	while (change != NULL && change->kind == CHANGE_UNDO)
		change = find_named(s, (uint32_t)(change - snapshot_changes(s)));
	return change;
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
		found = find_named(st->s, i);
		if (found != NULL)
			change[found - change].dead = 1;
	}
}

/* Where the change stands that the one at i undoes; INDEX_NONE: it is no undo, or that one is gone. */
static uint32_t named_by(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);
	const struct change *found = change[i].kind == CHANGE_UNDO ? find_named(s, i) : NULL;

	return found == NULL ? INDEX_NONE : (uint32_t)(found - change);
}

/* Does an undo that is alive name the change at i? */
static bool is_undone(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t j = i + 1; j < snapshot_count(s, TABLE_CHANGES); j++)
		if (change[j].kind == CHANGE_UNDO && !change[j].dead &&
		    (uint64_t)change[j].number == change[i].seq)
			return true;
	return false;
}

/*
 * If what a new undo names is an undo too, what that one had killed lives again, unless
 * another still names it; and so on down to a change that is none. Of many undos one of the other all are
 * looked at once, as each step down looks at all that came after.
 */
void state_kill_named(struct state *st, uint32_t undo)
{
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	bool dies = true;
	uint32_t i = named_by(st->s, undo);

	for (int steps = 0; i != INDEX_NONE && steps < STEPS_MOST; steps++, i = named_by(st->s, i)) {
		bool dead = dies || is_undone(st->s, i);

		if ((change[i].dead != 0) == dead)
			return;
		change[i].dead = dead;
		dies = !dies;
	}
	if (i != INDEX_NONE)
		state_mark_dead_changes(st);
}

const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value, const char *base)
{
	uint32_t name_at = state_add_string(st, name), value_at = state_add_string(st, value);
	uint32_t base_at = state_add_string(st, base);
	struct change *added;

	state_make_room(st, TABLE_CHANGES, 1);
	added = state_item(st, TABLE_CHANGES, st->s->table[TABLE_CHANGES].count++);
	*added = *change;
	added->name = name_at;
	added->value = value_at;
	added->base = base_at;
	return added;
}

void state_keep_for_good(struct state *st, uint64_t seq)
{
	const struct change *change = snapshot_changes(st->s), *kept = state_find_change(st->s, seq);

	((struct change *)state_item(st, TABLE_CHANGES, (uint32_t)(kept - change)))->until_s = 0;
}

/* Of all kinds, or of one. */
static void drop_changes(struct state *st, uint64_t job, enum change_kind kind)
{
	struct snapshot_table *table = &st->s->table[TABLE_CHANGES];
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < table->count; i++)
		if (change[i].job == job && (kind == CHANGE_KIND_COUNT || change[i].kind == kind))
			state_waste_change(st, &change[i]);
		else
			change[kept++] = change[i];
	table->count = kept;
}

/* Changes of a job that has left can neither matter nor be undone. */
void state_drop_changes(struct state *st, uint64_t job)
{
	drop_changes(st, job, CHANGE_KIND_COUNT);
}

void state_drop_suspends(struct state *st, uint64_t job)
{
	drop_changes(st, job, CHANGE_SUSPEND);
}
