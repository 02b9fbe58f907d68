/* SPDX-License-Identifier: MIT */
/* opened_db.h - a store with two tables in a temporary folder */
#ifndef TESTS_OPENED_DB_H
#define TESTS_OPENED_DB_H

#include <string.h>

#include "sched/base/str.h"
#include "store/db.h"
#include "store/keys.h"
#include "tests/store_dir.h"

enum {
	FRUIT,
	TREE
};

static const char *const tables[] = {"fruit", "tree"};
static struct store_dir dir;

static inline struct db *open_db(size_t map_bytes, bool read_only, struct err *err)
{
	struct db_options options = {
		.tables = tables, .table_count = 2, .map_bytes = map_bytes, .read_only = read_only};

	return db_open(dir.path, &options, err);
}

static inline int new_dir(void **state)
{
	make_store_dir(&dir);
	*state = open_db((size_t)1 << 20, false, NULL);
	return *state ? 0 : -1;
}

static inline int old_dir(void **state)
{
	db_close(*state);
	remove_store_dir(&dir);
	return 0;
}

static inline struct bytes text(const char *s)
{
	return (struct bytes){s, strlen(s)};
}

/* --- transactions --------------------------------------------------------------------------------- */

static inline void put_three(struct db_txn *txn, void *self)
{
	(void)self;
	db_put(txn, FRUIT, text("pear"), text("green"));
	db_put(txn, FRUIT, text("apple"), text("red"));
	db_put(txn, FRUIT, text("plum"), text("blue"));
}

struct answer {
	const char *key; /* the key to look up */
	char value[4096];
	bool found;
};

static inline void ask(struct db_txn *txn, void *self)
{
	struct answer *a = self;
	struct bytes value;

	a->found = db_get(txn, FRUIT, text(a->key), &value);
	if (a->found) {
		memcpy(a->value, value.data, value.size);
		a->value[value.size] = '\0';
	}
}

static inline const char *value_of(struct db *db, const char *key)
{
	static struct answer a;

	a = (struct answer){.key = key};
	assert_true(db_read(db, ask, &a, NULL));
	return a.found ? a.value : NULL;
}

struct count {
	uint64_t of[2];
};

static inline void count_all(struct db_txn *txn, void *self)
{
	struct count *c = self;

	c->of[FRUIT] = db_count(txn, FRUIT);
	c->of[TREE] = db_count(txn, TREE);
}

static inline uint64_t count_of(struct db *db, int table)
{
	struct count c;

	assert_true(db_read(db, count_all, &c, NULL));
	return c.of[table];
}

#define LARGE ((size_t)100000)

static inline void put_large(struct db_txn *txn, void *self)
{
	static char large[LARGE];
	const uint64_t *range = self;

	for (uint64_t i = range[0]; i < range[1]; i++) {
		struct key key = key_number(i);

		memset(large, (int)('a' + i % 26), sizeof large);
		db_put(txn, TREE, key_bytes(&key), (struct bytes){large, sizeof large});
	}
}

static inline void check_large(struct db_txn *txn, void *self)
{
	const uint64_t *range = self;

	for (uint64_t i = range[0]; i < range[1]; i++) {
		struct key key = key_number(i);
		struct bytes value;

		assert_true(db_get(txn, TREE, key_bytes(&key), &value));
		assert_int_equal(value.size, LARGE);
		assert_int_equal(((const char *)value.data)[LARGE - 1], (char)('a' + i % 26));
	}
}

#endif
