/* SPDX-License-Identifier: MIT */
/*
 * test_state_stored.c - stored bytes of each user's jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/history.h"
#include "tests/scene.h"
#include "tests/seed.h"

/* Returns the stored bytes of a user, or 0 for an unknown user. */
static uint64_t stored_of(const struct state *st, const char *user)
{
	uint32_t i = state_find_cred(st, CRED_USER, user);

	return i == INDEX_NONE ? 0 : snapshot_creds(state_view(st))[i].stored;
}

/* Submits a job or an array of eva with launch data of this size; returns its ID. */
static uint64_t submit(struct scene *sc, uint32_t launch_size, uint32_t tasks, const char *hosts)
{
	static char launch[10000];
	const struct array_range range = {.first = 1, .last = tasks, .step = 1};
	struct event ev = {.kind = EVENT_SUBMIT, .who = "eva"};

	assert_true(launch_size <= sizeof launch);
	ev.submit.cred[CRED_USER] = "eva";
	ev.submit.hosts = hosts;
	ev.submit.launch = launch;
	ev.submit.launch_size = launch_size;
	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .true_run_s = -1,
				     .tasks = 1,
				     .task_procs = 1,
				     .real = JOB_REAL_LAUNCH};
	if (tasks > 1) {
		ev.submit.ranges = &range;
		ev.submit.range_count = 1;
	}
	scene_apply(sc, &ev);
	return ev.job;
}

static void job_counts_with_its_texts_and_launch_data(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t plain, with_hosts;

	(void)state;
	submit(sc, 0, 1, NULL);
	plain = stored_of(sc->st, "eva");
	assert_true(plain > 300 && plain < 600);
	with_hosts = submit(sc, 5000, 1, "n001 n002");
	assert_int_equal(stored_of(sc->st, "eva"), 2 * plain + 5000 + strlen("n001 n002"));
	scene_cancel(sc, with_hosts);
	assert_int_equal(stored_of(sc->st, "eva"), plain);
	scene_free(sc);
}

static void array_tasks_share_their_launch_data(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t plain, first, other;

	(void)state;
	other = submit(sc, 0, 1, NULL);
	plain = stored_of(sc->st, "eva");
	scene_cancel(sc, other);
	first = submit(sc, 5000, 3, NULL);
	assert_int_equal(stored_of(sc->st, "eva"), 3 * plain + 5000);
	other = submit(sc, 700, 2, NULL);
	assert_int_equal(stored_of(sc->st, "eva"), 5 * plain + 5700);
	scene_cancel(sc, first);
	scene_cancel(sc, first + 2);
	assert_int_equal(stored_of(sc->st, "eva"), 3 * plain + 5700);
	scene_cancel(sc, first + 1);
	assert_int_equal(stored_of(sc->st, "eva"), 2 * plain + 700);
	scene_start(sc, other, 0, 1, 1);
	scene_end(sc, other);
	assert_int_equal(stored_of(sc->st, "eva"), plain + 700);
	scene_cancel(sc, other + 1);
	assert_int_equal(stored_of(sc->st, "eva"), 0);
	scene_free(sc);
}

static void changes_count_until_their_job_leaves(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t job = submit(sc, 100, 1, NULL), plain = stored_of(sc->st, "eva"), before;

	(void)state;
	scene_hold(sc, job, JOB_HOLD_USER);
	assert_int_equal(stored_of(sc->st, "eva"), plain + state_change_bytes(NULL, NULL));
	before = stored_of(sc->st, "eva");
	scene_modify(sc, job, "hosts", "n001 n002");
	assert_int_equal(stored_of(sc->st, "eva"),
			 before + strlen("n001 n002") + state_change_bytes("hosts", "n001 n002"));
	scene_modify(sc, job, "depend", "");
	scene_set(sc, "queuetimeweight", "7"); /* belongs to no user */
	scene_cancel(sc, job);
	assert_int_equal(stored_of(sc->st, "eva"), 0);
	scene_free(sc);
}

static void an_undone_modification_still_counts_with_its_undo(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t job = submit(sc, 100, 1, NULL), plain = stored_of(sc->st, "eva");
	uint64_t seq = scene_modify(sc, job, "hosts", "n001");

	(void)state;
	scene_undo(sc, seq);
	assert_int_equal(stored_of(sc->st, "eva"),
			 plain + state_change_bytes("hosts", "n001") + state_change_bytes(NULL, NULL));
	scene_free(sc);
}

static void predicted_size_of_a_submission_is_exact(void **state)
{
	struct scene *sc = scene_new(2, 4);
	const struct array_range range = {.first = 1, .last = 4, .step = 1};
	struct job_record record = {.hosts = "n001", .launch_size = 333, .ranges = &range, .range_count = 1};

	(void)state;
	submit(sc, 333, 4, "n001");
	assert_int_equal(stored_of(sc->st, "eva"), state_submission_bytes(&record));
	scene_free(sc);
}

/* A copy of a state has its own table of arrays. */
static void copy_of_a_state_continues_counting(void **state)
{
	struct scene *sc = scene_new(2, 4), *copy;
	uint64_t first = submit(sc, 5000, 3, NULL);

	(void)state;
	copy = scene_copy(sc);
	for (uint64_t i = 0; i < 3; i++)
		scene_cancel(copy, first + i);
	assert_int_equal(stored_of(copy->st, "eva"), 0);
	assert_true(stored_of(sc->st, "eva") > 5000);
	scene_free(copy);
	scene_free(sc);
}

static void array_table_grows(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t first[300];

	(void)state;
	for (int i = 0; i < 300; i++)
		first[i] = submit(sc, 10, 2, NULL);
	for (int i = 0; i < 300; i++) {
		scene_cancel(sc, first[(i * 7) % 300]);
		scene_cancel(sc, first[(i * 7) % 300] + 1);
	}
	assert_int_equal(stored_of(sc->st, "eva"), 0);
	scene_free(sc);
}

/* state_check counts again by walking over all jobs and changes. */
static void random_operations_keep_the_counts_right(void **state)
{
	struct rng rng = seeded("bytes of a history");
	struct history h;
	uint64_t most = 0;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 600; i++) {
		struct err err = {{0}};

		history_step(&h, 8);
		if (!state_check(h.st, &err))
			fail_msg("%s", err.text);
		for (uint32_t c = 0; c < snapshot_count(state_view(h.st), TABLE_CREDS); c++)
			if (snapshot_creds(state_view(h.st))[c].stored > most)
				most = snapshot_creds(state_view(h.st))[c].stored;
	}
	assert_true(most > 1000);
	history_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_counts_with_its_texts_and_launch_data),
		cmocka_unit_test(array_tasks_share_their_launch_data),
		cmocka_unit_test(changes_count_until_their_job_leaves),
		cmocka_unit_test(an_undone_modification_still_counts_with_its_undo),
		cmocka_unit_test(predicted_size_of_a_submission_is_exact),
		cmocka_unit_test(copy_of_a_state_continues_counting),
		cmocka_unit_test(array_table_grows),
		cmocka_unit_test(random_operations_keep_the_counts_right),
	};

	return cmocka_run_group_tests_name("state_stored", tests, NULL, NULL);
}
