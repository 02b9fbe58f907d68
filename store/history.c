/* SPDX-License-Identifier: MIT */
/*
 * history.c - which jobs have ended, and how?
 *
 * Records are visited where they lie in the file, some thousand in one read transaction, so
 * that a long history neither makes the file grow nor keeps a commit from growing it.
 */
#include "inside.h"

#define PIECE 4096

struct piece {
	struct key from; /* the first record wanted */
	history_visit *visit;
	void *self;
	bool more; /* there may be others behind this piece */
	struct codec_scratch scratch;
};

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
	p->from = key_history(ended.end_s, ended.record.job.id + 1);
	return p->visit(p->self, &ended);
}

static void visit_piece(struct db_txn *txn, void *self)
{
	struct piece *p = self;
	struct key first = p->from;
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_HISTORY, &from, DB_UP);
	unsigned seen = 0;

	while (seen < PIECE && db_next(&c)) {
		if (!visit_record(txn, p, &c))
			break;
		seen++;
	}
	db_stop(&c);
	p->more = seen == PIECE;
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

bool store_history(struct store *s, int64_t since_s, history_visit *visit, void *self, struct err *err)
{
	struct piece p = {.from = key_history(since_s, 0), .visit = visit, .self = self, .more = true};
	bool ok = true;

	while (ok && p.more)
		ok = db_read(s->db, visit_piece, &p, err);
	codec_scratch_free(&p.scratch);
	return ok || err_prefix(err, "the store %s cannot be read", s->dir);
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
