/* SPDX-License-Identifier: MIT */
/*
 * ledger.c - durable commits of scheduler steps, and loading of the state
 *
 * A step is one write transaction: it appends the events to the journal and writes all records that the
 * events changed, as they are after the last event. The changed jobs and nodes follow from the kinds of the
 * events (ledger_touch.c); the step itself lists the operators' changes that differ (struct change_marks).
 */
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "ledger_inside.h"
#include "sched/base/vec.h"

/* Added to the size of each entry in bytes, because replaying an entry takes as long as reading this many
 * more bytes of a checkpoint. */
#define ENTRY_BYTES 256

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
		c->added += c->bytes.len + ENTRY_BYTES;
		str_clear(&c->bytes);
	}
	c->behind.bytes += c->added;
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

static void put_one_node(struct db_txn *txn, struct commit *c, uint32_t i)
{
	struct key index = key_number(i);
	struct node_record node = node_of(c->step->after, i, &c->scratch);

	put_node(&c->bytes, &index, &node);
	put_record(txn, DB_NODE, &index, &c->bytes);
}

static void put_machine(struct db_txn *txn, struct commit *c)
{
	const struct snapshot *s = c->step->after;
	struct config_text config = config_of(s);
	struct key key = key_word(META_CONFIG);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES) && (c->all_nodes || c->node); i++)
		if (c->all_nodes || c->node[i])
			put_one_node(txn, c, i);
	if (c->has[EVENT_CONFIG]) {
		put_config(&c->bytes, &key, &config);
		put_record(txn, DB_META, &key, &c->bytes);
	}
}

/* --- usage --------------------------------------------------------------------------------- */

/* May the step have changed the policy, and so the windows to which ended jobs are charged? */
static bool policy_touched(const struct commit *c)
{
	return c->has[EVENT_CONFIG] || c->has[EVENT_SETTING] || c->has[EVENT_UNDO];
}

/* Did the step add usage to this window? An ended job is charged to the window in which it started and to all
 * windows that began while it ran. A job that ended in the second of its start is charged for that second,
 * which may be the first of a window. */
static bool window_touched(const struct commit *c, const struct fs_window *window)
{
	const struct ledger_step *step = c->step;
	int64_t interval_s = step->after->policy.fs_interval_s;

	if (c->again || c->has[EVENT_CLOCK])
		return true;
	for (size_t i = 0; i < step->ended_count; i++) {
		const struct ended_job *ended = &step->ended[i];

		if (ended->record.job.state == JOB_RUNNING && window->begin_s <= ended->end_s &&
		    (window->begin_s > ended->record.job.start_s - interval_s || policy_touched(c)))
			return true;
	}
	for (size_t i = 0; i < step->event_count; i++)
		if (step->event[i].kind == EVENT_USAGE && step->event[i].usage.begin_s == window->begin_s)
			return true;
	return false;
}

static bool is_window(const struct snapshot *s, struct bytes key)
{
	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++) {
		struct key own = key_moment(s->fs_window[i].begin_s);

		if (s->fs_window[i].length_s > 0 && key_first(key) == key_first(key_bytes(&own)))
			return true;
	}
	return false;
}

/* Removes windows that are no longer in the state, a few per commit. */
static void drop_windows(struct db_txn *txn, const struct snapshot *s)
{
	struct key gone[2 * FS_DEPTH_MAX];
	size_t count = 0;
	struct db_cursor c = db_walk(txn, DB_USAGE, NULL, DB_UP);

	while (db_next(&c) && count < sizeof gone / sizeof gone[0])
		if (!is_window(s, c.key))
			gone[count++] = key_copy(c.key);
	db_stop(&c);
	for (size_t i = 0; i < count; i++)
		db_delete(txn, DB_USAGE, key_bytes(&gone[i]));
}

/* May a job have released its processors in the step, or have failed to start? Such a job was charged for its
 * usage up to that time. */
static bool released_some(const struct commit *c)
{
	const struct ledger_step *step = c->step;
	const struct change *change;

	if (!c->has[EVENT_SUSPEND] && !c->has[EVENT_UNDO] && !c->has[EVENT_DEFER])
		return false;
	for (size_t i = 0; i < step->event_count; i++) {
		const struct event *ev = &step->event[i];

		if ((ev->kind == EVENT_SUSPEND && ev->suspend.on) || event_charges_start(ev))
			return true;
		change = ev->kind == EVENT_UNDO ? state_find_change(step->after, ev->seq) : NULL;
		if (change != NULL && change->job != 0)
			return true;
	}
	return false;
}

