/* SPDX-License-Identifier: MIT */
/*
 * test_past.c - history sent to users, and past states made by the background thread
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

struct told {
	size_t jobs;
	uint32_t launch_size;
	bool quotes_file;
	char words[100]; /* features, preferences and resources of the second job */
};

static bool has_file(const char *text)
{
	return text != NULL && strstr(text, "/home/eva/secret") != NULL;
}

static const char *or_none(const char *text)
{
	return text != NULL ? text : "none";
}

static bool look(void *self, const struct ended_job *ended)
{
	struct told *told = self;

	told->jobs++;
	told->launch_size += ended->record.launch_size;
	told->quotes_file = told->quotes_file || has_file(ended->why) || has_file(ended->output) ||
			    has_file(ended->errors) || has_file(ended->record.hold_reason) ||
			    has_file(ended->record.base_reason);
	if (ended->record.job.id == 2)
		snprintf(told->words, sizeof told->words, "%s|%s|%s", or_none(ended->record.features),
			 or_none(ended->record.prefer), or_none(ended->record.gres));
	return true;
}

/* Eva's two jobs: one failed to start, and one was cancelled while it was held after too many defers. */
static struct store *evas_past(void)
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

static struct told told_to(struct store *store, const struct past_reader *reader)
{
	struct past_wish wish = {.journal = false};
	struct told told = {.jobs = 0};
	struct past_visit visit = {.job = look, .self = &told};
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
	assert_int_equal(told.jobs, 2);
	return told;
}

static void what_was_run_and_which_files_it_had_is_its_users(void **state)
{
	static const struct past_reader all = {.user = NULL}, eva = {.user = "eva"}, bob = {.user = "bob"},
					named = {.user = "bob", .names = true};
	static const struct past_reader *const own[] = {&all, &eva}, *const other[] = {&bob, &named};
	struct store *store = evas_past();

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct told told = told_to(store, own[i]);

		assert_int_equal(told.launch_size, 517);
		assert_true(told.quotes_file);
		told = told_to(store, other[i]);
		assert_int_equal(told.launch_size, 0);
		assert_false(told.quotes_file);
	}
	store_close(store);
}

static bool is_site_trait(const void *self, enum trait_kind kind, const char *name)
{
	(void)self;
	return strcmp(name, kind == TRAIT_FEATURE ? "fast" : "gpu") == 0;
}

/* As long as the job waits they are hidden as well. */
static void names_that_a_user_made_up_are_hidden_where_names_are(void **state)
{
	static const struct past_reader eva = {.user = "eva"}, named = {.user = "bob", .names = true},
					bob = {.user = "bob", .is_site_trait = is_site_trait},
					unsure = {.user = "bob"};
	static const char all[] = "fast SecFeat|SecPrefer|secgres:1 gpu:2";
	struct store *store = evas_past();

	(void)state;
	assert_string_equal(told_to(store, &eva).words, all);
	assert_string_equal(told_to(store, &named).words, all);
	assert_string_equal(told_to(store, &bob).words, "fast|none|gpu:2");
	assert_string_equal(told_to(store, &unsure).words, "none|none|none");
	store_close(store);
}

#define ENTRIES 700
#define LARGE   60000

static struct store *large_past(void)
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

/* The quickest of some. */
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

/* Nobody else is answered meanwhile: beyond a piece nothing is read, whoever asks. */
static void a_piece_costs_users_no_more_than_administrators(void **state)
{
	static const struct past_reader all = {.names = true}, bob = {.user = "bob", .names = true};
	struct store *store = large_past();

	(void)state;
	assert_true(cost_of_piece_ns(store, &bob) < 3 * cost_of_piece_ns(store, &all));
	store_close(store);
}

/* --- a flood ------------------------------------------------------------------------------------- */

#define FLOOD    130000 /* cancelled jobs of two users, before which eva's few ended */
#define EVAS     100
#define STEP     10000
#define ASKED_US 1000 /* number of a job of eva's */

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

