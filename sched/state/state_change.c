/* SPDX-License-Identifier: MIT */
/*
 * state_change.c - operators' changes, and which of them are in force
 *
 * The table is in the order in which the changes were made. The changes of a job form a chain from the newest
 * to the oldest, so that the cost of another change does not depend on the number of others. Changes that
 * concern no job (settings, reservations, pauses) form the chain of the site. A removed change keeps its
 * place with kind CHANGE_GONE until enough changes are gone to pay for closing the gaps. state_effect.c
 * applies changes.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

#define STEPS_MOST 8 /* maximum number of undos of undos that are followed one by one */

#define GAPS_SMALL 1024 /* a table with this many items or fewer has no gaps */

#define GAPS_SHARE 8 /* in a larger table at most one item in GAPS_SHARE is gone */

/* --- finding changes ------------------------------------------------------------------------------- */

static void state_name_change(struct state *st, const struct change *change);

/* Finds the change with number seq among those at positions [low, high); NULL if there is none. */
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
	return low < end && change[low].seq == seq && change[low].kind != CHANGE_GONE ? &change[low] : NULL;
}

const struct change *state_find_change(const struct snapshot *s, uint64_t seq)
{
	return find_within(s, seq, 0, snapshot_count(s, TABLE_CHANGES));
}

/*
 * Finds the change with number seq, which is before position i, usually by a few places. Returns NULL if it
 * is gone.
 */
static const struct change *find_before(const struct snapshot *s, uint32_t i, uint64_t seq)
{
	const struct change *change = snapshot_changes(s);
	uint32_t step = 1, high = i;

	while (step <= high && change[high - step].seq > seq) {
		high -= step;
		step *= 2;
	}
	return find_within(s, seq, step <= high ? high - step : 0, high);
}

/* Returns the change that the undo at i refers to. */
static const struct change *find_named(const struct snapshot *s, uint32_t i)
{
	return find_before(s, i, (uint64_t)snapshot_changes(s)[i].number);
}

const struct change *state_newest_change(const struct snapshot *s, const struct job *job)
{
	return job->changed == 0 ? NULL : find_before(s, snapshot_count(s, TABLE_CHANGES), job->changed);
}

const struct change *state_change_before(const struct snapshot *s, const struct change *change)
{
	return change->before == 0 ? NULL
				   : find_before(s, (uint32_t)(change - snapshot_changes(s)), change->before);
}

uint32_t state_count_changes(const struct snapshot *s, const struct job *job)
{
	uint32_t count = 0;

	for (const struct change *c = state_newest_change(s, job); c != NULL; c = state_change_before(s, c))
		count++;
	return count;
}

struct change_list state_list_changes(const struct state *st, uint64_t job)
{
	const struct snapshot *s = st->s;
	uint32_t slot = job == 0 ? INDEX_NONE : state_find(st, job);
	uint64_t newest = slot != INDEX_NONE ? snapshot_jobs(s)[slot].changed
			  : job == 0         ? s->site_changed
					     : 0;
	struct change_list list = {0};
	size_t room = 0;

	for (const struct change *c = newest == 0 ? NULL
						  : find_before(s, snapshot_count(s, TABLE_CHANGES), newest);
	     c != NULL; c = state_change_before(s, c)) {
		list.at = vec_room(list.at, &room, list.count + 1, sizeof *list.at);
		list.at[list.count++] = (uint32_t)(c - snapshot_changes(st->s));
	}
	for (size_t i = 0; i < list.count / 2; i++) {
		uint32_t at = list.at[i];

		list.at[i] = list.at[list.count - 1 - i];
		list.at[list.count - 1 - i] = at;
	}
	return list;
}

const struct change *state_change_moved(const struct snapshot *s, const struct change *change)
{
	while (change != NULL && change->kind == CHANGE_UNDO)
		change = find_named(s, (uint32_t)(change - snapshot_changes(s)));
	return change;
}

/* --- what a commit has to write ------------------------------------------------------------------- */

