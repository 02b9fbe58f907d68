/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of the store share and nobody else sees
 *
 * store.c opens and closes, ledger.c loads and commits, journal.c reads back, moment.c goes back,
 * prune.c removes the oldest part of the past, restore.c turns records into a state, checkpoint.c keeps whole
 * states, verify.c looks at all of it.
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
#define STORE_MAP_BYTES ((size_t)1 << 30) /* address space, not disk */

/* The size of the entries behind the last checkpoint. */
struct behind {
	uint64_t bytes;
	bool known; /* else they have to be measured */
};

struct store {
	char *dir;
	enum store_mode mode;
	struct db *db;
	int lock;    /* of kahu.lock; -1 = not held */
	bool prunes; /* commits remove what the retention options no longer keep */
	struct behind behind;
	struct {                      /* of the last good copy, see last_good.c */
		_Atomic uint64_t seq; /* entry of the copy that is there; 0 = none */
		uint64_t last, tried; /* entries: of the last commit, of the last copy that was begun */
		uint64_t added, size; /* bytes: added since that copy was begun, of the last copy written */
		pthread_t thread;
		bool started;
		atomic_bool busy;
	} copy;
	bool claimed;
	struct store_claim claim;
};

/* store_open with another size of the map to begin with: tests make it grow soon. */
struct store *store_open_sized(const char *dir, enum store_mode mode, size_t map_bytes, struct err *err);

/* The keys of table meta. */
#define META_SCHEMA   "schema"
#define META_CONFIG   "config"
#define META_COUNTERS "counters"
#define META_PRUNED   "pruned"

/* --- restore.c ----------------------------------------------------------------------- */

/* Fills an empty state from records that arrive in the order of state_restore_*. */
struct restore {
	struct state *st;  /* borrowed                         */
	struct tally seen; /* records so far                  */
	struct tally kept; /* what the last record said       */
	bool done;         /* the counters came: all is there */
	struct codec_scratch scratch;
};

/* Takes the first record of bytes, kept under key, and moves bytes behind it. */
bool restore_take(struct restore *r, struct bytes *bytes, const struct key *key, struct err *err);
void restore_free(struct restore *r);

/* The state as of the last commit. A store without one leaves *out and st empty. */
bool restore_latest(struct db_txn *txn, struct state *st, struct tally *out);

/* --- store.c, migrate.c --------------------------------------------------------------- */

/* What the store says of itself. A store of an earlier layout, opened to be read, is proven by nothing. */
struct schema store_schema(struct db_txn *txn);

/* Brings a store that is open to be changed to the layout of this program. */
bool migrate_store(struct store *s, uint32_t from, struct err *err);

/* Writes all records of a state into empty tables, with a checkpoint, from which on the state is proven. */
void state_put_tables(struct db_txn *txn, const struct snapshot *s);

/* --- ledger.c ------------------------------------------------------------------------------ */

/* The entry of the state that the tables hold; 0 = none, or an error. */
uint64_t store_last_entry(struct db_txn *txn);

/* --- verify.c ---------------------------------------------------------------------------- */

/* The ids, in ascending order, for which a job script must be stored; at most one for each job. */
size_t state_launches(const struct snapshot *s, uint64_t *id);

/* --- backup.c ---------------------------------------------------------------------------- */

/* Copies the open file into dir, where it takes the place of data.mdb. The caller holds dir's lock. */
bool store_take_place(struct store *from, const char *dir, struct err *err);

/* --- last_good.c ----------------------------------------------------------------------- */

struct last_good {
	uint64_t seq; /* entry of the state that was copied; 0 = there is no copy */
	int64_t time_s;
	int error; /* errno: there is a copy, but it cannot be read */
};

/* Writes the copy anew. */
bool last_good_write(struct store *s, struct err *err);
/* After a commit up to seq that added so many bytes: starts to write the copy when it is time. */
void last_good_after(struct store *s, uint64_t seq, uint64_t added);
void last_good_close(struct store *s);

/* Reads the copy of a store; false when there is none, or it is damaged. visit may be NULL. */
typedef void last_good_visit(void *self, enum db_table table, struct bytes key, struct bytes value);
bool last_good_read(const char *dir, struct last_good *out, last_good_visit *visit, void *self);
/* The entry of the copy, read from its end only; 0 = none. */
uint64_t last_good_entry(const char *dir);

/* --- checkpoint.c --------------------------------------------------------------------- */

/* Keeps the whole state under its seq. */
void checkpoint_put(struct db_txn *txn, const struct snapshot *s);

/* Forgets the checkpoint of exactly that seq. */
void checkpoint_drop(struct db_txn *txn, uint64_t seq);

/* The seq of the nearest checkpoint at or before seq; 0 when there is none. */
uint64_t checkpoint_find(struct db_txn *txn, uint64_t seq);

/* Fills an empty state from the checkpoint of exactly that seq. */
void checkpoint_get(struct db_txn *txn, uint64_t seq, struct state *st);

/* --- cookies.c ------------------------------------------------------------------------ */

/* Keeps what was answered in this step, and forgets some of what is too old. */
void cookies_put(struct db_txn *txn, const struct ledger_step *step);
bool cookies_recall(struct store *s, const struct cookie *cookie, bool *known, struct str *out,
		    struct err *err);
/* Every answer can be read and has its age. */
void cookies_check(struct db_txn *txn);

/* --- journal.c ------------------------------------------------------------------------ */

/* The first and last entry kept; 0 and 0 when there is none. Entries behind prune_read's are not kept, even
 * if their records are still to be removed. */
void journal_ends(struct db_txn *txn, uint64_t *first, uint64_t *last);

/* --- prune.c -------------------------------------------------------------------------- */

/* How much has been pruned. False when the record is damaged; the transaction has failed then. */
bool prune_read(struct db_txn *txn, struct pruned *out);

/* Removes some of what the retention options of the step's state no longer keep. */
void prune_some(struct db_txn *txn, const struct ledger_step *step);

/* Fails the transaction with "entry N is before the journal begins" and true, when the state after it is
 * pruned. */
bool prune_refuses(struct db_txn *txn, uint64_t seq);

/* --- moment.c ------------------------------------------------------------------------- */

/* Applies the entries after the state's own up to seq. */
bool journal_replay(struct store *s, struct state *st, uint64_t seq, struct err *err);

/* --- records of a state, for ledger.c and checkpoint.c --------------------------------- */

struct tally tally_of(const struct snapshot *s);
struct config_text config_of(const struct snapshot *s);
struct node_record node_of(const struct snapshot *s, uint32_t i, struct codec_scratch *scratch);
struct change_record change_of(const struct snapshot *s, uint32_t i);
struct job_record job_of(const struct snapshot *s, uint32_t slot, struct codec_scratch *scratch);
struct usage_window window_of(const struct snapshot *s, uint32_t column, struct codec_scratch *scratch);

#endif
