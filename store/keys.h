/* SPDX-License-Identifier: MIT */
/*
 * keys.h - tables of a store, and their keys
 *
 * Numbers in keys are big-endian, so that byte order is numeric order; in times the sign bit is inverted, so
 * that times before 1970 come first.
 *
 *     table       key                       record                     order
 *     meta        a word: schema            version of the layout      -
 *                         config            the configuration's text
 *                         counters          counters of the state
 *                         pruned            how much was pruned
 *     job         ID                        an idle or running job     by submission
 *     history     time of its end, ID       an ended job               by end
 *     node        index                     a node                     as configured
 *     change      seq                       an operator's change       by time
 *     event       seq                       a journal entry            by time
 *     checkpoint  seq, part                 the state after that event, as a sequence of records
 *     usage       time of its start         a window of fairshare usage  by time
 *     launch      ID                        launch data of a job       by submission
 *                                           or of all tasks of an array
 *     script      ID                        launch data of an ended job, for resubmit
 *     cookie      uid, cookie               an answer                  -
 *     cookie_age  time, uid, cookie         none                       by time of the answer
 *
 * A record's checksum covers its key: a record that is found under another key is damaged.
 */
#ifndef STORE_KEYS_H
#define STORE_KEYS_H

#include <stdint.h>

#include "bytes.h"
#include "sched/host/ledger.h"

enum db_table {
	DB_META,
	DB_JOB,
	DB_HISTORY,
	DB_NODE,
	DB_CHANGE,
	DB_EVENT,
	DB_CHECKPOINT,
	DB_USAGE,
	DB_LAUNCH,
	DB_COOKIE,
	DB_COOKIE_AGE,
	DB_SCRIPT,
	DB_TABLE_COUNT
};

/* Number of tables that every store has. The tables after them were added later; if one is missing, it reads
 * as empty. */
#define DB_FIRST_TABLES (DB_CHECKPOINT + 1)

/* Names of the tables in the file, by enum db_table. */
extern const char *const store_table_names[DB_TABLE_COUNT];

#define KEY_MAX 32

struct key {
	unsigned char data[KEY_MAX];
	size_t size;
};

struct key key_word(const char *word); /* at most KEY_MAX bytes */
struct key key_number(uint64_t number);
struct key key_moment(int64_t at_s);
struct key key_history(int64_t end_s, uint64_t job);
struct key key_checkpoint(uint64_t seq, uint64_t part);
struct key key_cookie(const struct cookie *cookie);
struct key key_cookie_age(int64_t at_s, const struct cookie *cookie);

/* Copies a key from the file; a key longer than any valid key is truncated. */
struct key key_copy(struct bytes key);

/*
 * key_first and key_second return the first and the second number in a key from the file; 0 if the key is too
 * short.
 */
uint64_t key_first(struct bytes key);
uint64_t key_second(struct bytes key);

/* Returns the time at the beginning of a key from the file. */
int64_t moment_of_key(struct bytes key);

/*
 * Returns the key in table cookie for a key of table cookie_age; empty if the given key is too short or too
 * long.
 */
struct key key_of_age(struct bytes key);

static inline struct bytes key_bytes(const struct key *key)
{
	return (struct bytes){key->data, key->size};
}

#endif
