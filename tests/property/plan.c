/* SPDX-License-Identifier: MIT */
/*
 * plan.c - the instant plan equals placing one job after another
 *
 * The test takes the starts and reservations of the next pass as given and places all other jobs in their
 * order on a list that is searched from its begin each time. This detects a hint of the plan that skips a
 * gap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/forecast/plan.h"
#include "sched/placement/reservation.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/naive.h"

#define STEPS 30

static const struct job *job_in(const struct snapshot *s, uint32_t slot)
{
	return &snapshot_jobs(s)[slot];
}

static void take(struct naive *n, const struct plan *plan, const struct snapshot *s, uint32_t slot)
{
	const struct job *job = job_in(s, slot);

	naive_take(n, plan->start_s[slot], job->wall_limit_s, job_procs(job));
}

/* Takes the starts and reservations of the next pass, which the plan must contain, and marks their slots. */
static void take_decided(struct naive *n, const struct plan *plan, const struct snapshot *s, bool *done)
{
	struct cycle *cycle = cycle_new();
	struct cycle_result r;
	const struct reservations *made;

	cycle_run(cycle, s, plan->now_s, false, &r);
	assert_int_equal(r.started, plan->starts_now);
	for (uint32_t i = 0; i < r.decision_count; i++) {
		if (r.decision[i].kind != DECIDE_START)
			continue;
		assert_true(plan->start_s[r.decision[i].slot] == plan->now_s);
		done[r.decision[i].slot] = true;
		take(n, plan, s, r.decision[i].slot);
	}
	made = cycle_reservations(cycle);
	for (size_t i = 0; i < made->count; i++) {
		if (done[made->item[i].slot])
			continue;
		assert_true(plan->start_s[made->item[i].slot] == made->item[i].begin_s);
		done[made->item[i].slot] = true;
		take(n, plan, s, made->item[i].slot);
	}
	cycle_free(cycle);
}

static void assert_placed(struct naive *n, const struct plan *plan, const struct snapshot *s, uint32_t slot,
			  int64_t from_s)
{
	const struct job *job = job_in(s, slot);

	assert_true(plan->start_s[slot] == naive_earliest(n, from_s, job->wall_limit_s, job_procs(job)));
	take(n, plan, s, slot);
}

static void assert_plan(const struct plan *plan, const struct snapshot *s)
{
	static struct naive n;
	bool strict = s->policy.backfill == BACKFILL_NONE;
	bool *done = calloc(plan->slots + 1, sizeof *done);
	int64_t from_s = plan->now_s;

	naive_begin(&n, s, plan->now_s);
	take_decided(&n, plan, s, done);
	for (uint32_t i = 0; i < plan->queue.idle_count; i++) {
		uint32_t slot = plan->queue.idle[i].slot;

		if (!done[slot])
			assert_placed(&n, plan, s, slot, from_s);
		assert_true(plan->start_s[slot] >= from_s);
		if (strict)
			from_s = plan->start_s[slot];
	}
	for (uint32_t i = 0; i < plan->queue.blocked_count; i++) {
		uint32_t slot = plan->queue.blocked[i];
		const struct reason *reason = &plan->queue.blocked_reason[i];

		struct reason never;

		if (reason->gate == GATE_START_DATE && job_procs(job_in(s, slot)) <= s->procs_total &&
		    cycle_gate(plan->cycle, slot, GATE_NEGATIVE, &never))
			assert_placed(&n, plan, s, slot, reason->until_s);
		else
			assert_true(plan->start_s[slot] == TIME_NEVER);
	}
	for (int i = 0; i < n.count; i++)
		assert_true(naive_free(&n, n.span[i].begin_s) >= 0);
	free(done);
}

/* Submits many jobs, so that the queue is as deep as the lists can hold. */
static void fill(struct rng *rng, struct scene *sc)
{
	for (uint32_t i = chance_below(rng, 120); i > 0; i--)
		chance_submit(rng, sc, CHANCE_DATES);
}

static void the_plan_equals_placing_jobs_one_by_one(void **state)
{
	struct rng rng = seeded("plan");
	struct plan plan = {0};

	(void)state;
	for (unsigned i = 0; i < many(40); i++) {
		struct scene *sc = chance_scene(&rng, 0);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, CHANCE_DATES | CHANCE_LATE, 4);
			if (step == STEPS / 2)
				fill(&rng, sc);
			plan_build(&plan, scene_view(sc), sc->now_s);
			assert_plan(&plan, scene_view(sc));
			scene_pass(sc);
		}
		scene_free(sc);
	}
	plan_clear(&plan);
}

/* If all idle jobs have reservations, run to their limits, and no job is submitted, the planned starts are
 * exact. */
static void planned_starts_are_exact_if_nothing_else_happens(void **state)
{
	struct rng rng = seeded("a plan that comes true");
	struct plan plan = {0};

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = scene_new(1 + chance_below(&rng, 4), 1 + chance_below(&rng, 6));
		int64_t planned_s[64] = {0};

		sc->now_s = 1000;
		scene_set(sc, "reservationdepth", "1000000000");
		for (int job = 0; job < 30; job++)
			scene_add(sc,
				  (struct scene_job){
					  .procs = 1 +
						   chance_below(&rng, (uint32_t)scene_view(sc)->procs_total),
					  .wall_s = 1 + chance_below(&rng, 50)});
		plan_build(&plan, scene_view(sc), sc->now_s);
		for (uint64_t job = 1; job <= 30; job++)
			planned_s[job] = plan.start_s[state_find(sc->st, job)];
		scene_pass(sc);
		while (scene_next_end_s(sc) != TIME_NEVER) {
			const struct snapshot *s = scene_view(sc);

			for (uint32_t r = 0; r < snapshot_count(s, TABLE_RUNNING); r++) {
				const struct job *job = job_in(s, snapshot_running(s)[r]);

				assert_true(job->start_s == planned_s[job->id]);
			}
			scene_go(sc, scene_next_end_s(sc));
			scene_pass(sc);
		}
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 0);
		scene_free(sc);
	}
	plan_clear(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_plan_equals_placing_jobs_one_by_one),
		cmocka_unit_test(planned_starts_are_exact_if_nothing_else_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
