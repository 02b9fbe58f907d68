/* SPDX-License-Identifier: MIT */
/*
 * test_candidate.c - number of tasks that fit on a node, and the node's value to the allocation policies
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"
#include "yard.h"

/* The strictest access of job, class, node and system counts; on an empty node every job may start. */
static void access_is_the_strictest_of_job_class_and_node(void **state)
{
	struct alloc_list runs = {0};
	struct placement *r = placement_new();
	struct yard y;
	uint32_t amy, shared, exclusive, exclusive_class, in_class, other;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_FIRSTAVAILABLE;
	amy = yard_cred(&y, CRED_USER, "amy");
	exclusive_class = yard_cred(&y, CRED_CLASS, "lone");
	((struct cred *)yard_items(&y, TABLE_CREDS))[exclusive_class].attr.access = ACCESS_SINGLEJOB;
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_node(&y, "n002", (struct node){.procs = 4, .access = ACCESS_SINGLEJOB});
	yard_node(&y, "n003", (struct node){.procs = 4});
	y.s->nodes_differ = 1;
	shared = yard_job(&y, (struct job){.cred = {amy}});
	exclusive = yard_job(&y, (struct job){.access = ACCESS_SINGLEJOB});
	in_class = yard_job(&y, (struct job){.cred = {[CRED_CLASS] = exclusive_class}});
	other = yard_job(&y, (struct job){.tasks = 4});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, shared, 0), "n001:1");
	/* It does not share n001 with the first job, and occupies the whole of n002. */
	assert_true(placement_find(r, exclusive, 0, 100, &runs));
	assert_string_equal(yard_shown(&y, &runs), "n002:1");
	assert_int_equal(runs.item[0].procs, 4);
	placement_take(r, exclusive, 0, 100, runs.item, 1);
	assert_int_equal(placement_procs_free(r), 7);
	assert_string_equal(yard_place(&y, r, in_class, 0), "n003:1");
	assert_int_equal(placement_procs_free(r), 3);
	assert_string_equal(yard_place(&y, r, other, 0), "");
	assert_int_equal(yard_earliest(r, other, 0), 100);
	runs.count = 0;
	free(runs.item);
	placement_free(r);
	yard_end(&y);
}

static void singleuser_excludes_other_users(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t amy, bob, hers, his, single_user, unowned;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_FIRSTAVAILABLE;
	amy = yard_cred(&y, CRED_USER, "amy");
	bob = yard_cred(&y, CRED_USER, "bob");
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_node(&y, "n002", (struct node){.procs = 4});
	yard_start(&y, yard_job(&y, (struct job){.cred = {amy}, .wall_limit_s = 50}),
		   (struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1});
	single_user = yard_job(&y, (struct job){.cred = {amy}, .access = ACCESS_SINGLEUSER});
	hers = yard_job(&y, (struct job){.cred = {amy}});
	his = yard_job(&y, (struct job){.cred = {bob}});
	unowned = yard_job(&y, (struct job){.tasks = 4});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, single_user, 0), "n001:1");
	assert_string_equal(yard_place(&y, r, his, 0), "n002:1");
	assert_string_equal(yard_place(&y, r, hers, 0), "n001:1");
	assert_string_equal(yard_place(&y, r, unowned, 0), "");
	assert_int_equal(yard_earliest(r, unowned, 0), 100);
	placement_free(r);
	yard_end(&y);
}

/* --- resources ------------------------------------------------------------------------------------ */

/* Processors of the job that fit between two times, and on a single node. */
static int64_t fit(struct placement *r, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	enum lack lack;

	return placement_fit(r, slot, begin_s, end_s, &lack);
}

static void every_resource_limits_the_tasks_that_fit(void **state)
{
	static const struct {
		struct job job;
		int64_t tasks;
	} asked[] = {
		{{.task_procs = 1, .features = 1}, 6},
		{{.task_procs = 4}, 1},
		{{.task_procs = 1, .mem_mb = 300}, 2},
		{{.task_procs = 1, .swap_mb = 250}, 5},
		{{.task_procs = 1, .disk_mb = 101}, 4},
		{{.task_procs = 1, .gres = {0, 1}}, 2},
		{{.task_procs = 1, .gres = {1, 0}}, 0},
		{{.task_procs = 2, .mem_mb = 100, .swap_mb = 1, .gres = {0, 1}}, 2},
		{{.task_procs = 1, .mem_mb = 1, .swap_mb = 1, .disk_mb = 1}, 6},
	};
	struct placement *r = placement_new();
	struct yard y;

	(void)state;
	yard_begin(&y);
	yard_trait(&y, TRAIT_GRES, "gpu");
	yard_trait(&y, TRAIT_GRES, "tape");
	yard_node(&y, "n001",
		  (struct node){.procs = 8,
				.mem_mb = 1000,
				.swap_mb = 1500,
				.disk_mb = 500,
				.gres = {0, 4},
				.features = 3});
	yard_start(
		&y,
		yard_job(&y,
			 (struct job){
				 .tasks = 2, .mem_mb = 150, .swap_mb = 100, .disk_mb = 48, .gres = {0, 1}}),
		(struct alloc_run){.nodes = 1, .procs = 2, .tasks = 2});
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
		struct job job = asked[i].job;
		uint32_t slot;

		job.tasks = 100;
		slot = yard_job(&y, job);
		placement_begin(r, y.s, 0);
		assert_int_equal(fit(r, slot, 0, 10), asked[i].tasks * job.task_procs);
		assert_int_equal(fit(r, slot, 50, 60), asked[i].tasks * job.task_procs);
	}
	placement_free(r);
	yard_end(&y);
}

