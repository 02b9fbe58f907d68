/* SPDX-License-Identifier: MIT */
/*
 * same.c - a pass depends only on its snapshot and its time
 *
 * The decisions are equal, byte for byte, with a new cycle, with and without
 * reasons, on a copy of the snapshot, and from a state with other slot numbers (there compared by job
 * ID). A second pass at the same time decides nothing.
 *
 * The last rule requires that the pass itself changes no rank (a bypass count that BYPASSWEIGHT
 * uses, or queue time that stops because the rank is negative, may reorder the queue at once)
 * and that processors are interchangeable: a job whose tasks do not fit on the free nodes gets a
 * reservation at the next change, and the starts of the pass are such changes.
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

/* --- a copy of the decisions -------------------------------------------------------------- */

struct copied {
	struct decision *decision;
	uint32_t count;
	struct alloc_run *runs;
	size_t run_count;
};

static struct copied copy_decisions(const struct cycle_result *r)
{
	struct copied k = {.count = r->decision_count};

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

static void free_copied(struct copied *k)
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

static void assert_same(const struct copied *k, const struct cycle_result *r, bool with_slots)
{
	assert_int_equal(k->count, r->decision_count);
	for (uint32_t i = 0; i < k->count; i++)
		assert_decision(&k->decision[i], &r->decision[i], with_slots);
	for (size_t i = 0; i < k->run_count; i++)
		assert_run(&k->runs[i], &r->runs[i]);
}

/* --- one pass in all ways ---------------------------------------------------------------------- */

/* Runs a pass in all possible ways, which must agree with the first. */
static void run_in_all_ways(struct cycle *used, const struct snapshot *s, int64_t now_s)
{
	struct snapshot *copy = snapshot_copy(s);
	struct cycle *fresh = cycle_new();
	struct cycle_result r;
	struct copied k;
	int64_t due_s;

	assert_true(state_hash(copy) == state_hash(s));
	cycle_run(used, s, now_s, false, &r);
	k = copy_decisions(&r);
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
	free_copied(&k);
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

/* The same cluster with the jobs in other slots: restored as from a store, in random order. */
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

static void decisions_do_not_depend_on_slots(void **state)
{
	struct rng rng = seeded("other slots");
	struct cycle *one = cycle_new(), *two = cycle_new();

	(void)state;
	for (unsigned i = 0; i < many(25); i++) {
		struct scene *sc = chance_scene(&rng, 0);

		for (int step = 0; step < STEPS; step++) {
			struct cycle_result r;
			struct state *other;
			struct copied k;

			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED, 4);
			other = shuffled(&rng, scene_view(sc));
			assert_true(state_hash(state_view(other)) == state_hash(scene_view(sc)));
			cycle_run(one, scene_view(sc), sc->now_s, false, &r);
			k = copy_decisions(&r);
			cycle_run(two, state_view(other), sc->now_s, false, &r);
			assert_same(&k, &r, false);
			free_copied(&k);
			state_free(other);
			scene_pass(sc);
		}
		scene_free(sc);
	}
	cycle_free(one);
	cycle_free(two);
}

/* --- a second pass -------------------------------------------------------------------------------- */

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

/* --- two ways to order ------------------------------------------------------------------------------- */

/*
 * Without weights a pass takes the eligible jobs in the order of the waiting jobs; with a weight of a factor
 * that is equal for all jobs it sorts them. Both must make the same decisions, except that only the second
 * counts bypasses.
 */
static void drop_last(struct cycle_result *r, enum decision_kind kind)
{
	while (r->decision_count > 0 && r->decision[r->decision_count - 1].kind == kind)
		r->decision_count--;
}

/* The decisions of a copy of the scene with an option set, without the counts of bypasses. */
static struct copied decided_with(const struct scene *sc, const char *name, const char *value, bool by_submit)
{
	struct scene *copy = scene_copy(sc);
	struct cycle_result r;
	struct copied k;

	scene_set(copy, name, value);
	assert_int_equal(scene_view(copy)->ranks_equal, by_submit);
	cycle_run(copy->cycle, scene_view(copy), copy->now_s, false, &r);
	drop_last(&r, DECIDE_PASS);
	drop_last(&r, DECIDE_BYPASS);
	k = copy_decisions(&r);
	scene_free(copy);
	return k;
}

static void order_by_submit_time_and_by_equal_ranks_agree(void **state)
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
			struct copied plain, sorted;

			chance_step(&rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE, 0);
			plain = decided_with(sc, "rescap", "7", true);
			sorted = decided_with(sc, "qosweight", "1", false);
			assert_same(&plain,
				    &(struct cycle_result){.decision = sorted.decision,
							   .decision_count = sorted.count,
							   .runs = sorted.runs},
				    true);
			free_copied(&plain);
			free_copied(&sorted);
			scene_pass(sc);
		}
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_depends_on_its_snapshot_alone),
		cmocka_unit_test(decisions_do_not_depend_on_slots),
		cmocka_unit_test(a_second_pass_decides_nothing),
		cmocka_unit_test(order_by_submit_time_and_by_equal_ranks_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
