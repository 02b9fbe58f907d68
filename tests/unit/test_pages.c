/* SPDX-License-Identifier: MIT */
/*
 * test_pages.c - every field of a page of an LMDB file is checked before it is used
 *
 * The pages of one small file are changed field by field, and the message must name the field. Damage at
 * random is in test_damage.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/pages.h"
#include "tests/unit/opened_db.h"

#define RECORDS 300 /* records of table fruit: a branch page with several leaves */

/* Offsets of fields in a meta page, the description of a tree, a page and a node. */
enum {
	META_NUMBER = 0,
	META_FLAGS_AT = 10,
	META_MAGIC_AT = 16,
	META_VERSION_AT = 20,
	META_ADDRESS = 24,
	META_MAP = 32,
	META_FREE = 40,
	META_TABLES = 88,
	META_LAST = 136,
	META_TXN = 144,
	TREE_FLAGS = 4,
	TREE_DEPTH = 6,
	TREE_BRANCHES = 8,
	TREE_LEAVES = 16,
	TREE_OVERFLOWS = 24,
	TREE_ENTRIES = 32,
	TREE_ROOT = 40,
	PAGE_NUMBER = 0,
	PAGE_FLAGS = 10,
	PAGE_LOWER = 12,
	PAGE_RUN = 12,
	PAGE_UPPER = 14,
	PAGE_NODES = 16,
	NODE_FLAGS = 4,
	NODE_KEY_SIZE = 6,
	NODE_KEY = 8
};

static uint64_t read_max = UINT64_MAX;  /* maximum number of leaves of a table to read */
static unsigned char *original, *bytes; /* the file as LMDB wrote it, and the copy that a test changes */
static size_t size, page_size;
static int file_fd = -1;

/* --- the file ----------------------------------------------------------------------------------- */

static void put_fruit_and_large(struct db_txn *txn, void *self)
{
	static char large[10000], huge[400 * 4096];
	char key[16];

	(void)self;
	for (int i = 0; i < RECORDS; i++) {
		snprintf(key, sizeof key, "k%04d", i);
		db_append(txn, FRUIT, text(key), text("the value of a record, as long as a description."));
	}
	db_put(txn, TREE, text("large"), (struct bytes){large, sizeof large});
	db_put(txn, TREE, text("leaves"), (struct bytes){huge, sizeof huge});
}

/* The 400 pages of the value become free; the record with their list is too long for a leaf page. */
static void delete_huge(struct db_txn *txn, void *self)
{
	(void)self;
	db_delete(txn, TREE, text("leaves"));
}

/* Long keys, of which few fit on a page, make a tree with two levels of branches. */
static void put_deep(struct db_txn *txn, void *self)
{
	char key[500];

	(void)self;
	memset(key, 'k', sizeof key);
	for (int i = 0; i < RECORDS; i++) {
		snprintf(key, 5, "%04d", i);
		key[4] = 'k';
		db_append(txn, FRUIT, (struct bytes){key, sizeof key}, text("a value"));
	}
	db_put(txn, TREE, text("one"), text("leaf"));
}

static void delete_one(struct db_txn *txn, void *self)
{
	char key[500];

	(void)self;
	memset(key, 'k', sizeof key);
	snprintf(key, 5, "%04d", 0);
	key[4] = 'k';
	db_delete(txn, FRUIT, (struct bytes){key, sizeof key});
}

