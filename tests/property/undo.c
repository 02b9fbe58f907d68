/* SPDX-License-Identifier: MIT */
/*
 * undo.c - is the state after an undo the one in which that entry had not happened?
 *
 * Operators hold, release, reweigh, modify, set and undo at random, undo what they have undone, and
 * so on. What is in force then (policy, credentials, holds, priorities, attributes) must be what only
 * the entries that are still alive make of the first state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/core/takeback.h"
#include "tests/chance.h"
#include "tests/many.h"

#define JOBS 6
#define ACTS 40

/* A fingerprint of what is in force: without numbers of entries, moments and the entries themselves. */
static uint64_t in_force(const struct scene *sc)
{
	struct snapshot *copy = snapshot_copy(scene_view(sc));
	uint64_t hash;

	copy->seq = 0;
	copy->now_s = 0;
	copy->ends_pending = 0;
	copy->table[TABLE_CHANGES].count = 0;
	hash = state_hash(copy);
	free(copy);
	return hash;
}

static struct scene *waiting_jobs(struct rng *rng)
{
	struct scene *sc = chance_scene(rng, 0);

	for (int i = 0; i < JOBS; i++)
		chance_submit(rng, sc, 0);
	return sc;
}

/* An attribute of a job, at random; false when it was refused. */
static bool modify(struct rng *rng, struct scene *sc)
{
	static const struct {
		const char *name, *value;
	} set[] = {
		{"walltime", "77"},
		{"walltime", "5:00"},
		{"starttime", "+1:00"},
		{"starttime", "none"},
		{"qos", "hi"},
		{"qos", "lo"},
		{"features", "fast"},
		{"features", ""},
		{"prefer", "tape"},
		{"gres", "gpu:2"},
		{"mem", "128"},
		{"nodes", "1"},
		{"access", "shared"},
		{"access", "singleuser"},
		{"nallocpolicy", "cpuload"},
		{"depend", "afterany:1"},
		{"depend", ""},
		{"hosts", "n001"},
	};
	size_t i = rng_below(rng, sizeof set / sizeof set[0]);
	struct event ev = {.kind = EVENT_MODIFY,
			   .job = 1 + chance_below(rng, JOBS),
			   .modify = {.name = set[i].name, .value = set[i].value}};
	struct err err;

	return scene_try(sc, &ev, &err)[0] == '\0';
}

/* Something is reserved under a name of its own, or released. */
static bool reserve(struct rng *rng, struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t standing = snapshot_count(s, TABLE_ADVANCES);
	struct event ev = {.kind = EVENT_UNRESERVE};
	char name[ADVANCE_NAME], text[64];
	struct err err;

	if (standing > 0 && chance_below(rng, 2) == 0) {
		snprintf(name, sizeof name, "%s",
			 snapshot_string(s, snapshot_advances(s)[chance_below(rng, standing)].name));
	} else {
		ev.kind = EVENT_RESERVE;
		snprintf(name, sizeof name, "r%llu", (unsigned long long)s->seq);
		snprintf(text, sizeof text, "start=%u node=n001*1 user=u%u", chance_below(rng, 99),
			 chance_below(rng, 3));
		ev.reserve.text = text;
	}
	ev.reserve.name = name;
	return scene_try(sc, &ev, &err)[0] == '\0';
}

/* The scheduler pauses, at once or after some passes, or starts jobs again. */
static bool halt(struct rng *rng, struct scene *sc)
{
	struct event ev = {.kind = EVENT_HALT};

	ev.halt.on = chance_below(rng, 2) == 0;
	ev.halt.after = ev.halt.on ? chance_below(rng, 3) : 0;
	scene_apply(sc, &ev);
	return true;
}

static bool act_once(struct rng *rng, struct scene *sc)
{
	if (chance_below(rng, 12) == 0)
		return halt(rng, sc);
	if (chance_below(rng, 6) == 0)
		return reserve(rng, sc);
	return chance_below(rng, 3) == 0 ? modify(rng, sc) : chance_act(rng, sc, 0);
}

/* The event that a change was made by, to be applied elsewhere. */
static struct event event_of(const struct snapshot *s, const struct change *change)
{
	struct event ev = {.who = "eva", .job = change->job};

