/* SPDX-License-Identifier: MIT */
/*
 * reservations.c - resources are never allocated twice, and no reservation is delayed
 *
 * A second implementation of the walk, with lists instead of a profile, must start the same jobs and make the
 * same reservations; it also shows that the starts of lower jobs do not change the earliest start of a job.
 * Then time advances, and reservations may only move to earlier times: that of the highest waiting job while
 * it stays the highest, and under HIGHEST all of them, as long as no operator acts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/placement/reservation.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/naive.h"

#define STEPS 60

static const struct job *job_in(const struct snapshot *s, uint32_t slot)
{
	return &snapshot_jobs(s)[slot];
}

/* --- a second implementation of the walk ---------------------------------------------------------- */

struct planned_start {
	uint32_t slot;
	int64_t begin_s;
};

struct plain_walk {
	uint32_t start[64];
	struct planned_start planned[64];
	uint32_t started, plans;
	struct naive all; /* running, started, reserved */
};

static void walk_plainly(struct plain_walk *w, const struct snapshot *s, int64_t now_s, const struct queue *q)
{
	const struct policy *policy = &s->policy;
	bool strict = policy->backfill == BACKFILL_NONE;
	int64_t depth = strict || policy->reservation == RESERVE_NEVER ? 0 : policy->reservation_depth[0];

	*w = (struct plain_walk){.started = 0};
	naive_begin(&w->all, s, now_s);
	for (uint32_t i = 0; i < q->idle_count; i++) {
		uint32_t slot = q->idle[i].slot;
		const struct job *job = job_in(s, slot);
		int64_t procs = job_procs(job), begin_s;

		if (naive_fits(&w->all, now_s, job->wall_limit_s, procs)) {
			w->start[w->started++] = slot;
			naive_take(&w->all, now_s, job->wall_limit_s, procs);
		} else if (strict) {
			break;
		} else if (w->plans < depth) {
			begin_s = naive_earliest(&w->all, now_s, job->wall_limit_s, procs);
			w->planned[w->plans++] = (struct planned_start){slot, begin_s};
			naive_take(&w->all, begin_s, job->wall_limit_s, procs);
		}
	}
}

static void assert_in_order(const struct snapshot *s, const struct queue *q)
{
	for (uint32_t i = 1; i < q->idle_count; i++) {
		const struct job *a = job_in(s, q->idle[i - 1].slot), *b = job_in(s, q->idle[i].slot);

		if (q->idle[i - 1].rank != q->idle[i].rank)
			assert_true(q->idle[i - 1].rank > q->idle[i].rank);
		else if (a->submit_s != b->submit_s)
			assert_true(a->submit_s < b->submit_s);
		else
			assert_true(a->id < b->id);
	}
}

static void assert_same_walk(const struct plain_walk *w, const struct cycle_result *r,
			     const struct reservations *made)
{
	uint32_t started = 0;

	for (uint32_t i = 0; i < r->decision_count; i++)
		if (r->decision[i].kind == DECIDE_START)
			assert_int_equal(w->start[started++], r->decision[i].slot);
	assert_int_equal(started, w->started);
	assert_int_equal(made->count, w->plans);
	for (uint32_t i = 0; i < w->plans; i++) {
		assert_int_equal(made->item[i].slot, w->planned[i].slot);
		assert_true(made->item[i].begin_s == w->planned[i].begin_s);
	}
}

/* The earliest begin of head if only the first `count` of the starting jobs start. */
static int64_t begin_after(const struct plain_walk *w, uint32_t count, const struct snapshot *s,
			   int64_t now_s, const struct job *head)
{
	struct naive n;

	naive_begin(&n, s, now_s);
	for (uint32_t i = 0; i < count; i++)
		naive_take(&n, now_s, job_in(s, w->start[i])->wall_limit_s,
			   job_procs(job_in(s, w->start[i])));
	return naive_earliest(&n, now_s, head->wall_limit_s, job_procs(head));
}

/* The first reservation is the same as if no lower job started. */
static void assert_head_is_not_delayed(const struct plain_walk *w, const struct snapshot *s, int64_t now_s,
				       const struct queue *q)
{
	const struct job *head;
	uint32_t above = 0;

	if (w->plans == 0)
		return;
	head = job_in(s, w->planned[0].slot);
	while (q->idle[above].slot != w->planned[0].slot)
		above++;
	assert_true(begin_after(w, above, s, now_s, head) == w->planned[0].begin_s);
	assert_true(begin_after(w, w->started, s, now_s, head) == w->planned[0].begin_s);
}