static void put_windows(struct db_txn *txn, struct commit *c)
{
	const struct snapshot *s = c->step->after;
	bool released = released_some(c);

	/* Setting the clock moves all windows. */
	if (!c->has[EVENT_END] && !c->has[EVENT_USAGE] && !released && !c->has[EVENT_CLOCK])
		return;
	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++) {
		struct key key = key_moment(s->fs_window[i].begin_s);
		struct usage_window window;

		if (s->fs_window[i].length_s == 0 || (!released && !window_touched(c, &s->fs_window[i])))
			continue;
		window = window_of(s, i, &c->scratch);
		put_usage(&c->bytes, &key, &window);
		put_record(txn, DB_USAGE, &key, &c->bytes);
	}
	drop_windows(txn, s);
}

/* --- launch data ----------------------------------------------------------------------- */

/* Lists the IDs, in ascending order and without duplicates, of the launch data of jobs that ended in the
 * step. Returns their number. */
static size_t list_launches(const struct ledger_step *step, uint64_t *id)
{
	size_t count = 0;

	for (size_t i = 0; i < step->ended_count; i++)
		if ((step->ended[i].record.job.real & JOB_REAL_LAUNCH) != 0)
			id[count++] = job_launch_id(&step->ended[i].record.job);
	return ids_order(id, count);
}

/* Marks the IDs of arrays that have other tasks in the state: their launch data is still needed. */
static void mark_wanted(const struct snapshot *s, const uint64_t *id, size_t count, bool *wanted)
{
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];
		size_t at = job->state == JOB_NONE || job->array == 0 ? SIZE_MAX
								      : ids_find(id, count, job->array);

		if (at != SIZE_MAX)
			wanted[at] = true;
	}
}

/* Moves the launch data of an ended job to table script, so that the job can be resubmitted for some time. */
static void retire_launch(struct db_txn *txn, uint64_t id)
{
	struct key key = key_number(id);
	struct str copy = {0};
	struct bytes value;

	if (!db_get(txn, DB_LAUNCH, key_bytes(&key), &value))
		return;
	str_add_bytes(&copy, value.data, value.size); /* the next write may move the value in the file */
	db_put(txn, DB_SCRIPT, key_bytes(&key), (struct bytes){copy.data, copy.len});
	db_delete(txn, DB_LAUNCH, key_bytes(&key));
	str_free(&copy);
}

static void drop_launches(struct db_txn *txn, const struct ledger_step *step)
{
	uint64_t *id = mem_zero(step->ended_count + 1, sizeof *id);
	size_t count = list_launches(step, id);
	bool *wanted = mem_zero(count + 1, sizeof *wanted), arrays = false;

	for (size_t i = 0; i < step->ended_count; i++)
		arrays = arrays || step->ended[i].record.job.array != 0;
	if (arrays)
		mark_wanted(step->after, id, count, wanted);
	for (size_t i = 0; i < count; i++)
		if (!wanted[i])
			retire_launch(txn, id[i]);
	free(id);
	free(wanted);
}

static void put_launches(struct db_txn *txn, struct commit *c)
{
	const struct ledger_step *step = c->step;

	for (size_t i = 0; i < step->event_count; i++) {
		const struct event *ev = &step->event[i];
		struct bytes launch = {ev->submit.launch, ev->submit.launch_size};
		struct key key = key_number(ev->job);

		if (ev->kind != EVENT_SUBMIT || ev->submit.launch == NULL)
			continue;
		c->added += launch.size;
		put_launch_head(&c->bytes, &key, launch);
		db_put_parts(txn, DB_LAUNCH, key_bytes(&key), (struct bytes){c->bytes.data, c->bytes.len},
			     launch);
		str_clear(&c->bytes);
	}
	drop_launches(txn, step);
}

/* --- changes --------------------------------------------------------------------------------- */

/* Removes the stored changes that are no longer in the state. Used only for steps without a list of the
 * changes that differ. */
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

/* Writes a change unless the stored record is the same. */
static void put_one_change(struct db_txn *txn, struct commit *c, uint32_t i)
{
	struct change_record change = change_of(c->step->after, i);
	struct key key = key_number(change.change.seq);
	struct bytes old;

	put_change(&c->bytes, &key, &change);
	if (!db_get(txn, DB_CHANGE, key_bytes(&key), &old) || old.size != c->bytes.len ||
	    memcmp(old.data, c->bytes.data, old.size) != 0)
		put_record(txn, DB_CHANGE, &key, &c->bytes);
	str_clear(&c->bytes);
}

