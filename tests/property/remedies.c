/* SPDX-License-Identifier: MIT */
/*
 * remedies.c - remedies start the job as projected, at the reported cost to other jobs
 *
 * X2. Idle jobs in random clusters. Each remedy that is found is applied by an operator to a copy, and passes
 * are run: the job starts at the projected time. Then the whole workload is run to its end with and without
 * the remedy: exactly the reported jobs start later. The workload of a job that is reported never to start is
 * run to its end with jobs that end early or fail, and the job does not start.
 *
 * make soak runs 2000 jobs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/forecast/project.h"
#include "sched/forecast/remedies.h"
#include "sched/pass/gate.h"
#include "tests/many.h"
#include "tests/stuck.h"

/* From this number of jobs on, the share of jobs without a remedy hardly depends on chance. */
#define ENOUGH 1000

/* A copy of the scene with the change, made by an operator. */
static struct scene *changed(const struct scene *sc, const struct event *change)
{
	struct scene *copy = scene_copy(sc);
	struct event ev = *change;
	struct err err;

	assert_string_equal(scene_try(copy, &ev, &err), "");
	return copy;
}

/* Reports the end of a cancelled job, as the resource manager does, so that jobs that depend on it may start.
 */
static void report_stop(struct scene *sc, uint64_t job)
{
	struct event stop = event_of_stop(job);

	scene_apply(sc, &stop);
}

static void check_now(const struct scene *sc, const struct remedy *c, uint64_t job)
{
	struct scene *copy = changed(sc, &c->ev);

	if (c->ev.kind == EVENT_CANCEL && snapshot_find_job(scene_view(copy), c->ev.job) != INDEX_NONE)
		report_stop(copy, c->ev.job);
	while (scene_job_of(copy, job)->state == JOB_IDLE && scene_pass(copy) > 0)
		;
	assert_true((scene_job_of(copy, job)->state == JOB_RUNNING) == (c->starts_s == sc->now_s));
	scene_free(copy);
}

static void check_cost(const struct scene *sc, const struct remedy *c, uint64_t job,
		       struct projection *before, struct projection *after)
{
	struct scene *copy = changed(sc, &c->ev);
	const struct snapshot *s = scene_view(sc);
	struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	uint32_t delayed = 0;

	project_run(before, s, &setup);
	project_run(after, scene_view(copy), &setup);
	assert_true(stuck_start_s(after, s, job) == c->starts_s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint64_t other = snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id;

		delayed += other != job && stuck_start_s(after, s, other) > stuck_start_s(before, s, other);
	}
	assert_int_equal(delayed, c->delayed);
	scene_free(copy);
}

/* The time that the list promises is the earliest start among its changes. */
static void check_soonest(const struct remedies *u)
{
	int64_t soonest_s = TIME_NEVER;

	for (size_t i = 0; i < u->count; i++)
		if (u->change[i].starts_s < soonest_s)
			soonest_s = u->change[i].starts_s;
	assert_true(u->count == 0 || soonest_s == u->by_s);
}

static void each_remedy_starts_the_job_as_projected(void **state)
{
	struct rng rng = seeded("unblocked");
	struct remedies found = {.change = NULL};
	struct projection before = {.start_s = NULL}, after = {.start_s = NULL};
	unsigned asked = 0, helped = 0, at_once = 0, never = 0, nothing = 0, changes = 0;

	(void)state;
	for (unsigned i = 0; i < many(200); i++) {
		struct scene *sc = stuck_scene(&rng, 25, 6);
		uint64_t job = chance_waiting(&rng, sc);
		struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};

		if (job != 0) {
			uint64_t hash = state_hash(scene_view(sc));

			assert_true(remedies_find(&found, scene_view(sc),
						  snapshot_find_job(scene_view(sc), job), &setup));
			assert_true(state_hash(scene_view(sc)) == hash);
			check_soonest(&found);
			for (size_t c = 0; c < found.count; c++) {
				check_now(sc, &found.change[c], job);
				check_cost(sc, &found.change[c], job, &before, &after);
			}
			asked++;
			helped += found.count > 0;
			at_once += found.count > 0 && found.by_s == sc->now_s;
			never += remedies_proven(&found);
			nothing += found.count == 0 && !remedies_proven(&found) && found.start_s > sc->now_s;
			changes += (unsigned)found.count;
		}
		scene_free(sc);
	}
	print_message("# of %u jobs %u have a change that helps, %u of them at once; %u changes; %u never "
		      "start; %u have nothing\n",
		      asked, helped, at_once, changes, never, nothing);
	assert_true(helped > 0 && never > 0);
	assert_true(nothing * 20 <= asked); /* X2: 95 % */
	if (asked >= ENOUGH)
		assert_true(nothing * 40 <= asked);
	remedies_clear(&found);
	project_clear(&before);
	project_clear(&after);
}

