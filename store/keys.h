/* SPDX-License-Identifier: MIT */
/*
 * keys.h - which tables does a store have, and in which order do their records stand?
 *
 * Numbers in keys are big-endian, so the order of bytes is the order of numbers; moments
 * have their sign bit turned, so that those before 1970 come first.
 *
 *     table       key                       record                     order
 *     meta        a word: schema            which layout this is       -
 *                         config            the configuration's text
 *                         counters          the state's own numbers
 *                         pruned            how much of the past was removed
 *     job         id                        a waiting or running job   as submitted
 *     history     moment it ended, id       an ended job               as ended
 *     node        index                     a node                     as configured
 *     change      seq                       an operator's change       as made
 *     event       seq                       the journal                as happened
 *     checkpoint  seq, part                 the state after that event, as a run of records
 *     usage       moment it begins          a window of fairshare usage  in time
 *     launch      id                        what is to be run for a job  as submitted
 *     script      id                        the same of jobs that have ended, for resubmit
 *                                           or all tasks of an array
 *     cookie      uid, cookie               what was answered          -
 *     cookie_age  moment, uid, cookie       nothing                    as answered
 *
 * A record's checksum covers its key: one that turns up under another key is damaged.
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

/* Those that every store has; the others came later, and are empty where they are missing. */
#define DB_FIRST_TABLES (DB_CHECKPOINT + 1)

/* Names in the file, by enum db_table. */
extern const char *const store_table_names[DB_TABLE_COUNT];

#define KEY_MAX 32

struct key {
	unsigned char data[KEY_MAX];
	size_t size;
};

struct key key_word(const char *word); /* at most KEY_MAX letters */
struct key key_number(uint64_t number);
struct key key_moment(int64_t at_s);
struct key key_history(int64_t end_s, uint64_t job);
struct key key_checkpoint(uint64_t seq, uint64_t part);
struct key key_cookie(const struct cookie *cookie);
struct key key_cookie_age(int64_t at_s, const struct cookie *cookie);

/* A key out of the file; cut when it is longer than any of ours. */
struct key key_copy(struct bytes key);

/* The first and the second number of a key out of the file; 0 when it is too short. */
uint64_t key_first(struct bytes key);
uint64_t key_second(struct bytes key);

/* The moment that a key out of the file begins with. */
int64_t moment_of_key(struct bytes key);

/* The key of the cookie whose age this key out of the file says; nothing when it is no such key. */
struct key key_of_age(struct bytes key);

static inline struct bytes key_bytes(const struct key *key)
{
	return (struct bytes){key->data, key->size};
}

#endif
