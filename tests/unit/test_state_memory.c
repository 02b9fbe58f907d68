/* SPDX-License-Identifier: MIT */
/*
 * test_state_memory.c - do tables that lose their heads keep their items, their order and their size?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/many.h"
#include "tests/scene.h"

static void take(struct scene *sc, uint64_t job)
{
	scene_start(sc, job, 0, 1, 1);
	scene_end(sc, job);
}

static void the_head_leaves_and_the_rest_stays_where_it_is(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct waiting *second;

	(void)state;
	for (int i = 0; i < 40; i++)
		scene_submit(sc, 1, 100);
	second = &snapshot_waiting(scene_view(sc))[1];
	take(sc, 1);
	assert_ptr_equal(snapshot_waiting(scene_view(sc)), second);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 39);
	scene_free(sc);
}

static void a_queue_that_many_pass_through_needs_no_more_memory(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct snapshot *block;

	(void)state;
	for (int i = 0; i < 10; i++)
		scene_submit(sc, 1, 100);
	block = scene_view(sc);
	for (uint64_t id = 1; id <= 1000; id++) {
		scene_submit(sc, 1, 100);
		take(sc, id);
		assert_ptr_equal(scene_view(sc), block);
	}
	scene_free(sc);
}

/* The state as it is, its copy, and a state that begins with it. */
static void check_copies(const struct scene *sc)
{
	struct snapshot *copy = snapshot_copy(scene_view(sc));
	struct state *again = state_from_snapshot(scene_view(sc));
	uint64_t hash = state_hash(scene_view(sc));
	struct err err;

	assert_int_equal(copy->size, snapshot_copy_size(scene_view(sc)));
	assert_true(state_hash(copy) == hash);
	assert_true(state_hash(state_view(again)) == hash);
	if (!state_check(again, &err))
		fail_msg("%s", err.text);
	free(copy);
	state_free(again);
}

/* The head two times of three: then tables slide; else anywhere. */
static uint32_t pick(struct rng *rng, uint32_t count)
{
	return rng_below(rng, 3) == 0 ? (uint32_t)rng_below(rng, count) : 0;
}

static void one_happens(struct scene *sc, struct rng *rng)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING), running = snapshot_count(s, TABLE_RUNNING);
	uint64_t what = rng_below(rng, 3);

	if (what == 0 && waiting > 0)
		scene_start(sc, snapshot_jobs(s)[snapshot_waiting(s)[pick(rng, waiting)].slot].id, 0, 1, 1);
	else if (what == 1 && running > 0)
		scene_end(sc, snapshot_jobs(s)[snapshot_running(s)[pick(rng, running)]].id);
	else
		scene_submit(sc, 1, 1 + (int64_t)rng_below(rng, 1000));
}

/* scene.c looks at order and sums after each event. */
static void jobs_that_leave_from_anywhere_leave_the_others_in_order(void **state)
{
	struct rng rng = seeded("jobs that leave");
	struct scene *sc = scene_new(1, 1000000);

	(void)state;
	for (unsigned i = 0; i < many(3000); i++) {
		one_happens(sc, &rng);
		if (i % 50 == 0)
			check_copies(sc);
	}
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_leaves_and_the_rest_stays_where_it_is),
		cmocka_unit_test(a_queue_that_many_pass_through_needs_no_more_memory),
		cmocka_unit_test(jobs_that_leave_from_anywhere_leave_the_others_in_order),
	};

	return cmocka_run_group_tests_name("state_memory", tests, NULL, NULL);
}
