/* SPDX-License-Identifier: MIT */
/*
 * test_placement.c - claims, and the nodes and start times of jobs, compared with Maui's guide and with Maui
 *
 * tests/property/placement.c tests that nothing is allocated twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/placement/profile.h"
#include "sched/placement/reservation.h"
#include "tests/scene.h"
#include "yard.h"

/* --- plain placements ----------------------------------------------------------------------------------- */

/* Four nodes with 4 processors. The second is full until 100; one processor of the third is busy until 200.
 */
static void build_plain(struct yard *y)
{
	yard_begin(y);
	for (int n = 0; n < 4; n++) {
		char name[16];

		snprintf(name, sizeof name, "n%03d", n + 1);
		yard_node(y, name, (struct node){.procs = 4});
	}
	yard_start(y, yard_job(y, (struct job){.tasks = 4, .wall_limit_s = 100}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 4, .tasks = 4});
	yard_start(y, yard_job(y, (struct job){.tasks = 1, .wall_limit_s = 200}),
		   (struct alloc_run){.node = 2, .nodes = 1, .procs = 1, .tasks = 1});
}

static void a_placement_is_plain_while_processors_are_interchangeable(void **state)
{
	struct placement *r = placement_new();
	struct yard y;

	(void)state;
	build_plain(&y);
	placement_begin(r, y.s, 0);
	assert_true(placement_is_plain(r));
	y.s->policy.access = ACCESS_SINGLEUSER;
	placement_begin(r, y.s, 0);
	assert_false(placement_is_plain(r));
	y.s->policy.access = ACCESS_SHARED;
	yard_job(&y, (struct job){.task_procs = 2});
	placement_begin(r, y.s, 0);
	assert_false(placement_is_plain(r));
	placement_free(r);
	yard_end(&y);
}

static void starts_take_free_processors_from_one_end(void **state)
{
	struct placement *r = placement_new();
	uint32_t slot[3];
	struct yard y;

	(void)state;
	build_plain(&y);
	slot[0] = yard_job(&y, (struct job){.tasks = 5});
	slot[1] = yard_job(&y, (struct job){.tasks = 4});
	slot[2] = yard_job(&y, (struct job){.tasks = 3});
	y.s->policy.allocation = ALLOCATE_FIRSTAVAILABLE;
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_procs_free(r), 11);
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n001:4 n003:1");
	assert_string_equal(yard_place(&y, r, slot[1], 0), "n003:2 n004:2");
	assert_string_equal(yard_place(&y, r, slot[2], 0), "");
	assert_int_equal(placement_procs_free(r), 2);
	/* A new pass does not see the starts of the previous one. */
	y.s->policy.allocation = ALLOCATE_LASTAVAILABLE;
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_procs_free(r), 11);
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n004:4 n003:1");
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n003:2 n001:1");
	assert_string_equal(yard_place(&y, r, slot[1], 0), "");
	placement_free(r);
	yard_end(&y);
}

static void all_policies_consider_the_starts_of_the_pass(void **state)
{
	struct placement *r = placement_new();
	uint32_t slot[3];
	struct yard y;

	(void)state;
	build_plain(&y);
	y.s->policy.allocation = ALLOCATE_FASTEST;
	for (int n = 0; n < 4; n++)
		yard_node_at(&y, (uint32_t)n)->speed = 4 - n;
	slot[0] = yard_job(&y, (struct job){.tasks = 5, .allocation = ALLOCATE_LASTAVAILABLE + 1});
	slot[1] = yard_job(&y, (struct job){.tasks = 5});
	slot[2] = yard_job(&y, (struct job){.tasks = 1});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n004:4 n003:1");
	assert_string_equal(yard_place(&y, r, slot[1], 0), "n001:4 n003:1");
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n003:1");
	assert_int_equal(placement_procs_free(r), 0);
	placement_free(r);
	yard_end(&y);
}

/* Features alone do not make nodes particular, so the placement stays plain. */
static void a_preferred_node_comes_first_in_a_plain_placement(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint64_t fast;
	uint32_t slot;

	(void)state;
	yard_begin(&y);
	for (int n = 0; n < 3; n++) {
		char name[16];

		snprintf(name, sizeof name, "n%03d", n + 1);
		yard_node(&y, name, (struct node){.procs = 4});
	}
	fast = yard_trait(&y, TRAIT_FEATURE, "fast");
	yard_node_at(&y, 1)->features = fast;
	slot = yard_job(&y, (struct job){.tasks = 2, .prefer = fast});
	for (int last = 0; last < 2; last++) {
		y.s->policy.allocation = last ? ALLOCATE_LASTAVAILABLE : ALLOCATE_FIRSTAVAILABLE;
		placement_begin(r, y.s, 0);
		assert_true(placement_is_plain(r));
		assert_string_equal(yard_place(&y, r, slot, 0), "n002:2");
	}
	placement_free(r);
	yard_end(&y);
}

