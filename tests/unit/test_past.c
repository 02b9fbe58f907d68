/* SPDX-License-Identifier: MIT */
/*
 * test_past.c - history sent to users, and past states prepared by the background thread
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tui/serve/past.h"
#include "tui/serve/state_file.h"

struct received {
	size_t jobs;
	uint32_t launch_size;
	bool contains_path;
	char words[100]; /* features, preferences and resources of the second job */
};

static bool contains_path(const char *text)
{
	return text != NULL && strstr(text, "/home/eva/secret") != NULL;
}

static const char *text_or_none(const char *text)
{
	return text != NULL ? text : "none";
}

static bool count_record(void *self, const struct ended_job *ended)
{
	struct received *received = self;

	received->jobs++;
	received->launch_size += ended->record.launch_size;
	received->contains_path = received->contains_path || contains_path(ended->why) ||
				  contains_path(ended->output) || contains_path(ended->errors) ||
				  contains_path(ended->record.hold_reason) ||
				  contains_path(ended->record.base_reason);
	if (ended->record.job.id == 2)
		snprintf(received->words, sizeof received->words, "%s|%s|%s",
			 text_or_none(ended->record.features), text_or_none(ended->record.prefer),
			 text_or_none(ended->record.gres));
	return true;
}

/* Eva's two jobs: one failed to start, and one was cancelled while it was held after too many defers. */
static struct store *make_evas_past(void)
{
	const struct ended_job ended[] = {
		{.record = {.job = {.id = 1, .state = JOB_IDLE, .tasks = 1, .task_procs = 1},
			    .cred = {[CRED_USER] = "eva"},
			    .launch_size = 217},
		 .end_s = 1000,
		 .why = "its output /home/eva/secret cannot be used",
		 .output = "/home/eva/secret",
		 .errors = "/home/eva/secret"},
		{.record = {.job = {.id = 2, .state = JOB_IDLE, .tasks = 1, .task_procs = 1},
			    .cred = {[CRED_USER] = "eva"},
			    .features = "fast SecFeat",
			    .prefer = "SecPrefer",
			    .gres = "secgres:1 gpu:2",
			    .hold_reason = HOLD_AFTER_DEFERS "3 times, most recently: /home/eva/secret",
			    .launch_size = 300},
		 .end_s = 1001},
	};
	struct store *store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 24, NULL);
	struct ledger ledger = store_ledger(store);
	struct state *st = state_new();
	struct event ev = {.kind = EVENT_SETTING,
			   .time_s = 1001,
			   .who = "root",
			   .setting = {.name = "xfactorweight", .value = "1"}};
	const struct ledger_step step = {.event = &ev,
					 .event_count = 1,
					 .ended = ended,
					 .ended_count = sizeof ended / sizeof ended[0],
					 .after = state_view(st)};
	struct err err;

	assert_true(event_apply(st, &ev, &err));
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	state_free(st);
	return store;
}

static struct received read_past_as(struct store *store, const struct past_reader *reader)
{
	struct past_wish wish = {.journal = false};
	struct received received = {.jobs = 0};
	struct past_visit visit = {.job = count_record, .self = &received};
	struct past_piece piece;
	size_t size;
	struct err err;
	int fd = past_file(store, &wish, reader, &piece, &err);
	const void *bytes;
	bool withdrawn;

	if (fd < 0)
		fail_msg("%s", err.text);
	bytes = memory_file_read(fd, &size, &withdrawn, &err);
	assert_non_null(bytes);
	if (!past_read(bytes, size, piece.count, &wish, &visit, &err))
		fail_msg("%s", err.text);
	memory_file_free(bytes, size);
	close(fd);
	assert_int_equal(received.jobs, 2);
	return received;
}

static void script_size_and_paths_of_a_job_are_sent_only_to_its_user_and_admins(void **state)
{
	static const struct past_reader all = {.user = NULL}, eva = {.user = "eva"}, bob = {.user = "bob"},
					named = {.user = "bob", .names = true};
	static const struct past_reader *const own[] = {&all, &eva}, *const other[] = {&bob, &named};
	struct store *store = make_evas_past();

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct received received = read_past_as(store, own[i]);

		assert_int_equal(received.launch_size, 517);
		assert_true(received.contains_path);
		received = read_past_as(store, other[i]);
		assert_int_equal(received.launch_size, 0);
		assert_false(received.contains_path);
	}
	store_close(store);
}

