/* SPDX-License-Identifier: MIT */
/*
 * test_placement.c - is what is taken kept, in plain rooms and in all others?
 *
 * That nothing is given twice is a property of its own: tests/property/placement.c.
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

/* --- plain rooms ----------------------------------------------------------------------------------- */

/* Four nodes of 4 processors; the second is full until 100, of the third one is busy until 200. */
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

static void a_room_is_plain_while_any_processor_is_as_good_as_another(void **state)
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

static void starts_are_taken_from_one_end_of_what_is_free(void **state)
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
	/* Another pass knows nothing of the starts of the one before. */
	y.s->policy.allocation = ALLOCATE_LASTAVAILABLE;
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_procs_free(r), 11);
	assert_string_equal(yard_place(&y, r, slot[0], 0), "n004:4 n003:1");
	assert_string_equal(yard_place(&y, r, slot[2], 0), "n003:2 n001:1");
	assert_string_equal(yard_place(&y, r, slot[1], 0), "");
	placement_free(r);
	yard_end(&y);
}

static void other_policies_see_the_starts_of_the_pass_too(void **state)
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

/* Features alone make no node other than the rest, so the placement stays plain. */
static void a_preferred_node_comes_first_in_a_plain_room_too(void **state)
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

static void the_profile_has_what_runs_and_what_was_taken_before_and_after(void **state)
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

static void floating_claims_are_made_all_at_once_or_not_at_all(void **state)
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

static void later_a_plain_job_has_a_moment_but_no_nodes(void **state)
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

/* Nodes that were full are looked at again. */
static void what_is_given_back_now_can_be_taken_again(void **state)
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

/* A machine that has reported no nodes yet. */
static void without_nodes_there_is_room_for_nobody(void **state)
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

/* Nothing was asked about nodes before. n001 keeps 3 of its 4 processors, 2 of them are left beside job 1. */
static void what_is_kept_for_others_leaves_the_profile(void **state)
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

/* 70 reservations of a processor each, one for each of 70 users: every user can have one, and a stranger
 * none. */
static void of_many_reservations_each_guest_has_its_own(void **state)
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

/* n002 is kept for eva, from 50 on: her jobs go there first if they run then. */
static void who_is_invited_goes_to_what_is_kept_first(void **state)
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

/* What was found for 1024 different wants is remembered, and of more it is found each time. */
static void beyond_what_is_remembered_the_answers_are_the_same(void **state)
{
	const uint32_t wants = 1024 + 50;
	struct scene *sc = scene_new(1, 1);
	struct placement *r = placement_new();
	uint64_t last = 0;

	(void)state;
	scene_node(sc, (struct node_record){.name = "n002", .procs = 4, .mem_mb = 10000});
	scene_add(sc, (struct scene_job){.array = wants});
	for (uint32_t i = 1; i <= wants; i++) {
		struct job *job = state_job(sc->st, state_find(sc->st, i));

		job->mem_mb = 5000 + i;
		job->flags |= JOB_PARTICULAR;
		last = i;
	}
	state_header(sc->st)->particular = wants;
	placement_begin(r, scene_view(sc), 0);
	for (uint64_t id = 1; id <= last; id++) {
		uint32_t slot = state_find(sc->st, id);
		enum lack lack = LACK_NONE;

		state_job(sc->st, slot)->tasks = 1 + (uint32_t)id % 2;
		/* Two tasks of more than 5000 MB are too many for 10000 MB. */
		assert_int_equal(placement_feasible_in(r, slot, &lack), 1);
		if (id % 2 == 1)
			assert_int_equal(lack, LACK_MEMORY);
	}
	placement_free(r);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_room_is_plain_while_any_processor_is_as_good_as_another),
		cmocka_unit_test(starts_are_taken_from_one_end_of_what_is_free),
		cmocka_unit_test(other_policies_see_the_starts_of_the_pass_too),
		cmocka_unit_test(a_preferred_node_comes_first_in_a_plain_room_too),
		cmocka_unit_test(the_profile_has_what_runs_and_what_was_taken_before_and_after),
		cmocka_unit_test(floating_claims_are_made_all_at_once_or_not_at_all),
		cmocka_unit_test(later_a_plain_job_has_a_moment_but_no_nodes),
		cmocka_unit_test(what_is_given_back_now_can_be_taken_again),
		cmocka_unit_test(without_nodes_there_is_room_for_nobody),
		cmocka_unit_test(what_is_kept_for_others_leaves_the_profile),
		cmocka_unit_test(who_is_invited_goes_to_what_is_kept_first),
		cmocka_unit_test(of_many_reservations_each_guest_has_its_own),
		cmocka_unit_test(beyond_what_is_remembered_the_answers_are_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
