/* SPDX-License-Identifier: MIT */
/*
 * test_crossing.c - at which value of a weight does one job pass another?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/core/crossing.h"
#include "tests/scene.h"

#define FACTOR(f)    ((struct config_weight){FACTOR_WEIGHT, PRIO_##f})
#define COMPONENT(c) ((struct config_weight){COMPONENT_WEIGHT, PRIO_##c})

/* Job 1 runs; 2 is bob's with 100 s, 3 is eva's, who has 1200 points, with 40 s and 4 processors. */
static struct scene *pair(const char *policy)
{
	struct scene *sc = scene_new(2, 4);

	scene_config(sc, policy);
	scene_submit(sc, 8, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob"});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 40, .procs = 4});
	return sc;
}

static struct crossing_pair measured(const struct scene *sc, uint64_t a, uint64_t b, struct queue *queue)
{
	const struct snapshot *s = scene_view(sc);
	struct crossing_pair p;

	queue_build(queue, s, sc->now_s);
	crossing_measure(&p, s, snapshot_find_job(s, a), snapshot_find_job(s, b), sc->now_s, &queue->shares);
	return p;
}

static struct crossing between(const char *policy, uint64_t a, uint64_t b, struct config_weight weight)
{
	struct scene *sc = pair(policy);
	struct queue queue = {.idle = NULL};
	struct crossing_pair p = measured(sc, a, b, &queue);
	struct crossing found;