static bool is_site_trait(const void *self, enum trait_kind kind, const char *name)
{
	(void)self;
	return strcmp(name, kind == TRAIT_FEATURE ? "fast" : "gpu") == 0;
}

/* They are also hidden in the state, while the job is idle. */
static void if_names_are_hidden_features_invented_by_a_user_are_hidden(void **state)
{
	static const struct past_reader eva = {.user = "eva"}, named = {.user = "bob", .names = true},
					bob = {.user = "bob", .is_site_trait = is_site_trait},
					unsure = {.user = "bob"};
	static const char all[] = "fast SecFeat|SecPrefer|secgres:1 gpu:2";
	struct store *store = make_evas_past();

	(void)state;
	assert_string_equal(read_past_as(store, &eva).words, all);
	assert_string_equal(read_past_as(store, &named).words, all);
	assert_string_equal(read_past_as(store, &bob).words, "fast|none|gpu:2");
	assert_string_equal(read_past_as(store, &unsure).words, "none|none|none");
	store_close(store);
}

#define ENTRIES 700
#define LARGE   60000

static struct store *make_large_past(void)
{
	static char large[LARGE];
	struct store *store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 27, NULL);
	struct ledger ledger = store_ledger(store);
	struct state *st = state_new();
	struct event ev[ENTRIES];
	struct ledger_step step = {.event = ev, .event_count = ENTRIES};
	struct err err;

	memset(large, 'x', sizeof large - 1);
	for (int i = 0; i < ENTRIES; i++) {
		ev[i] = (struct event){.kind = EVENT_SETTING,
				       .time_s = 1001,
				       .who = "root",
				       .why = large,
				       .setting = {.name = "xfactorweight", .value = "1"}};
		assert_true(event_apply(st, &ev[i], &err));
	}
	step.after = state_view(st);
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	state_free(st);
	return store;
}

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* CPU time of the fastest of 20 requests. */
static int64_t cost_of_piece_ns(struct store *store, const struct past_reader *reader)
{
	struct past_wish wish = {.journal = true};
	int64_t least_ns = INT64_MAX;

	for (int i = 0; i < 20; i++) {
		int64_t began_ns = cpu_ns(), took_ns;
		struct past_piece piece;
		struct err err;
		int fd = past_file(store, &wish, reader, &piece, &err);

		if (fd < 0)
			fail_msg("%s", err.text);
		close(fd);
		took_ns = cpu_ns() - began_ns;
		least_ns = took_ns < least_ns ? took_ns : least_ns;
		assert_true(piece.count < ENTRIES / 4);
	}
	return least_ns;
}

/* Other clients wait while a piece is read, so reading stops at the end of the piece for every reader. */
static void a_piece_costs_a_user_no_more_than_an_administrator(void **state)
{
	static const struct past_reader all = {.names = true}, bob = {.user = "bob", .names = true};
	struct store *store = make_large_past();

	(void)state;
	assert_true(cost_of_piece_ns(store, &bob) < 3 * cost_of_piece_ns(store, &all));
	store_close(store);
}

/* --- a flood ------------------------------------------------------------------------------------- */

#define FLOOD     130000 /* number of cancelled jobs of two other users, after Eva's */
#define EVAS_JOBS 100
#define STEP      10000
#define FIRST_ID  1000 /* ID of Eva's first job */

static void put_step(struct store *store, struct state *st, const struct ended_job *ended, size_t count)
{
	struct ledger ledger = store_ledger(store);
	struct event ev = {.kind = EVENT_SETTING,
			   .time_s = 5000,
			   .who = "root",
			   .setting = {.name = "xfactorweight", .value = "1"}};
	const struct ledger_step step = {.event = &ev,
					 .event_count = 1,
					 .ended = ended,
					 .ended_count = count,
					 .after = state_view(st)};
	struct err err;

	assert_true(event_apply(st, &ev, &err));
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
}

static struct ended_job ended_job(const char *user, uint64_t job, int64_t start_s, int64_t end_s)
{
	return (struct ended_job){
		.end_s = end_s,
		.record = {
			.cred = {[CRED_USER] = user},
			.job = {.id = job, .start_s = start_s, .tasks = 1, .task_procs = 1, .used_ps = -1}}};
}