	switch ((enum change_kind)change->kind) {
	case CHANGE_HOLD:
		ev.kind = EVENT_HOLD;
		ev.hold.bits = (uint8_t)change->number;
		ev.hold.on = change->on != 0;
		ev.hold.reason = snapshot_string(s, change->value);
		break;
	case CHANGE_PRIORITY:
		ev.kind = EVENT_PRIORITY;
		ev.priority.adjust = (uint8_t)change->on;
		ev.priority.points = change->number;
		break;
	case CHANGE_SETTING:
		ev.kind = EVENT_SETTING;
		ev.setting.name = snapshot_string(s, change->name);
		ev.setting.value = snapshot_string(s, change->value);
		break;
	case CHANGE_MODIFY:
		ev.kind = EVENT_MODIFY;
		ev.modify.name = snapshot_string(s, change->name);
		ev.modify.value = snapshot_string(s, change->value);
		break;
	case CHANGE_RESERVE:
		ev.kind = EVENT_RESERVE;
		ev.reserve.name = snapshot_string(s, change->name);
		ev.reserve.text = snapshot_string(s, change->value);
		ev.who = snapshot_string(s, change->base);
		break;
	case CHANGE_UNRESERVE:
		ev.kind = EVENT_UNRESERVE;
		ev.reserve.name = snapshot_string(s, change->name);
		break;
	case CHANGE_UNDO:
		ev.kind = EVENT_UNDO;
		ev.undo.seq = (uint64_t)change->number;
		break;
	case CHANGE_HALT:
		ev.kind = EVENT_HALT;
		ev.halt.on = change->on != 0;
		ev.halt.after = (uint32_t)change->number;
		break;
	case CHANGE_SUSPEND:
		ev.kind = EVENT_SUSPEND;
		ev.suspend.on = change->on != 0;
		break;
	case CHANGE_KIND_COUNT:
		break;
	}
	return ev;
}

/* Is entry i named by an undo that is alive? */
static bool undone(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t j = i + 1; j < snapshot_count(s, TABLE_CHANGES); j++)
		if (change[j].kind == CHANGE_UNDO && (uint64_t)change[j].number == change[i].seq &&
		    !undone(s, j))
			return true;
	return false;
}

/* What is refused now, since the entry it followed is gone, would have had no effect. */
static uint64_t replayed(const struct scene *first, const struct snapshot *s)
{
	struct scene *sc = scene_copy(first);
	uint64_t hash;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		struct event ev = event_of(s, &snapshot_changes(s)[i]);
		struct err err;

		assert_int_equal(snapshot_changes(s)[i].dead, undone(s, i));
		if (ev.kind != EVENT_UNDO && !undone(s, i))
			scene_try(sc, &ev, &err);
	}
	hash = in_force(sc);
	scene_free(sc);
	return hash;
}

static void only_live_entries_count(void **state)
{
	struct rng rng = seeded("live entries");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = waiting_jobs(&rng), *first = scene_copy(sc);

		for (int act = 0; act < ACTS; act++) {
			sc->now_s += chance_below(&rng, 3);
			if (act_once(&rng, sc))
				assert_true(in_force(sc) == replayed(first, scene_view(sc)));
		}
		scene_free(first);
		scene_free(sc);
	}
}

/* A change that is alive and no undo, at random; 0 = none is left. */
static uint64_t alive(struct rng *rng, const struct snapshot *s)
{
	uint32_t found = 0;
	uint64_t seq = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		if (change->kind != CHANGE_UNDO && !change->dead && chance_below(rng, ++found) == 0)
			seq = change->seq;
	}
	return seq;
}

static void all_undone_in_any_order_is_the_beginning(void **state)
{
	struct rng rng = seeded("all undone");

	(void)state;
	for (unsigned i = 0; i < many(100); i++) {
		struct scene *sc = waiting_jobs(&rng);
		uint64_t first = in_force(sc), seq;
		unsigned done = 0;

		for (int act = 0; act < ACTS; act++)
			done += act_once(&rng, sc);
		assert_true(done > 0);
		while ((seq = alive(&rng, scene_view(sc))) != 0)
			scene_undo(sc, seq);
		assert_true(in_force(sc) == first);
		scene_free(sc);
	}
}