static void the_profile_contains_running_jobs_and_claims(void **state)
{
	struct placement *r = placement_new();
	uint32_t slot[2];
	struct yard y;

	(void)state;
	build_plain(&y);
	slot[0] = yard_job(&y, (struct job){.tasks = 5, .wall_limit_s = 50});
	slot[1] = yard_job(&y, (struct job){.tasks = 2, .wall_limit_s = 150});
	placement_begin(r, y.s, 0);
	placement_take(r, slot[0], 0, 50, &(struct alloc_run){.nodes = 1, .procs = 4, .tasks = 4}, 1);
	assert_int_equal(profile_least(placement_profile(r), 0, 50), 7);
	placement_take(r, slot[1], 0, 150, &(struct alloc_run){.node = 2, .nodes = 1, .procs = 2, .tasks = 2},
		       1);
	assert_int_equal(profile_least(placement_profile(r), 0, 50), 5);
	assert_int_equal(profile_least(placement_profile(r), 50, 100), 9);
	assert_int_equal(profile_least(placement_profile(r), 100, 150), 13);
	assert_int_equal(profile_least(placement_profile(r), 150, 200), 15);
	assert_int_equal(profile_least(placement_profile(r), 200, TIME_NEVER), 16);
	placement_free(r);
	yard_end(&y);
}

static void floating_claims_are_made_together_or_not_at_all(void **state)
{
	struct reservation item[] = {{.begin_s = 100, .end_s = 200, .procs = 15},
				     {.begin_s = 200, .end_s = 300, .procs = 16}};
	struct placement *r = placement_new();
	struct yard y;

	(void)state;
	build_plain(&y);
	placement_begin(r, y.s, 0);
	assert_true(placement_claim_all(r, item, 2));
	assert_int_equal(profile_least(placement_profile(r), 0, 100), 11);
	assert_int_equal(profile_least(placement_profile(r), 100, 300), 0);
	item[0].end_s = 201;
	placement_begin(r, y.s, 0);
	assert_false(placement_claim_all(r, item, 2));
	assert_int_equal(profile_least(placement_profile(r), 0, 300), 11);
	item[0] = (struct reservation){.begin_s = -1, .end_s = 10, .procs = 1};
	placement_begin(r, y.s, 0);
	assert_false(placement_claim_all(r, item, 1));
	assert_int_equal(profile_least(placement_profile(r), 0, 10), 11);
	placement_free(r);
	yard_end(&y);
}

static void a_later_plain_job_has_a_start_time_but_no_nodes(void **state)
{
	struct alloc_list runs = {0};
	struct placement *r = placement_new();
	uint32_t slot;
	struct yard y;

	(void)state;
	build_plain(&y);
	slot = yard_job(&y, (struct job){.tasks = 13});
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_earliest(r, slot, 0, &runs), 100);
	assert_int_equal(runs.count, 0);
	assert_false(placement_can_take(r, slot, 0, 100, NULL, 0));
	assert_true(placement_can_take(r, slot, 100, 200, NULL, 0));
	placement_free(r);
	yard_end(&y);
}

/* Nodes that were full are examined again. */
static void processors_given_back_can_be_taken_again(void **state)
{
	static const struct alloc_run last = {.node = 2, .nodes = 1, .procs = 2, .tasks = 1};
	struct placement *r = placement_new();
	uint32_t slot[3];
	struct yard y;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 2});
	yard_node(&y, "n002", (struct node){.procs = 4});
	yard_node(&y, "n003", (struct node){.procs = 2});
	for (int k = 0; k < 3; k++)
		slot[k] = yard_job(&y, (struct job){.task_procs = 2});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n003:1");
	assert_string_equal(yard_place(&y, r, slot[1], 0), "n002:1");
	placement_give_back(r, slot[0], 0, 100, &last, 1);
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n003:1");
	placement_free(r);
	yard_end(&y);
}

/* A machine that has not reported any nodes yet. */
static void without_nodes_no_job_fits(void **state)
{
	struct placement *r = placement_new();
	enum lack lack;
	uint32_t slot;
	struct yard y;

	(void)state;
	yard_begin(&y);
	slot = yard_job(&y, (struct job){.task_procs = 2});
	placement_begin(r, y.s, 0);
	assert_false(placement_is_plain(r));
	assert_string_equal(yard_place(&y, r, slot, 0), "");
	assert_true(yard_earliest(r, slot, 0) == TIME_NEVER);
	assert_int_equal(placement_fit(r, slot, 0, 10, &lack), 0);
	assert_int_equal(placement_feasible_in(r, slot, &lack), 0);
	placement_free(r);
	yard_end(&y);
}

/* On n001, 3 of 4 processors are reserved, 2 of which are free beside job 1. No earlier query has built the
 * nodes. */
