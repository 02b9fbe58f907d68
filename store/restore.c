/* SPDX-License-Identifier: MIT */
/*
 * restore.c - conversion between records and a state
 *
 * The record of counters comes last and contains the numbers of the other records, so a missing record is
 * detected as well as a damaged one.
 */
#include "inside.h"

/* --- from records to a state -------------------------------------------------------------- */

static bool take_node(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	struct node_record node;

	r->seen.nodes++;
	return get_node(bytes, key, &node, err) && state_restore_node(r->st, &node, err);
}

static bool take_config(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	struct config_text config;

	if (!get_config(bytes, key, &config, err))
		return false;
	return !config.text || state_restore_config(r->st, config.file ? config.file : "", config.text, err);
}

static bool take_job(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	struct job_record job;

	r->seen.jobs++;
	return get_job(bytes, key, &job, &r->scratch, err) && state_restore_job(r->st, &job, err);
}

static bool take_usage(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	struct usage_window window;

	r->seen.windows++;
	return get_usage(bytes, key, &window, &r->scratch, err) && state_restore_usage(r->st, &window, err);
}

static bool take_change(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	struct change_record change;

	if (!get_change(bytes, key, &change, err))
		return false;
	r->seen.changes++;
	state_restore_change(r->st, &change.change, change.name, change.value, change.base);
	return true;
}

static bool count_is(const char *what, uint64_t seen, uint64_t kept, struct err *err)
{
	return seen == kept || err_set(err, "%llu %s were stored, but %llu are present",
				       (unsigned long long)kept, what, (unsigned long long)seen);
}

static bool take_counters(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	r->done = true;
	return get_tally(bytes, key, &r->kept, err) && count_is("nodes", r->seen.nodes, r->kept.nodes, err) &&
	       count_is("jobs", r->seen.jobs, r->kept.jobs, err) &&
	       count_is("changes", r->seen.changes, r->kept.changes, err) &&
	       count_is("fairshare windows", r->seen.windows, r->kept.windows, err) &&
	       state_restore_finish(r->st, &r->kept.counters, err);
}

bool restore_take(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err)
{
	switch (record_peek(*bytes)) {
	case RECORD_NODE:
		return take_node(r, bytes, key, err);
	case RECORD_CONFIG:
		return take_config(r, bytes, key, err);
	case RECORD_JOB:
		return take_job(r, bytes, key, err);
	case RECORD_USAGE:
		return take_usage(r, bytes, key, err);
	case RECORD_CHANGE:
		return take_change(r, bytes, key, err);
	case RECORD_COUNTERS:
		return take_counters(r, bytes, key, err);
	default:
		return err_set(err, "a record of type %s (%u) does not belong to a state: it is damaged",
			       record_type_name(record_peek(*bytes)), record_peek(*bytes));
	}
}

void restore_free(struct restore *r)
{
	codec_scratch_free(&r->scratch);
}

/* --- the tables ------------------------------------------------------------------------ */

static void take_one(struct db_txn *txn, struct restore *r, enum db_table table, const struct key *key,
		     struct bytes value)
{
	if (restore_take(r, &value, key, db_err(txn)))
		return;
	err_prefix(db_err(txn), "table %s", store_table_names[table]);
	db_fail(txn);
}

static void take_table(struct db_txn *txn, struct restore *r, enum db_table table)
{
	struct db_cursor c = db_walk(txn, table, NULL, DB_UP);

	while (db_next(&c)) {
		struct key key = key_copy(c.key);

		take_one(txn, r, table, &key, c.value);
	}
	db_stop(&c);
}

static void take_meta(struct db_txn *txn, struct restore *r, const char *word)
{
	struct key key = key_word(word);
	struct bytes value;

	if (db_get(txn, DB_META, key_bytes(&key), &value))
		take_one(txn, r, DB_META, &key, value);
}

bool restore_latest(struct db_txn *txn, struct state *st, struct tally *out)
{
	struct restore r = {.st = st};

	take_table(txn, &r, DB_NODE);
	take_meta(txn, &r, META_CONFIG);
	take_table(txn, &r, DB_JOB);
	take_table(txn, &r, DB_USAGE);
	take_table(txn, &r, DB_CHANGE);
	take_meta(txn, &r, META_COUNTERS);
	if (db_good(txn) && !r.done && r.seen.nodes + r.seen.jobs + r.seen.changes > 0) {
		err_set(db_err(txn), "table meta: the record of counters is missing");
		db_fail(txn);
	}
	*out = r.kept;
	restore_free(&r);
	return db_good(txn);
}

/* --- from a state to records --------------------------------------------------------------------- */

static uint64_t count_windows(const struct snapshot *s)
{
	uint64_t count = 0;

	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		count += s->fs_window[c].length_s > 0;
	return count;
}

struct tally tally_of(const struct snapshot *s)
{
	return (struct tally){
		.counters = {.now_s = s->now_s,
			     .seq = s->seq,
			     .next_job_id = s->next_job_id,
			     .ends_pending = s->ends_pending,
			     .sim = s->sim,
			     .stats_since_s = s->stats_since_s,
			     .set_back = s->set_back,
			     .halted = s->halted,
			     .halt_after = s->halt_after},
		.nodes = snapshot_count(s, TABLE_NODES),
		.jobs = (uint64_t)snapshot_count(s, TABLE_WAITING) + snapshot_count(s, TABLE_RUNNING),
		.changes = snapshot_change_count(s),
		.windows = count_windows(s),
	};
}

struct config_text config_of(const struct snapshot *s)
{
	if (s->config_text == 0)
		return (struct config_text){.file = NULL};
	return (struct config_text){snapshot_string(s, s->config_file), snapshot_string(s, s->config_text)};
}

struct node_record node_of(const struct snapshot *s, uint32_t i, struct codec_scratch *scratch)
{
	struct node_record record;

	state_node_record(s, i, &record, &scratch->parts);
	return record;
}

/*
 * Returns the record of a change. An empty value of a setting or an attribute is stored as ""; in other
 * changes, an empty text means that there is none, and is stored as NULL.
 */
struct change_record change_of(const struct snapshot *s, uint32_t i)
{
	const struct change *change = &snapshot_changes(s)[i];
	struct change_record record = {.change = *change};
	bool modifies = change->kind == CHANGE_MODIFY;

	if (change->kind == CHANGE_RESERVE || change->kind == CHANGE_UNRESERVE) {
		record.name = snapshot_string(s, change->name);
		record.value = change->value != 0 ? snapshot_string(s, change->value) : NULL;
		record.base = change->base != 0 ? snapshot_string(s, change->base) : NULL;
	} else if (change->kind == CHANGE_SETTING || modifies) {
		record.name = snapshot_string(s, change->name);
		record.value = snapshot_string(s, change->value);
		record.base = modifies ? snapshot_string(s, change->base) : NULL;
	} else {
		record.value = change->value != 0 ? snapshot_string(s, change->value) : NULL;
		record.base = change->base != 0 ? snapshot_string(s, change->base) : NULL;
	}
	return record;
}

struct job_record job_of(const struct snapshot *s, uint32_t slot, struct codec_scratch *scratch)
{
	struct job_record record;

	state_job_record(s, slot, &record, &scratch->parts);
	return record;
}

struct usage_window window_of(const struct snapshot *s, uint32_t column, struct codec_scratch *scratch)
{
	struct usage_window window;

	state_usage_window(s, column, &window, &scratch->used, &scratch->used_room);
	return window;
}
