/* SPDX-License-Identifier: MIT */
/*
 * test_state_policy.c - which policy is in force after changes, and after their undo?
 *
 * (At random, against the live entries alone: tests/property/undo.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static double weight(const struct scene *sc, enum prio_factor f)
{
	return scene_view(sc)->policy.weights.factor[f];
}

static double night_weight(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	assert_true(snapshot_count(s, TABLE_PARTITIONS) > 1);
	return snapshot_partitions(s)[1].weights.factor[PRIO_SERV_XFACTOR];
}

static struct scene *configured(void)
{
	struct scene *sc = scene_new(2, 2);

	scene_config(
		sc,
		"xfactorweight = 10\nuser john { priority = 5 }\npartition night { xfactorweight = 30 }\n");
	return sc;
}

static void the_newest_setting_wins_over_the_configuration(void **state)
{
	struct scene *sc = configured();

	(void)state;
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_set(sc, "xfactorweight", "20");
	scene_set(sc, "XFACTORWEIGHT", "21.5");
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 21.5);
	scene_free(sc);
}

static void a_setting_undone_leaves_the_one_before(void **state)
{
	struct scene *sc = configured();
	uint64_t first = scene_set(sc, "xfactorweight", "20"), second = scene_set(sc, "xfactorweight", "21");

	(void)state;
	scene_undo(sc, first);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 21);
	scene_undo(sc, second);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_free(sc);
}

static void an_undo_can_be_undone(void **state)
{
	struct scene *sc = configured();
	uint64_t undo, redo;

	(void)state;
	undo = scene_undo(sc, scene_set(sc, "xfactorweight", "20"));
	redo = scene_undo(sc, undo);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 20);
	scene_undo(sc, redo);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_free(sc);
}

static void partitions_begin_with_the_weights_of_all(void **state)
{
	struct scene *sc = configured();
	const struct snapshot *s;

	(void)state;
	scene_set(sc, "procweight", "4");
	s = scene_view(sc);
	assert_true(snapshot_partitions(s)[1].weights.factor[PRIO_RES_PROC] == 4);
	scene_set(sc, "xfactorweight", "11");
	assert_true(night_weight(sc) == 30);
	scene_undo(sc, scene_set(sc, "partition[night].xfactorweight", "31"));
	assert_true(night_weight(sc) == 30);
	scene_free(sc);
}

static void a_new_configuration_keeps_live_changes(void **state)
{
	struct scene *sc = configured();
	uint64_t seq = scene_set(sc, "xfactorweight", "20");

	(void)state;
	scene_config(sc, "xfactorweight = 12\nprocweight = 3\n");
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 20);
	assert_true(weight(sc, PRIO_RES_PROC) == 3);
	assert_true(night_weight(sc) == 20);
	scene_undo(sc, seq);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 12);
	scene_free(sc);
}

static void credentials_can_be_set_before_anybody_has_them(void **state)
{
	struct scene *sc = configured();
	uint32_t at;

	(void)state;
	scene_set(sc, "qos[new].qtweight", "7");
	at = snapshot_find_cred(scene_view(sc), CRED_QOS, "new");
	assert_true(at != INDEX_NONE);
	assert_true(snapshot_creds(scene_view(sc))[at].attr.qt_weight == 7);
	assert_false(scene_view(sc)->ranks_equal);
	scene_free(sc);
}

static void ranks_are_equal_only_when_no_weight_counts(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	assert_false(scene_view(sc)->ranks_equal);
	scene_set(sc, "queuetimeweight", "0");
	assert_true(scene_view(sc)->ranks_equal);
	scene_undo(sc, scene_set(sc, "partition[night].procweight", "1"));
	assert_true(scene_view(sc)->ranks_equal);
	scene_set(sc, "qos[hi].xfweight", "1");
	assert_false(scene_view(sc)->ranks_equal);
	scene_free(sc);
}

static void holds_are_set_and_released_kind_by_kind(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER}), system, all;

	(void)state;
	system = scene_hold(sc, job, JOB_HOLD_SYSTEM);
	assert_int_equal(scene_job_of(sc, job)->holds, JOB_HOLD_USER | JOB_HOLD_SYSTEM);
	all = scene_release(sc, job, JOB_HOLD_ALL);
	assert_int_equal(scene_job_of(sc, job)->holds, 0);
	assert_int_equal(scene_job_of(sc, job)->base_holds, JOB_HOLD_USER);
	scene_undo(sc, system);
	assert_int_equal(scene_job_of(sc, job)->holds, 0);
	scene_undo(sc, all);
	assert_int_equal(scene_job_of(sc, job)->holds, JOB_HOLD_USER);
	scene_free(sc);
}

static void a_priority_is_that_of_the_newest_live_entry(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_submit(sc, 1, 100), relative, absolute;

	(void)state;
	relative = scene_priority(sc, job, JOB_ADJUST_RELATIVE, -40);
	absolute = scene_priority(sc, job, JOB_ADJUST_ABSOLUTE, 5);
	assert_int_equal(scene_view(sc)->adjusted, 1);
	scene_undo(sc, relative);
	assert_int_equal(scene_job_of(sc, job)->adjust, JOB_ADJUST_ABSOLUTE);
	assert_int_equal(scene_job_of(sc, job)->points, 5);
	scene_undo(sc, absolute);
	assert_int_equal(scene_job_of(sc, job)->adjust, JOB_ADJUST_NONE);
	assert_int_equal(scene_job_of(sc, job)->points, 0);
	assert_int_equal(scene_view(sc)->adjusted, 0);
	scene_free(sc);
}

static void changes_leave_with_their_job(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_submit(sc, 1, 100), setting = scene_set(sc, "xfactorweight", "2");

	(void)state;
	scene_undo(sc, scene_hold(sc, job, JOB_HOLD_USER));
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 3);
	scene_pass(sc);
	scene_end(sc, job);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 1);
	assert_int_equal(state_find_change(scene_view(sc), setting)->seq, setting);
	assert_null(state_find_change(scene_view(sc), setting + 1));
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_setting_wins_over_the_configuration),
		cmocka_unit_test(a_setting_undone_leaves_the_one_before),
		cmocka_unit_test(an_undo_can_be_undone),
		cmocka_unit_test(partitions_begin_with_the_weights_of_all),
		cmocka_unit_test(a_new_configuration_keeps_live_changes),
		cmocka_unit_test(credentials_can_be_set_before_anybody_has_them),
		cmocka_unit_test(ranks_are_equal_only_when_no_weight_counts),
		cmocka_unit_test(holds_are_set_and_released_kind_by_kind),
		cmocka_unit_test(a_priority_is_that_of_the_newest_live_entry),
		cmocka_unit_test(changes_leave_with_their_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