static void unknown_amounts_are_ignored(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 4});
	job = yard_job(&y, (struct job){.tasks = 4, .mem_mb = 1000, .swap_mb = 1000, .disk_mb = 1000});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, job, 0), "n001:4");
	placement_free(r);
	yard_end(&y);
}

/* Claims add up only at the same time. */
static void the_minimum_over_time_counts(void **state)
{
	static const struct alloc_run run = {.nodes = 1, .procs = 3, .tasks = 1};
	struct placement *r = placement_new();
	struct yard y;
	uint32_t first, second, third, job;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 10});
	first = yard_job(&y, (struct job){.task_procs = 3});
	second = yard_job(&y, (struct job){.task_procs = 3});
	third = yard_job(&y, (struct job){.task_procs = 3});
	job = yard_job(&y, (struct job){.tasks = 10});
	placement_begin(r, y.s, 0);
	placement_take(r, first, 10, 30, &run, 1);
	placement_take(r, second, 30, 50, &run, 1);
	assert_int_equal(fit(r, job, 0, 100), 7);
	placement_take(r, third, 20, 40, &run, 1);
	assert_int_equal(fit(r, job, 0, 100), 4);
	assert_int_equal(fit(r, job, 0, 20), 7);
	assert_int_equal(fit(r, job, 0, 10), 10);
	assert_int_equal(fit(r, job, 40, 45), 7);
	assert_int_equal(fit(r, job, 50, 60), 10);
	placement_free(r);
	yard_end(&y);
}

/* --- M-15: NODEAVAILABILITYPOLICY ----------------------------------------------------------------- */

/* One node of 8 processors and 1000 MB each of memory, swap and disk; a job holds 4 and 400. */
static uint32_t build_m15(struct yard *y, struct job asked)
{
	yard_begin(y);
	yard_node(y, "n001", (struct node){.procs = 8, .mem_mb = 1000, .swap_mb = 1000, .disk_mb = 1000});
	yard_start(y, yard_job(y, (struct job){.tasks = 4, .mem_mb = 100, .swap_mb = 100, .disk_mb = 100}),
		   (struct alloc_run){.nodes = 1, .procs = 4, .tasks = 4});
	asked.tasks = 100;
	return yard_job(y, asked);
}

static void m_15_available_amounts_depend_on_the_policy(void **state)
{
	static const struct {
		enum availability how;
		int64_t used, left; /* of 1000, of which 400 are dedicated */
	} expected[] = {
		{AVAILABLE_COMBINED, 700, 300},  {AVAILABLE_COMBINED, 100, 600},
		{AVAILABLE_COMBINED, -1, 600},   {AVAILABLE_DEDICATED, 700, 600},
		{AVAILABLE_DEDICATED, 100, 600}, {AVAILABLE_DEDICATED, -1, 600},
		{AVAILABLE_UTILIZED, 700, 300},  {AVAILABLE_UTILIZED, 100, 900},
		{AVAILABLE_UTILIZED, -1, 600},
	};
	static const struct {
		enum available_resource resource;
		struct job asked;
	} asked[] = {{AVAILABLE_MEM, {.task_procs = 1, .mem_mb = 300}},
		     {AVAILABLE_SWAP, {.task_procs = 1, .swap_mb = 300}},
		     {AVAILABLE_DISK, {.task_procs = 1, .disk_mb = 300}}};

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
			struct placement *r = placement_new();
			struct yard y;
			uint32_t slot = build_m15(&y, asked[k].asked);
			struct node_used *used = &yard_node_at(&y, 0)->used;

			y.s->policy.available[asked[k].resource] = (uint8_t)expected[i].how;
			*used = (struct node_used){-1, -1, expected[i].used, expected[i].used,
						   expected[i].used};
			placement_begin(r, y.s, 0);
			assert_int_equal(fit(r, slot, 0, 10), expected[i].left / 300);
			/* Later: the configured minus the claimed amount. */
			assert_int_equal(fit(r, slot, 1, 10), 2);
			assert_int_equal(fit(r, slot, 100, 110), 3);
			placement_free(r);
			yard_end(&y);
		}
}

