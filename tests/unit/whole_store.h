/* SPDX-License-Identifier: MIT */
/*
 * whole_store.h - a store with a journal, a history, a copy and a spool, and what can be asked of it and done
 * with it
 *
 * It is made once, by make_whole; put_back puts its files where they were before a trial. Reading must give
 * what was kept, whatever fails, or say why not. The test that includes this has included cmocka.h.
 */
#ifndef TESTS_UNIT_WHOLE_STORE_H
#define TESTS_UNIT_WHOLE_STORE_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "store/lock.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

/* --- stores ------------------------------------------------------------------------------------ */

#define PAGE 4096

/* A file of the store before each trial. */
struct image {
	const char *name;
	char *data;
	size_t size;
};

static struct store_dir home, here, copy, none, source; /* all others in the first */
static struct image whole[] = {{"data.mdb", NULL, 0}, {STORE_LAST_GOOD, NULL, 0}, {"kahu.lock", NULL, 0}};
static struct history history;
static struct ledger_step next; /* what is committed in a trial */
static struct answered answered[2];
static uint64_t first, last; /* entries that the store keeps */
static uint64_t middle;      /* that of its checkpoint */
static struct cookie cookie;
static int64_t middle_s, ended_s; /* a moment between entries, and when a job ended */
static uint64_t ended_id;
static uint64_t copied;       /* last entry of the last good copy */
static uint64_t acknowledged; /* last entry of which a commit said that it is kept */
static uint64_t launch;       /* a job of which is kept what is to be run */

static inline void read_image(struct image *image)
{
	struct stat st;
	int fd;

	snprintf(home.file, sizeof home.file, "%.500s/%s", here.path, image->name);
	fd = open(home.file, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	image->size = (size_t)st.st_size;
	image->data = mem_zero(1, image->size + 1);
	assert_int_equal(pread(fd, image->data, image->size, 0), (ssize_t)image->size);
	close(fd);
}

static inline void write_file(struct store_dir *in, const char *name, const void *data, size_t size)
{
	int fd;

	snprintf(home.file, sizeof home.file, "%.500s/%s", in->path, name);
	fd = open(home.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, size, 0), (ssize_t)size);
	close(fd);
}

static inline void put_whole(struct store_dir *in)
{
	remove_store_dir(in);
	assert_int_equal(mkdir(in->path, 0700), 0);
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		write_file(in, whole[i].name, whole[i].data, whole[i].size);
}

/* A name in the spool says that a job was started. */
#define STARTED 1000000

static inline void put_back(void)
{
	static const char *const no_start[] = {"spool/12",
					       "spool/12.x",
					       "spool/x.1",
					       "spool/0.1",
					       "spool/12.0",
					       "spool/12.4294967296",
					       "spool/123456789012345678901234.1"};
	char name[32];

	put_whole(&here);
	remove_store_dir(&copy);
	remove_store_dir(&none);
	snprintf(home.file, sizeof home.file, "%.500s/spool", here.path);
	assert_int_equal(mkdir(home.file, 0700), 0);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "spool/%d.1", STARTED + i);
		write_file(&here, name, "", 0);
	}
	for (size_t i = 0; i < sizeof no_start / sizeof no_start[0]; i++)
		write_file(&here, no_start[i], "", 0);
}

/* The journal begins behind the checkpoint; the entries before it are still to be removed. */
static inline void prune(struct db_txn *txn, void *self)
{
	struct pruned pruned = {.journal = middle, .history_s = TIME_NONE};
	struct key key = key_word(META_PRUNED);
	struct str bytes = {0};

	checkpoint_put(txn, self);
	put_pruned(&bytes, &key, &pruned);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

static inline void set_next(void)
{
	static unsigned char number;

	next = history_step(&history, 50);
	for (size_t i = 0; i < 2; i++) {
		answered[i].cookie.bytes[0] = number++;
		answered[i].answer = "yes";
		answered[i].size = 3;
	}
	next.answered = answered;
	next.answered_count = 2;
}

static inline void find_launch(const struct snapshot *s)
{
	uint64_t *id = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *id);

	assert_true(state_launches(s, id) > 0);
	launch = id[0];
	free(id);
}

