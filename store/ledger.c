/* SPDX-License-Identifier: MIT */
/*
 * ledger.c - how does one step of the scheduler become durable, and the state come back?
 *
 * A step is one write transaction: its events at the end of the journal, and the records
 * of all that they touched as it is after the last of them. What an event touches follows
 * from its kind, so nothing is compared but the few changes of operators.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "sched/base/vec.h"

struct commit {
	const struct ledger_step *step;
	struct str bytes; /* the record at hand */
	struct codec_scratch scratch;
	struct touched {
		uint64_t id;
		uint32_t slot; /* INDEX_NONE: the job has ended */
	} * job;               /* touched by the step, by id, each once */
	size_t job_count, job_room;
};

/* --- which jobs does the step touch, and where are they? ------------------------------- */

static void touch(struct commit *c, uint64_t id)
{
	if (id == 0)
		return;
	c->job = vec_room(c->job, &c->job_room, c->job_count + 1, sizeof *c->job);
	c->job[c->job_count++] = (struct touched){.id = id, .slot = INDEX_NONE};
}

static void touch_jobs(struct commit *c, const struct event *ev)
{
	const struct change *change;

	switch (ev->kind) {
	case EVENT_UNDO:
		change = state_find_change(c->step->after, ev->seq);
		touch(c, change ? change->job : 0);
		break;
	case EVENT_BYPASS:
		for (uint32_t i = 0; i < ev->bypass.count; i++)
			touch(c, ev->bypass.item[i].job);
		break;
	default:
		touch(c, ev->job);
		break;
	}
}

static int by_id(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void list_touched(struct commit *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->step->event_count; i++)
		touch_jobs(c, &c->step->event[i]);
	if (c->job_count == 0)
		return;
	qsort(c->job, c->job_count, sizeof *c->job, by_id);
	for (size_t i = 1; i < c->job_count; i++)
		if (c->job[i].id != c->job[kept].id)
			c->job[++kept] = c->job[i];
	c->job_count = kept + 1;
}

/* One sweep over the slots for all of them; a mark for each low part of an id turns most slots away. */
#define SIEVE 4096

static void find_slots(struct commit *c)
{
	const struct job *job = snapshot_jobs(c->step->after);
	uint32_t count = snapshot_count(c->step->after, TABLE_JOBS);
	size_t missing = c->job_count;
	bool sieve[SIEVE] = {false};

	for (size_t i = 0; i < c->job_count; i++)
		sieve[c->job[i].id % SIEVE] = true;
	for (uint32_t slot = 0; slot < count && missing > 0; slot++) {
		struct touched *found, wanted = {.id = job[slot].id};

		if (!sieve[wanted.id % SIEVE] || job[slot].state == JOB_NONE)
			continue;
		found = bsearch(&wanted, c->job, c->job_count, sizeof *c->job, by_id);
		if (found) {
			found->slot = slot;
			missing--;
		}
	}
}

/* --- the tables -------------------------------------------------------------------------- */

static void put_record(struct db_txn *txn, enum db_table table, const struct key *key, struct str *bytes)
{
	db_put(txn, table, key_bytes(key), (struct bytes){bytes->data, bytes->len});
	str_clear(bytes);
}

static void put_events(struct db_txn *txn, struct commit *c)
{
	for (size_t i = 0; i < c->step->event_count; i++) {
		struct key key = key_number(c->step->event[i].seq);

		put_event(&c->bytes, &key, &c->step->event[i]);
		db_append(txn, DB_EVENT, key_bytes(&key), (struct bytes){c->bytes.data, c->bytes.len});
		str_clear(&c->bytes);
	}
}

static void put_jobs(struct db_txn *txn, struct commit *c)
{
	for (size_t i = 0; i < c->job_count; i++) {
		struct key key = key_number(c->job[i].id);

		if (c->job[i].slot == INDEX_NONE) {
			db_delete(txn, DB_JOB, key_bytes(&key));
			continue;
		}
		struct job_record job = job_of(c->step->after, c->job[i].slot, &c->scratch);
		put_job(&c->bytes, &key, &job);
		put_record(txn, DB_JOB, &key, &c->bytes);
	}
}

static void put_history(struct db_txn *txn, struct commit *c)
{
	for (size_t i = 0; i < c->step->ended_count; i++) {
		const struct ended_job *ended = &c->step->ended[i];
		struct key key = key_history(ended->end_s, ended->record.job.id);

		put_ended(&c->bytes, &key, ended);
		put_record(txn, DB_HISTORY, &key, &c->bytes);
	}
}

static bool has_event(const struct ledger_step *step, const enum event_kind *kind, size_t kinds)
{
	for (size_t i = 0; i < step->event_count; i++)
		for (size_t k = 0; k < kinds; k++)
			if (step->event[i].kind == kind[k])
				return true;
	return false;
}

static void put_machine(struct db_txn *txn, struct commit *c)
{
	static const enum event_kind touching[] = {EVENT_CONFIG, EVENT_NODE};
	const struct snapshot *s = c->step->after;
	struct config_text config = config_of(s);
	struct key key = key_word(META_CONFIG);

	if (!has_event(c->step, touching, 2))
		return;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		struct key index = key_number(i);
		struct node_record node = node_of(s, i);

		put_node(&c->bytes, &index, &node);
		put_record(txn, DB_NODE, &index, &c->bytes);
	}
	if (has_event(c->step, touching, 1)) {
		put_config(&c->bytes, &key, &config);
		put_record(txn, DB_META, &key, &c->bytes);
	}
}