/*
 * Marks a change. Once there are as many marks as changes, all changes are compared at the next commit
 * instead, which is cheaper.
 */
static void mark(struct state *st, uint64_t seq)
{
	struct change_marks *m = &st->marks;

	if (!m->kept || m->all)
		return;
	if (m->count >= GAPS_SMALL && m->count >= snapshot_count(st->s, TABLE_CHANGES)) {
		m->all = true;
		return;
	}
	m->seq = vec_room(m->seq, &m->room, m->count + 1, sizeof *m->seq);
	m->seq[m->count++] = seq;
}

void state_mark_change(struct state *st, uint32_t i)
{
	mark(st, snapshot_changes(st->s)[i].seq);
}

static void state_mark_all_changes(struct state *st)
{
	st->marks.all = true;
}

const struct change_marks *state_change_marks(struct state *st)
{
	return st->marks.kept ? &st->marks : NULL;
}

void state_clear_change_marks(struct state *st)
{
	st->marks.kept = true;
	st->marks.all = false;
	st->marks.count = 0;
}

/* --- which changes are undone ----------------------------------------------------------------------- */

static void set_dead(struct state *st, uint32_t i, bool dead)
{
	struct change *change = state_item(st, TABLE_CHANGES, i);

	if ((change->dead != 0) == dead)
		return;
	change->dead = dead;
	state_mark_change(st, i);
}

/* Goes from the newest change to the oldest: a live undo makes the change that it refers to dead. */
void state_mark_dead_changes(struct state *st)
{
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t count = snapshot_count(st->s, TABLE_CHANGES);

	state_mark_all_changes(st);
	for (uint32_t i = 0; i < count; i++)
		change[i].dead = change[i].kind == CHANGE_GONE;
	for (uint32_t i = count; i-- > 0;) {
		const struct change *found;

		if (change[i].kind != CHANGE_UNDO || change[i].dead)
			continue;
		found = find_named(st->s, i);
		if (found != NULL)
			change[found - change].dead = 1;
	}
}

size_t state_place_in(const struct change_list *list, uint32_t at)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->at[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Like state_mark_dead_changes, for the changes of one job only. Other changes need not be examined, because
 * the undo of a job's change is itself a change of this job.
 */
static void mark_dead_of_job(struct state *st, uint64_t job)
{
	struct change_list list = state_list_changes(st, job);
	bool *dead = mem_zero(list.count + 1, sizeof *dead);

	for (size_t i = list.count; i-- > 0;) {
		const struct change *change = &snapshot_changes(st->s)[list.at[i]];

		const struct change *found;

		if (change->kind != CHANGE_UNDO || dead[i])
			continue;
		found = find_named(st->s, list.at[i]);
		if (found != NULL)
			dead[state_place_in(&list, (uint32_t)(found - snapshot_changes(st->s)))] = true;
	}
	for (size_t i = 0; i < list.count; i++)
		set_dead(st, list.at[i], dead[i]);
	free(dead);
	free(list.at);
}

/*
 * Returns the position of the change that the undo at i refers to; INDEX_NONE if the change at i is not an
 * undo, or if the other change is gone.
 */
static uint32_t named_by(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);
	const struct change *found = change[i].kind == CHANGE_UNDO ? find_named(s, i) : NULL;

	return found == NULL ? INDEX_NONE : (uint32_t)(found - change);
}

static bool names(const struct change *undo, uint64_t seq)
{
	return undo->kind == CHANGE_UNDO && !undo->dead && (uint64_t)undo->number == seq;
}

/* Is there a live undo of the change at i? */
static bool is_undone(const struct state *st, uint32_t i)
{
	const struct snapshot *s = st->s;
	const struct change *change = snapshot_changes(s);
	uint32_t slot = change[i].job == 0 ? INDEX_NONE : state_find(st, change[i].job);

	if (slot != INDEX_NONE) {
		const struct change *c = state_newest_change(s, &snapshot_jobs(s)[slot]);

		for (; c != NULL && c->seq > change[i].seq; c = state_change_before(s, c))
			if (names(c, change[i].seq))
				return true;
		return false;
	}
	for (uint32_t j = i + 1; j < snapshot_count(s, TABLE_CHANGES); j++)
		if (names(&change[j], change[i].seq))
			return true;
	return false;
}

