/* SPDX-License-Identifier: MIT */
/*
 * db.h - how are tables of bytes read and changed, all or nothing?
 *
 * The one door to LMDB. A transaction is a function: db_write runs it, commits, and runs
 * it again from the start when the file's map had to grow in between; so it must be able
 * to run twice. Errors are sticky: after the first one puts do nothing, gets find nothing,
 * and the caller asks once, at the end.
 *
 *     static void add(struct db_txn *txn, void *self) { db_put(txn, 0, key, value); }
 *     if (!db_write(db, add, NULL, err)) ...
 *
 * Many threads may read while one writes. Transactions must not be nested: not even a
 * read within a read. Bytes handed out may have any alignment. Those of db_get are valid until the next
 * db_get or the end of the transaction, those of a walk until its next step: copy out what is kept. After
 * fork a child is refused.
 *
 * A damaged file never ends the program and never gives a record that was not in it: db_open
 * checks the structure of a file that nobody is using, reads check every page that they use (pages.h).
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "sched/base/err.h"

struct db;     /* opaque: the file with its tables */
struct db_txn; /* opaque: lives during one call of a db_work */

struct db_options {
	const char *const *tables; /* names; tables are numbered in this order */
	unsigned table_count;      /* at most DB_TABLES_MAX                    */
	size_t map_bytes;          /* room at first; doubled whenever it is used up */
	bool read_only;            /* the file and its tables must be there    */
	bool in_use;               /* another process changes it, and has checked it */
	bool for_now;              /* goes with this process: no commit waits for the disk */
	unsigned may_miss;         /* but for so many of the last ones: they are empty then */
};

#define DB_TABLES_MAX 16

/* What a message about damage ends with. */
#define DB_RECOVERY "'kahu restore --last-good' recovers what can be read"

/*
 * Opens data.mdb and lock.mdb in dir. The same dir must not be opened twice in a process,
 * nor may anything else in the process open or close these files: that would drop their
 * locks. With errno EUCLEAN: the file is damaged.
 */
struct db *db_open(const char *dir, const struct db_options *options, struct err *err);
void db_close(struct db *db);

/* The folder in which a new data.mdb is made; one that is left over is of no use. */
#define DB_FRESH "new"

/* Makes the names in a folder durable. 0, or an errno; a file system that cannot sync folders is no error. */
int db_sync_folder(const char *path);

typedef void db_work(struct db_txn *txn, void *self);

/* Runs work once on the tables as they are now. False when something failed. */
bool db_read(struct db *db, db_work *work, void *self, struct err *err);

/*
 * Runs work and makes what it put durable, or, on false, leaves everything as it was.
 * One thread at a time; another process that writes is waited for.
 */
bool db_write(struct db *db, db_work *work, void *self, struct err *err);

/*
 * Keeps disk space behind the end of the file, where nobody else can take it, for what must be written
 * although the disk is full. False, with the sentence of a full disk: part of it is used up. True also where
 * the file system cannot keep space.
 */
bool db_keep_space(struct db *db, struct err *err);

/* Checks the structure of the whole file as of now. */
bool db_check(struct db *db, struct err *err);

/* Writes a copy of the whole file, as of now, to a path; what stands there is replaced. */
bool db_copy(struct db *db, const char *path, struct err *err);

/* Gives back the room that readers which were killed still hold. */
void db_check_readers(struct db *db);

/* --- within a transaction ---------------------------------------------------------- */

/* False when there is none, or after an error. */
bool db_get(struct db_txn *txn, unsigned table, struct bytes key, struct bytes *value);
void db_put(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value);
/* A value in two parts, which are only put together in the file's page. */
void db_put_parts(struct db_txn *txn, unsigned table, struct bytes key, struct bytes head, struct bytes rest);
/* key must come after all others of the table; packs pages full. */
void db_append(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value);
/* Nothing happens when there is none. */
void db_delete(struct db_txn *txn, unsigned table, struct bytes key);
uint64_t db_count(struct db_txn *txn, unsigned table);
/* Bytes of the file that the table occupies; in a db_write only. */
uint64_t db_bytes(struct db_txn *txn, unsigned table);

/* False after an error. */
bool db_good(const struct db_txn *txn);

/* The work itself found a fault: its sentence goes to db_err, nothing will be committed. */
struct err *db_err(struct db_txn *txn);
void db_fail(struct db_txn *txn);

/* A walk in the order of keys. Do not change the table while walking. */
enum db_direction {
	DB_UP,
	DB_DOWN
};

struct db_cursor {
	struct db_txn *txn;
	void *handle; /* NULL: nothing (more) to visit */
	enum db_direction direction;
	bool begun;
	struct bytes key, value; /* where it stands, after db_next said true */
};

/*
 * A walk from the first key at or after from (upward) or the last at or before it
 * (downward); from NULL: from the very first or last.
 *
 *     struct db_cursor c = db_walk(txn, table, NULL, DB_UP);
 *     while (db_next(&c))
 *             look_at(c.key, c.value);
 *     db_stop(&c);
 */
struct db_cursor db_walk(struct db_txn *txn, unsigned table, const struct bytes *from,
			 enum db_direction direction);
bool db_next(struct db_cursor *c);
void db_stop(struct db_cursor *c);

#endif
