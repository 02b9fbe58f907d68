/* SPDX-License-Identifier: MIT */
/*
 * prune.c - removal of old journal entries, checkpoints and ended jobs
 *
 * Each commit removes only a few records, so that no step of the scheduler takes long, but more than it adds,
 * so that the store shrinks to the size set by the options. LMDB reuses the freed pages: the file stops
 * growing.
 *
 * The journal is cut only at a checkpoint: the entry of the checkpoint is stored as the last pruned entry
 * (struct pruned), and from then on the journal begins with the next entry for every reader. The same commit
 * and later ones remove the earlier entries and checkpoints.
 */
#include <stdlib.h>

#include "inside.h"
#include "sched/base/vec.h"

/* Numbers of records removed per commit, in addition to a number in proportion to what the commit adds. */
#define ENTRIES 256
#define PARTS   16 /* parts of checkpoints, of about 60 kB each */
#define ENDED   64

#define SCRIPTS_MB 8 /* maximum size of the scripts of ended jobs, unless historymax is smaller */

bool prune_read(struct db_txn *txn, struct pruned *out)
{
	struct key key = key_word(META_PRUNED);
	struct bytes value;

	*out = (struct pruned){.history_s = TIME_NONE};
	if (db_get(txn, DB_META, key_bytes(&key), &value) && !get_pruned(&value, &key, out, db_err(txn)))
		db_fail(txn);
	return db_good(txn);
}

static void write_pruned(struct db_txn *txn, const struct pruned *pruned)
{
	struct key key = key_word(META_PRUNED);
	struct str bytes = {0};

	put_pruned(&bytes, &key, pruned);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

bool prune_refuses(struct db_txn *txn, uint64_t seq)
{
	struct pruned pruned;

	if (!prune_read(txn, &pruned))
		return true;
	if (seq >= pruned.journal)
		return false;
	err_set(db_err(txn), "entry %llu is before the journal begins (entry %llu)", (unsigned long long)seq,
		(unsigned long long)pruned.journal + 1);
	db_fail(txn);
	return true;
}

/* --- removal ------------------------------------------------------------------------------- */

struct removal {
	enum db_table table;
	size_t most;     /* maximum number of records                 */
	uint64_t before; /* remove records whose key begins with a lower number */
	bool all;        /* remove any records, because the table is too large */
};

static bool is_before(const struct removal *r, uint64_t first)
{
	return r->all || first < r->before;
}

/* Removes the first matching records of the table. Returns their number, and sets *last to the key of the
 * last one. */
static size_t remove_first(struct db_txn *txn, const struct removal *r, struct key *last)
{
	struct key *key = mem_zero(r->most + 1, sizeof *key);
	struct db_cursor c = db_walk(txn, r->table, NULL, DB_UP);
	size_t count = 0;

	while (count < r->most && db_next(&c) && is_before(r, key_first(c.key)))
		key[count++] = key_copy(c.key);
	db_stop(&c);
	for (size_t i = 0; i < count; i++)
		db_delete(txn, r->table, key_bytes(&key[i]));
	if (count > 0)
		*last = key[count - 1];
	free(key);
	return count;
}

/* --- the journal --------------------------------------------------------------------------- */

/* Returns the first checkpoint after an entry; 0 = none. */
static uint64_t next_checkpoint(struct db_txn *txn, uint64_t seq)
{
	struct key first = key_checkpoint(seq + 1, 0);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_CHECKPOINT, &from, DB_UP);
	uint64_t found = db_next(&c) ? key_first(c.key) : 0;

	db_stop(&c);
	return found;
}

/* Is the entry older than than_s? False for a damaged entry, so that the scheduler continues; `kahu verify`
 * reports the damage. */
static bool is_entry_older(struct db_txn *txn, uint64_t seq, int64_t than_s)
{
	struct codec_scratch scratch = {.bypassed = NULL};
	struct key key = key_number(seq);
	struct bytes value;
	struct event ev;
	bool older = db_get(txn, DB_EVENT, key_bytes(&key), &value) &&
		     get_event(&value, &key, &ev, &scratch, NULL) && ev.time_s < than_s;

	codec_scratch_free(&scratch);
	return older;
}

static bool is_larger(uint64_t bytes, int64_t than_mb)
{
	return than_mb > 0 && bytes >> 20 >= (uint64_t)than_mb;
}

/*
 * Cuts the journal at the next checkpoint if journal and checkpoints together exceed journalmax, or if the
 * entry of this checkpoint is older than journalkeep. The journal never becomes empty: at least one entry
 * after the checkpoint remains.
 */
static void cut_journal(struct db_txn *txn, const struct snapshot *s, struct pruned *pruned)
{
	const struct site_rules *site = &s->policy.site;
	uint64_t next = next_checkpoint(txn, pruned->journal);

	if (next == 0 || next >= s->seq)
		return;
	if (!is_larger(db_bytes(txn, DB_EVENT) + db_bytes(txn, DB_CHECKPOINT), site->journal_max_mb) &&
	    (site->journal_keep_s == 0 || !is_entry_older(txn, next, s->now_s - site->journal_keep_s)))
		return;
	pruned->journal = next;
	write_pruned(txn, pruned);
}

/* Removes records that a previous cut left. If there are none, cuts the journal again if necessary. */
static void prune_journal(struct db_txn *txn, const struct ledger_step *step, struct pruned *pruned)
{
	struct removal entries = {.table = DB_EVENT, .most = ENTRIES + 2 * step->event_count};
	struct removal parts = {.table = DB_CHECKPOINT, .most = PARTS + step->event_count / 4};
	struct key last;

	entries.before = pruned->journal + 1;
	parts.before = pruned->journal;
	if (remove_first(txn, &entries, &last) + remove_first(txn, &parts, &last) == 0)
		cut_journal(txn, step->after, pruned);
}

/* --- history --------------------------------------------------------------------------------- */

static void prune_history(struct db_txn *txn, const struct ledger_step *step, struct pruned *pruned)
{
	const struct site_rules *site = &step->after->policy.site;
	struct key oldest = key_moment(step->after->now_s - site->history_keep_s), last;
	struct removal ended = {.table = DB_HISTORY, .most = ENDED + 2 * step->ended_count};

	ended.before = site->history_keep_s == 0 ? 0 : key_first(key_bytes(&oldest));
	ended.all = is_larger(db_bytes(txn, DB_HISTORY), site->history_max_mb);
	if (remove_first(txn, &ended, &last) == 0)
		return;
	/* if the clock was set back, jobs removed before may have a later end time */
	if (pruned->history_s == TIME_NONE || moment_of_key(key_bytes(&last)) > pruned->history_s)
		pruned->history_s = moment_of_key(key_bytes(&last));
	write_pruned(txn, pruned);
}

/* Removes scripts of ended jobs, lowest job IDs first. */
static void prune_scripts(struct db_txn *txn, const struct ledger_step *step)
{
	struct removal scripts = {.table = DB_SCRIPT, .most = 2 + 2 * step->ended_count, .all = true};
	int64_t most_mb = step->after->policy.site.history_max_mb;
	struct key last;

	if (most_mb == 0 || most_mb > SCRIPTS_MB)
		most_mb = SCRIPTS_MB;
	if (is_larger(db_bytes(txn, DB_SCRIPT), most_mb))
		remove_first(txn, &scripts, &last);
}

void prune_some(struct db_txn *txn, const struct ledger_step *step)
{
	struct pruned pruned;

	if (!prune_read(txn, &pruned))
		return;
	prune_journal(txn, step, &pruned);
	prune_history(txn, step, &pruned);
	prune_scripts(txn, step);
}
