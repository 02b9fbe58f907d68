/* SPDX-License-Identifier: MIT */
/*
 * migrate.c - conversion of a store from an earlier layout
 *
 * The file is copied first. Then the state is read, which is possible for every earlier layout, and written
 * again with current records and a checkpoint from which later states can be verified. Earlier journal
 * entries are kept and can be read; but earlier versions of Kahu applied other rules, so the state cannot be
 * verified from these entries.
 */

#include "inside.h"

struct migration {
	struct codec_scratch scratch;
	struct str bytes;
};

static void put_record(struct db_txn *txn, struct migration *m, enum db_table table, const struct key *key)
{
	db_put(txn, table, key_bytes(key), (struct bytes){m->bytes.data, m->bytes.len});
	str_clear(&m->bytes);
}

static void put_one_job(struct db_txn *txn, struct migration *m, const struct snapshot *s, uint32_t slot)
{
	struct key key = key_number(snapshot_jobs(s)[slot].id);
	struct job_record job = job_of(s, slot, &m->scratch);

	put_job(&m->bytes, &key, &job);
	put_record(txn, m, DB_JOB, &key);
}

static void put_jobs(struct db_txn *txn, struct migration *m, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		put_one_job(txn, m, s, snapshot_running(s)[i]);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		put_one_job(txn, m, s, snapshot_waiting(s)[i].slot);
}

static void put_nodes(struct db_txn *txn, struct migration *m, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		struct key key = key_number(i);
		struct node_record node = node_of(s, i, &m->scratch);

		put_node(&m->bytes, &key, &node);
		put_record(txn, m, DB_NODE, &key);
	}
}

static void put_changes(struct db_txn *txn, struct migration *m, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		struct change_record change = change_of(s, i);
		struct key key = key_number(change.change.seq);

		if (change.change.kind == CHANGE_GONE)
			continue;
		put_change(&m->bytes, &key, &change);
		put_record(txn, m, DB_CHANGE, &key);
	}
}

static void put_windows(struct db_txn *txn, struct migration *m, const struct snapshot *s)
{
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++) {
		struct usage_window window = window_of(s, c, &m->scratch);
		struct key key = key_moment(window.begin_s);

		if (window.length_s == 0)
			continue;
		put_usage(&m->bytes, &key, &window);
		put_record(txn, m, DB_USAGE, &key);
	}
}

static void put_meta(struct db_txn *txn, struct migration *m, const struct snapshot *s)
{
	struct key config_key = key_word(META_CONFIG);
	struct config_text config = config_of(s);
	struct key counters = key_word(META_COUNTERS), layout = key_word(META_SCHEMA);
	struct schema schema = {
		.version = STORE_SCHEMA, .writer = "kahu " KAHU_VERSION, .proven_from = s->seq};
	struct tally tally = tally_of(s);

	tally.ended = db_count(txn, DB_HISTORY);
	put_config(&m->bytes, &config_key, &config);
	put_record(txn, m, DB_META, &config_key);
	put_tally(&m->bytes, &counters, &tally);
	put_record(txn, m, DB_META, &counters);
	put_schema(&m->bytes, &layout, &schema);
	put_record(txn, m, DB_META, &layout);
}

void state_put_tables(struct db_txn *txn, const struct snapshot *s)
{
	struct migration m = {.bytes = {0}};

	put_nodes(txn, &m, s);
	put_jobs(txn, &m, s);
	put_changes(txn, &m, s);
	put_windows(txn, &m, s);
	put_meta(txn, &m, s);
	checkpoint_drop(txn, s->seq);
	checkpoint_put(txn, s);
	str_free(&m.bytes);
	codec_scratch_free(&m.scratch);
}

static void migrate_work(struct db_txn *txn, void *self)
{
	struct state *st = state_new();
	struct tally tally;

	(void)self;
	if (restore_latest(txn, st, &tally))
		state_put_tables(txn, state_view(st));
	state_free(st);
}

bool migrate_store(struct store *s, uint32_t from, struct err *err)
{
	struct str copy = {0};
	bool good;

	str_addf(&copy, "%s/data-%u.mdb", s->dir, from);
	good = db_copy(s->db, str_text(&copy), err) && db_write(s->db, migrate_work, NULL, err);
	str_free(&copy);
	return good || err_prefix(err, "the store %s has layout %u and cannot be converted to layout %d",
				  s->dir, from, STORE_SCHEMA);
}
