/* SPDX-License-Identifier: MIT */
/*
 * test_state_change.c - live and undone changes, and the reason of a hold
 * The effects of changes on settings, holds and priorities are tested in test_state_policy.c, on attributes
 * in test_state_attribute.c; random changes in tests/property/undo.c.
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

static void newest_hold_in_force_provides_the_reason(void **state)
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

/* When the release is undone, the second hold becomes redundant. */
static void redundant_hold_provides_no_reason(void **state)
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

/* A change is undone, restored and undone again; then the first undo is restored, so two undos name the
 * change. */
static void change_is_live_without_a_live_undo(void **state)
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

/* Each undo undoes the previous one; the chain is longer than the part that is followed step by step. */
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
	second = scene_undo(sc, set); /* two undos name the change, one of which is undone */
	scene_undo(sc, last);
	assert_true(is_dead(sc, set) && !is_dead(sc, first) && !is_dead(sc, second));
	scene_undo(sc, second);
	assert_true(is_dead(sc, set));
	scene_undo(sc, first);
	assert_true(!is_dead(sc, set));
	scene_free(sc);
}

static void submitted_value_is_the_base(void **state)
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

/* Enough changes that the table keeps gaps for a while when changes are removed. */
#define MANY 1100

static void changes_of_other_jobs_are_kept(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t seq[MANY + 1];
	struct err err;

	(void)state;
	for (uint64_t job = 1; job <= MANY; job++)
		scene_submit(sc, 1, 100);
	for (uint64_t job = 1; job <= MANY; job++)
		seq[job] = hold(sc, job, JOB_HOLD_USER, "not yet");
	for (uint64_t job = 1; job <= MANY; job += 3) {
		struct event ev = {.kind = EVENT_UNDO, .undo.seq = seq[job]};

		scene_cancel(sc, job);
		if (job % 100 == 1)
			assert_true(state_check(sc->st, &err));
		assert_null(state_find_change(scene_view(sc), seq[job]));
		assert_string_not_equal(scene_try(sc, &ev, &err), "");
	}
	assert_int_equal(snapshot_change_count(scene_view(sc)), MANY - (MANY + 2) / 3);
	for (uint64_t job = 2; job <= MANY; job += 3) {
		assert_string_equal(reason(sc, job), "not yet");
		scene_undo(sc, seq[job]);
		assert_int_equal(scene_job_of(sc, job)->holds, 0);
	}
	assert_true(state_check(sc->st, &err));
	scene_free(sc);
}

static void gaps_are_closed_early(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	for (uint64_t job = 1; job <= MANY; job++)
		scene_submit(sc, 1, 100);
	for (uint64_t job = 1; job <= MANY; job++)
		scene_hold(sc, job, JOB_HOLD_USER);
	for (uint64_t job = 1; job < MANY; job++) {
		scene_cancel(sc, job);
		assert_true(scene_view(sc)->gone_changes <=
			    snapshot_count(scene_view(sc), TABLE_CHANGES) / 8);
	}
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 1);
	scene_free(sc);
}

/* Undos of undos, in a longer chain than is followed step by step, between changes of another job. */
static void long_series_of_undos_equals_the_last_one(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t last;
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	last = scene_hold(sc, 1, JOB_HOLD_USER);
	for (int i = 1; i <= 25; i++) {
		scene_priority(sc, 2, JOB_ADJUST_RELATIVE, i);
		last = scene_undo(sc, last);
		assert_int_equal(scene_job_of(sc, 1)->holds, i % 2 == 0 ? JOB_HOLD_USER : 0);
	}
	assert_int_equal(state_count_changes(scene_view(sc), scene_job_of(sc, 1)), 26);
	assert_int_equal(state_count_changes(scene_view(sc), scene_job_of(sc, 2)), 25);
	assert_true(state_check(sc->st, &err));
	scene_free(sc);
}

static bool is_marked(struct scene *sc, uint64_t seq)
{
	const struct change_marks *m = state_change_marks(sc->st);

	assert_false(m->all);
	for (size_t i = 0; i < m->count; i++)
		if (m->seq[i] == seq)
			return true;
	return false;
}

/* Marked changes are written to the store: new changes, and changes that became live or undone by them. */
static void undo_marks_the_changes_that_it_affects(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t other, hold, undo;

	(void)state;
	scene_submit(sc, 1, 100);
	other = scene_priority(sc, 1, JOB_ADJUST_RELATIVE, 5);
	assert_null(state_change_marks(sc->st));
	state_clear_change_marks(sc->st);
	hold = scene_hold(sc, 1, JOB_HOLD_USER);
	assert_true(is_marked(sc, hold));
	assert_false(is_marked(sc, other));
	state_clear_change_marks(sc->st);
	undo = scene_undo(sc, hold);
	assert_true(is_marked(sc, hold));
	assert_true(is_marked(sc, undo));
	state_clear_change_marks(sc->st);
	assert_false(is_marked(sc, hold));
	scene_undo(sc, undo);
	assert_true(is_marked(sc, hold));
	assert_true(is_marked(sc, undo));
	assert_false(is_marked(sc, other));
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newest_hold_in_force_provides_the_reason),
		cmocka_unit_test(a_hold_without_a_reason_has_none),
		cmocka_unit_test(redundant_hold_provides_no_reason),
		cmocka_unit_test(change_is_live_without_a_live_undo),
		cmocka_unit_test(a_long_chain_of_undos_alternates),
		cmocka_unit_test(submitted_value_is_the_base),
		cmocka_unit_test(changes_of_other_jobs_are_kept),
		cmocka_unit_test(gaps_are_closed_early),
		cmocka_unit_test(long_series_of_undos_equals_the_last_one),
		cmocka_unit_test(undo_marks_the_changes_that_it_affects),
	};

	return cmocka_run_group_tests_name("state_change", tests, NULL, NULL);
}
