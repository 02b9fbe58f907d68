/* SPDX-License-Identifier: MIT */
/*
 * test_crossover.c - the values of a weight at which two jobs change their order
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/pass/crossover.h"
#include "tests/scene.h"

#define FACTOR(f)    ((struct config_weight){FACTOR_WEIGHT, PRIO_##f})
#define COMPONENT(c) ((struct config_weight){COMPONENT_WEIGHT, PRIO_##c})

/* Job 1 runs. Job 2 is bob's, with 100 s; job 3 is eva's, with 40 s and 4 processors. eva has priority 1200.
 */
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

static struct crossover_pair measure(const struct scene *sc, uint64_t a, uint64_t b, struct queue *queue)
{
	const struct snapshot *s = scene_view(sc);
	struct crossover_pair p;

	queue_build(queue, s, sc->now_s);
	crossover_measure(&p, s, snapshot_find_job(s, a), snapshot_find_job(s, b), sc->now_s, &queue->shares);
	return p;
}

static struct crossover crossover_between(const char *policy, uint64_t a, uint64_t b,
					  struct config_weight weight)
{
	struct scene *sc = pair(policy);
	struct queue queue = {.idle = NULL};
	struct crossover_pair p = measure(sc, a, b, &queue);
	struct crossover found;

	crossover_find(&found, &p, weight);
	queue_clear(&queue);
	scene_free(sc);
	return found;
}

static const char plain[] = "queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\n"
			    "enablenegjobpriority = true\n"
			    "user eva { priority = 1200 }\n";