static int make_file_with(db_work *first, db_work *second)
{
	struct stat st;
	struct db *db;
	int fd;

	make_store_dir(&dir);
	db = open_db((size_t)8 << 20, false, NULL);
	if (db == NULL || !db_write(db, first, NULL, NULL) || !db_write(db, second, NULL, NULL))
		return -1;
	db_close(db);
	fd = open(name_in(&dir, "data.mdb"), O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		return -1;
	size = (size_t)st.st_size;
	original = malloc(size);
	bytes = malloc(size);
	if (original == NULL || bytes == NULL || read(fd, original, size) != (ssize_t)size)
		return -1;
	close(fd);
	file_fd = memfd_create("damaged", MFD_CLOEXEC);
	return file_fd < 0;
}

static int make_file(void **state)
{
	(void)state;
	return make_file_with(put_fruit_and_large, delete_huge);
}

static int make_deep_file(void **state)
{
	(void)state;
	return make_file_with(put_deep, delete_one);
}

static int free_file(void **state)
{
	(void)state;
	close(file_fd);
	free(original);
	free(bytes);
	remove_store_dir(&dir);
	return 0;
}

static uint64_t get(size_t at, size_t width)
{
	uint64_t value = 0;

	memcpy(&value, original + at, width);
	return value;
}

static void put(size_t at, size_t width, uint64_t value)
{
	memcpy(bytes + at, &value, width);
}

/* Checks the copy, then restores it. */
static bool check_copy(struct err *err)
{
	const struct pages_expected expected = {tables, 2, 0, read_max};
	struct page_roots roots;
	struct page_file file;
	bool good;

	assert_int_equal(ftruncate(file_fd, (off_t)size), 0);
	assert_int_equal(pwrite(file_fd, bytes, size, 0), size);
	err->text[0] = '\0';
	good = pages_open(&file, file_fd, err) && pages_newest(&file, &roots, err) &&
	       pages_check(&file, &roots, &expected, err);
	memcpy(bytes, original, size);
	return good;
}

static void check_refused(const char *words)
{
	struct err err;

	if (check_copy(&err))
		fail_msg("nothing was found instead of: %s", words);
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" instead of: %s", err.text, words);
}

static void check_field_refused(size_t at, size_t width, uint64_t value, const char *words)
{
	put(at, width, value);
	check_refused(words);
}

/* The meta page of the newest state. */
static size_t newest(void)
{
	return get(page_size + META_TXN, 8) > get(META_TXN, 8) ? page_size : 0;
}

static uint64_t last_page(void)
{
	return get(newest() + META_LAST, 8);
}

static size_t root_at(size_t tree)
{
	return get(tree + TREE_ROOT, 8) * page_size;
}

static size_t node_at(size_t page, unsigned index)
{
	return page + get(page + PAGE_NODES + 2 * (size_t)index, 2);
}

/* The description of table 0 or 1, which is the value of its node. */
static size_t table_at(unsigned table)
{
	size_t node = node_at(root_at(newest() + META_TABLES), table);

	return node + NODE_KEY + get(node + NODE_KEY_SIZE, 2);
}

static size_t child_at(size_t branch, unsigned index)
{
	return get(node_at(branch, index), 4) * page_size;
}

/* --- meta pages ------------------------------------------------------------------------------------ */

static void valid_file_passes(void **state)
{
	struct err err;

	(void)state;
	memcpy(&page_size, original + META_FREE, 4);
	page_size &= UINT32_MAX;
	memcpy(bytes, original, size);
	if (!check_copy(&err))
		fail_msg("%s", err.text);
	assert_int_equal(get(table_at(0) + TREE_DEPTH, 2), 2); /* required by the tests below */
	assert_true(get(table_at(1) + TREE_OVERFLOWS, 8) >= 2);
}

static void both_meta_pages_must_be_meta_pages(void **state)
{
	static const char *const message[] = {"meta page 0: it is not a meta page",
					      "meta page 1: it is not a meta page"};

	(void)state;
	for (unsigned slot = 0; slot < 2; slot++) {
		size_t meta = slot * page_size;

		check_field_refused(meta + META_NUMBER, 8, 2, message[slot]);
		check_field_refused(meta + META_FLAGS_AT, 2, 2, message[slot]);
		check_field_refused(meta + META_MAGIC_AT, 4, 0xBEEFC0DD, message[slot]);
		check_field_refused(meta + META_VERSION_AT, 4, 2,
				    "it was written by an incompatible version of LMDB");
		check_field_refused(meta + META_ADDRESS, 8, page_size, "it requires a fixed address");
		check_field_refused(meta + META_MAP, 8, get(meta + META_MAP, 8) + 1,
				    "its map size is invalid");
		check_field_refused(meta + META_MAP, 8, (UINT64_C(1) << 47) + page_size,
				    "its map size is invalid");
		check_field_refused(meta + META_LAST, 8, 0, "its number of pages is invalid");
		check_field_refused(meta + META_LAST, 8, UINT64_C(1) << 48, "its number of pages is invalid");
	}
	check_field_refused(META_FREE, 4, 256, "its page size is invalid");
	check_field_refused(META_FREE, 4, 65536, "its page size is invalid");
	check_field_refused(META_FREE, 4, page_size + 512, "its page size is invalid");
	check_field_refused(page_size + META_FREE, 4, page_size * 2,
			    "meta page 1: its page size differs from that of meta page 0");
}