static struct ended_job one_of(const char *user, uint64_t job, int64_t start_s, int64_t end_s)
{
	return (struct ended_job){
		.end_s = end_s,
		.record = {
			.cred = {[CRED_USER] = user},
			.job = {.id = job, .start_s = start_s, .tasks = 1, .task_procs = 1, .used_ps = -1}}};
}

static struct store *flooded_past(void)
{
	static struct ended_job ended[STEP];
	struct store *store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 28, NULL);
	struct state *st = state_new();

	for (size_t i = 0; i < EVAS; i++)
		ended[i] = one_of("eva", ASKED_US + i, 10, 100 + (int64_t)i);
	put_step(store, st, ended, EVAS);
	for (size_t at = 0; at < FLOOD; at += STEP) {
		for (size_t i = 0; i < STEP; i++)
			ended[i] = one_of(i % 2 == 0 ? "atk1" : "atk2", 10000 + at + i, TIME_NONE, 5000);
		put_step(store, st, ended, STEP);
	}
	state_free(st);
	return store;
}

struct answers {
	size_t pieces, jobs;
	uint64_t first; /* number of the first job handed out */
};

static bool note_first(void *self, const struct ended_job *ended)
{
	struct answers *a = self;

	if (a->jobs++ == 0)
		a->first = ended->record.job.id;
	return true;
}

/* As a client asks: until there is no more. */
static struct answers ask_wish(struct store *store, const struct past_reader *reader, struct past_wish wish)
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

static struct answers ask_all(struct store *store, const struct past_reader *reader,
			      struct history_filter jobs)
{
	return ask_wish(store, reader, (struct past_wish){.jobs = jobs});
}

/* What a question costs is what it is handed, and one walk over the keys: 1000 records in each piece
 * otherwise.
 */
static void a_flood_of_others_is_not_handed_to_those_who_want_something_else(void **state)
{
	static const struct past_reader eva = {.user = "eva", .names = true};
	const size_t looks = FLOOD / PAST_LOOKS + 1;
	struct store *store = flooded_past();
	struct answers a;

	(void)state;
	a = ask_all(store, &eva, (struct history_filter){.id = {{ASKED_US, ASKED_US}}, .id_count = 1});
	assert_int_equal(a.jobs, 1);
	assert_true(a.pieces <= looks);
	a = ask_all(store, &eva, (struct history_filter){.user = "eva"});
	assert_int_equal(a.jobs, EVAS);
	assert_int_equal(a.first, ASKED_US);
	assert_true(a.pieces <= looks);
	a = ask_all(store, &eva, (struct history_filter){.ran = true, .backward = true});
	assert_int_equal(a.jobs, EVAS);
	assert_int_equal(a.first, ASKED_US + EVAS - 1);
	assert_true(a.pieces <= looks);
	a = ask_all(store, &eva, (struct history_filter){.before = {1000, 1}});
	assert_int_equal(a.jobs, EVAS);
	assert_int_equal(a.pieces, 1);
	a = ask_all(store, &eva, (struct history_filter){.after = {.end_s = 0}});
	assert_int_equal(a.jobs, EVAS + FLOOD);
	assert_true(a.pieces > looks);
	store_close(store);
}

/* As `kahu history` without words asks. */
static void who_asks_for_their_own_jobs_is_handed_these_and_an_administrator_all(void **state)
{
	static const struct past_reader eva = {.user = "eva"}, root = {.names = true};
	const struct past_wish own = {.own = true};
	struct store *store = flooded_past();
	struct answers a;

	(void)state;
	a = ask_wish(store, &eva, own);
	assert_int_equal(a.jobs, EVAS);
	assert_int_equal(a.first, ASKED_US);
	assert_true(a.pieces <= FLOOD / PAST_LOOKS + 1);
	assert_int_equal(ask_wish(store, &root, own).jobs, EVAS + FLOOD);
	store_close(store);
}

