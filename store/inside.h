/* SPDX-License-Identifier: MIT */
/*
 * inside.h - declarations shared by the files of the store
 *
 * store.c opens and closes, ledger.c loads and commits, journal.c reads the journal, moment.c returns past
 * states, prune.c removes the oldest records, restore.c converts records to a state, checkpoint.c stores
 * complete states, verify.c checks everything.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "codec.h"
#include "db.h"
#include "keys.h"
#include "lock.h"
#include "sched/state/state.h"
#include "store.h"

#define STORE_SCHEMA    3
#define STORE_MAP_BYTES ((size_t)1 << 30) /* address space, not disk space */

/* Size of the journal entries after the last checkpoint. */
struct behind {
	uint64_t bytes;
	bool known; /* false: bytes must be measured first */
};

struct store {
	char *dir;
	enum store_mode mode;
	struct db *db;
	int lock;    /* file descriptor of kahu.lock; -1 = not held */
	bool prunes; /* commits also prune, according to the retention options */
	struct behind behind;
	struct {                      /* state of the last good copy, see last_good.c */
		_Atomic uint64_t seq; /* journal entry of the existing copy; 0 = none */
		uint64_t last,
			tried; /* journal entries of the last commit, and of the last copy that was started */
		uint64_t added,
			size; /* bytes added since a copy was last started, and size of the last copy */
		pthread_t thread;
		bool started;
		atomic_bool busy;
	} copy;
	bool claimed;
	struct store_claim claim;
};

/* Like store_open, with another initial map size, so that tests can make the map grow early. */
struct store *store_open_sized(const char *dir, enum store_mode mode, size_t map_bytes, struct err *err);

/* Keys of table meta. */
#define META_SCHEMA   "schema"
#define META_CONFIG   "config"
#define META_COUNTERS "counters"
#define META_PRUNED   "pruned"

/* --- restore.c ----------------------------------------------------------------------- */

/* Fills an empty state from records, which must arrive in the order in which the functions state_restore_*
 * must be called. */
struct restore {
	struct state *st;  /* borrowed                         */
	struct tally seen; /* numbers of records read so far */
	struct tally kept; /* numbers of records as stored in the record of counters */
	bool done;         /* the record of counters, which is the last one, was read */
	struct codec_scratch scratch;
};

/* Applies the first record of bytes, stored under key, and advances bytes. */
bool restore_take(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err);
void restore_free(struct restore *r);

/*
 * Loads the state of the last commit into st, which must be empty, and its counters into *out. If there was
 * no commit yet, both stay empty. Returns false if the transaction has failed.
 */
bool restore_latest(struct db_txn *txn, struct state *st, struct tally *out);

/* --- store.c, migrate.c --------------------------------------------------------------- */

/* Reads the identification of the store; version 0 = the store has none yet, or it cannot be read. */
struct schema store_schema(struct db_txn *txn);

/* Converts a store that is open for change from the layout version `from` to the current layout. */
bool migrate_store(struct store *s, uint32_t from, struct err *err);

/* Writes all records of a state into its tables, which must not contain records of other objects, and a
 * checkpoint from which later states can be verified. */
void state_put_tables(struct db_txn *txn, const struct snapshot *s);

/* --- ledger.c ------------------------------------------------------------------------------ */

/*
 * Returns the number of the last journal entry that the state in the tables includes; 0: none, or an error.
 */
uint64_t store_last_entry(struct db_txn *txn);

/* --- verify.c ---------------------------------------------------------------------------- */

/*
 * Writes the IDs for which launch data must be stored to id[], in ascending order, and returns their number:
 * at most one for each job.
 */
size_t state_launches(const struct snapshot *s, uint64_t *id);

/* --- backup.c ---------------------------------------------------------------------------- */

/* Copies the file of an open store into dir, where the copy replaces data.mdb. The caller holds the lock of
 * dir. */
bool store_take_place(struct store *from, const char *dir, struct err *err);

/* --- last_good.c ----------------------------------------------------------------------- */

struct last_good {
	uint64_t seq; /* journal entry of the copied state; 0 = there is no copy */
	int64_t time_s;
	int error; /* errno if the copy exists but cannot be read */
};

/* Writes a new copy, and renames it over the previous one once it is complete. */
bool last_good_write(struct store *s, struct err *err);
/* Called after each commit with the last entry of the commit and the number of bytes that it added. If a copy
 * is due, starts a thread that writes it. */
void last_good_after(struct store *s, uint64_t seq, uint64_t added);
void last_good_close(struct store *s);

/*
 * Reads the last good copy of a store and passes each record to visit, which may be NULL. Returns false if
 * there is no copy, or if it is damaged or cannot be read.
 */
typedef void last_good_visit(void *self, enum db_table table, struct bytes key, struct bytes value);
bool last_good_read(const char *dir, struct last_good *out, last_good_visit *visit, void *self);
/*
 * Returns the journal entry of the last good copy, from the end of its file; the rest of the file is not
 * checked. 0 = there is no copy.
 */
uint64_t last_good_entry(const char *dir);

/* --- checkpoint.c --------------------------------------------------------------------- */

/* Stores the complete state under its seq. */
void checkpoint_put(struct db_txn *txn, const struct snapshot *s);

/* Removes the checkpoint with exactly this seq. */
void checkpoint_drop(struct db_txn *txn, uint64_t seq);

/* Returns the seq of the nearest checkpoint at or before seq; 0 if there is none. */
uint64_t checkpoint_find(struct db_txn *txn, uint64_t seq);

/* Fills an empty state from the checkpoint with exactly this seq. */
void checkpoint_get(struct db_txn *txn, uint64_t seq, struct state *st);

/* --- cookies.c ------------------------------------------------------------------------ */

/* Stores the answers of the step, and removes some expired answers. */
void cookies_put(struct db_txn *txn, const struct ledger_step *step);
bool cookies_recall(struct store *s, const struct cookie *cookie, bool *known, struct str *out,
		    struct err *err);
/* Checks that every answer is readable and has its record in the table of ages. */
void cookies_check(struct db_txn *txn);

/* --- journal.c ------------------------------------------------------------------------ */

/* Sets the first and the last journal entry; both are 0 if there are none. Pruned entries (prune_read) do not
 * count, even if their records have not been removed yet. */
void journal_ends(struct db_txn *txn, uint64_t *first, uint64_t *last);

/* --- prune.c -------------------------------------------------------------------------- */

/* Reads how much was pruned. If the record is damaged, returns false, and the transaction fails. */
bool prune_read(struct db_txn *txn, struct pruned *out);

/* Removes some of the records that the retention options of the step's state no longer keep. */
void prune_some(struct db_txn *txn, const struct ledger_step *step);

/* Was the state just after this entry pruned? If so, makes the transaction fail with "entry N is before the
 * journal begins" and returns true. */
bool prune_refuses(struct db_txn *txn, uint64_t seq);

/* --- moment.c ------------------------------------------------------------------------- */

/* Applies the journal entries that follow the state, up to seq. */
bool journal_replay(struct store *s, struct state *st, uint64_t seq, struct err *err);

/* --- records of a state, for ledger.c and checkpoint.c --------------------------------- */

struct tally tally_of(const struct snapshot *s);
struct config_text config_of(const struct snapshot *s);
struct node_record node_of(const struct snapshot *s, uint32_t i, struct codec_scratch *scratch);
struct change_record change_of(const struct snapshot *s, uint32_t i);
struct job_record job_of(const struct snapshot *s, uint32_t slot, struct codec_scratch *scratch);
struct usage_window window_of(const struct snapshot *s, uint32_t column, struct codec_scratch *scratch);

#endif
