/* SPDX-License-Identifier: MIT */
/*
 * test_pass_skip.c - skipping passes that would decide nothing
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "sched/pass/pass_skip.h"
#include "tests/scene.h"

/* The last second, up to until_s, for which every pass since sc->now_s may be skipped. */
static int64_t skipped_until(const struct scene *sc, int64_t until_s)
{
	struct queue queue = {0};
	struct pass_skip skip = {.s = NULL};
	int64_t at_s = sc->now_s;

	queue_build(&queue, scene_view(sc), sc->now_s);
	pass_skip_begin(&skip, scene_view(sc), &queue);
	while (at_s < until_s && pass_skip_allowed(&skip, at_s + 1))
		at_s++;
	pass_skip_clear(&skip);
	queue_clear(&queue);
	return at_s;
}

/* A job that occupies the machine: the first idle job gets a reservation, the others wait. */
static void keep_busy(struct scene *sc)
{
	scene_add(sc, (struct scene_job){.wall_s = 5000, .procs = 4});
	scene_pass(sc);
}

static void a_job_that_overtakes_ends_the_skipping(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	keep_busy(sc);
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 58});
	scene_pass(sc);
	assert_in_range(skipped_until(sc, 1000), 64, 65); /* ranks are truncated to whole numbers */
	scene_free(sc);
}

static void an_unchanged_order_is_skipped(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 58});
	assert_int_equal(skipped_until(sc, 1000), 1000);
	scene_free(sc);
}

static void a_priority_that_reaches_zero_ends_the_skipping(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nuserweight = 1\nuser low { priority = -5 }\n"
			 "rejectnegpriojobs = true\n");
	scene_add(sc, (struct scene_job){.user = "low"});
	assert_in_range(skipped_until(sc, 10000), 240, 300);
	scene_free(sc);
}

/* The cap of u1 is half of the total usage; while only u2 runs, the share of u1 falls. */
static void a_job_that_comes_within_its_cap_ends_the_skipping(void **state)
{
	struct scene *sc = scene_new(2, 1);
	struct queue queue = {0};
	int64_t last_s;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser u1 { fstarget = \"50.0%\" }\n");
	scene_add(sc, (struct scene_job){.wall_s = 100});
	scene_add(sc, (struct scene_job){.wall_s = 5000, .user = "u2"});
	scene_pass(sc);
	scene_play(sc, 110);
	scene_add(sc, (struct scene_job){.wall_s = 100});
	last_s = skipped_until(sc, 5000);
	for (int64_t at_s = last_s; at_s <= last_s + 1; at_s++) {
		queue_build(&queue, scene_view(sc), at_s);
		assert_int_equal(queue.blocked_count, at_s == last_s);
	}
	queue_clear(&queue);
	scene_free(sc);
}

/* The job of b uses all processors for 1000 s, the job of e from then on. After another 1000 s, e has used
 * more. */
static void a_share_that_changes_the_order_ends_the_skipping(void **state)
{
	static const char *const type[] = {"user", "group", "account", "qos", "class"};

	(void)state;
	for (size_t i = 0; i < sizeof type / sizeof type[0]; i++) {
		struct scene *sc = scene_new(1, 4);
		struct scene_job e = {.procs = 4,
				      .wall_s = 5000,
				      .user = "e",
				      .group = "e",
				      .account = "e",
				      .class_name = "e",
				      .qos = "e"};
		struct scene_job b = {.procs = 4,
				      .wall_s = 1000,
				      .user = "b",
				      .group = "b",
				      .account = "b",
				      .class_name = "b",
				      .qos = "b"};
		char config[512];

		snprintf(config, sizeof config,
			 "queuetimeweight = 0\nfspolicy = dedicatedps\nfsinterval = 24:00:00\nfs%sweight = "
			 "100\n"
			 "user DEFAULT { qlist = {\"e\", \"b\"} }\n"
			 "%s e { fstarget = 50 }\n%s b { fstarget = 50 }\n",
			 type[i], type[i], type[i]);
		scene_config(sc, config);
		scene_add(sc, b);
		scene_pass(sc);
		scene_play(sc, 1000);
		scene_add(sc, e);
		scene_pass(sc);
		scene_add(sc, e);
		scene_add(sc, b);
		scene_pass(sc);
		assert_in_range(skipped_until(sc, 4000), 1900, 2100);
		scene_free(sc);
	}
}

