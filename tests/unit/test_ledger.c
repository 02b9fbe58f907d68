/* SPDX-License-Identifier: MIT */
/*
 * test_ledger.c - durable commits, and loading of the state
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "own_dir.h"
#include "sched/state/state.h"
#include "store/ledger_inside.h"
#include "tests/history.h"
#include "tests/seed.h"

static struct store *open_store(size_t map_bytes)
{
	struct err err;
	struct store *s = store_open_sized(dir.path, STORE_CHANGE, map_bytes, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static bool commit(struct store *s, const struct ledger_step *step, struct err *err)
{
	struct ledger ledger = store_ledger(s);

	return ledger.ops->commit(ledger.self, step, err);
}

static void commit_or_fail(struct store *s, const struct ledger_step *step)
{
	struct err err;

	if (!commit(s, step, &err))
		fail_msg("%s", err.text);
}

static struct state *load(struct store *s)
{
	struct ledger ledger = store_ledger(s);
	struct state *st = state_new();
	struct err err;

	if (!ledger.ops->load(ledger.self, st, &err))
		fail_msg("%s", err.text);
	return st;
}

/* The stored size of each user's jobs is recalculated, and must be the same. */
static void check_stored(const struct state *st, const struct state *expected)
{
	const struct snapshot *s = state_view(expected);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(s)[i];
		uint32_t found;

		if (cred->stored == 0)
			continue;
		found = state_find_cred(st, (enum cred_type)cred->type, snapshot_string(s, cred->name));
		assert_int_not_equal(found, INDEX_NONE);
		assert_int_equal(snapshot_creds(state_view(st))[found].stored, cred->stored);
	}
}

static void check_load(struct store *s, const struct state *expected)
{
	struct state *st = load(s);
	struct err err;

	if (!state_check(st, &err))
		fail_msg("%s", err.text);
	assert_int_equal(state_view(st)->seq, state_view(expected)->seq);
	assert_true(state_hash(state_view(st)) == state_hash(state_view(expected)));
	check_stored(st, expected);
	state_free(st);
}

/* Checks that exactly the idle and running jobs with a launch have launch data in the store. */
static void check_launches(struct store *s, const struct state *st)
{
	const struct snapshot *view = state_view(st);
	struct ledger ledger = store_ledger(s);
	struct str launch = {0};
	struct err err;

	for (uint32_t slot = 0; slot < snapshot_count(view, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(view)[slot];
		bool expected = job->state != JOB_NONE && (job->real & JOB_REAL_LAUNCH) != 0;

		str_clear(&launch);
		if (job->state != JOB_NONE)
			assert_int_equal(ledger.ops->launch(ledger.self, job_launch_id(job), &launch, &err),
					 expected);
		if (expected)
			assert_memory_equal(str_text(&launch), "what\0ever", launch.len);
		if (expected)
			assert_int_equal(job->launch_size, launch.len);
	}
	if (!store_verify(s, &err))
		fail_msg("%s", err.text);
	str_free(&launch);
}

static void launch_data_is_kept_as_long_as_its_job(void **state)
{
	struct rng rng = seeded("launches of a history");
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 120; i++) {
		struct ledger_step step = history_step(&h, 12);

		commit_or_fail(s, &step);
		if (i % 20 == 19)
			check_launches(s, h.st);
	}
	history_end(&h);
	store_close(s);
}

/* --- committed states are loaded ----------------------------------------------------------- */

static void an_empty_store_loads_an_empty_state(void **state)
{
	struct store *s = open_store(STORE_MAP_BYTES);
	struct state *empty = state_new();

	(void)state;
	check_load(s, empty);
	state_free(empty);
	store_close(s);
}

/* The first kind of event that has not occurred; EVENT_KIND_COUNT: all kinds have. */
static unsigned find_missing_kind(const struct history *h)
{
	unsigned kind = 1;

	while (kind < EVENT_KIND_COUNT && h->count[kind] > 0)
		kind++;
	return kind;
}

static void random_history_is_restored_after_every_step(void **state)
{
	struct rng rng = seeded("a history, loaded after every step");
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 150 || (i < 600 && find_missing_kind(&h) < EVENT_KIND_COUNT); i++) {
		struct ledger_step step = history_step(&h, 12);

		commit_or_fail(s, &step);
		check_load(s, h.st);
	}
	if (find_missing_kind(&h) < EVENT_KIND_COUNT)
		fail_msg("no event of kind %s came up",
			 event_kind_name((enum event_kind)find_missing_kind(&h)));
	history_end(&h);
	store_close(s);
}

