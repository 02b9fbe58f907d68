/* SPDX-License-Identifier: MIT */
/*
 * undo.c - after an undo, the state is as if the entry had never been made
 *
 * Operators make random changes of all kinds that can be undone (tests/acts.h), undo them, undo undos, and so
 * on. The values in force (policy, credentials, holds, priorities, attributes) must equal those that only the
 * live entries produce from the first state. Entries that can no longer be undone, or never could, are
 * listed: no undo is partial without a message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/state/undo_plan.h"
#include "tests/acts.h"
#include "tests/chance.h"
#include "tests/many.h"

#define ACTS 200 /* some are refused, and some have several entries */

/* Once in this number of acts the state is compared with the effect of the live entries on the first state.
 */
#define EVERY 20

static int64_t due_of(const struct snapshot *s, uint32_t slot)
{
	return job_due_end_s(&snapshot_jobs(s)[slot]);
}

/*
 * Resumes all suspended jobs and returns a hash of their IDs. If the suspension of a job that released its
 * processors is undone, the job stays suspended until a pass can resume it, because other jobs may use its
 * processors. Here they are free.
 */
static uint64_t resume_all(struct scene *sc)
{
	uint64_t suspended = 0;

	for (uint32_t i = 0; i < snapshot_count(scene_view(sc), TABLE_JOBS); i++) {
		struct event ev = {.kind = EVENT_SUSPEND, .job = snapshot_jobs(scene_view(sc))[i].id};

		if (!job_is_suspended(&snapshot_jobs(scene_view(sc))[i]))
			continue;
		if (!job_awaits_resume(&snapshot_jobs(scene_view(sc))[i])) {
			suspended += ev.job * UINT64_C(0x9e3779b97f4a7c15);
			scene_apply(sc, &ev);
		}
		ev.suspend.how = SUSPEND_RESUMED;
		if (job_awaits_resume(&snapshot_jobs(scene_view(sc))[i]))
			scene_apply(sc, &ev);
	}
	return suspended;
}

/* Resets the time that jobs were suspended, which an undo does not restore and which orders the running jobs.
 */
static void forget_suspended(struct snapshot *s)
{
	struct job *job = (struct job *)((char *)s + s->table[TABLE_JOBS].offset);
	uint32_t *running = (uint32_t *)((char *)s + s->table[TABLE_RUNNING].offset);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		job[i].suspended_s = job[i].suspended_at_s = job[i].resume_s = job[i].released_s =
			job[i].held_since_s = job[i].charged_ps = 0;
	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++) /* what was charged when processors were released */
		s->fs_window[i].length_s = 0;
	for (uint32_t i = 1; i < snapshot_count(s, TABLE_RUNNING); i++)
		for (uint32_t k = i; k > 0; k--) {
			uint32_t a = running[k - 1], b = running[k];
			bool ordered = due_of(s, a) != due_of(s, b) ? due_of(s, a) < due_of(s, b)
								    : job[a].id < job[b].id;

			running[k - 1] = ordered ? a : b;
			running[k] = ordered ? b : a;
		}
}

/* A hash of the values in force, without journal numbers, times and the entries themselves. */
static uint64_t in_force(const struct scene *sc)
{
	struct scene *twin = scene_copy(sc);
	struct snapshot *copy;
	uint64_t hash, suspended;

	suspended = resume_all(twin);
	copy = snapshot_copy(scene_view(twin));
	scene_free(twin);
	forget_suspended(copy);

	copy->seq = 0;
	copy->now_s = 0;
	copy->ends_pending = 0;
	copy->table[TABLE_CHANGES].count = 0;
	hash = state_hash(copy);
	free(copy);
	return hash + suspended;
}

/* The event that made a change, to apply it elsewhere. */
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

/* True if a live undo names entry i. */
static bool undone(const struct snapshot *s, uint32_t i)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t j = i + 1; j < snapshot_count(s, TABLE_CHANGES); j++)
		if (change[j].kind == CHANGE_UNDO && (uint64_t)change[j].number == change[i].seq &&
		    !undone(s, j))
			return true;
	return false;
}

/*
 * True if exactly the live entries are in force. An entry that is now refused, because it depended on an
 * undone entry, has no effect. An exception is an attribute of a job that an undone entry permitted (a QOS
 * that a setting had opened): the job keeps it, and the states are not compared.
 */
static bool only_live_entries_are_in_force(const struct scene *first, const struct scene *all)
{
	const struct snapshot *s = scene_view(all);
	struct scene *sc = scene_copy(first);
	bool granted = false, same;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		struct event ev = event_of(s, &snapshot_changes(s)[i]);
		struct err err;

		if (ev.kind != EVENT_UNDO && !undone(s, i) && scene_try(sc, &ev, &err)[0] != '\0')
			granted = granted || ev.kind == EVENT_MODIFY;
	}
	same = in_force(sc) == in_force(all);
	scene_free(sc);
	return same || granted;
}