/* The cap stops both jobs, in either order. */
static void the_order_of_jobs_over_a_cap_does_not_matter(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n"
			 "jobprioaccrualpolicy = always\n"
			 "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser u1 { fstarget = \"1^\" }\n");
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 58});
	assert_int_equal(skipped_until(sc, 1000), 1000);
	scene_free(sc);
}

/* Only the first job has a reservation; the two behind it fit nowhere, in either order. */
static void the_order_behind_the_last_reservation_does_not_matter(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	keep_busy(sc);
	scene_add(sc, (struct scene_job){.wall_s = 100, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 58});
	scene_pass(sc);
	assert_int_equal(skipped_until(sc, 1000), 1000);
	scene_free(sc);
}

/* Returns the time before which no job crosses a cap. */
static int64_t steady_until(const struct scene *sc)
{
	struct queue queue = {0};
	struct pass_skip skip = {.s = NULL};
	int64_t steady_s;

	queue_build(&queue, scene_view(sc), sc->now_s);
	pass_skip_begin(&skip, scene_view(sc), &queue);
	steady_s = skip.steady_s;
	pass_skip_clear(&skip);
	queue_clear(&queue);
	return steady_s;
}

/* Eva's running job uses one processor-second per second. With the 600 that her next job requests, the cap of
 * 2000 is reached at 1400. */
static void the_time_at_which_a_cap_is_reached_is_known(void **state)
{
	struct scene *sc = scene_new(1, 3);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = 24:00:00\n"
			 "user eva { fstarget = \"2000^\" }\nuser bob { fstarget = \"1000^\" }\n");
	assert_true(steady_until(sc) == INT64_MAX);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 600});
	assert_in_range(steady_until(sc), 1395, 1400);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 9000}), 0, 1, 1);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 100});
	assert_in_range(steady_until(sc), 895, 900);
	scene_free(sc);
}

/* Eva's share of the total usage is 50 % and stays 50 %, because the usage of both users grows at the same
 * rate. */
static void a_constant_share_crosses_no_cap_before_the_next_window(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser eva { fstarget = \"60%\" }\n");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 9000}), 0, 1, 1);
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	assert_int_equal(steady_until(sc), 0); /* there is no usage yet */
	scene_go(sc, 2000);
	/* (2000 + 100) of 4000 are 52.5 %, and fall towards 50 %. */
	assert_int_equal(steady_until(sc), 24 * 3600);
	scene_free(sc);
}

/* Under UTILIZEDPS usage is known only when it is measured. */
static void measured_usage_gives_no_steady_time(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event used = {.kind = EVENT_USED, .job = 1, .used = {.ps = 5}};

	(void)state;
	scene_config(sc, "fspolicy = utilizedps\nfsinterval = 24:00:00\nuser eva { fstarget = \"2000^\" }\n");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 600});
	scene_go(sc, 10);
	assert_in_range(steady_until(sc), 1395, 1400);
	scene_apply(sc, &used);
	assert_int_equal(steady_until(sc), 10);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_that_overtakes_ends_the_skipping),
		cmocka_unit_test(an_unchanged_order_is_skipped),
		cmocka_unit_test(a_priority_that_reaches_zero_ends_the_skipping),
		cmocka_unit_test(a_job_that_comes_within_its_cap_ends_the_skipping),
		cmocka_unit_test(the_order_behind_the_last_reservation_does_not_matter),
		cmocka_unit_test(a_share_that_changes_the_order_ends_the_skipping),
		cmocka_unit_test(the_order_of_jobs_over_a_cap_does_not_matter),
		cmocka_unit_test(the_time_at_which_a_cap_is_reached_is_known),
		cmocka_unit_test(a_constant_share_crosses_no_cap_before_the_next_window),
		cmocka_unit_test(measured_usage_gives_no_steady_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
