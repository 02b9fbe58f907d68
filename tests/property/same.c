/* SPDX-License-Identifier: MIT */
/*
 * same.c - does a pass depend on its snapshot and its moment alone?
 *
 * The same decisions, byte for byte, from a cycle that has just been made, with and without
 * reasons, on a copy of the snapshot, and from a state with other slot numbers (by job id
 * there). And a pass after which nothing happens has nothing left to decide.
 *
 * That last sentence holds while the pass itself changes no rank (a bypass count that BYPASSWEIGHT
 * reads, or queue time that stops because the rank is negative, may reorder the queue at once)
 * and processors are interchangeable: a job whose tasks find no node with enough free is
 * promised the next change, and the starts of the pass are changes themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/chance.h"
#include "tests/many.h"

#define STEPS 60

/* --- what was decided, kept ---------------------------------------------------------------- */

struct kept {
	struct decision *decision;
	uint32_t count;
	struct alloc_run *runs;
	size_t run_count;
};

static struct kept keep(const struct cycle_result *r)
{
	struct kept k = {.count = r->decision_count};

	for (uint32_t i = 0; i < r->decision_count; i++)
		k.run_count += r->decision[i].kind == DECIDE_START ? r->decision[i].run_count : 0;
	k.decision = calloc(k.count + 1, sizeof *k.decision);
	k.runs = calloc(k.run_count + 1, sizeof *k.runs);
	if (k.count > 0)
		memcpy(k.decision, r->decision, k.count * sizeof *k.decision);
	if (k.run_count > 0)
		memcpy(k.runs, r->runs, k.run_count * sizeof *k.runs);
	return k;
}

static void forget(struct kept *k)
{
	free(k->decision);
	free(k->runs);
}

static void assert_run(const struct alloc_run *a, const struct alloc_run *b)
{
	assert_int_equal(a->node, b->node);
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->procs, b->procs);
}

static void assert_decision(const struct decision *a, const struct decision *b, bool with_slots)
{
	assert_int_equal(a->kind, b->kind);
	assert_true(a->job == b->job);
	assert_int_equal(a->backfilled, b->backfilled);
	assert_int_equal(a->first_run, b->first_run);
	assert_int_equal(a->run_count, b->run_count);
	assert_int_equal(a->count, b->count);
	assert_true(a->planned_s == b->planned_s);
	if (with_slots)
		assert_int_equal(a->slot, b->slot);
}

static void assert_same(const struct kept *k, const struct cycle_result *r, bool with_slots)
{
	assert_int_equal(k->count, r->decision_count);
	for (uint32_t i = 0; i < k->count; i++)
		assert_decision(&k->decision[i], &r->decision[i], with_slots);
	for (size_t i = 0; i < k->run_count; i++)
		assert_run(&k->runs[i], &r->runs[i]);
}

/* --- the same ---------------------------------------------------------------------------------- */

/* Runs a pass in every way there is; all must agree with the first. */
static void run_in_all_ways(struct cycle *used, const struct snapshot *s, int64_t now_s)
{
	struct snapshot *copy = snapshot_copy(s);
	struct cycle *fresh = cycle_new();
	struct cycle_result r;
	struct kept k;
	int64_t due_s;

	assert_true(state_hash(copy) == state_hash(s));
	cycle_run(used, s, now_s, false, &r);
	k = keep(&r);
	due_s = r.next_due_s;
	cycle_run(used, s, now_s, false, &r);
	assert_same(&k, &r, true);
	cycle_run(used, s, now_s, true, &r);
	assert_same(&k, &r, true);
	cycle_run(fresh, s, now_s, false, &r);
	assert_same(&k, &r, true);
	assert_true(r.next_due_s == due_s);
	cycle_run(fresh, copy, now_s, true, &r);
	assert_same(&k, &r, true);
	assert_true(state_hash(copy) == state_hash(s));
	forget(&k);
	cycle_free(fresh);
	free(copy);
}

static void a_pass_depends_on_its_snapshot_alone(void **state)
{
	struct rng rng = seeded("one pass in many ways");
	struct cycle *used = cycle_new();

	(void)state;
	for (unsigned i = 0; i < many(40); i++) {
		struct scene *sc = chance_scene(&rng, 0);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED, 4);
			run_in_all_ways(used, scene_view(sc), sc->now_s);
			scene_pass(sc);
		}
		scene_free(sc);
	}
	cycle_free(used);
}

/* --- other slots ---------------------------------------------------------------------------------- */

/* The same cluster with the jobs in other slots: read back like from a store, in any order. */
static struct state *shuffled(struct rng *rng, const struct snapshot *s)
{
	uint32_t jobs = snapshot_count(s, TABLE_JOBS), *order = calloc(jobs + 1, sizeof *order);
	struct state_counters counters = {s->now_s,        s->seq,        s->next_job_id,
					  s->ends_pending, s->sim,        s->stats_since_s,
					  s->halted,       s->halt_after, s->set_back};
	struct state_parts parts = {.run = NULL};
	struct used_by *used = NULL;
	size_t used_room = 0;
	struct state *st = state_new();
	struct err err = {""};
	bool ok = true;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		struct node_record record;