static struct store *make_flooded_past(void)
{
	static struct ended_job ended[STEP];
	struct store *store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 28, NULL);
	struct state *st = state_new();

	for (size_t i = 0; i < EVAS_JOBS; i++)
		ended[i] = ended_job("eva", FIRST_ID + i, 10, 100 + (int64_t)i);
	put_step(store, st, ended, EVAS_JOBS);
	for (size_t at = 0; at < FLOOD; at += STEP) {
		for (size_t i = 0; i < STEP; i++)
			ended[i] = ended_job(i % 2 == 0 ? "atk1" : "atk2", 10000 + at + i, TIME_NONE, 5000);
		put_step(store, st, ended, STEP);
	}
	state_free(st);
	return store;
}

struct answers {
	size_t pieces, jobs;
	uint64_t first; /* ID of the first job received */
};

static bool note_first(void *self, const struct ended_job *ended)
{
	struct answers *a = self;

	if (a->jobs++ == 0)
		a->first = ended->record.job.id;
	return true;
}

/* Requests pieces until there are no more, as a client does. */
static struct answers read_all_pieces(struct store *store, const struct past_reader *reader,
				      struct past_wish wish)
{
	struct answers a = {.pieces = 0};
	struct past_piece piece = {.more = true};
	size_t handed = 0;

	while (piece.more) {
		struct past_visit visit = {.job = note_first, .self = &a};
		struct err err;
		size_t size = 0;
		bool withdrawn;
		int fd = past_file(store, &wish, reader, &piece, &err);
		const void *bytes = fd < 0 ? NULL : memory_file_read(fd, &size, &withdrawn, &err);

		if (bytes == NULL || !past_read(bytes, size, piece.count, &wish, &visit, &err))
			fail_msg("%s", err.text);
		memory_file_free(bytes, size);
		close(fd);
		a.pieces++;
		handed += piece.count;
		*(wish.jobs.backward ? &wish.jobs.before : &wish.jobs.after) = piece.at;
	}
	assert_int_equal(a.jobs, handed);
	return a;
}

static struct answers read_matching(struct store *store, const struct past_reader *reader,
				    struct history_filter jobs)
{
	return read_all_pieces(store, reader, (struct past_wish){.jobs = jobs});
}

/* The number of pieces depends on the number of matching jobs and on one scan of the keys. If the other jobs
 * were sent, each piece would contain 1000 of them.
 */
static void only_jobs_that_match_the_request_are_sent(void **state)
{
	static const struct past_reader eva = {.user = "eva", .names = true};
	const size_t scans = FLOOD / PAST_LOOKS + 1;
	struct store *store = make_flooded_past();
	struct answers a;

	(void)state;
	a = read_matching(store, &eva, (struct history_filter){.id = {{FIRST_ID, FIRST_ID}}, .id_count = 1});
	assert_int_equal(a.jobs, 1);
	assert_true(a.pieces <= scans);
	a = read_matching(store, &eva, (struct history_filter){.user = "eva"});
	assert_int_equal(a.jobs, EVAS_JOBS);
	assert_int_equal(a.first, FIRST_ID);
	assert_true(a.pieces <= scans);
	a = read_matching(store, &eva, (struct history_filter){.ran = true, .backward = true});
	assert_int_equal(a.jobs, EVAS_JOBS);
	assert_int_equal(a.first, FIRST_ID + EVAS_JOBS - 1);
	assert_true(a.pieces <= scans);
	a = read_matching(store, &eva, (struct history_filter){.before = {1000, 1}});
	assert_int_equal(a.jobs, EVAS_JOBS);
	assert_int_equal(a.pieces, 1);
	a = read_matching(store, &eva, (struct history_filter){.after = {.end_s = 0}});
	assert_int_equal(a.jobs, EVAS_JOBS + FLOOD);
	assert_true(a.pieces > scans);
	store_close(store);
}

/* The request of `kahu history` without arguments. */
static void a_request_for_own_jobs_returns_all_jobs_to_an_administrator(void **state)
{
	static const struct past_reader eva = {.user = "eva"}, root = {.names = true};
	const struct past_wish own = {.own = true};
	struct store *store = make_flooded_past();
	struct answers a;

	(void)state;
	a = read_all_pieces(store, &eva, own);
	assert_int_equal(a.jobs, EVAS_JOBS);
	assert_int_equal(a.first, FIRST_ID);
	assert_true(a.pieces <= FLOOD / PAST_LOOKS + 1);
	assert_int_equal(read_all_pieces(store, &root, own).jobs, EVAS_JOBS + FLOOD);
	store_close(store);
}