/* As of a job that has ended: the random history may end none that has a script. */
static inline void keep_script(struct db_txn *txn, void *self)
{
	struct key from = key_number(launch), to = key_number(ended_id);
	struct str record = {0};
	struct bytes value;

	(void)self;
	assert_true(db_get(txn, DB_LAUNCH, key_bytes(&from), &value));
	str_add_bytes(&record, value.data, value.size);
	db_put(txn, DB_SCRIPT, key_bytes(&to), (struct bytes){record.data, record.len});
	str_free(&record);
}

static inline int make_whole(void **state)
{
	struct rng rng = seeded("a store whose system fails");
	struct ledger ledger;
	struct store *store;
	struct err err;

	(void)state;
	make_store_dir(&home);
	snprintf(here.path, sizeof here.path, "%.400s/here", home.path);
	snprintf(copy.path, sizeof copy.path, "%.400s/deep/copy", home.path);
	snprintf(none.path, sizeof none.path, "%.400s/none", home.path);
	snprintf(source.path, sizeof source.path, "%.400s/source", home.path);
	history_begin(&history, rng_u64(&rng));
	store = store_open(here.path, STORE_CHANGE, &err);
	assert_non_null(store);
	ledger = store_ledger(store);
	for (int i = 0; i < 8; i++) {
		set_next();
		assert_true(ledger.ops->commit(ledger.self, &next, &err));
		if (next.ended_count > 0) {
			ended_s = next.ended[0].end_s;
			ended_id = next.ended[0].record.job.id;
		}
		if (i == 5)
			middle_s = next.after->now_s;
		if (i == 3) {
			middle = next.after->seq;
			assert_true(db_write(store->db, prune, (void *)(uintptr_t)next.after, &err));
		}
		if (i == 5) {
			find_launch(next.after);
			assert_true(ended_id != 0);
			assert_true(db_write(store->db, keep_script, NULL, &err));
		}
		if (i == 6)
			assert_true(last_good_write(store, &err));
		if (i == 6)
			copied = next.after->seq;
	}
	first = middle + 1;
	last = next.after->seq;
	cookie = answered[0].cookie;
	find_launch(next.after);
	store->copy.last = 0; /* the copy stays behind */
	store_close(store);
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		read_image(&whole[i]);
	put_whole(&source);
	set_next();
	return 0;
}

static inline int drop_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		free(whole[i].data);
	history_end(&history);
	remove_store_dir(&home);
	return 0;
}

/* --- what is done with them: true, or err says why not ------------------------------------------- */

static bool is_wrong;         /* what was read to the end is not what was kept */
static uint64_t seen, wanted; /* a sum over all that was read: now, and when nothing failed */

static inline bool visit_ended(void *self, const struct ended_job *ended)
{
	(void)self;
	seen += ended->record.job.id * 31;
	return true;
}

static inline bool visit_entry(void *self, const struct event *ev)
{
	(void)self;
	seen += ev->seq;
	return true;
}

static inline bool see_state(struct store *store, uint64_t seq, struct err *err)
{
	struct state *st = state_new();
	bool good = store_state_at(store, seq, st, err);

	seen += good ? state_hash(state_view(st)) : 0;
	state_free(st);
	return good;
}

/* --- what a reader asks ------------------------------------------------------------------------- */

static inline bool ask_range(struct store *store, struct err *err)
{
	uint64_t from, to;
	bool good = store_journal_range(store, &from, &to, err);

	seen += good ? from + 3 * to : 0;
	return good;
}

static inline bool ask_moments(struct store *store, struct err *err)
{
	const uint64_t entry[] = {first, (first + last) / 2, last};
	struct store_moment moment;

	for (size_t i = 0; i < 3; i++) {
		if (!store_moment_of_entry(store, entry[i], &moment, NULL, err) ||
		    !store_moment_of_time(store, moment.time_s, &moment, NULL, err))
			return false;
		seen += moment.seq;
	}
	return true;
}

static inline bool ask_time(struct store *store, struct err *err)
{
	struct store_moment moment;
	bool good = store_moment_of_time(store, middle_s, &moment, NULL, err);

	seen += good ? moment.seq : 0;
	return good;
}

static inline bool ask_history(struct store *store, struct err *err)
{
	int64_t pruned_s;

	return store_history(store, INT64_MIN, visit_ended, NULL, err) &&
	       store_history_pruned(store, &pruned_s, err);
}

static inline bool ask_ended(struct store *store, struct err *err)
{
	return store_ended_job(store, ended_s, ended_id, visit_ended, NULL, err);
}

