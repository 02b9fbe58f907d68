/* SPDX-License-Identifier: MIT */
/*
 * state_advance.c - the advance reservations in force
 *
 * Reservations, like settings, result from operators' changes: a change makes a reservation, another may
 * release it, and either may be undone. When one of them changes, the tables used by a pass are rebuilt from
 * the changes in force. If an undo results in two reservations with the same name, the first one is in force,
 * because the other would have been rejected. A reservation that is over stays among the changes, without any
 * effect, until the next one is made; then all but the newest released ones are removed, too. In a state with
 * hidden names the changes cannot be read: the tables stay as they are, and no reservation can be made.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

/* --- checks -------------------------------------------------------------------------------- */

static bool check_place(const struct state *st, const struct advance_place *place, bool *named,
			struct err *err)
{
	uint32_t i = state_find_node(st, place->node);

	if (i == INDEX_NONE)
		return err_set(err, "there is no node %s", place->node);
	if (named[i])
		return err_set(err, "node %s is reserved twice in one reservation", place->node);
	named[i] = true;
	return place->procs <= snapshot_nodes(st->s)[i].procs ||
	       err_set(err, "node %s has %u processors, so %u cannot be reserved", place->node,
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

bool state_can_reserve(const struct state *st, struct err *err)
{
	return !st->s->masked ||
	       err_set(err, "the reservations of others are hidden here (hidenames), so making, releasing or "
			    "restoring one cannot be tried; an administrator can try it");
}

bool state_check_advance(const struct state *st, const char *name, const struct advance_text *a,
			 int64_t now_s, struct err *err)
{
	uint32_t same;
	char ago[DURATION_TEXT];

	if (!advance_check_name(name, err))
		return false;
	same = snapshot_find_advance(st->s, name);
	if (same != INDEX_NONE && !advance_is_over(&snapshot_advances(st->s)[same], now_s))
		return err_set(err, "reservation %s already exists; choose another name with -n", name);
	if (a->end_s <= now_s)
		return err_set(err, "the end of the reservation is %s in the past",
			       duration_text(ago, now_s - a->end_s));
	if (count_standing(st->s, now_s) >= ADVANCES_MOST)
		return err_set(err, "there are already %d reservations, the maximum", ADVANCES_MOST);
	return check_places(st, a, err);
}

/* --- which reservations are in force ------------------------------------------------------------- */

/* The effect of a change on a reservation. */
enum advance_effect {
	ADVANCE_NONE, /* undone, or not about a reservation */
	ADVANCE_IN_FORCE,
	ADVANCE_RELEASED,
	ADVANCE_SHADOWED /* the name was in use: it would have been rejected */
};

struct outcome {
	enum advance_effect effect;
	uint32_t by; /* index in the list: RELEASED: of the change that released it; SHADOWED: of the
			reservation that already has the name */
};

/*
 * The effects of all changes of the site, by index in the list, and the reservations in force, which have
 * different names.
 */
struct replayed {
	struct change_list list;
	struct outcome *of;
	uint32_t *in_force;
	size_t count;
};

static void replayed_free(struct replayed *replayed)
{
	free(replayed->list.at);
	free(replayed->of);
	free(replayed->in_force);
}

static const struct change *change_at(const struct snapshot *s, const struct replayed *replayed, size_t i)
{
	return &snapshot_changes(s)[replayed->list.at[i]];
}

/* Finds a name among the reservations in force; returns `count` if there is none. */
static size_t find_in_force(const struct replayed *replayed, const struct snapshot *s, uint32_t name)
{
	size_t i = 0;

	while (i < replayed->count &&
	       !str_same_word(snapshot_string(s, change_at(s, replayed, replayed->in_force[i])->name),
			      snapshot_string(s, name)))
		i++;
	return i;
}

static void replay_reserve(struct replayed *replayed, size_t same, uint32_t i)
{
	if (same < replayed->count) {
		replayed->of[i] = (struct outcome){ADVANCE_SHADOWED, replayed->in_force[same]};
		return;
	}
	replayed->of[i].effect = ADVANCE_IN_FORCE;
	replayed->in_force[replayed->count++] = i;
}

static void replay_release(struct replayed *replayed, size_t same, uint32_t i)
{
	if (same == replayed->count)
		return;
	replayed->of[replayed->in_force[same]] = (struct outcome){ADVANCE_RELEASED, i};
	replayed->in_force[same] = replayed->in_force[--replayed->count];
}

/* Replays the live changes in order: a release applies to the reservation that has the name at that point. */
static struct replayed replay_changes(const struct state *st)
{
	const struct snapshot *s = st->s;
	struct replayed replayed = {.list = state_list_changes(st, 0)};

	replayed.of = mem_zero(replayed.list.count + 1, sizeof *replayed.of);
	replayed.in_force = mem_zero(replayed.list.count + 1, sizeof *replayed.in_force);
	for (uint32_t i = 0; i < replayed.list.count; i++) {
		const struct change *change = change_at(s, &replayed, i);

		if (change->dead)
			continue;
		if (change->kind == CHANGE_RESERVE)
			replay_reserve(&replayed, find_in_force(&replayed, s, change->name), i);
		else if (change->kind == CHANGE_UNRESERVE)
			replay_release(&replayed, find_in_force(&replayed, s, change->name), i);
	}
	return replayed;
}

/* --- changes that no longer matter -------------------------------------------------------------- */

/* The changes to remove, by index in the list, and the reservations to keep, whether in force or not. */
struct pruning {
	const struct snapshot *s;
	struct replayed replayed;
	bool *gone;
	uint32_t *kept;
	size_t count, room;
	uint32_t too_many; /* number of the oldest released reservations that can no longer be restored */
};

/*
 * Was the reservation released permanently? A temporary release ends and restores its reservation, no matter
 * how many others are released later.
 */
static bool is_released(const struct pruning *f, uint32_t i)
{
	const struct outcome *outcome = &f->replayed.of[i];

	return outcome->effect == ADVANCE_RELEASED &&
	       !snapshot_is_for_a_while(change_at(f->s, &f->replayed, outcome->by));
}

static uint32_t count_too_many(const struct pruning *f)
{
	uint32_t released = 0;

	for (uint32_t i = 0; i < f->replayed.list.count; i++)
		released += is_released(f, i);
	return released > ADVANCES_RELEASED_MOST ? released - ADVANCES_RELEASED_MOST : 0;
}

/*
 * Can the reservation be removed? It can if it is over, if it is a user's and not in force, or if it would
 * come into force because another one is removed.
 */
static bool is_removable(const struct pruning *f, uint32_t i, int64_t now_s)
{
	const struct outcome *outcome = &f->replayed.of[i];
	struct advance_text a;
	bool over, personal;

	if (!advance_read(snapshot_string(f->s, change_at(f->s, &f->replayed, i)->value), &a, NULL))
		return true;
	over = a.end_s <= now_s;
	personal = a.personal;
	advance_text_free(&a);
	if (over || (outcome->effect == ADVANCE_SHADOWED && f->gone[outcome->by]))
		return true;
	return personal && outcome->effect != ADVANCE_IN_FORCE;
}

/*
 * Decides whether a reservation is removed or kept. Its release is removed with it; otherwise releases would
 * accumulate.
 */
static void prune_reservation(struct pruning *f, uint32_t i, int64_t now_s)
{
	if (f->too_many > 0 && is_released(f, i)) {
		f->too_many--;
		f->gone[i] = f->gone[f->replayed.of[i].by] = true;
	} else if (is_removable(f, i, now_s)) {
		f->gone[i] = true;
	} else {
		f->kept = vec_room(f->kept, &f->room, f->count + 1, sizeof *f->kept);
		f->kept[f->count++] = i;
	}
}

/* Is there a kept reservation with this name? */
static bool is_kept(const struct pruning *f, uint32_t name)
{
	for (size_t i = 0; i < f->count; i++)
		if (str_same_word(snapshot_string(f->s, change_at(f->s, &f->replayed, f->kept[i])->name),
				  snapshot_string(f->s, name)))
			return true;
	return false;
}

/*
 * Is it a release whose reservation is removed, or an undo of a change that is removed? (The undo of a change
 * of the site is itself a change of the site.)
 */
static bool is_unreferenced(const struct pruning *f, const struct change *change)
{
	const struct change *named;

	if (change->kind == CHANGE_UNRESERVE)
		return !is_kept(f, change->name);
	if (change->kind != CHANGE_UNDO)
		return false;
	named = state_find_change(f->s, (uint64_t)change->number);
	return named != NULL && named->job == 0 &&
	       f->gone[state_place_in(&f->replayed.list, (uint32_t)(named - snapshot_changes(f->s)))];
}

/*
 * Removes old reservations, then releases of names that no kept reservation has, and undos of removed
 * changes.
 */
static void drop_old(struct state *st, int64_t now_s)
{
	struct pruning f = {.s = st->s, .replayed = replay_changes(st)};

	f.gone = mem_zero(f.replayed.list.count + 1, sizeof *f.gone);
	f.too_many = count_too_many(&f);
	for (uint32_t i = 0; i < f.replayed.list.count; i++)
		if (change_at(f.s, &f.replayed, i)->kind == CHANGE_RESERVE)
			prune_reservation(&f, i, now_s);
	for (uint32_t i = 0; i < f.replayed.list.count; i++)
		f.gone[i] = f.gone[i] || is_unreferenced(&f, change_at(f.s, &f.replayed, i));
	state_drop_site_changes(st, &f.replayed.list, f.gone);
	replayed_free(&f.replayed);
	free(f.gone);
	free(f.kept);
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

/* Adds a reservation to the tables. The change is passed as a copy, because its table may move. */
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
	struct replayed replayed;
	bool good = true;

	if (st->s->masked)
		return true;
	replayed = replay_changes(st);
	clear_tables(st);
	for (size_t i = 0; good && i < replayed.list.count; i++)
		if (replayed.of[i].effect == ADVANCE_IN_FORCE)
			good = add_advance(st, *change_at(st->s, &replayed, i), err) ||
			       err_prefix(err, "a stored reservation");
	replayed_free(&replayed);
	return good;
}

/* --- making and releasing ------------------------------------------------------------------------ */

void state_reserve(struct state *st, const struct change *change, const char *name, const char *text,
		   const char *owner, int64_t now_s)
{
	/*
	 * must come first, while the tables still have the guests of reservations in force, whose credentials
	 * are in use
	 */
	state_find_spare_creds(st);
	drop_old(st, now_s);
	state_keep_change(st, change, name, text, owner);
	state_rebuild_advances(st, NULL);
}

void state_unreserve(struct state *st, const struct change *change, const char *name)
{
	state_keep_change(st, change, name, NULL, NULL);
	state_rebuild_advances(st, NULL);
}
