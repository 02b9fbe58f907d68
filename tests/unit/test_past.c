/* SPDX-License-Identifier: MIT */
/*
 * test_past.c - what does the history tell users of jobs of others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/inside.h"
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
			    .hold_reason = HOLD_AFTER_DEFERS "3 times, at last: /home/eva/secret",
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_run_and_which_files_it_had_is_its_users),
		cmocka_unit_test(names_that_a_user_made_up_are_hidden_where_names_are),
		cmocka_unit_test(a_piece_costs_users_no_more_than_administrators),
		cmocka_unit_test(a_flood_of_others_is_not_handed_to_those_who_want_something_else),
		cmocka_unit_test(who_asks_for_their_own_jobs_is_handed_these_and_an_administrator_all),
		cmocka_unit_test(where_names_are_hidden_asking_for_a_user_tells_nothing),
	};

	return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
