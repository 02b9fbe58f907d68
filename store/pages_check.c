/* SPDX-License-Identifier: MIT */
/*
 * pages_check.c - checks all pages of an LMDB file, and salvages records from a damaged one
 *
 * Each page is claimed by the tree or the list of free pages that uses it. A page that is claimed twice
 * reveals a reference to a wrong page, even if the page is valid in itself: an old copy of a page, for
 * example, is also in the list of free pages.
 */
#include <stdlib.h>

#include "pages_format.h"
#include "sched/base/vec.h"

/* --- claims ---------------------------------------------------------------------------------- */

struct check {
	const struct page_file *file;
	const struct page_roots *roots;
	const struct pages_expected *expected;
	unsigned char *claimed; /* one bit per page */
	struct err *err;
};

static bool claim(const struct check *k, const struct page_cursor *c, uint64_t number)
{
	unsigned char bit = (unsigned char)(1 << number % 8);

	if (number < FIRST_PAGE || number > k->roots->last)
		return page_fault(c, number, "it is outside the file");
	if (k->claimed[number / 8] & bit)
		return page_fault(c, number, "it is used twice");
	k->claimed[number / 8] |= bit;
	return true;
}

/* --- one tree -------------------------------------------------------------------------------- */

struct tree_check {
	struct check *check;
	struct page_cursor c;
	struct page_tree seen; /* numbers of pages and records counted so far */
	bool whole;            /* read all leaf pages */
	bool (*record)(struct tree_check *t, const struct node *node);
	unsigned tables_expected; /* in the tree of tables: number of required tables found */
};

static bool check_value(struct tree_check *t, const struct node *node)
{
	uint64_t number, run;

	t->seen.entries++;
	if ((node->flags & NODE_OVERFLOW) != 0) {
		number = u64_at(node->data);
		if (!page_load_run(&t->c, number, node->size, &run))
			return false;
		t->seen.overflows += run;
		for (uint64_t i = 0; i < run; i++)
			if (!claim(t->check, &t->c, number + i))
				return false;
	}
	return t->record(t, node);
}

static bool check_leaf(struct tree_check *t, const struct page_level *level)
{
	for (unsigned i = 0; i < level->count; i++) {
		struct node node;

		(void)node_read(level->page, t->c.file->page_size, i, true, &node);
		if (!check_value(t, &node))
			return false;
	}
	return true;
}

/* Counts and claims a leaf page, which must be within the file. Does not read the page. */
static bool claim_leaf(struct tree_check *t, uint64_t number)
{
	t->seen.leaves++;
	if (!claim(t->check, &t->c, number))
		return false;
	if (number < t->c.file->pages)
		return true;
	return page_fault(&t->c, number, "the file ends before it");
}

static void set_child(const struct page_cursor *c, unsigned depth, unsigned i, struct page_level *child)
{
	const struct page_level *level = &c->level[depth];
	struct node node, next;

	(void)node_read(level->page, c->file->page_size, i, false, &node);
	child->number = node.child;
	child->lower = i > 0 ? node.key : level->lower;
	child->upper = level->upper;
	if (i + 1 < level->count) {
		(void)node_read(level->page, c->file->page_size, i + 1, false, &next);
		child->upper = next.key;
	}
}

/* Checks a branch page and all pages below it. first, last: the page is at the beginning or end of its level.
 * If the tree is not read completely, only its first and its last leaf page are read. */
static bool check_branch(struct tree_check *t, unsigned depth, bool first, bool last)
{
	struct page_level *child = &t->c.level[depth + 1];
	bool above_leaves = depth + 2 == t->c.tree.depth;
	unsigned count = t->c.level[depth].count;

	t->seen.branches++;
	for (unsigned i = 0; i < count; i++) {
		bool is_first = first && i == 0, is_last = last && i + 1 == count;

		set_child(&t->c, depth, i, child);
		if (above_leaves && !t->whole && !is_first && !is_last) {
			if (!claim_leaf(t, child->number))
				return false;
			continue;
		}
		if (!page_load(&t->c, child, above_leaves))
			return false;
		if (above_leaves ? !claim_leaf(t, child->number) || !check_leaf(t, child)
				 : !claim(t->check, &t->c, child->number) ||
					   !check_branch(t, depth + 1, is_first, is_last))
			return false;
	}
	return true;
}

static bool check_pages(struct tree_check *t)
{
	struct page_level *root = &t->c.level[0];

	if (t->c.tree.root == PAGES_NONE)
		return true;
	root->number = t->c.tree.root;
	if (!page_load(&t->c, root, t->c.tree.depth == 1))
		return false;
	if (t->c.tree.depth == 1)
		return claim_leaf(t, root->number) && check_leaf(t, root);
	return claim(t->check, &t->c, root->number) && check_branch(t, 0, true, true);
}

