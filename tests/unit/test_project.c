/* SPDX-License-Identifier: MIT */
/*
 * test_project.c - what would happen if nothing else did?
 *
 * That a projection is what comes true is held against the real thing by property/projected.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/project.h"
#include "tests/scene.h"

#define POLL_S 30

static int64_t projected_start_s(const struct scene *sc, uint64_t job)
{
	const struct snapshot *s = scene_view(sc);
	const struct project_setup setup = {.from_s = s->now_s, .until_s = TIME_NEVER - 1};
	struct projection p = {.start_s = NULL};
	int64_t start_s;

	assert_true(project_run(&p, s, &setup));
	assert_true(p.whole);
	start_s = p.start_s[snapshot_find_job(s, job)];
	project_clear(&p);
	return start_s;
}

static void measure(struct scene *sc, double procs)
{
	struct event ev = {.kind = EVENT_LOAD, .who = "sched"};

	ev.load.node = snapshot_string(scene_view(sc), snapshot_nodes(scene_view(sc))[0].name);
	ev.load.used = NODE_NOT_MEASURED;
	ev.load.used.load = ev.load.used.procs = procs;
	scene_apply(sc, &ev);
}

/* Nobody measures in a projection, and such a job is not to wait for ever. */
static void what_others_use_now_is_not_taken_for_lasting(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t job;
	int64_t now_s;

	(void)state;
	scene_config(sc, "rmpollinterval = 30s\n");
	measure(sc, 2);
	job = scene_submit(sc, 2, 3600);
	now_s = scene_view(sc)->now_s;
	assert_int_equal(scene_pass(sc), 0);
	assert_int_equal(projected_start_s(sc, job), now_s + NODE_MEASURED_POLLS * POLL_S);
	measure(sc, -1);
	assert_int_equal(projected_start_s(sc, job), now_s);
	scene_free(sc);
}

/* The end of the job that runs comes first, and is not passed over either. */
static void what_others_use_is_forgotten_between_ends(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t first, second;
	int64_t now_s;

	(void)state;
	scene_config(sc, "rmpollinterval = 30s\n");
	first = scene_submit(sc, 1, 60);
	now_s = scene_view(sc)->now_s;
	assert_int_equal(scene_pass(sc), 1);
	measure(sc, 2);
	second = scene_submit(sc, 1, 3600);
	assert_int_equal(projected_start_s(sc, first), now_s);
	assert_int_equal(projected_start_s(sc, second), now_s + NODE_MEASURED_POLLS * POLL_S);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_others_use_now_is_not_taken_for_lasting),
		cmocka_unit_test(what_others_use_is_forgotten_between_ends),
	};

	return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