static void meta_pages_have_consecutive_transactions(void **state)
{
	static const char words[] = "its transaction does not follow that of the other meta page";
	uint64_t txn = get(newest() + META_TXN, 8);

	(void)state;
	check_field_refused(newest() + META_TXN, 8, txn + 1, words);
	check_field_refused(newest() + META_TXN, 8, txn + 2, words);
	check_field_refused(newest() + META_TXN, 8, txn - 2, "pages were freed after its transaction");
	/* Of the state before the newest, only the list of free pages is read. */
	check_field_refused((newest() ^ page_size) + META_TXN, 8, txn - 3, words);
}

static void check_impossible(size_t tree, size_t field, size_t width, uint64_t value, const char *words)
{
	if (get(tree + field, width) == value)
		fail_msg("field %zu is %llu already", field, (unsigned long long)value);
	check_field_refused(tree + field, width, value, words);
}

static void check_description(size_t tree, const char *words)
{
	uint64_t beyond = last_page() + 1;

	check_impossible(tree, TREE_FLAGS, 2, 4, words);
	check_impossible(tree, TREE_DEPTH, 2, 0, words);
	check_impossible(tree, TREE_DEPTH, 2, PAGES_DEPTH_MAX + 1, words);
	check_impossible(tree, TREE_BRANCHES, 8, beyond, words);
	check_impossible(tree, TREE_LEAVES, 8, beyond, words);
	check_impossible(tree, TREE_LEAVES, 8, 0, words);
	check_impossible(tree, TREE_OVERFLOWS, 8, beyond, words);
	check_impossible(tree, TREE_OVERFLOWS, 8, beyond - 1, words);
	check_impossible(tree, TREE_ENTRIES, 8, 0, words);
	check_impossible(tree, TREE_ROOT, 8, 1, words);
	check_impossible(tree, TREE_ROOT, 8, beyond, words);
	check_impossible(tree, TREE_ROOT, 8, PAGES_NONE, words);
}

static void descriptions_of_trees_are_checked(void **state)
{
	(void)state;
	check_description(newest() + META_FREE, "the description of a tree is invalid");
	check_description(newest() + META_TABLES, "the description of a tree is invalid");
	check_description(table_at(0), "the description of table fruit is invalid");
	check_description(table_at(1), "the description of table tree is invalid");
	check_field_refused(table_at(0) + TREE_BRANCHES, 8, 0, "the description of table fruit is invalid");
	check_field_refused(table_at(0) + TREE_BRANCHES, 8, 2,
			    "table fruit: the recorded numbers of pages and records are wrong");
	check_field_refused(table_at(0) + TREE_ENTRIES, 8, RECORDS + 1,
			    "table fruit: the recorded numbers of pages and records");
	check_field_refused(table_at(1) + TREE_OVERFLOWS, 8, 0,
			    "table tree: the recorded numbers of pages and records");
}

/* --- pages of trees ---------------------------------------------------------------------------------- */

