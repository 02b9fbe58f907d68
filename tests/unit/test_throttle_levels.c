/* SPDX-License-Identifier: MIT */
/*
 * test_throttle_levels.c - what do soft and hard limits stop, and those of idle jobs and of one job alone?
 *
 * With ids, the worked examples of the guide's section on throttling; and when what stops a job clears.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/rng.h"
#include "tests/seed.h"
#include "tests/unit/throttled.h"

/* --- soft and hard ------------------------------------------------------------------------------------- */

static void t30_each_value_of_the_table_at_both_levels(void **state)
{
	struct scene *sc =
		site("user steve { maxjob = {\"2,4\"} maxnode = {\"15,30\"} }\n"
		     "group staff { maxjob = {\"2,5\"} }\nclass DEFAULT { maxnode = {\"16,32\"} }\n"
		     "class batch { maxnode = {\"12,32\"} }\n"
		     "qos hiprio { maxjob = {\"3,5\"} maxnode = {\"32,64\"} }\n");
	static const struct {
		struct scene_job asked;
		const char *soft, *hard;
	} rows[] = {
		{{.user = "steve", .procs = 15, .nodes = 15}, "", ""},
		{{.user = "steve", .procs = 16, .nodes = 16}, "MAXNODE steve 0+16>15", ""},
		{{.user = "steve", .procs = 31, .nodes = 31},
		 "MAXNODE steve 0+31>15",
		 "MAXNODE steve 0+31>30"},
		{{.class_name = "x", .procs = 17, .nodes = 17}, "MAXNODE x 0+17>16", ""},
		{{.class_name = "x", .procs = 33, .nodes = 33}, "MAXNODE x 0+33>16", "MAXNODE x 0+33>32"},
		{{.class_name = "batch", .procs = 13, .nodes = 13}, "MAXNODE batch 0+13>12", ""},
		{{.class_name = "batch", .procs = 33, .nodes = 33},
		 "MAXNODE batch 0+33>12",
		 "MAXNODE batch 0+33>32"},
		{{.qos = "hiprio", .procs = 33, .nodes = 33}, "MAXNODE hiprio 0+33>32", ""},
		{{.qos = "hiprio", .procs = 65, .nodes = 65},
		 "MAXNODE hiprio 0+65>32",
		 "MAXNODE hiprio 0+65>64"},
	};
	char text[96];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint64_t id = scene_add(sc, rows[i].asked);

		assert_string_equal(stopped(sc, id, LEVEL_SOFT, text), rows[i].soft);
		assert_string_equal(stopped(sc, id, LEVEL_HARD, text), rows[i].hard);
	}
	scene_free(sc);
}

/* T-29: no soft value, or one that is looser, is the hard one. */
static void t29_a_soft_value_is_never_looser_than_the_hard_one(void **state)
{
	struct scene *sc = site("user u1 { maxproc = {\"8\"} }\nuser u2 { maxproc = {\"9,8\"} }\n");
	char text[96];

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 9});
	scene_add(sc, (struct scene_job){.user = "u2", .procs = 9});
	assert_string_equal(stopped(sc, 1, LEVEL_SOFT, text), "MAXPROC u1 0+9>8");
	assert_string_equal(stopped(sc, 2, LEVEL_SOFT, text), "MAXPROC u2 0+9>8");
	scene_free(sc);
}

/* --- idle, queued, and one job alone ---------------------------------------------------------------------
 */

static uint32_t count_eligible(struct scene *sc)
{
	struct queue q = {0};
	uint32_t count;

	queue_build(&q, scene_view(sc), sc->now_s);
	count = q.idle_count;
	queue_clear(&q);
	return count;
}

