/* SPDX-License-Identifier: MIT */
/*
 * moment.c - past states, and the journal entry for a given time
 *
 * A past state is computed from the nearest earlier checkpoint and the entries after it. These are about
 * STORE_CHECKPOINT_EVENTS entries or, if the state is large, about as many bytes as the state has.
 *
 * The entry for a given time is found by binary search. Times in the journal decrease only where the system
 * clock was set back. These entries divide the journal into parts with ascending times; if several parts
 * contain the time, the last of them is used.
 */
#include "inside.h"
#include "sched/base/duration.h"

#include <stdio.h>

/* --- the state ---------------------------------------------------------------------- */

struct past {
	struct state *st;
	uint64_t seq; /* requested entry */
	struct err *err;
	bool failed;
};

static void read_checkpoint(struct db_txn *txn, void *self)
{
	struct past *p = self;
	uint64_t at = prune_refuses(txn, p->seq) ? 0 : checkpoint_find(txn, p->seq);

	if (at != 0)
		checkpoint_get(txn, at, p->st);
}

/* Applies an entry and continues until the requested one. If event_apply fails, the journal does not belong
 * to the state. */
static bool replay_entry(void *self, const struct event *ev)
{
	struct past *p = self;
	struct event copy = *ev;

	if (ev->seq != state_view(p->st)->seq + 1)
		p->failed = !err_set(p->err, "entries before %llu are no longer kept",
				     (unsigned long long)ev->seq);
	else if (!event_apply(p->st, &copy, p->err))
		p->failed = !err_prefix(p->err, "entry %llu does not fit the state before it",
					(unsigned long long)ev->seq);
	return !p->failed && ev->seq < p->seq;
}

bool journal_replay(struct store *s, struct state *st, uint64_t seq, struct err *err)
{
	struct past p = {.st = st, .seq = seq, .err = err};

	if (state_view(st)->seq == seq)
		return true;
	if (!store_journal(s, state_view(st)->seq + 1, false, replay_entry, &p, err) || p.failed)
		return false;
	return state_view(st)->seq == seq ||
	       err_set(err, "the journal of %s ends with entry %llu, before entry %llu", s->dir,
		       (unsigned long long)state_view(st)->seq, (unsigned long long)seq);
}

bool store_state_at(struct store *s, uint64_t seq, struct state *st, struct err *err)
{
	struct past p = {.st = st, .seq = seq};
	struct ledger ledger = store_ledger(s);

	if (seq == 0)
		return ledger.ops->load(s, st, err);
	if (!db_read(s->db, read_checkpoint, &p, err))
		return err_prefix(err, "the store %s", s->dir);
	return journal_replay(s, st, seq, err);
}

struct state *store_state_after(struct store *s, uint64_t seq, struct err *err)
{
	struct state *st = state_new();

	if (seq == 0 || store_state_at(s, seq, st, err))
		return st;
	state_free(st);
	return NULL;
}

/* --- which entry ------------------------------------------------------------------------------ */

struct search {
	int64_t time_s;       /* requested time                            */
	uint64_t first, last; /* first and last entry of the journal       */
	int64_t first_s;      /* time of the first entry                   */
	uint64_t found;       /* last entry at or before time_s; 0 = none  */
	struct codec_scratch scratch;
};

/* Reads the time of an entry. If the entry set the clock back, sets *before to the previous entry that did
 * so, otherwise to 0; `before` may be NULL. */
static bool entry_time(struct db_txn *txn, struct search *find, uint64_t seq, int64_t *out_s,
		       uint64_t *before)
{
	struct key key = key_number(seq);
	struct bytes value;
	struct event ev;

	if (db_get(txn, DB_EVENT, key_bytes(&key), &value) &&
	    get_event(&value, &key, &ev, &find->scratch, db_err(txn))) {
		*out_s = ev.time_s;
		if (before != NULL)
			*before = ev.kind == EVENT_CLOCK ? ev.clock.before : 0;
		return true;
	}
	if (db_good(txn))
		err_prefix(db_err(txn), "journal entry %llu cannot be read", (unsigned long long)seq);
	db_fail(txn);
	return false;
}

/* Binary search in one part of the journal: the entry find->found is at or before the time, and the entry
 * `after` is later. */
