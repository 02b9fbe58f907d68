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

static struct scene *scene_of_site(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, site);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_add(sc, (struct scene_job){.user = "bob"});
	return sc;
}

/* name: as of today `now`; with another number it is written as `text` and taken so by the state. */
static void expect(const char *name, double now, double number, const char *text)
{
	struct scene *sc = scene_of_site();
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

static void the_weight_of_a_factor_that_is_0_for_all_is_weightless(void **state)
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
	assert_false(is_weightless(sc, "reservationdepth")); /* no weight */
	scene_set(sc, "fspolicy", "dedicatedps");
	assert_false(is_weightless(sc, "fsuserweight"));
	scene_add(sc, (struct scene_job){.user = "bob", .qos = "hi"});
	sc->now_s = 30;
	assert_false(is_weightless(sc, "targetqueuetimeweight"));
	scene_apply(sc, &ev);
	assert_false(is_weightless(sc, "diskweight")); /* a setting is to be taken back */
	scene_undo(sc, ev.seq);
	assert_true(is_weightless(sc, "diskweight"));
	ev = (struct event){.kind = EVENT_REQUEUE, .job = 1};
	scene_apply(sc, &ev);
	assert_false(is_weightless(sc, "diskweight")); /* job 1 will wait again */
	scene_free(sc);
}

static void numbers_of_all_kinds_are_found_and_written(void **state)
{
	(void)state;
	expect("xfactorweight", 1000, 600, "600");
	expect("XFactorWeight", 1000, 0.5, "0.5");
	expect("queuetimeweight", 1.5, -3, "-3");
	expect("fsinterval", 43200, 3600, "3600");
	expect("user[eva].fstarget", 25, 40, "40+");
	expect("user[eva].qttarget", 3600, 60, "60");
	expect("class[fast].max.proc", 4, 9, "9");
	expect("partition[night].xfactorweight", 7, 8, "8");
	expect("reservationdepth[2]", 3, 5, "5");
	expect("reservationdepth", 1, 4, "4");
}

/* The weights in force of a partition are found however its name is written. */
static void partition_names_are_compared_without_case(void **state)
{
	(void)state;
	expect("partition[NIGHT].xfactorweight", 7, 8, "8");
	expect("partition[Night].queuetimeweight", 1.5, 2, "2");
}

static void an_end_of_a_range_is_a_number(void **state)
{
	struct scene *sc = scene_of_site();
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

static void the_number_of_a_limit_is_its_soft_part(void **state)
{
	(void)state;
	expect("user[eva].maxps", 72000, 98696, "98696,1080000");
	expect("user[eva].maxps", 72000, 2000000, "2000000");
	expect("system.maxjob", 50, 60, "60");
}

static void a_limit_for_each_member_holds_for_one(void **state)
{
	(void)state;
	expect("user[bob].maxjob", 8, 3, "3");
	expect("account[none].maxps[user:eva]", 500, 600, "600,900");
	expect("account[none].maxps[user]", 500, 1000, "1000");
}

/* The number that is in force of a limit on one of two; false: none is. */
static bool in_force(struct scene *sc, const char *name, double *now)
{
	struct arena arena = {0};
	struct knob knob;

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	*now = knob.now;
	arena_free(&arena);
	return knob.is_set;
}

static void a_limit_of_one_member_is_that_members_alone(void **state)
{
	struct scene *sc = scene_new(1, 4);
	double now;

	(void)state;
	scene_config(sc, "group staff { maxproc = {\"USER:eva=4\"} }\ngroup team { maxproc = {\"USER=9\", "
			 "\"USER:eva=4\"} }\n");
	assert_true(in_force(sc, "group[staff].maxproc[user:eva]", &now) && now == 4);
	assert_false(in_force(sc, "group[staff].maxproc[user:bob]", &now)); /* as long a name */
	assert_false(in_force(sc, "group[staff].maxproc[user:ev]", &now));
	assert_true(in_force(sc, "group[team].maxproc[user:bob]", &now) && now == 9);
	assert_true(in_force(sc, "group[team].maxproc[user:eva]", &now) && now == 4);
	scene_free(sc);
}

static void a_removed_limit_is_not_set(void **state)
{
	struct scene *sc = scene_of_site();
	double now;

	(void)state;
	scene_set(sc, "user[eva].maxps", "unlimited");
	assert_false(in_force(sc, "user[eva].maxps", &now));
	assert_true(now == 0);
	assert_false(in_force(sc, "reservationdepth[3]", &now));
	assert_true(now == 0);
	scene_free(sc);
}

static void of_a_limit_both_parts_are_read(void **state)
{
	struct scene *sc = scene_of_site();
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
	struct scene *sc = scene_of_site();
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
	struct scene *sc = scene_of_site();
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
	struct scene *sc = scene_of_site();
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

static void a_range_is_around_todays_value(void **state)
{
	struct scene *sc = scene_of_site();
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

static void whole_numbers_are_tried_unless_they_are_too_coarse(void **state)
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
		cmocka_unit_test(whole_numbers_are_tried_unless_they_are_too_coarse),
		cmocka_unit_test(numbers_of_all_kinds_are_found_and_written),
		cmocka_unit_test(the_weight_of_a_factor_that_is_0_for_all_is_weightless),
		cmocka_unit_test(partition_names_are_compared_without_case),
		cmocka_unit_test(an_end_of_a_range_is_a_number),
		cmocka_unit_test(the_number_of_a_limit_is_its_soft_part),
		cmocka_unit_test(a_limit_for_each_member_holds_for_one),
		cmocka_unit_test(an_option_without_a_value_is_not_set),
		cmocka_unit_test(a_limit_of_one_member_is_that_members_alone),
		cmocka_unit_test(a_removed_limit_is_not_set),
		cmocka_unit_test(of_a_limit_both_parts_are_read),
		cmocka_unit_test(an_option_that_is_not_a_number_is_refused),
		cmocka_unit_test(values_are_read_in_the_syntax_of_the_option),
		cmocka_unit_test(a_range_is_around_todays_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
