/* SPDX-License-Identifier: MIT */
/*
 * db.h - transactions on tables of keys and values in an LMDB file
 *
 * The only interface to LMDB. A transaction is a function: db_write runs it and commits. If the map of the
 * file had to grow, db_write runs the function again from the start, so the function must be repeatable.
 * Errors are sticky: after the first error, puts do nothing and gets find nothing, so the caller checks only
 * the result of db_read or db_write.
 *
 *     static void add(struct db_txn *txn, void *self) { db_put(txn, 0, key, value); }
 *     if (!db_write(db, add, NULL, err)) ...
 *
 * Many threads may read while one writes. Transactions must not be nested, not even reads. Returned bytes may
 * have any alignment. The value from db_get is valid until the next db_get or the end of the transaction; the
 * key and value of a cursor until its next step: copy what is needed longer. After fork every call fails in
 * the child.
 *
 * A damaged file never ends the program and never results in a record that was not written: db_open checks
 * the structure of a file that is not in use, and reads check every page that they use (pages.h).
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "sched/base/err.h"

struct db;     /* opaque: the file with its tables */
struct db_txn; /* opaque: valid during one call of a work function */

struct db_options {
	const char *const *tables; /* names of the tables, which are numbered in this order */
	unsigned table_count;      /* at most DB_TABLES_MAX                    */
	size_t map_bytes;          /* initial size of the map, which is doubled when it is full */
	bool read_only;            /* the file and its tables must exist       */
	bool in_use;               /* another process has the file open for writing, and has checked it */
	bool for_now;              /* the file is temporary: commits do not wait for the disk */
	unsigned may_miss; /* number of tables at the end of the list that may be missing and then read as
			      empty */
};

#define DB_TABLES_MAX 16

/* Last part of the messages about damage. */
#define DB_RECOVERY "'kahu restore --last-good' recovers what can be read"

/*
 * Opens data.mdb and lock.mdb in dir. The process must not open the same dir twice, nor open or close these
 * files in any other way, because that would release their locks. Returns NULL on failure; errno is EUCLEAN
 * if the file is damaged.
 */
struct db *db_open(const char *dir, const struct db_options *options, struct err *err);
void db_close(struct db *db);

/* Subdirectory in which a new data.mdb is created; one left over from an earlier attempt is removed. */
#define DB_FRESH "new"

/* Syncs a directory. Returns 0 or an errno value; also returns 0 if the file system cannot sync
 * directories. */
int db_sync_folder(const char *path);

typedef void db_work(struct db_txn *txn, void *self);

/* Runs work once on a snapshot of the tables. Returns false with err set on failure. */
bool db_read(struct db *db, db_work *work, void *self, struct err *err);

/*
 * Runs work and commits its changes durably; on failure nothing is changed. Only one thread may call it at a
 * time. Waits while another process writes.
 */
bool db_write(struct db *db, db_work *work, void *self, struct err *err);

/*
 * Reserves disk space after the end of the file for records that must be written even if the disk is full.
 * Returns false, with the message for a full disk, if part of that space is used up and cannot be reserved
 * again. Also returns true on file systems that cannot reserve space.
 */
bool db_keep_space(struct db *db, struct err *err);

/* Checks the structure of the whole file in its current state. */
bool db_check(struct db *db, struct err *err);

/* Checks the whole file and writes a copy of its current state to path, replacing an existing file. */
bool db_copy(struct db *db, const char *path, struct err *err);

/* Frees the reader slots of processes that were killed. */
void db_check_readers(struct db *db);

/* --- within a transaction ---------------------------------------------------------- */

/* Finds the value of a key. Returns false if there is no such key, or after an error. */
bool db_get(struct db_txn *txn, unsigned table, struct bytes key, struct bytes *value);
void db_put(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value);
/* Stores a value given in two parts, which are copied directly into the file's page. */
void db_put_parts(struct db_txn *txn, unsigned table, struct bytes key, struct bytes head, struct bytes rest);
/* Appends a record whose key sorts after all others of the table. Fills pages completely. */
void db_append(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value);
/* Deletes a record. Does nothing if there is no such key. */
void db_delete(struct db_txn *txn, unsigned table, struct bytes key);
uint64_t db_count(struct db_txn *txn, unsigned table);
/* Returns the size of the table in the file in bytes. For write transactions only. */
uint64_t db_bytes(struct db_txn *txn, unsigned table);

/* Returns false if the transaction has had an error. */
bool db_good(const struct db_txn *txn);

/*
 * For errors that the work function finds: it writes the message to the result of db_err and calls db_fail;
 * then nothing is committed.
 */
struct err *db_err(struct db_txn *txn);
void db_fail(struct db_txn *txn);

/* A traversal in key order. Do not modify the table during the traversal. */
enum db_direction {
	DB_UP,
	DB_DOWN
};

struct db_cursor {
	struct db_txn *txn;
	void *handle; /* NULL: there are no more records */
	enum db_direction direction;
	bool begun;
	struct bytes key, value; /* the current record, after db_next has returned true */
};

/*
 * Starts a traversal. Upward, it begins at the first key at or after *from; downward, at the last key at or
 * before *from; with from NULL, at the first or last key of the table. db_next moves to the next record;
 * false at the end or after an error.
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
