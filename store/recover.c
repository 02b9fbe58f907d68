/* SPDX-License-Identifier: MIT */
/*
 * recover.c - rebuilds a store from a damaged file and the last good copy
 *
 * Every record of the damaged file that can still be reached and has the right checksum is kept. The state is
 * taken from one of these sources: the file's tables if they are complete, the last good copy, a checkpoint,
 * or an empty state if the journal is complete from its first entry. Recovery uses the one of these sources
 * from which the readable journal entries lead to the latest state. Everything is written to a new file
 * beside the store, which then replaces the damaged file; the damaged file is kept. Journal entries after a
 * gap cannot be applied; they are only counted.
 *
 * The IDs of lost jobs are not reused. A job that is idle in the recovered state was in fact started later if
 * the spool contains a file of a later start, or if the history contains the job. Such a job gets a system
 * hold, so that it does not run twice.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ids.h"
#include "inside.h"
#include "pages.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define WORK_DIR        "recover"
#define BATCH           ((size_t)1 << 20) /* number of bytes written per transaction */
#define SPOOL_DIR       "spool"
#define REMOVED_AT_ONCE 4096

struct number_list {
	uint64_t *item;
	size_t count, room;
};

struct recover {
	const char *dir;
	struct store store; /* the store with the new file; only dir and db are used */
	struct store_recovery *report;
	struct str batch; /* records not written yet, each as header, key and value */
	bool overwrite;   /* records overwrite existing ones with the same key */
	bool failed;
	struct err *err;
	struct number_list jobs;        /* IDs in the queue, the journal or the spool */
	struct number_list ended;       /* IDs in the history */
	struct number_list checkpoints; /* entries of the checkpoints, in ascending order */
	struct pruned pruned;
	enum db_table table; /* table that is being salvaged */
	bool meta_lost;      /* a record of table meta, such as the configuration, is unreadable */
	struct codec_scratch scratch;
};

static void add_number(struct number_list *list, uint64_t number)
{
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	list->item[list->count++] = number;
}

/* --- writing records to the new file ------------------------------------------------------------------ */

struct batch_head {
	uint32_t table, key, value;
};

static void put_batch(struct db_txn *txn, void *self)
{
	const struct recover *r = self;
	struct batch_head head;

	for (size_t at = 0; at < r->batch.len; at += sizeof head + head.key + head.value) {
		struct bytes key, there;

		memcpy(&head, r->batch.data + at, sizeof head);
		key = (struct bytes){r->batch.data + at + sizeof head, head.key};
		if (r->overwrite || !db_get(txn, head.table, key, &there))
			db_put(txn, head.table, key,
			       (struct bytes){(const char *)key.data + head.key, head.value});
	}
}

static void flush(struct recover *r)
{
	if (r->batch.len > 0 && !r->failed)
		r->failed = !db_write(r->store.db, put_batch, r, r->err);
	str_clear(&r->batch);
}

static void add_record(struct recover *r, enum db_table table, struct bytes key, struct bytes value)
{
	struct batch_head head = {table, (uint32_t)key.size, (uint32_t)value.size};

	str_add_bytes(&r->batch, &head, sizeof head);
	str_add_bytes(&r->batch, key.data, key.size);
	str_add_bytes(&r->batch, value.data, value.size);
	if (r->batch.len >= BATCH)
		flush(r);
}

/*
 * Returns the type that records of a table have; in table meta, the type depends on the key. 0: the table has
 * no single type, or the key is unknown.
 */
static enum record_type type_of(enum db_table table, struct bytes key)
{
	static const enum record_type type[DB_TABLE_COUNT] = {
		[DB_JOB] = RECORD_JOB,       [DB_HISTORY] = RECORD_ENDED, [DB_NODE] = RECORD_NODE,
		[DB_CHANGE] = RECORD_CHANGE, [DB_EVENT] = RECORD_EVENT,   [DB_USAGE] = RECORD_USAGE,
		[DB_LAUNCH] = RECORD_LAUNCH, [DB_COOKIE] = RECORD_COOKIE, [DB_SCRIPT] = RECORD_LAUNCH,
	};
	static const struct {
		const char *key;
		enum record_type type;
	} meta[] = {
		{META_SCHEMA, RECORD_SCHEMA},
		{META_CONFIG, RECORD_CONFIG},
		{META_COUNTERS, RECORD_COUNTERS},
		{META_PRUNED, RECORD_PRUNED},
	};

