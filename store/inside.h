/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of the store share and nobody else sees
 *
 * store.c opens and closes, ledger.c loads and commits, journal.c reads back, moment.c goes back,
 * restore.c turns records into a state, checkpoint.c keeps whole states, verify.c looks at all
 * of it.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include "codec.h"
#include "db.h"
#include "keys.h"
#include "lock.h"
#include "sched/core/state.h"
#include "store.h"

#define STORE_SCHEMA    3
#define STORE_MAP_BYTES ((size_t)1 << 30) /* address space, not disk */

struct store {
	char *dir;
	enum store_mode mode;
	struct db *db;
	int lock; /* of kahu.lock; -1 = not held */
	bool claimed;
	struct store_claim claim;
};

/* store_open with another size of the map to begin with: tests make it grow soon. */
struct store *store_open_sized(const char *dir, enum store_mode mode, size_t map_bytes, struct err *err);

/* The keys of table meta. */
#define META_SCHEMA   "schema"
#define META_CONFIG   "config"
#define META_COUNTERS "counters"

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

/* The first and last entry kept; 0 and 0 when there is none. */
void journal_ends(struct db_txn *txn, uint64_t *first, uint64_t *last);

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
