/* SPDX-License-Identifier: MIT */
/*
 * why.c - the first failing gate that `why` lists is the reason that the pass gave
 *
 * Random clusters, policies and operators; all idle and blocked jobs at every pass. A job has no reason
 * exactly if the pass starts it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/forecast/explain.h"
#include "tests/chance.h"
#include "tests/many.h"

#define STEPS         50
#define AT_ONE_MOMENT 100 /* passes, at most */

static bool starts(const struct cycle_result *r, uint32_t slot)
{
	for (uint32_t i = 0; i < r->decision_count; i++)
		if (r->decision[i].kind == DECIDE_START && r->decision[i].slot == slot)
			return true;
	return false;
}

/* The first check that fails. A job that starts, or would start without a pause, may be over a soft limit. */
static enum gate first_of(const struct why *why)
{
	bool may_exceed = why->first == GATE_NONE || why->first == GATE_HALT;

	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (!why->check[g].ok && !(may_exceed && g == GATE_ACTIVE_SOFT))
			return (enum gate)g;
	return GATE_NONE;
}

/* A job passes the check of a limit exactly if the numbers that are shown are within the limit. */
static void assert_amounts(const struct why *why)
{
	for (int g = GATE_ACTIVE_HARD; g <= GATE_ACTIVE_SOFT; g++) {
		const struct reason *r = &why->check[g].reason;

		if (r->kind != LIMIT_KIND_COUNT)
			assert_int_equal(why->check[g].ok, r->value + r->asked <= r->limit);
	}
}

/* True if `why` gives no date because other jobs count against the idle limit first, which the pass ignores.
 */
static bool is_undated(const struct plan *plan, const struct snapshot *s, uint32_t slot,
		       const struct reason *given, const struct reason *listed)
{
	return given->gate == GATE_IDLE_LIMIT && listed->until_s == TIME_NEVER &&
	       queue_is_preceded(&plan->queue, s, plan->now_s, slot, given, given->until_s);
}

static void assert_reason(const struct plan *plan, const struct snapshot *s, uint32_t slot,
			  const struct reason *given, const struct reason *listed)
{
	struct reason then;

	assert_int_equal(given->gate, listed->gate);
	assert_true(given->value == listed->value);
	assert_true(given->limit == listed->limit);
	/* A pass may give a later time than `why` for a share that is diluted before a window rolls, or for
	 * running jobs that free enough processors before a reservation ends; and an earlier one if another
	 * reservation follows. */
	assert_true(given->until_s == listed->until_s ||
		    ((given->gate == GATE_FS_CAP || given->gate == GATE_RESERVED) &&
		     listed->until_s < given->until_s) ||
		    (given->gate == GATE_RESERVED &&
		     !cycle_gate_reserved(plan->cycle, slot, given->until_s, &then)) ||
		    is_undated(plan, s, slot, given, listed));
	assert_true(given->other == listed->other);
}

static void assert_verdict(const struct why *why, const struct job *job)
{
	assert_int_equal(why->verdict == VERDICT_STARTS_NOW, why->first == GATE_NONE);
	if (why->first == GATE_HOLD && why->verdict != VERDICT_NEVER)
		assert_int_equal(why->verdict, VERDICT_HELD);
	if (why->verdict == VERDICT_NEVER)
		assert_true(why->estimated_s == TIME_NEVER && why->clears_s == TIME_NEVER);
	else if (why->first == GATE_START_DATE)
		assert_true(why->clears_s == job->not_before_s);
	assert_true(why->check[GATE_HOLD].value[0] != '\0' && why->check[GATE_ORDER].limit[0] != '\0');
}

/* The job that the reason names is idle and is another job. */
static void assert_other(const struct scene *sc, const struct reason *reason, const struct job *job)
{
	if (reason->gate != GATE_RESERVATIONS && reason->gate != GATE_ORDER)
		return;
	if (reason->gate == GATE_RESERVATIONS && reason->other == 0) {
		assert_int_equal(scene_view(sc)->policy.reservation, RESERVE_HIGHEST);
		assert_true(reason->until_s > sc->now_s);
		return;
	}
	assert_true(reason->other != 0 && reason->other != job->id);
	assert_int_equal(scene_job_of(sc, reason->other)->state, JOB_IDLE);
}

/*
 * A pass may leave a job that no gate stops to another pass at the same second, which it then requests. A
 * pass that requests none starts all these jobs. Returns true if another pass is requested.
 */
static bool check_all_jobs(struct scene *sc, struct cycle *cycle, struct plan *plan,
			   unsigned seen[GATE_COUNT], unsigned *looked)
{
	const struct snapshot *s = scene_view(sc);
	struct cycle_result r;
	bool asks_again;

	cycle_run(cycle, s, sc->now_s, true, &r);
	asks_again = r.next_due_s == sc->now_s;
	plan_build(plan, s, sc->now_s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++, ++*looked) {
		uint32_t slot = snapshot_waiting(s)[i].slot;
		const struct job *job = &snapshot_jobs(s)[slot];
		const struct reason *given = &r.reason[slot];
		struct why why;

		explain_planned(s, slot, plan, &why);
		assert_int_equal(why.first, given->gate);
		assert_int_equal(first_of(&why), given->gate);
		assert_amounts(&why);
		if (given->gate != GATE_NONE || !asks_again)
			assert_int_equal(given->gate == GATE_NONE, starts(&r, slot));
		if (given->gate != GATE_NONE)
			assert_reason(plan, s, slot, given, &why.check[given->gate].reason);
		assert_verdict(&why, job);
		assert_other(sc, given, job);
		seen[given->gate]++;
	}
	return asks_again;
}

/* A gate that has not stopped any job yet, or GATE_COUNT. */
static int unseen(const unsigned seen[GATE_COUNT])
{
	int g = 0;

	while (g < GATE_COUNT && seen[g] > 0)
		g++;
	return g;
}

static void the_first_failing_gate_is_the_reason_of_the_pass(void **state)
{
	struct rng rng = seeded("why");
	struct plan plan = {0};
	unsigned seen[GATE_COUNT] = {0}, looked = 0;

	(void)state;
	for (unsigned i = 0; i < many(60) || (i < 400 && unseen(seen) != GATE_COUNT); i++) {
		unsigned kinds = i % 2 ? CHANCE_LIMITS : 0;
		struct scene *sc = chance_scene(&rng, kinds);
		struct cycle *cycle = cycle_new();

		if (i % 8 == 7) { /* chance alone gives a negative priority too seldom */
			scene_set(sc, "enablenegjobpriority", "true");
			scene_set(sc, "rejectnegpriojobs", "true");
			scene_set(sc, "userweight", "3");
		}
		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc,
				    kinds | CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED |
					    CHANCE_ARRAYS,
				    3);
			/* made by the scheduler, so that no random act undoes it */
			if (i % 4 == 3 && (step == STEPS / 2 || step == STEPS * 3 / 4))
				scene_apply(sc, &(struct event){.kind = EVENT_HALT,
								.who = "sched",
								.halt.on = step == STEPS / 2});
			for (unsigned again = 0; check_all_jobs(sc, cycle, &plan, seen, &looked); again++) {
				assert_true(again < AT_ONE_MOMENT);
				scene_pass(sc);
			}
			scene_pass(sc);
		}
		cycle_free(cycle);
		scene_free(sc);
	}
	if (unseen(seen) != GATE_COUNT)
		fail_msg("gate %d never stopped a job", unseen(seen));
	printf("# %u jobs asked\n", looked);
	plan_clear(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_failing_gate_is_the_reason_of_the_pass)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