	if (table != DB_META)
		return type[table];
	for (size_t i = 0; i < sizeof meta / sizeof meta[0]; i++)
		if (key.size == strlen(meta[i].key) && memcmp(key.data, meta[i].key, key.size) == 0)
			return meta[i].type;
	return 0;
}

/* Does the value have the right type and checksum for its key? Not tested for checkpoints, which are
 * sequences of records and are checked when they are loaded. */
static bool is_whole(enum db_table table, struct bytes key, struct bytes value)
{
	struct key copy = key_copy(key);
	enum record_type type = type_of(table, key);
	struct record record;

	if (key.size == 0 || key.size > KEY_MAX)
		return false;
	if (table == DB_CHECKPOINT || table == DB_COOKIE_AGE)
		return true;
	return type != 0 && record_open(&record, &value, &copy, type, codec_newest(type), NULL) &&
	       value.size == 0;
}

static void take_record(struct recover *r, enum db_table table, struct bytes key, struct bytes value)
{
	if (!is_whole(table, key, value)) {
		r->report->skipped++;
		return;
	}
	if (table == DB_JOB || table == DB_LAUNCH)
		add_number(&r->jobs, key_first(key));
	if (table == DB_HISTORY)
		add_number(&r->ended, key_second(key));
	add_record(r, table, key, value);
}

static void take_salvaged(void *self, struct bytes key, struct bytes value)
{
	struct recover *r = self;

	take_record(r, r->table, key, value);
}

/* Makes the recovery fail: a file that exists but cannot be read now must not be treated as lost. */
static void cannot_read(struct recover *r, const char *name, int error)
{
	r->failed = !err_set(r->err, "%s/%s cannot be read: %s; move it away to recover without it", r->dir,
			     name, strerror(error));
}

static void salvage_file(struct recover *r)
{
	struct str path = {0};
	uint64_t skipped;

	str_addf(&path, "%s/data.mdb", r->dir);
	int fd = open(str_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	str_free(&path);
	if (fd < 0) {
		if (errno != ENOENT)
			cannot_read(r, "data.mdb", errno);
		return;
	}
	for (unsigned table = 0; table < DB_TABLE_COUNT; table++) {
		r->table = table;
		skipped = r->report->skipped;
		r->report->skipped += pages_salvage(fd, store_table_names[table], take_salvaged, r);
		r->meta_lost = r->meta_lost || (table == DB_META && r->report->skipped > skipped);
	}
	close(fd);
	flush(r);
}

static void take_copied(void *self, enum db_table table, struct bytes key, struct bytes value)
{
	take_record(self, table, key, value);
}

/* --- removal --------------------------------------------------------------------------------------- */

struct removal {
	enum db_table table;
	uint64_t first, last; /* range of the numbers with which the keys begin */
	struct key *key;
	size_t count;
};

static void remove_some(struct db_txn *txn, void *self)
{
	struct removal *m = self;
	struct key first = key_number(m->first);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, m->table, m->first == 0 ? NULL : &from, DB_UP);

	m->count = 0;
	while (m->count < REMOVED_AT_ONCE && db_next(&c) &&
	       (m->last == UINT64_MAX || key_first(c.key) <= m->last))
		m->key[m->count++] = key_copy(c.key);
	db_stop(&c);
	for (size_t i = 0; i < m->count; i++)
		db_delete(txn, m->table, key_bytes(&m->key[i]));
}

/* Removes the records whose keys begin with a number in the range; from 0 to UINT64_MAX, all records of the
 * table. */
