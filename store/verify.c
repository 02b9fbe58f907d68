/* SPDX-License-Identifier: MIT */
/*
 * verify.c - checks that all records of a store are valid and consistent
 *
 * The journal is replayed from its first entry or, if its beginning was pruned, from the checkpoint at which
 * it was cut. In a store that was converted from an earlier layout, the replay begins no earlier than at the
 * entry of the conversion; the entries before it must only be readable. At each checkpoint, and at the end,
 * the resulting state must equal the stored one.
 *
 * A scheduler may run at the same time: the last entry to check is determined first, and later entries are
 * not checked.
 */
#include <stdlib.h>

#include "ids.h"
#include "inside.h"
#include "sched/base/vec.h"

struct verify {
	struct store *store;
	bool old;        /* the store has an earlier layout: its journal is readable but cannot be verified */
	uint64_t from;   /* states after this entry can be verified by replaying the entries after it */
	uint64_t pruned; /* last pruned journal entry */
	struct state *st; /* state after the last applied entry */
	uint64_t last;    /* last entry of the stored state */
	uint64_t last_hash;
	uint64_t *checkpoint; /* entries of the checkpoints, in ascending order */
	size_t count, room;
};

static void check_history(struct db_txn *txn, uint64_t expected)
{
	struct codec_scratch scratch = {.bypassed = NULL};
	struct db_cursor c = db_walk(txn, DB_HISTORY, NULL, DB_UP);
	uint64_t seen = 0;

	for (; db_next(&c); seen++) {
		struct key key = key_copy(c.key);
		struct bytes value = c.value;
		struct ended_job ended;

		if (!get_ended(&value, &key, &ended, &scratch, db_err(txn))) {
			err_prefix(db_err(txn), "table history, job %llu",
				   (unsigned long long)key_second(c.key));
			db_fail(txn);
		}
	}
	db_stop(&c);
	codec_scratch_free(&scratch);
	if (db_good(txn) && seen != expected) {
		err_set(db_err(txn), "table history: %llu jobs were stored, but %llu are present",
			(unsigned long long)expected, (unsigned long long)seen);
		db_fail(txn);
	}
}

static void list_checkpoints(struct db_txn *txn, struct verify *v)
{
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, NULL, DB_UP);

	while (db_next(&c)) {
		if (key_second(c.key) != 0)
			continue;
		v->checkpoint = vec_room(v->checkpoint, &v->room, v->count + 1, sizeof *v->checkpoint);
		v->checkpoint[v->count++] = key_first(c.key);
	}
	db_stop(&c);
}

/* Tasks of an array share their launch data, so its ID may occur more than once before the IDs are sorted. */
size_t state_launches(const struct snapshot *s, uint64_t *id)
{
	size_t count = 0;

	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];

		if (job->state != JOB_NONE && (job->real & JOB_REAL_LAUNCH) != 0)
			id[count++] = job_launch_id(job);
	}
	return ids_order(id, count);
}

static void check_launch(struct db_txn *txn, uint64_t id)
{
	struct key key = key_number(id);
	struct bytes value, launch;

	if (!db_get(txn, DB_LAUNCH, key_bytes(&key), &value))
		value = (struct bytes){"", 0};
	if (!get_launch(&value, &key, &launch, db_err(txn))) {
		err_prefix(db_err(txn), "the launch data of job %llu", (unsigned long long)id);
		db_fail(txn);
	}
}

/* Each real job must have launch data, and there must be no other launch data. */
static void check_launches(struct db_txn *txn, const struct snapshot *s)
{
	uint64_t *id = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *id);
	size_t wanted = state_launches(s, id);

	for (size_t i = 0; i < wanted && db_good(txn); i++)
		check_launch(txn, id[i]);
	free(id);
	if (db_good(txn) && db_count(txn, DB_LAUNCH) != wanted) {
		err_set(db_err(txn), "there is launch data for a job that is not in the queue");
		db_fail(txn);
	}
}

static void check_tables(struct db_txn *txn, void *self)
{
	struct verify *v = self;
	struct state *st = state_new();
	struct schema schema;
	struct tally tally;

	if (restore_latest(txn, st, &tally)) {
		v->last = state_view(st)->seq;
		v->last_hash = state_hash(state_view(st));
		schema = store_schema(txn);
		v->old = schema.version < STORE_SCHEMA;
		v->from = v->old ? v->last : schema.proven_from;
		check_history(txn, tally.ended);
		check_launches(txn, state_view(st));
		cookies_check(txn);
		list_checkpoints(txn, v);
	}
	state_free(st);
}