/*
 * Makes the change that a new undo refers to dead. If this change is itself an undo, the change that it had
 * undone is live again, unless another live undo refers to it; and so on, down to a change that is not an
 * undo. Long chains of undos are processed in one traversal of all changes, because following them would
 * examine all later changes at each step.
 */
void state_kill_named(struct state *st, uint32_t undo)
{
	uint64_t job = snapshot_changes(st->s)[undo].job;
	bool dies = true;
	uint32_t i = named_by(st->s, undo);

	for (int steps = 0; i != INDEX_NONE && steps < STEPS_MOST; steps++, i = named_by(st->s, i)) {
		bool dead = dies || is_undone(st, i);

		if ((snapshot_changes(st->s)[i].dead != 0) == dead)
			return;
		set_dead(st, i, dead);
		dies = !dies;
	}
	if (i == INDEX_NONE)
		return;
	if (job != 0 && state_find(st, job) != INDEX_NONE)
		mark_dead_of_job(st, job);
	else
		state_mark_dead_changes(st);
}

/* --- adding and removing changes ----------------------------------------------------------------- */

/* Adds the change to the header's counts, or (sign < 0) removes it from them. */
static void count_change(struct state *st, const struct change *change, int sign)
{
	uint32_t one = sign > 0 ? 1 : UINT32_MAX;

	st->s->timed_changes += change->until_s != 0 ? one : 0;
	st->s->depend_changes += state_changes_depend(st->s, change) ? one : 0;
}

/* Adds the change at the head of the chain of its job, or of the site. */
static void link_change(struct state *st, struct change *change)
{
	uint32_t slot = change->job == 0 ? INDEX_NONE : state_find(st, change->job);
	uint64_t *newest = slot != INDEX_NONE ? &state_job(st, slot)->changed
			   : change->job == 0 ? &st->s->site_changed
					      : NULL;

	change->before = newest == NULL ? 0 : *newest;
	if (newest != NULL)
		*newest = change->seq;
}

const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value, const char *base)
{
	uint32_t name_at = state_add_string(st, name), value_at = state_add_string(st, value);
	uint32_t base_at = state_add_string(st, base);
	struct change *added;
	uint32_t i;

	state_make_room(st, TABLE_CHANGES, 1);
	i = st->s->table[TABLE_CHANGES].count++;
	added = state_item(st, TABLE_CHANGES, i);
	*added = *change;
	added->name = name_at;
	added->value = value_at;
	added->base = base_at;
	link_change(st, added);
	count_change(st, added, 1);
	state_store_change(st, added, 1);
	state_mark_change(st, i);
	state_name_change(st, added);
	return added;
}

void state_keep_for_good(struct state *st, uint64_t seq)
{
	uint32_t i = (uint32_t)(state_find_change(st->s, seq) - snapshot_changes(st->s));
	struct change *change = state_item(st, TABLE_CHANGES, i);

	count_change(st, change, -1);
	change->until_s = 0;
	count_change(st, change, 1);
	state_mark_change(st, i);
}

/* Marks the change at i as gone; its gap is closed by state_close_change_gaps(). */
static void state_leave_change(struct state *st, uint32_t i)
{
	struct change *change = state_item(st, TABLE_CHANGES, i);

	count_change(st, change, -1);
	state_store_change(st, change, -1);
	state_waste_change(st, change);
	state_mark_change(st, i);
	*change = (struct change){.seq = change->seq, .kind = CHANGE_GONE, .dead = 1};
	st->s->gone_changes++;
}

