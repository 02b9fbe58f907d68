/* SPDX-License-Identifier: MIT */
/*
 * history.c - history of ended jobs
 *
 * Records are read in transactions of at most a few thousand records each, so that reading a long history
 * neither makes the file grow nor delays commits that grow the map. Whether a job matches a filter is
 * determined from its key and from two fields at fixed offsets, before its record is checked and decoded, so
 * a user with many ended jobs does not slow down queries for the jobs of other users.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "sched/base/vec.h"

#define PIECE       4096  /* maximum number of records decoded in one read transaction */
#define PIECE_LOOKS 65536 /* maximum number of records examined in one read transaction */

struct piece {
	const struct history_filter *filter;
	struct history_walk *walk;
	struct key from; /* where the next transaction continues */
	bool from_end;   /* begin at the last job of the history, and ignore `from` */
	history_visit *visit;
	void *self;
	bool more; /* there may be more jobs after this piece */
	struct codec_scratch scratch;
};

/* --- filter ------------------------------------------------------------------- */

static struct history_place place_of(struct bytes key)
{
	return (struct history_place){moment_of_key(key), key_second(key)};
}

static bool is_before(const struct history_place *a, const struct history_place *b)
{
	return a->end_s != b->end_s ? a->end_s < b->end_s : a->job < b->job;
}

static bool is_behind_end(const struct history_filter *filter, const struct history_place *at)
{
	if (filter->backward)
		return !is_before(&filter->after, at);
	return filter->before.job != 0 && !is_before(at, &filter->before);
}

static bool has_id(const struct history_filter *filter, uint64_t job)
{
	for (uint32_t i = 0; i < filter->id_count; i++)
		if (job <= filter->id[i].last)
			return job >= filter->id[i].first;
	return filter->id_count == 0;
}

/* Does the job match the filter? A damaged record in which the two fields cannot be found also matches, so
 * that decoding it reports the damage. */
static bool matches(const struct history_filter *filter, const struct db_cursor *c)
{
	struct ended_summary summary;

	if (!has_id(filter, key_second(c->key)))
		return false;
	if ((!filter->ran && filter->user == NULL) || !get_ended_summary(c->value, &summary))
		return true;
	if (filter->ran && summary.start_s == TIME_NONE)
		return false;
	return filter->user == NULL || (summary.user != NULL && strcmp(summary.user, filter->user) == 0);
}

static int by_first(const void *a, const void *b)
{
	const struct history_ids *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Merges neighbouring ranges if at most `narrow` IDs lie between them; ids must be sorted. Moves the
 * remaining ranges to the front of ids and returns their number. */
static size_t join_ranges(struct history_ids *ids, size_t count, uint64_t narrow)
{
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		if (ids[i].first <= ids[kept].last || ids[i].first - ids[kept].last <= narrow)
			ids[kept].last = ids[i].last > ids[kept].last ? ids[i].last : ids[kept].last;
		else
			ids[++kept] = ids[i];
	}
	return count == 0 ? 0 : kept + 1;
}

void history_filter_ids(struct history_filter *filter, struct history_ids *ids, size_t count)
{
	uint64_t *gap;

	if (count > 0)
		qsort(ids, count, sizeof *ids, by_first);
	count = join_ranges(ids, count, 1);
	if (count > HISTORY_IDS_MAX) {
		gap = mem_zero(count, sizeof *gap);
		for (size_t i = 1; i < count; i++)
			gap[i - 1] = ids[i].first - ids[i - 1].last;
		qsort(gap, count - 1, sizeof *gap, by_size);
		count = join_ranges(ids, count, gap[count - 1 - HISTORY_IDS_MAX]);
		free(gap);
	}
	for (size_t i = 0; i < count; i++)
		filter->id[i] = ids[i];
	filter->id_count = (uint32_t)count;
}

/* --- traversal ------------------------------------------------------------------------------------- */

/* Decodes a record and passes it to the visitor. Returns false if the traversal ends, because the visitor
 * stops it or the record is damaged. */
static bool visit_record(struct db_txn *txn, struct piece *p, const struct db_cursor *c)
{
	struct key key = key_copy(c->key);
	struct bytes value = c->value;
	struct ended_job ended;

	if (!get_ended(&value, &key, &ended, &p->scratch, db_err(txn))) {
		err_prefix(db_err(txn), "table history, job %llu", (unsigned long long)key_second(c->key));
		db_fail(txn);
		return false;
	}
	p->walk->read++;
	return p->visit(p->self, &ended);
}

