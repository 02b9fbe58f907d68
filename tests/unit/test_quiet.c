/* SPDX-License-Identifier: MIT */
/*
 * test_quiet.c - would a pass at a later moment decide nothing?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "sched/pass/quiet.h"
#include "tests/scene.h"

/* The last moment up to which it stays quiet, looked at second by second; it does not until `until_s`. */
static int64_t quiet_until(const struct scene *sc, int64_t until_s)
{
	struct queue queue = {0};
	struct quiet q = {.s = NULL};
	int64_t at_s = sc->now_s;

	queue_build(&queue, scene_view(sc), sc->now_s);
	quiet_begin(&q, scene_view(sc), &queue);
	while (at_s < until_s && quiet_at(&q, at_s + 1))
		at_s++;
	quiet_clear(&q);
	queue_clear(&queue);
	return at_s;
}

/* Nobody else starts: who comes first is promised a start, the others wait. */
static void keep_busy(struct scene *sc)
{
	scene_add(sc, (struct scene_job){.wall_s = 5000, .procs = 4});
	scene_pass(sc);
}

static void one_that_overtakes_is_seen(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	keep_busy(sc);
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 58});
	scene_pass(sc);
	assert_in_range(quiet_until(sc, 1000), 64, 65); /* ranks are cut to whole numbers */
	scene_free(sc);
}

static void who_stays_behind_is_no_news(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 58});
	assert_int_equal(quiet_until(sc, 1000), 1000);
	scene_free(sc);
}

static void a_priority_that_has_come_up_to_zero_is_seen(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nuserweight = 1\nuser low { priority = -5 }\n"
			 "rejectnegpriojobs = true\n");
	scene_add(sc, (struct scene_job){.user = "low"});
	assert_in_range(quiet_until(sc, 10000), 240, 300);
	scene_free(sc);
}

/* Half of all that was used is the cap of u1; while u2 alone runs on, the share of u1 falls. */
static void a_cap_that_a_job_has_come_within_is_seen(void **state)
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
	last_s = quiet_until(sc, 5000);
	for (int64_t at_s = last_s; at_s <= last_s + 1; at_s++) {
		queue_build(&queue, scene_view(sc), at_s);
		assert_int_equal(queue.blocked_count, at_s == last_s);
	}
	queue_clear(&queue);
	scene_free(sc);
}

/* All were of b's job for 1000 s and are of e's from then on: after as long again e has used more. */
static void a_share_that_changes_the_order_is_seen_whatever_credential_has_it(void **state)
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
		assert_in_range(quiet_until(sc, 4000), 1900, 2100);
		scene_free(sc);
	}
}

/* A cap of nothing at all stops both, whoever comes first. */
static void who_a_cap_stops_has_no_place_to_lose(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 60;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n"
			 "jobprioaccrualpolicy = always\n"
			 "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser u1 { fstarget = \"1^\" }\n");
	scene_add(sc, (struct scene_job){.wall_s = 10000, .submit_s = 1});
	scene_add(sc, (struct scene_job){.wall_s = 1000, .submit_s = 58});
	assert_int_equal(quiet_until(sc, 1000), 1000);
	scene_free(sc);
}

/* The first has the only promise; whatever the two behind it do, neither finds room. */
static void who_overtakes_behind_the_last_promise_is_no_news(void **state)
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
	assert_int_equal(quiet_until(sc, 1000), 1000);
	scene_free(sc);
}

/* Up to which moment caps stay as they are, as the look at the moment of the scene knows. */
static int64_t steady_until(const struct scene *sc)
{
	struct queue queue = {0};
	struct quiet q = {.s = NULL};
	int64_t steady_s;

	queue_build(&queue, scene_view(sc), sc->now_s);
	quiet_begin(&q, scene_view(sc), &queue);
	steady_s = q.steady_s;
	quiet_clear(&q);
	queue_clear(&queue);
	return steady_s;
}

/* eva's job runs and uses a processor-second a second; with the 600 of the next, 2000 are reached at 1400. */
static void it_is_known_ahead_how_long_a_cap_keeps_nobody_out(void **state)
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

/* Of the usage of all, which grows as fast: of 100 %, a half is eva's, and stays so. */
static void a_share_that_grows_like_the_whole_stays_as_it_is(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser eva { fstarget = \"60%\" }\n");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 9000}), 0, 1, 1);
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	assert_int_equal(steady_until(sc), 0); /* nobody has used anything */
	scene_go(sc, 2000);
	/* (2000 + 100) of 4000 are 52.5 %, and fall towards 50 %. */
	assert_int_equal(steady_until(sc), 24 * 3600);
	scene_free(sc);
}

/* What a job uses is known only when it is measured. */
static void usage_that_is_measured_is_not_foreseen(void **state)
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
		cmocka_unit_test(one_that_overtakes_is_seen),
		cmocka_unit_test(who_stays_behind_is_no_news),
		cmocka_unit_test(a_priority_that_has_come_up_to_zero_is_seen),
		cmocka_unit_test(a_cap_that_a_job_has_come_within_is_seen),
		cmocka_unit_test(who_overtakes_behind_the_last_promise_is_no_news),
		cmocka_unit_test(a_share_that_changes_the_order_is_seen_whatever_credential_has_it),
		cmocka_unit_test(who_a_cap_stops_has_no_place_to_lose),
		cmocka_unit_test(it_is_known_ahead_how_long_a_cap_keeps_nobody_out),
		cmocka_unit_test(a_share_that_grows_like_the_whole_stays_as_it_is),
		cmocka_unit_test(usage_that_is_measured_is_not_foreseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