static void where_names_are_hidden_asking_for_a_user_tells_nothing(void **state)
{
	static const struct past_reader bob = {.user = "bob"}, eva = {.user = "eva"};
	struct store *store = evas_past();

	(void)state;
	assert_int_equal(ask_all(store, &bob, (struct history_filter){.user = "eva"}).jobs, 0);
	assert_int_equal(ask_all(store, &eva, (struct history_filter){.user = "eva"}).jobs, 2);
	store_close(store);
}

/* --- past states -------------------------------------------------------------------------------------- */

#define EVENTS  500
#define WAIT_MS 60000
#define USER    40000 /* and those after it: none of them runs this */

struct kept {
	struct store *store;
	struct history history;
	uint64_t hash[EVENTS + 100]; /* of the state after an entry */
	int64_t last_s;
	uint64_t last;
	struct past_worker *past_worker;
};

static struct kept kept;

static int begin(void **state)
{
	struct rng rng = seeded("a history of 500 events");
	struct ledger ledger;

	(void)state;
	kept = (struct kept){.store = store_open(NULL, STORE_TEMP, NULL)};
	ledger = store_ledger(kept.store);
	history_begin(&kept.history, rng_u64(&rng));
	while (kept.last < EVENTS) {
		struct ledger_step step = history_step(&kept.history, 20);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		kept.last = step.after->seq;
		kept.last_s = step.after->now_s;
		kept.hash[kept.last] = state_hash(step.after);
	}
	kept.past_worker = past_worker_new(kept.store, NULL, NULL);
	return kept.past_worker != NULL ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	past_worker_free(kept.past_worker);
	history_end(&kept.history);
	store_close(kept.store);
	return 0;
}

static void wait_for(const struct past_request *w)
{
	struct pollfd fd = {.fd = past_worker_fd(kept.past_worker), .events = POLLIN};

	while (!past_request_is_done(kept.past_worker, w)) {
		assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
		past_worker_clear(kept.past_worker);
	}
}

static struct past_request *try(uid_t uid, bool whole, struct store_moment moment, struct err *err)
{
	const struct person to = {.uid = USER + uid, .user = "somebody", .group = "some"};

	return past_worker_ask(kept.past_worker, &to, whole, moment, err);
}

static struct past_request *ask(uid_t uid, struct store_moment moment)
{
	struct err err;
	struct past_request *w = try(uid, true, moment, &err);

	if (w == NULL)
		fail_msg("%s", err.text);
	return w;
}

/* Which file it is, so that two can be told apart. */
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
	if (kept.hash[seq] != 0)
		assert_true(state_hash(s) == kept.hash[seq]);
	memory_file_free(s, size);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static void a_state_comes_by_its_entry_or_by_a_second(void **state)
{
	struct past_request *entry = ask(1, (struct store_moment){.seq = kept.last / 2});
	struct past_request *second = ask(2, (struct store_moment){.time_s = kept.last_s});

	(void)state;
	wait_for(entry);
	wait_for(second);
	check_state(entry, kept.last / 2);
	check_state(second, kept.last);
	past_worker_forget(kept.past_worker, entry);
	past_worker_forget(kept.past_worker, second);
}

static void what_is_not_kept_is_said(void **state)
{
	struct past_request *w = ask(1, (struct store_moment){.seq = kept.last + 1000});
	struct store_moment moment;
	struct err err;

	(void)state;
	wait_for(w);
	assert_int_equal(past_request_take(w, &moment, &err), -1);
	assert_non_null(strstr(err.text, "has not been written yet"));
	past_worker_forget(kept.past_worker, w);
}

static void everybody_has_one_at_a_time(void **state)
{
	struct past_request *first = ask(1, (struct store_moment){.seq = 10});
	struct err err;

	(void)state;
	assert_null(try(1, true, (struct store_moment){.seq = 11}, &err));
	assert_non_null(strstr(err.text, "another past state is being read"));
	past_worker_forget(kept.past_worker, first);
	past_worker_forget(kept.past_worker, ask(1, (struct store_moment){.seq = 11}));
}