/* A restored state must not only be equal; later events must also have the same effect on it. */
static void loaded_state_behaves_like_the_stored_one(void **state)
{
	struct rng rng = seeded("a history, gone on with after a load");
	uint64_t seed = rng_u64(&rng);
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;

	(void)state;
	history_begin(&h, seed);
	for (int i = 0; i < 200; i++) {
		struct ledger_step step = history_step(&h, 12);

		commit_or_fail(s, &step);
		if (i % 10 == 0) {
			store_close(s);
			s = open_store(STORE_MAP_BYTES);
			state_free(h.st);
			h.st = load(s);
		}
	}
	check_load(s, h.st);
	history_end(&h);
	store_close(s);
}

static void steps_of_any_size_fit_into_a_small_map(void **state)
{
	struct rng rng = seeded("large steps into a small map");
	struct store *s = open_store((size_t)256 << 10);
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 10; i++) {
		struct ledger_step step = history_step(&h, 2000);

		commit_or_fail(s, &step);
		check_load(s, h.st);
	}
	assert_true(store_verify(s, NULL));
	history_end(&h);
	store_close(s);
}

static void a_step_without_events_writes_nothing(void **state)
{
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;
	uint64_t first, last;

	(void)state;
	history_begin(&h, 1);
	commit_or_fail(s, &(struct ledger_step){.after = state_view(h.st)});
	assert_true(store_journal_range(s, &first, &last, NULL));
	assert_int_equal(first, 0);
	assert_int_equal(last, 0);
	history_end(&h);
	store_close(s);
}

/* --- records that a step changes -------------------------------------------------------------- */

static uint64_t submit_job(struct history *h, const struct array_range *range, const struct depend *depend)
{
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit.job = (struct job){.submit_s = h->now_s,
				     .not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .tasks = 1,
				     .task_procs = 1,
				     .access = ACCESS_UNSET};
	ev.submit.cred[CRED_USER] = "eva";
	ev.submit.ranges = range;
	ev.submit.range_count = range != NULL;
	ev.submit.depend = depend;
	ev.submit.depend_count = depend != NULL;
	assert_true(history_apply(h, &ev));
	return ev.job;
}

/* Number of jobs whose record is changed by cancelling this job, including the cancelled job. */
static size_t count_changed_by_cancel(struct history *h, uint64_t job)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = job};
	struct ledger_step step;
	struct commit c = {.step = &step};

	h->event_count = h->ended_count = 0;
	assert_true(history_apply(h, &ev));
	step = (struct ledger_step){.event = h->event,
				    .event_count = h->event_count,
				    .ended = h->ended,
				    .ended_count = h->ended_count,
				    .after = state_view(h->st)};
	commit_touch(&c);
	free(c.job);
	free(c.node);
	return c.job_count;
}

/* A start or an end must not rewrite the records of all jobs that depend on some array. */
static void an_end_changes_the_jobs_whose_dependency_it_settles(void **state)
{
	const struct array_range tasks = {1, 2, 1}, dependents = {1, 50, 1};
	struct depend depend = {.type = DEPEND_COMPLETE, .of = DEPEND_ON_ARRAY};
	struct history h;
	uint64_t other;

	(void)state;
	history_begin(&h, 1);
	depend.on = submit_job(&h, &tasks, NULL);
	submit_job(&h, &dependents, &depend);
	other = submit_job(&h, NULL, NULL);
	assert_int_equal(count_changed_by_cancel(&h, other), 1);
	assert_int_equal(count_changed_by_cancel(&h, depend.on), 1); /* the second task has not ended */
	assert_int_equal(count_changed_by_cancel(&h, depend.on + 1), 51);
	history_end(&h);
}

/* --- all or nothing -------------------------------------------------------------------------- */

static void step_that_leaves_a_gap_is_rejected(void **state)
{
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;
	struct state *before;
	struct err err;

	(void)state;
	history_begin(&h, 2);
	struct ledger_step step = history_step(&h, 5);
	commit_or_fail(s, &step);
	before = load(s);
	/* The same step again; then a step after a missing one. */
	assert_false(commit(s, &step, &err));
	assert_non_null(strstr(err.text, "does not fit the store"));
	history_step(&h, 5);
	step = history_step(&h, 5);
	assert_false(commit(s, &step, &err));
	assert_non_null(strstr(err.text, "does not fit the store"));
	check_load(s, before);
	state_free(before);
	history_end(&h);
	store_close(s);
}

