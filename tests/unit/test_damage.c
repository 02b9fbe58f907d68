/* SPDX-License-Identifier: MIT */
/*
 * test_damage.c - unit tests of reading, changing and recovering damaged stores
 *
 * Every case damages a copy of one store: flipped bits, pages partly overwritten with zeros, random bytes or
 * parts of another page, and truncated files. A child process then reads everything that a verb could read,
 * and changes every table. It must get the right answer or an error message, and never a signal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "own_store.h"
#include "sched/base/crc32c.h"
#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/many.h"

/* --- the store ------------------------------------------------------------------------------------ */

static void keep_checkpoint(struct db_txn *txn, void *self)
{
	checkpoint_put(txn, self);
}

/* Old checkpoints occupy pages, which are free afterwards. */
static void drop_checkpoint(struct db_txn *txn, void *self)
{
	const uint64_t *seq = self;

	checkpoint_drop(txn, *seq);
}

/* The last good copy has an earlier state than the store. */
static void fill(struct store *s, uint64_t seed)
{
	struct ledger ledger = store_ledger(s);
	struct history h;
	uint64_t seq = 0;

	history_begin(&h, seed);
	for (int i = 0; i < 150; i++) {
		struct ledger_step step = history_step(&h, 10);

		assert_true(ledger.ops->commit(ledger.self, &step, NULL));
		if (i == 100)
			assert_true(last_good_write(s, NULL));
		if (i % 40 == 0) {
			if (seq != 0)
				assert_true(db_write(s->db, drop_checkpoint, &seq, NULL));
			seq = state_view(h.st)->seq;
			assert_true(
				db_write(s->db, keep_checkpoint, (void *)(uintptr_t)state_view(h.st), NULL));
		}
	}
	history_end(&h);
	s->copy.last = 0; /* closing the store writes no copy */
}

/* --- reading -------------------------------------------------------------------------------------- */

struct digest {
	uint32_t crc;
	struct str bytes;
};

static bool add_event(void *self, const struct event *ev)
{
	struct digest *d = self;
	struct key key = key_number(ev->seq);

	str_clear(&d->bytes);
	put_event(&d->bytes, &key, ev);
	d->crc = crc32c(d->crc, d->bytes.data, d->bytes.len);
	return true;
}

static bool add_ended(void *self, const struct ended_job *ended)
{
	struct digest *d = self;
	struct key key = key_history(ended->end_s, ended->record.job.id);

	str_clear(&d->bytes);
	put_ended(&d->bytes, &key, ended);
	d->crc = crc32c(d->crc, d->bytes.data, d->bytes.len);
	return true;
}

static bool add_state(struct digest *d, struct store *s, uint64_t seq, struct err *err)
{
	struct state *st = state_new();
	bool good = store_state_at(s, seq, st, err);
	uint64_t hash = good ? state_hash(state_view(st)) : 0;

	d->crc = crc32c(d->crc, &hash, sizeof hash);
	state_free(st);
	return good;
}

/* Returns a checksum of everything that can be read; 0: reading failed with an error message. */
static uint32_t digest_of(struct store *s, struct err *err)
{
	struct digest d = {.crc = 1};
	uint64_t first, last;
	bool good = add_state(&d, s, 0, err) && store_journal_range(s, &first, &last, err) &&
		    store_journal(s, 1, false, add_event, &d, err) &&
		    store_journal(s, UINT64_MAX, true, add_event, &d, err) &&
		    store_history(s, INT64_MIN / 2, add_ended, &d, err) && add_state(&d, s, last / 2, err) &&
		    store_verify(s, err);

	d.crc = crc32c(d.crc, &last, good ? sizeof last : 0);
	str_free(&d.bytes);
	return good ? d.crc : 0;
}

/* --- changing ------------------------------------------------------------------------------------- */

/* step 1: rewrites every record with twice the length; step 2 or 3: deletes every second or third record. */
static void rewrite(struct db_txn *txn, unsigned table, unsigned step)
{
	struct key *key = mem_zero(5000, sizeof *key);
	size_t count = 0;
	struct db_cursor c = db_walk(txn, table, NULL, DB_UP);

	while (count < 5000 && db_next(&c))
		key[count++] = key_copy(c.key);
	db_stop(&c);
	for (size_t i = 0; i < count; i += step) {
		struct bytes value;

		if (step > 1)
			db_delete(txn, table, key_bytes(&key[i]));
		else if (db_get(txn, table, key_bytes(&key[i]), &value) && value.size < 4000) {
			char *copy = mem_zero(2, value.size + 1);

			memcpy(copy, value.data, value.size);
			db_put(txn, table, key_bytes(&key[i]), (struct bytes){copy, value.size * 2});
			free(copy);
		}
	}
	free(key);
}