		state_node_record(s, i, &record, &parts);
		ok = ok && state_restore_node(st, &record, &err);
	}
	ok = ok && state_restore_config(st, "kahu.conf", snapshot_string(s, s->config_text), &err);
	for (uint32_t i = 0; i < jobs; i++) {
		uint32_t other = chance_below(rng, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (uint32_t i = 0; i < jobs && ok; i++) {
		struct job_record record;

		if (snapshot_jobs(s)[order[i]].state == JOB_NONE)
			continue;
		state_job_record(s, order[i], &record, &parts);
		ok = state_restore_job(st, &record, &err);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		state_restore_change(st, change, snapshot_string(s, change->name),
				     snapshot_string(s, change->value), snapshot_string(s, change->base));
	}
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++) {
		struct usage_window window;

		state_usage_window(s, c, &window, &used, &used_room);
		ok = ok && (window.length_s == 0 || state_restore_usage(st, &window, &err));
	}
	if (!ok || !state_restore_finish(st, &counters, &err))
		fail_msg("%s", err.text);
	state_parts_free(&parts);
	free(used);
	free(order);
	return st;
}

static void slots_mean_nothing(void **state)
{
	struct rng rng = seeded("other slots");
	struct cycle *one = cycle_new(), *two = cycle_new();

	(void)state;
	for (unsigned i = 0; i < many(25); i++) {
		struct scene *sc = chance_scene(&rng, 0);

		for (int step = 0; step < STEPS; step++) {
			struct cycle_result r;
			struct state *other;
			struct kept k;

			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED, 4);
			other = shuffled(&rng, scene_view(sc));
			assert_true(state_hash(state_view(other)) == state_hash(scene_view(sc)));
			cycle_run(one, scene_view(sc), sc->now_s, false, &r);
			k = keep(&r);
			cycle_run(two, state_view(other), sc->now_s, false, &r);
			assert_same(&k, &r, false);
			forget(&k);
			state_free(other);
			scene_pass(sc);
		}
		scene_free(sc);
	}
	cycle_free(one);
	cycle_free(two);
}

/* --- nothing left --------------------------------------------------------------------------------- */

static void a_second_pass_decides_nothing(void **state)
{
	struct rng rng = seeded("a second pass");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_REPEATABLE);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc,
				    CHANCE_DATES | CHANCE_REPEATABLE | CHANCE_LATE | CHANCE_RESERVED, 4);
			scene_pass(sc);
			assert_int_equal(scene_pass(sc), 0);
		}
		scene_free(sc);
	}
}

/* --- two ways to walk ------------------------------------------------------------------------------- */

/*
 * Without weights the eligible are read off the waiting jobs; a weight that everybody has the same
 * amount of makes the pass sort them. Both must decide the same, but that only the second
 * counts bypasses.
 */
static void drop_last(struct cycle_result *r, enum decision_kind kind)
{
	while (r->decision_count > 0 && r->decision[r->decision_count - 1].kind == kind)
		r->decision_count--;
}

/* What a copy of the scene decides with an option set; the counts of bypasses left out. */
static struct kept decided_with(const struct scene *sc, const char *name, const char *value, bool by_submit)
{
	struct scene *copy = scene_copy(sc);
	struct cycle_result r;
	struct kept k;

	scene_set(copy, name, value);
	assert_int_equal(scene_view(copy)->ranks_equal, by_submit);
	cycle_run(copy->cycle, scene_view(copy), copy->now_s, false, &r);
	drop_last(&r, DECIDE_PASS);
	drop_last(&r, DECIDE_BYPASS);
	k = keep(&r);
	scene_free(copy);
	return k;
}

static void order_by_submit_and_by_equal_ranks_are_one(void **state)
{
	static const char *const rule[] = {"highest", "currenthighest", "never"};
	struct rng rng = seeded("two ways to walk");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = scene_new(1 + chance_below(&rng, 4), 1 + chance_below(&rng, 6));
		char depth[16];

		sc->now_s = 1000;
		scene_set(sc, "queuetimeweight", "0");
		snprintf(depth, sizeof depth, "%u", chance_below(&rng, 4));
		scene_set(sc, "reservationdepth", depth);
		scene_set(sc, "reservationpolicy", rule[chance_below(&rng, 3)]);
		scene_set(sc, "backfillpolicy", chance_below(&rng, 4) ? "firstfit" : "none");
		for (int step = 0; step < STEPS; step++) {
			struct kept plain, sorted;

			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE, 0);
			plain = decided_with(sc, "rescap", "7", true);
			sorted = decided_with(sc, "qosweight", "1", false);
			assert_same(&plain,
				    &(struct cycle_result){.decision = sorted.decision,
							   .decision_count = sorted.count,
							   .runs = sorted.runs},
				    true);
			forget(&plain);
			forget(&sorted);
			scene_pass(sc);
		}
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_depends_on_its_snapshot_alone),
		cmocka_unit_test(slots_mean_nothing),
		cmocka_unit_test(a_second_pass_decides_nothing),
		cmocka_unit_test(order_by_submit_and_by_equal_ranks_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