static void halve(struct db_txn *txn, struct search *find, uint64_t after)
{
	while (after - find->found > 1) {
		uint64_t middle = find->found + (after - find->found) / 2;
		int64_t middle_s;

		if (!entry_time(txn, find, middle, &middle_s, NULL))
			return;
		if (middle_s <= find->time_s)
			find->found = middle;
		else
			after = middle;
	}
}

/* Returns the last entry that set the clock back; 0 = none. */
static uint64_t last_set_back(struct db_txn *txn)
{
	struct key key = key_word(META_COUNTERS);
	struct tally tally = {.nodes = 0};
	struct bytes value;

	if (db_get(txn, DB_META, key_bytes(&key), &value) && !get_tally(&value, &key, &tally, db_err(txn)))
		db_fail(txn);
	return tally.counters.set_back;
}

/* Searches the parts of the journal, beginning with the last, for one that begins at or before the time. */
static void search_parts(struct db_txn *txn, struct search *find)
{
	uint64_t after = find->last + 1, begin = last_set_back(txn), before;
	int64_t begin_s;

	for (;; begin = before) {
		if (begin < find->first)
			begin = find->first;
		if (begin >= after || !entry_time(txn, find, begin, &begin_s, &before))
			return;
		if (begin_s <= find->time_s) {
			find->found = begin;
			halve(txn, find, after);
			return;
		}
		if (begin == find->first)
			return;
		after = begin;
	}
}

static void search_journal(struct db_txn *txn, void *self)
{
	struct search *find = self;

	journal_ends(txn, &find->first, &find->last);
	find->found = 0;
	if (find->first != 0 && entry_time(txn, find, find->first, &find->first_s, NULL))
		search_parts(txn, find);
}

static bool search(struct store *s, struct search *find, struct err *err)
{
	bool good = db_read(s->db, search_journal, find, err) || err_prefix(err, "the store %s", s->dir);

	codec_scratch_free(&find->scratch);
	return good;
}

/* Sets the error for a time or entry before the journal begins; the message states the first entry and its
 * time. */
static bool refuse(const struct search *find, const char *what, moment_clock *clock, struct err *err)
{
	char when[MOMENT_TEXT];

	if (find->first == 0)
		return err_set(err, "%s is not available: the journal is empty", what);
	return err_set(err, "%s is before the journal begins (entry %llu, %s)", what,
		       (unsigned long long)find->first, moment_iso(when, moment_by(clock, find->first_s)));
}

bool store_moment_of_time(struct store *s, int64_t time_s, struct store_moment *out, moment_clock *clock,
			  struct err *err)
{
	struct search find = {.time_s = time_s};
	char when[MOMENT_TEXT];

	if (!search(s, &find, err))
		return false;
	if (find.found == 0)
		return refuse(&find, moment_iso(when, moment_by(clock, time_s)), clock, err);
	*out = (struct store_moment){.seq = find.found, .time_s = time_s};
	return true;
}

struct one_entry {
	struct search ends;
	uint64_t seq;
	int64_t time_s;
};

static void read_entry(struct db_txn *txn, void *self)
{
	struct one_entry *one = self;

	one->ends.time_s = INT64_MIN;
	search_journal(txn, &one->ends);
	if (one->seq >= one->ends.first && one->seq <= one->ends.last && one->seq != 0)
		(void)entry_time(txn, &one->ends, one->seq, &one->time_s, NULL);
}

bool store_moment_of_entry(struct store *s, uint64_t seq, struct store_moment *out, moment_clock *clock,
			   struct err *err)
{
	struct one_entry one = {.seq = seq};
	bool good = db_read(s->db, read_entry, &one, err) || err_prefix(err, "the store %s", s->dir);
	char what[32];

	codec_scratch_free(&one.ends.scratch);
	if (!good)
		return false;
	snprintf(what, sizeof what, "entry %llu", (unsigned long long)seq);
	if (one.ends.first == 0 || seq < one.ends.first)
		return refuse(&one.ends, what, clock, err);
	if (seq > one.ends.last)
		return err_set(err, "%s has not been written yet: the journal ends with entry %llu", what,
			       (unsigned long long)one.ends.last);
	*out = (struct store_moment){.seq = seq, .time_s = one.time_s};
	return true;
}
