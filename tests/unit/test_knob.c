/* SPDX-License-Identifier: MIT */
/*
 * test_knob.c - options as numbers that can be read, varied and set
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/policy/knob.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

static const char site[] = "xfactorweight = 1000\nqueuetimeweight = 1.5\nfsinterval = \"12:00:00\"\n"
			   "user eva { maxps = {\"72000,1080000\"} fstarget = \"25.0+\" qttarget = 3600 }\n"
			   "user DEFAULT { maxjob = 8 }\n"
			   "account none { maxps = {\"USER=500,900\"} }\n"
			   "class fast { max.proc = 4 }\n"
			   "partition night { xfactorweight = 7 }\n"
			   "reservationlevel 2 { reservationdepth = 3 }\n"
			   "system { maxjob = 50 }\n";

static struct scene *site_scene(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, site);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_add(sc, (struct scene_job){.user = "bob"});
	return sc;
}

/* The option has the value `now`. Checks that setting it to `number` writes `text`, which the state accepts.
 */
static void check_knob(const char *name, double now, double number, const char *text)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct event ev;
	struct state *st;
	struct knob knob;

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	assert_true(knob.is_set);
	assert_true(knob.now == now);
	ev = knob_event(&knob, number, &arena);
	assert_string_equal(ev.setting.value, text);
	st = draft_make(scene_view(sc), &ev, 1, NULL, NULL);
	assert_non_null(st);
	assert_true(knob_find(&knob, state_view(st), name, &arena, NULL));
	assert_true(knob.now == number);
	state_free(st);
	arena_free(&arena);
	scene_free(sc);
}

static bool is_weightless(const struct scene *sc, const char *name)
{
	struct arena arena = {0};
	struct knob knob;
	bool weightless;

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	weightless = knob_is_weightless(&knob, scene_view(sc), sc->now_s);
	arena_free(&arena);
	return weightless;
}

static void a_weight_without_effect_on_any_job_is_weightless(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SETTING,
			   .until_s = 100,
			   .setting = {.name = "user[bob].priority", .value = "5"}};

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nclass fast { priority = 5 }\nqos hi { qttarget = 60 }\n");
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob"});
	scene_add(sc, (struct scene_job){.user = "eva", .class_name = "fast", .mem_mb = 7});
	assert_true(is_weightless(sc, "userweight"));
	assert_false(is_weightless(sc, "classweight"));
	assert_true(is_weightless(sc, "diskweight"));
	assert_false(is_weightless(sc, "memweight"));
	assert_false(is_weightless(sc, "procweight"));
	assert_true(is_weightless(sc, "targetqueuetimeweight"));
	assert_false(is_weightless(sc, "queuetimeweight"));
	assert_false(is_weightless(sc, "bypassweight"));
	assert_true(is_weightless(sc, "fsuserweight"));
	assert_true(is_weightless(sc, "usageconsumedweight"));
	assert_false(is_weightless(sc, "reservationdepth")); /* not a weight */
	scene_set(sc, "fspolicy", "dedicatedps");
	assert_false(is_weightless(sc, "fsuserweight"));
	scene_add(sc, (struct scene_job){.user = "bob", .qos = "hi"});
	sc->now_s = 30;
	assert_false(is_weightless(sc, "targetqueuetimeweight"));
	scene_apply(sc, &ev);
	assert_false(is_weightless(sc, "diskweight")); /* a temporary setting will be undone */
	scene_undo(sc, ev.seq);
	assert_true(is_weightless(sc, "diskweight"));
	ev = (struct event){.kind = EVENT_REQUEUE, .job = 1};
	scene_apply(sc, &ev);
	assert_false(is_weightless(sc, "diskweight")); /* job 1 will be idle again */
	scene_free(sc);
}

static void numbers_of_all_kinds_are_found_and_written(void **state)
{
	(void)state;
	check_knob("xfactorweight", 1000, 600, "600");
	check_knob("XFactorWeight", 1000, 0.5, "0.5");
	check_knob("queuetimeweight", 1.5, -3, "-3");
	check_knob("fsinterval", 43200, 3600, "3600");
	check_knob("user[eva].fstarget", 25, 40, "40+");
	check_knob("user[eva].qttarget", 3600, 60, "60");
	check_knob("class[fast].max.proc", 4, 9, "9");
	check_knob("partition[night].xfactorweight", 7, 8, "8");
	check_knob("reservationdepth[2]", 3, 5, "5");
	check_knob("reservationdepth", 1, 4, "4");
}

