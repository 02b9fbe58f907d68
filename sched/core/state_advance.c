/* SPDX-License-Identifier: MIT */
/*
 * state_advance.c - which advance reservations stand, given what was reserved and released?
 *
 * Like settings they are changes of operators: one says what is kept, another may release it, either
 * may be undone. The tables that a pass looks at are built anew from those in force whenever one
 * of them moves. Of two of one name that undoing has brought together the first stands, as the other would
 * have been refused. That a reservation is over follows from time alone: it stays among the changes until
 * the next is made, and nobody looks at it.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
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

/* --- which of them stand --------------------------------------------------------------------------- */

/* What became of one that nobody has undone. */
enum advance_fate {
	ADVANCE_STANDS,
	ADVANCE_RELEASED,
	ADVANCE_SHADOWED /* one of that name stood already: it would have been refused */
};

struct told {
	uint32_t change; /* its place among the changes */
	enum advance_fate fate;
	uint64_t shadow; /* seq of the one that stood   */
};

/* Those that nobody has undone, in the order in which they were made. */
struct tale {
	struct told *item;
	size_t count, room;
};

static struct told *standing(const struct tale *tale, const struct snapshot *s, uint32_t name)
{
	for (size_t i = 0; i < tale->count; i++)
		if (tale->item[i].fate == ADVANCE_STANDS &&
		    str_same_word(snapshot_string(s, snapshot_changes(s)[tale->item[i].change].name),
				  snapshot_string(s, name)))
			return &tale->item[i];
	return NULL;
}

/* As if nothing but the entries that are alive had happened: a release is of whatever has that name then. */
static struct tale tell(const struct snapshot *s)
{
	struct tale tale = {.count = 0};
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		bool made = change[i].kind == CHANGE_RESERVE;
		struct told *same;

		if (change[i].dead || (!made && change[i].kind != CHANGE_UNRESERVE))
			continue;
		same = standing(&tale, s, change[i].name);
		if (made) {
			struct told told = {.change = i, .fate = ADVANCE_STANDS};

			if (same != NULL)
				told = (struct told){i, ADVANCE_SHADOWED, change[same->change].seq};
			tale.item = vec_room(tale.item, &tale.room, tale.count + 1, sizeof *tale.item);
			tale.item[tale.count++] = told;
		} else if (same != NULL) {
			same->fate = ADVANCE_RELEASED;
		}
	}
	return tale;
}

/* NULL: it has been undone. */
static const struct told *told_of(const struct tale *tale, uint32_t change)
{
	for (size_t i = 0; i < tale->count; i++)
		if (tale->item[i].change == change)
			return &tale->item[i];
	return NULL;
}

/* --- changes that no longer matter -------------------------------------------------------------- */

/* Numbers of entries. */
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

/* What is over; what a user made and does not stand; and what would come to light by either's going. */
static bool may_go(const struct snapshot *s, uint32_t i, const struct tale *tale, const struct seqs *gone,
		   int64_t now_s)
{
	const struct told *told = told_of(tale, i);
	struct advance_text a;
	bool over, personal;

	if (!advance_read(snapshot_string(s, snapshot_changes(s)[i].value), &a, NULL))
		return true;
	over = a.end_s <= now_s;
	personal = a.personal;
	advance_text_free(&a);
	if (over)
		return true;
	if (told != NULL && told->fate == ADVANCE_SHADOWED && has_seq(gone, told->shadow))
		return true;
	return personal && (told == NULL || told->fate != ADVANCE_STANDS);
}

/* Is a reservation of this name kept, whatever became of it? */
static bool is_kept(const struct snapshot *s, uint32_t name, const struct seqs *gone)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_RESERVE && !has_seq(gone, change[i].seq) &&
		    str_same_word(snapshot_string(s, change[i].name), snapshot_string(s, name)))
			return true;
	return false;
}

static void add_seq(struct seqs *seqs, uint64_t seq)
{
	seqs->item = vec_room(seqs->item, &seqs->room, seqs->count + 1, sizeof *seqs->item);
	seqs->item[seqs->count++] = seq;
}

/* Reservations first; then releases of names that nothing has any more, and what undid any of them. */
static struct seqs list_gone(const struct snapshot *s, int64_t now_s)
{
	const struct change *change = snapshot_changes(s);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);
	struct tale tale = tell(s);
	struct seqs gone = {.count = 0};

	for (uint32_t i = 0; i < count; i++)
		if (change[i].kind == CHANGE_RESERVE && may_go(s, i, &tale, &gone, now_s))
			add_seq(&gone, change[i].seq);
	for (uint32_t i = 0; i < count; i++)
		if ((change[i].kind == CHANGE_UNRESERVE && !is_kept(s, change[i].name, &gone)) ||
		    (change[i].kind == CHANGE_UNDO && has_seq(&gone, (uint64_t)change[i].number)))
			add_seq(&gone, change[i].seq);
	free(tale.item);
	return gone;
}

static void drop_old(struct state *st, int64_t now_s)
{
	struct snapshot_table *table = &st->s->table[TABLE_CHANGES];
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	struct seqs gone = list_gone(st->s, now_s);
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
	struct tale tale = tell(st->s);
	bool good = true;

	clear_tables(st);
	for (size_t i = 0; good && i < tale.count; i++)
		if (tale.item[i].fate == ADVANCE_STANDS)
			good = add_advance(st, snapshot_changes(st->s)[tale.item[i].change], err) ||
			       err_prefix(err, "a stored reservation");
	free(tale.item);
	return good;
}

/* --- making and releasing ------------------------------------------------------------------------ */

void state_reserve(struct state *st, const struct change *change, const char *name, const char *text,
		   const char *owner, int64_t now_s)
{
	drop_old(st, now_s);
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