static bool check_counts(const struct tree_check *t)
{
	const struct page_tree *is = &t->seen, *should = &t->c.tree;

	return (is->branches == should->branches && is->leaves == should->leaves &&
		(!t->whole || (is->overflows == should->overflows && is->entries == should->entries))) ||
	       err_set(t->check->err, "table %s: the recorded numbers of pages and records are wrong",
		       should->name);
}

static bool check_tree(struct check *k, const struct page_tree *tree, bool whole, struct tree_check *t)
{
	bool good;

	t->check = k;
	t->whole = whole;
	page_cursor_open(&t->c, k->file, k->roots, tree, k->err);
	good = check_pages(t) && check_counts(t);
	page_cursor_close(&t->c);
	return good;
}

/* --- the trees of a file --------------------------------------------------------------------- */

/* Claims the pages of a list of free pages. The list begins with the number of pages, followed by the page
 * numbers in descending order; there may be unused bytes after them. */
static bool claim_list(struct tree_check *t, const unsigned char *list, uint64_t size, uint64_t transaction)
{
	uint64_t count = u64_at(list), before = UINT64_MAX;

	if (count > size / 8 - 1 || transaction > t->check->roots->txn || transaction == 0)
		return err_set(t->check->err, "the list of free pages of transaction %llu is invalid",
			       (unsigned long long)transaction);
	for (uint64_t i = 1; i <= count; i++) {
		uint64_t number = u64_at(list + 8 * i);

		if (number >= before)
			return page_fault(&t->c, number, "it is out of order in the list of free pages");
		before = number;
		if (!claim(t->check, &t->c, number))
			return false;
	}
	return true;
}

static bool check_free(struct tree_check *t, const struct node *node)
{
	uint64_t transaction = u64_at(node->key.data), first;
	unsigned char *list;
	bool good;

	if ((node->flags & NODE_OVERFLOW) == 0)
		return node->flags == 0 ? claim_list(t, node->data, node->size, transaction)
					: err_set(t->check->err, "a list of free pages is a table");
	first = u64_at(node->data);
	list = mem_zero(1, node->size);
	good = pages_read_at(t->c.file, first, PAGE_HEADER, list, node->size)
		       ? claim_list(t, list, node->size, transaction)
		       : page_fault(&t->c, first, "it cannot be read");
	free(list);
	return good;
}

static bool check_record(struct tree_check *t, const struct node *node)
{
	return node->flags != NODE_TREE ||
	       err_set(t->check->err, "table %s contains a table", t->c.tree.name);
}

static bool check_table(struct tree_check *t, const struct node *node)
{
	const struct pages_expected *expected = t->check->expected;
	struct tree_check inner = {.record = check_record};
	struct page_tree tree;

	if (node->flags != NODE_TREE)
		return err_set(t->check->err, "there is a record in place of a table");
	for (unsigned i = 0; i < expected->count; i++) {
		const struct bytes name = {expected->tables[i], strlen(expected->tables[i])};

		if (page_compare(&t->c.tree, name, node->key) != 0)
			continue;
		t->tables_expected += i + expected->may_miss < expected->count;
		if (!tree_read(node->data, 0, t->check->roots->last, &tree))
			return err_set(t->check->err, "the description of table %s is invalid",
				       expected->tables[i]);
		tree.name = expected->tables[i];
		return check_tree(t->check, &tree, tree.leaves <= expected->most_read, &inner);
	}
	return err_set(t->check->err, "it has a table that this program does not know");
}

static bool check_all(struct check *k)
{
	struct tree_check free_pages = {.record = check_free}, tables = {.record = check_table};
	const struct pages_expected *expected = k->expected;

	if (!check_tree(k, &k->roots->free, true, &free_pages) ||
	    !check_tree(k, &k->roots->tables, true, &tables))
		return false;
	return tables.seen.entries == 0 || tables.tables_expected == expected->count - expected->may_miss ||
	       err_set(k->err, "a table is missing");
}

/* Maximum number of bytes that may be missing at the end of the file, where pages are free. */
#define MISSING_MAX (UINT64_C(64) << 20)