static void remove_records(struct recover *r, enum db_table table, uint64_t first, uint64_t last)
{
	struct removal m = {.table = table, .first = first, .last = last};

	if (first > last)
		return;
	m.key = mem_zero(REMOVED_AT_ONCE, sizeof *m.key);
	do
		r->failed = r->failed || !db_write(r->store.db, remove_some, &m, r->err);
	while (!r->failed && m.count == REMOVED_AT_ONCE);
	free(m.key);
}

static void remove_state(struct recover *r)
{
	static const enum db_table table[] = {DB_META, DB_NODE, DB_JOB, DB_USAGE, DB_CHANGE};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		remove_records(r, table[i], 0, UINT64_MAX);
}

/* --- which state leads furthest ------------------------------------------------------------------ */

struct reach {
	uint64_t from, to; /* journal entry of a state, and the last entry that can be applied to it */
};

/* Sets `to` to the last of the consecutive entries after `from`. Only the keys of the new file are read. */
static void find_reach(struct db_txn *txn, void *self)
{
	struct reach *reach = self;
	struct key first = key_number(reach->from + 1);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_EVENT, &from, DB_UP);

	reach->to = reach->from;
	while (db_next(&c) && key_first(c.key) == reach->to + 1)
		reach->to++;
	db_stop(&c);
}

static uint64_t reach_of(struct recover *r, uint64_t from)
{
	struct reach reach = {.from = from};

	r->failed = r->failed || !db_read(r->store.db, find_reach, &reach, r->err);
	return reach.to;
}

struct loading {
	uint64_t checkpoint; /* 0: load the state from the tables */
	struct state *st;
	struct tally tally;
};

static void load(struct db_txn *txn, void *self)
{
	struct loading *l = self;

	if (l->checkpoint != 0)
		checkpoint_get(txn, l->checkpoint, l->st);
	else
		(void)restore_latest(txn, l->st, &l->tally);
}

/* Loads the state of a checkpoint, or of the tables if checkpoint is 0. NULL, with the reason in err, if it
 * is damaged or empty. */
static struct state *try_load(struct recover *r, uint64_t checkpoint, struct err *err)
{
	struct loading l = {.checkpoint = checkpoint, .st = state_new()};

	if (db_read(r->store.db, load, &l, err) && (state_view(l.st)->seq > 0 || err_set(err, "it is empty")))
		return l.st;
	state_free(l.st);
	return NULL;
}

struct best {
	struct state *st;
	uint64_t reach;
	const char *what;
};

/*
 * Keeps st as the best state if the journal leads further from it than from the best state so far, otherwise
 * frees it. If both lead equally far, the later state is better, because fewer entries have to be applied. st
 * NULL: does nothing.
 */
static void consider(struct recover *r, struct best *best, struct state *st, const char *what)
{
	uint64_t reach;

	if (st == NULL)
		return;
	reach = reach_of(r, state_view(st)->seq);
	if (best->st != NULL && (reach < best->reach || (reach == best->reach &&
							 state_view(st)->seq <= state_view(best->st)->seq))) {
		state_free(st);
		return;
	}
	state_free(best->st);
	*best = (struct best){st, reach, what};
}

static void note_checkpoints(struct db_txn *txn, void *self)
{
	struct recover *r = self;
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, NULL, DB_UP);

	while (db_next(&c))
		if (r->checkpoints.count == 0 ||
		    r->checkpoints.item[r->checkpoints.count - 1] != key_first(c.key))
			add_number(&r->checkpoints, key_first(c.key));
	db_stop(&c);
}

/* Considers the state of each checkpoint, and removes damaged checkpoints. */
static void check_checkpoints(struct recover *r, struct best *best)
{
	size_t kept = 0;

	r->failed = r->failed || !db_read(r->store.db, note_checkpoints, r, r->err);
	for (size_t i = 0; i < r->checkpoints.count && !r->failed; i++) {
		uint64_t seq = r->checkpoints.item[i];
		struct state *st = try_load(r, seq, NULL);

		if (st == NULL) {
			remove_records(r, DB_CHECKPOINT, seq, seq);
			continue;
		}
		r->checkpoints.item[kept++] = seq;
		consider(r, best, st, "a checkpoint");
	}
	r->checkpoints.count = kept;
}