static void reserved_processors_are_taken_from_the_profile(void **state)
{
	struct scene *sc = scene_new(3, 4);
	struct event ev = {.kind = EVENT_RESERVE,
			   .who = "root",
			   .reserve = {"part", "start=100 end=200 node=n001*3 node=n003"}};
	struct placement *r = placement_new();

	(void)state;
	scene_apply(sc, &ev);
	scene_start(sc, scene_submit(sc, 2, 150), 0, 1, 2);
	placement_begin(r, scene_view(sc), 0);
	placement_take_advances(r);
	assert_int_equal(profile_least(placement_profile(r), 0, 100), 10);
	assert_int_equal(profile_least(placement_profile(r), 100, 150), 10 - 2 - 4);
	assert_int_equal(profile_least(placement_profile(r), 150, 200), 12 - 3 - 4);
	assert_int_equal(profile_least(placement_profile(r), 200, TIME_NEVER), 12);
	placement_free(r);
	scene_free(sc);
}

/*
 * 70 reservations of one processor each, one for each of 70 users: every user gets one, and another user
 * none.
 */
static void each_of_many_advance_reservations_admits_its_guest(void **state)
{
	const int users = 70;
	struct scene *sc = scene_new(1, (uint32_t)users);
	struct placement *r = placement_new();
	char name[16], text[64];

	(void)state;
	for (int i = 0; i <= users; i++) {
		struct event ev = {.kind = EVENT_RESERVE, .who = "root", .reserve = {name, text}};

		snprintf(text, sizeof text, "start=0 end=1000 node=n001*1 user=v%d", i);
		snprintf(name, sizeof name, "v%d", i);
		scene_add(sc, (struct scene_job){.user = name});
		scene_add(sc, (struct scene_job){.user = name, .procs = 2});
		if (i < users)
			scene_apply(sc, &ev);
	}
	placement_begin(r, scene_view(sc), 0);
	for (int i = 0; i <= users; i++)
		for (uint32_t procs = 1; procs <= 2; procs++) {
			uint32_t slot = state_find(sc->st, (uint64_t)(2 * i) + procs);
			struct alloc_list runs = {0};

			assert_int_equal(placement_find(r, slot, 0, 100, &runs), i < users && procs == 1);
			free(runs.item);
		}
	placement_free(r);
	scene_free(sc);
}