static void at_equal_priorities_the_older_job_is_first(void **state)
{
	/* 100 w against 1200 + 40 w: equal at 20 */
	struct crossover c = crossover_between(plain, 2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_true(c.now == 30);
	assert_true(c.ahead);
	assert_true(c.down.found && c.down.proven && c.down.to_the_end);
	assert_int_equal(c.down.at, 19);
	assert_false(c.up.found);
	assert_true(c.up.proven);
}

static void a_pair_has_the_same_flip_in_both_orders(void **state)
{
	struct crossover c = crossover_between(plain, 3, 2, FACTOR(RES_WALLTIME));

	(void)state;
	assert_false(c.ahead);
	assert_int_equal(c.down.at, 19);
}

static void a_component_weight_has_a_flip(void **state)
{
	/* 3000 x against 1200 + 1200 x: equal at 2/3 */
	struct crossover c = crossover_between(plain, 2, 3, COMPONENT(RES));

	(void)state;
	assert_true(c.now == 1);
	assert_int_equal(c.down.at, 0);
	assert_false(c.up.found);
}

static void a_cap_bends_the_line(void **state)
{
	/* Job 2 is capped at 1500 from w = 15, job 3 from 37.5, so that job 3 is ahead again. */
	struct crossover c =
		crossover_between("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 10\nrescap = 1500\n"
				  "user eva { priority = 500 }\n",
				  2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_true(c.ahead);
	assert_true(c.down.found && c.up.found);
	assert_int_equal(c.down.at, 8);
	assert_int_equal(c.up.at, 26);
	assert_true(c.up.to_the_end);
}

static void the_end_of_the_new_order_is_reported(void **state)
{
	/* Below 0 both priorities are at the floor, and the older job is first again. */
	struct crossover c = crossover_between("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\n"
					       "rejectnegpriojobs = false\nuser eva { priority = 1200 }\n",
					       2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_int_equal(c.down.at, 19);
	assert_false(c.down.to_the_end);
	assert_int_equal(c.down.until, -29);
}

static void a_factor_cap_has_a_flip(void **state)
{
	/* 30 * min(100, x) against 1200 + 30 * min(40, x): equal at x = 40 + 40; 0 means no cap */
	struct crossover c =
		crossover_between(plain, 2, 3, (struct config_weight){FACTOR_CAP, PRIO_RES_WALLTIME});

	(void)state;
	assert_true(c.now == 0);
	assert_true(c.ahead);
	assert_false(c.down.found);
	assert_int_equal(c.up.at, 1);
	assert_int_equal(c.up.until, 79);
}

/* Without the cap (0) the older job has 3000 and the other 2400; with a cap of 1 the other leads by its 1200.
 */
static void a_cap_of_0_is_no_cap(void **state)
{
	struct crossover c = crossover_between(
		"queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\nwalltimecap = 10\n"
		"user eva { priority = 1200 }\n",
		2, 3, (struct config_weight){FACTOR_CAP, PRIO_RES_WALLTIME});

	(void)state;
	assert_true(c.now == 10);
	assert_false(c.ahead);
	assert_true(c.down.found && c.down.to_the_end);
	assert_int_equal(c.down.at, 0);
	assert_int_equal(c.up.at, 80);
	c = crossover_between("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\nrescap = 100\n"
			      "user eva { priority = 1200 }\n",
			      2, 3, (struct config_weight){COMPONENT_CAP, PRIO_RES});
	assert_true(c.now == 100);
	assert_false(c.ahead);
	assert_true(c.down.found && c.down.to_the_end);
	assert_int_equal(c.down.at, 0);
	assert_int_equal(c.up.at, 2400);
}

static void a_component_cap_applies_to_the_sum_of_its_factors(void **state)
{
	/* min(15000, 1000 + 100 w) against 5000 + min(15000, 4000 + 40 w) */
	struct crossover c = crossover_between(
		"queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 140\nprocweight = 1000\n"
		"rescap = 15000\nuser eva { priority = 5000 }\n",
		2, 3, FACTOR(RES_WALLTIME));

	(void)state;
	assert_true(c.ahead);
	assert_int_equal(c.down.at, 133);
	assert_int_equal(c.up.at, 151);
}

/* Job 1 of the QOS has waited 100 minutes, job 2 of eva 50. */
static void a_cap_includes_the_weight_of_a_qos(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	(void)state;
	scene_config(sc, "userweight = 1\nqueuetimeweight = 110\nservicecap = 15000\n"
			 "qos hi { qtweight = 50 }\nuser eva { priority = 7000 }\n");
	scene_add(sc, (struct scene_job){.qos = "hi"});
	sc->now_s += 3000;
	scene_add(sc, (struct scene_job){.user = "eva"});
	sc->now_s += 3000;
	p = measure(sc, 1, 2, &queue);
	/* min(15000, 100 (w + 50)) against 7000 + min(15000, 50 w) */
	crossover_find(&c, &p, FACTOR(SERV_QUEUETIME));
	assert_true(c.ahead);
	assert_int_equal(c.down.at, 39);
	assert_int_equal(c.up.at, 161);
	queue_clear(&queue);
	scene_free(sc);
}

static void jobs_that_differ_only_in_user_priority_have_a_flip(void **state)
{
	struct scene *sc = pair("queuetimeweight = 0\nuserweight = 30\nuser eva { priority = 1200 }\n");
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva"});
	p = measure(sc, 2, 4, &queue);
	crossover_find(&c, &p, FACTOR(CRED_USER));
	assert_false(c.ahead);
	assert_true(c.down.found && c.down.to_the_end);
	assert_int_equal(c.down.at, 0);
	assert_false(c.up.found);
	queue_clear(&queue);
	scene_free(sc);
}

static void a_flip_is_printed_as_a_range(void **state)
{
	static const struct {
		struct crossover_flip flip;
		int sign;
		const char *words;
	} cases[] = {
		{{.hidden = true, .found = true}, 1, "not known"},
		{{.proven = true}, 1, "never"},
		{{.proven = false}, -1, "not nearby"},
		{{.found = true, .to_the_end = true, .at = 5}, 1, "> 4"},
		{{.found = true, .to_the_end = true, .at = 5}, -1, "< 6"},
		{{.found = true, .at = 5, .until = 5}, 1, "= 5"},
		{{.found = true, .at = 5, .until = 9}, 1, "5..9"},
		{{.found = true, .at = 5, .until = -9}, -1, "-9..5"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str text = {0};

		crossover_add_flip(&cases[i].flip, cases[i].sign, &text);
		assert_string_equal(str_text(&text), cases[i].words);
		str_free(&text);
	}
}

static void measure_nearly_parallel(struct scene *sc, struct crossover *found)
{
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;

	sc->now_s = 0;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nxfactorweight = 200000\n"
			 "user eva { priority = 4 }\n");
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 1 << 20});
	sc->now_s = 64;
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 1 << 20});
	sc->now_s = 4096;
	p = measure(sc, 1, 2, &queue);
	crossover_find(found, &p, FACTOR(SERV_XFACTOR));
	queue_clear(&queue);
}

