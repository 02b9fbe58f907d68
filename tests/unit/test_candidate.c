/* SPDX-License-Identifier: MIT */
/*
 * test_candidate.c - are nodes worth what PRIORITYF and the other policies say?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yard.h"

static bool near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

static void n_17_speed_memory_and_jobs_weigh_together(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t slot[3];

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_PRIORITY;
	y.s->priorityf = yard_string(&y, "SPEED+ .01 * AMEM - 10 * JOBCOUNT");
	yard_node(&y, "n001", (struct node){.procs = 4, .mem_mb = 1000, .speed = 2});
	yard_node(&y, "n002", (struct node){.procs = 4, .mem_mb = 3000, .speed = 1});
	for (int k = 0; k < 3; k++)
		slot[k] = yard_job(&y, (struct job){.mem_mb = 500});
	placement_begin(r, y.s, 0);
	assert_true(near(placement_node_priority(r, 0, INDEX_NONE), 2 + 10));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1 + 30));
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n002:1");
	/* The start counts at once: 2500 MB are left, and one job is there. */
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1 + 25 - 10));
	assert_string_equal(yard_place(&y, r, slot[1], 0), "n002:1");
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1 + 20 - 20));
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n001:1");
	placement_free(r);
	yard_end(&y);
}

static void n_18_nodes_may_have_functions_of_their_own(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job, own;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_PRIORITY;
	y.s->priorityf = yard_string(&y, "-LOAD - 5*USAGE");
	own = yard_string(&y, "PRIORITY + APROCS");
	yard_node(&y, "n001", (struct node){.procs = 4, .active_s = 20});
	yard_node(&y, "batch1", (struct node){.procs = 4, .priority = 1000, .priorityf = own});
	yard_node(&y, "batch2", (struct node){.procs = 8, .priority = 1000, .priorityf = own});
	yard_node_at(&y, 0)->used.load = 1.5;
	job = yard_job(&y, (struct job){.tasks = 1, .mem_mb = 1});
	placement_begin(r, y.s, 100);
	/* It had jobs for 20 of 100 seconds. */
	assert_true(near(placement_node_priority(r, 0, INDEX_NONE), -1.5 - 5 * 20));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1004));
	assert_true(near(placement_node_priority(r, 2, INDEX_NONE), 1008));
	assert_string_equal(yard_place(&y, r, job, 100), "batch2:1");
	assert_true(near(placement_node_priority(r, 2, INDEX_NONE), 1007));
	placement_free(r);
	yard_end(&y);
}

/* At the moment at which the statistics begin nothing was used; one second later all of it may have been. */
static void usage_is_of_the_time_since_statistics_began(void **state)
{
	static const struct {
		int64_t now_s, active_s, active_from_s;
		double usage;
	} at[] = {{50, 0, TIME_NONE, 0},  {50, 0, 50, 0},  {51, 1, TIME_NONE, 100}, {51, 0, 50, 100},
		  {54, 1, TIME_NONE, 25}, {54, 1, 52, 75}, {49, 5, TIME_NONE, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
		struct placement *r = placement_new();
		struct yard y;

		yard_begin(&y);
		y.s->policy.allocation = ALLOCATE_PRIORITY;
		y.s->priorityf = yard_string(&y, "USAGE");
		y.s->stats_since_s = 50;
		yard_node(&y, "n001", (struct node){.procs = 4, .active_s = at[i].active_s});
		yard_node_at(&y, 0)->active_from_s = at[i].active_from_s;
		placement_begin(r, y.s, at[i].now_s);
		assert_true(near(placement_node_priority(r, 0, INDEX_NONE), at[i].usage));
		placement_free(r);
		yard_end(&y);
	}
}

static void n_19_jobcount_packs(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t slot[3];

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_PRIORITY;
	y.s->priorityf = yard_string(&y, "JOBCOUNT");
	yard_node(&y, "n001", (struct node){.procs = 2});
	yard_node(&y, "n002", (struct node){.procs = 3});
	yard_start(&y, yard_job(&y, (struct job){0}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 1, .tasks = 1});
	for (int k = 0; k < 3; k++)
		slot[k] = yard_job(&y, (struct job){0});
	placement_begin(r, y.s, 0);
	assert_true(placement_is_plain(r));
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n002:1");
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 2));
	assert_string_equal(yard_place(&y, r, slot[1], 0), "n002:1");
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n001:1");
	placement_free(r);
	yard_end(&y);
}

static void n_21_preferences_weigh_against_load(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job, other;
	uint64_t fast;

	(void)state;
	yard_begin(&y);
	fast = yard_trait(&y, TRAIT_FEATURE, "fast");
	y.s->policy.allocation = ALLOCATE_PRIORITY;
	y.s->priorityf = yard_string(&y, "5 * PREF - LOAD");
	yard_node(&y, "n001", (struct node){.procs = 8, .features = fast});
	yard_node(&y, "n002", (struct node){.procs = 8});
	yard_node_at(&y, 0)->used.load = 4;
	yard_node_at(&y, 1)->used.load = 1;
	job = yard_job(&y, (struct job){.prefer = fast});
	other = yard_job(&y, (struct job){0});
	placement_begin(r, y.s, 0);
	assert_true(near(placement_node_priority(r, 0, job), 1));
	assert_true(near(placement_node_priority(r, 0, other), -4));
	assert_true(near(placement_node_priority(r, 1, job), -1));
	assert_string_equal(yard_place(&y, r, job, 0), "n001:1");
	assert_string_equal(yard_place(&y, r, other, 0), "n002:1");
	yard_node_at(&y, 0)->used.load = 7;
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, job, 0), "n002:1");
	placement_free(r);
	yard_end(&y);
}

