/* SPDX-License-Identifier: MIT */
/*
 * pages.c - reads the pages of an LMDB file without trusting them
 *
 * A page is checked as a whole when it is read: its type and number, the bounds of every node, no gaps or
 * overlaps between nodes, the order of keys, and keys within the bounds given by the parent page. So
 * everything that is read from a checked page lies within the page.
 */
#include "pages.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pages_format.h"
#include "sched/base/vec.h"

#define META_MAGIC    UINT32_C(0xBEEFC0DE)
#define META_VERSION  1
#define META_READS    16
#define META_FLAGS    8 /* the flag for numeric keys of the list of free pages; Kahu uses no other flag */
#define PAGE_SIZE_MIN 512
#define PAGE_SIZE_MAX 32768
#define MAP_MAX       (UINT64_C(1) << 47)

/* --- reading the file ---------------------------------------------------------------------- */

static bool read_bytes(int fd, uint64_t at, void *out, size_t size)
{
	unsigned char *to = out;

	while (size > 0) {
		ssize_t got = pread(fd, to, size, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		at += (uint64_t)got;
		size -= (size_t)got;
	}
	return true;
}

bool pages_read_at(const struct page_file *file, uint64_t number, uint32_t offset, void *out, size_t size)
{
	return read_bytes(file->fd, number * file->page_size + offset, out, size);
}

bool page_fault(const struct page_cursor *c, uint64_t number, const char *what)
{
	return err_set(c->err, "page %llu of table %s: %s", (unsigned long long)number, c->tree.name, what);
}

/* --- trees and meta pages ------------------------------------------------------------------- */

bool tree_read(const unsigned char *at, uint16_t flags, uint64_t last, struct page_tree *out)
{
	uint64_t own;

	*out = (struct page_tree){.depth = u16_at(at + 6),
				  .branches = u64_at(at + 8),
				  .leaves = u64_at(at + 16),
				  .overflows = u64_at(at + 24),
				  .entries = u64_at(at + 32),
				  .root = u64_at(at + 40)};
	if (u16_at(at + 4) != flags)
		return false;
	if (out->root == PAGES_NONE)
		return out->depth == 0 && out->branches == 0 && out->leaves == 0 && out->overflows == 0 &&
		       out->entries == 0;
	if (out->branches > last || out->leaves > last || out->overflows > last)
		return false;
	own = out->branches + out->leaves + out->overflows;
	return out->depth > 0 && out->depth <= PAGES_DEPTH_MAX && out->root >= FIRST_PAGE &&
	       out->root <= last && out->leaves > 0 && own < last &&
	       (out->branches == 0) == (out->depth == 1) && out->entries >= out->leaves;
}

static bool meta_fault(unsigned slot, const char *what, struct err *err)
{
	return err_set(err, "meta page %u: %s", slot, what);
}

static bool is_sound(unsigned slot, const struct page_roots *roots, struct err *err)
{
	if (!roots->unsound)
		return true;
	return meta_fault(slot, "the description of a tree is invalid", err);
}

static bool check_roots(unsigned slot, const unsigned char *meta, uint32_t page_size, struct page_roots *out,
			struct err *err)
{
	uint64_t map = u64_at(meta + 32);

	out->unsound = false;
	out->last = u64_at(meta + 136);
	out->txn = u64_at(meta + 144);
	if (out->last < 1 || out->last > MAP_MAX / page_size)
		return meta_fault(slot, "its number of pages is invalid", err);
	if (map % page_size != 0 || map > MAP_MAX)
		return meta_fault(slot, "its map size is invalid", err);
	if (u64_at(meta + 24) != 0)
		return meta_fault(slot, "it requires a fixed address", err);
	if (!tree_read(meta + 40, META_FLAGS, out->last, &out->free) ||
	    !tree_read(meta + 88, 0, out->last, &out->tables) || u32_at(meta + 88) != 0)
		out->unsound = true;
	out->free.name = "of free pages";
	out->free.by_number = true;
	out->tables.name = "of tables";
	return true;
}

/* Reads a meta page until two reads return the same bytes, because a writer may be replacing it. */
static bool read_settled(const struct page_file *file, unsigned slot,
			 unsigned char meta[static PAGES_META_BYTES])
{
	unsigned char again[PAGES_META_BYTES];

	for (int i = 0; i < META_READS; i++)
		if (!pages_read_at(file, slot, 0, meta, PAGES_META_BYTES) ||
		    !pages_read_at(file, slot, 0, again, PAGES_META_BYTES))
			return false;
		else if (memcmp(meta, again, PAGES_META_BYTES) == 0)
			return true;
	return true;
}

static bool read_meta(const struct page_file *file, unsigned slot, struct page_roots *out, struct err *err)
{
	unsigned char meta[PAGES_META_BYTES];

	if (!read_settled(file, slot, meta))
		return meta_fault(slot, "it cannot be read", err);
	if (u16_at(meta + PAGE_FLAGS_AT) != PAGE_META || u64_at(meta) != slot ||
	    u32_at(meta + 16) != META_MAGIC)
		return meta_fault(slot, "it is not a meta page", err);
	if (u32_at(meta + 20) != META_VERSION)
		return meta_fault(slot, "it was written by an incompatible version of LMDB", err);
	if (u32_at(meta + 40) != file->page_size)
		return meta_fault(slot, "its page size differs from that of meta page 0", err);
	return check_roots(slot, meta, file->page_size, out, err);
}

/* Reads the page size from the first meta page. read_meta then finds the second meta page by this size, and
 * checks that it states the same size. */
static bool find_page_size(struct page_file *file, struct err *err)
{
	unsigned char meta[PAGES_META_BYTES];

	if (!read_bytes(file->fd, 0, meta, sizeof meta))
		return meta_fault(0, "it cannot be read", err);
	file->page_size = u32_at(meta + 40);
	if (file->page_size < PAGE_SIZE_MIN || file->page_size > PAGE_SIZE_MAX ||
	    (file->page_size & (file->page_size - 1)) != 0)
		return meta_fault(0, "its page size is invalid", err);
	return true;
}

/*
 * Tries to open a damaged file with this page size, which determines where the second meta page is. Returns
 * true if a meta page is valid; *out is then the newest valid state.
 */
static bool open_with_size(struct page_file *file, uint32_t page_size, struct page_roots *out)
{
	struct page_roots roots[2] = {{.txn = 0}, {.txn = 0}};
	bool good[2];

	file->page_size = page_size;
	for (unsigned slot = 0; slot < 2; slot++)
		good[slot] = read_meta(file, slot, &roots[slot], NULL) && !roots[slot].unsound;
	*out = roots[good[1] && (!good[0] || roots[1].txn > roots[0].txn)];
	return good[0] || good[1];
}

bool pages_open_damaged(struct page_file *file, int fd, struct page_roots *out)
{
	struct stat st;
	bool good = false;

	*file = (struct page_file){.fd = fd};
	if (fstat(fd, &st) < 0)
		return false;
	for (uint32_t size = PAGE_SIZE_MIN; size <= PAGE_SIZE_MAX && !good; size *= 2) {
		file->pages = (uint64_t)st.st_size / size;
		good = open_with_size(file, size, out);
	}
	return good;
}

bool pages_open(struct page_file *file, int fd, struct err *err)
{
	struct page_roots roots;
	struct stat st;

	*file = (struct page_file){.fd = fd};
	if (fstat(fd, &st) < 0)
		return err_set(err, "the file cannot be examined: %s", strerror(errno));
	if (!find_page_size(file, err))
		return false;
	file->pages = (uint64_t)st.st_size / file->page_size;
	return read_meta(file, 0, &roots, err) && read_meta(file, 1, &roots, err);
}

/*
 * Sets *out to the newest transaction that has a record in the list of free pages; 0 = none. Returns false if
 * a page is damaged.
 */
static bool newest_freed(const struct page_file *file, const struct page_roots *roots, uint64_t *out,
			 struct err *err)
{
	struct page_cursor c;
	bool good;

	*out = 0;
	page_cursor_open(&c, file, roots, &roots->free, err);
	if (page_cursor_last(&c))
		memcpy(out, page_cursor_key(&c).data, sizeof *out);
	good = !c.damaged;
	page_cursor_close(&c);
	return good;
}

/*
 * Transactions write the two meta pages alternately, so their transaction numbers are consecutive. If the
 * number of the newest state is damaged but still plausible, the older state can look like the newest one,
 * and accepting it would lose an acknowledged transaction. In this case the list of free pages of the newest
 * state contains a transaction that is later than the damaged number.
 *
 * If LMDB fails to write a meta page and the process dies before pages_restore_meta(), the page has the trees
 * of the failed commit, but the number and the last page of the state before the newest. LMDB never reads
 * that meta page again, and the next commit replaces it. The stored last page distinguishes this case from a
 * damaged number: a committed state never has fewer pages than the one before it, and all of its trees lie
 * within its pages. If the failed commit needed no more pages than the state before the newest, the two cases
 * look the same, and the file is reported as damaged.
 */
bool pages_newest(const struct page_file *file, struct page_roots *out, struct err *err)
{
	struct page_roots roots[2] = {{.txn = 0}, {.txn = 0}};
	uint64_t freed[2];
	unsigned newest;

	for (unsigned slot = 0; slot < 2; slot++)
		if (!read_meta(file, slot, &roots[slot], err))
			return false;
	newest = roots[1].txn > roots[0].txn;
	*out = roots[newest];
	if (roots[0].txn == 0 && roots[1].txn == 0)
		return true;
	if (roots[newest].txn % 2 != newest || roots[newest].txn - roots[!newest].txn != 1)
		return meta_fault(newest, "its transaction does not follow that of the other meta page", err);
	if (!is_sound(newest, &roots[newest], err))
		return false;
	for (unsigned slot = 0; slot < 2; slot++) {
		if (slot != newest && (roots[slot].unsound || roots[slot].last < roots[newest].last))
			continue;
		if (!newest_freed(file, &roots[slot], &freed[slot], err))
			return false;
		if (freed[slot] > roots[slot].txn)
			return meta_fault(slot, "pages were freed after its transaction", err);
	}
	return true;
}

bool pages_of_txn(const struct page_file *file, uint64_t txn, struct page_roots *out, bool *replaced,
		  struct err *err)
{
	*replaced = false;
	if (!read_meta(file, txn % 2, out, err) || !is_sound(txn % 2, out, err))
		return false;
	*replaced = out->txn != txn;
	return !*replaced;
}

bool pages_save_meta(const struct page_file *file, uint64_t txn, unsigned char out[static PAGES_META_BYTES])
{
	return pages_read_at(file, txn % 2, 0, out, PAGES_META_BYTES);
}

/* Does nothing if LMDB has not changed the page. If the disk fails, restoring the page may fail too; then the
 * page stays as LMDB left it. */
void pages_restore_meta(const struct page_file *file, int writable, uint64_t txn,
			const unsigned char saved[static PAGES_META_BYTES])
{
	unsigned char now[PAGES_META_BYTES];

	if (!pages_read_at(file, txn % 2, 0, now, sizeof now) || u64_at(now + 144) != u64_at(saved + 144) ||
	    memcmp(now, saved, sizeof now) == 0)
		return;
	if (pwrite(writable, saved, PAGES_META_BYTES, (off_t)(txn % 2 * file->page_size)) == PAGES_META_BYTES)
		(void)!fdatasync(writable);
}

/* --- nodes ----------------------------------------------------------------------------------- */

size_t node_bytes(const struct node *node, bool leaf)
{
	size_t value = node->flags & NODE_OVERFLOW ? sizeof(uint64_t) : node->size;

	return NODE_HEADER + node->key.size + (leaf ? value : 0);
}

bool node_read(const unsigned char *page, uint32_t page_size, unsigned index, bool leaf, struct node *out)
{
	size_t at = u16_at(page + PAGE_HEADER + 2 * (size_t)index), key_size;
	const unsigned char *node = page + at;

	if (at < PAGE_HEADER || at + NODE_HEADER > page_size)
		return false;
	key_size = u16_at(node + 6);
	*out = (struct node){.key = {node + NODE_HEADER, key_size}};
	if (leaf) {
		out->size = u32_at(node);
		out->flags = u16_at(node + 4);
		out->data = node + NODE_HEADER + key_size;
	} else {
		out->child = u32_at(node) | (uint64_t)u16_at(node + 4) << 32;
	}
	return key_size <= NODE_KEY_MAX && at + node_bytes(out, leaf) <= page_size;
}

int page_compare(const struct page_tree *tree, struct bytes a, struct bytes b)
{
	size_t shorter = a.size < b.size ? a.size : b.size;
	int order;

	if (tree->by_number && a.size == 8 && b.size == 8)
		return (u64_at(a.data) > u64_at(b.data)) - (u64_at(a.data) < u64_at(b.data));
	order = memcmp(a.data, b.data, shorter);
	return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* Marks which bytes of a page belong to a node, one bit for each pair of bytes. */
struct cover {
	uint64_t bits[PAGE_SIZE_MAX / 2 / 64];
	size_t bytes;
};

/* Marks the bytes of a node. Returns false if some of them already belong to another node. */
static bool cover_node(struct cover *cover, size_t at, size_t bytes)
{
	if (at % 2 != 0)
		return false;
	for (size_t pair = at / 2; pair < (at + bytes) / 2; pair++) {
		if (cover->bits[pair / 64] >> pair % 64 & 1)
			return false;
		cover->bits[pair / 64] |= UINT64_C(1) << pair % 64;
	}
	cover->bytes += bytes;
	return true;
}

/* Checks the flags and the sizes of a record on a leaf page. Returns what is wrong; NULL = nothing. */
static const char *leaf_fault(const struct page_cursor *c, const struct node *node)
{
	size_t most = (c->file->page_size - PAGE_HEADER) / 2 - 2; /* size of the largest node; it is even */

	if (node->flags != 0 && node->flags != NODE_OVERFLOW && node->flags != NODE_TREE)
		return "a record has invalid flags";
	if (node_bytes(node, true) > most)
		return "a record is too large for its page";
	if (node->flags == NODE_TREE && node->size != TREE_BYTES)
		return "the description of a table has the wrong size";
	if (c->tree.by_number && (node->key.size != 8 || node->size < 8 || node->size % 8 != 0))
		return "a record of free pages has an invalid size";
	return NULL;
}

static bool in_bounds(const struct page_cursor *c, const struct page_level *level, struct bytes key)
{
	return (!level->lower.data || page_compare(&c->tree, key, level->lower) >= 0) &&
	       (!level->upper.data || page_compare(&c->tree, key, level->upper) < 0);
}

static const char *node_fault(const struct page_cursor *c, const struct page_level *level, unsigned i,
			      bool leaf, struct node *node, struct bytes before)
{
	const char *fault = NULL;

	if (!node_read(level->page, c->file->page_size, i, leaf, node))
		return "a node reaches beyond the page";
	if (leaf && (fault = leaf_fault(c, node)) != NULL)
		return fault;
	if (!leaf && (node->child < FIRST_PAGE || node->child > c->last))
		return "a child page is outside the file";
	if (!leaf && i == 0)
		return NULL; /* the key of the first node of a branch page is not used */
	if (node->key.size == 0 || (c->tree.by_number && node->key.size != 8))
		return "a key has an invalid size";
	if (before.data && page_compare(&c->tree, before, node->key) >= 0)
		return "its keys are out of order";
	if (!in_bounds(c, level, node->key))
		return "a key does not belong on this page";
	return NULL;
}

static const char *nodes_fault(const struct page_cursor *c, const struct page_level *level, bool leaf,
			       size_t upper)
{
	struct cover cover;
	struct bytes before = {NULL, 0};

	memset(cover.bits, 0, c->file->page_size / 2 / 8);
	cover.bytes = 0;
	for (unsigned i = 0; i < level->count; i++) {
		struct node node;
		const char *fault = node_fault(c, level, i, leaf, &node, before);
		size_t at = u16_at(level->page + PAGE_HEADER + 2 * (size_t)i);

		if (fault)
			return fault;
		if (at < upper || !cover_node(&cover, at, (node_bytes(&node, leaf) + 1) & ~(size_t)1))
			return "its nodes overlap";
		if (leaf || i > 0)
			before = node.key;
	}
	return cover.bytes == c->file->page_size - upper ? NULL : "there is a gap between its nodes";
}

static const char *tree_page_fault(const struct page_cursor *c, struct page_level *level, bool leaf)
{
	size_t lower = u16_at(level->page + PAGE_LOWER_AT), upper = u16_at(level->page + PAGE_UPPER_AT);

	if (u64_at(level->page) != level->number)
		return "it has the number of another page";
	if (u16_at(level->page + PAGE_FLAGS_AT) != (leaf ? PAGE_LEAF : PAGE_BRANCH))
		return leaf ? "it is not a leaf page" : "it is not a branch page";
	if (lower < PAGE_HEADER || lower % 2 != 0 || lower > upper || upper > c->file->page_size)
		return "its bounds are invalid";
	level->count = (unsigned)(lower - PAGE_HEADER) / 2;
	if (level->count < (leaf || c->tree.by_number ? 1 : 2))
		return "it has too few nodes";
	return nodes_fault(c, level, leaf, upper);
}

bool page_load(const struct page_cursor *c, struct page_level *level, bool leaf)
{
	const char *fault;

	if (!level->page)
		level->page = mem_zero(1, c->file->page_size);
	if (level->number >= c->file->pages)
		return page_fault(c, level->number, "the file ends before it");
	if (!pages_read_at(c->file, level->number, 0, level->page, c->file->page_size))
		return page_fault(c, level->number, "it cannot be read");
	fault = tree_page_fault(c, level, leaf);
	if (!fault)
		return true;
	return page_fault(c, level->number, fault);
}

bool page_load_run(const struct page_cursor *c, uint64_t number, uint32_t size, uint64_t *run)
{
	unsigned char header[PAGE_HEADER];
	uint64_t needed = ((uint64_t)size + PAGE_HEADER - 1) / c->file->page_size + 1;

	if (number < FIRST_PAGE || number > c->last)
		return page_fault(c, number, "it is outside the file");
	if (!pages_read_at(c->file, number, 0, header, sizeof header))
		return page_fault(c, number, "it cannot be read");
	*run = u32_at(header + PAGE_RUN_AT);
	if (u64_at(header) != number || u16_at(header + PAGE_FLAGS_AT) != PAGE_OVERFLOW)
		return page_fault(c, number, "it is not an overflow page");
	if (*run < needed || *run > c->last + 1 - number)
		return page_fault(c, number, "its number of overflow pages is invalid");
	if (number + needed > c->file->pages)
		return page_fault(c, number, "the file ends before its last overflow page");
	return true;
}

/* --- cursors ------------------------------------------------------------------------------------ */

void page_cursor_open(struct page_cursor *c, const struct page_file *file, const struct page_roots *roots,
		      const struct page_tree *tree, struct err *err)
{
	*c = (struct page_cursor){.file = file, .tree = *tree, .last = roots->last, .err = err};
}

void page_cursor_close(struct page_cursor *c)
{
	for (unsigned i = 0; i < PAGES_DEPTH_MAX; i++)
		free(c->level[i].page);
	free(c->value);
	*c = (struct page_cursor){.file = NULL};
}

static struct node node_at(const struct page_cursor *c, const struct page_level *level, unsigned index,
			   bool leaf)
{
	struct node node = {.key = {"", 0}};

	if (level->page)
		(void)node_read(level->page, c->file->page_size, index, leaf, &node);
	return node;
}

/* Loads the child of the current node of a branch page. */
static bool descend(struct page_cursor *c, unsigned depth)
{
	const struct page_level *from = &c->level[depth];
	struct page_level *to = &c->level[depth + 1];
	struct node node = node_at(c, from, from->index, false);

	to->number = node.child;
	to->lower = from->index > 0 ? node.key : from->lower;
	to->upper =
		from->index + 1 < from->count ? node_at(c, from, from->index + 1, false).key : from->upper;
	c->damaged = !page_load(c, to, depth + 2 == c->tree.depth);
	return !c->damaged;
}

static bool load_root(struct page_cursor *c)
{
	c->level[0].number = c->tree.root;
	c->level[0].lower = c->level[0].upper = (struct bytes){NULL, 0};
	if (c->damaged || c->tree.root == PAGES_NONE || c->tree.depth == 0)
		return false;
	c->damaged = !page_load(c, &c->level[0], c->tree.depth == 1);
	return !c->damaged;
}

/*
 * Descends to a leaf from a level whose index is set. On the levels below, chooses the first node or, with
 * `last`, the last one.
 */
static bool to_edge(struct page_cursor *c, unsigned depth, bool last)
{
	for (; depth + 1 < c->tree.depth; depth++) {
		if (!descend(c, depth))
			return false;
		c->level[depth + 1].index = last ? c->level[depth + 1].count - 1 : 0;
	}
	return true;
}

bool page_cursor_first(struct page_cursor *c)
{
	if (!load_root(c))
		return false;
	c->level[0].index = 0;
	return to_edge(c, 0, false);
}

bool page_cursor_last(struct page_cursor *c)
{
	if (!load_root(c))
		return false;
	c->level[0].index = c->level[0].count - 1;
	return to_edge(c, 0, true);
}

bool page_cursor_next(struct page_cursor *c)
{
	for (unsigned depth = c->tree.depth; depth-- > 0;)
		if (c->level[depth].index + 1 < c->level[depth].count) {
			c->level[depth].index++;
			return to_edge(c, depth, false);
		}
	return false;
}

bool page_cursor_back(struct page_cursor *c)
{
	for (unsigned depth = c->tree.depth; depth-- > 0;)
		if (c->level[depth].index > 0) {
			c->level[depth].index--;
			return to_edge(c, depth, true);
		}
	return false;
}

/* On a leaf page, the number of nodes whose key is below the given key. On a branch page, the number of nodes
 * whose key is not above the given key; the first node always counts, because its key is not used. */
static unsigned count_before(const struct page_cursor *c, const struct page_level *level, bool leaf,
			     struct bytes key)
{
	unsigned low = leaf ? 0 : 1, high = level->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		int order = page_compare(&c->tree, node_at(c, level, middle, leaf).key, key);

		if (order < 0 || (!leaf && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool page_cursor_seek(struct page_cursor *c, struct bytes key)
{
	struct page_level *leaf;
	unsigned depth = 0;

	if (!load_root(c))
		return false;
	for (; depth + 1 < c->tree.depth; depth++) {
		c->level[depth].index = count_before(c, &c->level[depth], false, key) - 1;
		if (!descend(c, depth))
			return false;
	}
	leaf = &c->level[depth];
	leaf->index = count_before(c, leaf, true, key);
	if (leaf->index < leaf->count)
		return true;
	leaf->index = leaf->count - 1;
	return page_cursor_next(c);
}

static struct node current(const struct page_cursor *c)
{
	const struct page_level *leaf = &c->level[c->tree.depth - 1];

	return node_at(c, leaf, leaf->index, true);
}

struct bytes page_cursor_key(const struct page_cursor *c)
{
	return current(c).key;
}

bool page_cursor_value(struct page_cursor *c, struct bytes *out)
{
	struct node node = current(c);
	uint64_t number, run;

	*out = (struct bytes){node.data, node.size};
	if ((node.flags & NODE_OVERFLOW) == 0)
		return true;
	number = u64_at(node.data);
	c->damaged = !page_load_run(c, number, node.size, &run);
	if (c->damaged)
		return false;
	free(c->value);
	c->value = mem_zero(1, (size_t)node.size + 1);
	c->damaged = !pages_read_at(c->file, number, PAGE_HEADER, c->value, node.size);
	*out = (struct bytes){c->value, node.size};
	if (!c->damaged)
		return true;
	return page_fault(c, number, "it cannot be read");
}

bool pages_table(const struct page_file *file, const struct page_roots *roots, const char *name,
		 struct page_tree *out, bool *damaged, struct err *err)
{
	const struct bytes key = {name, strlen(name)};
	struct page_cursor c;
	struct node node;
	bool found;

	page_cursor_open(&c, file, roots, &roots->tables, err);
	found = page_cursor_seek(&c, key) && page_compare(&c.tree, page_cursor_key(&c), key) == 0;
	*damaged = c.damaged;
	if (found) {
		node = current(&c);
		found = node.flags == NODE_TREE && tree_read(node.data, 0, roots->last, out);
		*damaged = !found;
		if (!found)
			err_set(err, "the description of table %s is invalid", name);
		out->name = name;
	}
	page_cursor_close(&c);
	return found;
}