static void t25_idle_limits_of_every_credential(void **state)
{
	struct scene *sc = site(
		"user DEFAULT { maxijob = {\"20\"} }\nuser steve { maxijob = {\"2\"} maxiproc = {\"30\"} }\n"
		"group staff { maxijob = {\"5\"} }\nclass DEFAULT { maxiproc = {\"16\"} }\n"
		"class batch { maxiproc = {\"32\"} }\nqos hiprio { maxijob = {\"3\"} maxiproc = {\"64\"} }\n"
		"user ps { maxips = {\"3200\"} }\n");

	(void)state;
	for (int i = 0; i < 21; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	assert_int_equal(count_eligible(sc), 20);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "steve"});
	assert_int_equal(count_eligible(sc), 22);
	for (int i = 0; i < 6; i++)
		scene_add(sc, (struct scene_job){.user = "a", .group = "staff"});
	assert_int_equal(count_eligible(sc), 27);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "b", .class_name = "x", .procs = 8});
	assert_int_equal(count_eligible(sc), 29);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "b", .class_name = "batch", .procs = 16});
	assert_int_equal(count_eligible(sc), 31);
	for (int i = 0; i < 4; i++)
		scene_add(sc, (struct scene_job){.user = "b", .qos = "hiprio", .procs = 16});
	assert_int_equal(count_eligible(sc), 34);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "ps", .procs = 8, .wall_s = 200});
	assert_int_equal(count_eligible(sc), 36);
	scene_free(sc);
}

/* T-26: of an idle limit the soft value is not looked at. */
static void t26_idle_limits_are_hard(void **state)
{
	struct scene *sc = site("user u1 { maxijob = {\"1,3\"} }\n");

	(void)state;
	for (int i = 0; i < 5; i++)
		scene_submit(sc, 1, 100);
	assert_int_equal(count_eligible(sc), 3);
	scene_free(sc);
}

/* H-01: eight queued for scheduling, the rest blocked. H-02: running and idle together. */
static void h02_maxqueued_counts_running_and_idle_jobs(void **state)
{
	struct scene *sc = site("user DEFAULT { maxijob = {\"8\"} maxqueued = {\"72\"} }\n");

	(void)state;
	for (int i = 0; i < 10; i++)
		scene_submit(sc, 1, 100);
	assert_int_equal(count_eligible(sc), 8);
	run_many(sc, 66, (struct scene_job){.user = "u1"});
	assert_int_equal(count_eligible(sc), 6);
	run_many(sc, 6, (struct scene_job){.user = "u1"});
	assert_int_equal(count_eligible(sc), 0);
	scene_free(sc);
}

static bool alone(struct scene *sc, struct scene_job asked, struct limit_finding *found)
{
	uint64_t id = scene_add(sc, asked);
	struct queue q = {0};
	bool system, class;

	queue_begin(&q, scene_view(sc), sc->now_s);
	system = throttle_system(q.throttle, scene_job_of(sc, id), found);
	class = !system || throttle_class(q.throttle, scene_job_of(sc, id), found);
	queue_clear(&q);
	return system && class;
}

static void m24_a_single_job_may_ask_for_so_much(void **state)
{
	struct scene *sc = site("systemmaxprocsecondperjob = 86400\nsystemmaxprocperjob = 100\n"
				"systemmaxjobwalltime = \"5:00:00:00\"\n");
	struct limit_finding found;

	(void)state;
	assert_false(alone(sc, (struct scene_job){.procs = 64, .wall_s = 1800}, &found));
	assert_true(found.kind == LIMIT_PS && found.asked == 115200 && found.limit == 86400);
	assert_true(alone(sc, (struct scene_job){.procs = 2, .wall_s = 12 * 3600}, &found));
	assert_false(alone(sc, (struct scene_job){.procs = 101, .wall_s = 10}, &found));
	assert_int_equal(found.kind, LIMIT_PROC);
	assert_false(alone(sc, (struct scene_job){.procs = 1, .wall_s = 432001}, &found)); /* H-04 */
	assert_true(found.kind == LIMIT_WC && found.limit == 432000);
	scene_free(sc);
}

static void m16_a_class_has_bounds_for_its_jobs(void **state)
{
	struct scene *sc =
		site("class fast { max.wclimit = 3600 min.wclimit = 60 max.proc = 16 min.proc = 2 }\n");
	struct limit_finding found;

	(void)state;
	assert_true(alone(sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 3600}, &found));
	assert_false(alone(sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 3601}, &found));
	assert_true(found.scope == LIMIT_CLASS && found.asked == 3601 && found.limit == 3600);
	assert_false(alone(sc, (struct scene_job){.class_name = "fast", .procs = 1, .wall_s = 100}, &found));
	assert_true(found.kind == LIMIT_PROC && found.asked == 1 && found.limit == 2);
	assert_false(alone(sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 59}, &found));
	assert_true(alone(sc, (struct scene_job){.class_name = "slow", .procs = 90, .wall_s = 9999}, &found));
	scene_free(sc);
}