static void without_a_function_a_node_is_worth_its_priority_and_100_a_preference(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_PRIORITY;
	yard_node(&y, "n001", (struct node){.procs = 8, .priority = 99});
	yard_node(&y, "n002", (struct node){.procs = 8, .features = 1});
	job = yard_job(&y, (struct job){.prefer = 1});
	placement_begin(r, y.s, 0);
	assert_true(near(placement_node_priority(r, 0, job), 99));
	assert_true(near(placement_node_priority(r, 1, job), 100));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 0));
	assert_string_equal(yard_place(&y, r, job, 0), "n002:1");
	placement_free(r);
	yard_end(&y);
}

/* Relative speeds where they differ, as the original takes them; else that of the processors (N-16). */
static void n_16_speed_is_relative_or_that_of_processors(void **state)
{
	struct placement *r = placement_new();
	struct yard y;

	(void)state;
	yard_begin(&y);
	y.s->priorityf = yard_string(&y, "SPEED");
	yard_node(&y, "n001", (struct node){.procs = 1, .procspeed = 1800});
	yard_node(&y, "n002", (struct node){.procs = 1});
	placement_begin(r, y.s, 0);
	assert_true(near(placement_node_priority(r, 0, INDEX_NONE), 1800));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1));
	yard_node_at(&y, 1)->speed = 2;
	placement_begin(r, y.s, 0);
	assert_true(near(placement_node_priority(r, 0, INDEX_NONE), 1));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 2));
	placement_free(r);
	yard_end(&y);
}

static void n_16_what_is_available_is_what_nobody_holds(void **state)
{
	static const struct {
		const char *name;
		double value;
	} expected[] = {{"ADISK", 700}, {"AMEM", 1000},  {"APROCS", 5},      {"ASWAP", 1800}, {"CDISK", 1000},
			{"CMEM", 2000}, {"CPROCS", 8},   {"CSWAP", 3000},    {"JOBCOUNT", 1}, {"LOAD", 0},
			{"PREF", 0},    {"PRIORITY", 7}, {"RESAFFINITY", 0}, {"SPEED", 1},    {"USAGE", 50}};
	struct placement *r = placement_new();
	struct yard y;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001",
		  (struct node){.procs = 8,
				.mem_mb = 2000,
				.swap_mb = 3000,
				.disk_mb = 1000,
				.priority = 7,
				.active_s = 30});
	yard_start(&y,
		   yard_job(&y, (struct job){.tasks = 1,
					     .task_procs = 3,
					     .mem_mb = 600,
					     .swap_mb = 1200,
					     .disk_mb = 300,
					     .wall_limit_s = 500}),
		   (struct alloc_run){.nodes = 1, .procs = 3, .tasks = 1});
	yard_node_at(&y, 0)->active_from_s = 80;
	/* More memory is used than is dedicated; not so with swap. */
	yard_node_at(&y, 0)->used.mem_mb = 1000;
	yard_node_at(&y, 0)->used.swap_mb = 100;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		y.s->priorityf = yard_string(&y, expected[i].name);
		placement_begin(r, y.s, 100);
		if (!near(placement_node_priority(r, 0, INDEX_NONE), expected[i].value))
			fail_msg("%s is %g", expected[i].name, placement_node_priority(r, 0, INDEX_NONE));
	}
	placement_free(r);
	yard_end(&y);
}

static void n_10_local_is_the_order_that_the_program_answered(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job, late, part;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_LOCAL;
	yard_node(&y, "n001", (struct node){.procs = 2, .mem_mb = 4096});
	yard_node(&y, "n002", (struct node){.procs = 2, .mem_mb = 512});
	yard_node(&y, "n003", (struct node){.procs = 2, .mem_mb = 2048});
	job = yard_job(&y, (struct job){.mem_mb = 1, .order = yard_string(&y, "n003 N001 n002")});
	late = yard_job(&y, (struct job){.mem_mb = 1, .order = yard_string(&y, JOB_NO_ANSWER)});
	part = yard_job(&y, (struct job){.tasks = 3, .mem_mb = 1, .order = yard_string(&y, " n001 ")});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, job, 0), "n003:1");
	assert_string_equal(yard_place(&y, r, late, 0), "n002:1");
	assert_string_equal(yard_place(&y, r, part, 0), "n001:2 n002:1");
	placement_free(r);
	yard_end(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_17_speed_memory_and_jobs_weigh_together),
		cmocka_unit_test(n_18_nodes_may_have_functions_of_their_own),
		cmocka_unit_test(n_19_jobcount_packs),
		cmocka_unit_test(usage_is_of_the_time_since_statistics_began),
		cmocka_unit_test(n_21_preferences_weigh_against_load),
		cmocka_unit_test(without_a_function_a_node_is_worth_its_priority_and_100_a_preference),
		cmocka_unit_test(n_16_speed_is_relative_or_that_of_processors),
		cmocka_unit_test(n_16_what_is_available_is_what_nobody_holds),
		cmocka_unit_test(n_10_local_is_the_order_that_the_program_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
