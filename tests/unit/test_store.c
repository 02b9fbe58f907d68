/* SPDX-License-Identifier: MIT */
/*
 * test_store.c - opening of stores, and detection of damage
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "own_store.h"
#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"

static void assert_refused(enum store_mode mode, const char *words)
{
	struct err err = {""};

	assert_null(store_open(dir.path, mode, &err));
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

/* Commits a short random history; returns the last entry, and the hash of the state in *hash. */
static uint64_t fill(struct store *s, uint64_t seed, int steps, uint64_t *hash)
{
	struct ledger ledger = store_ledger(s);
	struct history h;
	uint64_t seq;

	history_begin(&h, seed);
	for (int i = 0; i < steps; i++) {
		struct ledger_step step = history_step(&h, 10);

		assert_true(ledger.ops->commit(ledger.self, &step, NULL));
	}
	seq = state_view(h.st)->seq;
	*hash = state_hash(state_view(h.st));
	history_end(&h);
	return seq;
}

/* Returns the hash of the latest state, or 0 with an error. */
static uint64_t hash_of(struct store *s, struct err *err)
{
	struct state *st = state_new();
	uint64_t hash = store_state_at(s, 0, st, err) ? state_hash(state_view(st)) : 0;

	state_free(st);
	return hash;
}

/* --- modes ------------------------------------------------------------------------------------ */

static void a_store_is_created_and_reopened(void **state)
{
	struct store *s = must_open(STORE_CHANGE);
	uint64_t hash;

	(void)state;
	assert_string_equal(store_dir(s), dir.path);
	fill(s, 1, 20, &hash);
	store_close(s);
	s = must_open(STORE_READ);
	assert_true(hash_of(s, NULL) == hash);
	assert_true(store_verify(s, NULL));
	store_close(s);
}

static void a_missing_directory_is_created(void **state)
{
	char path[600];
	struct err err = {""};
	struct stat st;

	(void)state;
	snprintf(path, sizeof path, "%s/state/kahu", dir.path);
	assert_null(store_open(path, STORE_READ, &err));
	assert_non_null(strstr(err.text, "No such file"));
	struct store *s = store_open(path, STORE_CHANGE, &err);
	assert_non_null(s);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	store_close(s);
}

static void an_empty_directory_cannot_be_read(void **state)
{
	(void)state;
	assert_refused(STORE_READ, "there is no store in");
}

