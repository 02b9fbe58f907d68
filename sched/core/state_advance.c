/* SPDX-License-Identifier: MIT */
/*
 * state_advance.c - which advance reservations stand, given what was reserved and released?
 *
 * Like settings they are changes of operators: one says what is kept, another may release it, either
 * may be undone. The tables that a pass looks at are built anew from those in force whenever one
 * of them moves. That a reservation is over follows from time alone: it stays among the changes until
 * the next is made, and nobody looks at it.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "state_inside.h"

/* --- may it be? -------------------------------------------------------------------------------- */

static bool check_place(const struct state *st, const struct advance_place *place, bool *named,
			struct err *err)
{
	uint32_t i = state_find_node(st, place->node);

	if (i == INDEX_NONE)
		return err_set(err, "there is no node %s to be reserved", place->node);
	if (named[i])
		return err_set(err, "node %s is reserved twice in one reservation", place->node);
	named[i] = true;
	return place->procs <= snapshot_nodes(st->s)[i].procs ||
	       err_set(err, "node %s has %u processors; %u of it cannot be reserved", place->node,
		       snapshot_nodes(st->s)[i].procs, place->procs);
}

static bool check_places(const struct state *st, const struct advance_text *a, struct err *err)
{
	bool *named = mem_zero((size_t)snapshot_count(st->s, TABLE_NODES) + 1, sizeof *named);
	bool good = snapshot_count(st->s, TABLE_NODES) > 0 ||
		    err_set(err, "there are no nodes that could be reserved");

	for (size_t i = 0; good && i < a->place_count; i++)
		good = check_place(st, &a->place[i], named, err);
	free(named);
	return good;
}

static uint32_t count_standing(const struct snapshot *s, int64_t now_s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++)
		count += !advance_is_over(&snapshot_advances(s)[i], now_s);
	return count;
}

bool state_check_advance(const struct state *st, const char *name, const struct advance_text *a,
			 int64_t now_s, struct err *err)
{
	uint32_t same;
	char when[MOMENT_TEXT];

	if (!advance_check_name(name, err))
		return false;
	same = snapshot_find_advance(st->s, name);
	if (same != INDEX_NONE && !advance_is_over(&snapshot_advances(st->s)[same], now_s))
		return err_set(err, "there is a reservation %s already; give another name with -n", name);
	if (a->end_s <= now_s)
		return err_set(err, "a reservation that ended at %s keeps nothing",
			       moment_iso(when, a->end_s));
	if (count_standing(st->s, now_s) >= ADVANCES_MOST)
		return err_set(err, "there are %d reservations already, and no more can be", ADVANCES_MOST);
	return check_places(st, a, err);
}

/* --- changes that no longer matter -------------------------------------------------------------- */

static bool is_released(const struct snapshot *s, uint64_t seq)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_UNRESERVE && !change[i].dead &&
		    (uint64_t)change[i].number == seq)
			return true;
	return false;
}

static bool is_in_force(const struct snapshot *s, const struct change *change)
{
	return !change->dead && !is_released(s, change->seq);
}

/* One that is over; of those not in force any more what a user made, or what has the name of the new. */
static bool may_go(const struct snapshot *s, const struct change *change, const char *name, int64_t now_s)
{
	struct advance_text a;
	bool over, personal;

	if (!advance_read(snapshot_string(s, change->value), &a, NULL))
		return true;
	over = a.end_s <= now_s;
	personal = a.personal;
	advance_text_free(&a);
	return over || (!is_in_force(s, change) &&
			(personal || str_same_word(snapshot_string(s, change->name), name)));
}

/* Sequence numbers, ascending. */
struct seqs {
	uint64_t *item;
	size_t count, room;
};

static bool has_seq(const struct seqs *seqs, uint64_t seq)
{
	for (size_t i = 0; i < seqs->count; i++)
		if (seqs->item[i] == seq)
			return true;
	return false;
}

/* What names one that goes goes with it; it always comes later. */
static bool goes(const struct snapshot *s, const struct change *change, const struct seqs *gone,
		 const char *name, int64_t now_s)
{
	if (change->kind == CHANGE_RESERVE)
		return may_go(s, change, name, now_s);
	return (change->kind == CHANGE_UNRESERVE || change->kind == CHANGE_UNDO) &&
	       has_seq(gone, (uint64_t)change->number);
}

static struct seqs list_gone(const struct snapshot *s, const char *name, int64_t now_s)
{
	struct seqs gone = {.count = 0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		if (!goes(s, change, &gone, name, now_s))
			continue;
		gone.item = vec_room(gone.item, &gone.room, gone.count + 1, sizeof *gone.item);
		gone.item[gone.count++] = change->seq;
	}
	return gone;
}

