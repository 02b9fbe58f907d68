/* SPDX-License-Identifier: MIT */
/*
 * test_past.c - what does the history tell users of jobs of others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/inside.h"
#include "tui/serve/memory_file.h"
#include "tui/serve/past.h"

struct told {
	size_t jobs;
	uint32_t launch_size;
	bool quotes_file;
};

static bool has_file(const char *text)
{
	return text != NULL && strstr(text, "/home/eva/secret") != NULL;
}

static bool look(void *self, const struct ended_job *ended)
{
	struct told *told = self;

	told->jobs++;
	told->launch_size += ended->record.launch_size;
	told->quotes_file = told->quotes_file || has_file(ended->why) || has_file(ended->output) ||
			    has_file(ended->errors) || has_file(ended->record.hold_reason) ||
			    has_file(ended->record.base_reason);
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
	struct past_wish wish = {.since_s = 0};
	struct told told = {.jobs = 0};
	struct past_visit visit = {.job = look, .self = &told};
	size_t count, written, size;
	struct err err;
	int fd = past_file(store, &wish, reader, &count, &written, &err);
	const void *bytes;
	bool withdrawn;

	if (fd < 0)
		fail_msg("%s", err.text);
	bytes = memory_file_read(fd, &size, &withdrawn, &err);
	assert_non_null(bytes);
	if (!past_read(bytes, size, count, &wish, &visit, &err))
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
		size_t count, size;
		struct err err;
		int fd = past_file(store, &wish, reader, &count, &size, &err);

		if (fd < 0)
			fail_msg("%s", err.text);
		close(fd);
		took_ns = cpu_ns() - began_ns;
		least_ns = took_ns < least_ns ? took_ns : least_ns;
		assert_true(count < ENTRIES / 4);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_run_and_which_files_it_had_is_its_users),
		cmocka_unit_test(a_piece_costs_users_no_more_than_administrators),
	};

	return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