static inline bool ask_journal(struct store *store, struct err *err)
{
	return store_journal(store, 1, false, visit_entry, NULL, err);
}

static inline bool ask_journal_back(struct store *store, struct err *err)
{
	return store_journal(store, UINT64_MAX, true, visit_entry, NULL, err);
}

static inline bool ask_state(struct store *store, struct err *err)
{
	return see_state(store, 0, err);
}

static inline bool ask_past(struct store *store, struct err *err)
{
	return see_state(store, (first + last) / 2, err);
}

static inline bool ask_launch(struct store *store, struct err *err)
{
	struct ledger ledger = store_ledger(store);
	struct str text = {0};
	bool good = ledger.ops->launch(ledger.self, launch, &text, err);

	seen += text.len;
	str_free(&text);
	return good;
}

static inline bool ask_again(struct store *store, struct err *err)
{
	struct ledger ledger = store_ledger(store);
	struct str text = {0};
	bool known, good = ledger.ops->recall(ledger.self, &cookie, &known, &text, err);

	seen += text.len + known;
	str_free(&text);
	return good;
}

static bool (*const question[])(struct store *store, struct err *err) = {
	ask_range,        ask_moments, ask_time, ask_history, ask_ended, ask_journal,
	ask_journal_back, ask_state,   ask_past, ask_launch,  ask_again, store_verify,
};

static inline bool look_back(struct store *store, struct err *err)
{
	for (size_t i = 0; i < sizeof question / sizeof question[0]; i++)
		if (!question[i](store, err))
			return false;
	return true;
}

static inline bool read_all(struct err *err)
{
	struct store *store = store_open(here.path, STORE_READ, err);
	bool good;

	seen = 0;
	good = store != NULL && look_back(store, err);
	store_close(store);
	if (good && wanted == 0)
		wanted = seen;
	if (good && seen != wanted)
		is_wrong = true;
	return good;
}

static inline bool change(struct err *err)
{
	struct store *store = store_open(here.path, STORE_CHANGE, err);
	struct ledger ledger;
	bool good;

	if (store == NULL)
		return false;
	ledger = store_ledger(store);
	store_prune(store, true);
	good = ledger.ops->commit(ledger.self, &next, err);
	if (good)
		acknowledged = next.after->seq;
	last_good_after(store, last + 2 * (uint64_t)STORE_CHECKPOINT_EVENTS, UINT32_MAX); /* in a thread */
	store_close(store);
	return good;
}

static inline bool back_up(struct err *err)
{
	struct store *store = store_open(here.path, STORE_READ, err);
	bool good = store != NULL && store_backup(store, copy.path, err);

	store_close(store);
	return good;
}

static struct store_recovery got;

static inline bool recover(struct err *err)
{
	return store_recover(here.path, &got, err);
}

/* --- what must be left of it ------------------------------------------------------------------ */

struct work {
	const char *what;
	bool (*run)(struct err *err);
	bool again;          /* after a failure it must succeed */
	bool recovers;       /* what is read of a damaged store */
	void (*spoil)(void); /* the store before it */
};

/* The store has what was acknowledged, or more; one that was recovered may have lost its journal. */
static inline void must_be_kept(const struct work *work, const char *trial)
{
	struct err err = {""};
	struct store *store = store_open(here.path, STORE_READ, &err);
	struct state *st = state_new();
	uint64_t from = 0, to = 0;

	bool lacks_launches = work->recovers && got.without_launch > 0; /* it says so */

	if (store == NULL || (!lacks_launches && !store_verify(store, &err)) ||
	    !store_journal_range(store, &from, &to, &err) || !store_state_at(store, 0, st, &err))
		fail_msg("%s: the store is lost: %s", trial, err.text);
	if (work->recovers && state_view(st)->next_job_id <= STARTED)
		fail_msg("%s: the id of a job that was started is given again", trial);
	if (state_view(st)->seq < acknowledged)
		fail_msg("%s: the state is that of entry %llu, from %s", trial,
			 (unsigned long long)state_view(st)->seq, work->recovers ? got.base : "the store");
	if (!work->recovers && (from > first || to != state_view(st)->seq))
		fail_msg("%s: entries %llu to %llu are left", trial, (unsigned long long)from,
			 (unsigned long long)to);
	state_free(st);
	store_close(store);
}

#endif