static void an_undo_undone_is_as_before(void **state)
{
	struct rng rng = seeded("undo of undo");

	(void)state;
	for (unsigned i = 0; i < many(100); i++) {
		struct scene *sc = waiting_jobs(&rng);
		uint64_t before, seq;

		for (int act = 0; act < ACTS / 2; act++)
			act_once(&rng, sc);
		seq = alive(&rng, scene_view(sc));
		before = in_force(sc);
		if (seq != 0) {
			uint64_t undo = scene_undo(sc, seq), without = in_force(sc), redo;

			redo = scene_undo(sc, undo);
			assert_true(in_force(sc) == before);
			scene_undo(sc, redo);
			assert_true(in_force(sc) == without);
		}
		scene_free(sc);
	}
}

/* Undoes all that was done after an entry, as far as it can be; how many entries could not be. */
static size_t take_back(struct scene *sc, uint64_t point)
{
	struct takeback t = {.count = 0};
	size_t cannot;

	takeback_want_after(&t, point);
	takeback_make(&t, scene_view(sc));
	for (size_t i = 0; i < t.count; i++) {
		struct event ev = {.kind = EVENT_UNDO, .undo.seq = t.item[i].seq};
		struct err err;

		/* What the list says is what the state says. */
		assert_int_equal(scene_try(sc, &ev, &err)[0] != '\0', t.item[i].end == TAKEBACK_CANNOT);
	}
	cannot = t.cannot;
	takeback_clear(&t);
	return cannot;
}

static void to_a_point_is_as_a_twin_that_did_no_more(void **state)
{
	struct rng rng = seeded("to a point");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = waiting_jobs(&rng), *twin;
		uint64_t point;

		for (int act = 0; act < ACTS; act++)
			act_once(&rng, sc);
		point = scene_view(sc)->seq;
		twin = scene_copy(sc);
		for (uint32_t act = chance_below(&rng, 200); act > 0; act--) {
			sc->now_s += chance_below(&rng, 3);
			act_once(&rng, sc);
		}
		assert_int_equal(take_back(sc, point), 0);
		assert_true(in_force(sc) == in_force(twin));
		scene_free(twin);
		scene_free(sc);
	}
}

/* Entries after the point whose job does not wait any more, and that nobody has undone. */
static size_t too_late(const struct snapshot *s, uint64_t point)
{
	size_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];
		bool after = change->seq > point && !change->dead &&
			     (change->kind != CHANGE_UNDO || (uint64_t)change->number <= point);

		count += after && change->job != 0 &&
			 snapshot_jobs(s)[snapshot_find_job(s, change->job)].state != JOB_IDLE;
	}
	return count;
}

static void what_life_has_overtaken_is_listed(void **state)
{
	struct rng rng = seeded("overtaken");
	size_t late = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = waiting_jobs(&rng);
		uint64_t point = scene_view(sc)->seq;

		for (int act = 0; act < ACTS; act++) {
			act_once(&rng, sc);
			if (chance_below(&rng, 8) == 0)
				scene_pass(sc);
		}
		late += too_late(scene_view(sc), point);
		assert_int_equal(too_late(scene_view(sc), point), take_back(sc, point));
		scene_free(sc);
	}
	assert_true(late > 0);
}

static void step(struct rng *rng, struct scene *sc)
{
	chance_step(rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED, 2);
	scene_pass(sc);
}

static void a_copy_goes_on_as_the_original(void **state)
{
	struct rng rng = seeded("a copy goes on");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *one = chance_scene(&rng, 0), *two;
		struct rng same;

		for (int n = 0; n < 20; n++)
			step(&rng, one);
		two = scene_copy(one);
		same = rng;
		for (int n = 0; n < 20; n++) {
			step(&rng, one);
			step(&same, two);
			assert_true(state_hash(scene_view(one)) == state_hash(scene_view(two)));
		}
		scene_free(one);
		scene_free(two);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_live_entries_count),
		cmocka_unit_test(all_undone_in_any_order_is_the_beginning),
		cmocka_unit_test(an_undo_undone_is_as_before),
		cmocka_unit_test(to_a_point_is_as_a_twin_that_did_no_more),
		cmocka_unit_test(what_life_has_overtaken_is_listed),
		cmocka_unit_test(a_copy_goes_on_as_the_original),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