static void read_pruned(struct db_txn *txn, void *self)
{
	struct recover *r = self;

	(void)prune_read(txn, &r->pruned);
}

/* Loads the state of the last good copy; NULL if there is no valid copy. Recovery removes the copy at the
 * end, so if a valid copy cannot be loaded, recovery fails. */
static struct state *state_of_copy(struct recover *r)
{
	struct last_good copy;
	struct state *st;

	remove_state(r);
	r->overwrite = true;
	if (!last_good_read(r->dir, &copy, take_copied, r)) {
		if (copy.error != 0)
			cannot_read(r, STORE_LAST_GOOD, copy.error);
		return NULL;
	}
	flush(r);
	r->report->copy = copy.seq;
	st = r->failed ? NULL : try_load(r, 0, r->err);
	if (st == NULL && !r->failed)
		r->failed = !err_prefix(r->err,
					"%s/" STORE_LAST_GOOD " cannot be loaded; move it away to recover "
					"without it",
					r->dir);
	return st;
}

/*
 * Finds the best source of the state. The counters in table meta show whether records are missing in other
 * tables, but not whether the configuration is missing. So if table meta is damaged, the tables are used only
 * if there is no other source.
 */
static bool find_best(struct recover *r, struct best *best)
{
	struct state *own;

	r->pruned = (struct pruned){.history_s = TIME_NONE};
	if (!db_read(r->store.db, read_pruned, r, NULL))
		r->pruned = (struct pruned){.history_s = TIME_NONE};
	own = try_load(r, 0, NULL);
	if (!r->meta_lost) {
		consider(r, best, own, "its own tables");
		own = NULL;
	}
	consider(r, best, state_of_copy(r), "the last good copy");
	remove_state(r);
	check_checkpoints(r, best);
	if (reach_of(r, 0) > 0)
		consider(r, best, state_new(), "the journal");
	if (best->st == NULL)
		consider(r, best, own, "its own tables, without the configuration");
	else
		state_free(own);
	if (r->failed)
		return false;
	return best->st != NULL ||
	       err_set(r->err, "nothing can be recovered: neither tables nor a checkpoint can be read, and "
			       "there is no valid " STORE_LAST_GOOD);
}

/* --- other traces of jobs ------------------------------------------------------------------ */

/*
 * Parses the name of a file in the spool, such as "12.1": job 12, first start. Returns false if it is not
 * such a name.
 */
static bool is_start(const char *name, uint64_t *job, uint32_t *attempt)
{
	char id[24] = "";
	const char *dot = strchr(name, '.');
	int64_t number, start;

	if (dot == NULL || (size_t)(dot - name) >= sizeof id)
		return false;
	memcpy(id, name, (size_t)(dot - name));
	if (!str_read_whole(id, &number) || !str_read_whole(dot + 1, &start) || number < 1 || start < 1 ||
	    start > UINT32_MAX)
		return false;
	*job = (uint64_t)number;
	*attempt = (uint32_t)start;
	return true;
}

static const struct job *find_waiting(const struct snapshot *s, uint64_t id)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		if (job->id == id)
			return job;
	}
	return NULL;
}