static void rewrite_all(struct db_txn *txn, void *self)
{
	const unsigned *step = self;

	for (unsigned table = 0; table < DB_TABLE_COUNT; table++)
		rewrite(txn, table, *step);
}

static bool change_all(struct store *s, struct err *err)
{
	for (unsigned step = 1; step <= 3; step++)
		if (!db_write(s->db, rewrite_all, &step, err))
			return false;
	return true;
}

/* --- one case ------------------------------------------------------------------------------------- */

enum verdict {     /* exit status of the child; sanitizers use other numbers */
	SAME = 40, /* the same answer as without damage */
	REFUSED,
	WRONG
};

static enum verdict use_damaged(uint32_t expected)
{
	struct err err = {""};
	struct store *s = store_open(dir.path, STORE_READ, &err);
	uint32_t found = s ? digest_of(s, &err) : 0;

	if (found != 0 && found != expected)
		return WRONG;
	if (found == 0 && err.text[0] == '\0')
		return WRONG;
	store_close(s);
	s = store_open(dir.path, STORE_CHANGE, &err);
	if (s && !change_all(s, &err) && err.text[0] == '\0')
		return WRONG;
	store_close(s);
	return found != 0 ? SAME : REFUSED;
}

/* Hash of the state after each entry of the undamaged store. */
static struct {
	uint64_t *hash, *next_id, last, copied;
} known;

static bool record_state(void *self, const struct event *ev)
{
	struct event copy = *ev;

	assert_true(event_apply(self, &copy, NULL));
	known.hash[ev->seq] = state_hash(state_view(self));
	known.next_id[ev->seq] = state_view(self)->next_job_id;
	return true;
}

static void record_states(struct store *s)
{
	struct state *st = state_new();
	uint64_t first;

	assert_true(store_journal_range(s, &first, &known.last, NULL));
	known.hash = mem_zero(known.last + 1, sizeof *known.hash);
	known.next_id = mem_zero(known.last + 1, sizeof *known.next_id);
	assert_true(store_journal(s, 1, false, record_state, st, NULL));
	state_free(st);
	known.copied = last_good_entry(dir.path);
	assert_true(known.copied > 0 && known.copied < known.last);
}

/* The recovered state is one of the undamaged store, and not older than the last good copy. */
static enum verdict recover_damaged(uint32_t expected)
{
	struct store_recovery got;
	struct err err = {""};
	struct state *st = state_new();
	struct store *s = NULL;
	bool good = store_recover(dir.path, &got, &err) &&
		    (s = store_open(dir.path, STORE_CHANGE, &err)) != NULL &&
		    (got.without_launch > 0 || store_verify(s, &err)) && store_state_at(s, 0, st, &err);

	(void)expected;
	if (!good) {
		fprintf(stderr, "not recovered: %s\n", err.text);
		return WRONG;
	}
	if (got.seq < known.copied || state_view(st)->seq != got.seq + got.held || got.seq > known.last ||
	    (got.held == 0 && state_view(st)->next_job_id == known.next_id[got.seq] &&
	     state_hash(state_view(st)) != known.hash[got.seq])) {
		fprintf(stderr, "entry %llu from %s, %llu jobs lost\n", (unsigned long long)got.seq, got.base,
			(unsigned long long)got.lost);
		return WRONG;
	}
	state_free(st);
	store_close(s);
	return got.seq == known.last ? SAME : REFUSED;
}

static enum verdict judge(enum verdict (*use)(uint32_t), uint32_t expected, const char *what)
{
	static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
			signal(fatal[i], SIG_DFL);
		alarm(60);
		_exit((int)use(expected));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status))
		fail_msg("%s: signal %d", what, WTERMSIG(status));
	if (WEXITSTATUS(status) != SAME && WEXITSTATUS(status) != REFUSED)
		fail_msg("%s: %s", what, WEXITSTATUS(status) == WRONG ? "a wrong answer" : "it failed");
	return (enum verdict)WEXITSTATUS(status);
}

/* --- damage --------------------------------------------------------------------------------------- */

struct image {
	unsigned char *data;
	size_t size;
};

