/* SPDX-License-Identifier: MIT */
/*
 * test_queue.c - who stands where in the queue?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/pass/queue.h"
#include "tests/scene.h"

static uint64_t id_at(const struct scene *sc, uint32_t slot)
{
	return snapshot_jobs(scene_view(sc))[slot].id;
}

static void the_queue_has_three_parts(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.active_count, 1);
	assert_int_equal(q.idle_count, 1);
	assert_int_equal(q.blocked_count, 1);
	assert_int_equal(id_at(sc, q.active[0]), 1);
	assert_int_equal(id_at(sc, q.idle[0].slot), 2);
	assert_int_equal(id_at(sc, q.blocked[0]), 3);
	assert_int_equal(q.blocked_reason[0].gate, GATE_HOLD);
	queue_clear(&q);
	scene_free(sc);
}

static void the_idle_stand_by_rank_submission_and_id(void **state)
{
	static const uint64_t order[] = {3, 5, 2, 1, 4};
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	sc->now_s = 30;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nuser top { priority = 9 }\nuser high { "
			 "priority = 5 }\n");
	scene_add(sc, (struct scene_job){.submit_s = 10});
	scene_add(sc, (struct scene_job){.submit_s = 20, .user = "high"});
	scene_add(sc, (struct scene_job){.submit_s = 20, .user = "top"});
	scene_add(sc, (struct scene_job){.submit_s = 10});
	scene_add(sc, (struct scene_job){.submit_s = 5, .user = "high"});
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.idle_count, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(id_at(sc, q.idle[i].slot), order[i]);
	assert_int_equal(q.idle[0].rank, 9);
	queue_clear(&q);
	scene_free(sc);
}

/* Nodes of two, two and eight processors; the limit that holds a job with `asked` back, "" = none does. */
static void expect_limit(const char *conf, struct scene_job asked, int64_t counted)
{
	struct scene *sc = scene_new(3, 2);
	struct queue q = {0};

	scene_node(sc, (struct node_record){.name = "n003", .procs = 8});
	scene_config(sc, conf);
	scene_add(sc, asked);
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.blocked_count, counted > 0);
	if (counted > 0)
		assert_int_equal(q.blocked_reason[0].asked, counted);
	queue_clear(&q);
	scene_free(sc);
}

/* Otherwise who asks for one processor, and for a node to himself, would hold more than he may. */
static void who_asks_for_whole_nodes_counts_the_smallest_that_would_do(void **state)
{
	const uint8_t alone = ACCESS_SINGLEJOB;

	(void)state;
	expect_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.procs = 1}, 0);
	expect_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.access = alone}, 2);
	expect_limit("user DEFAULT { maxproc = {\"2\"} }\n", (struct scene_job){.access = alone}, 0);
	expect_limit("user DEFAULT { maxproc = {\"3\"} }\n",
		     (struct scene_job){.procs = 2, .nodes = 2, .access = ACCESS_SINGLETASK}, 4);
	expect_limit("user DEFAULT { maxproc = {\"7\"} }\n",
		     (struct scene_job){.access = alone, .hosts = "n003"}, 8);
	expect_limit("user DEFAULT { maxproc = {\"7\"} }\n",
		     (struct scene_job){.procs = 3, .nodes = 1, .tasks_per_node = 3, .access = alone}, 8);
	expect_limit("user DEFAULT { maxps = {\"199\"} }\n", (struct scene_job){.access = alone}, 200);
	expect_limit("systemmaxprocperjob = 1\n", (struct scene_job){.access = alone}, 2);
	expect_limit("class batch { max.proc = 1 }\n",
		     (struct scene_job){.access = alone, .class_name = "batch"}, 2);
	expect_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.access = ACCESS_SINGLEUSER},
		     2);
	expect_limit("user DEFAULT { maxps = {\"1999\"} }\n",
		     (struct scene_job){.procs = 9, .wall_s = 500, .access = ACCESS_SINGLEUSER}, 4500);
	expect_limit("class batch { max.proc = 7 }\n",
		     (struct scene_job){.access = ACCESS_SINGLEUSER, .class_name = "batch", .hosts = "n003"},
		     8);
	/* A policy of the site makes nobody's jobs larger. */
	expect_limit("nodeaccesspolicy = singleuser\nuser DEFAULT { maxproc = {\"1\"} }\n",
		     (struct scene_job){.procs = 1}, 0);
	expect_limit("nodeaccesspolicy = singlejob\nuser DEFAULT { maxproc = {\"1\"} }\n",
		     (struct scene_job){.procs = 1}, 0);
}