static void hold_job(struct recover *r, struct state *st, uint64_t id)
{
	struct event ev = {.kind = EVENT_HOLD, .time_s = state_view(st)->now_s, .job = id, .who = "kahu"};
	struct str bytes = {0};

	ev.hold.bits = JOB_HOLD_SYSTEM;
	ev.hold.on = true;
	ev.hold.reason = "the job may have been started after the recovered state";
	if (!event_apply(st, &ev, NULL))
		return;
	struct key key = key_number(ev.seq);
	put_event(&bytes, &key, &ev);
	add_record(r, DB_EVENT, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
	r->report->held++;
}

static void note_start(struct recover *r, struct state *st, const char *name)
{
	const struct job *job;
	uint32_t attempt;
	uint64_t id;

	if (!is_start(name, &id, &attempt))
		return;
	add_number(&r->jobs, id);
	job = find_waiting(state_view(st), id);
	if (job != NULL && job->start_count < attempt && (job->holds & JOB_HOLD_SYSTEM) == 0)
		hold_job(r, st, id);
}

/* Looks in the spool for jobs that were started. An unreadable spool is an error: a job whose start is
 * recorded only there would run twice. */
static void read_spool(struct recover *r, struct state *st)
{
	struct str path = {0};

	str_addf(&path, "%s/" SPOOL_DIR, r->dir);
	DIR *spool = opendir(str_text(&path));
	const struct dirent *entry = NULL;
	int error = spool == NULL && errno != ENOENT ? errno : 0;
	do {
		errno = 0;
		entry = spool == NULL ? NULL : readdir(spool);
		if (entry != NULL)
			note_start(r, st, entry->d_name);
		else if (spool != NULL)
			error = errno;
	} while (entry != NULL);
	if (spool != NULL)
		closedir(spool);
	str_free(&path);
	if (error != 0)
		cannot_read(r, SPOOL_DIR, error);
	flush(r);
}

/* Holds idle jobs that the history contains: they were started and ended after the recovered state. */
static void hold_ended(struct recover *r, struct state *st)
{
	const struct snapshot *s = state_view(st);
	struct number_list idle = {.count = 0};

	r->ended.count = ids_order(r->ended.item, r->ended.count);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		if ((job->holds & JOB_HOLD_SYSTEM) == 0 &&
		    ids_find(r->ended.item, r->ended.count, job->id) != SIZE_MAX)
			add_number(&idle, job->id);
	}
	for (size_t i = 0; i < idle.count; i++)
		hold_job(r, st, idle.item[i]);
	free(idle.item);
	flush(r);
}

/* Counts the entries that cannot be applied, and collects the jobs that they submit. */
static void note_rest(struct db_txn *txn, void *self)
{
	struct recover *r = self;
	struct key first = key_number(r->report->seq + 1);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_EVENT, &from, DB_UP);

	while (db_next(&c)) {
		struct key key = key_copy(c.key);
		struct bytes value = c.value;
		struct event ev;

		r->report->unusable++;
		r->report->last = key_first(c.key);
		if (get_event(&value, &key, &ev, &r->scratch, NULL) && ev.kind == EVENT_SUBMIT)
			add_number(&r->jobs, ev.job);
	}
	db_stop(&c);
}

/* Lists the lost jobs: those with an ID that the recovered state has not assigned yet, and without a history
 * record. Returns the next ID that no job has used. */
static uint64_t note_lost(struct recover *r, uint64_t next_id)
{
	size_t count = ids_order(r->jobs.item, r->jobs.count);
	uint64_t free_id = next_id;

	if (r->ended.count > 0 && r->ended.item[r->ended.count - 1] >= free_id)
		free_id = r->ended.item[r->ended.count - 1] + 1;

	for (size_t i = 0; i < count; i++) {
		uint64_t id = r->jobs.item[i];

		if (id < next_id || ids_find(r->ended.item, r->ended.count, id) != SIZE_MAX)
			continue;
		if (r->report->lost < STORE_LOST_LISTED)
			r->report->lost_job[r->report->lost] = id;
		r->report->lost++;
		free_id = id >= free_id ? id + 1 : free_id;
	}
	return free_id;
}

/* --- the new tables ----------------------------------------------------------------------------------- */

struct writing {
	struct recover *r;
	const struct snapshot *s;
	uint64_t next_id;
	uint64_t pruned;
};