static void step_with_missing_events_is_rejected(void **state)
{
	struct store *s = open_store(STORE_MAP_BYTES);
	struct history h;
	struct event sim = {.kind = EVENT_SIM},
		     node = {.kind = EVENT_NODE, .node = {.name = "n", .procs = 1}};
	struct err err;

	(void)state;
	history_begin(&h, 3);
	assert_true(history_apply(&h, &sim));
	struct event first = h.event[0];
	assert_true(history_apply(&h, &node));
	/* The second event is replaced by a copy of the first. */
	h.event[1] = first;
	h.event[1].seq = 2;
	struct ledger_step step = {.event = h.event, .event_count = 2, .after = state_view(h.st)};
	assert_false(commit(s, &step, &err));
	assert_non_null(strstr(err.text, "the number of stored nodes is 0 and should be 1"));
	h.event[1].seq = 3; /* leaves a gap */
	assert_false(commit(s, &step, &err));
	assert_non_null(strstr(err.text, "a journal entry is 3 and should be 2"));
	history_end(&h);
	store_close(s);
}

/* RLIMIT_FSIZE stands for a full disk. */
static int fill_up_and_recover(void)
{
	struct rlimit limit = {(rlim_t)600000, RLIM_INFINITY};
	struct store *s = store_open(dir.path, STORE_CHANGE, NULL);
	struct ledger_step step = {.event = NULL};
	struct history h;
	struct err err = {""};
	uint64_t first, last, last_committed = 0;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	history_begin(&h, 4);
	do {
		last_committed = state_view(h.st)->seq;
		step = history_step(&h, 50);
	} while (commit(s, &step, &err));
	/* The failed step is not in the journal, and the error has a message. */
	if (err.text[0] == '\0' || !store_journal_range(s, &first, &last, NULL) || last != last_committed)
		return 1;
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	/* When there is space again, the same step is committed. */
	if (!commit(s, &step, NULL) || !store_verify(s, NULL))
		return 2;
	history_end(&h);
	store_close(s);
	return 0;
}

static void commit_on_a_full_disk_can_be_repeated(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(fill_up_and_recover());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* --- lost records -------------------------------------------------------------------------------- */

struct loss {
	enum db_table table;
	struct key key;
};

static void delete_record(struct db_txn *txn, void *self)
{
	struct loss *l = self;

	db_delete(txn, l->table, key_bytes(&l->key));
}

static void lost_record_is_detected(void **state)
{
	static const struct {
		enum db_table table;
		const char *words;
	} row[] = {{DB_JOB, "jobs were stored"},
		   {DB_NODE, "nodes were stored"},
		   {DB_META, "counters is missing"}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct store *s = store_open(NULL, STORE_TEMP, NULL);
		struct loss loss = {.table = row[i].table};
		struct state *st = state_new();
		struct ledger ledger = store_ledger(s);
		struct history h;
		struct err err;

		history_begin(&h, 5);
		do {
			struct ledger_step step = history_step(&h, 12);
			commit_or_fail(s, &step);
		} while (snapshot_count(state_view(h.st), TABLE_WAITING) == 0 ||
			 snapshot_count(state_view(h.st), TABLE_NODES) == 0);
		uint32_t slot = snapshot_waiting(state_view(h.st))[0].slot;
		loss.key = row[i].table == DB_JOB    ? key_number(snapshot_jobs(state_view(h.st))[slot].id)
			   : row[i].table == DB_NODE ? key_number(0)
						     : key_word(META_COUNTERS);
		assert_true(db_write(s->db, delete_record, &loss, NULL));
		assert_false(ledger.ops->load(ledger.self, st, &err));
		if (!strstr(err.text, row[i].words))
			fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].words);
		assert_false(store_verify(s, &err));
		state_free(st);
		history_end(&h);
		store_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_empty_store_loads_an_empty_state, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(random_history_is_restored_after_every_step, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(launch_data_is_kept_as_long_as_its_job, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(loaded_state_behaves_like_the_stored_one, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(steps_of_any_size_fit_into_a_small_map, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_step_without_events_writes_nothing, new_dir, old_dir),
		cmocka_unit_test(an_end_changes_the_jobs_whose_dependency_it_settles),
		cmocka_unit_test_setup_teardown(step_that_leaves_a_gap_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(step_with_missing_events_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(commit_on_a_full_disk_can_be_repeated, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(lost_record_is_detected, new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