/* --- never ------------------------------------------------------------------------------------------ */

static bool end_random_job(struct rng *rng, struct scene *sc, int64_t before_s)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t running = snapshot_count(s, TABLE_RUNNING);
	uint64_t job;

	if (running == 0)
		return false;
	job = snapshot_jobs(s)[snapshot_running(s)[chance_below(rng, running)]].id;
	scene_go(sc, sc->now_s + chance_below(rng, (uint32_t)(before_s - sc->now_s)));
	if (snapshot_find_job(scene_view(sc), job) != INDEX_NONE)
		scene_end_with(sc, job, (int32_t)chance_below(rng, 2));
	return true;
}

/* Runs passes without submissions or operators; jobs end at random times before their limit, with success or
 * failure. */
static void run_with_early_ends(struct rng *rng, struct scene *sc, uint64_t job)
{
	for (unsigned i = 0; i < 400; i++) {
		int64_t next_s;

		while (scene_pass(sc) > 0)
			;
		assert_int_equal(scene_job_of(sc, job)->state, JOB_IDLE);
		next_s = scene_next_end_s(sc);
		if (sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		if (next_s == TIME_NEVER)
			return;
		if (next_s <= sc->now_s || chance_below(rng, 2) == 0 || !end_random_job(rng, sc, next_s))
			scene_go(sc, next_s > sc->now_s ? next_s : sc->now_s + 1);
	}
}

static void a_job_proven_never_to_start_does_not_start(void **state)
{
	struct rng rng = seeded("unblocked");
	struct remedies found = {.change = NULL};
	unsigned proven = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = stuck_scene(&rng, 25, 6);
		uint64_t job = chance_waiting(&rng, sc);
		struct remedies_setup setup = {.now_s = sc->now_s, .by_s = TIME_NEVER - 1};

		if (job != 0)
			remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), job), &setup);
		for (unsigned again = 0; job != 0 && remedies_proven(&found) && again < 3; again++) {
			struct scene *copy = scene_copy(sc);

			run_with_early_ends(&rng, copy, job);
			scene_free(copy);
			proven++;
		}
		scene_free(sc);
	}
	print_message("# %u runs in which a job that was proven never to start did not start\n", proven);
	assert_true(proven > 0);
	remedies_clear(&found);
}

/* --- the reason of a proof ------------------------------------------------------------------------- */

#define LONG_S                                                                                               \
	(60 * INT64_C(86400)) /* all fairshare windows have rolled and all running jobs have ended by then   \
			       */

static bool no_change(void *self, const struct event *ev)
{
	(void)self;
	(void)ev;
	return false;
}

/* The first reason given for a job that never starts is a check that it still fails when no event is due any
 * more. */
