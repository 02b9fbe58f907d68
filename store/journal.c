/* SPDX-License-Identifier: MIT */
/*
 * journal.c - reading the journal
 *
 * Entries are copied in batches of a few hundred, one short transaction per batch, and visited afterwards.
 * Entries never change, so the batches are consistent; and a slow visitor neither makes the file grow nor
 * delays commits that grow the map.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "sched/base/vec.h"

#define BATCH_ENTRIES 256
#define BATCH_BYTES   ((size_t)1 << 20)

/* A batch of journal entries, copied from the store. */
struct batch {
	uint64_t from; /* the first requested entry */
	bool again;    /* not the first batch */
	enum db_direction direction;
	struct str bytes;
	struct entry {
		struct key key;
		size_t begin, size; /* position and number of bytes in `bytes` */
	} entry[BATCH_ENTRIES];
	size_t count;
};

/*
 * Sets *pruned to the last pruned entry, and makes an ascending traversal begin after it. Returns false with
 * an error if the next entry of a traversal in progress was pruned.
 */
static bool find_begin(struct db_txn *txn, struct batch *b, uint64_t *pruned)
{
	struct pruned record;

	if (!prune_read(txn, &record))
		return false;
	*pruned = record.journal;
	if (b->direction == DB_DOWN || b->from > record.journal)
		return true;
	if (b->again)
		return !prune_refuses(txn, b->from - 1);
	b->from = record.journal + 1;
	return true;
}

static void read_batch(struct db_txn *txn, void *self)
{
	struct batch *b = self;
	uint64_t pruned;

	b->count = 0;
	str_clear(&b->bytes);
	if (!find_begin(txn, b, &pruned))
		return;

	struct key key = key_number(b->from);
	struct bytes from = key_bytes(&key);
	struct db_cursor c = db_walk(txn, DB_EVENT, &from, b->direction);

	while (b->count < BATCH_ENTRIES && b->bytes.len < BATCH_BYTES && db_next(&c) &&
	       key_first(c.key) > pruned) {
		b->entry[b->count++] = (struct entry){key_copy(c.key), b->bytes.len, c.value.size};
		str_add_bytes(&b->bytes, c.value.data, c.value.size);
	}
	db_stop(&c);
}

struct walk {
	struct batch batch;
	uint64_t expected; /* the next expected entry; 0 = any */
	struct codec_scratch scratch;
	bool stopped; /* the visitor has stopped the traversal */
};

static bool visit_entry(struct walk *w, const struct entry *entry, journal_visit *visit, void *self,
			struct err *err)
{
	struct bytes bytes = {w->batch.bytes.data + entry->begin, entry->size};
	uint64_t seq = key_first(key_bytes(&entry->key));
	struct event ev;

	if (w->expected != 0 && seq != w->expected)
		return err_set(err, "journal entry %llu is missing", (unsigned long long)w->expected);
	w->expected = w->batch.direction == DB_UP ? seq + 1 : seq - 1;
	if (!get_event(&bytes, &entry->key, &ev, &w->scratch, err))
		return err_prefix(err, "journal entry %llu", (unsigned long long)seq);
	if (ev.seq != seq)
		return err_set(err, "journal entry %llu is damaged: it has the number of entry %llu",
			       (unsigned long long)seq, (unsigned long long)ev.seq);
	w->stopped = !visit(self, &ev);
	return true;
}

static bool visit_batches(struct store *s, struct walk *w, journal_visit *visit, void *self, struct err *err)
{
	do {
		if (!db_read(s->db, read_batch, &w->batch, err))
			return false;
		for (size_t i = 0; i < w->batch.count && !w->stopped; i++)
			if (!visit_entry(w, &w->batch.entry[i], visit, self, err))
				return false;
		w->batch.from = w->expected;
		w->batch.again = true;
	} while (w->batch.count > 0 && !w->stopped && w->expected != 0);
	return true;
}

bool store_journal(struct store *s, uint64_t from, bool backward, journal_visit *visit, void *self,
		   struct err *err)
{
	struct walk *w = mem_zero(1, sizeof *w);
	bool good;

	w->batch.from = from;
	w->batch.direction = backward ? DB_DOWN : DB_UP;
	good = visit_batches(s, w, visit, self, err) || err_prefix(err, "the store %s", s->dir);
	str_free(&w->batch.bytes);
	codec_scratch_free(&w->scratch);
	free(w);
	return good;
}

struct range {
	uint64_t first, last;
};

static uint64_t end_of_journal(struct db_txn *txn, const struct key *from_key, enum db_direction direction)
{
	struct bytes from = key_bytes(from_key);
	struct db_cursor c = db_walk(txn, DB_EVENT, &from, direction);
	uint64_t seq = db_next(&c) ? key_first(c.key) : 0;

	db_stop(&c);
	return seq;
}

void journal_ends(struct db_txn *txn, uint64_t *first, uint64_t *last)
{
	struct key lowest, highest = key_number(UINT64_MAX);
	struct pruned pruned;

	*first = *last = 0;
	if (!prune_read(txn, &pruned))
		return;
	lowest = key_number(pruned.journal + 1);
	*first = end_of_journal(txn, &lowest, DB_UP);
	*last = *first == 0 ? 0 : end_of_journal(txn, &highest, DB_DOWN);
}

static void read_range(struct db_txn *txn, void *self)
{
	struct range *r = self;

	journal_ends(txn, &r->first, &r->last);
}

bool store_journal_range(struct store *s, uint64_t *first, uint64_t *last, struct err *err)
{
	struct range r;

	if (!db_read(s->db, read_range, &r, err))
		return false;
	*first = r.first;
	*last = r.last;
	return true;
}
