/* SPDX-License-Identifier: MIT */
/*
 * test_takeback.c - what does it mean to undo these entries?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/core/takeback.h"
#include "tests/scene.h"

static void what_stands_behind_another_says_what_both_lead_to(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {0};
	uint64_t seq[2];

	(void)state;
	scene_config(sc, "xfactorweight = 1000\n");
	seq[0] = scene_set(sc, "xfactorweight", "600");
	seq[1] = scene_set(sc, "xfactorweight", "700");
	takeback_want(&t, seq, 2);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.cannot, 0);
	assert_true(t.item[0].seq == seq[1] && t.item[1].seq == seq[0]);
	assert_int_equal(t.item[0].end, TAKEBACK_DONE);
	assert_non_null(strstr(t.item[1].text, "xfactorweight: 600 -> 1000"));
	takeback_clear(&t);
	scene_free(sc);
}

static void one_below_another_changes_nothing_now(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {0};
	uint64_t lower;

	(void)state;
	lower = scene_set(sc, "xfactorweight", "600");
	scene_set(sc, "xfactorweight", "700");
	takeback_want(&t, &lower, 1);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 1);
	assert_int_equal(t.item[0].end, TAKEBACK_NOTHING);
	takeback_clear(&t);
	scene_free(sc);
}

static void what_cannot_be_undone_stands_first_and_says_why(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {0};
	uint64_t job = scene_submit(sc, 1, 100), seq[2];

	(void)state;
	seq[0] = scene_priority(sc, job, JOB_ADJUST_RELATIVE, 10);
	scene_pass(sc);
	seq[1] = scene_set(sc, "procweight", "5");
	takeback_want(&t, seq, 2);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.cannot, 1);
	assert_true(t.item[0].seq == seq[0]);
	assert_int_equal(t.item[0].end, TAKEBACK_CANNOT);
	assert_true(strlen(t.item[0].text) > 0);
	takeback_clear(&t);
	scene_free(sc);
}

static void the_state_is_left_as_it_is(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {0};
	uint64_t hash;

	(void)state;
	scene_hold(sc, scene_submit(sc, 1, 100), JOB_HOLD_USER);
	scene_set(sc, "procweight", "5");
	hash = state_hash(scene_view(sc));
	takeback_want_after(&t, 0);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_true(state_hash(scene_view(sc)) == hash);
	takeback_clear(&t);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_behind_another_says_what_both_lead_to),
		cmocka_unit_test(one_below_another_changes_nothing_now),
		cmocka_unit_test(what_cannot_be_undone_stands_first_and_says_why),
		cmocka_unit_test(the_state_is_left_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