static void put_all_changes(struct db_txn *txn, struct commit *c)
{
	const struct snapshot *s = c->step->after;

	drop_changes(txn, s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (snapshot_changes(s)[i].kind != CHANGE_GONE)
			put_one_change(txn, c, i);
}

static void put_marked_changes(struct db_txn *txn, struct commit *c)
{
	const struct snapshot *s = c->step->after;

	for (size_t i = 0; i < c->step->changes->count; i++) {
		const struct change *change = state_find_change(s, c->step->changes->seq[i]);
		struct key key = key_number(c->step->changes->seq[i]);

		if (change != NULL)
			put_one_change(txn, c, (uint32_t)(change - snapshot_changes(s)));
		else
			db_delete(txn, DB_CHANGE, key_bytes(&key));
	}
}

/*
 * Writes the changes that the step lists; if the step has no list, compares all changes with the stored ones.
 */
static void put_changes(struct db_txn *txn, struct commit *c)
{
	const struct change_marks *marks = c->step->changes;

	if (marks != NULL && !marks->all)
		put_marked_changes(txn, c);
	else
		put_all_changes(txn, c);
}

/* --- checkpoints ----------------------------------------------------------------------------- */

/* Returns the size in bytes of the tables that a checkpoint copies. */
static uint64_t state_bytes(struct db_txn *txn)
{
	return db_bytes(txn, DB_NODE) + db_bytes(txn, DB_JOB) + db_bytes(txn, DB_USAGE) +
	       db_bytes(txn, DB_CHANGE);
}

/* Measures the entries after the last checkpoint; stops at `enough` bytes. */
static struct behind measure_behind(struct db_txn *txn, uint64_t last, uint64_t enough)
{
	struct key first = key_number(checkpoint_find(txn, last) + 1);
	struct bytes from = key_bytes(&first);
	struct db_cursor c = db_walk(txn, DB_EVENT, &from, DB_UP);
	struct behind behind = {.known = true};

	while (behind.bytes < enough && db_next(&c))
		behind.bytes += c.value.size + ENTRY_BYTES;
	db_stop(&c);
	return behind;
}

/*
 * Is a checkpoint due? One is due about every STORE_CHECKPOINT_EVENTS events, but not before the entries
 * after the last checkpoint are as large as the state. So checkpoints, which share journalmax with the
 * journal, never take more space than the journal; and reading the entries after a checkpoint does not take
 * much longer than reading the checkpoint.
 */
static bool checkpoint_is_due(struct db_txn *txn, struct commit *c, uint64_t last)
{
	const struct snapshot *s = c->step->after;
	uint64_t enough = state_bytes(txn);

	if (s->seq / STORE_CHECKPOINT_EVENTS == last / STORE_CHECKPOINT_EVENTS)
		return false;
	if (!c->behind.known)
		c->behind = measure_behind(txn, s->seq, enough);
	return c->behind.bytes >= enough;
}

static void put_checkpoint(struct db_txn *txn, struct commit *c, uint64_t last)
{
	if (!checkpoint_is_due(txn, c, last))
		return;
	checkpoint_put(txn, c->step->after);
	c->behind = (struct behind){.known = true};
}

/* --- the whole step ------------------------------------------------------------------------ */

static bool fits(struct db_txn *txn, const char *what, uint64_t is, uint64_t should)
{
	if (is == should)
		return true;
	err_set(db_err(txn), "the step does not fit the store: %s is %llu and should be %llu", what,
		(unsigned long long)is, (unsigned long long)should);
	db_fail(txn);
	return false;
}

/* Does the step continue the journal without a gap, and does its state end with its last event? If not, the
 * transaction fails. */
static bool continues(struct db_txn *txn, const struct ledger_step *step, uint64_t last)
{
	for (size_t i = 0; i < step->event_count; i++)
		if (!fits(txn, "a journal entry", step->event[i].seq, last + 1 + i))
			return false;
	return fits(txn, "the last entry of the state", step->after->seq, last + step->event_count);
}

uint64_t store_last_entry(struct db_txn *txn)
{
	struct key key = key_word(META_COUNTERS);
	struct bytes value;
	struct tally tally = {.nodes = 0};

	if (db_get(txn, DB_META, key_bytes(&key), &value) && !get_tally(&value, &key, &tally, db_err(txn)))
		db_fail(txn);
	return tally.counters.seq;
}

/* Writes the counters. Fails if a table has more or fewer records than the state has objects, because then a
 * changed record was not written or removed. */
static void put_counters(struct db_txn *txn, struct commit *c)
{
	struct tally tally = tally_of(c->step->after);
	struct key key = key_word(META_COUNTERS);
	uint64_t jobs = db_count(txn, DB_JOB), nodes = db_count(txn, DB_NODE);
	uint64_t windows = db_count(txn, DB_USAGE), changes = db_count(txn, DB_CHANGE);

	if (!db_good(txn) || !fits(txn, "the number of stored changes", changes, tally.changes) ||
	    !fits(txn, "the number of stored jobs", jobs, tally.jobs) ||
	    !fits(txn, "the number of stored nodes", nodes, tally.nodes) ||
	    !fits(txn, "the number of stored fairshare windows", windows, tally.windows))
		return;
	tally.ended = db_count(txn, DB_HISTORY);
	put_tally(&c->bytes, &key, &tally);
	put_record(txn, DB_META, &key, &c->bytes);
}

static void commit_work(struct db_txn *txn, void *self)
{
	struct commit *c = self;
	const struct ledger_step *step = c->step;
	uint64_t last = store_last_entry(txn);

	str_clear(&c->bytes);
	c->behind = c->before;
	c->added = 0;
	if (!db_good(txn) || !continues(txn, step, last))
		return;
	put_events(txn, c);
	put_jobs(txn, c);
	put_history(txn, c);
	put_launches(txn, c);
	put_machine(txn, c);
	put_windows(txn, c);
	put_changes(txn, c);
	cookies_put(txn, step);
	put_checkpoint(txn, c, last);
	if (c->prunes)
		prune_some(txn, step);
	put_counters(txn, c);
}

static bool ledger_commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct store *s = self;
	struct commit c = {.step = step, .prunes = s->prunes, .before = s->behind};
	bool good;

	if (step->event_count == 0)
		return true;
	commit_touch(&c);
	good = db_write(s->db, commit_work, &c, err);
	if (good) {
		s->behind = c.behind;
		last_good_after(s, step->after->seq, c.added);
	}
	str_free(&c.bytes);
	codec_scratch_free(&c.scratch);
	free(c.job);
	free(c.node);
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

struct kept_launch {
	uint64_t job;
	struct str *out;
};

static void launch_work(struct db_txn *txn, void *self)
{
	struct kept_launch *kept = self;
	struct key key = key_number(kept->job);
	struct bytes value, launch;

	if (!db_get(txn, DB_LAUNCH, key_bytes(&key), &value)) {
		err_set(db_err(txn), "it is not in the store");
		db_fail(txn);
	} else if (get_launch(&value, &key, &launch, db_err(txn))) {
		str_add_bytes(kept->out, launch.data, launch.size);
	} else {
		db_fail(txn);
	}
}

static bool ledger_has_room(void *self, struct err *err)
{
	struct store *s = self;

	return db_keep_space(s->db, err);
}

static bool ledger_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct store *s = self;
	struct kept_launch kept = {job, out};

	return db_read(s->db, launch_work, &kept, err) ||
	       err_prefix(err, "the launch data of job %llu cannot be read", (unsigned long long)job);
}