static void if_names_are_hidden_a_request_for_another_user_returns_nothing(void **state)
{
	static const struct past_reader bob = {.user = "bob"}, eva = {.user = "eva"};
	struct store *store = make_evas_past();

	(void)state;
	assert_int_equal(read_matching(store, &bob, (struct history_filter){.user = "eva"}).jobs, 0);
	assert_int_equal(read_matching(store, &eva, (struct history_filter){.user = "eva"}).jobs, 2);
	store_close(store);
}

/* --- past states -------------------------------------------------------------------------------------- */

#define EVENTS  500
#define WAIT_MS 60000
#define USER    40000 /* base of the uids in requests; must not be the uid of this process */

struct recorded {
	struct store *store;
	struct history history;
	uint64_t hash[EVENTS + 100]; /* hash of the state after each entry */
	int64_t last_s;              /* time of the last entry */
	uint64_t last;               /* number of the last entry */
	struct past_worker *past_worker;
};

static struct recorded recorded;

static int begin(void **state)
{
	struct rng rng = seeded("a history of 500 events");
	struct ledger ledger;

	(void)state;
	recorded = (struct recorded){.store = store_open(NULL, STORE_TEMP, NULL)};
	ledger = store_ledger(recorded.store);
	history_begin(&recorded.history, rng_u64(&rng));
	while (recorded.last < EVENTS) {
		struct ledger_step step = history_step(&recorded.history, 20);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		recorded.last = step.after->seq;
		recorded.last_s = step.after->now_s;
		recorded.hash[recorded.last] = state_hash(step.after);
	}
	recorded.past_worker = past_worker_new(recorded.store, NULL, NULL);
	return recorded.past_worker != NULL ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	past_worker_free(recorded.past_worker);
	history_end(&recorded.history);
	store_close(recorded.store);
	return 0;
}

static void wait_for(const struct past_request *w)
{
	struct pollfd fd = {.fd = past_worker_fd(recorded.past_worker), .events = POLLIN};

	while (!past_request_is_done(recorded.past_worker, w)) {
		assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
		past_worker_clear(recorded.past_worker);
	}
}

static struct past_request *try_ask(uid_t uid, bool whole, struct store_moment moment, struct err *err)
{
	const struct person to = {.uid = USER + uid, .user = "somebody", .group = "some"};

	return past_worker_ask(recorded.past_worker, &to, whole, moment, err);
}

static struct past_request *ask(uid_t uid, struct store_moment moment)
{
	struct err err;
	struct past_request *w = try_ask(uid, true, moment, &err);

	if (w == NULL)
		fail_msg("%s", err.text);
	return w;
}

/* Returns the inode number of the file, which identifies it. */
static ino_t check_state(struct past_request *w, uint64_t seq)
{
	struct store_moment moment;
	struct err err;
	int fd = past_request_take(w, &moment, &err);
	const struct snapshot *s;
	struct stat st;
	size_t size;

	if (fd < 0)
		fail_msg("%s", err.text);
	s = state_file_read(fd, NULL, 0, &size, &(bool){false}, &err);
	assert_non_null(s);
	assert_int_equal(moment.seq, seq);
	assert_int_equal(s->seq, seq);
	if (recorded.hash[seq] != 0)
		assert_true(state_hash(s) == recorded.hash[seq]);
	memory_file_free(s, size);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static void a_past_state_is_requested_by_entry_or_by_time(void **state)
{
	struct past_request *entry = ask(1, (struct store_moment){.seq = recorded.last / 2});
	struct past_request *second = ask(2, (struct store_moment){.time_s = recorded.last_s});

	(void)state;
	wait_for(entry);
	wait_for(second);
	check_state(entry, recorded.last / 2);
	check_state(second, recorded.last);
	past_worker_forget(recorded.past_worker, entry);
	past_worker_forget(recorded.past_worker, second);
}

static void a_request_for_a_future_entry_fails(void **state)
{
	struct past_request *w = ask(1, (struct store_moment){.seq = recorded.last + 1000});
	struct store_moment moment;
	struct err err;

	(void)state;
	wait_for(w);
	assert_int_equal(past_request_take(w, &moment, &err), -1);
	assert_non_null(strstr(err.text, "has not been written yet"));
	past_worker_forget(recorded.past_worker, w);
}

static void a_user_has_one_request_at_a_time(void **state)
{
	struct past_request *first = ask(1, (struct store_moment){.seq = 10});
	struct err err;

	(void)state;
	assert_null(try_ask(1, true, (struct store_moment){.seq = 11}, &err));
	assert_non_null(strstr(err.text, "another past state is being read"));
	past_worker_forget(recorded.past_worker, first);
	past_worker_forget(recorded.past_worker, ask(1, (struct store_moment){.seq = 11}));
}

static void the_number_of_requests_of_all_users_is_limited(void **state)
{
	struct past_request *w[PAST_REQUESTS_MAX];
	struct err err;

	(void)state;
	for (int i = 0; i < PAST_REQUESTS_MAX; i++)
		w[i] = ask((uid_t)i, (struct store_moment){.seq = (uint64_t)i + 1});
	assert_null(try_ask(100, true, (struct store_moment){.seq = 1}, &err));
	assert_non_null(strstr(err.text, "8 other past states are being read"));
	for (int i = 0; i < PAST_REQUESTS_MAX; i++) {
		wait_for(w[i]);
		check_state(w[i], (uint64_t)i + 1);
		past_worker_forget(recorded.past_worker, w[i]);
	}
}

static void requests_may_be_abandoned_at_any_time(void **state)
{
	struct err err;

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct past_request *w =
			try_ask((uid_t)i, true, (struct store_moment){.seq = recorded.last}, &err);

		if (w != NULL && i % 2 == 0)
			wait_for(w);
		past_worker_forget(recorded.past_worker, w);
	}
	(void)ask(7777, (struct store_moment){.seq = 3});
}