static void a_proof_names_a_check_that_does_not_clear(void **state)
{
	struct rng rng = seeded("unblocked");
	struct remedies found = {.change = NULL};
	struct plan plan = {.start_s = NULL};
	unsigned seen[GATE_COUNT] = {0}, never = 0;

	(void)state;
	for (unsigned i = 0; i < many(150); i++) {
		struct scene *sc = stuck_scene(&rng, 25, 6);
		uint64_t job = chance_waiting(&rng, sc);
		uint32_t slot = job == 0 ? INDEX_NONE : snapshot_find_job(scene_view(sc), job);
		struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s, .may = no_change};
		struct explain_lead answer;
		struct reason lead;
		struct why end;

		if (slot != INDEX_NONE) {
			remedies_find(&found, scene_view(sc), slot, &setup);
			plan_build(&plan, scene_view(sc), sc->now_s);
			answer = explain_lead(scene_view(sc), &plan, slot, found.start_s, found.never);
			lead = answer.reason;
		}
		if (slot == INDEX_NONE || answer.verdict != VERDICT_NEVER) {
			scene_free(sc);
			continue;
		}
		never++;
		seen[lead.gate]++;
		scene_play(sc, sc->now_s + LONG_S);
		slot = snapshot_find_job(scene_view(sc), job);
		if (slot != INDEX_NONE) { /* a job whose dependency can no longer be met is removed */
			explain_why(scene_view(sc), slot, sc->now_s, &plan, &end);
			assert_int_equal(scene_job_of(sc, job)->state, JOB_IDLE);
			assert_false(end.check[lead.gate].ok);
		} else {
			assert_int_equal(lead.gate, GATE_DEPENDENCY);
		}
		scene_free(sc);
	}
	print_message("# %u never start:", never);
	for (int g = 0; g < GATE_COUNT; g++)
		if (seen[g] > 0)
			print_message(" %u %s", seen[g], gate_rows[g].name);
	print_message("\n");
	assert_true(never > 0);
	remedies_clear(&found);
	plan_clear(&plan);
}

/* --- a list and a single job -------------------------------------------------------------------------- */

/* The reason that a list gives for each job, from one projection, is the reason that a query about the job
 * gives. */
static void lists_and_why_name_the_same_check(void **state)
{
	struct rng rng = seeded("unblocked");
	struct remedies found = {.change = NULL};
	struct future future = {.side = {.s = NULL}};
	unsigned jobs = 0, never = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = stuck_scene(&rng, 25, 6);
		const struct snapshot *s = scene_view(sc);
		struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s, .may = no_change};

		future_build(&future, s,
			     &(struct future_setup){.now_s = sc->now_s, .full = true, .reasons = true});
		for (uint32_t w = 0; w < snapshot_count(s, TABLE_WAITING); w++) {
			uint32_t slot = snapshot_waiting(s)[w].slot;
			struct explain_lead listed = explain_future(&future, slot), alone;

			remedies_find(&found, s, slot, &setup);
			alone = explain_lead(s, &future.plan, slot, found.start_s, found.never);
			assert_int_equal(listed.verdict, alone.verdict);
			assert_memory_equal(&listed.reason, &alone.reason, sizeof listed.reason);
			jobs++;
			never += alone.verdict == VERDICT_NEVER;
		}
		scene_free(sc);
	}
	print_message("# %u jobs, %u never start\n", jobs, never);
	assert_true(never > 0);
	remedies_clear(&found);
	future_clear(&future);
}

/* --- stopped ------------------------------------------------------------------------------------------ */

static bool stop_at_once(void *self)
{
	(void)self;
	return false;
}

static void a_stopped_search_gives_no_partial_result(void **state)
{
	struct rng rng = seeded("unblocked");
	struct remedies found = {.change = NULL};

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		struct scene *sc = stuck_scene(&rng, 25, 6);
		uint64_t job = chance_waiting(&rng, sc);
		struct remedies_setup setup = {
			.now_s = sc->now_s, .by_s = sc->now_s, .should_continue = stop_at_once};

		if (job != 0)
			assert_false(remedies_find(&found, scene_view(sc),
						   snapshot_find_job(scene_view(sc), job), &setup));
		assert_int_equal(found.count, 0);
		scene_free(sc);
	}
	remedies_clear(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_remedy_starts_the_job_as_projected),
		cmocka_unit_test(a_job_proven_never_to_start_does_not_start),
		cmocka_unit_test(a_proof_names_a_check_that_does_not_clear),
		cmocka_unit_test(lists_and_why_name_the_same_check),
		cmocka_unit_test(a_stopped_search_gives_no_partial_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