static void a_temporary_store_leaves_nothing_behind(void **state)
{
	struct store *s;
	struct stat st;
	struct err err;

	(void)state;
	setenv("TMPDIR", dir.path, 1);
	s = store_open(NULL, STORE_TEMP, &err);
	unsetenv("TMPDIR");
	assert_non_null(s);
	char *path = strdup(store_dir(s));
	assert_int_equal(strncmp(path, dir.path, strlen(dir.path)), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(store_holder(path), getpid());
	store_close(s);
	assert_int_equal(stat(path, &st), -1);
	free(path);
	setenv("TMPDIR", "/no/such/place", 1);
	assert_null(store_open(NULL, STORE_TEMP, &err));
	unsetenv("TMPDIR");
	assert_non_null(strstr(err.text, "temporary store"));
}

static void a_process_can_open_a_store_only_once(void **state)
{
	struct store *s = must_open(STORE_CHANGE);

	(void)state;
	assert_refused(STORE_CHANGE, "is already open in this process");
	assert_refused(STORE_READ, "is already open in this process");
	/* The refused attempts have not released the lock. */
	assert_int_equal(store_holder(dir.path), getpid());
	store_close(s);
	store_close(must_open(STORE_READ));
}

/* --- two processes ------------------------------------------------------------------------------ */

struct helper {
	pid_t pid;
	int to, from;
};

/* Opens the store in a child process and commits one step for each byte received. */
static void hold_and_commit(int from, int to)
{
	struct store *s = store_open(dir.path, STORE_CHANGE, NULL);
	struct ledger ledger = store_ledger(s);
	struct history h;
	char c = '1';

	history_begin(&h, 7);
	if (!s || write(to, &c, 1) != 1)
		_exit(1);
	while (read(from, &c, 1) == 1) {
		struct ledger_step step = history_step(&h, 10);

		if (!ledger.ops->commit(ledger.self, &step, NULL) || write(to, &c, 1) != 1)
			_exit(1);
	}
	history_end(&h);
	store_close(s);
	_exit(0);
}

static struct helper start_helper(void)
{
	struct helper helper;
	int there[2], back[2];
	char c;

	assert_int_equal(pipe(there) | pipe(back), 0);
	helper.pid = fork();
	if (helper.pid == 0) {
		close(there[1]);
		close(back[0]);
		hold_and_commit(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	helper.to = there[1];
	helper.from = back[0];
	assert_int_equal(read(helper.from, &c, 1), 1);
	return helper;
}

static void commit_in_helper(const struct helper *helper)
{
	char c = '1';

	assert_int_equal(write(helper->to, &c, 1), 1);
	assert_int_equal(read(helper->from, &c, 1), 1);
}

static void end_helper(const struct helper *helper)
{
	int status;

	close(helper->to);
	close(helper->from);
	assert_int_equal(waitpid(helper->pid, &status, 0), helper->pid);
	assert_int_equal(status, 0);
}

static void second_scheduler_is_rejected_and_reader_is_not(void **state)
{
	struct helper helper = start_helper();
	char words[64];
	uint64_t first, last = 0, before;

	(void)state;
	snprintf(words, sizeof words, "is in use by process %d", (int)helper.pid);
	assert_refused(STORE_CHANGE, words);
	assert_int_equal(store_holder(dir.path), helper.pid);
	struct store *s = must_open(STORE_READ);
	for (int i = 0; i < 5; i++) {
		before = last;
		commit_in_helper(&helper);
		assert_true(store_journal_range(s, &first, &last, NULL));
		assert_true(last > before);
		assert_true(store_verify(s, NULL));
	}
	store_close(s);
	end_helper(&helper);
	store_close(must_open(STORE_CHANGE));
}

/* The job is charged for one second, which may be in a window without other usage. */
static void a_job_of_less_than_a_second_may_end_at_the_start_of_a_window(void **state)
{
	struct store *s = must_open(STORE_CHANGE);
	struct ledger ledger = store_ledger(s);
	struct history h;
	struct alloc_run place = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	struct event node = {.kind = EVENT_NODE,
			     .node = {.name = "n0", .procs = 2, .used = NODE_NOT_MEASURED}};
	struct event submit = {.kind = EVENT_SUBMIT};
	struct event start = {.kind = EVENT_START, .job = 1, .start = {.count = 1, .runs = &place}};
	struct event end = {.kind = EVENT_END, .job = 1, .end = {.has_used = true}};
	struct err err = {""};
	uint64_t hash;

	(void)state;
	history_begin(&h, 1);
	h.now_s = INT64_C(20537) * 24 * 3600;
	submit.submit.job = (struct job){.submit_s = h.now_s,
					 .not_before_s = TIME_NONE,
					 .wall_limit_s = 60,
					 .true_run_s = 1,
					 .tasks = 1,
					 .task_procs = 1};
	submit.submit.cred[CRED_USER] = "eva";
	assert_true(history_apply(&h, &node));
	assert_true(history_apply(&h, &submit));
	assert_true(history_apply(&h, &start));
	assert_true(history_apply(&h, &end));
	hash = state_hash(state_view(h.st));
	if (!ledger.ops->commit(ledger.self,
				&(struct ledger_step){.event = h.event,
						      .event_count = h.event_count,
						      .ended = h.ended,
						      .ended_count = h.ended_count,
						      .after = state_view(h.st),
						      .changes = state_change_marks(h.st)},
				&err))
		fail_msg("%s", err.text);
	assert_true(hash_of(s, &err) == hash);
	history_end(&h);
	store_close(s);
}

static void a_store_opened_for_reading_cannot_be_changed(void **state)
{
	struct store *s;
	struct ledger ledger;
	struct history h;
	struct err err;

	(void)state;
	store_close(must_open(STORE_CHANGE));
	s = must_open(STORE_READ);
	ledger = store_ledger(s);
	history_begin(&h, 1);
	struct ledger_step step = history_step(&h, 5);
	assert_false(ledger.ops->commit(ledger.self, &step, &err));
	assert_string_not_equal(err.text, "");
	history_end(&h);
	store_close(s);
}

/* --- invalid stores and stores of later versions
 * -------------------------------------------------------------- */

static void put_meta(struct db_txn *txn, void *self)
{
	const struct str *bytes = self;
	struct key key = key_word(META_SCHEMA);

	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes->data, bytes->len});
}

static void replace_schema(const struct str *bytes)
{
	struct store *s = must_open(STORE_CHANGE);
	struct str copy = *bytes;

	assert_true(db_write(s->db, put_meta, &copy, NULL));
	store_close(s);
}

static void a_store_of_a_newer_version_is_refused(void **state)
{
	struct key key = key_word(META_SCHEMA);
	struct schema newer = {.version = STORE_SCHEMA + 1, .writer = "kahu 9.9"};
	struct str bytes = {0};

	(void)state;
	put_schema(&bytes, &key, &newer);
	replace_schema(&bytes);
	assert_refused(STORE_CHANGE, "written by kahu 9.9");
	assert_refused(STORE_READ, "written by kahu 9.9");
	/* A refused attempt releases the lock. */
	assert_int_equal(store_holder(dir.path), 0);
	str_free(&bytes);
}

static void read_schema(struct db_txn *txn, void *self)
{
	*(struct schema *)self = store_schema(txn);
}

static void header_damage_in_an_open_store_is_detected(void **state)
{
	struct key key = key_word(META_SCHEMA);
	struct schema schema = {.version = STORE_SCHEMA, .writer = "kahu"};
	struct store *s = must_open(STORE_CHANGE);
	struct str bytes = {0};
	struct err err = {""};

	(void)state;
	assert_true(db_read(s->db, read_schema, &schema, &err));
	assert_int_equal(schema.version, STORE_SCHEMA);
	schema.writer = "kahu"; /* the text that was read is valid only during its transaction */
	put_schema(&bytes, &key, &schema);
	bytes.data[bytes.len - 2] = 'x';
	assert_true(db_write(s->db, put_meta, &bytes, NULL));
	assert_false(db_read(s->db, read_schema, &schema, &err));
	assert_non_null(strstr(err.text, "checksum is wrong"));
	store_close(s);
	str_free(&bytes);
}

static void a_damaged_header_is_refused(void **state)
{
	struct key key = key_word(META_SCHEMA);
	struct schema schema = {.version = STORE_SCHEMA, .writer = "kahu"};
	struct str bytes = {0};

	(void)state;
	put_schema(&bytes, &key, &schema);
	bytes.data[bytes.len - 2] = 'x';
	replace_schema(&bytes);
	assert_refused(STORE_CHANGE, "checksum is wrong");
	assert_refused(STORE_READ, "checksum is wrong");
	str_free(&bytes);
}

static void a_file_of_another_kind_is_refused(void **state)
{
	int fd = open(name_in(&dir, "data.mdb"), O_WRONLY | O_CREAT, 0600);

	(void)state;
	for (int i = 0; i < 2000; i++)
		assert_int_equal(write(fd, "dear diary, today\n", 18), 18);
	close(fd);
	assert_refused(STORE_CHANGE, "damaged or is not a store");
	assert_refused(STORE_READ, "damaged or is not a store");
}

/* --- flipped bits and truncation -------------------------------------------------------------------- */

#define FLIPS 200

static void flip_bit(uint64_t bit)
{
	int fd = open(name_in(&dir, "data.mdb"), O_RDWR);
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, (off_t)(bit / 8)), 1);
	byte = (unsigned char)(byte ^ 1U << bit % 8);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)(bit / 8)), 1);
	close(fd);
}