static int64_t soon(struct rng *rng, const struct scene *sc)
{
	return sc->now_s + chance_below(rng, 3);
}

/* Performs random acts until they have made the given number of entries; returns the number made. */
static unsigned act_on(struct rng *rng, struct scene *sc, unsigned acts, struct diary *d)
{
	unsigned entries = 0;

	while (entries < acts) {
		acts_wait(sc, soon(rng, sc), d);
		entries += acts_once(rng, sc, d);
	}
	return entries;
}

static void check_dead(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		assert_int_equal(snapshot_changes(s)[i].dead, undone(s, i));
}

static void the_state_equals_the_effect_of_the_live_entries(void **state)
{
	struct rng rng = seeded("live entries");

	(void)state;
	for (unsigned i = 0; i < many(10); i++) {
		struct scene *sc = acts_scene(&rng), *first = scene_copy(sc);
		struct diary d = {.count = 0};

		for (unsigned entries = 0; entries < ACTS;) {
			entries += act_on(&rng, sc, 1, &d);
			check_dead(scene_view(sc));
			if (chance_below(&rng, EVERY) == 0)
				assert_true(only_live_entries_are_in_force(first, sc));
		}
		free(d.entry);
		scene_free(first);
		scene_free(sc);
	}
}

/* A random live change that is not an undo; 0 = none is left. */
static uint64_t random_live_change(struct rng *rng, const struct snapshot *s)
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

static void undoing_everything_restores_the_first_state(void **state)
{
	struct rng rng = seeded("all undone");
	unsigned entries = 0;

	(void)state;
	for (unsigned i = 0; i < many(10); i++) {
		struct scene *sc = acts_scene(&rng);
		uint64_t first = in_force(sc), seq;
		struct diary d = {.count = 0};

		entries += act_on(&rng, sc, ACTS, &d);
		while ((seq = random_live_change(&rng, scene_view(sc))) != 0)
			scene_undo(sc, seq);
		assert_true(in_force(sc) == first);
		free(d.entry);
		scene_free(sc);
	}
	printf("# %u entries\n", entries);
	assert_true(entries > 0);
}

static void an_undone_undo_restores_the_change(void **state)
{
	struct rng rng = seeded("undo of undo");

	(void)state;
	for (unsigned i = 0; i < many(20); i++) {
		struct scene *sc = acts_scene(&rng);
		struct diary d = {.count = 0};
		uint64_t before, seq;

		act_on(&rng, sc, chance_below(&rng, ACTS), &d);
		seq = random_live_change(&rng, scene_view(sc));
		before = in_force(sc);
		if (seq != 0) {
			uint64_t undo = scene_undo(sc, seq), without = in_force(sc), redo;

			redo = scene_undo(sc, undo);
			assert_true(in_force(sc) == before);
			scene_undo(sc, redo);
			assert_true(in_force(sc) == without);
		}
		free(d.entry);
		scene_free(sc);
	}
}

/* --- to a point --------------------------------------------------------------------------------- */

static bool is_undone(const struct diary *d, size_t i)
{
	for (size_t j = i + 1; j < d->count; j++)
		if (d->entry[j].kind == EVENT_UNDO && d->entry[j].undo.seq == d->entry[i].seq &&
		    !is_undone(d, j))
			return true;
	return false;
}

/* The position of an entry in the list, which contains it at most once; count: not in the list. */
static size_t listed(const struct undo_plan *t, uint64_t seq)
{
	size_t found = t->count;

	for (size_t i = 0; i < t->count; i++)
		if (t->item[i].seq == seq) {
			assert_int_equal(found, t->count);
			found = i;
		}
	return found;
}

/* True if the entry must be in the list: not if it is an undo, or keeps a change that was made after the
 * point. */
static bool matters(const struct event *ev, uint64_t point)
{
	return ev->kind != EVENT_UNDO && (ev->kind != EVENT_KEEP || ev->keep.seq <= point) &&
	       strcmp(ev->who, "sched") != 0;
}

/* Every entry that is not undone is in the list; entries that can never be undone are marked and come first.
 */
static void check_listed(const struct diary *d, const struct undo_plan *t, uint64_t point)
{
	for (size_t i = 0; i < d->count; i++) {
		size_t at = listed(t, d->entry[i].seq);

		if (!matters(&d->entry[i], point))
			continue;
		assert_int_equal(at < t->count, !is_undone(d, i));
		if (!event_can_undo(d->entry[i].kind))
			assert_int_equal(t->item[at].end, UNDO_PLAN_CANNOT);
	}
	for (size_t i = 0; i < t->count; i++)
		assert_int_equal(t->item[i].end == UNDO_PLAN_CANNOT, i < t->cannot);
}

