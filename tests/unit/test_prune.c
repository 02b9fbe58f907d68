/* SPDX-License-Identifier: MIT */
/*
 * test_prune.c - removal of old journal entries, checkpoints and ended jobs
 *
 * A random history runs with retention times that change now and then. Records that a model retains must be
 * unchanged, and requests for pruned records must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/stat.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"

#define EVENTS 22000
#define ROOM   (EVENTS + 200)

static struct past {
	struct store *store;
	struct history history;
	struct rng rng;
	uint64_t last;
	uint64_t hash[ROOM];     /* hash of the state after each entry; 0 within a step */
	int64_t time_s[ROOM];    /* time of each entry */
	int64_t shortest_keep_s; /* shortest journalkeep so far */
	uint64_t cuts;           /* how often the journal was pruned */
	uint64_t pruned;         /* last pruned entry of the journal */
	struct {
		int64_t end_s;
		uint64_t id;
	} ended[ROOM];
	size_t ended_count;
} past;

static void open_past(struct past *p, const char *about)
{
	memset(p, 0, sizeof *p);
	p->rng = seeded(about);
	p->store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 20, NULL);
	assert_non_null(p->store);
	store_prune(p->store, true);
	history_begin(&p->history, rng_u64(&p->rng));
	p->shortest_keep_s = INT64_MAX;
}

static void close_past(struct past *p)
{
	history_end(&p->history);
	store_close(p->store);
}

static void set_option(struct past *p, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_SETTING};

	ev.setting.name = name;
	ev.setting.value = value;
	assert_true(history_apply(&p->history, &ev));
}

/* Changes the retention times before the first step and at random, so that the defaults are not used for
 * long. */
static void set_retention(struct past *p)
{
	static const struct {
		const char *text;
		int64_t s;
	} keep[] = {{"0:05:00", 300}, {"0:20:00", 1200}, {"1:00:00", 3600}, {"0", INT64_MAX}};
	size_t i = rng_below(&p->rng, sizeof keep / sizeof keep[0]);

	if (p->last > 0 && rng_below(&p->rng, 20) > 0)
		return;
	set_option(p, "journalkeep", keep[i].text);
	if (keep[i].s < p->shortest_keep_s)
		p->shortest_keep_s = keep[i].s;
	set_option(p, "historykeep", rng_below(&p->rng, 2) == 0 ? "0:10:00" : "2:00:00");
}

struct counts {
	uint64_t events, parts, ended;
	struct pruned pruned;
};

static void count_records(struct db_txn *txn, void *self)
{
	struct counts *out = self;

	out->events = db_count(txn, DB_EVENT);
	out->parts = db_count(txn, DB_CHECKPOINT);
	out->ended = db_count(txn, DB_HISTORY);
	prune_read(txn, &out->pruned);
}

static struct counts read_counts(struct past *p)
{
	struct counts out = {.events = 0};

	assert_true(db_read(p->store->db, count_records, &out, NULL));
	return out;
}

static void record_step(struct past *p, const struct ledger_step *step)
{
	for (size_t i = 0; i < step->event_count; i++)
		p->time_s[step->event[i].seq] = step->event[i].time_s;
	for (size_t i = 0; i < step->ended_count; i++) {
		p->ended[p->ended_count].end_s = step->ended[i].end_s;
		p->ended[p->ended_count++].id = step->ended[i].record.job.id;
	}
	p->last = step->after->seq;
	p->hash[p->last] = state_hash(step->after);
}

static struct ledger_step next_step(struct past *p)
{
	struct history *h = &p->history;
	struct ledger_step step = history_step(h, 60);

	set_retention(p);
	step.after = state_view(h->st);
	step.event = h->event;
	step.event_count = h->event_count;
	step.ended = h->ended;
	step.ended_count = h->ended_count;
	return step;
}

static void commit_step(struct past *p)
{
	struct ledger ledger = store_ledger(p->store);
	struct ledger_step step = next_step(p);
	struct counts before = read_counts(p), after;
	struct err err;

	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	record_step(p, &step);
	after = read_counts(p);
	/* A commit prunes a limited number of records. */
	assert_true(before.events + step.event_count - after.events <= 256 + 2 * step.event_count);
	assert_true(before.ended + step.ended_count - after.ended <= 64 + 2 * step.ended_count);
	p->cuts += after.pruned.journal != before.pruned.journal;
	p->pruned = after.pruned.journal;
}

/* --- retained records -------------------------------------------------------------------------- */