static struct image read_image(const char *name)
{
	struct image image = {.data = NULL};
	int fd = open(name_in(&dir, name), O_RDONLY);
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	image.size = (size_t)st.st_size;
	image.data = mem_zero(1, image.size);
	assert_int_equal(pread(fd, image.data, image.size, 0), (ssize_t)image.size);
	close(fd);
	return image;
}

static void write_image(const char *name, const unsigned char *data, size_t size)
{
	int fd = open(name_in(&dir, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(pwrite(fd, data, size, 0), (ssize_t)size);
	close(fd);
	unlink(name_in(&dir, "lock.mdb"));
}

#define PAGE 4096

static void tear(struct rng *rng, unsigned char *data, size_t size)
{
	size_t page = rng_below(rng, size / PAGE) * PAGE, other = rng_below(rng, size / PAGE) * PAGE;
	size_t begin = rng_below(rng, PAGE / 512) * 512;
	size_t part = rng_below(rng, 3) == 0 ? PAGE - begin : 512;
	unsigned kind = (unsigned)rng_below(rng, 3);

	if (kind == 0)
		memset(data + page + begin, 0, part);
	else if (kind == 1)
		memmove(data + page + begin, data + other + begin, part);
	else
		for (size_t i = 0; i < part; i++)
			data[page + begin + i] = (unsigned char)rng_u64(rng);
}

/* Half of the flips hit the structure of the file: the headers of pages and the bytes after them, and meta
 * pages. */
static void flip(struct rng *rng, unsigned char *data, size_t size)
{
	size_t at = rng_below(rng, size);
	unsigned where = (unsigned)rng_below(rng, 4);

	if (where == 1)
		at = at / PAGE * PAGE + rng_below(rng, 64);
	else if (where == 2)
		at = rng_below(rng, 2) * PAGE + rng_below(rng, 160);
	data[at] = (unsigned char)(data[at] ^ 1U << rng_below(rng, 8));
}

static size_t damage(struct rng *rng, unsigned char *data, size_t size, const char **what)
{
	switch (rng_below(rng, 6)) {
	case 0:
		*what = "a file that ends early";
		return rng_below(rng, 2) ? rng_below(rng, size) : rng_below(rng, size / PAGE) * PAGE;
	case 1:
	case 2:
		*what = "a torn page";
		tear(rng, data, size);
		return size;
	default:
		*what = "a flipped bit";
		flip(rng, data, size);
		return size;
	}
}

#define CASES 100

static void damage_is_never_a_signal_and_never_a_wrong_answer(void **state)
{
	struct rng rng = seeded("damaged stores");
	struct store *s = must_open(STORE_CHANGE);
	unsigned of[2] = {0}, complete = 0, cases = many(CASES);
	uint32_t expected;
	struct image whole, last_good;
	unsigned char *copy;
	struct err err;

	(void)state;
	fill(s, rng_u64(&rng));
	store_close(s);
	s = must_open(STORE_READ);
	expected = digest_of(s, &err);
	if (expected == 0)
		fail_msg("%s", err.text);
	record_states(s);
	store_close(s);
	whole = read_image("data.mdb");
	last_good = read_image(STORE_LAST_GOOD);
	copy = mem_zero(1, whole.size);
	for (unsigned i = 0; i < cases; i++) {
		const char *what;
		char name[64];

		memcpy(copy, whole.data, whole.size);
		size_t size = damage(&rng, copy, whole.size, &what);
		write_image("data.mdb", copy, size);
		snprintf(name, sizeof name, "case %u, %s", i, what);
		of[judge(use_damaged, expected, name) == REFUSED]++;
		write_image("data.mdb", copy, size);
		write_image(STORE_LAST_GOOD, last_good.data, last_good.size);
		complete += judge(recover_damaged, 0, name) == SAME;
		write_image(STORE_LAST_GOOD, last_good.data, last_good.size);
	}
	printf("# of %u damaged stores of %zu kB %u gave the right answer, %u an error message\n", cases,
	       whole.size >> 10, of[0], of[1]);
	printf("# all of them were recovered, %u of them to the last entry\n", complete);
	assert_true(of[1] > 0 && complete > 0);
	free(known.hash);
	free(known.next_id);
	free(last_good.data);
	free(copy);
	free(whole.data);
}

/* --- jobs after the recovered entry --------------------------------------------------------------- */

static void add_start(uint64_t job, unsigned attempt)
{
	char name[64];

	snprintf(name, sizeof name, "spool/%llu.%u", (unsigned long long)job, attempt);
	int fd = open(name_in(&dir, name), O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static const struct job *find_waiting(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		if (!(job->holds & JOB_HOLD_SYSTEM))
			return job;
	}
	fail_msg("every job of the history is held");
	return NULL;
}

static void a_job_that_was_started_after_the_recovered_entry_is_held(void **state)
{
	struct rng rng = seeded("recovery and the spool");
	struct store *s = must_open(STORE_CHANGE);
	struct state *st = state_new();
	struct store_recovery got;
	uint64_t waiting, next;
	struct err err;

	(void)state;
	fill(s, rng_u64(&rng));
	assert_true(store_state_at(s, 0, st, &err));
	waiting = find_waiting(state_view(st))->id;
	next = state_view(st)->next_job_id;
	state_free(st);
	store_close(s);
	assert_int_equal(mkdir(name_in(&dir, "spool"), 0700), 0);
	add_start(waiting, 99);
	add_start(next + 4, 1);
	if (!store_recover(dir.path, &got, &err))
		fail_msg("%s", err.text);
	assert_int_equal(got.held, 1);
	assert_int_equal(got.lost, 1);
	assert_int_equal(got.lost_job[0], next + 4);
	s = must_open(STORE_CHANGE);
	st = state_new();
	assert_true(store_state_at(s, 0, st, &err));
	assert_int_equal(state_view(st)->next_job_id, next + 5);
	for (uint32_t i = 0; i < snapshot_count(state_view(st), TABLE_WAITING); i++) {
		const struct job *job =
			&snapshot_jobs(state_view(st))[snapshot_waiting(state_view(st))[i].slot];

		if (job->id == waiting)
			assert_true(job->holds & JOB_HOLD_SYSTEM);
	}
	state_free(st);
	if (!store_verify(s, &err))
		fail_msg("%s", err.text);
	store_close(s);
}

static void add_end(struct db_txn *txn, void *self)
{
	const struct ended_job *ended = self;
	struct key key = key_history(ended->end_s, ended->record.job.id);
	struct str bytes = {0};

	put_ended(&bytes, &key, ended);
	db_put(txn, DB_HISTORY, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

/* The journal entries of its start and end are lost, but its history record is not. */
static void a_job_that_ended_after_the_recovered_entry_is_held(void **state)
{
	struct rng rng = seeded("recovery and the history");
	struct store *s = must_open(STORE_CHANGE);
	struct codec_scratch scratch = {.bypassed = NULL};
	struct ended_job ended = {.end_s = INT64_MAX / 4};
	struct state *st = state_new();
	struct store_recovery got;
	const struct job *job;
	struct err err;

	(void)state;
	fill(s, rng_u64(&rng));
	assert_true(store_state_at(s, 0, st, &err));
	job = find_waiting(state_view(st));
	ended.record = job_of(state_view(st), (uint32_t)(job - snapshot_jobs(state_view(st))), &scratch);
	assert_true(db_write(s->db, add_end, &ended, &err));
	codec_scratch_free(&scratch);
	state_free(st);
	store_close(s);
	if (!store_recover(dir.path, &got, &err))
		fail_msg("%s", err.text);
	assert_int_equal(got.held, 1);
	assert_int_equal(got.lost, 0);
}

/* --- a disk that lost writes ---------------------------------------------------------------------- */

static void an_earlier_file_in_place_of_the_store_is_refused(void **state)
{
	struct rng rng = seeded("an earlier file");
	struct store *s = must_open(STORE_CHANGE);
	struct image earlier;
	struct err err = {""};
	struct store_recovery got;

	(void)state;
	store_close(s);
	earlier = read_image("data.mdb");
	s = must_open(STORE_CHANGE);
	fill(s, rng_u64(&rng));
	store_close(s);
	write_image("data.mdb", earlier.data, earlier.size);
	assert_null(store_open(dir.path, STORE_READ, &err));
	assert_non_null(strstr(err.text, "lost its last changes"));
	assert_null(store_open(dir.path, STORE_CHANGE, &err));
	assert_true(store_recover(dir.path, &got, &err));
	assert_string_equal(got.base, "the last good copy");
	s = must_open(STORE_CHANGE);
	assert_true(store_verify(s, &err));
	store_close(s);
	free(earlier.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_job_that_was_started_after_the_recovered_entry_is_held,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_job_that_ended_after_the_recovered_entry_is_held, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(an_earlier_file_in_place_of_the_store_is_refused, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(damage_is_never_a_signal_and_never_a_wrong_answer, new_dir,
						old_dir),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