/* The factor of the older job is 1 + 2^-8, that of the other 2^-14 less, and the other has 4 points more.
 * Priorities are whole points: the older job is ahead at weights from 65536 - 256, the other below 49152, and
 * in between the order alternates over too many values to examine each. */
static void nearly_parallel_lines_are_examined_at_some_values(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct crossover c;

	(void)state;
	measure_nearly_parallel(sc, &c);
	assert_true(c.ahead);
	assert_true(c.down.found);
	assert_false(c.down.proven);
	assert_in_range(c.down.at, 49152, 65536 - 257);
	assert_false(c.up.found);
	scene_free(sc);
}

/* 100 w against 40 w plus the operator's points; an absolute priority is independent of weights. */
static void a_relative_adjustment_counts(void **state)
{
	struct scene *sc = pair("queuetimeweight = 0\nwalltimeweight = 30\n");
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	(void)state;
	scene_priority(sc, 3, JOB_ADJUST_RELATIVE, 1200);
	p = measure(sc, 2, 3, &queue);
	crossover_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_true(c.ahead);
	assert_int_equal(c.down.at, 19);
	scene_priority(sc, 2, JOB_ADJUST_RELATIVE, 600);
	queue_build(&queue, scene_view(sc), sc->now_s);
	p = measure(sc, 2, 3, &queue);
	crossover_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_int_equal(c.down.at, 9);
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 1600);
	p = measure(sc, 2, 3, &queue);
	crossover_find(&c, &p, FACTOR(RES_WALLTIME)); /* 600 + 100 w against a constant */
	assert_false(c.ahead);
	assert_false(c.up.found);
	queue_clear(&queue);
	scene_free(sc);
}

static void an_absolute_priority_does_not_depend_on_weights(void **state)
{
	struct scene *sc = pair(plain);
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	(void)state;
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 5);
	p = measure(sc, 3, 2, &queue);
	crossover_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_true(c.ahead);
	assert_false(c.down.found || c.up.found);
	assert_true(c.down.proven && c.up.proven);
	queue_clear(&queue);
	scene_free(sc);
}

static void equal_jobs_never_change_their_order(void **state)
{
	struct scene *sc = pair("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\nusercap = 500\n");
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	(void)state;
	scene_add(sc, (struct scene_job){.user = "bob"});
	p = measure(sc, 2, 4, &queue);
	for (unsigned f = 0; f < PRIO_FACTOR_COUNT; f++) {
		crossover_find(&c, &p, (struct config_weight){FACTOR_WEIGHT, f});
		assert_true(c.ahead);
		assert_false(c.down.found || c.up.found);
		assert_true(c.down.proven && c.up.proven);
	}
	queue_clear(&queue);
	scene_free(sc);
}

static void the_reported_option_is_that_of_the_partition(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;
	struct str name = {0};

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nprocweight = 10\nwalltimeweight = 1\n"
			 "partition day { walltimeweight = 3 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100, .partition = "day"});
	scene_add(sc, (struct scene_job){.procs = 5, .wall_s = 100});
	p = measure(sc, 1, 2, &queue);
	crossover_name(&p, FACTOR(RES_PROC), &name);
	assert_string_equal(str_text(&name), "partition[day].procweight");
	/* 300 + 2 x against 150: job 2 keeps its weight */
	crossover_find(&c, &p, FACTOR(RES_PROC));
	assert_int_equal(c.down.at, -76);
	str_free(&name);
	/* 100 + 5 x against 300 + 2 x: the partition has no procweight of its own */
	p = measure(sc, 2, 1, &queue);
	crossover_find(&c, &p, FACTOR(RES_PROC));
	assert_int_equal(c.up.at, 67);
	/* the partition has its own walltimeweight: 50 + 100 x against 320 */
	crossover_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_int_equal(c.up.at, 3);
	queue_clear(&queue);
	scene_free(sc);
}

