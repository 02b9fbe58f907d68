/* SPDX-License-Identifier: MIT */
/*
 * test_queue.c - the idle, blocked and active jobs of a pass
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched/base/rng.h"
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

static void idle_jobs_are_ordered_by_rank_submission_and_id(void **state)
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

/*
 * Nodes with two, two and eight processors. `counted`: what the job counts for the limit that holds it back;
 * 0 = no limit does.
 */
static void check_limit(const char *conf, struct scene_job request, int64_t counted)
{
	struct scene *sc = scene_new(3, 2);
	struct queue q = {0};

	scene_node(sc, (struct node_record){.name = "n003", .procs = 8});
	scene_config(sc, conf);
	scene_add(sc, request);
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.blocked_count, counted > 0);
	if (counted > 0)
		assert_int_equal(q.blocked_reason[0].asked, counted);
	queue_clear(&q);
	scene_free(sc);
}

/* Otherwise a job that requests one processor on an exclusive node would occupy more than its limit allows.
 */
static void a_job_on_whole_nodes_counts_the_smallest_nodes_that_fit(void **state)
{
	const uint8_t single_job = ACCESS_SINGLEJOB;

	(void)state;
	check_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.procs = 1}, 0);
	check_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.access = single_job}, 2);
	check_limit("user DEFAULT { maxproc = {\"2\"} }\n", (struct scene_job){.access = single_job}, 0);
	check_limit("user DEFAULT { maxproc = {\"3\"} }\n",
		    (struct scene_job){.procs = 2, .nodes = 2, .access = ACCESS_SINGLETASK}, 4);
	check_limit("user DEFAULT { maxproc = {\"7\"} }\n",
		    (struct scene_job){.access = single_job, .hosts = "n003"}, 8);
	check_limit("user DEFAULT { maxproc = {\"7\"} }\n",
		    (struct scene_job){.procs = 3, .nodes = 1, .tasks_per_node = 3, .access = single_job}, 8);
	check_limit("user DEFAULT { maxps = {\"199\"} }\n", (struct scene_job){.access = single_job}, 200);
	check_limit("systemmaxprocperjob = 1\n", (struct scene_job){.access = single_job}, 2);
	check_limit("class batch { max.proc = 1 }\n",
		    (struct scene_job){.access = single_job, .class_name = "batch"}, 2);
	check_limit("user DEFAULT { maxproc = {\"1\"} }\n", (struct scene_job){.access = ACCESS_SINGLEUSER},
		    2);
	check_limit("user DEFAULT { maxps = {\"1999\"} }\n",
		    (struct scene_job){.procs = 9, .wall_s = 500, .access = ACCESS_SINGLEUSER}, 4500);
	check_limit("class batch { max.proc = 7 }\n",
		    (struct scene_job){.access = ACCESS_SINGLEUSER, .class_name = "batch", .hosts = "n003"},
		    8);
	/* A policy of the site does not change what a job counts. */
	check_limit("nodeaccesspolicy = singleuser\nuser DEFAULT { maxproc = {\"1\"} }\n",
		    (struct scene_job){.procs = 1}, 0);
	check_limit("nodeaccesspolicy = singlejob\nuser DEFAULT { maxproc = {\"1\"} }\n",
		    (struct scene_job){.procs = 1}, 0);
}

/* Otherwise jobs without a node count could occupy any number of nodes despite MAXNODE. */
static void a_job_without_a_node_count_counts_the_fewest_nodes_that_fit(void **state)
{
	const char *limit_one = "user DEFAULT { maxnode = {\"1\"} }\n";

	(void)state;
	check_limit(limit_one, (struct scene_job){.procs = 8}, 0);
	check_limit(limit_one, (struct scene_job){.procs = 9}, 2);
	check_limit(limit_one, (struct scene_job){.procs = 3, .hosts = "n001 n002"}, 2);
	check_limit(limit_one, (struct scene_job){.procs = 10, .task_procs = 2}, 2);
	check_limit(limit_one, (struct scene_job){.procs = 10, .tasks_per_node = 2}, 2);
	check_limit(limit_one, (struct scene_job){.procs = 3, .nodes = 3}, 3);
	check_limit(limit_one, (struct scene_job){.procs = 9, .access = ACCESS_SINGLEJOB}, 2);
	check_limit("user DEFAULT { maxinode = {\"1\"} }\n", (struct scene_job){.procs = 9}, 2);
	check_limit("class batch { max.node = 1 }\n", (struct scene_job){.procs = 9, .class_name = "batch"},
		    2);
	check_limit("class batch { min.node = 2 }\n", (struct scene_job){.class_name = "batch"}, 0);
}

static void eligible_jobs_without_a_node_count_count_one_node(void **state)
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

static void an_absolute_priority_is_above_all_others(void **state)
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

/* T-26: jobs become eligible in the order of priority up to the limit; the others are blocked. */
static void idle_limits_promote_in_the_order_of_rank(void **state)
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

/* H-01, H-05: of ten jobs, eight are idle and two blocked. When one starts, the newest blocked job is
 * promoted. */
static void newest_promotion_keeps_eligible_jobs_eligible(void **state)
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

static void a_job_over_a_soft_limit_has_a_second_turn(void **state)
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

/* Two of four tasks may run at a time: the first two are eligible, the others are blocked by the array limit.
 */