/* --- the journal ------------------------------------------------------------------------------ */

static void load(struct db_txn *txn, struct verify *v, uint64_t seq)
{
	state_free(v->st);
	v->st = state_new();
	checkpoint_get(txn, seq, v->st);
}

/*
 * If entries after v->st were pruned in the meantime, continues with the checkpoint at which the journal was
 * cut. This lets a scheduler prune during verification.
 */
static void follow_pruning(struct db_txn *txn, void *self)
{
	struct verify *v = self;
	struct pruned pruned;

	if (!prune_read(txn, &pruned) || pruned.journal == v->pruned)
		return;
	v->pruned = pruned.journal;
	if (pruned.journal < v->from || pruned.journal <= state_view(v->st)->seq)
		return;
	v->from = pruned.journal;
	load(txn, v, pruned.journal);
}

/* Loads the state from which the replay begins: that of the checkpoint at which the journal was cut, or that
 * of the conversion from an earlier layout. */
static void begin_there(struct db_txn *txn, void *self)
{
	struct verify *v = self;

	follow_pruning(txn, v);
	if (v->from > v->pruned && !v->old && db_good(txn))
		load(txn, v, v->from);
}

struct count_up {
	uint64_t next, last;
};

static bool count_entry(void *self, const struct event *ev)
{
	struct count_up *count = self;

	count->next = ev->seq + 1;
	return ev->seq < count->last;
}

/* Checks the entries up to v->from, from which states cannot be verified: all must be readable, and none
 * missing.
 */
static bool read_past(struct verify *v, struct err *err)
{
	uint64_t last = v->from;

	while (v->pruned < last) {
		struct count_up count = {.next = v->pruned + 1, .last = last};

		if (store_journal(v->store, v->pruned + 1, false, count_entry, &count, err))
			return count.next == last + 1 ||
			       err_set(err, "the journal ends with entry %llu, before entry %llu",
				       (unsigned long long)(count.next - 1), (unsigned long long)last);
		uint64_t before = v->pruned;
		if (!db_read(v->store->db, follow_pruning, v, err) || v->pruned == before)
			return false;
	}
	return true;
}

struct one_checkpoint {
	uint64_t seq, hash;
	bool gone; /* pruned since the checkpoints were listed */
};

static void hash_checkpoint(struct db_txn *txn, void *self)
{
	struct one_checkpoint *one = self;
	struct pruned pruned;
	struct state *st;

	one->gone = !prune_read(txn, &pruned) || one->seq < pruned.journal;
	if (one->gone)
		return;
	st = state_new();
	checkpoint_get(txn, one->seq, st);
	one->hash = state_hash(state_view(st));
	state_free(st);
}

static bool same_state(const struct state *st, uint64_t hash, const char *what, struct err *err)
{
	return state_hash(state_view(st)) == hash ||
	       err_set(err, "the journal up to entry %llu gives a different state than %s",
		       (unsigned long long)state_view(st)->seq, what);
}

/*
 * Applies the entries up to seq. The resulting state must have the given hash; `what` says in messages where
 * the hash comes from.
 */
static bool replay_to(struct verify *v, uint64_t seq, uint64_t hash, const char *what, struct err *err)
{
	while (v->from < seq) {
		uint64_t before = v->from;

		if (journal_replay(v->store, v->st, seq, err))
			return same_state(v->st, hash, what, err);
		if (!db_read(v->store->db, follow_pruning, v, err) || v->from == before)
			return false;
	}
	return true;
}

static bool replay_all(struct verify *v, struct err *err)
{
	for (size_t i = 0; i < v->count; i++) {
		struct one_checkpoint one = {.seq = v->checkpoint[i]};

		if (!db_read(v->store->db, hash_checkpoint, &one, err) ||
		    (!one.gone && !replay_to(v, one.seq, one.hash, "the checkpoint of that entry", err)))
			return false;
	}
	return v->old || replay_to(v, v->last, v->last_hash, "the tables", err);
}

bool store_verify(struct store *s, struct err *err)
{
	struct verify v = {.store = s, .st = state_new()};
	bool good = db_check(s->db, err) && db_read(s->db, check_tables, &v, err) &&
		    db_read(s->db, begin_there, &v, err) && read_past(&v, err) && replay_all(&v, err);

	state_free(v.st);
	free(v.checkpoint);
	return good || err_prefix(err, "the store %s", s->dir);
}