static void check_moment(struct past *p, uint64_t seq)
{
	struct state *st;
	struct err err;

	if (seq > 0 && p->hash[seq] == 0)
		return;
	st = store_state_after(p->store, seq, &err);
	if (seq >= p->pruned) {
		if (st == NULL)
			fail_msg("%s", err.text);
		assert_true(seq == 0 || state_hash(state_view(st)) == p->hash[seq]);
	} else if (seq > 0) {
		assert_null(st);
		assert_non_null(strstr(err.text, "is before the journal begins (entry "));
	}
	state_free(st);
}

static void check_range(struct past *p)
{
	int64_t latest_s = INT64_MIN, earliest_s = INT64_MAX; /* of all entries; of the retained entries */
	struct store_moment m;
	uint64_t first, last;
	struct err err;

	assert_true(store_journal_range(p->store, &first, &last, NULL));
	assert_int_equal(first, p->pruned + 1);
	assert_int_equal(last, p->last);
	assert_true(store_moment_of_entry(p->store, first, &m, NULL, NULL));
	assert_int_equal(m.time_s, p->time_s[first]);
	if (p->pruned == 0)
		return;
	/* The clock is set back now and then. */
	for (uint64_t seq = 1; seq <= p->last; seq++) {
		if (p->time_s[seq] > latest_s)
			latest_s = p->time_s[seq];
		if (seq > p->pruned && p->time_s[seq] < earliest_s)
			earliest_s = p->time_s[seq];
	}
	/* No entry within the shortest retention time so far has been removed. */
	assert_true(p->time_s[p->pruned] < latest_s - p->shortest_keep_s);
	assert_false(store_moment_of_entry(p->store, p->pruned, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry "));
	assert_false(store_moment_of_time(p->store, earliest_s - 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry "));
}

struct count_history {
	struct past *past;
	size_t seen, first;
};

static size_t find_ended(const struct past *p, const struct ended_job *ended)
{
	for (size_t i = 0; i < p->ended_count; i++)
		if (p->ended[i].id == ended->record.job.id && p->ended[i].end_s == ended->end_s)
			return i;
	return SIZE_MAX;
}

static bool count_ended(void *self, const struct ended_job *ended)
{
	struct count_history *c = self;

	assert_int_not_equal(find_ended(c->past, ended), SIZE_MAX);
	c->seen++;
	return true;
}

/* Checks that all jobs that ended after the last pruned one are in the history. */
static void check_history(struct past *p)
{
	struct count_history c = {.past = p};
	int64_t pruned_s;
	size_t later = 0;

	assert_true(store_history_pruned(p->store, &pruned_s, NULL));
	assert_true(store_history(p->store, INT64_MIN, count_ended, &c, NULL));
	for (size_t i = 0; i < p->ended_count; i++)
		later += pruned_s == TIME_NONE || p->ended[i].end_s > pruned_s;
	assert_true(c.seen >= later && c.seen <= p->ended_count);
	assert_true(pruned_s == TIME_NONE ? c.seen == p->ended_count : c.seen < p->ended_count);
}

static void check_all(struct past *p)
{
	struct err err;

	if (!store_verify(p->store, &err))
		fail_msg("%s", err.text);
	check_range(p);
	check_history(p);
	check_moment(p, p->pruned);
	check_moment(p, p->last);
	for (int i = 0; i < 30; i++)
		check_moment(p, rng_below(&p->rng, p->last) + 1);
}

static void retained_records_are_unchanged_and_pruned_ones_refused(void **state)
{
	(void)state;
	open_past(&past, "a history that is pruned");
	while (past.last < EVENTS) {
		commit_step(&past);
		if (rng_below(&past.rng, 120) == 0)
			check_all(&past);
	}
	check_all(&past);
	print_message("# %llu entries, the first %llu pruned in %llu cuts\n", (unsigned long long)past.last,
		      (unsigned long long)past.pruned, (unsigned long long)past.cuts);
	assert_true(past.cuts > 0);
	close_past(&past);
}

/* --- bounds ------------------------------------------------------------------------------------- */

static void store_does_not_prune_by_default(void **state)
{
	struct counts counts;

	(void)state;
	open_past(&past, "a history that is not pruned");
	store_prune(past.store, false);
	while (past.last < 6000)
		commit_step(&past);
	counts = read_counts(&past);
	assert_int_equal(counts.events, past.last);
	assert_int_equal(counts.ended, past.ended_count);
	assert_int_equal(counts.pruned.journal, 0);
	close_past(&past);
}

static off_t file_size(const struct store *s)
{
	char path[4200];
	struct stat file;

	snprintf(path, sizeof path, "%s/data.mdb", store_dir(s));
	assert_int_equal(stat(path, &file), 0);
	return file.st_size;
}

/* Commits 200 pairs of a submission and a cancellation by one user. */
static void commit_churn(struct past *p, uint64_t turn, const char *largest, const char *script)
{
	struct ledger ledger = store_ledger(p->store);
	struct history *h = &p->history;
	struct answered answered[400];
	struct ledger_step step;
	struct err err;

	h->event_count = h->ended_count = 0;
	arena_reset(&h->arena);
	h->now_s++;
	if (turn == 0) {
		set_option(p, "journalmax", largest);
		set_option(p, "historymax", largest);
	}
	for (unsigned i = 0; i < 400; i++) {
		struct event ev = {.kind = EVENT_SUBMIT, .who = "mallory"};
		uint64_t number[] = {turn, i};

		if (i % 2 == 1) {
			ev.kind = EVENT_CANCEL;
			ev.job = state_view(h->st)->next_job_id - 1;
		} else {
			ev.submit.job = (struct job){.submit_s = h->now_s,
						     .not_before_s = TIME_NONE,
						     .wall_limit_s = 60,
						     .tasks = 1,
						     .task_procs = 1,
						     .access = ACCESS_UNSET,
						     .real = JOB_REAL_LAUNCH};
			ev.submit.cred[CRED_USER] = "mallory";
			ev.submit.name = "a job with a rather long name";
			ev.submit.launch = script;
			ev.submit.launch_size = (uint32_t)strlen(script);
		}
		assert_true(history_apply(h, &ev));
		answered[i] = (struct answered){.cookie = {.uid = 1000}, .answer = "done", .size = 4};
		memcpy(answered[i].cookie.bytes, number, sizeof number);
	}
	step = (struct ledger_step){.event = h->event,
				    .event_count = h->event_count,
				    .ended = h->ended,
				    .ended_count = h->ended_count,
				    .answered = answered,
				    .answered_count = 400,
				    .after = state_view(h->st)};
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	p->last = step.after->seq;
}

#define CHURN_TURNS 550 /* enough to store more cookies than are retained */

static void the_file_stops_growing_under_churn(void **state)
{
	off_t half_way_size = 0, final_size;
	struct counts counts;
	uint64_t first, last;
	struct err err;

	(void)state;
	open_past(&past, "churn");
	for (uint64_t turn = 0; turn < 2 * CHURN_TURNS; turn++) {
		commit_churn(&past, turn, "4mb", "true");
		if (turn == CHURN_TURNS)
			half_way_size = file_size(past.store);
	}
	final_size = file_size(past.store);
	counts = read_counts(&past);
	print_message("# %llu pairs: the file has %lld MB, and half-way had %lld MB\n",
		      (unsigned long long)past.last / 2, (long long)final_size >> 20,
		      (long long)half_way_size >> 20);
	assert_true(final_size <= half_way_size + half_way_size / 10);
	assert_true(final_size < (off_t)80 << 20);
	assert_true(counts.pruned.journal > past.last / 2 && counts.pruned.history_s != TIME_NONE);
	assert_true(store_journal_range(past.store, &first, &last, NULL));
	assert_true(last - first >= STORE_CHECKPOINT_EVENTS);
	if (!store_verify(past.store, &err))
		fail_msg("%s", err.text);
	close_past(&past);
}

#define LARGE_TURNS 60

/* The entries since a checkpoint exceed the maximum size, so each commit tries to prune. */
static void one_entry_is_kept_with_the_smallest_bound(void **state)
{
	char script[1001];
	uint64_t pruned = 0, cuts = 0;

	(void)state;
	memset(script, '#', sizeof script - 1);
	script[sizeof script - 1] = '\0';
	open_past(&past, "churn of large jobs");
	for (uint64_t turn = 0; turn < LARGE_TURNS; turn++) {
		commit_churn(&past, turn, "1mb", script);
		struct counts counts = read_counts(&past);
		assert_true(counts.pruned.journal >= pruned);
		assert_true(counts.pruned.journal < past.last);
		cuts += counts.pruned.journal > pruned;
		pruned = counts.pruned.journal;
	}
	/* The journal is pruned up to each checkpoint except the last. */
	assert_true(cuts >= LARGE_TURNS * 400 / STORE_CHECKPOINT_EVENTS - 2);
	close_past(&past);
}

/* --- a large state ------------------------------------------------------------------------------- */

#define LARGE_JOBS   50
#define LARGE_REASON 4000
#define CHEAP_STEP   500
#define CHEAP_STEPS  40

static void commit_large(struct past *p)
{
	struct ledger ledger = store_ledger(p->store);
	struct history *h = &p->history;
	struct ledger_step step = {
		.event = h->event, .event_count = h->event_count, .after = state_view(h->st)};
	struct err err;

	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	p->last = step.after->seq;
	h->event_count = 0;
	arena_reset(&h->arena);
	h->now_s++;
}

static void hold_and_release(struct past *p, unsigned count, const char *reason)
{
	for (unsigned i = 0; i < count; i++) {
		struct event ev = {.kind = EVENT_HOLD, .who = "mallory", .job = 1 + i % LARGE_JOBS};

		ev.hold.bits = JOB_HOLD_USER;
		ev.hold.on = i / LARGE_JOBS % 2 == 0;
		ev.hold.reason = reason;
		assert_true(history_apply(&p->history, &ev));
	}
	commit_large(p);
}

/* Makes a few jobs with thousands of changes, each with a long reason. */
static void make_large_state(struct past *p)
{
	char reason[LARGE_REASON + 1];

	memset(reason, 'r', LARGE_REASON);
	reason[LARGE_REASON] = '\0';
	for (unsigned i = 0; i < LARGE_JOBS; i++) {
		struct event ev = {.kind = EVENT_SUBMIT, .who = "mallory"};

		ev.submit.job = (struct job){.submit_s = p->history.now_s,
					     .not_before_s = TIME_NONE,
					     .wall_limit_s = 60,
					     .tasks = 1,
					     .task_procs = 1,
					     .access = ACCESS_UNSET};
		ev.submit.cred[CRED_USER] = "mallory";
		assert_true(history_apply(&p->history, &ev));
	}
	commit_large(p);
	for (unsigned i = 0; i < 40; i++)
		hold_and_release(p, 2 * LARGE_JOBS, reason);
}

static void measure_checkpoints(struct db_txn *txn, void *self)
{
	uint64_t *bytes = self;

	bytes[0] = db_bytes(txn, DB_CHECKPOINT);
	bytes[1] = db_bytes(txn, DB_CHANGE) + db_bytes(txn, DB_JOB);
}

/* Commits small entries. `again`: the size of the journal is measured before each step, as after a restart.
 */
static void commit_cheap_steps(struct past *p, unsigned count, bool measure_again, uint64_t *bytes)
{
	for (unsigned i = 0; i < count; i++) {
		if (measure_again)
			p->store->behind.known = false;
		hold_and_release(p, CHEAP_STEP, NULL);
	}
	assert_true(db_read(p->store->db, measure_checkpoints, bytes, NULL));
}

static void check_checkpoint_distance(bool measure_again)
{
	uint64_t bytes[2] = {0}, before;

	open_past(&past, "a state with many changes");
	make_large_state(&past);
	assert_int_equal(past.last / STORE_CHECKPOINT_EVENTS, 0);
	commit_cheap_steps(&past, CHEAP_STEPS, measure_again, bytes);
	assert_int_equal(past.last / STORE_CHECKPOINT_EVENTS, 4);
	assert_true(bytes[1] > (uint64_t)12 << 20);
	/* One checkpoint, because of the entries that made the state large. */
	assert_true(bytes[0] < bytes[1] + bytes[1] / 4);
	before = bytes[0];
	for (unsigned i = 0; i < 10 && bytes[0] == before; i++)
		commit_cheap_steps(&past, CHEAP_STEPS, measure_again, bytes);
	assert_true(bytes[0] >
		    before); /* a checkpoint is due after as many bytes of entries as the state has */
	close_past(&past);
}

static void checkpoints_do_not_exceed_the_journal(void **state)
{
	(void)state;
	check_checkpoint_distance(false);
	check_checkpoint_distance(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checkpoints_do_not_exceed_the_journal),
		cmocka_unit_test(retained_records_are_unchanged_and_pruned_ones_refused),
		cmocka_unit_test(store_does_not_prune_by_default),
		cmocka_unit_test(the_file_stops_growing_under_churn),
		cmocka_unit_test(one_entry_is_kept_with_the_smallest_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