/* n002 is reserved for eva from 50 on: her jobs get it first if they run then. */
static void a_guest_gets_reserved_nodes_first(void **state)
{
	static const struct {
		const char *policy, *user;
		int64_t wall_s;
		uint32_t node;
	} job[] = {
		{"firstavailable", "eva", 100, 1}, {"firstavailable", "eva", 50, 0},
		{"firstavailable", "bob", 100, 0}, {"lastavailable", "eva", 100, 1},
		{"lastavailable", "eva", 50, 2},   {"lastavailable", "bob", 100, 2},
		{"minresource", "eva", 100, 1},    {"minresource", "eva", 50, 2},
		{"minresource", "bob", 100, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof job / sizeof job[0]; i++) {
		struct scene *sc = scene_new(3, 4);
		struct event ev = {.kind = EVENT_RESERVE,
				   .who = "root",
				   .reserve = {"own", "start=50 end=1000 node=n002 user=eva"}};
		struct placement *r = placement_new();
		struct alloc_list runs = {0};

		scene_apply(sc, &ev);
		scene_set(sc, "nodeallocationpolicy", job[i].policy);
		scene_add(sc, (struct scene_job){.user = job[i].user, .wall_s = job[i].wall_s});
		placement_begin(r, scene_view(sc), 0);
		assert_true(placement_find(r, 0, 0, job[i].wall_s, &runs));
		assert_int_equal(runs.count, 1);
		assert_int_equal(runs.item[0].node, job[i].node);
		free(runs.item);
		placement_free(r);
		scene_free(sc);
	}
}

/* Results of 1024 different requests are cached; results of further requests are computed each time. */
static void results_are_the_same_when_the_cache_is_full(void **state)
{
	const uint32_t requests = 1024 + 50;
	struct scene *sc = scene_new(1, 1);
	struct placement *r = placement_new();
	uint64_t last = 0;

	(void)state;
	scene_node(sc, (struct node_record){.name = "n002", .procs = 4, .mem_mb = 10000});
	scene_add(sc, (struct scene_job){.array = requests});
	for (uint32_t i = 1; i <= requests; i++) {
		struct job *job = state_job(sc->st, state_find(sc->st, i));

		job->mem_mb = 5000 + i;
		job->flags |= JOB_PARTICULAR;
		last = i;
	}
	state_header(sc->st)->particular = requests;
	placement_begin(r, scene_view(sc), 0);
	for (uint64_t id = 1; id <= last; id++) {
		uint32_t slot = state_find(sc->st, id);
		enum lack lack = LACK_NONE;

		state_job(sc->st, slot)->tasks = 1 + (uint32_t)id % 2;
		/* Two tasks of more than 5000 MB do not fit in 10000 MB. */
		assert_int_equal(placement_feasible_in(r, slot, &lack), 1);
		if (id % 2 == 1)
			assert_int_equal(lack, LACK_MEMORY);
	}
	placement_free(r);
	scene_free(sc);
}

/* --- case 11: five jobs on eight unequal nodes, as placed by Maui --------------------------------------- */

static const struct case11 {
	enum allocation_policy policy;
	bool has_speeds;
	const char *function;
	double n004_priority;
	const char *placed[5];
} case11[] = {
	{ALLOCATE_FIRSTAVAILABLE,
	 false,
	 NULL,
	 0,
	 {"n001:3", "n001:1 n002:2 n003:3", "n003:2", "n003:2 n004:1 n005:2", "n005:2 n006:2"}},
	{ALLOCATE_LASTAVAILABLE,
	 false,
	 NULL,
	 0,
	 {"n008:3", "n008:1 n007:5", "n006:2", "n007:3 n005:2", "n005:2 n003:2"}},
	{ALLOCATE_MINRESOURCE,
	 false,
	 NULL,
	 0,
	 {"n004:1 n007:2", "n007:6", "n005:1 n008:1", "n002:2 n005:3", "n008:2 n001:2"}},
	{ALLOCATE_CPULOAD, false, NULL, 0, {"n007:3", "n003:6", "n008:2", "n007:5", "n005:4"}},
	{ALLOCATE_FASTEST,
	 true,
	 NULL,
	 0,
	 {"n005:3", "n005:1 n002:2 n006:2 n003:1", "n003:2", "n003:4 n001:1", "n001:2 n007:2"}},
	{ALLOCATE_PRIORITY,
	 false,
	 NULL,
	 0,
	 {"n001:3", "n001:1 n002:2 n003:3", "n003:2", "n003:2 n004:1 n005:2", "n005:2 n006:2"}},
	{ALLOCATE_PRIORITY,
	 false,
	 "CMEM",
	 0,
	 {"n003:3", "n003:4 n006:2", "n001:2", "n001:2 n008:3", "n005:4"}},
	{ALLOCATE_PRIORITY, false, "APROCS", 0, {"n007:3", "n003:6", "n001:2", "n007:5", "n005:4"}},
	{ALLOCATE_PRIORITY,
	 true,
	 "-CPROCS+10*SPEED-5*JOBCOUNT+PRIORITY",
	 100,
	 {"n004:1 n005:2", "n005:2 n002:2 n006:2", "n001:2", "n003:5", "n007:4"}},
	/*
	 * Maui tries speeds from the slowest on. Kahu prefers nodes of equal speed if they suffice (N-08): k2
	 * is not spread over n008 and n001, nor k5 over n007 and n003.
	 */
	{ALLOCATE_MAXBALANCE,
	 true,
	 NULL,
	 0,
	 {"n008:3", "n001:4 n004:1 n007:1", "n003:2", "n007:5", "n003:4"}},
	/* Maui places nothing (N-07). Kahu uses the shortest possible block of adjacent nodes. */
	{ALLOCATE_CONTIGUOUS, false, NULL, 0, {"n001:3", "n003:6", "n008:2", "n007:5", "n005:4"}},
	/* Maui places nothing without a program of the site (N-10). Kahu uses MINRESOURCE. */
	{ALLOCATE_LOCAL,
	 false,
	 NULL,
	 0,
	 {"n004:1 n007:2", "n007:6", "n005:1 n008:1", "n002:2 n005:3", "n008:2 n001:2"}},
};

static void build_case11(struct yard *y, const struct case11 *one)
{
	static const struct {
		uint32_t procs;
		int64_t mem_mb;
		double speed;
	} machine[] = {{4, 4096, 1}, {2, 1024, 2}, {8, 16384, 1.5}, {1, 512, 1},
		       {4, 2048, 3}, {2, 8192, 2}, {8, 1024, 1},    {4, 4096, .5}};

	yard_begin(y);
	y->s->policy.allocation = (uint8_t)one->policy;
	for (uint32_t i = 0; i < 8; i++) {
		char name[16];

		snprintf(name, sizeof name, "n%03u", i + 1);
		yard_node(y, name,
			  (struct node){.procs = machine[i].procs,
					.mem_mb = machine[i].mem_mb,
					.swap_mb = 2 * machine[i].mem_mb,
					.disk_mb = 1000 * machine[i].procs,
					.priority = i == 3 ? one->n004_priority : 0,
					.speed = one->has_speeds ? machine[i].speed : 1,
					.procspeed = one->has_speeds ? 1000 * machine[i].speed : 0});
	}
	if (one->function != NULL)
		y->s->priorityf = yard_string(y, one->function);
	yard_start(y, yard_job(y, (struct job){.wall_limit_s = 50000}),
		   (struct alloc_run){.node = 2, .nodes = 1, .procs = 1, .tasks = 1});
}

static void n_01_to_n_10_five_jobs_are_placed_as_in_maui(void **state)
{
	static const struct job request[] = {{.tasks = 3, .wall_limit_s = 3600},
					     {.tasks = 6, .wall_limit_s = 7200},
					     {.tasks = 2, .wall_limit_s = 1000, .mem_mb = 1500},
					     {.tasks = 5, .wall_limit_s = 3600, .tasks_per_node = 1},
					     {.tasks = 4, .wall_limit_s = 3600, .tasks_per_node = 2}};

	(void)state;
	for (size_t i = 0; i < sizeof case11 / sizeof case11[0]; i++) {
		struct placement *r = placement_new();
		uint32_t slot[5];
		struct yard y;

		build_case11(&y, &case11[i]);
		for (int k = 0; k < 5; k++)
			slot[k] = yard_job(&y, request[k]);
		placement_begin(r, y.s, 0);
		assert_false(placement_is_plain(r));
		for (int k = 0; k < 5; k++) {
			const char *placed = yard_place(&y, r, slot[k], 0);

			if (strcmp(placed, case11[i].placed[k]) != 0)
				fail_msg("policy %d %s, k%d: %s instead of %s", (int)case11[i].policy,
					 case11[i].function != NULL ? case11[i].function : "", k + 1, placed,
					 case11[i].placed[k]);
		}
		placement_free(r);
		yard_end(&y);
	}
}

/* --- case 17: shared nodes ------------------------------------------------------------------------------ */

static const struct case17 {
	enum node_access access;
	const char *placed[4]; /* b1, a2, b2, a3; "" = the job waits */
	int64_t b2_earliest_s;
} case17[] = {
	{ACCESS_SHARED, {"n001:2", "n002:1", "n002:3 n003:2", ""}, 0},
	{ACCESS_SINGLEUSER, {"n002:2", "n001:1", "n002:2 n003:3", ""}, 0},
	{ACCESS_SINGLEJOB, {"n002:2", "n003:1", "", ""}, 7200},
	{ACCESS_SINGLETASK, {"n002:2", "n003:1", "", ""}, 7200},
};

/* Amy's job a1 has run for a minute. Jobs b1, a2, b2 and a3 follow, each for two hours. */
static void jobs_share_nodes_as_in_maui(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof case17 / sizeof case17[0]; i++) {
		static const uint32_t tasks[] = {2, 1, 5, 3};
		struct placement *r = placement_new();
		uint32_t slot[4], amy, bob, a1;
		struct yard y;

		yard_begin(&y);
		y.s->policy.allocation = ALLOCATE_FIRSTAVAILABLE;
		y.s->policy.access = (uint8_t)case17[i].access;
		y.s->nodes_differ = 1;
		amy = yard_cred(&y, CRED_USER, "amy");
		bob = yard_cred(&y, CRED_USER, "bob");
		yard_node(&y, "n001", (struct node){.procs = 4, .mem_mb = 1024});
		yard_node(&y, "n002", (struct node){.procs = 4, .mem_mb = 1024});
		yard_node(&y, "n003", (struct node){.procs = 4, .mem_mb = 1024});
		a1 = yard_job(&y, (struct job){.tasks = 2, .wall_limit_s = 7200, .cred = {amy}});
		for (int k = 0; k < 4; k++)
			slot[k] = yard_job(&y, (struct job){.tasks = tasks[k],
							    .wall_limit_s = 7200,
							    .cred = {k % 2 == 0 ? bob : amy}});
		yard_start(&y, a1,
			   (struct alloc_run){.nodes = 1,
					      .procs = case17[i].access >= ACCESS_SINGLEJOB ? 4 : 2,
					      .tasks = 2});
		yard_job_at(&y, a1)->start_s = -60;
		placement_begin(r, y.s, 0);
		for (int k = 0; k < 4; k++)
			assert_string_equal(yard_place(&y, r, slot[k], 0), case17[i].placed[k]);
		if (case17[i].b2_earliest_s > 0)
			assert_int_equal(yard_earliest(r, slot[2], 0), case17[i].b2_earliest_s);
		assert_int_equal(yard_earliest(r, slot[3], 0), 7140);
		placement_free(r);
		yard_end(&y);
	}
}