static void script_work(struct db_txn *txn, void *self)
{
	struct kept_launch *kept = self;
	struct key key = key_number(kept->job);
	struct bytes value, launch;

	if (!db_get(txn, DB_LAUNCH, key_bytes(&key), &value) &&
	    !db_get(txn, DB_SCRIPT, key_bytes(&key), &value)) {
		err_set(db_err(txn), "it is no longer stored");
		db_fail(txn);
	} else if (get_launch(&value, &key, &launch, db_err(txn))) {
		str_add_bytes(kept->out, launch.data, launch.size);
	} else {
		db_fail(txn);
	}
}

bool store_script(struct store *s, uint64_t job, struct str *out, struct err *err)
{
	struct kept_launch kept = {job, out};

	return db_read(s->db, script_work, &kept, err) ||
	       err_prefix(err, "the script of job %llu cannot be read", (unsigned long long)job);
}

static bool ledger_recall(void *self, const struct cookie *cookie, bool *known, struct str *out,
			  struct err *err)
{
	return cookies_recall(self, cookie, known, out, err);
}

struct ledger store_ledger(struct store *s)
{
	static const struct ledger_ops ops = {.load = ledger_load,
					      .commit = ledger_commit,
					      .launch = ledger_launch,
					      .recall = ledger_recall,
					      .has_room = ledger_has_room};

	return (struct ledger){.ops = &ops, .self = s};
}