static void all_together_have_a_few(void **state)
{
	struct past_request *w[PAST_REQUESTS_MAX];
	struct err err;

	(void)state;
	for (int i = 0; i < PAST_REQUESTS_MAX; i++)
		w[i] = ask((uid_t)i, (struct store_moment){.seq = (uint64_t)i + 1});
	assert_null(try(100, true, (struct store_moment){.seq = 1}, &err));
	assert_non_null(strstr(err.text, "8 other past states are being read"));
	for (int i = 0; i < PAST_REQUESTS_MAX; i++) {
		wait_for(w[i]);
		check_state(w[i], (uint64_t)i + 1);
		past_worker_forget(kept.past_worker, w[i]);
	}
}

static void what_was_asked_for_may_be_left_at_any_time(void **state)
{
	struct err err;

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct past_request *w = try((uid_t)i, true, (struct store_moment){.seq = kept.last}, &err);

		if (w != NULL && i % 2 == 0)
			wait_for(w);
		past_worker_forget(kept.past_worker, w);
	}
	(void)ask(7777, (struct store_moment){.seq = 3});
}

static ino_t file_of(uid_t uid, bool whole, uint64_t seq)
{
	struct err err;
	struct past_request *w = try(uid, whole, (struct store_moment){.seq = seq}, &err);
	struct store_moment moment;
	struct stat st;
	int fd;

	if (w == NULL)
		fail_msg("%s", err.text);
	wait_for(w);
	fd = past_request_take(w, &moment, &err);
	past_worker_forget(kept.past_worker, w);
	if (fd < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static void the_same_moment_is_one_file(void **state)
{
	ino_t whole = file_of(1, true, 200), masked = file_of(1, false, 200);

	(void)state;
	assert_true(whole == file_of(2, true, 200));
	assert_true(masked == file_of(1, false, 200));
	assert_true(whole != masked);
	assert_true(masked != file_of(2, false, 200));
	assert_true(whole != file_of(1, true, 201));
}

static void one_user_has_so_many_moments_in_a_row(void **state)
{

	uint64_t seq = 0;
	struct err err;
	int fd = 0;

	(void)state;
	for (int i = 0; i < 2 * PAST_REQUESTS_AT_ONCE; i++)
		file_of(200, true, 300);
	while (fd >= 0 && seq < EVENTS) {
		struct past_request *w = ask(200, (struct store_moment){.seq = ++seq});
		struct store_moment moment;

		wait_for(w);
		fd = past_request_take(w, &moment, &err);
		if (fd >= 0)
			close(fd);
		past_worker_forget(kept.past_worker, w);
	}
	assert_true(seq >= PAST_REQUESTS_AT_ONCE);
	assert_int_equal(fd, -1);
	assert_string_equal(err.text, "32 past states were requested in a row; try again in a moment");
	file_of(201, true, seq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_run_and_which_files_it_had_is_its_users),
		cmocka_unit_test(names_that_a_user_made_up_are_hidden_where_names_are),
		cmocka_unit_test(a_piece_costs_users_no_more_than_administrators),
		cmocka_unit_test(a_flood_of_others_is_not_handed_to_those_who_want_something_else),
		cmocka_unit_test(who_asks_for_their_own_jobs_is_handed_these_and_an_administrator_all),
		cmocka_unit_test(where_names_are_hidden_asking_for_a_user_tells_nothing),
		cmocka_unit_test(a_state_comes_by_its_entry_or_by_a_second),
		cmocka_unit_test(what_is_not_kept_is_said),
		cmocka_unit_test(everybody_has_one_at_a_time),
		cmocka_unit_test(all_together_have_a_few),
		cmocka_unit_test(the_same_moment_is_one_file),
		cmocka_unit_test(one_user_has_so_many_moments_in_a_row),
		cmocka_unit_test(what_was_asked_for_may_be_left_at_any_time),
	};

	return cmocka_run_group_tests_name("past", tests, begin, end);
}