/* --- when it clears
 * ------------------------------------------------------------------------------------------ */

static int64_t clears_s(struct scene *sc, uint64_t job)
{
	struct limit_finding found;
	struct queue q = {0};

	queue_begin(&q, scene_view(sc), sc->now_s);
	throttle_active(q.throttle, scene_job_of(sc, job), LEVEL_HARD, &found);
	queue_clear(&q);
	return found.clears_s;
}

/* The moment that is told is the first at which the limit has room: asked second by second. */
static void what_clears_by_itself_does_so_at_the_moment_told(void **state)
{
	static const char *const limits[] = {"maxps = {\"2000\"}", "maxwc = {\"300\"}", "maxproc = {\"20\"}",
					     "maxjob = {\"3\"}"};
	struct rng rng = seeded("clearing");

	(void)state;
	for (int i = 0; i < 60; i++) {
		char config[80], text[96];
		struct scene *sc;
		uint64_t job;
		int64_t told_s;

		snprintf(config, sizeof config, "user u1 { %s }\n", limits[i % 4]);
		sc = site(config);
		for (int n = 0; n < 6; n++)
			run(sc, (struct scene_job){.procs = 1 + (uint32_t)rng_below(&rng, 9),
						   .wall_s = 20 + (int64_t)rng_below(&rng, 150)});
		job = scene_add(sc,
				(struct scene_job){.procs = 1 + (uint32_t)rng_below(&rng, 9), .wall_s = 40});
		told_s = clears_s(sc, job);
		assert_true(told_s != TIME_NEVER);
		while (stopped(sc, job, LEVEL_HARD, text)[0] != '\0')
			scene_go(sc, sc->now_s + 1);
		assert_int_equal(sc->now_s, told_s);
		scene_free(sc);
	}
}

static void a_job_over_the_limit_alone_never_clears(void **state)
{
	struct scene *sc = site("user u1 { maxps = {\"1000\"} }\n");

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 11, .wall_s = 100});
	assert_true(clears_s(sc, 1) == TIME_NEVER);
	scene_free(sc);
}

/* The first in the guide's order clears at the end of a job, but the second never does by itself. */
static void of_several_broken_limits_the_one_that_clears_last_is_named(void **state)
{
	struct scene *sc = site("user u { maxjob = 1 }\ngroup g { maxproc = 20 }\n");
	uint64_t job;
	char text[96];

	(void)state;
	run(sc, (struct scene_job){.user = "u", .group = "g", .wall_s = 100});
	job = scene_add(sc, (struct scene_job){.user = "u", .group = "g", .procs = 30});
	assert_string_equal(stopped(sc, job, LEVEL_HARD, text), "MAXPROC g 1+30>20");
	job = scene_add(sc, (struct scene_job){.user = "u", .group = "g", .procs = 5});
	assert_string_equal(stopped(sc, job, LEVEL_HARD, text), "MAXJOB u 1+1>1");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t30_each_value_of_the_table_at_both_levels),
		cmocka_unit_test(t29_a_soft_value_is_never_looser_than_the_hard_one),
		cmocka_unit_test(t25_idle_limits_of_every_credential),
		cmocka_unit_test(t26_idle_limits_are_hard),
		cmocka_unit_test(h02_maxqueued_counts_running_and_idle_jobs),
		cmocka_unit_test(m24_a_single_job_may_ask_for_so_much),
		cmocka_unit_test(m16_a_class_has_bounds_for_its_jobs),
		cmocka_unit_test(what_clears_by_itself_does_so_at_the_moment_told),
		cmocka_unit_test(a_job_over_the_limit_alone_never_clears),
		cmocka_unit_test(of_several_broken_limits_the_one_that_clears_last_is_named),
	};

	return cmocka_run_group_tests_name("throttle_levels", tests, NULL, NULL);
}