static void drop_old(struct state *st, const char *name, int64_t now_s)
{
	struct snapshot_table *table = &st->s->table[TABLE_CHANGES];
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	struct seqs gone = list_gone(st->s, name, now_s);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		if (!has_seq(&gone, change[i].seq)) {
			change[kept++] = change[i];
			continue;
		}
		state_waste_string(st, change[i].name);
		state_waste_string(st, change[i].value);
		state_waste_string(st, change[i].base);
	}
	table->count = kept;
	free(gone.item);
}

/* --- the tables --------------------------------------------------------------------------------- */

static void add_run(struct state *st, struct advance *a, struct alloc_run run)
{
	state_make_room(st, TABLE_KEPT_RUNS, 1);
	run.next = INDEX_NONE;
	*(struct alloc_run *)state_item(st, TABLE_KEPT_RUNS, st->s->table[TABLE_KEPT_RUNS].count++) = run;
	a->run_count++;
}

static void add_guest(struct state *st, struct advance *a, const struct advance_guest *said)
{
	struct guest guest = {.type = said->type, .job = said->job, .cred = INDEX_NONE};

	if (said->type != GUEST_JOB)
		guest.cred = state_intern_cred(st, (enum cred_type)said->type, said->name);
	state_make_room(st, TABLE_GUESTS, 1);
	*(struct guest *)state_item(st, TABLE_GUESTS, st->s->table[TABLE_GUESTS].count++) = guest;
	a->guest_count++;
}

static void add_places(struct state *st, struct advance *a, const struct advance_text *text)
{
	if (text->all_nodes)
		add_run(st, a, (struct alloc_run){.nodes = snapshot_count(st->s, TABLE_NODES)});
	for (size_t i = 0; i < text->place_count; i++) {
		uint32_t node = state_find_node(st, text->place[i].node);

		if (node != INDEX_NONE)
			add_run(st, a,
				(struct alloc_run){.node = node, .nodes = 1, .procs = text->place[i].procs});
	}
}

/* The change is a copy: its table may move. */
static bool add_advance(struct state *st, struct change change, struct err *err)
{
	struct advance a = {.seq = change.seq,
			    .name = change.name,
			    .owner = change.base,
			    .first_run = snapshot_count(st->s, TABLE_KEPT_RUNS),
			    .first_guest = snapshot_count(st->s, TABLE_GUESTS)};
	struct advance_text text;

	if (!advance_read(snapshot_string(st->s, change.value), &text, err))
		return false;
	a.begin_s = text.begin_s;
	a.end_s = text.end_s;
	a.personal = text.personal;
	a.reason = state_add_string(st, text.reason);
	add_places(st, &a, &text);
	for (size_t i = 0; i < text.guest_count; i++)
		add_guest(st, &a, &text.guest[i]);
	state_make_room(st, TABLE_ADVANCES, 1);
	*(struct advance *)state_item(st, TABLE_ADVANCES, st->s->table[TABLE_ADVANCES].count++) = a;
	advance_text_free(&text);
	return true;
}

static void clear_tables(struct state *st)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_ADVANCES); i++)
		state_waste_string(st, snapshot_advances(st->s)[i].reason);
	st->s->table[TABLE_ADVANCES].count = 0;
	st->s->table[TABLE_KEPT_RUNS].count = 0;
	st->s->table[TABLE_GUESTS].count = 0;
}

bool state_rebuild_advances(struct state *st, struct err *err)
{
	clear_tables(st);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(st->s)[i];

		if (change->kind == CHANGE_RESERVE && is_in_force(st->s, change) &&
		    !add_advance(st, *change, err))
			return err_prefix(err, "a stored reservation");
	}
	return true;
}

/* --- making and releasing ------------------------------------------------------------------------ */

void state_reserve(struct state *st, const struct change *change, const char *name, const char *text,
		   const char *owner, int64_t now_s)
{
	drop_old(st, name, now_s);
	state_keep_change(st, change, name, text, owner);
	state_rebuild_advances(st, NULL);
}

void state_unreserve(struct state *st, const struct change *change, const char *name)
{
	const struct advance *a = &snapshot_advances(st->s)[snapshot_find_advance(st->s, name)];
	struct change release = *change;

	release.number = (int64_t)a->seq;
	state_keep_change(st, &release, name, NULL, NULL);
	state_rebuild_advances(st, NULL);
}