static void state_close_change_gaps(struct state *st)
{
	struct snapshot_table *table = &st->s->table[TABLE_CHANGES];
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t kept = 0;

	if (st->s->gone_changes == 0 ||
	    (table->count > GAPS_SMALL && st->s->gone_changes < table->count / GAPS_SHARE))
		return;
	for (uint32_t i = 0; i < table->count; i++)
		if (change[i].kind != CHANGE_GONE)
			change[kept++] = change[i];
	table->count = kept;
	st->s->gone_changes = 0;
}

/* Removes all changes of a job that has left: they no longer matter and cannot be undone. */
void state_drop_changes(struct state *st, uint64_t job)
{
	struct change_list list = state_list_changes(st, job);
	uint32_t slot = state_find(st, job);

	for (size_t i = 0; i < list.count; i++)
		state_leave_change(st, list.at[i]);
	if (slot != INDEX_NONE)
		state_job(st, slot)->changed = 0;
	state_close_change_gaps(st);
	free(list.at);
}

void state_drop_suspends(struct state *st, uint64_t job)
{
	struct change_list list = state_list_changes(st, job);

	if (list.count > 0)
		state_job(st, state_find(st, job))->changed = 0;
	for (size_t i = 0; i < list.count; i++) {
		struct change *change = state_item(st, TABLE_CHANGES, list.at[i]);

		if (change->kind == CHANGE_SUSPEND)
			state_leave_change(st, list.at[i]);
		else
			link_change(st, change);
	}
	state_close_change_gaps(st);
	free(list.at);
}

void state_drop_site_changes(struct state *st, const struct change_list *list, const bool *gone)
{
	st->s->site_changed = 0;
	for (size_t i = 0; i < list->count; i++)
		if (gone[i])
			state_leave_change(st, list->at[i]);
		else
			link_change(st, state_item(st, TABLE_CHANGES, list->at[i]));
	state_close_change_gaps(st);
}

/* --- index of open dependencies by the job, task or array that they name ------------------------------ */

/*
 * When a job starts or ends, the index finds exactly the dependencies on this job, and the texts of changes
 * that contain them; no others are examined. The index is built by the first start or end that needs it, so
 * that copies of a state do not pay for it if they never need it. Entries of dependencies and changes that
 * no longer exist are ignored when they are found; they are removed once about half of all entries may be
 * obsolete.
 */

#define ENTRIES_SMALL 1024 /* with up to this number of entries, obsolete ones are not removed */

/* Do both dependencies have the same key? Then every start or end settles them in the same way. */
static bool same_key(const struct depend *a, const struct depend *b)
{
	return a->on == b->on && a->type == b->type && a->of == b->of &&
	       (a->of != DEPEND_ON_TASK || a->number == b->number);
}

static uint32_t bucket_of(const struct named_index *n, const struct depend *key)
{
	uint64_t number = key->of == DEPEND_ON_TASK ? key->number : 0;

	return (uint32_t)state_mix(state_mix(key->on) ^ (number << 8 | (uint64_t)key->of << 4 | key->type)) &
	       (n->buckets - 1);
}

static void link_entry(struct named_index *n, uint32_t i)
{
	uint32_t *head = &n->bucket[bucket_of(n, &n->entry[i].key)];

	n->entry[i].key.next = *head;
	*head = i;
}

/* Rebuilds the buckets, with at least as many as there are entries. */
static void link_all(struct named_index *n)
{
	if (n->buckets == 0)
		n->buckets = 64;
	while (n->buckets < n->count)
		n->buckets *= 2;
	n->bucket = mem_resize(n->bucket, n->buckets * sizeof *n->bucket);
	memset(n->bucket, 0xff, n->buckets * sizeof *n->bucket);
	n->free_entry = INDEX_NONE;
	for (uint32_t i = 0; i < n->count; i++)
		link_entry(n, i);
}

static bool is_here(const struct state *st, const struct named_entry *e)
{
	const struct depend *depend;

	if (e->change != 0)
		return state_find_change(st->s, e->change) != NULL;
	depend = &snapshot_depends(st->s)[e->depend];
	return depend->state == DEPEND_OPEN && same_key(depend, &e->key);
}