static void m_15_processors_are_never_allocated_twice(void **state)
{
	static const struct {
		enum availability how;
		double used, load;
		int64_t left; /* of 8, of which 4 are dedicated */
	} expected[] = {
		{AVAILABLE_COMBINED, 6, 6, 2},   {AVAILABLE_COMBINED, 1, 1, 4},
		{AVAILABLE_COMBINED, -1, 7, 4},  {AVAILABLE_DEDICATED, 6, 6, 4},
		{AVAILABLE_UTILIZED, 6, 6, 2},   {AVAILABLE_UTILIZED, 1, 1, 4},
		{AVAILABLE_COMBINED, 4, 6.5, 1}, /* 4 + 1.2 * 2.5 */
		{AVAILABLE_COMBINED, 4, 4.3, 4}, {AVAILABLE_COMBINED, 4, 40, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		struct placement *r = placement_new();
		struct yard y;
		uint32_t slot = build_m15(&y, (struct job){.mem_mb = 1});
		struct node_used *used = &yard_node_at(&y, 0)->used;

		y.s->policy.available[AVAILABLE_PROCS] = (uint8_t)expected[i].how;
		used->procs = expected[i].used;
		used->load = expected[i].load;
		placement_begin(r, y.s, 0);
		assert_int_equal(fit(r, slot, 0, 10), expected[i].left);
		assert_int_equal(fit(r, slot, 1, 10), 4);
		placement_free(r);
		yard_end(&y);
	}
}

static void m_15_each_start_of_a_pass_reduces_available_amounts(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t slot = build_m15(&y, (struct job){.mem_mb = 300}), one;

	(void)state;
	one = yard_job(&y, (struct job){.mem_mb = 300, .wall_limit_s = 50});
	yard_node_at(&y, 0)->used.mem_mb = 100;
	y.s->policy.available[AVAILABLE_MEM] = AVAILABLE_UTILIZED;
	placement_begin(r, y.s, 0);
	assert_int_equal(fit(r, slot, 0, 10), 3);
	assert_string_equal(yard_place(&y, r, one, 0), "n001:1");
	assert_int_equal(fit(r, slot, 0, 10), 2);
	/* 400 of the running job and 300 of the start are dedicated. */
	assert_int_equal(fit(r, slot, 1, 10), 1);
	assert_int_equal(fit(r, slot, 50, 60), 2);
	placement_free(r);
	yard_end(&y);
}

/* With UTILIZED, unused memory may be dedicated twice, but reservations rely on claimed amounts. */
static void m_15_unused_memory_never_delays_a_reservation(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t slot = build_m15(&y, (struct job){.mem_mb = 100}), reserved;

	(void)state;
	reserved = yard_job(&y, (struct job){.mem_mb = 500});
	yard_node_at(&y, 0)->used.mem_mb = 100;
	y.s->policy.available[AVAILABLE_MEM] = AVAILABLE_UTILIZED;
	placement_begin(r, y.s, 0);
	placement_take(r, reserved, 50, 150, &(struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1}, 1);
	assert_int_equal(fit(r, slot, 0, 50), 4);
	/* At 50, 400 + 500 MB are dedicated: 100 are left, although only 100 are used now. */
	assert_int_equal(fit(r, slot, 0, 51), 1);
	placement_free(r);
	yard_end(&y);
}

/* Two tasks hold 600 of each resource of the node until 50. A task that requests 500 then fits beside a
 * reservation of 400 from 80 on; a task that requests 700 fits only before and after it. */
static void the_claimed_amount_of_each_resource_counts_at_every_time(void **state)
{
	static const struct {
		struct job runs, reserved, small, large;
	} of[] = {
		{{.mem_mb = 300}, {.mem_mb = 400}, {.mem_mb = 500}, {.mem_mb = 700}},
		{{.swap_mb = 300}, {.swap_mb = 400}, {.swap_mb = 500}, {.swap_mb = 700}},
		{{.disk_mb = 300}, {.disk_mb = 400}, {.disk_mb = 500}, {.disk_mb = 700}},
		{{.gres = {300}}, {.gres = {400}}, {.gres = {500}}, {.gres = {700}}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
		const struct alloc_run first = {.nodes = 1, .procs = 2, .tasks = 2},
				       later = {.nodes = 1, .procs = 1, .tasks = 1};
		struct job runs = of[i].runs, reserved = of[i].reserved, small = of[i].small,
			   large = of[i].large;
		struct placement *r = placement_new();
		struct yard y;
		uint32_t job, small_slot, large_slot;

		runs.tasks = 2;
		runs.wall_limit_s = 50;
		reserved.wall_limit_s = 20;
		small.wall_limit_s = large.wall_limit_s = 40;
		yard_begin(&y);
		yard_trait(&y, TRAIT_GRES, "gpu");
		yard_node(&y, "n001",
			  (struct node){.procs = 8,
					.mem_mb = 1000,
					.swap_mb = 1000,
					.disk_mb = 1000,
					.gres = {1000}});
		yard_start(&y, yard_job(&y, runs), first);
		job = yard_job(&y, reserved);
		small_slot = yard_job(&y, small);
		large_slot = yard_job(&y, large);
		placement_begin(r, y.s, 0);
		assert_int_equal(yard_earliest(r, small_slot, 0), 50);
		assert_int_equal(yard_earliest(r, large_slot, 0), 50);
		placement_take(r, job, 80, 100, &later, 1);
		assert_int_equal(yard_earliest(r, small_slot, 0), 50);
		assert_int_equal(yard_earliest(r, large_slot, 0), 100);
		placement_give_back(r, job, 80, 100, &later, 1);
		assert_int_equal(yard_earliest(r, large_slot, 0), 50);
		placement_free(r);
		yard_end(&y);
	}
}

static void measure(struct scene *sc, double procs)
{
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = "n001", .used = NODE_NOT_MEASURED}};

	ev.load.used.procs = procs;
	scene_apply(sc, &ev);
}

