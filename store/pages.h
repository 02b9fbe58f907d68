/* SPDX-License-Identifier: MIT */
/*
 * pages.h - reads and checks the pages of an LMDB file without trusting them
 *
 * LMDB has no checksums: a damaged page makes it abort, crash or return wrong records. This reader uses only
 * pread, checks every page before using it, and never reads outside the file or the page. It supports the
 * subset of the format that Kahu writes: LMDB 0.9 files with named tables and without duplicate keys. Any
 * other construct is reported as damage.
 *
 * A file that another process changes can be read as long as an LMDB read transaction keeps the pages of its
 * snapshot from being reused.
 */
#ifndef STORE_PAGES_H
#define STORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "sched/base/err.h"

#define PAGES_DEPTH_MAX 32
#define PAGES_NONE      UINT64_MAX /* the root of an empty tree */

/* One B-tree of the file, as its record in the file describes it. */
struct page_tree {
	const char *name; /* for messages; borrowed */
	uint64_t root;
	uint64_t branches, leaves, overflows, entries;
	uint16_t depth;
	bool by_number; /* keys are 8-byte numbers in native byte order, as in the list of free pages */
};

/* A committed state of the file. */
struct page_roots {
	uint64_t txn;  /* number of the transaction */
	uint64_t last; /* number of the last page, whether in use or free */
	bool unsound;  /* the description of one of the trees below is invalid */
	struct page_tree free, tables;
};

struct page_file {
	int fd; /* borrowed */
	uint32_t page_size;
	uint64_t pages; /* number of complete pages when the file was opened */
};

/*
 * Prepares the file for reading and checks both meta pages. Returns false if one of them is not a valid meta
 * page of an LMDB file, or if their page sizes differ.
 */
bool pages_open(struct page_file *file, int fd, struct err *err);

/*
 * Finds the newest committed state, and checks it against the one before it. No process may be writing.
 * Returns false with an error if the file is damaged.
 */
bool pages_newest(const struct page_file *file, struct page_roots *out, struct err *err);

/* Finds the state committed by transaction txn. Returns false with *replaced set if the meta page of the
 * state has been overwritten, because two later transactions have committed; otherwise false with an
 * error. */
bool pages_of_txn(const struct page_file *file, uint64_t txn, struct page_roots *out, bool *replaced,
		  struct err *err);

/* Size of a meta page, with its header. */
#define PAGES_META_BYTES 152

/*
 * If LMDB fails to write the meta page of a commit, it writes the page again with its previous transaction
 * number, but with the trees of the failed commit. Such a page looks like the meta page of a committed state
 * with a damaged number. A writer therefore saves the page before each commit and restores it after a failed
 * one. txn is the number of the writing transaction.
 */
bool pages_save_meta(const struct page_file *file, uint64_t txn, unsigned char out[static PAGES_META_BYTES]);
void pages_restore_meta(const struct page_file *file, int writable, uint64_t txn,
			const unsigned char saved[static PAGES_META_BYTES]);

/* --- reading one tree ---------------------------------------------------------------------- */

/* A page on the path from the root to a record. */
struct page_level {
	unsigned char *page;
	uint64_t number;
	unsigned index, count;     /* index of the current node, and number of nodes */
	struct bytes lower, upper; /* the keys on the page are >= lower and < upper; data NULL = no bound */
};

struct page_cursor {
	const struct page_file *file;
	struct page_tree tree;
	uint64_t last; /* last page of the file, from the roots */
	struct page_level level[PAGES_DEPTH_MAX];
	unsigned char *value; /* copy of the current value if it is on overflow pages */
	struct err *err;
	bool damaged; /* a page was damaged: err is set, and no more records are found */
};

/* Sets up a cursor on a tree; the file must outlive it. */
void page_cursor_open(struct page_cursor *c, const struct page_file *file, const struct page_roots *roots,
		      const struct page_tree *tree, struct err *err);
void page_cursor_close(struct page_cursor *c);

/* Move the cursor. Return true if it is at a record afterwards; false at the end, or if a page is damaged. */
bool page_cursor_first(struct page_cursor *c);
bool page_cursor_last(struct page_cursor *c);
bool page_cursor_next(struct page_cursor *c);
bool page_cursor_back(struct page_cursor *c);
/* Moves to the first record whose key is at or after the given key. */
bool page_cursor_seek(struct page_cursor *c, struct bytes key);

/* Key and value of the current record, valid until the cursor moves. */
struct bytes page_cursor_key(const struct page_cursor *c);
bool page_cursor_value(struct page_cursor *c, struct bytes *out);

/*
 * Finds the tree of a table. Returns false if there is no such table or, with *damaged set, if a page is
 * damaged.
 */
bool pages_table(const struct page_file *file, const struct page_roots *roots, const char *name,
		 struct page_tree *out, bool *damaged, struct err *err);

/* --- checking the whole file ------------------------------------------------------------ */

struct pages_expected {
	const char *const *tables;
	unsigned count;
	unsigned may_miss;  /* number of tables at the end of the list that may be missing */
	uint64_t most_read; /* if a table has more leaf pages, only its first and its last are read */
};

/*
 * Checks that every page belongs to at most one tree or list of free pages; that every page that is read has
 * a valid structure and sorted keys; and that the recorded numbers of pages and records are right. Branch
 * pages are always read. Returns false with an error if the file is damaged.
 */
bool pages_check(const struct page_file *file, const struct page_roots *roots,
		 const struct pages_expected *expected, struct err *err);

/* --- salvage --------------------------------------------------------------------------------- */

typedef void pages_visit(void *self, struct bytes key, struct bytes value);

/*
 * Visits every record of a table that can still be reached, and skips damaged pages and nodes. Values are
 * checked for their bounds only: the visitor verifies checksums. Returns the number of skipped pages and
 * records.
 */
uint64_t pages_salvage(int fd, const char *table, pages_visit *visit, void *self);

#endif