/* The weights of a partition are found in any case of its name. */
static void partition_names_are_compared_without_case(void **state)
{
	(void)state;
	check_knob("partition[NIGHT].xfactorweight", 7, 8, "8");
	check_knob("partition[Night].queuetimeweight", 1.5, 2, "2");
}

static void both_ends_of_a_range_must_be_numbers(void **state)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	struct err err;
	double lo, hi;

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxps", &arena, NULL));
	assert_true(knob_read_ends(&knob, "1", "1000000000000000", &lo, &hi, &err));
	assert_true(lo == 1 && hi == 1e15);
	assert_false(knob_read_ends(&knob, "1", "unlimited", &lo, &hi, &err));
	assert_string_equal(err.text, "unlimited cannot be the end of a range: user[eva].maxps allows "
				      "1000000000000000 at most");
	assert_false(knob_read_ends(&knob, "unlimited", "1", &lo, &hi, &err));
	arena_free(&arena);
	scene_free(sc);
}

static void the_value_of_a_limit_is_its_soft_part(void **state)
{
	(void)state;
	check_knob("user[eva].maxps", 72000, 98696, "98696,1080000");
	check_knob("user[eva].maxps", 72000, 2000000, "2000000");
	check_knob("system.maxjob", 50, 60, "60");
}

static void a_default_limit_applies_to_each_member(void **state)
{
	(void)state;
	check_knob("user[bob].maxjob", 8, 3, "3");
	check_knob("account[none].maxps[user:eva]", 500, 600, "600,900");
	check_knob("account[none].maxps[user]", 500, 1000, "1000");
}

/* Reads the value in force. False: the option is not set. */
static bool read_knob(struct scene *sc, const char *name, double *now)
{
	struct arena arena = {0};
	struct knob knob;

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	*now = knob.now;
	arena_free(&arena);
	return knob.is_set;
}

static void a_limit_for_one_member_applies_to_no_other(void **state)
{
	struct scene *sc = scene_new(1, 4);
	double now;

	(void)state;
	scene_config(sc, "group staff { maxproc = {\"USER:eva=4\"} }\ngroup team { maxproc = {\"USER=9\", "
			 "\"USER:eva=4\"} }\n");
	assert_true(read_knob(sc, "group[staff].maxproc[user:eva]", &now) && now == 4);
	assert_false(read_knob(sc, "group[staff].maxproc[user:bob]", &now)); /* a name of the same length */
	assert_false(read_knob(sc, "group[staff].maxproc[user:ev]", &now));
	assert_true(read_knob(sc, "group[team].maxproc[user:bob]", &now) && now == 9);
	assert_true(read_knob(sc, "group[team].maxproc[user:eva]", &now) && now == 4);
	scene_free(sc);
}

static void a_removed_limit_is_not_set(void **state)
{
	struct scene *sc = site_scene();
	double now;

	(void)state;
	scene_set(sc, "user[eva].maxps", "unlimited");
	assert_false(read_knob(sc, "user[eva].maxps", &now));
	assert_true(now == 0);
	assert_false(read_knob(sc, "reservationdepth[3]", &now));
	assert_true(now == 0);
	scene_free(sc);
}

static void both_parts_of_a_limit_are_checked(void **state)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	struct err err = {""};
	double number;

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxjob", &arena, NULL));
	assert_true(knob_read(&knob, "3,7", &number, NULL) && number == 3);
	assert_false(knob_read(&knob, "3,x", &number, &err));
	assert_true(err.text[0] != '\0');
	arena_free(&arena);
	scene_free(sc);
}

static void an_option_without_a_value_is_not_set(void **state)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	struct event ev;

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxnode", &arena, NULL));
	assert_false(knob.is_set);
	ev = knob_event(&knob, 3, &arena);
	assert_string_equal(ev.setting.value, "3");
	assert_true(knob_find(&knob, scene_view(sc), "user[bob].fstarget", &arena, NULL));
	assert_false(knob.is_set);
	ev = knob_event(&knob, 30, &arena);
	assert_string_equal(ev.setting.value, "30");
	arena_free(&arena);
	scene_free(sc);
}