static bool look_at(struct db_txn *txn, struct piece *p, const struct db_cursor *c)
{
	struct history_walk *walk = p->walk;
	struct history_place at = place_of(c->key);

	if (is_behind_end(p->filter, &at))
		return false;
	walk->at = at;
	walk->looked++;
	if (matches(p->filter, c) && !visit_record(txn, p, c)) {
		walk->more = true;
		return false;
	}
	walk->more = walk->most > 0 && walk->looked >= walk->most;
	return !walk->more;
}

static void set_next(struct piece *p)
{
	const struct history_place *at = &p->walk->at;

	p->from_end = false;
	p->more = at->job != (p->filter->backward ? 0 : UINT64_MAX); /* no job has ID 0 or UINT64_MAX */
	p->from = p->filter->backward ? key_history(at->end_s, at->job - 1)
				      : key_history(at->end_s, at->job + 1);
}

static void visit_piece(struct db_txn *txn, void *self)
{
	struct piece *p = self;
	uint64_t looked = p->walk->looked, read = p->walk->read;
	struct key first = p->from;
	struct bytes from = key_bytes(&first);
	struct db_cursor c =
		db_walk(txn, DB_HISTORY, p->from_end ? NULL : &from, p->filter->backward ? DB_DOWN : DB_UP);

	p->more = false;
	while (db_next(&c)) {
		if (!look_at(txn, p, &c))
			break;
		if (p->walk->looked - looked == PIECE_LOOKS || p->walk->read - read == PIECE) {
			set_next(p);
			break;
		}
	}
	db_stop(&c);
}

bool store_history_find(struct store *s, const struct history_filter *filter, struct history_walk *walk,
			history_visit *visit, void *self, struct err *err)
{
	struct piece p = {.filter = filter,
			  .walk = walk,
			  .from_end = filter->backward && filter->before.job == 0,
			  .from = filter->backward ? key_history(filter->before.end_s, filter->before.job - 1)
						   : key_history(filter->after.end_s, filter->after.job + 1),
			  .visit = visit,
			  .self = self,
			  .more = true};
	bool ok = true;

	*walk = (struct history_walk){.most = walk->most};
	if (filter->after.job == 0 && !filter->backward)
		p.from = key_history(filter->after.end_s, 0);
	while (ok && p.more)
		ok = db_read(s->db, visit_piece, &p, err);
	codec_scratch_free(&p.scratch);
	return ok || err_prefix(err, "the store %s cannot be read", s->dir);
}

bool store_history(struct store *s, int64_t since_s, history_visit *visit, void *self, struct err *err)
{
	const struct history_filter filter = {.after = {.end_s = since_s}};
	struct history_walk walk = {.most = 0};

	return store_history_find(s, &filter, &walk, visit, self, err);
}

static void read_pruned(struct db_txn *txn, void *self)
{
	struct pruned pruned;

	if (prune_read(txn, &pruned))
		*(int64_t *)self = pruned.history_s;
}

bool store_history_pruned(struct store *s, int64_t *end_s, struct err *err)
{
	*end_s = TIME_NONE;
	return db_read(s->db, read_pruned, end_s, err) ||
	       err_prefix(err, "the store %s cannot be read", s->dir);
}

/* --- one job ----------------------------------------------------------------------------------- */

struct one {
	struct key key;
	struct piece *piece;
};

static void visit_one(struct db_txn *txn, void *self)
{
	struct one *one = self;
	struct ended_job ended;
	struct bytes value;

	if (!db_get(txn, DB_HISTORY, key_bytes(&one->key), &value))
		return;
	if (get_ended(&value, &one->key, &ended, &one->piece->scratch, db_err(txn)))
		one->piece->visit(one->piece->self, &ended);
	else
		db_fail(txn);
}

bool store_ended_job(struct store *s, int64_t end_s, uint64_t job, history_visit *visit, void *self,
		     struct err *err)
{
	struct piece p = {.visit = visit, .self = self};
	struct one one = {key_history(end_s, job), &p};
	bool ok = db_read(s->db, visit_one, &one, err);

	codec_scratch_free(&p.scratch);
	return ok || err_prefix(err, "the store %s cannot be read", s->dir);
}