/* --- examples of the guide (1.D) ------------------------------------------------------------------------ */

static void n_11_small_requests_leave_large_nodes_free(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t x, small;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_MINRESOURCE;
	yard_node(&y, "a", (struct node){.procs = 1, .mem_mb = 256});
	yard_node(&y, "b", (struct node){.procs = 1, .mem_mb = 1024});
	x = yard_job(&y, (struct job){.mem_mb = 512});
	small = yard_job(&y, (struct job){.mem_mb = 128});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, small, 0), "a:1");
	assert_string_equal(yard_place(&y, r, x, 0), "b:1");
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, x, 0), "b:1");
	assert_string_equal(yard_place(&y, r, small, 0), "a:1");
	placement_free(r);
	yard_end(&y);
}

static void n_12_the_best_fit_is_used_on_shared_nodes(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t x, big;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_MINRESOURCE;
	/* Once with each node as the one with the higher index. */
	for (uint32_t b = 0; b < 2; b++) {
		yard_end(&y);
		yard_begin(&y);
		y.s->policy.allocation = ALLOCATE_MINRESOURCE;
		yard_node(&y, b == 0 ? "b" : "a", (struct node){.procs = 64});
		yard_node(&y, b == 0 ? "a" : "b", (struct node){.procs = 64});
		yard_start(&y, yard_job(&y, (struct job){.tasks = 40}),
			   (struct alloc_run){.node = 1 - b, .nodes = 1, .procs = 40, .tasks = 40});
		yard_start(&y, yard_job(&y, (struct job){.tasks = 52}),
			   (struct alloc_run){.node = b, .nodes = 1, .procs = 52, .tasks = 52});
		x = yard_job(&y, (struct job){.task_procs = 10});
		big = yard_job(&y, (struct job){.task_procs = 20});
		placement_begin(r, y.s, 0);
		assert_string_equal(yard_place(&y, r, x, 0), "b:1");
		assert_string_equal(yard_place(&y, r, big, 0), "a:1");
	}
	placement_free(r);
	yard_end(&y);
}