static void check_page(size_t page, bool leaf)
{
	size_t lower = get(page + PAGE_LOWER, 2), upper = get(page + PAGE_UPPER, 2);

	check_field_refused(page + PAGE_NUMBER, 8, 2, "it has the number of another page");
	check_field_refused(page + PAGE_FLAGS, 2, 4,
			    leaf ? "it is not a leaf page" : "it is not a branch page");
	check_field_refused(page + PAGE_LOWER, 2, 14, "its bounds are invalid");
	check_field_refused(page + PAGE_LOWER, 2, lower + 1, "its bounds are invalid");
	check_field_refused(page + PAGE_LOWER, 2, upper + 2, "its bounds are invalid");
	check_field_refused(page + PAGE_UPPER, 2, page_size + 2, "its bounds are invalid");
	check_field_refused(page + PAGE_LOWER, 2, PAGE_NODES, "it has too few nodes");
	check_field_refused(page + PAGE_UPPER, 2, upper + 2, "its nodes overlap");
	check_field_refused(page + PAGE_UPPER, 2, upper - 2, "there is a gap between its nodes");
	check_field_refused(page + PAGE_NODES, 2, 8, "a node reaches beyond the page");
	check_field_refused(page + PAGE_NODES, 2, page_size - 4, "a node reaches beyond the page");
	check_field_refused(node_at(page, 1) + NODE_KEY_SIZE, 2, 512, "a node reaches beyond the page");
}

static void pages_of_trees_are_checked(void **state)
{
	size_t names = root_at(newest() + META_TABLES), branch = root_at(table_at(0));
	size_t leaf = child_at(branch, 1);

	(void)state;
	check_page(names, true);
	check_page(branch, false);
	check_page(leaf, true);
	/* A branch needs two children. */
	check_field_refused(branch + PAGE_LOWER, 2, PAGE_NODES + 2, "it has too few nodes");
}

static void nodes_are_checked(void **state)
{
	size_t names = root_at(newest() + META_TABLES), branch = root_at(table_at(0));
	size_t leaf = child_at(branch, 1), node = node_at(leaf, 1);
	unsigned last = (unsigned)(get(leaf + PAGE_LOWER, 2) - PAGE_NODES) / 2 - 1;
	uint64_t first = get(leaf + PAGE_NODES, 2), second = get(leaf + PAGE_NODES + 2, 2);

	(void)state;
	check_field_refused(node + NODE_FLAGS, 2, 4, "a record has invalid flags");
	check_field_refused(node, 2, 3000, "a node reaches beyond the page");
	check_field_refused(node_at(leaf, last), 2, 2500, "a record is too large for its page");
	check_field_refused(node_at(names, 1), 2, 46, "the description of a table has the wrong size");
	check_field_refused(node_at(names, 1) + NODE_FLAGS, 2, 0, "there is a record in place of a table");
	check_field_refused(node_at(names, 1) + NODE_KEY, 1, 'u',
			    "it has a table that this program does not know");
	check_field_refused(node + NODE_KEY_SIZE, 2, 0, "a key has an invalid size");
	/* Two nodes swapped, and one node twice. */
	put(leaf + PAGE_NODES, 2, second);
	put(leaf + PAGE_NODES + 2, 2, first);
	check_refused("its keys are out of order");
	check_field_refused(leaf + PAGE_NODES + 2, 2, first, "its keys are out of order");
	check_field_refused(node_at(leaf, 0) + NODE_KEY, 1, 'a', "a key does not belong on this page");
	check_field_refused(node_at(leaf, last) + NODE_KEY, 1, 'z', "a key does not belong on this page");
	check_field_refused(node_at(branch, 1), 4, 1, "a child page is outside the file");
	check_field_refused(node_at(branch, 1), 4, last_page() + 1, "a child page is outside the file");
	check_field_refused(node_at(branch, 1) + NODE_FLAGS, 2, 1, "a child page is outside the file");
	check_field_refused(node_at(branch, 1), 4, child_at(branch, 0) / page_size,
			    "a key does not belong on this page");
}

