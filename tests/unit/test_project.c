/* SPDX-License-Identifier: MIT */
/*
 * test_project.c - the full projection
 *
 * property/projected.c compares projections with actual runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/project.h"
#include "tests/scene.h"

#define POLL_S 30

static int64_t projected_start_from(const struct scene *sc, uint64_t job, int64_t from_s)
{
	const struct snapshot *s = scene_view(sc);
	const struct project_setup setup = {.from_s = from_s, .until_s = TIME_NEVER - 1};
	struct projection p = {.start_s = NULL};
	int64_t start_s;

	assert_true(project_run(&p, s, &setup));
	assert_true(p.whole);
	start_s = p.start_s[snapshot_find_job(s, job)];
	project_clear(&p);
	return start_s;
}

static int64_t projected_start_s(const struct scene *sc, uint64_t job)
{
	return projected_start_from(sc, job, scene_view(sc)->now_s);
}

static void set_outside_load(struct scene *sc, double procs)
{
	struct event ev = {.kind = EVENT_LOAD, .who = "sched"};

	ev.load.node = snapshot_string(scene_view(sc), snapshot_nodes(scene_view(sc))[0].name);
	ev.load.used = NODE_NOT_MEASURED;
	ev.load.used.load = ev.load.used.procs = procs;
	scene_apply(sc, &ev);
}

/* A projection has no measurements, so outside usage must expire; otherwise the job would never start. */
static void outside_usage_is_not_assumed_to_last(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t job;
	int64_t now_s;

	(void)state;
	scene_config(sc, "rmpollinterval = 30s\n");
	set_outside_load(sc, 2);
	job = scene_submit(sc, 2, 3600);
	now_s = scene_view(sc)->now_s;
	assert_int_equal(scene_pass(sc), 0);
	assert_int_equal(projected_start_s(sc, job), now_s + NODE_MEASURED_POLLS * POLL_S);
	set_outside_load(sc, -1);
	assert_int_equal(projected_start_s(sc, job), now_s);
	scene_free(sc);
}

/* The running job ends before the measurement expires. */
static void outside_usage_expires_between_ends(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t first, second;
	int64_t now_s;

	(void)state;
	scene_config(sc, "rmpollinterval = 30s\n");
	first = scene_submit(sc, 1, 60);
	now_s = scene_view(sc)->now_s;
	assert_int_equal(scene_pass(sc), 1);
	set_outside_load(sc, 2);
	second = scene_submit(sc, 1, 3600);
	assert_int_equal(projected_start_s(sc, first), now_s);
	assert_int_equal(projected_start_s(sc, second), now_s + NODE_MEASURED_POLLS * POLL_S);
	scene_free(sc);
}

/*
 * PEWEIGHT makes the priority negative for the first 11 minutes. The scheduler recalculates priorities only
 * at polls and after events.
 */
static void a_priority_that_is_no_longer_negative_starts_the_job_at_the_next_poll(void **state)
{
	const int64_t poll_s = 300;
	struct scene *sc = scene_new(1, 3);
	int64_t start_s;
	uint64_t job;

	(void)state;
	scene_config(sc, "rejectnegpriojobs = true\npeweight = -6\nrmpollinterval = 300s\n");
	scene_go(sc, sc->now_s - sc->now_s % poll_s + poll_s + 60);
	job = scene_submit(sc, 2, 900);
	scene_pass(sc);
	start_s = sc->now_s + 840;
	assert_int_equal(start_s % poll_s, 0);
	assert_int_equal(projected_start_s(sc, job), start_s);
	scene_go(sc, start_s - 60);
	assert_int_equal(projected_start_from(sc, job, sc->now_s), start_s);
	assert_int_equal(projected_start_from(sc, job, start_s), start_s);
	scene_set(sc, "backfilldepth", "7");
	assert_int_equal(projected_start_from(sc, job, sc->now_s), sc->now_s);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outside_usage_is_not_assumed_to_last),
		cmocka_unit_test(outside_usage_expires_between_ends),
		cmocka_unit_test(a_priority_that_is_no_longer_negative_starts_the_job_at_the_next_poll),
	};

	return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