/* Removes obsolete entries. The cost is amortized over the entries added since the last removal. */
static void remove_left(struct state *st)
{
	struct named_index *n = &st->named;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n->count; i++)
		if (n->entry[i].key.on != 0 && is_here(st, &n->entry[i]))
			n->entry[kept++] = n->entry[i];
	n->count = kept;
	n->full = 2 * kept + ENTRIES_SMALL;
	link_all(n);
}

static void add(struct state *st, const struct depend *key, uint32_t depend, uint64_t change)
{
	struct named_index *n = &st->named;
	uint32_t i = n->free_entry;

	if (key->state != DEPEND_OPEN || key->on == 0)
		return;
	if (i == INDEX_NONE && n->count >= n->full)
		remove_left(st);
	if (i != INDEX_NONE) {
		n->free_entry = n->entry[i].key.next;
	} else {
		n->entry = vec_room(n->entry, &n->room, (size_t)n->count + 1, sizeof *n->entry);
		i = n->count++;
	}
	n->entry[i] = (struct named_entry){.key = *key, .depend = depend, .change = change};
	if (n->count > n->buckets)
		link_all(n);
	else
		link_entry(n, i);
}

void state_name_depend(struct state *st, uint32_t i)
{
	if (st->named.is_built)
		add(st, &snapshot_depends(st->s)[i], i, 0);
}

static void name_text(struct state *st, uint32_t text, uint64_t change)
{
	struct depend_list list = {.item = NULL};

	depend_list_read(snapshot_string(st->s, text), &list, NULL);
	for (size_t i = 0; i < list.count; i++)
		add(st, &list.item[i], 0, change);
	free(list.item);
}

static void state_name_change(struct state *st, const struct change *change)
{
	const struct change one = *change;

	if (!st->named.is_built || !state_changes_depend(st->s, &one))
		return;
	name_text(st, one.value, one.seq);
	name_text(st, one.base, one.seq);
}

static void build(struct state *st)
{
	st->named.is_built = true;
	st->named.full = ENTRIES_SMALL;
	link_all(&st->named);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_DEPENDS); i++)
		state_name_depend(st, i);
	if (st->s->depend_changes == 0)
		return;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++)
		state_name_change(st, &snapshot_changes(st->s)[i]);
}

/* Removes the next entry with the key from the index and sets *out to it. Returns false if there is none. */
static bool take(struct named_index *n, const struct depend *key, struct named_entry *out)
{
	uint32_t *at = &n->bucket[bucket_of(n, key)];

	while (*at != INDEX_NONE && !same_key(&n->entry[*at].key, key))
		at = &n->entry[*at].key.next;
	if (*at == INDEX_NONE)
		return false;

	uint32_t i = *at;

	*out = n->entry[i];
	*at = n->entry[i].key.next;
	n->entry[i].key = (struct depend){.next = n->free_entry};
	n->free_entry = i;
	return true;
}

bool state_take_named(struct state *st, const struct depend *key, uint32_t *depend, uint32_t *change)
{
	struct named_entry entry;

	if (!st->named.is_built)
		build(st);
	while (take(&st->named, key, &entry)) {
		const struct change *found =
			entry.change == 0 ? NULL : state_find_change(st->s, entry.change);

		if (entry.change == 0 ? !is_here(st, &entry) : found == NULL)
			continue;
		*depend = entry.change == 0 ? entry.depend : INDEX_NONE;
		*change = found == NULL ? INDEX_NONE : (uint32_t)(found - snapshot_changes(st->s));
		return true;
	}
	return false;
}

void state_named_copy(struct state *to, const struct state *from)
{
	struct named_index old = to->named;
	struct named_index *n = &to->named;

	*n = from->named;
	n->entry = mem_copy_into(old.entry, from->named.entry, n->room * sizeof *n->entry);
	n->bucket = mem_copy_into(old.bucket, from->named.bucket, n->buckets * sizeof *n->bucket);
}

void state_named_free(struct state *st)
{
	free(st->named.bucket);
	free(st->named.entry);
	st->named = (struct named_index){.bucket = NULL};
}