static void a_pass_equals_a_second_implementation_of_its_rules(void **state)
{
	struct rng rng = seeded("a pass as the rules read");

	(void)state;
	for (unsigned i = 0; i < many(80); i++) {
		struct scene *sc = chance_scene(&rng, 0);
		struct cycle *cycle = cycle_new();

		for (int step = 0; step < STEPS; step++) {
			static struct plain_walk w;
			struct cycle_result r;

			chance_step(&rng, sc, CHANCE_DATES, 5);
			cycle_run(cycle, scene_view(sc), sc->now_s, true, &r);
			assert_in_order(scene_view(sc), cycle_queue(cycle));
			if (scene_view(sc)->policy.reservation != RESERVE_HIGHEST) {
				walk_plainly(&w, scene_view(sc), sc->now_s, cycle_queue(cycle));
				assert_same_walk(&w, &r, cycle_reservations(cycle));
				assert_head_is_not_delayed(&w, scene_view(sc), sc->now_s, cycle_queue(cycle));
			}
			scene_take(sc, &r);
		}
		cycle_free(cycle);
		scene_free(sc);
	}
}

/* --- from pass to pass ---------------------------------------------------------------------------------- */

/* The highest eligible job with its reservation; id 0 if no job waits. */
static struct job highest(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	struct queue q = {0};
	struct job job = {.id = 0};

	queue_build(&q, s, sc->now_s);
	if (q.idle_count > 0)
		job = *job_in(s, q.idle[0].slot);
	queue_clear(&q);
	return job;
}

static void the_reservation_of_the_highest_job_is_never_delayed(void **state)
{
	struct rng rng = seeded("the highest");
	unsigned followed = 0;

	(void)state;
	for (unsigned i = 0; i < many(100); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_STEADY | CHANCE_BACKFILL | CHANCE_PLAIN);
		struct job before = {.id = 0};

		scene_set(sc, "reservationpolicy", chance_below(&rng, 2) ? "highest" : "currenthighest");
		scene_set(sc, "reservationdepth", chance_below(&rng, 2) ? "1" : "3");
		for (int step = 0; step < STEPS; step++) {
			struct job now;
			bool is_same;

			chance_step(&rng, sc, CHANCE_STEADY | CHANCE_PLAIN, 0);
			is_same = highest(sc).id == before.id; /* no higher job arrived and started at once */
			scene_pass(sc);
			now = highest(sc);
			if (is_same && now.id != 0 && now.id == before.id) {
				assert_true(now.planned_s <= before.planned_s);
				followed++;
			}
			before = now;
		}
		scene_free(sc);
	}
	assert_true(followed > 100);
}

/* Under HIGHEST a reservation moves only to earlier times, whatever job arrives. */
static void reservations_under_highest_are_never_delayed(void **state)
{
	struct rng rng = seeded("kept promises");
	unsigned followed = 0;

	(void)state;
	for (unsigned i = 0; i < many(100); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_BACKFILL);
		int64_t planned_s[2048];

		for (int id = 0; id < 2048; id++)
			planned_s[id] = TIME_NEVER;
		scene_set(sc, "reservationpolicy", "highest");
		scene_set(sc, "rejectnegpriojobs", "false");
		for (int step = 0; step < STEPS; step++) {
			const struct snapshot *s;

			chance_step(&rng, sc, CHANCE_DATES, 0);
			scene_pass(sc);
			s = scene_view(sc);
			for (uint32_t w = 0; w < snapshot_count(s, TABLE_WAITING); w++) {
				const struct job *job = job_in(s, snapshot_waiting(s)[w].slot);

				assert_true(job->planned_s <= planned_s[job->id] ||
					    planned_s[job->id] == TIME_NEVER);
				followed += planned_s[job->id] != TIME_NEVER;
				planned_s[job->id] = job->planned_s;
			}
			for (uint32_t r = 0; r < snapshot_count(s, TABLE_RUNNING); r++) {
				const struct job *job = job_in(s, snapshot_running(s)[r]);

				assert_true(job->start_s <= planned_s[job->id]);
			}
		}
		scene_free(sc);
	}
	assert_true(followed > 100);
}

/* --- actions of operators ------------------------------------------------------------------------------ */

/* The assertion is state_check, which scene.c calls after every event. */
static void processors_are_never_allocated_twice(void **state)
{
	struct rng rng = seeded("never twice");
	unsigned full = 0;

	(void)state;
	for (unsigned i = 0; i < many(100); i++) {
		struct scene *sc = chance_scene(&rng, 0);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE, 2);
			scene_pass(sc);
			full += scene_view(sc)->procs_busy == scene_view(sc)->procs_total;
		}
		scene_free(sc);
	}
	assert_true(full > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_equals_a_second_implementation_of_its_rules),
		cmocka_unit_test(the_reservation_of_the_highest_job_is_never_delayed),
		cmocka_unit_test(reservations_under_highest_are_never_delayed),
		cmocka_unit_test(processors_are_never_allocated_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