/* Undoes everything after an entry as far as possible; returns the number of entries that cannot be undone.
 */
static size_t undo_after(struct scene *sc, uint64_t point, const struct diary *d)
{
	struct undo_plan t = {.count = 0};
	size_t cannot;

	undo_plan_add_after(&t, point);
	for (size_t i = 0; i < d->count; i++)
		undo_plan_note_event(&t, &d->entry[i]);
	undo_plan_build(&t, scene_view(sc));
	check_listed(d, &t, point);
	for (size_t i = 0; i < t.count; i++) {
		struct event ev = {.kind = EVENT_UNDO, .undo.seq = t.item[i].seq};
		struct err err;

		/* The state refuses exactly the entries that the list marks. */
		assert_int_equal(scene_try(sc, &ev, &err)[0] != '\0', t.item[i].end == UNDO_PLAN_CANNOT);
	}
	cannot = t.cannot;
	undo_plan_clear(&t);
	return cannot;
}

static void undoing_to_a_point_equals_a_twin_without_later_changes(void **state)
{
	struct rng rng = seeded("to a point");
	unsigned same = 0;

	(void)state;
	for (unsigned i = 0; i < many(10); i++) {
		struct scene *sc = acts_scene(&rng), *twin;
		struct diary before = {.count = 0}, after = {.count = 0};
		uint64_t point;

		act_on(&rng, sc, chance_below(&rng, ACTS), &before);
		point = scene_view(sc)->seq;
		twin = scene_copy(sc);
		act_on(&rng, sc, chance_below(&rng, ACTS), &after);
		acts_wait(twin, sc->now_s, &before);
		if (undo_after(sc, point, &after) == 0) {
			assert_true(in_force(sc) == in_force(twin));
			same++;
		}
		free(before.entry);
		free(after.entry);
		scene_free(twin);
		scene_free(sc);
	}
	assert_true(same > 0); /* in the others, a temporary change from before the point was kept */
}

/* An action on a random job that cannot be undone; false: refused. */
static bool act_irreversibly(struct rng *rng, struct scene *sc, struct diary *d)
{
	static const enum event_kind kind[] = {EVENT_CANCEL, EVENT_REQUEUE, EVENT_REQUEUE, EVENT_SIGNAL};
	struct event ev = {.kind = kind[chance_below(rng, 4)], .who = "eva"};
	struct err err;

	ev.job = 1 + chance_below(rng, (uint32_t)scene_view(sc)->next_job_id);
	if (ev.kind == EVENT_SIGNAL)
		ev.signal.number = 1;
	if (scene_try(sc, &ev, &err)[0] != '\0')
		return false;
	diary_note(d, &ev);
	return true;
}

/* A pass, time, a submission, or an action that cannot be undone; returns the number of the latter. */
static unsigned random_event(struct rng *rng, struct scene *sc, struct diary *d)
{
	switch (chance_below(rng, 12)) {
	case 0:
		scene_pass(sc);
		return 0;
	case 1:
		acts_wait(sc, sc->now_s + chance_below(rng, 30), d);
		return 0;
	case 2:
		chance_submit(rng, sc, 0);
		return 0;
	case 3:
		return act_irreversibly(rng, sc, d);
	default:
		return 0;
	}
}

static void entries_that_can_no_longer_be_undone_are_listed(void **state)
{
	struct rng rng = seeded("overtaken");
	size_t irreversible = 0, late = 0;

	(void)state;
	for (unsigned i = 0; i < many(10); i++) {
		struct scene *sc = acts_scene(&rng);
		uint64_t point = scene_view(sc)->seq;
		struct diary d = {.count = 0};

		for (unsigned entries = 0; entries < ACTS;) {
			entries += act_on(&rng, sc, 1, &d);
			irreversible += random_event(&rng, sc, &d);
		}
		late += undo_after(sc, point, &d);
		free(d.entry);
		scene_free(sc);
	}
	printf("# %zu could not be undone, %zu of them never\n", late, irreversible);
	assert_true(irreversible > 0 && late > irreversible);
}

static void step(struct rng *rng, struct scene *sc)
{
	chance_step(rng, sc, CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE | CHANCE_RESERVED, 2);
	scene_pass(sc);
}

static void a_copy_continues_as_the_original(void **state)
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
		cmocka_unit_test(the_state_equals_the_effect_of_the_live_entries),
		cmocka_unit_test(undoing_everything_restores_the_first_state),
		cmocka_unit_test(an_undone_undo_restores_the_change),
		cmocka_unit_test(undoing_to_a_point_equals_a_twin_without_later_changes),
		cmocka_unit_test(entries_that_can_no_longer_be_undone_are_listed),
		cmocka_unit_test(a_copy_continues_as_the_original),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
