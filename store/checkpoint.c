/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.c - checkpoints: stored copies of the complete state
 *
 * A checkpoint is a sequence of the same records as in the tables. The sequence is split at record boundaries
 * into parts of about 60 kB, because LMDB stores a value in contiguous pages, and long runs of free pages are
 * rare. Running jobs come before idle jobs: each is restored in constant time while the queue is still empty.
 */

#include "inside.h"

#define PART_BYTES 60000

struct writer {
	struct db_txn *txn;
	uint64_t seq, part;
	struct key key;
	struct str bytes; /* bytes of the current part */
	struct codec_scratch scratch;
};

static void end_part(struct writer *w)
{
	db_append(w->txn, DB_CHECKPOINT, key_bytes(&w->key), (struct bytes){w->bytes.data, w->bytes.len});
	str_clear(&w->bytes);
	w->part++;
	w->key = key_checkpoint(w->seq, w->part);
}

static void end_record(struct writer *w)
{
	if (w->bytes.len >= PART_BYTES)
		end_part(w);
}

static void put_slot(struct writer *w, const struct snapshot *s, uint32_t slot)
{
	struct job_record job = job_of(s, slot, &w->scratch);

	put_job(&w->bytes, &w->key, &job);
	end_record(w);
}

static void put_machine(struct writer *w, const struct snapshot *s)
{
	struct config_text config = config_of(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		struct node_record node = node_of(s, i, &w->scratch);

		put_node(&w->bytes, &w->key, &node);
		end_record(w);
	}
	put_config(&w->bytes, &w->key, &config);
	end_record(w);
}

static void put_windows(struct writer *w, const struct snapshot *s)
{
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++) {
		struct usage_window window = window_of(s, c, &w->scratch);

		if (window.length_s == 0)
			continue;
		put_usage(&w->bytes, &w->key, &window);
		end_record(w);
	}
}

static void put_changes(struct writer *w, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		struct change_record change = change_of(s, i);

		if (change.change.kind == CHANGE_GONE)
			continue;
		put_change(&w->bytes, &w->key, &change);
		end_record(w);
	}
}

void checkpoint_put(struct db_txn *txn, const struct snapshot *s)
{
	struct writer w = {.txn = txn, .seq = s->seq, .key = key_checkpoint(s->seq, 0)};
	struct tally tally = tally_of(s);

	put_machine(&w, s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		put_slot(&w, s, snapshot_running(s)[i]);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		put_slot(&w, s, snapshot_waiting(s)[i].slot);
	put_windows(&w, s);
	put_changes(&w, s);
	put_tally(&w.bytes, &w.key, &tally);
	end_part(&w);
	str_free(&w.bytes);
	codec_scratch_free(&w.scratch);
}

void checkpoint_drop(struct db_txn *txn, uint64_t seq)
{
	struct key first = key_checkpoint(seq, 0);
	struct bytes from = key_bytes(&first);
	uint64_t parts = 0;
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, &from, DB_UP);

	while (db_next(&c) && key_first(c.key) == seq)
		parts++;
	db_stop(&c);
	for (uint64_t part = 0; part < parts; part++) {
		struct key key = key_checkpoint(seq, part);

		db_delete(txn, DB_CHECKPOINT, key_bytes(&key));
	}
}

uint64_t checkpoint_find(struct db_txn *txn, uint64_t seq)
{
	struct key last = key_checkpoint(seq, UINT64_MAX);
	struct bytes from = key_bytes(&last);
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, &from, DB_DOWN);
	uint64_t found = db_next(&c) ? key_first(c.key) : 0;

	db_stop(&c);
	return found;
}

/* Applies all records of one part. */
static bool take_part(struct restore *r, struct bytes bytes, const struct key *key, struct err *err)
{
	while (bytes.size > 0)
		if (r->done)
			return err_set(err, "there are records after the record of counters");
		else if (!restore_take(r, &bytes, key, err))
			return false;
	return true;
}

void checkpoint_get(struct db_txn *txn, uint64_t seq, struct state *st)
{
	struct restore r = {.st = st};
	struct key first = key_checkpoint(seq, 0);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, &from, DB_UP);
	bool good = true;

	while (good && db_next(&c) && key_first(c.key) == seq) {
		struct key key = key_copy(c.key);

		good = take_part(&r, c.value, &key, db_err(txn));
	}
	db_stop(&c);
	if (good && !r.done && db_good(txn))
		good = err_set(db_err(txn), "the record of counters at its end is missing");
	if (!good) {
		err_prefix(db_err(txn), "the checkpoint of entry %llu", (unsigned long long)seq);
		db_fail(txn);
	}
	restore_free(&r);
}
