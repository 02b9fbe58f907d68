/* SPDX-License-Identifier: MIT */
/*
 * kept.c - a pass that keeps what is known of jobs decides what a new pass decides
 *
 * Random clusters with limits and long queues run on. Before each pass after which only its own decisions and
 * ends of jobs have happened, one cycle is told so (cycle_follow). Its decisions, the gate of each idle job,
 * the lists of the queue and the times of the next pass are those of a new cycle, which knows nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/chance.h"
#include "tests/many.h"

#define KINDS (CHANCE_LIMITS | CHANCE_DATES)

/* Submits a job. Many jobs have the same credentials, and the same size. */
static void submit(struct rng *rng, struct scene *sc, unsigned kinds)
{
	uint32_t procs = 1 + chance_below(rng, 4), wall_s = 10 * (1 + chance_below(rng, 20));

	if (chance_below(rng, 4) == 0)
		chance_submit(rng, sc, kinds);
	else
		scene_add(sc, (struct scene_job){.procs = procs,
						 .wall_s = wall_s,
						 .user = chance_below(rng, 2) ? "u1" : "u2"});
}

/* A cluster with limits that keep out most of the jobs. */
static struct scene *crowded(struct rng *rng)
{
	static const char *const option[] = {"user[DEFAULT].maxijob", "user[DEFAULT].maxjob",
					     "group[DEFAULT].maxijob"};
	unsigned kinds = KINDS | (chance_below(rng, 4) == 0 ? CHANCE_ARRAYS : 0) |
			 (chance_below(rng, 4) == 0 ? CHANCE_TASKS : 0);
	struct scene *sc = chance_scene(rng, kinds);

	for (size_t i = 0; i < sizeof option / sizeof option[0]; i++) {
		char value[16];

		snprintf(value, sizeof value, "%u", 1 + chance_below(rng, 8));
		if (i == 0 || chance_below(rng, 2))
			scene_set(sc, option[i], value);
	}
	if (chance_below(rng, 4) > 0) {
		scene_set(sc, "idlepromotion", "priority");
		scene_set(sc, "procweight", "3");
	}
	for (unsigned i = 0; i < 80; i++) {
		sc->now_s += chance_below(rng, 9);
		submit(rng, sc, kinds);
	}
	return sc;
}

static void assert_same_list(const struct queued *a, uint32_t a_count, const struct queued *b,
			     uint32_t b_count)
{
	assert_int_equal(a_count, b_count);
	for (uint32_t i = 0; i < a_count; i++) {
		assert_true(a[i].rank == b[i].rank);
		assert_int_equal(a[i].slot, b[i].slot);
		assert_int_equal(a[i].order, b[i].order);
	}
}

/* Each candidate of the queue that keeps is one of the new queue, in the same order. */
static void assert_candidates(const struct queue *kept, const struct queue *fresh)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < kept->candidate_count; i++, at++) {
		while (at < fresh->candidate_count && fresh->candidate[at].slot != kept->candidate[i].slot)
			at++;
		assert_true(at < fresh->candidate_count);
		assert_true(fresh->candidate[at].rank == kept->candidate[i].rank);
	}
}

static void assert_same_queue(const struct queue *kept, const struct queue *fresh, const struct snapshot *s)
{
	assert_same_list(kept->idle, kept->idle_count, fresh->idle, fresh->idle_count);
	assert_same_list(kept->second, kept->second_count, fresh->second, fresh->second_count);
	assert_int_equal(kept->blocked_count, fresh->blocked_count);
	for (uint32_t i = 0; i < kept->blocked_count; i++)
		assert_int_equal(kept->blocked[i], fresh->blocked[i]);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		assert_int_equal(kept->failed[i], fresh->failed[i]);
		assert_int_equal(kept->paused[i], fresh->paused[i]);
	}
	for (unsigned g = 0; g < GATE_COUNT; g++)
		assert_int_equal(kept->stopped[g], fresh->stopped[g]);
	assert_true(kept->opens_s == fresh->opens_s);
	assert_true(kept->limits_clear_s == fresh->limits_clear_s);
	assert_candidates(kept, fresh);
}

static void assert_same_decision(const struct cycle_result *of_a, const struct cycle_result *of_b, uint32_t i)
{
	const struct decision *a = &of_a->decision[i], *b = &of_b->decision[i];

	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->backfilled, b->backfilled);
	assert_int_equal(a->slot, b->slot);
	assert_int_equal(a->job, b->job);
	assert_int_equal(a->count, b->count);
	assert_true(a->planned_s == b->planned_s);
	assert_int_equal(a->run_count, b->run_count);
	if (a->run_count > 0)
		assert_memory_equal(&of_a->runs[a->first_run], &of_b->runs[b->first_run],
				    a->run_count * sizeof *of_a->runs);
}

static void assert_same_result(const struct cycle_result *a, const struct cycle_result *b)
{
	assert_int_equal(a->decision_count, b->decision_count);
	for (uint32_t i = 0; i < a->decision_count; i++)
		assert_same_decision(a, b, i);
	assert_true(a->known_due_s == b->known_due_s);
	assert_true(a->share_due_s == b->share_due_s);
}

/* Runs a pass with both cycles. Returns the number of candidates that the cycle that keeps has left out. */
static uint32_t pass(struct scene *sc, struct cycle *kept, bool follows)
{
	struct cycle *fresh = cycle_new();
	struct cycle_result a, b;
	uint32_t asleep = 0;

	if (follows)
		cycle_follow(kept);
	cycle_run(kept, scene_view(sc), sc->now_s, false, &a);
	cycle_run(fresh, scene_view(sc), sc->now_s, false, &b);
	assert_same_result(&a, &b);
	assert_true((cycle_queue(kept) == NULL) == (cycle_queue(fresh) == NULL));
	if (cycle_queue(kept) != NULL) {
		assert_same_queue(cycle_queue(kept), cycle_queue(fresh), scene_view(sc));
		asleep = cycle_queue(fresh)->candidate_count - cycle_queue(kept)->candidate_count;
	}
	scene_take(sc, &b);
	sc->result.next_due_s = b.next_due_s;
	cycle_free(fresh);
	return asleep;
}

/* Advances the time to the next end or due pass, or not as far. Jobs that are due end. */
static void go(struct rng *rng, struct scene *sc)
{
	int64_t to_s = scene_next_end_s(sc);

	if (sc->result.next_due_s < to_s)
		to_s = sc->result.next_due_s;
	if (to_s == TIME_NEVER || chance_below(rng, 4) == 0)
		to_s = sc->now_s + 1 + chance_below(rng, 20);
	scene_go(sc, to_s > sc->now_s ? to_s : sc->now_s);
}

static void a_pass_that_keeps_decides_as_a_new_one(void **state)
{
	struct rng rng = seeded("kept");
	uint64_t asleep = 0;

	(void)state;
	for (unsigned i = 0; i < many(150); i++) {
		struct scene *sc = crowded(&rng);
		struct cycle *kept = cycle_new();
		bool follows = false;

		for (unsigned step = 0; step < 60; step++) {
			asleep += pass(sc, kept, follows);
			go(&rng, sc);
			follows = chance_below(&rng, 12) > 0;
			if (!follows)
				chance_step(&rng, sc, KINDS, 2);
		}
		cycle_free(kept);
		scene_free(sc);
	}
	assert_true(asleep > 0 || many(150) < 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_that_keeps_decides_as_a_new_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