static void pages_of_long_values_are_checked(void **state)
{
	size_t node = node_at(root_at(table_at(1)), 0), value = node + NODE_KEY + strlen("large");
	size_t run = get(value, 8) * page_size;

	(void)state;
	assert_int_equal(get(node + NODE_FLAGS, 2), 1);
	check_field_refused(value, 8, 1, "it is outside the file");
	check_field_refused(value, 8, last_page() + 1, "it is outside the file");
	check_field_refused(run + PAGE_NUMBER, 8, 2, "it is not an overflow page");
	check_field_refused(run + PAGE_FLAGS, 2, 2, "it is not an overflow page");
	check_field_refused(run + PAGE_RUN, 4, 2, "its number of overflow pages is invalid");
	check_field_refused(run + PAGE_RUN, 4, last_page() + 2 - run / page_size,
			    "its number of overflow pages is invalid");
	check_field_refused(node + 2, 2, 1, "its number of overflow pages is invalid"); /* 65536 bytes more */
}

/* --- the list of free pages ----------------------------------------------------------------------- */

static void lists_of_free_pages_are_checked(void **state)
{
	size_t tree = newest() + META_FREE, leaf = root_at(tree), node = leaf, list = 0;
	unsigned count = (unsigned)(get(leaf + PAGE_LOWER, 2) - PAGE_NODES) / 2;

	(void)state;
	assert_int_equal(get(tree + TREE_DEPTH, 2), 1);
	for (unsigned i = 0; i < count; i++) {
		node = node_at(leaf, i);
		if (get(node + NODE_FLAGS, 2) == 1)
			list = get(node + NODE_KEY + 8, 8) * page_size + PAGE_NODES;
	}
	assert_true(list != 0); /* one list is long */
	assert_true(get(list, 8) >= 400);
	check_field_refused(list, 8, UINT64_C(1) << 40, "the list of free pages of transaction");
	check_field_refused(list + 16, 8, get(list + 8, 8), "it is out of order in the list of free pages");
	check_field_refused(list + 8, 8, last_page() + 1, "it is outside the file");
	check_field_refused(list + 8 * get(list, 8), 8, 1, "it is outside the file");
	check_field_refused(list + 8 * get(list, 8), 8, root_at(table_at(0)) / page_size, "it is used twice");
	node = node_at(leaf, 0);
	check_field_refused(node + NODE_KEY, 8, 0, "the list of free pages of transaction 0 is invalid");
	check_field_refused(node + NODE_KEY_SIZE, 2, 6, "a record of free pages has an invalid size");
}

/* Replaces the list of free pages by one record of 48 bytes, the size of the description of a table. */
static void put_free_record(uint16_t flags)
{
	size_t tree = newest() + META_FREE, leaf = root_at(tree), node = page_size - 16 - 48;

	memset(bytes + leaf + PAGE_NODES, 0, page_size - PAGE_NODES);
	put(leaf + PAGE_LOWER, 2, PAGE_NODES + 2);
	put(leaf + PAGE_UPPER, 2, node);
	put(leaf + PAGE_NODES, 2, node);
	put(leaf + node, 2, 48);
	put(leaf + node + NODE_FLAGS, 2, flags);
	put(leaf + node + NODE_KEY_SIZE, 2, 8);
	put(leaf + node + NODE_KEY, 8, 1);
	put(tree + TREE_ENTRIES, 8, 1);
	put(tree + TREE_OVERFLOWS, 8, 0);
}

static void misplaced_tree_is_rejected(void **state)
{
	size_t leaf = child_at(root_at(table_at(0)), 1);
	size_t free_leaf = root_at(newest() + META_FREE);
	struct err err;

	(void)state;
	put_free_record(0);
	if (!check_copy(&err))
		fail_msg("%s", err.text);
	put_free_record(2);
	check_refused("a list of free pages is a table");
	check_field_refused(node_at(leaf, 1) + NODE_FLAGS, 2, 2, "table fruit contains a table");
	check_field_refused(node_at(free_leaf, 0), 2, 12, "a record of free pages has an invalid size");
	check_field_refused(node_at(free_leaf, 0), 2, 4, "a record of free pages has an invalid size");
	check_field_refused(newest() + META_TABLES, 4, 1, "the description of a tree is invalid");
	/* An empty table has neither pages nor records. */
	for (size_t field = TREE_BRANCHES; field <= TREE_ENTRIES; field += 8) {
		put(table_at(1) + TREE_ROOT, 8, PAGES_NONE);
		put(table_at(1) + TREE_DEPTH, 2, 0);
		for (size_t at = TREE_BRANCHES; at <= TREE_ENTRIES; at += 8)
			put(table_at(1) + at, 8, at == field);
		check_refused("the description of table tree is invalid");
	}
	check_field_refused(table_at(0) + TREE_LEAVES, 8, get(table_at(0) + TREE_LEAVES, 8) + 1,
			    "the recorded numbers of pages and records are wrong");
	check_field_refused(newest() + META_LAST, 8, last_page() + 100000, "pages and should have");
}

