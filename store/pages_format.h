/* SPDX-License-Identifier: MIT */
/*
 * pages_format.h - layout of LMDB's pages, for pages.c and pages_check.c
 *
 * Numbers are in the byte order of the machine and may be unaligned. A page begins with its number (8 bytes),
 * 2 unused bytes, flags (2), and the offsets of the end of the node table (2) and of the first node (2). On
 * the first of several overflow pages, the number of these pages (4) replaces the two offsets.
 */
#ifndef STORE_PAGES_FORMAT_H
#define STORE_PAGES_FORMAT_H

#include <string.h>

#include "pages.h"

enum page_format {
	PAGE_FLAGS_AT = 10,
	PAGE_LOWER_AT = 12,
	PAGE_UPPER_AT = 14,
	PAGE_RUN_AT = 12,
	PAGE_HEADER = 16,
	PAGE_BRANCH = 1,
	PAGE_LEAF = 2,
	PAGE_OVERFLOW = 4,
	PAGE_META = 8,
	NODE_HEADER = 8, /* bytes: size or child (4), flags or child (2), size of the key (2) */
	NODE_KEY_MAX = 511,
	NODE_OVERFLOW = 1,
	NODE_TREE = 2,
	TREE_BYTES = 48,
	FIRST_PAGE = 2, /* after the meta pages */
};

static inline uint16_t u16_at(const unsigned char *p)
{
	uint16_t number;

	memcpy(&number, p, sizeof number);
	return number;
}

static inline uint32_t u32_at(const unsigned char *p)
{
	uint32_t number;

	memcpy(&number, p, sizeof number);
	return number;
}

static inline uint64_t u64_at(const unsigned char *p)
{
	uint64_t number;

	memcpy(&number, p, sizeof number);
	return number;
}

/* A node within its page. */
struct node {
	struct bytes key;
	uint64_t child;            /* on branch pages: number of the child page */
	uint16_t flags;            /* on leaf pages */
	uint32_t size;             /* on leaf pages: size of the value */
	const unsigned char *data; /* the value, or the number of its first overflow page */
};

/* Returns the size of a node on its page in bytes, before rounding up to an even number. */
size_t node_bytes(const struct node *node, bool leaf);

/* Decodes a node. Returns false if it is not within the page. */
bool node_read(const unsigned char *page, uint32_t page_size, unsigned index, bool leaf, struct node *out);

/*
 * Reads page level->number and checks it as a page of the cursor's tree, with the bounds in level. The key of
 * the first node of a branch page is not used, so it is not checked. Returns false with an error if the page
 * is damaged.
 */
bool page_load(const struct page_cursor *c, struct page_level *level, bool leaf);

/*
 * Checks the header of the overflow pages that contain a value of size bytes, and sets *run to their number.
 */
bool page_load_run(const struct page_cursor *c, uint64_t number, uint32_t size, uint64_t *run);

/* Compares two keys in the order of a tree: <0, 0, >0. */
int page_compare(const struct page_tree *tree, struct bytes a, struct bytes b);

/* Decodes a tree's record; false if it is invalid. */
bool tree_read(const unsigned char *at, uint16_t flags, uint64_t last, struct page_tree *out);

bool pages_read_at(const struct page_file *file, uint64_t number, uint32_t offset, void *out, size_t size);

/*
 * Opens a damaged file for salvage and finds the newest state that has a valid meta page. Returns false if
 * there is none.
 */
bool pages_open_damaged(struct page_file *file, int fd, struct page_roots *out);

/* Sets err to "page N of table T: what" and returns false. */
bool page_fault(const struct page_cursor *c, uint64_t number, const char *what);

#endif