/* Changes of jobs that have ended are gone from the state. */
static void drop_changes(struct db_txn *txn, const struct snapshot *s)
{
	uint64_t *seq = NULL;
	size_t count = 0, room = 0;
	struct db_cursor c = db_walk(txn, DB_CHANGE, NULL, DB_UP);

	while (db_next(&c)) {
		if (state_find_change(s, key_first(c.key)))
			continue;
		seq = vec_room(seq, &room, count + 1, sizeof *seq);
		seq[count++] = key_first(c.key);
	}
	db_stop(&c);
	for (size_t i = 0; i < count; i++) {
		struct key key = key_number(seq[i]);

		db_delete(txn, DB_CHANGE, key_bytes(&key));
	}
	free(seq);
}

/* An undo turns older changes dead or alive: those that differ are written again. */
static void put_changes(struct db_txn *txn, struct commit *c)
{
	static const enum event_kind touching[] = {EVENT_HOLD, EVENT_PRIORITY, EVENT_SETTING, EVENT_UNDO};
	const struct snapshot *s = c->step->after;
	uint32_t count = snapshot_count(s, TABLE_CHANGES);
	struct bytes old;

	if (!has_event(c->step, touching, 4) && db_count(txn, DB_CHANGE) == count)
		return;
	drop_changes(txn, s);
	for (uint32_t i = 0; i < count; i++) {
		struct change_record change = change_of(s, i);
		struct key key = key_number(change.change.seq);

		put_change(&c->bytes, &key, &change);
		if (!db_get(txn, DB_CHANGE, key_bytes(&key), &old) || old.size != c->bytes.len ||
		    memcmp(old.data, c->bytes.data, old.size) != 0)
			put_record(txn, DB_CHANGE, &key, &c->bytes);
		str_clear(&c->bytes);
	}
}

/* --- the whole step ------------------------------------------------------------------------ */

static bool refuse(struct db_txn *txn, const char *what, uint64_t is, uint64_t should)
{
	err_set(db_err(txn), "the step does not fit the store: %s is %llu and should be %llu", what,
		(unsigned long long)is, (unsigned long long)should);
	db_fail(txn);
	return false;
}

/* The journal must go on where it ended, without a gap, up to the state that is kept. */
static bool continues(struct db_txn *txn, const struct ledger_step *step, uint64_t last)
{
	for (size_t i = 0; i < step->event_count; i++)
		if (step->event[i].seq != last + 1 + i)
			return refuse(txn, "an entry", step->event[i].seq, last + 1 + i);
	return step->after->seq == last + step->event_count ||
	       refuse(txn, "the last entry of the state", step->after->seq, last + step->event_count);
}

static bool last_seq(struct db_txn *txn, uint64_t *out)
{
	struct key key = key_word(META_COUNTERS);
	struct bytes value;
	struct tally tally = {.nodes = 0};

	if (db_get(txn, DB_META, key_bytes(&key), &value) && !get_tally(&value, &key, &tally, db_err(txn)))
		db_fail(txn);
	*out = tally.counters.seq;
	return db_good(txn);
}

/* Every table must have as many records as the state has things: else something was not named by an event. */
static void put_counters(struct db_txn *txn, struct commit *c)
{
	struct tally tally = tally_of(c->step->after);
	struct key key = key_word(META_COUNTERS);
	uint64_t jobs = db_count(txn, DB_JOB), nodes = db_count(txn, DB_NODE);

	if (!db_good(txn) ||
	    (jobs != tally.jobs && !refuse(txn, "the number of jobs kept", jobs, tally.jobs)) ||
	    (nodes != tally.nodes && !refuse(txn, "the number of nodes kept", nodes, tally.nodes)))
		return;
	tally.ended = db_count(txn, DB_HISTORY);
	put_tally(&c->bytes, &key, &tally);
	put_record(txn, DB_META, &key, &c->bytes);
}

static void commit_work(struct db_txn *txn, void *self)
{
	struct commit *c = self;
	const struct ledger_step *step = c->step;
	uint64_t last;

	str_clear(&c->bytes);
	if (!last_seq(txn, &last) || !continues(txn, step, last))
		return;
	put_events(txn, c);
	put_jobs(txn, c);
	put_history(txn, c);
	put_machine(txn, c);
	put_changes(txn, c);
	put_counters(txn, c);
	if (step->after->seq / STORE_CHECKPOINT_EVENTS > last / STORE_CHECKPOINT_EVENTS)
		checkpoint_put(txn, step->after);
}

static bool ledger_commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct store *s = self;
	struct commit c = {.step = step};
	bool good;

	if (step->event_count == 0)
		return true;
	list_touched(&c);
	find_slots(&c);
	good = db_write(s->db, commit_work, &c, err);
	str_free(&c.bytes);
	codec_scratch_free(&c.scratch);
	free(c.job);
	return good;
}

/* --- load ---------------------------------------------------------------------------------- */

static void load_work(struct db_txn *txn, void *self)
{
	struct tally tally;

	restore_latest(txn, self, &tally);
}

static bool ledger_load(void *self, struct state *st, struct err *err)
{
	struct store *s = self;

	return db_read(s->db, load_work, st, err) || err_prefix(err, "the store %s cannot be loaded", s->dir);
}

struct ledger store_ledger(struct store *s)
{
	static const struct ledger_ops ops = {.load = ledger_load, .commit = ledger_commit};

	return (struct ledger){.ops = &ops, .self = s};
}