bool pages_check(const struct page_file *file, const struct page_roots *roots,
		 const struct pages_expected *expected, struct err *err)
{
	struct check k = {.file = file, .roots = roots, .expected = expected, .err = err};
	bool good;

	if (roots->last >= file->pages + MISSING_MAX / file->page_size)
		return err_set(err, "the file has %llu pages and should have %llu",
			       (unsigned long long)file->pages, (unsigned long long)roots->last + 1);
	k.claimed = mem_zero(1, roots->last / 8 + 1);
	good = check_all(&k);
	free(k.claimed);
	return good;
}

/* --- salvage ------------------------------------------------------------------------------------ */

struct salvage {
	struct page_cursor c;
	unsigned char *seen;
	struct err err;
	uint64_t skipped;
	pages_visit *visit;
	void *self;
};

static bool is_new(struct salvage *s, uint64_t number)
{
	unsigned char bit = (unsigned char)(1 << number % 8);
	bool fresh = (s->seen[number / 8] & bit) == 0;

	s->seen[number / 8] |= bit;
	return fresh;
}

static void salvage_record(struct salvage *s, const struct node *node)
{
	uint64_t number, run;
	unsigned char *value;

	if ((node->flags & NODE_OVERFLOW) == 0) {
		s->visit(s->self, node->key, (struct bytes){node->data, node->size});
		return;
	}
	number = u64_at(node->data);
	if (!page_load_run(&s->c, number, node->size, &run)) {
		s->skipped++;
		return;
	}
	value = mem_zero(1, (size_t)node->size + 1);
	if (pages_read_at(s->c.file, number, PAGE_HEADER, value, node->size))
		s->visit(s->self, node->key, (struct bytes){value, node->size});
	else
		s->skipped++;
	free(value);
}

/*
 * Reads a page and returns the number of its nodes; 0, and the page counts as skipped, if its header is not
 * plausible.
 */
static unsigned salvage_page(struct salvage *s, uint64_t number, bool leaf, unsigned char *page)
{
	uint32_t page_size = s->c.file->page_size;
	unsigned lower;

	if (number < FIRST_PAGE || number >= s->c.file->pages || !is_new(s, number) ||
	    !pages_read_at(s->c.file, number, 0, page, page_size) || u64_at(page) != number ||
	    u16_at(page + PAGE_FLAGS_AT) != (leaf ? PAGE_LEAF : PAGE_BRANCH)) {
		s->skipped++;
		return 0;
	}
	lower = u16_at(page + PAGE_LOWER_AT);
	if (lower >= PAGE_HEADER && lower <= page_size)
		return (lower - PAGE_HEADER) / 2;
	s->skipped++;
	return 0;
}

static void salvage_tree(struct salvage *s, uint64_t number, unsigned depth)
{
	bool leaf = depth + 1 >= s->c.tree.depth;
	unsigned char *page = mem_zero(1, s->c.file->page_size);
	unsigned count = salvage_page(s, number, leaf, page);

	for (unsigned i = 0; i < count; i++) {
		struct node node;

		if (!node_read(page, s->c.file->page_size, i, leaf, &node))
			s->skipped++;
		else if (leaf)
			salvage_record(s, &node);
		else
			salvage_tree(s, node.child, depth + 1);
	}
	free(page);
}

static void salvage_from(struct salvage *s, const struct page_file *file, const struct page_roots *roots,
			 const struct page_tree *tree)
{
	page_cursor_open(&s->c, file, roots, tree, &s->err);
	s->seen = mem_zero(1, file->pages / 8 + 1);
	if (tree->root != PAGES_NONE)
		salvage_tree(s, tree->root, 0);
	free(s->seen);
	page_cursor_close(&s->c);
}

struct find_table {
	const char *name;
	uint64_t last;
	struct page_tree tree;
	bool found, damaged;
};

static void find_table(void *self, struct bytes key, struct bytes value)
{
	struct find_table *find = self;

	if (key.size != strlen(find->name) || memcmp(key.data, find->name, key.size) != 0)
		return;
	find->found = value.size == TREE_BYTES && tree_read(value.data, 0, find->last, &find->tree);
	find->damaged = !find->found;
}

uint64_t pages_salvage(int fd, const char *table, pages_visit *visit, void *self)
{
	struct page_roots roots;
	struct page_file file;
	struct find_table find = {.name = table};
	struct salvage tables = {.visit = find_table, .self = &find},
		       records = {.visit = visit, .self = self};

	if (!pages_open_damaged(&file, fd, &roots))
		return 1;
	find.last = roots.last;
	salvage_from(&tables, &file, &roots, &roots.tables);
	if (!find.found)
		return tables.skipped + find.damaged;
	find.tree.name = table;
	salvage_from(&records, &file, &roots, &find.tree);
	return records.skipped;
}