/* Moves the lowest node of a page to an odd offset, and the bound of the page with it. */
static void nodes_have_even_offsets(void **state)
{
	size_t leaf = child_at(root_at(table_at(0)), 1), upper = get(leaf + PAGE_UPPER, 2);
	unsigned count = (unsigned)(get(leaf + PAGE_LOWER, 2) - PAGE_NODES) / 2;

	(void)state;
	for (unsigned i = 0; i < count; i++)
		if (get(leaf + PAGE_NODES + 2 * (size_t)i, 2) == upper)
			put(leaf + PAGE_NODES + 2 * (size_t)i, 2, upper - 1);
	memcpy(bytes + leaf + upper - 1, original + leaf + upper, 16);
	put(leaf + PAGE_UPPER, 2, upper - 1);
	check_refused("its nodes overlap");
}

/* Of a large table only the leaves at both ends are read. The others are checked to be used once. */
static void pages_that_are_not_read_are_counted(void **state)
{
	size_t branch = root_at(table_at(0));
	struct err err;

	(void)state;
	read_max = 1;
	assert_true(get(table_at(0) + TREE_LEAVES, 8) > 3);
	if (!check_copy(&err))
		fail_msg("%s", err.text);
	check_field_refused(node_at(branch, 1), 4, child_at(branch, 2) / page_size, "it is used twice");
	check_field_refused(child_at(branch, 0) + PAGE_NUMBER, 8, 2, "it has the number of another page");
	put(child_at(branch, 1) + PAGE_NUMBER, 8, 2);
	assert_true(check_copy(&err));
	read_max = UINT64_MAX;
}

/* Adds the page, which is in use, to the list of free pages. */
static void check_page_used_twice(uint64_t page, const char *words)
{
	put_free_record(0);
	put(root_at(newest() + META_FREE) + page_size - 48, 8, 1);
	put(root_at(newest() + META_FREE) + page_size - 40, 8, page);
	check_refused(words);
}

static void page_in_use_and_free_is_rejected(void **state)
{
	size_t node = node_at(root_at(table_at(1)), 0), value = node + NODE_KEY + strlen("large");

	(void)state;
	check_page_used_twice(get(value, 8) + 1, "of table tree: it is used twice");
	check_page_used_twice(root_at(table_at(1)) / page_size, "of table tree: it is used twice");
	check_page_used_twice(root_at(table_at(0)) / page_size, "of table fruit: it is used twice");
	check_page_used_twice(child_at(root_at(table_at(0)), 1) / page_size,
			      "of table fruit: it is used twice");
}

/* --- two levels of branches ------------------------------------------------------------------------ */

static void a_deep_tree_is_checked_at_every_level(void **state)
{
	size_t root = root_at(table_at(0)), branch = child_at(root, 1), leaf = child_at(branch, 1);
	struct err err;

	(void)state;
	memcpy(bytes, original, size);
	assert_true(get(table_at(0) + TREE_DEPTH, 2) >= 3);
	if (!check_copy(&err))
		fail_msg("%s", err.text);
	check_page_used_twice(branch / page_size, "of table fruit: it is used twice");
	check_page_used_twice(leaf / page_size, "of table fruit: it is used twice");
	check_field_refused(leaf + PAGE_NUMBER, 8, 2, "it has the number of another page");
	check_field_refused(branch + PAGE_FLAGS, 2, 2, "it is not a branch page");
}