	crossing_find(&found, &p, weight);
	queue_clear(&queue);
	scene_free(sc);
	return found;
}

static const char plain[] = "queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\n"
			    "enablenegjobpriority = true\n"
			    "user eva { priority = 1200 }\n";

static void where_two_lines_meet_the_older_stays_first(void **state)
{
	/* 100 w against 1200 + 40 w: equal at 20 */
	struct crossing c = between(plain, 2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_true(c.now == 30);
	assert_true(c.ahead);
	assert_true(c.down.found && c.down.proven && c.down.to_the_end);
	assert_int_equal(c.down.at, 19);
	assert_false(c.up.found);
	assert_true(c.up.proven);
}

static void the_other_way_round_it_is_the_same_value(void **state)
{
	struct crossing c = between(plain, 3, 2, FACTOR(RES_WALLTIME));

	(void)state;
	assert_false(c.ahead);
	assert_int_equal(c.down.at, 19);
}

static void a_weight_of_a_component_counts_too(void **state)
{
	/* 3000 x against 1200 + 1200 x: equal at 2/3 */
	struct crossing c = between(plain, 2, 3, COMPONENT(RES));

	(void)state;
	assert_true(c.now == 1);
	assert_int_equal(c.down.at, 0);
	assert_false(c.up.found);
}

static void a_cap_bends_the_line(void **state)
{
	/* From w = 15 on job 2 gives 1500 and no more, from 37.5 on job 3 likewise; so 3 is ahead again. */
	struct crossing c =
		between("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 10\nrescap = 1500\n"
			"user eva { priority = 500 }\n",
			2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_true(c.ahead);
	assert_true(c.down.found && c.up.found);
	assert_int_equal(c.down.at, 8);
	assert_int_equal(c.up.at, 26);
	assert_true(c.up.to_the_end);
}

static void a_way_back_is_told(void **state)
{
	/* Below 0 both are at the floor: the older is first again. */
	struct crossing c = between("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\n"
				    "rejectnegpriojobs = false\nuser eva { priority = 1200 }\n",
				    2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_int_equal(c.down.at, 19);
	assert_false(c.down.to_the_end);
	assert_int_equal(c.down.until, -29);
}

static void a_factor_cap_is_a_number_like_another(void **state)
{
	/* 30 * min(100, x) against 1200 + 30 * min(40, x): at x = 40 + 40 they are equal; 0 is no cap */
	struct crossing c = between(plain, 2, 3, (struct config_weight){FACTOR_CAP, PRIO_RES_WALLTIME});

	(void)state;
	assert_true(c.now == 0);
	assert_true(c.ahead);
	assert_false(c.down.found);
	assert_int_equal(c.up.at, 1);
	assert_int_equal(c.up.until, 79);
}

static void what_an_operator_set_stays(void **state)
{
	struct scene *sc = pair(plain);
	struct queue queue = {.idle = NULL};
	struct crossing_pair p;
	struct crossing c;

	(void)state;
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 5);
	p = measured(sc, 3, 2, &queue);
	crossing_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_true(c.ahead);
	assert_false(c.down.found || c.up.found);
	assert_true(c.down.proven && c.up.proven);
	queue_clear(&queue);
	scene_free(sc);
}

static void twins_never_pass(void **state)
{
	struct scene *sc = pair(plain);
	struct queue queue = {.idle = NULL};
	struct crossing_pair p;
	struct crossing c;

	(void)state;
	scene_add(sc, (struct scene_job){.user = "bob"});
	p = measured(sc, 2, 4, &queue);
	for (unsigned f = 0; f < PRIO_FACTOR_COUNT; f++) {
		crossing_find(&c, &p, (struct config_weight){FACTOR_WEIGHT, f});
		assert_true(c.ahead);
		assert_false(c.down.found || c.up.found);
		assert_true(c.down.proven && c.up.proven);
	}
	queue_clear(&queue);
	scene_free(sc);
}

static void the_option_is_that_of_the_partition(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct queue queue = {.idle = NULL};
	struct crossing_pair p;
	struct crossing c;
	struct str name = {0};

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nprocweight = 10\nwalltimeweight = 1\n"
			 "partition day { walltimeweight = 3 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100, .partition = "day"});
	scene_add(sc, (struct scene_job){.procs = 5, .wall_s = 100});
	p = measured(sc, 1, 2, &queue);
	crossing_name(&p, FACTOR(RES_PROC), &name);
	assert_string_equal(str_text(&name), "partition[day].procweight");
	/* 300 + 2 x against 150: job 2 keeps its weight */
	crossing_find(&c, &p, FACTOR(RES_PROC));
	assert_int_equal(c.down.at, -76);
	str_free(&name);
	/* 100 + 5 x against 300 + 2 x: the partition has none of its own */
	p = measured(sc, 2, 1, &queue);
	crossing_find(&c, &p, FACTOR(RES_PROC));
	assert_int_equal(c.up.at, 67);
	/* and this one it has: 50 + 100 x against 320 */
	crossing_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_int_equal(c.up.at, 3);
	queue_clear(&queue);
	scene_free(sc);
}

/* Job 2, of no partition, passes job 1 of "day" where 50 x is more than the 300 that day has of its own. */
static void expect_own_weight(const char *policy, const char *live)
{
	struct scene *sc = scene_new(2, 4);
	struct queue queue = {.idle = NULL};
	struct crossing_pair p;
	struct crossing c;

	scene_config(sc, policy);
	scene_add(sc, (struct scene_job){.wall_s = 100, .partition = "day"});
	scene_add(sc, (struct scene_job){.wall_s = 50});
	if (live)
		scene_set(sc, live, "3");
	p = measured(sc, 2, 1, &queue);
	crossing_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_false(c.down.found);
	assert_true(c.up.found);
	assert_int_equal(c.up.at, 7);
	queue_clear(&queue);
	scene_free(sc);
}

static void a_partition_is_the_same_in_any_case(void **state)
{
	(void)state;
	expect_own_weight("queuetimeweight = 0\nwalltimeweight = 3\nnode n1 { procs = 4 partition = day }\n"
			  "partition DAY { walltimeweight = 3 }\n",
			  NULL);
	expect_own_weight("queuetimeweight = 0\nwalltimeweight = 3\nnode n1 { procs = 4 partition = day }\n",
			  "partition[Day].walltimeweight");
}

static void the_nearest_flip_is_the_least_away_in_proportion(void **state)
{
	struct scene *sc = pair("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 21\n"
				"user eva { priority = 1200 }\n");
	struct queue queue = {.idle = NULL};
	struct crossing_pair p = measured(sc, 2, 3, &queue);
	struct crossing_nearest nearest = crossing_nearest(&p);

	(void)state;
	assert_true(nearest.found);
	assert_int_equal(nearest.weight.kind, FACTOR_WEIGHT);
	assert_int_equal(nearest.weight.index, PRIO_RES_WALLTIME);
	assert_int_equal(nearest.at, 19);
	assert_true(nearest.relative > 0.095 && nearest.relative < 0.0953);
	queue_clear(&queue);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_two_lines_meet_the_older_stays_first),
		cmocka_unit_test(the_other_way_round_it_is_the_same_value),
		cmocka_unit_test(a_weight_of_a_component_counts_too),
		cmocka_unit_test(a_cap_bends_the_line),
		cmocka_unit_test(a_way_back_is_told),
		cmocka_unit_test(a_factor_cap_is_a_number_like_another),
		cmocka_unit_test(what_an_operator_set_stays),
		cmocka_unit_test(twins_never_pass),
		cmocka_unit_test(the_option_is_that_of_the_partition),
		cmocka_unit_test(a_partition_is_the_same_in_any_case),
		cmocka_unit_test(the_nearest_flip_is_the_least_away_in_proportion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