/* Processors used by other processes count also for jobs that can run on any node. */
static void m_15_processors_used_by_other_processes_delay_plain_jobs(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_submit(sc, 2, 100);
	measure(sc, 3);
	scene_pass(sc);
	assert_int_equal(sc->result.started, 0);
	measure(sc, -1);
	scene_pass(sc);
	assert_int_equal(sc->result.started, 1);
	scene_free(sc);
}

static bool near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

static void n_17_a_function_combines_speed_memory_and_jobs(void **state)
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

static void n_18_nodes_may_have_their_own_functions(void **state)
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
	/* The node ran jobs for 20 of 100 seconds. */
	assert_true(near(placement_node_priority(r, 0, INDEX_NONE), -1.5 - 5 * 20));
	assert_true(near(placement_node_priority(r, 1, INDEX_NONE), 1004));
	assert_true(near(placement_node_priority(r, 2, INDEX_NONE), 1008));
	assert_string_equal(yard_place(&y, r, job, 100), "batch2:1");
	assert_true(near(placement_node_priority(r, 2, INDEX_NONE), 1007));
	placement_free(r);
	yard_end(&y);
}

/* Just after a reset usage is 0 %; one second later it may be 100 %. */
static void usage_is_a_share_of_the_time_since_the_statistics_were_reset(void **state)
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

static void n_19_jobcount_packs_jobs(void **state)
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

static void n_21_preferences_are_weighed_against_load(void **state)
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

static void without_a_function_the_value_is_priority_plus_100_for_a_preference(void **state)
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

/* Relative speeds if they differ, as in the original; else the speeds of the processors (N-16). */
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

static void n_16_available_amounts_exclude_all_claims(void **state)
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
	/* More memory is used than dedicated, but not more swap. */
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

static void n_10_local_uses_the_order_of_the_program(void **state)
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
		cmocka_unit_test(access_is_the_strictest_of_job_class_and_node),
		cmocka_unit_test(singleuser_excludes_other_users),
		cmocka_unit_test(every_resource_limits_the_tasks_that_fit),
		cmocka_unit_test(unknown_amounts_are_ignored),
		cmocka_unit_test(the_minimum_over_time_counts),
		cmocka_unit_test(m_15_available_amounts_depend_on_the_policy),
		cmocka_unit_test(m_15_processors_are_never_allocated_twice),
		cmocka_unit_test(m_15_each_start_of_a_pass_reduces_available_amounts),
		cmocka_unit_test(m_15_unused_memory_never_delays_a_reservation),
		cmocka_unit_test(m_15_processors_used_by_other_processes_delay_plain_jobs),
		cmocka_unit_test(the_claimed_amount_of_each_resource_counts_at_every_time),
		cmocka_unit_test(n_17_a_function_combines_speed_memory_and_jobs),
		cmocka_unit_test(n_18_nodes_may_have_their_own_functions),
		cmocka_unit_test(n_19_jobcount_packs_jobs),
		cmocka_unit_test(usage_is_a_share_of_the_time_since_the_statistics_were_reset),
		cmocka_unit_test(n_21_preferences_are_weighed_against_load),
		cmocka_unit_test(without_a_function_the_value_is_priority_plus_100_for_a_preference),
		cmocka_unit_test(n_16_speed_is_relative_or_that_of_processors),
		cmocka_unit_test(n_16_available_amounts_exclude_all_claims),
		cmocka_unit_test(n_10_local_uses_the_order_of_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