/* Otherwise jobs that name no number of nodes would hold any number of them under MAXNODE. */
static void who_names_no_number_of_nodes_counts_the_fewest_that_would_do(void **state)
{
	const char *one = "user DEFAULT { maxnode = {\"1\"} }\n";

	(void)state;
	expect_limit(one, (struct scene_job){.procs = 8}, 0);
	expect_limit(one, (struct scene_job){.procs = 9}, 2);
	expect_limit(one, (struct scene_job){.procs = 3, .hosts = "n001 n002"}, 2);
	expect_limit(one, (struct scene_job){.procs = 10, .task_procs = 2}, 2);
	expect_limit(one, (struct scene_job){.procs = 10, .tasks_per_node = 2}, 2);
	expect_limit(one, (struct scene_job){.procs = 3, .nodes = 3}, 3);
	expect_limit(one, (struct scene_job){.procs = 9, .access = ACCESS_SINGLEJOB}, 2);
	expect_limit("user DEFAULT { maxinode = {\"1\"} }\n", (struct scene_job){.procs = 9}, 2);
	expect_limit("class batch { max.node = 1 }\n", (struct scene_job){.procs = 9, .class_name = "batch"},
		     2);
	expect_limit("class batch { min.node = 2 }\n", (struct scene_job){.class_name = "batch"}, 0);
}

static void eligible_jobs_that_name_no_number_of_nodes_count_one_each(void **state)
{
	struct scene *sc = scene_new(3, 2);
	struct queue q = {0};

	(void)state;
	scene_config(sc, "user DEFAULT { maxinode = {\"2\"} }\n");
	for (int i = 0; i < 4; i++)
		scene_submit(sc, 1, 100);
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.idle_count, 2);
	assert_int_equal(q.blocked_count, 2);
	assert_int_equal(q.blocked_reason[0].asked, 1);
	queue_clear(&q);
	scene_free(sc);
}

static void an_operators_priority_stands_above_all(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_priority(sc, 2, JOB_ADJUST_ABSOLUTE, 5);
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(id_at(sc, q.idle[0].slot), 2);
	assert_int_equal(q.idle[0].rank, 1000000005);
	queue_clear(&q);
	scene_free(sc);
}

/* --- limits ------------------------------------------------------------------------------------ */

static void check_idle(const struct scene *sc, const struct queue *q, uint32_t count, const uint64_t *ids)
{
	assert_int_equal(q->idle_count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(id_at(sc, q->idle[i].slot), ids[i]);
}

/* T-26: most urgent first, until no more fit below the limit; the rest is blocked. */
static void the_most_urgent_become_eligible_while_an_idle_limit_has_room(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_config(sc, "userweight = 1\nqueuetimeweight = 0\nuser u1 { maxijob = {\"2\"} }\nuser u2 { "
			 "priority = 5 }\n");
	for (int i = 0; i < 4; i++)
		scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.user = "u2"});
	scene_priority(sc, 4, JOB_ADJUST_RELATIVE, 3);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 3, (const uint64_t[]){5, 4, 1});
	assert_int_equal(q.blocked_count, 2);
	assert_int_equal(q.blocked_reason[0].gate, GATE_IDLE_LIMIT);
	assert_int_equal(q.blocked_reason[0].value, 2);
	assert_int_equal(q.blocked_reason[0].limit, 2);
	queue_clear(&q);
	scene_free(sc);
}

/* H-01, H-05: of ten submitted, eight are idle and two blocked; when one starts, the newest of the two. */
static void with_newest_promotion_those_before_stay(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct queue q = {0};

	(void)state;
	scene_config(sc, "user DEFAULT { maxijob = {\"8\"} }\nidlepromotion = newest\n");
	scene_add(sc, (struct scene_job){.user = "other", .wall_s = 1000});
	scene_pass(sc);
	for (int i = 0; i < 10; i++) {
		scene_submit(sc, 1, 100);
		scene_pass(sc);
	}
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 8, (const uint64_t[]){2, 3, 4, 5, 6, 7, 8, 9});
	scene_end(sc, 1);
	scene_pass(sc);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 8, (const uint64_t[]){3, 4, 5, 6, 7, 8, 9, 11});
	assert_int_equal(q.blocked_count, 1);
	queue_clear(&q);
	scene_free(sc);
}

static void who_is_over_a_soft_limit_has_a_second_turn(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"2,3\"} }\n");
	scene_submit(sc, 4, 100);
	scene_submit(sc, 3, 100);
	scene_submit(sc, 2, 100);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 1, (const uint64_t[]){3});
	assert_int_equal(q.second_count, 1);
	assert_int_equal(id_at(sc, q.second[0].slot), 2);
	assert_int_equal(q.blocked_count, 2);
	assert_int_equal(q.blocked_reason[0].gate, GATE_ACTIVE_HARD);
	assert_int_equal(q.blocked_reason[1].gate, GATE_ACTIVE_SOFT);
	scene_set(sc, "hardpass", "idleonly");
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 2, (const uint64_t[]){2, 3});
	assert_int_equal(q.second_count, 1);
	assert_int_equal(q.blocked_count, 1);
	queue_clear(&q);
	scene_free(sc);
}