#define HOUR 3600

/*
 * Nodes from the top: one free, A, B, one free. X uses the lower three nodes in 3 hours. C, with 3 hours,
 * fits exactly on the node below B, so D, with 5 hours, gets the node above A, which X does not use.
 */
static void n_13_the_smallest_gap_before_a_reservation_is_taken(void **state)
{
	struct alloc_run on_x = {.node = 1, .nodes = 3, .procs = 1, .tasks = 1};
	struct placement *r = placement_new();
	struct yard y;
	uint32_t a, b, c, d, x, other;

	(void)state;
	yard_begin(&y);
	assert_int_equal(y.s->policy.allocation, ALLOCATE_LASTAVAILABLE);
	yard_node(&y, "above", (struct node){.procs = 1});
	yard_node(&y, "a", (struct node){.procs = 1});
	yard_node(&y, "b", (struct node){.procs = 1});
	yard_node(&y, "below", (struct node){.procs = 1});
	y.s->nodes_differ = 1;
	a = yard_job(&y, (struct job){.wall_limit_s = 2 * HOUR});
	b = yard_job(&y, (struct job){.wall_limit_s = 3 * HOUR});
	c = yard_job(&y, (struct job){.wall_limit_s = 3 * HOUR});
	d = yard_job(&y, (struct job){.wall_limit_s = 5 * HOUR});
	x = yard_job(&y, (struct job){.tasks = 3, .wall_limit_s = HOUR});
	other = yard_job(&y, (struct job){.wall_limit_s = 5 * HOUR});
	yard_start(&y, a, (struct alloc_run){.node = 1, .nodes = 1, .procs = 1, .tasks = 1});
	yard_start(&y, b, (struct alloc_run){.node = 2, .nodes = 1, .procs = 1, .tasks = 1});
	placement_begin(r, y.s, 0);
	placement_take(r, x, 3 * HOUR, 4 * HOUR, &on_x, 1);
	assert_string_equal(yard_place(&y, r, c, 0), "below:1");
	assert_string_equal(yard_place(&y, r, d, 0), "above:1");
	/* Only one node is free for 5 hours: a second such job has to wait. */
	placement_begin(r, y.s, 0);
	placement_take(r, x, 3 * HOUR, 4 * HOUR, &on_x, 1);
	assert_string_equal(yard_place(&y, r, d, 0), "above:1");
	assert_int_equal(yard_earliest(r, other, 0), 4 * HOUR);
	placement_free(r);
	yard_end(&y);
}

/* --- later starts --------------------------------------------------------------------------------------- */

/* Enough processors are free on the machine before there are enough on one node. */
static void a_job_waits_until_it_fits_on_one_node(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job, later;

	(void)state;
	yard_begin(&y);
	for (uint32_t n = 0; n < 3; n++) {
		char name[16];

		snprintf(name, sizeof name, "n%03u", n + 1);
		yard_node(&y, name, (struct node){.procs = 4});
		yard_start(&y, yard_job(&y, (struct job){.tasks = 3, .wall_limit_s = 100 + n}),
			   (struct alloc_run){.node = n, .nodes = 1, .procs = 3, .tasks = 3});
	}
	job = yard_job(&y, (struct job){.task_procs = 3});
	later = yard_job(&y, (struct job){.task_procs = 4});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, job, 0), "");
	assert_string_equal(yard_place(&y, r, job, 99), "");
	assert_int_equal(yard_earliest(r, job, 0), 100);
	assert_int_equal(yard_earliest(r, job, 101), 101);
	assert_string_equal(yard_place(&y, r, job, 100), "n001:1");
	assert_int_equal(yard_earliest(r, later, 0), 101);
	assert_string_equal(yard_place(&y, r, later, 101), "n002:1");
	placement_free(r);
	yard_end(&y);
}

