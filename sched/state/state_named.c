/* SPDX-License-Identifier: MIT */
/*
 * state_named.c - index of open dependencies by the job, task or array that they name
 *
 * The start or end of a job settles what names the job, and looks at nothing else: neither at other
 * dependencies nor at other texts of changes. The index is built by the first start or end that needs it, so
 * copies of a state that never need it do not pay for it. An entry stays when its dependency or change has
 * left: it is ignored when it is met, and removed when half of the entries are likely to be such.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

#define ENTRIES_SMALL 1024 /* up to this many are never looked through for those that have left */

/* Equal for two dependencies that the same start or end settles to the same state. */
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

/* All entries again, into at least as many buckets as there are entries. */
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

/* Paid for by the entries that were added since it was done last. */
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

void state_name_change(struct state *st, const struct change *change)
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

/* The next entry with the key leaves the index. */
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

void state_named_free(struct state *st)
{
	free(st->named.bucket);
	free(st->named.entry);
	st->named = (struct named_index){.bucket = NULL};
}
