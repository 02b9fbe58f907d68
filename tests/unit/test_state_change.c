/* SPDX-License-Identifier: MIT */
/*
 * test_state_change.c - why is a job held, whatever was held, released and undone before?
 *
 * (What changes make of settings, holds and priorities: test_state_policy.c; of attributes:
 * test_state_attribute.c; anything at random: tests/property/undo.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static uint64_t hold(struct scene *sc, uint64_t job, uint8_t bits, const char *reason)
{
	struct event ev = {
		.kind = EVENT_HOLD, .job = job, .hold = {.bits = bits, .on = true, .reason = reason}};

	scene_apply(sc, &ev);
	return ev.seq;
}

static const char *reason(const struct scene *sc, uint64_t job)
{
	return snapshot_string(scene_view(sc), scene_job_of(sc, job)->hold_reason);
}

static void the_newest_hold_in_force_says_why(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t user, system;

	(void)state;
	scene_submit(sc, 1, 100);
	user = hold(sc, 1, JOB_HOLD_USER, "not yet");
	assert_string_equal(reason(sc, 1), "not yet");
	system = hold(sc, 1, JOB_HOLD_SYSTEM, "too large");
	assert_string_equal(reason(sc, 1), "too large");
	scene_release(sc, 1, JOB_HOLD_SYSTEM);
	assert_string_equal(reason(sc, 1), "not yet");
	scene_undo(sc, user);
	assert_string_equal(reason(sc, 1), "");
	assert_int_equal(scene_job_of(sc, 1)->holds, 0);
	scene_undo(sc, scene_view(sc)->seq - 1); /* the release */
	assert_string_equal(reason(sc, 1), "too large");
	scene_undo(sc, system);
	assert_string_equal(reason(sc, 1), "");
	scene_free(sc);
}

static void a_hold_without_a_reason_has_none(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_submit(sc, 1, 100);
	hold(sc, 1, JOB_HOLD_USER, "not yet");
	scene_hold(sc, 1, JOB_HOLD_BATCH);
	assert_string_equal(reason(sc, 1), "");
	scene_release(sc, 1, JOB_HOLD_BATCH);
	assert_string_equal(reason(sc, 1), "not yet");
	scene_free(sc);
}

/* Without the release the second would have been refused. */
static void a_hold_that_sets_nothing_new_says_nothing(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t released;

	(void)state;
	scene_submit(sc, 1, 100);
	hold(sc, 1, JOB_HOLD_USER, "not yet");
	released = scene_release(sc, 1, JOB_HOLD_USER);
	hold(sc, 1, JOB_HOLD_USER, "again");
	assert_string_equal(reason(sc, 1), "again");
	scene_undo(sc, released);
	assert_string_equal(reason(sc, 1), "not yet");
	scene_free(sc);
}

static bool is_dead(const struct scene *sc, uint64_t seq)
{
	return state_find_change(scene_view(sc), seq)->dead != 0;
}

/* Undone, that undone, undone anew, and the first undo brought back: both name it then. */
static void an_entry_lives_when_no_undo_of_it_does(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t set = scene_set(sc, "xfactorweight", "7"), first, back, second;

	(void)state;
	first = scene_undo(sc, set);
	assert_true(is_dead(sc, set));
	back = scene_undo(sc, first);
	assert_true(is_dead(sc, first) && !is_dead(sc, set));
	second = scene_undo(sc, set);
	scene_undo(sc, back);
	assert_true(!is_dead(sc, first) && !is_dead(sc, second) && is_dead(sc, set));
	scene_undo(sc, second);
	assert_true(is_dead(sc, set));
	scene_undo(sc, first);
	assert_true(!is_dead(sc, set));
	scene_free(sc);
}

/* Each undo undoes the one before it, of which there are more than are looked at one by one. */
static void a_long_chain_of_undos_alternates(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t set = scene_set(sc, "xfactorweight", "7"), first, last, second;

	(void)state;
	first = last = scene_undo(sc, set);
	for (int undos = 2; undos <= 2000; undos++) {
		last = scene_undo(sc, last);
		assert_int_equal(is_dead(sc, set), undos % 2);
		assert_int_equal(is_dead(sc, first), (undos + 1) % 2);
		assert_true(is_dead(sc, last - 1) && !is_dead(sc, last));
	}
	second = scene_undo(sc, set); /* named by two, of which one is dead */
	scene_undo(sc, last);
	assert_true(is_dead(sc, set) && !is_dead(sc, first) && !is_dead(sc, second));
	scene_undo(sc, second);
	assert_true(is_dead(sc, set));
	scene_undo(sc, first);
	assert_true(!is_dead(sc, set));
	scene_free(sc);
}

static void what_was_said_at_submission_is_the_base(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_SUBMIT};
	uint64_t seq;

	(void)state;
	ev.submit = (struct job_record){
		.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 5, .base_holds = JOB_HOLD_USER},
		.hold_reason = "waits for data"};
	scene_apply(sc, &ev);
	assert_string_equal(reason(sc, 1), "waits for data");
	seq = scene_release(sc, 1, JOB_HOLD_ALL);
	assert_string_equal(reason(sc, 1), "");
	scene_undo(sc, seq);
	assert_string_equal(reason(sc, 1), "waits for data");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_hold_in_force_says_why),
		cmocka_unit_test(a_hold_without_a_reason_has_none),
		cmocka_unit_test(a_hold_that_sets_nothing_new_says_nothing),
		cmocka_unit_test(an_entry_lives_when_no_undo_of_it_does),
		cmocka_unit_test(a_long_chain_of_undos_alternates),
		cmocka_unit_test(what_was_said_at_submission_is_the_base),
	};

	return cmocka_run_group_tests_name("state_change", tests, NULL, NULL);
}