static void an_option_that_is_not_a_number_is_refused(void **state)
{
	static const char *const name[] = {"backfillpolicy", "user[eva].qdef", "node[n001].priority",
					   "xfactorwait", "user.maxjob"};
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		err.text[0] = '\0';
		assert_false(knob_find(&knob, scene_view(sc), name[i], &arena, &err));
		assert_true(err.text[0] != '\0');
	}
	arena_free(&arena);
	scene_free(sc);
}

static void values_are_read_in_the_syntax_of_the_option(void **state)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	double number;

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "fsinterval", &arena, NULL));
	assert_true(knob_read(&knob, "1:00:00", &number, NULL));
	assert_true(number == 3600);
	assert_false(knob_read(&knob, "soon", &number, NULL));
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxwc", &arena, NULL));
	assert_true(knob_read(&knob, "1:00:00,2:00:00", &number, NULL));
	assert_true(number == 3600);
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].fstarget", &arena, NULL));
	assert_true(knob_read(&knob, "12.5+", &number, NULL));
	assert_true(number == 12.5);
	arena_free(&arena);
	scene_free(sc);
}

static void the_default_range_surrounds_the_current_value(void **state)
{
	struct scene *sc = site_scene();
	struct arena arena = {0};
	struct knob knob;
	double lo, hi;

	(void)state;
	knob_find(&knob, scene_view(sc), "xfactorweight", &arena, NULL);
	knob_range(&knob, &lo, &hi);
	assert_true(lo == 0 && hi == 10000);
	knob.now = -1000;
	knob_range(&knob, &lo, &hi);
	assert_true(lo == -10000 && hi == 10000);
	knob_find(&knob, scene_view(sc), "fsdecay", &arena, NULL);
	knob_range(&knob, &lo, &hi);
	assert_true(lo == 0 && hi == 1);
	arena_free(&arena);
	scene_free(sc);
}

static void steps_are_whole_numbers_unless_these_are_too_coarse(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct arena arena = {0};
	struct knob knob;
	double lo, hi;

	(void)state;
	scene_config(sc, "fsdecay = 0.5\nprocweight = 12.5\nuserweight = 0.25\n");
	assert_true(knob_find(&knob, scene_view(sc), "procweight", &arena, NULL));
	assert_int_equal(knob.parts, 1);
	assert_true(knob_ceil(&knob, 12.5) == 13 && knob_floor(&knob, 12.5) == 12);
	assert_true(knob_find(&knob, scene_view(sc), "userweight", &arena, NULL));
	assert_int_equal(knob.parts, KNOB_PARTS);
	assert_true(knob_find(&knob, scene_view(sc), "reservationdepth", &arena, NULL));
	assert_int_equal(knob.parts, 1);
	assert_true(knob_find(&knob, scene_view(sc), "fsdecay", &arena, NULL));
	assert_int_equal(knob.parts, KNOB_PARTS);
	assert_true(knob_ceil(&knob, 0.2501) == 0.251 && knob_floor(&knob, 0.2509) == 0.25);
	knob_range(&knob, &lo, &hi);
	assert_true(lo == 0 && hi == 1);
	arena_free(&arena);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_whole_numbers_unless_these_are_too_coarse),
		cmocka_unit_test(numbers_of_all_kinds_are_found_and_written),
		cmocka_unit_test(a_weight_without_effect_on_any_job_is_weightless),
		cmocka_unit_test(partition_names_are_compared_without_case),
		cmocka_unit_test(both_ends_of_a_range_must_be_numbers),
		cmocka_unit_test(the_value_of_a_limit_is_its_soft_part),
		cmocka_unit_test(a_default_limit_applies_to_each_member),
		cmocka_unit_test(an_option_without_a_value_is_not_set),
		cmocka_unit_test(a_limit_for_one_member_applies_to_no_other),
		cmocka_unit_test(a_removed_limit_is_not_set),
		cmocka_unit_test(both_parts_of_a_limit_are_checked),
		cmocka_unit_test(an_option_that_is_not_a_number_is_refused),
		cmocka_unit_test(values_are_read_in_the_syntax_of_the_option),
		cmocka_unit_test(the_default_range_surrounds_the_current_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