/* --- a file that is in use ------------------------------------------------------------------------- */

static bool meta_changes; /* each read of a meta page returns different bytes */

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacement of a function of libc */
ssize_t pread(int fd, void *out, size_t count, off_t at)
{
	ssize_t got = syscall(SYS_pread64, fd, out, count, at);
	static unsigned char number;

	if (meta_changes && got == PAGES_META_BYTES)
		((unsigned char *)out)[META_NUMBER + 8] = number++; /* an unused byte */
	return got;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static void changing_meta_page_is_read_eventually(void **state)
{
	struct err err;

	(void)state;
	memcpy(bytes, original, size);
	meta_changes = true;
	assert_true(check_copy(&err));
	meta_changes = false;
}

/* The check of a pinned state does not look for newer states. */
static void a_list_of_a_later_transaction_is_impossible(void **state)
{
	const struct pages_expected expected = {tables, 2, 0, UINT64_MAX};
	uint64_t txn = get(newest() + META_TXN, 8);
	struct page_roots roots;
	struct page_file file;
	bool replaced;
	struct err err;

	(void)state;
	put_free_record(0);
	put(root_at(newest() + META_FREE) + page_size - 56, 8, txn + 1);
	assert_int_equal(pwrite(file_fd, bytes, size, 0), size);
	memcpy(bytes, original, size);
	assert_true(pages_open(&file, file_fd, &err));
	assert_true(pages_of_txn(&file, txn, &roots, &replaced, &err));
	assert_false(pages_check(&file, &roots, &expected, &err));
	assert_non_null(strstr(err.text, "the list of free pages of transaction"));
	assert_false(pages_of_txn(&file, txn + 2, &roots, &replaced, &err));
	assert_true(replaced);
}

static void check_table_not_found(size_t at, size_t width, uint64_t value, bool is_damaged)
{
	struct page_roots roots;
	struct page_file file;
	struct page_tree tree;
	bool replaced, damaged;
	struct err err;

	assert_int_equal(pwrite(file_fd, original, size, 0), size);
	assert_true(pages_open(&file, file_fd, &err));
	put(at, width, value);
	assert_int_equal(pwrite(file_fd, bytes, size, 0), size);
	memcpy(bytes, original, size);
	if (!pages_of_txn(&file, get(newest() + META_TXN, 8), &roots, &replaced, &err)) {
		assert_false(replaced);
		return;
	}
	assert_false(pages_table(&file, &roots, tables[0], &tree, &damaged, &err));
	assert_int_equal(damaged, is_damaged);
}

static void a_table_that_cannot_be_read_is_damaged(void **state)
{
	size_t names = root_at(newest() + META_TABLES);

	(void)state;
	check_table_not_found(table_at(0) + TREE_DEPTH, 2, 0, true);
	check_table_not_found(node_at(names, 0) + NODE_FLAGS, 2, 0, true);
	check_table_not_found(names + PAGE_NUMBER, 8, 2, true);
	check_table_not_found(node_at(names, 0) + NODE_KEY, 1, 'a', false);
	check_table_not_found(newest() + META_TABLES + TREE_DEPTH, 2, 0, true);
	check_table_not_found(newest() + META_MAGIC_AT, 1, 0, true);
}

/* --- salvage --------------------------------------------------------------------------------------- */

static void count_record(void *self, struct bytes key, struct bytes value)
{
	unsigned *count = self;

	assert_true(key.size > 0 && value.data != NULL);
	++*count;
}

/* Checks that at least this number of records is salvaged, but not all. */
static void check_salvage(size_t at, size_t width, uint64_t value, unsigned min)
{
	unsigned count = 0;

	put(at, width, value);
	assert_int_equal(ftruncate(file_fd, (off_t)size), 0);
	assert_int_equal(pwrite(file_fd, bytes, size, 0), size);
	memcpy(bytes, original, size);
	assert_true(pages_salvage(file_fd, tables[0], count_record, &count) > 0);
	assert_in_range(count, min, RECORDS - 1);
}

static void readable_records_are_salvaged(void **state)
{
	size_t names = root_at(newest() + META_TABLES), branch = root_at(table_at(0));
	size_t leaf = child_at(branch, 1);

	(void)state;
	check_salvage(node_at(branch, 1), 4, 1, 200);
	check_salvage(node_at(branch, 1), 4, last_page() + 1000, 200);
	check_salvage(node_at(branch, 1), 4, branch / page_size, 200);
	check_salvage(node_at(branch, 1), 4, child_at(branch, 0) / page_size, 200);
	check_salvage(leaf + PAGE_NUMBER, 8, 2, 200);
	check_salvage(leaf + PAGE_FLAGS, 2, 1, 200);
	check_salvage(leaf + PAGE_LOWER, 2, 14, 200);
	check_salvage(leaf + PAGE_LOWER, 2, page_size + 2, 200);
	check_salvage(leaf + PAGE_NODES, 2, 8, 200);
	check_salvage(node_at(names, 0), 2, 40, 0);
	check_salvage(table_at(0) + TREE_LEAVES, 8, 0, 0);
}

/* --- files that end early ---------------------------------------------------------------------------- */

static bool check_truncated(size_t length, struct err *err)
{
	struct page_roots roots;
	struct page_file file;
	const struct pages_expected expected = {tables, 2, 0, read_max};

	assert_int_equal(pwrite(file_fd, original, size, 0), size);
	assert_int_equal(ftruncate(file_fd, (off_t)length), 0);
	return pages_open(&file, file_fd, err) && pages_newest(&file, &roots, err) &&
	       pages_check(&file, &roots, &expected, err);
}

static void truncated_file_is_rejected(void **state)
{
	size_t leaf = child_at(root_at(table_at(0)), 1);
	struct err err;

	(void)state;
	assert_false(check_truncated(100, &err));
	assert_string_equal(err.text, "meta page 0: it cannot be read");
	assert_false(check_truncated(page_size + 100, &err));
	assert_string_equal(err.text, "meta page 1: it cannot be read");
	assert_false(check_truncated(leaf, &err));
	assert_non_null(strstr(err.text, "the file ends before"));
	assert_false(pages_open(&(struct page_file){.fd = -1}, -1, &err));
	assert_string_equal(err.text, "the file cannot be examined: Bad file descriptor");
}

int main(void)
{
	const struct CMUnitTest tests_of_pages[] = {
		cmocka_unit_test(valid_file_passes),
		cmocka_unit_test(both_meta_pages_must_be_meta_pages),
		cmocka_unit_test(meta_pages_have_consecutive_transactions),
		cmocka_unit_test(descriptions_of_trees_are_checked),
		cmocka_unit_test(pages_of_trees_are_checked),
		cmocka_unit_test(nodes_are_checked),
		cmocka_unit_test(pages_of_long_values_are_checked),
		cmocka_unit_test(lists_of_free_pages_are_checked),
		cmocka_unit_test(misplaced_tree_is_rejected),
		cmocka_unit_test(nodes_have_even_offsets),
		cmocka_unit_test(pages_that_are_not_read_are_counted),
		cmocka_unit_test(page_in_use_and_free_is_rejected),
		cmocka_unit_test(changing_meta_page_is_read_eventually),
		cmocka_unit_test(a_list_of_a_later_transaction_is_impossible),
		cmocka_unit_test(a_table_that_cannot_be_read_is_damaged),
		cmocka_unit_test(readable_records_are_salvaged),
		cmocka_unit_test(truncated_file_is_rejected),
	};
	const struct CMUnitTest tests_of_depth[] = {
		cmocka_unit_test(a_deep_tree_is_checked_at_every_level),
	};
	int failed = cmocka_run_group_tests_name("pages", tests_of_pages, make_file, free_file);

	return failed + cmocka_run_group_tests_name("deep pages", tests_of_depth, make_deep_file, free_file);
}