/* Job 2, in no partition, passes job 1 of "day" where 50 x exceeds the 300 from the weight of "day". */
static void expect_own_weight(const char *policy, const char *live)
{
	struct scene *sc = scene_new(2, 4);
	struct queue queue = {.idle = NULL};
	struct crossover_pair p;
	struct crossover c;

	scene_config(sc, policy);
	scene_add(sc, (struct scene_job){.wall_s = 100, .partition = "day"});
	scene_add(sc, (struct scene_job){.wall_s = 50});
	if (live)
		scene_set(sc, live, "3");
	p = measure(sc, 2, 1, &queue);
	crossover_find(&c, &p, FACTOR(RES_WALLTIME));
	assert_false(c.down.found);
	assert_true(c.up.found);
	assert_int_equal(c.up.at, 7);
	queue_clear(&queue);
	scene_free(sc);
}

static void partition_names_are_compared_without_case(void **state)
{
	(void)state;
	expect_own_weight("queuetimeweight = 0\nwalltimeweight = 3\nnode n1 { procs = 4 partition = day }\n"
			  "partition DAY { walltimeweight = 3 }\n",
			  NULL);
	expect_own_weight("queuetimeweight = 0\nwalltimeweight = 3\nnode n1 { procs = 4 partition = day }\n",
			  "partition[Day].walltimeweight");
}

static void the_nearest_flip_has_the_smallest_relative_change(void **state)
{
	struct scene *sc = pair("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 21\n"
				"user eva { priority = 1200 }\n");
	struct queue queue = {.idle = NULL};
	struct crossover_pair p = measure(sc, 2, 3, &queue);
	struct crossover_nearest nearest = crossover_nearest(&p);

	(void)state;
	assert_true(nearest.found);
	assert_int_equal(nearest.weight.kind, FACTOR_WEIGHT);
	assert_int_equal(nearest.weight.index, PRIO_RES_WALLTIME);
	assert_int_equal(nearest.at, 19);
	assert_true(nearest.relative > 0.095 && nearest.relative < 0.0953);
	queue_clear(&queue);
	scene_free(sc);
}

static void a_weight_is_in_use_when_it_and_its_counterpart_are_not_zero(void **state)
{
	struct prio_weights w = {.component = {0}};

	(void)state;
	assert_false(crossover_in_use(&w, COMPONENT(RES)));
	assert_false(crossover_in_use(&w, FACTOR(RES_WALLTIME)));
	w.factor[PRIO_RES_WALLTIME] = 30;
	assert_false(crossover_in_use(&w, COMPONENT(RES)));
	assert_false(crossover_in_use(&w, FACTOR(RES_WALLTIME)));
	w.component[PRIO_RES] = w.component[PRIO_CRED] = 2;
	assert_true(crossover_in_use(&w, COMPONENT(RES)));
	assert_true(crossover_in_use(&w, FACTOR(RES_WALLTIME)));
	assert_false(crossover_in_use(&w, COMPONENT(CRED))); /* none of its factors has a weight */
	assert_false(crossover_in_use(&w, (struct config_weight){FACTOR_CAP, PRIO_RES_WALLTIME}));
	assert_false(crossover_in_use(&w, (struct config_weight){COMPONENT_CAP, PRIO_RES}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_equal_priorities_the_older_job_is_first),
		cmocka_unit_test(a_pair_has_the_same_flip_in_both_orders),
		cmocka_unit_test(a_component_weight_has_a_flip),
		cmocka_unit_test(a_cap_bends_the_line),
		cmocka_unit_test(the_end_of_the_new_order_is_reported),
		cmocka_unit_test(a_factor_cap_has_a_flip),
		cmocka_unit_test(a_cap_of_0_is_no_cap),
		cmocka_unit_test(a_component_cap_applies_to_the_sum_of_its_factors),
		cmocka_unit_test(a_cap_includes_the_weight_of_a_qos),
		cmocka_unit_test(jobs_that_differ_only_in_user_priority_have_a_flip),
		cmocka_unit_test(a_flip_is_printed_as_a_range),
		cmocka_unit_test(nearly_parallel_lines_are_examined_at_some_values),
		cmocka_unit_test(a_relative_adjustment_counts),
		cmocka_unit_test(an_absolute_priority_does_not_depend_on_weights),
		cmocka_unit_test(equal_jobs_never_change_their_order),
		cmocka_unit_test(the_reported_option_is_that_of_the_partition),
		cmocka_unit_test(partition_names_are_compared_without_case),
		cmocka_unit_test(the_nearest_flip_has_the_smallest_relative_change),
		cmocka_unit_test(a_weight_is_in_use_when_it_and_its_counterpart_are_not_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