static void write_counters(struct db_txn *txn, const struct writing *w)
{
	struct key key = key_word(META_COUNTERS);
	struct tally tally = tally_of(w->s);
	struct str bytes = {0};

	tally.ended = db_count(txn, DB_HISTORY);
	tally.counters.next_job_id = w->next_id;
	put_tally(&bytes, &key, &tally);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

static void write_pruned(struct db_txn *txn, const struct writing *w)
{
	struct pruned pruned = {.journal = w->pruned, .history_s = w->r->pruned.history_s};
	struct key key = key_word(META_PRUNED);
	struct str bytes = {0};

	if (pruned.journal == 0 && pruned.history_s == TIME_NONE)
		return;
	put_pruned(&bytes, &key, &pruned);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

/* Writes the state with the next free job ID, and its checkpoint. */
static void write_state(struct db_txn *txn, void *self)
{
	const struct writing *w = self;
	struct state *st = state_new();
	struct tally tally;

	state_put_tables(txn, w->s);
	write_counters(txn, w);
	write_pruned(txn, w);
	if (db_good(txn) && restore_latest(txn, st, &tally)) {
		checkpoint_drop(txn, state_view(st)->seq);
		checkpoint_put(txn, state_view(st));
	}
	state_free(st);
}

struct launches {
	struct store_recovery *report;
	const uint64_t *wanted;
	size_t count;
};

static void sort_launches(struct db_txn *txn, void *self)
{
	struct launches *l = self;
	struct number_list gone = {.count = 0};
	struct db_cursor c = db_walk(txn, DB_LAUNCH, NULL, DB_UP);
	size_t found = 0;

	while (db_next(&c))
		if (ids_find(l->wanted, l->count, key_first(c.key)) == SIZE_MAX)
			add_number(&gone, key_first(c.key));
		else
			found++;
	db_stop(&c);
	for (size_t i = 0; i < gone.count; i++) {
		struct key key = key_number(gone.item[i]);

		db_delete(txn, DB_LAUNCH, key_bytes(&key));
	}
	l->report->without_launch = l->count - found;
	free(gone.item);
}

static void keep_wanted_launches(struct recover *r, const struct snapshot *s)
{
	uint64_t *id = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *id);
	struct launches l = {.report = r->report, .wanted = id, .count = state_launches(s, id)};

	r->failed = r->failed || !db_write(r->store.db, sort_launches, &l, r->err);
	free(id);
}

/* Rebuilds the table of ages from the stored answers, which it must match. */
static void age_cookies(struct db_txn *txn, void *self)
{
	struct db_cursor c = db_walk(txn, DB_COOKIE, NULL, DB_UP);
	struct {
		struct key *key;
		size_t count, room;
	} age = {.count = 0};

	(void)self;
	while (db_next(&c)) {
		struct key key = key_copy(c.key);
		struct bytes value = c.value;
		struct kept_answer kept;

		if (!get_answer(&value, &key, &kept, db_err(txn))) {
			db_fail(txn);
			break;
		}
		age.key = vec_room(age.key, &age.room, age.count + 1, sizeof *age.key);
		age.key[age.count] = key_moment(kept.at_s);
		memcpy(age.key[age.count].data + age.key[age.count].size, key.data, key.size);
		age.key[age.count++].size += key.size;
	}
	db_stop(&c);
	for (size_t i = 0; i < age.count; i++)
		db_put(txn, DB_COOKIE_AGE, key_bytes(&age.key[i]), (struct bytes){"", 0});
	free(age.key);
}

/* Returns the entry after which the new journal begins: 0 if the journal is complete from its first entry,
 * else the entry of the earliest checkpoint from which it is complete up to `last`, else `last`. */
static uint64_t find_beginning(struct recover *r, uint64_t last)
{
	if (reach_of(r, 0) >= last)
		return 0;
	for (size_t i = 0; i < r->checkpoints.count; i++)
		if (r->checkpoints.item[i] <= last && reach_of(r, r->checkpoints.item[i]) >= last)
			return r->checkpoints.item[i];
	return last;
}

struct counted {
	uint64_t ended;
};

static void count_ended(struct db_txn *txn, void *self)
{
	struct counted *counted = self;

	counted->ended = db_count(txn, DB_HISTORY);
}

static bool write_all(struct recover *r, struct state *st)
{
	struct writing w = {.r = r, .next_id = state_view(st)->next_job_id};
	struct counted counted = {0};

	r->failed = r->failed || !db_read(r->store.db, note_rest, r, r->err);
	remove_records(r, DB_EVENT, r->report->seq + 1, UINT64_MAX);
	remove_records(r, DB_CHECKPOINT, r->report->seq + 1, UINT64_MAX);
	read_spool(r, st);
	hold_ended(r, st);
	w.next_id = note_lost(r, w.next_id);
	w.s = state_view(st);
	w.pruned = find_beginning(r, w.s->seq);
	r->report->first = w.pruned + 1;
	if (w.pruned > 0) {
		remove_records(r, DB_EVENT, 0, w.pruned);
		remove_records(r, DB_CHECKPOINT, 0, w.pruned - 1);
	}
	remove_records(r, DB_COOKIE_AGE, 0, UINT64_MAX);
	keep_wanted_launches(r, w.s);
	r->failed = r->failed || !db_write(r->store.db, age_cookies, NULL, r->err) ||
		    !db_write(r->store.db, write_state, &w, r->err) ||
		    !db_read(r->store.db, count_ended, &counted, r->err);
	r->report->ended = counted.ended;
	return !r->failed;
}

/* --- recovery ------------------------------------------------------------------------------------ */

static void remove_work(const char *work)
{
	static const char *const name[] = {"data.mdb", "lock.mdb"};

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		struct str path = {0};

		str_addf(&path, "%s/%s", work, name[i]);
		unlink(str_text(&path));
		str_free(&path);
	}
	rmdir(work);
}