enum verdict {     /* exit status of a child, distinct from those of sanitizers */
	SAME = 40, /* the state is unchanged */
	REFUSED,   /* with an error */
	WRONG,     /* another state, or none and no error */
	STOPPED    /* a signal ended the child             */
};

static enum verdict read_damaged(uint64_t hash)
{
	struct err err = {""};
	struct store *s = store_open(dir.path, STORE_READ, &err);
	uint64_t found = s ? hash_of(s, &err) : 0;
	bool good = found != 0 && store_verify(s, &err);

	if (found != 0 && found != hash)
		return WRONG;
	if (!good)
		return err.text[0] ? REFUSED : WRONG;
	return SAME;
}

/* Reads the store in a child process without cmocka's signal handlers. */
static enum verdict judge_in_child(uint64_t hash)
{
	static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
			signal(fatal[i], SIG_DFL);
		close(STDERR_FILENO);
		alarm(60);
		_exit((int)read_damaged(hash));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		fail_msg("the reader went on for ever");
	if (WIFEXITED(status) && WEXITSTATUS(status) >= SAME && WEXITSTATUS(status) < STOPPED)
		return (enum verdict)WEXITSTATUS(status);
	return STOPPED;
}

/* Each damaged file is read in a child, so that a fatal signal is counted. */
static void flipped_bits_never_change_the_state(void **state)
{
	struct rng rng = seeded("flipped bits of the file");
	struct store *s = must_open(STORE_CHANGE);
	struct stat st;
	uint64_t hash;
	int of[4] = {0};

	(void)state;
	fill(s, rng_u64(&rng), 60, &hash);
	store_close(s);
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &st), 0);
	for (int i = 0; i < FLIPS; i++) {
		uint64_t bit = rng_below(&rng, (uint64_t)st.st_size * 8);
		enum verdict verdict;

		flip_bit(bit);
		verdict = judge_in_child(hash);
		flip_bit(bit);
		if (verdict == WRONG)
			fail_msg("bit %llu gave another state", (unsigned long long)bit);
		of[verdict - SAME]++;
	}
	printf("# of %d flipped bits: %d met nothing, %d were refused, %d stopped the reader\n", FLIPS, of[0],
	       of[REFUSED - SAME], of[STOPPED - SAME]);
	assert_true(of[REFUSED - SAME] > 0);
	assert_int_equal(of[STOPPED - SAME], 0);
}

static void truncation_never_changes_the_state(void **state)
{
	struct store *s = must_open(STORE_CHANGE);
	struct stat st;
	uint64_t hash;

	(void)state;
	fill(s, 3, 60, &hash);
	store_close(s);
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &st), 0);
	for (int part = 7; part > 0; part--) {
		assert_int_equal(truncate(name_in(&dir, "data.mdb"), st.st_size * part / 8), 0);
		enum verdict verdict = judge_in_child(hash);

		/* The pages at the end may be free. */
		assert_true(verdict != WRONG && verdict != STOPPED && (verdict != SAME || part > 4));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_store_is_created_and_reopened, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_missing_directory_is_created, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(an_empty_directory_cannot_be_read, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_temporary_store_leaves_nothing_behind, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_process_can_open_a_store_only_once, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(second_scheduler_is_rejected_and_reader_is_not, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_job_of_less_than_a_second_may_end_at_the_start_of_a_window,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_store_opened_for_reading_cannot_be_changed, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_store_of_a_newer_version_is_refused, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(header_damage_in_an_open_store_is_detected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_damaged_header_is_refused, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_file_of_another_kind_is_refused, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(flipped_bits_never_change_the_state, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(truncation_never_changes_the_state, new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
