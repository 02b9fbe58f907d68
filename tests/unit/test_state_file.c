/* SPDX-License-Identifier: MIT */
/*
 * test_state_file.c - packed states: round trip and damaged files
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/state/event.h"
#include "tests/seed.h"
#include "tui/serve/state_file.h"

static void apply(struct state *st, struct event *ev)
{
	struct err err;

	ev->time_s = 1000;
	ev->who = "sched";
	if (!event_apply(st, ev, &err))
		fail_msg("%s", err.text);
}

/* Returns a state with jobs of different users, names and sizes, some of them arrays. */
static struct state *with_jobs(unsigned count)
{
	struct event node = {.kind = EVENT_NODE, .node = {.name = "n1", .procs = 8}};
	struct state *st = state_new();

	apply(st, &node);
	for (unsigned i = 0; i < count; i++) {
		const struct array_range range = {0, i % 5, 1};
		char user[20], name[20];
		struct event ev = {.kind = EVENT_SUBMIT,
				   .submit = {.job = {.submit_s = 1000,
						      .not_before_s = TIME_NONE,
						      .wall_limit_s = 60 + i,
						      .true_run_s = -1,
						      .tasks = 1 + i % 3,
						      .task_procs = 1},
					      .cred = {[CRED_USER] = user},
					      .name = name}};

		snprintf(user, sizeof user, "u%u", i % 7);
		snprintf(name, sizeof name, "job %u", i);
		if (i % 10 == 0) {
			ev.submit.ranges = &range;
			ev.submit.range_count = 1;
		}
		apply(st, &ev);
	}
	return st;
}

static const struct snapshot *read_again(int fd, const void *earlier, size_t earlier_size, size_t *size)
{
	bool withdrawn;
	struct err err;
	const struct snapshot *s = state_file_read(fd, earlier, earlier_size, size, &withdrawn, &err);

	if (s == NULL)
		fail_msg("%s", err.text);
	return s;
}

static void assert_equal_snapshots(const struct snapshot *got, const struct snapshot *s)
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		assert_int_equal(got->table[i].count, s->table[i].count);
		assert_memory_equal((const char *)got + got->table[i].offset,
				    (const char *)s + s->table[i].offset,
				    (size_t)s->table[i].count * snapshot_item_size[i]);
	}
	assert_true(state_hash(got) == state_hash(s));
}

/* The largest states are read in several pieces. */
static void a_state_round_trips(void **state)
{
	const void *earlier = NULL;
	size_t size = 0, packed;
	struct err err;

	(void)state;
	for (unsigned count = 0; count < 10000; count = count * 2 + 1) {
		struct state *st = with_jobs(count);
		int fd = state_file_make(state_view(st), &packed, &err);
		const struct snapshot *got = read_again(fd, earlier, size, &size);

		assert_int_equal(size, snapshot_copy_size(state_view(st)));
		assert_equal_snapshots(got, state_view(st));
		earlier = got;
		close(fd);
		state_free(st);
	}
	memory_file_free(earlier, size);
}

static void many_jobs_take_a_quarter_of_their_memory(void **state)
{
	struct state *st = with_jobs(1000);
	size_t packed;
	struct err err;

	(void)state;
	close(state_file_make(state_view(st), &packed, &err));
	assert_true(packed < snapshot_copy_size(state_view(st)) / 4);
	state_free(st);
}

/* Sanitizers check that nothing is read or written out of bounds. */
static void a_damaged_file_is_refused_or_gives_a_state_of_its_size(void **state)
{
	struct rng rng = seeded("damaged state files");
	struct state *st = with_jobs(50);
	size_t packed, size;
	bool withdrawn;
	struct err err;
	int fd = state_file_make(state_view(st), &packed, &err);
	const unsigned char *whole = memory_file_read(fd, &packed, &withdrawn, &err);
	unsigned char *bytes = mem_alloc(packed);

	(void)state;
	for (int i = 0; i < 2000; i++) {
		size_t cut = i % 2 == 0 ? packed : rng_below(&rng, packed);
		const struct snapshot *s;
		int damaged;

		memcpy(bytes, whole, packed);
		if (cut > 0)
			bytes[rng_below(&rng, cut)] ^= (unsigned char)(1 + rng_below(&rng, 255));
		damaged = memory_file("damaged", bytes, cut, &err);
		s = state_file_read(damaged, NULL, 0, &size, &withdrawn, &err);
		assert_true(s == NULL || (cut == packed && size == snapshot_copy_size(state_view(st))));
		if (s != NULL)
			memory_file_free(s, size);
		close(damaged);
	}
	free(bytes);
	memory_file_free(whole, packed);
	close(fd);
	state_free(st);
}

static void withdrawn_file_can_be_requested_again(void **state)
{
	struct state *st = with_jobs(3);
	size_t packed, size;
	bool withdrawn = false;
	struct err err;
	int fd = state_file_make(state_view(st), &packed, &err), lent = memory_file_lend(fd, &err);

	(void)state;
	memory_file_withdraw(fd);
	assert_null(state_file_read(lent, NULL, 0, &size, &withdrawn, &err));
	assert_true(withdrawn);
	close(lent);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_round_trips),
		cmocka_unit_test(many_jobs_take_a_quarter_of_their_memory),
		cmocka_unit_test(a_damaged_file_is_refused_or_gives_a_state_of_its_size),
		cmocka_unit_test(withdrawn_file_can_be_requested_again),
	};

	return cmocka_run_group_tests_name("state_file", tests, NULL, NULL);
}