static void an_overdue_job_is_assumed_to_end_at_its_next_poll(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t job;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 2});
	yard_start(&y, yard_job(&y, (struct job){.tasks = 1, .wall_limit_s = 100}),
		   (struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1});
	job = yard_job(&y, (struct job){.task_procs = 2});
	placement_begin(r, y.s, 500);
	assert_int_equal(yard_earliest(r, job, 500), 520);
	placement_free(r);
	yard_end(&y);
}

static void an_infeasible_job_has_no_start_time(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t big, wide;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 2});
	yard_node(&y, "n002", (struct node){.procs = 2});
	big = yard_job(&y, (struct job){.task_procs = 3});
	wide = yard_job(&y, (struct job){.tasks = 4, .nodes = 3});
	placement_begin(r, y.s, 0);
	assert_true(yard_earliest(r, big, 0) == TIME_NEVER);
	assert_true(yard_earliest(r, wide, 0) == TIME_NEVER);
	placement_free(r);
	yard_end(&y);
}

/* A reservation is valid as long as no other job uses its nodes. Processors that are given back are free
 * again. */
static void runs_can_be_taken_until_another_job_takes_them(void **state)
{
	static const struct alloc_run on_first = {.nodes = 1, .procs = 4, .tasks = 2};
	struct placement *r = placement_new();
	struct yard y;
	uint32_t reserved, other;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_node(&y, "n002", (struct node){.procs = 4});
	reserved = yard_job(&y, (struct job){.tasks = 2, .task_procs = 2});
	other = yard_job(&y, (struct job){.task_procs = 3, .wall_limit_s = 100});
	placement_begin(r, y.s, 0);
	assert_true(placement_can_take(r, reserved, 50, 150, &on_first, 1));
	placement_take(r, reserved, 50, 150, &on_first, 1);
	/* Its own claim does not restrict the job, but restricts others. */
	assert_true(placement_can_take(r, reserved, 50, 150, &on_first, 1));
	assert_string_equal(yard_place(&y, r, other, 0), "n002:1");
	assert_int_equal(profile_least(placement_profile(r), 50, 60), 1);
	placement_give_back(r, reserved, 50, 150, &on_first, 1);
	assert_int_equal(profile_least(placement_profile(r), 50, 60), 5);
	placement_take(r, other, 60, 160, &(struct alloc_run){.nodes = 1, .procs = 3, .tasks = 1}, 1);
	assert_false(placement_can_take(r, reserved, 50, 150, &on_first, 1));
	assert_true(placement_can_take(r, reserved, 160, 260, &on_first, 1));
	/* A claim that begins now holds processors like a start, until it is given back. */
	assert_int_equal(placement_procs_free(r), 5);
	placement_take(r, reserved, 0, 60, &on_first, 1);
	assert_int_equal(placement_procs_free(r), 1);
	placement_give_back(r, reserved, 0, 60, &on_first, 1);
	assert_int_equal(placement_procs_free(r), 5);
	placement_free(r);
	yard_end(&y);
}

static void n_01_a_job_may_have_its_own_policy(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t first, last, preferring;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 1});
	yard_node(&y, "n002", (struct node){.procs = 1});
	yard_node(&y, "n003", (struct node){.procs = 1, .features = 1});
	yard_node(&y, "n004", (struct node){.procs = 1});
	last = yard_job(&y, (struct job){0});
	first = yard_job(&y, (struct job){.allocation = ALLOCATE_FIRSTAVAILABLE + 1});
	preferring = yard_job(&y, (struct job){.prefer = 1});
	placement_begin(r, y.s, 0);
	assert_true(placement_is_plain(r));
	assert_string_equal(yard_place(&y, r, last, 0), "n004:1");
	assert_string_equal(yard_place(&y, r, first, 0), "n001:1");
	assert_string_equal(yard_place(&y, r, preferring, 0), "n003:1");
	placement_free(r);
	yard_end(&y);
}

/* N-05: load counts only for a start now; for later starts Maui uses MINRESOURCE. */
static void n_05_cpuload_applies_to_starts_now(void **state)
{
	struct placement *r = placement_new();
	struct yard y;
	uint32_t now, later;

	(void)state;
	yard_begin(&y);
	y.s->policy.allocation = ALLOCATE_CPULOAD;
	yard_node(&y, "n001", (struct node){.procs = 4, .mem_mb = 512});
	yard_node(&y, "n002", (struct node){.procs = 4, .mem_mb = 4096});
	yard_node_at(&y, 0)->used.load = 2;
	now = yard_job(&y, (struct job){.mem_mb = 1, .wall_limit_s = 10});
	later = yard_job(&y, (struct job){.mem_mb = 1});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, now, 0), "n002:1");
	assert_string_equal(yard_place(&y, r, later, 10), "n001:1");
	placement_free(r);
	yard_end(&y);
}

