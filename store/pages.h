/* SPDX-License-Identifier: MIT */
/*
 * pages.h - reads and checks the pages of an LMDB file without trusting them
 *
 * LMDB has no checksums: a damaged page makes it abort, crash or return wrong records. This
 * reader uses pread only, checks every page before it uses it, and never reads outside the
 * file or the page. It knows the subset of the format that Kahu writes: LMDB 0.9 files with
 * named tables, without duplicate keys. Any other construct is reported as damage.
 *
 * A file that another process changes may be read as long as an LMDB read transaction keeps
 * the pages of its snapshot from being reused.
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

/* One B-tree of the file, as its record describes it. */
struct page_tree {
	const char *name; /* for messages; borrowed */
	uint64_t root;
	uint64_t branches, leaves, overflows, entries;
	uint16_t depth;
	bool by_number; /* keys are native 8-byte numbers: the list of free pages */
};

/* A committed state of the file. */
struct page_roots {
	uint64_t txn;  /* number of the transaction */
	uint64_t last; /* highest page in use or free */
	bool unsound;  /* what follows is impossible  */
	struct page_tree free, tables;
};

struct page_file {
	int fd; /* borrowed */
	uint32_t page_size;
	uint64_t pages; /* whole pages in the file when it was opened */
};

/* Reads both meta pages. False when either is no meta page of an LMDB file, or they do not fit each other. */
bool pages_open(struct page_file *file, int fd, struct err *err);

/* The newest committed state, checked against the one before it; no process may be writing. */
bool pages_newest(const struct page_file *file, struct page_roots *out, struct err *err);

/* The state that a transaction committed. *replaced: two later ones have been committed since. */
bool pages_of_txn(const struct page_file *file, uint64_t txn, struct page_roots *out, bool *replaced,
		  struct err *err);

/* A meta page with its header. */
#define PAGES_META_BYTES 152

/*
 * When LMDB cannot write the meta page of a commit, it writes the trees of that commit back under the number
 * of the state before the newest. Nobody could tell that page from one of a later, committed state whose
 * number is damaged, so a writer saves the page before a commit and puts it back after one that failed. txn
 * is the number of the writing transaction.
 */
bool pages_save_meta(const struct page_file *file, uint64_t txn, unsigned char out[static PAGES_META_BYTES]);
void pages_restore_meta(const struct page_file *file, int writable, uint64_t txn,
			const unsigned char saved[static PAGES_META_BYTES]);

/* --- reading one tree ---------------------------------------------------------------------- */

/* A page on the way from the root to a record. */
struct page_level {
	unsigned char *page;
	uint64_t number;
	unsigned index, count;     /* the current node, and how many there are         */
	struct bytes lower, upper; /* keys are >= lower and < upper; data NULL = any */
};

struct page_cursor {
	const struct page_file *file;
	struct page_tree tree;
	uint64_t last; /* of the roots */
	struct page_level level[PAGES_DEPTH_MAX];
	unsigned char *value; /* a copy of one that has pages of its own */
	struct err *err;
	bool damaged; /* err says how; nothing is found from then on */
};

/* file must outlive the cursor. */
void page_cursor_open(struct page_cursor *c, const struct page_file *file, const struct page_roots *roots,
		      const struct page_tree *tree, struct err *err);
void page_cursor_close(struct page_cursor *c);

/* True when the cursor is at a record, false at the end or when a page is damaged. */
bool page_cursor_first(struct page_cursor *c);
bool page_cursor_last(struct page_cursor *c);
bool page_cursor_next(struct page_cursor *c);
bool page_cursor_back(struct page_cursor *c);
/* The first record with this key or a later one. */
bool page_cursor_seek(struct page_cursor *c, struct bytes key);

/* The current record, valid until the cursor moves. */
struct bytes page_cursor_key(const struct page_cursor *c);
bool page_cursor_value(struct page_cursor *c, struct bytes *out);

/* Finds a table; false also when there is none, *damaged tells. */
bool pages_table(const struct page_file *file, const struct page_roots *roots, const char *name,
		 struct page_tree *out, bool *damaged, struct err *err);

/* --- checking the whole file ------------------------------------------------------------ */

struct pages_expected {
	const char *const *tables;
	unsigned count;
	unsigned may_miss;  /* number of tables, counted from the last, that may be absent */
	uint64_t most_read; /* leaves of one table that are read; of a larger one only the first and the last
			     */
};

/*
 * Every page is in one tree or in the list of free pages, at most once; every page that is
 * read has the right structure and its keys in order; and the recorded numbers of pages and records are
 * right. Branches are always read.
 */
bool pages_check(const struct page_file *file, const struct page_roots *roots,
		 const struct pages_expected *expected, struct err *err);

/* --- salvage --------------------------------------------------------------------------------- */

typedef void pages_visit(void *self, struct bytes key, struct bytes value);

/*
 * Visits every record of a table that can still be reached, and skips what is damaged. Values are not
 * checked beyond their bounds: the visitor verifies checksums. Returns the number of pages and records
 * skipped.
 */
uint64_t pages_salvage(int fd, const char *table, pages_visit *visit, void *self);

#endif