static void tasks_of_an_array_are_eligible_within_its_limit(void **state)
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

/* Tasks blocked by the array limit do not count for the idle limit of their user. */
static void a_task_beyond_the_array_limit_does_not_count_as_eligible(void **state)
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

static void a_held_task_leaves_its_place_to_the_next(void **state)
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

/* Eva has used the only processor-second: her share is 100 percent, and her target 50. */
static void the_first_second_of_usage_counts_as_a_share(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct queue q = {0};
	uint32_t eva;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser eva { fstarget = 50 }\n");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva"}), 0, 1, 1);
	eva = snapshot_find_cred(scene_view(sc), CRED_USER, "eva");
	queue_build(&q, scene_view(sc), 0);
	assert_true(q.shares.share[eva].delta == 0); /* no usage yet */
	scene_go(sc, 1);
	queue_build(&q, scene_view(sc), 1);
	assert_true(q.shares.total_usage == 1);
	assert_true(q.shares.share[eva].delta == 50 - 100);
	queue_clear(&q);
	scene_free(sc);
}

static void the_idlepromotion_option_decides_which_job_is_promoted(void **state)
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

/* --- sorting: every algorithm has the order of queue_compare() ----------------------------------------- */

#define MANY 3000

static struct queued jobs[MANY], expected[MANY];

static void check_sort(struct sort_memory *memory, uint32_t count)
{
	memcpy(expected, jobs, count * sizeof *jobs);
	qsort(expected, count, sizeof *expected, queue_compare);
	queue_sort(memory, jobs, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(jobs[i].order, expected[i].order);
}

/* Draws ranks in [low, low + span), for jobs in the order of WAITING. */
static void draw_ranks(struct rng *rng, uint32_t count, int64_t low, uint64_t span)
{
	for (uint32_t i = 0; i < count; i++)
		jobs[i] = (struct queued){.rank = low + (int64_t)rng_below(rng, span), .slot = i, .order = i};
}

static void ranks_of_every_width_are_sorted(void **state)
{
	struct sort_memory memory = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 5);
	for (unsigned bits = 1; bits < 63; bits++) {
		draw_ranks(&rng, 700, -1000, UINT64_C(1) << bits);
		check_sort(&memory, 700);
	}
	queue_sort_clear(&memory);
}

static void ranks_at_the_limits_of_int64_are_sorted(void **state)
{
	struct sort_memory memory = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 6);
	draw_ranks(&rng, MANY, 0, 1000);
	for (uint32_t i = 0; i < MANY; i += 7)
		jobs[i].rank = i % 2 == 0 ? INT64_MIN + (int64_t)i : INT64_MAX - (int64_t)i;
	check_sort(&memory, MANY);
	queue_sort_clear(&memory);
}

/* Jobs of the same rank are in the order of WAITING, whatever their order was before. */
static void ties_are_broken_by_order(void **state)
{
	struct sort_memory memory = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 7);
	draw_ranks(&rng, MANY, -2, 4);
	check_sort(&memory, MANY);
	for (uint32_t i = MANY - 1; i > 0; i--) {
		uint32_t k = (uint32_t)rng_below(&rng, (uint64_t)i + 1);
		struct queued limit_one = jobs[i];

		jobs[i] = jobs[k];
		jobs[k] = limit_one;
	}
	check_sort(&memory, MANY);
	queue_sort_clear(&memory);
}

static void short_queues_and_equal_ranks_are_sorted(void **state)
{
	struct sort_memory memory = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 8);
	queue_sort(&memory, jobs, 0);
	for (uint32_t count = 1; count < 600; count += 23) {
		draw_ranks(&rng, count, 0, 50);
		check_sort(&memory, count);
		draw_ranks(&rng, count, 9, 1);
		check_sort(&memory, count);
	}
	queue_sort_clear(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_queue_has_three_parts),
		cmocka_unit_test(idle_jobs_are_ordered_by_rank_submission_and_id),
		cmocka_unit_test(a_job_on_whole_nodes_counts_the_smallest_nodes_that_fit),
		cmocka_unit_test(a_job_without_a_node_count_counts_the_fewest_nodes_that_fit),
		cmocka_unit_test(eligible_jobs_without_a_node_count_count_one_node),
		cmocka_unit_test(an_absolute_priority_is_above_all_others),
		cmocka_unit_test(idle_limits_promote_in_the_order_of_rank),
		cmocka_unit_test(newest_promotion_keeps_eligible_jobs_eligible),
		cmocka_unit_test(a_job_over_a_soft_limit_has_a_second_turn),
		cmocka_unit_test(tasks_of_an_array_are_eligible_within_its_limit),
		cmocka_unit_test(a_task_beyond_the_array_limit_does_not_count_as_eligible),
		cmocka_unit_test(a_held_task_leaves_its_place_to_the_next),
		cmocka_unit_test(the_first_second_of_usage_counts_as_a_share),
		cmocka_unit_test(the_idlepromotion_option_decides_which_job_is_promoted),
		cmocka_unit_test(ranks_of_every_width_are_sorted),
		cmocka_unit_test(ranks_at_the_limits_of_int64_are_sorted),
		cmocka_unit_test(ties_are_broken_by_order),
		cmocka_unit_test(short_queues_and_equal_ranks_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