static bool open_work(struct recover *r, struct err *err)
{
	const struct db_options options = {.tables = store_table_names,
					   .table_count = DB_TABLE_COUNT,
					   .map_bytes = STORE_MAP_BYTES,
					   .for_now = true};

	remove_work(r->store.dir);
	if (mkdir(r->store.dir, 0700) != 0)
		return err_set(err, "cannot create %s: %s", r->store.dir, strerror(errno));
	r->store.db = db_open(r->store.dir, &options, err);
	return r->store.db != NULL;
}

static bool rebuild(struct recover *r, struct err *err)
{
	struct best best = {.st = NULL};
	bool good;

	salvage_file(r);
	good = !r->failed && find_best(r, &best);
	if (good) {
		r->report->base = best.what;
		r->report->from = state_view(best.st)->seq;
		/* The replay also ends at an entry that cannot be applied. */
		(void)journal_replay(&r->store, best.st, best.reach, NULL);
		r->report->seq = state_view(best.st)->seq;
		r->report->time_s = state_view(best.st)->now_s;
		good = write_all(r, best.st);
	}
	state_free(best.st);
	return good && (r->report->without_launch > 0 || store_verify(&r->store, err));
}

bool store_recover(const char *dir, struct store_recovery *out, struct err *err)
{
	struct recover r = {.dir = dir, .report = out, .err = err};
	struct str work = {0};
	int lock = store_check_place(dir, err) ? store_lock(dir, err) : -1;
	bool good = lock >= 0;

	*out = (struct store_recovery){.seq = 0};
	str_addf(&work, "%s/" WORK_DIR, dir);
	r.store.dir = work.data;
	good = good && open_work(&r, err) && rebuild(&r, err) && store_take_place(&r.store, dir, err);
	db_close(r.store.db);
	if (lock >= 0)
		remove_work(work.data);
	store_unlock(lock);
	str_free(&work);
	str_free(&r.batch);
	free(r.jobs.item);
	free(r.ended.item);
	free(r.checkpoints.item);
	codec_scratch_free(&r.scratch);
	return good;
}