/* Runs are valid if they have the processors that the job would get, and if these are free. */
static void runs_must_have_the_processors_that_the_job_would_get(void **state)
{
	struct placement *r = placement_new();
	struct alloc_run run = {.node = 0, .nodes = 2, .procs = 2, .tasks = 1};
	struct yard y;
	uint32_t shared, single_job;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_node(&y, "n002", (struct node){.procs = 4});
	yard_start(&y, yard_job(&y, (struct job){.task_procs = 3, .wall_limit_s = 50}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 3, .tasks = 1});
	shared = yard_job(&y, (struct job){.tasks = 2, .task_procs = 2});
	single_job = yard_job(&y, (struct job){.tasks = 2, .task_procs = 2, .access = ACCESS_SINGLEJOB});
	placement_begin(r, y.s, 0);
	assert_true(placement_can_take(r, shared, 50, 150, &run, 1));
	assert_false(placement_can_take(r, shared, 49, 150, &run, 1));
	assert_false(placement_can_take(r, single_job, 50, 150, &run, 1));
	run.procs = 4;
	assert_false(placement_can_take(r, shared, 50, 150, &run, 1));
	assert_true(placement_can_take(r, single_job, 50, 150, &run, 1));
	run.procs = 1;
	assert_false(placement_can_take(r, shared, 50, 150, &run, 1));
	placement_free(r);
	yard_end(&y);
}

static void a_later_start_needs_enough_processors(void **state)
{
	struct placement *r = placement_new();
	struct alloc_list runs = {0};
	struct yard y;
	uint32_t slot;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 4});
	yard_start(&y, yard_job(&y, (struct job){.task_procs = 3, .wall_limit_s = 50}),
		   (struct alloc_run){.node = 0, .nodes = 1, .procs = 3, .tasks = 1});
	slot = yard_job(&y, (struct job){.tasks = 1, .task_procs = 2, .access = ACCESS_SINGLEJOB});
	placement_begin(r, y.s, 0);
	assert_false(placement_is_plain(r));
	assert_false(placement_find(r, slot, 49, 149, &runs));
	assert_int_equal(runs.count, 0);
	assert_true(placement_find(r, slot, 50, 150, &runs));
	assert_string_equal(yard_shown(&y, &runs), "n001:1");
	free(runs.item);
	placement_free(r);
	yard_end(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_placement_is_plain_while_processors_are_interchangeable),
		cmocka_unit_test(starts_take_free_processors_from_one_end),
		cmocka_unit_test(all_policies_consider_the_starts_of_the_pass),
		cmocka_unit_test(a_preferred_node_comes_first_in_a_plain_placement),
		cmocka_unit_test(the_profile_contains_running_jobs_and_claims),
		cmocka_unit_test(floating_claims_are_made_together_or_not_at_all),
		cmocka_unit_test(a_later_plain_job_has_a_start_time_but_no_nodes),
		cmocka_unit_test(processors_given_back_can_be_taken_again),
		cmocka_unit_test(without_nodes_no_job_fits),
		cmocka_unit_test(reserved_processors_are_taken_from_the_profile),
		cmocka_unit_test(a_guest_gets_reserved_nodes_first),
		cmocka_unit_test(each_of_many_advance_reservations_admits_its_guest),
		cmocka_unit_test(results_are_the_same_when_the_cache_is_full),
		cmocka_unit_test(n_01_to_n_10_five_jobs_are_placed_as_in_maui),
		cmocka_unit_test(jobs_share_nodes_as_in_maui),
		cmocka_unit_test(n_11_small_requests_leave_large_nodes_free),
		cmocka_unit_test(n_12_the_best_fit_is_used_on_shared_nodes),
		cmocka_unit_test(n_13_the_smallest_gap_before_a_reservation_is_taken),
		cmocka_unit_test(a_job_waits_until_it_fits_on_one_node),
		cmocka_unit_test(an_overdue_job_is_assumed_to_end_at_its_next_poll),
		cmocka_unit_test(an_infeasible_job_has_no_start_time),
		cmocka_unit_test(runs_can_be_taken_until_another_job_takes_them),
		cmocka_unit_test(n_01_a_job_may_have_its_own_policy),
		cmocka_unit_test(n_05_cpuload_applies_to_starts_now),
		cmocka_unit_test(runs_must_have_the_processors_that_the_job_would_get),
		cmocka_unit_test(a_later_start_needs_enough_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