static ino_t past_inode(uid_t uid, bool whole, uint64_t seq)
{
	struct err err;
	struct past_request *w = try_ask(uid, whole, (struct store_moment){.seq = seq}, &err);
	struct store_moment moment;
	struct stat st;
	int fd;

	if (w == NULL)
		fail_msg("%s", err.text);
	wait_for(w);
	fd = past_request_take(w, &moment, &err);
	past_worker_forget(recorded.past_worker, w);
	if (fd < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static void unmasked_requests_for_the_same_entry_share_a_file(void **state)
{
	ino_t whole = past_inode(1, true, 200), masked = past_inode(1, false, 200);

	(void)state;
	assert_true(whole == past_inode(2, true, 200));
	assert_true(masked == past_inode(1, false, 200));
	assert_true(whole != masked);
	assert_true(masked != past_inode(2, false, 200));
	assert_true(whole != past_inode(1, true, 201));
}

static void requests_of_one_user_in_a_row_are_limited(void **state)
{

	uint64_t seq = 0;
	struct err err;
	int fd = 0;

	(void)state;
	for (int i = 0; i < 2 * PAST_REQUESTS_AT_ONCE; i++)
		past_inode(200, true, 300);
	while (fd >= 0 && seq < EVENTS) {
		struct past_request *w = ask(200, (struct store_moment){.seq = ++seq});
		struct store_moment moment;

		wait_for(w);
		fd = past_request_take(w, &moment, &err);
		if (fd >= 0)
			close(fd);
		past_worker_forget(recorded.past_worker, w);
	}
	assert_true(seq >= PAST_REQUESTS_AT_ONCE);
	assert_int_equal(fd, -1);
	assert_string_equal(err.text, "32 past states were requested in a row; try again in a moment");
	past_inode(201, true, seq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(script_size_and_paths_of_a_job_are_sent_only_to_its_user_and_admins),
		cmocka_unit_test(if_names_are_hidden_features_invented_by_a_user_are_hidden),
		cmocka_unit_test(a_piece_costs_a_user_no_more_than_an_administrator),
		cmocka_unit_test(only_jobs_that_match_the_request_are_sent),
		cmocka_unit_test(a_request_for_own_jobs_returns_all_jobs_to_an_administrator),
		cmocka_unit_test(if_names_are_hidden_a_request_for_another_user_returns_nothing),
		cmocka_unit_test(a_past_state_is_requested_by_entry_or_by_time),
		cmocka_unit_test(a_request_for_a_future_entry_fails),
		cmocka_unit_test(a_user_has_one_request_at_a_time),
		cmocka_unit_test(the_number_of_requests_of_all_users_is_limited),
		cmocka_unit_test(unmasked_requests_for_the_same_entry_share_a_file),
		cmocka_unit_test(requests_of_one_user_in_a_row_are_limited),
		cmocka_unit_test(requests_may_be_abandoned_at_any_time),
	};

	return cmocka_run_group_tests_name("past", tests, begin, end);
}