/* Two of four may run at a time: the first of them are eligible, the others wait for them by name. */
static void tasks_of_an_array_are_eligible_while_it_has_room(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct queue q = {0};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 4, .at_a_time = 2});
	scene_submit(sc, 1, 10);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 3, (uint64_t[]){1, 2, 5});
	assert_int_equal(q.blocked_count, 2);
	assert_int_equal(q.blocked_reason[0].gate, GATE_ARRAY);
	assert_true(q.blocked_reason[0].value == 0 && q.blocked_reason[0].asked == 2 &&
		    q.blocked_reason[0].limit == 2);
	scene_start(sc, 2, 0, 1, 1);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 2, (uint64_t[]){1, 5});
	assert_true(q.blocked_reason[0].value == 1 && q.blocked_reason[0].asked == 1);
	scene_start(sc, 1, 0, 1, 1);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 1, (uint64_t[]){5});
	scene_end(sc, 1);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 2, (uint64_t[]){3, 5});
	queue_clear(&q);
	scene_free(sc);
}

/* Those that wait for others of their array take no place from their user's other jobs. */
static void who_waits_for_others_of_its_array_does_not_count_as_eligible(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct queue q = {0};

	(void)state;
	scene_config(sc, "user DEFAULT { maxijob = \"2\" }\n");
	scene_add(sc, (struct scene_job){.array = 4, .at_a_time = 1});
	scene_submit(sc, 1, 10);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 2, (uint64_t[]){1, 5});
	queue_clear(&q);
	scene_free(sc);
}

static void one_that_is_held_leaves_its_place_to_the_next(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct queue q = {0};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 4, .at_a_time = 1});
	scene_hold(sc, 1, JOB_HOLD_USER);
	queue_build(&q, scene_view(sc), sc->now_s);
	check_idle(sc, &q, 1, (uint64_t[]){2});
	queue_clear(&q);
	scene_free(sc);
}

/* eva has used the only processor-second there is: 100 percent, where 50 are meant. */
static void the_first_second_that_is_used_counts_as_a_share(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct queue q = {0};
	uint32_t eva;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser eva { fstarget = 50 }\n");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva"}), 0, 1, 1);
	eva = snapshot_find_cred(scene_view(sc), CRED_USER, "eva");
	queue_build(&q, scene_view(sc), 0);
	assert_true(q.shares.share[eva].delta == 0); /* nobody has used anything */
	scene_go(sc, 1);
	queue_build(&q, scene_view(sc), 1);
	assert_true(q.shares.total_usage == 1);
	assert_true(q.shares.share[eva].delta == 50 - 100);
	queue_clear(&q);
	scene_free(sc);
}

static void of_two_the_newest_is_promoted(void **state)
{
	static const char *const promotion[] = {"priority", "oldest", "newest"};
	static const uint64_t first[] = {1, 1, 2};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct scene *sc = scene_new(1, 1);
		struct queue q = {0};

		scene_config(sc, "user DEFAULT { maxijob = {\"1\"} }\n");
		scene_set(sc, "idlepromotion", promotion[i]);
		scene_submit(sc, 1, 100);
		scene_submit(sc, 1, 100);
		queue_build(&q, scene_view(sc), sc->now_s);
		check_idle(sc, &q, 1, &first[i]);
		queue_clear(&q);
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_queue_has_three_parts),
		cmocka_unit_test(the_idle_stand_by_rank_submission_and_id),
		cmocka_unit_test(who_asks_for_whole_nodes_counts_the_smallest_that_would_do),
		cmocka_unit_test(who_names_no_number_of_nodes_counts_the_fewest_that_would_do),
		cmocka_unit_test(eligible_jobs_that_name_no_number_of_nodes_count_one_each),
		cmocka_unit_test(an_operators_priority_stands_above_all),
		cmocka_unit_test(the_most_urgent_become_eligible_while_an_idle_limit_has_room),
		cmocka_unit_test(with_newest_promotion_those_before_stay),
		cmocka_unit_test(who_is_over_a_soft_limit_has_a_second_turn),
		cmocka_unit_test(tasks_of_an_array_are_eligible_while_it_has_room),
		cmocka_unit_test(who_waits_for_others_of_its_array_does_not_count_as_eligible),
		cmocka_unit_test(one_that_is_held_leaves_its_place_to_the_next),
		cmocka_unit_test(the_first_second_that_is_used_counts_as_a_share),
		cmocka_unit_test(of_two_the_newest_is_promoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
