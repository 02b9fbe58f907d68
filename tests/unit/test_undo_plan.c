/* SPDX-License-Identifier: MIT */
/*
 * test_undo_plan.c - preview of undoing journal entries
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/state/undo_plan.h"
#include "tests/scene.h"

static void undoing_two_changes_shows_the_combined_effect(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t seq[2];

	(void)state;
	scene_config(sc, "xfactorweight = 1000\n");
	seq[0] = scene_set(sc, "xfactorweight", "600");
	seq[1] = scene_set(sc, "xfactorweight", "700");
	undo_plan_add(&t, seq, 2);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.cannot, 0);
	assert_true(t.item[0].seq == seq[1] && t.item[1].seq == seq[0]);
	assert_int_equal(t.item[0].end, UNDO_PLAN_DONE);
	assert_non_null(strstr(t.item[1].text, "xfactorweight: 600 -> 1000"));
	undo_plan_clear(&t);
	scene_free(sc);
}

static void overridden_change_has_no_effect_now(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t lower;

	(void)state;
	lower = scene_set(sc, "xfactorweight", "600");
	scene_set(sc, "xfactorweight", "700");
	undo_plan_add(&t, &lower, 1);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 1);
	assert_int_equal(t.item[0].end, UNDO_PLAN_NOTHING);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void entries_that_cannot_be_undone_come_first_with_reasons(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t job = scene_submit(sc, 1, 100), seq[2];

	(void)state;
	seq[0] = scene_priority(sc, job, JOB_ADJUST_RELATIVE, 10);
	scene_pass(sc);
	seq[1] = scene_set(sc, "procweight", "5");
	undo_plan_add(&t, seq, 2);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.cannot, 1);
	assert_true(t.item[0].seq == seq[0]);
	assert_int_equal(t.item[0].end, UNDO_PLAN_CANNOT);
	assert_true(strlen(t.item[0].text) > 0);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void plan_does_not_change_the_state(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t hash;

	(void)state;
	scene_hold(sc, scene_submit(sc, 1, 100), JOB_HOLD_USER);
	scene_set(sc, "procweight", "5");
	hash = state_hash(scene_view(sc));
	undo_plan_add_after(&t, 0);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 2);
	assert_true(state_hash(scene_view(sc)) == hash);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void the_entry_at_the_point_itself_is_not_undone(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t at, later;

	(void)state;
	scene_set(sc, "procweight", "5");
	at = scene_set(sc, "procweight", "6");
	later = scene_set(sc, "procweight", "7");
	undo_plan_add_after(&t, at);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 1);
	assert_int_equal(t.item[0].seq, later);
	assert_non_null(strstr(t.item[0].text, "procweight: 7 -> 6"));
	undo_plan_clear(&t);
	scene_free(sc);
}

static uint64_t halt(struct scene *sc, bool on, uint32_t after)
{
	struct event ev = {.kind = EVENT_HALT, .who = "ops", .halt = {.on = on, .after = after}};

	scene_apply(sc, &ev);
	return ev.seq;
}

static void pause_shows_its_effect(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t seq[3] = {halt(sc, true, 0), halt(sc, false, 0), halt(sc, true, 2)};

	(void)state;
	undo_plan_add(&t, seq, 3);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 3);
	assert_non_null(strstr(t.item[0].text, "pauses after 2 -> starts jobs"));
	assert_non_null(strstr(t.item[1].text, "starts jobs -> paused"));
	assert_non_null(strstr(t.item[2].text, "paused -> starts jobs"));
	undo_plan_clear(&t);
	scene_free(sc);
}

/* Irreversible events of people are listed; events of the scheduler are not. */
static void final_events_are_listed(void **state)
{
	static const enum event_kind final[] = {EVENT_CANCEL, EVENT_REQUEUE, EVENT_SIGNAL, EVENT_START,
						EVENT_CONFIG};
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_submit(sc, 1, 100);
	for (size_t i = 0; i < 2 * sizeof final / sizeof final[0]; i++) {
		struct event ev = {.kind = final[i / 2], .seq = scene_view(sc)->seq, .who = "ann", .job = 1};
		struct undo_plan t = {0};

		if (ev.kind == EVENT_CONFIG)
			ev.config.file = ev.config.text = "";
		ev.who = i % 2 == 0 ? "ann" : "sched";
		undo_plan_add_after(&t, 0);
		undo_plan_note_event(&t, &ev);
		undo_plan_build(&t, scene_view(sc));
		assert_int_equal(t.count, i % 2 == 0);
		undo_plan_clear(&t);
	}
	scene_free(sc);
}

static uint64_t reserve(struct scene *sc, enum event_kind kind, const char *text)
{
	struct event ev = {.kind = kind, .who = "ops", .reserve = {.name = "maint", .text = text}};

	scene_apply(sc, &ev);
	return ev.seq;
}

static void assert_items(const struct undo_plan *t, const char *const *text, size_t count)
{
	for (size_t i = 0; i < count && i < t->count; i++)
		assert_string_equal(t->item[i].text, text[i]);
	assert_int_equal(t->count, count);
}

static void each_kind_of_change_shows_its_effect(void **state)
{
	static const char *const wanted[] = {
		"reservation maint: none -> in force",
		"reservation maint: in force -> none",
		"state of run.1: suspended -> runs",
		"mem of fit: 4096 -> 0",
		"starttime of fit: 1970-01-01T01:00:00 -> none",
		"priority of 3: +5 -> = 7",
		"priority of 3: = 7 -> computed",
		"hold of fit: user+system -> user",
		"hold of fit: user -> none",
		"user[eva].priority: 9 -> 0",
		"xfactorweight: 600 -> 1000",
	};
	struct scene *sc = scene_new(1, 2);
	struct event suspend = {.kind = EVENT_SUSPEND, .who = "ops", .job = 1, .suspend = {.on = true}};
	struct undo_plan t = {0};

	(void)state;
	scene_config(sc, "xfactorweight = 1000\n");
	scene_add(sc, (struct scene_job){.label = "run.1", .user = "eva"});
	scene_start(sc, 1, 0, 1, 1);
	scene_add(sc, (struct scene_job){.label = "fit"});
	scene_submit(sc, 1, 100);
	undo_plan_add_after(&t, scene_view(sc)->seq);
	scene_set(sc, "xfactorweight", "600");
	scene_set(sc, "user[eva].priority", "9");
	scene_hold(sc, 2, JOB_HOLD_USER);
	scene_hold(sc, 2, JOB_HOLD_SYSTEM);
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 7);
	scene_priority(sc, 3, JOB_ADJUST_RELATIVE, 5);
	scene_modify(sc, 2, "starttime", "+1:00:00");
	scene_modify(sc, 2, "mem", "4gb");
	scene_apply(sc, &suspend);
	reserve(sc, EVENT_RESERVE, "start=60 end=120 nodes=ALL");
	reserve(sc, EVENT_UNRESERVE, NULL);
	undo_plan_build(&t, scene_view(sc));
	assert_items(&t, wanted, sizeof wanted / sizeof wanted[0]);
	assert_int_equal(t.cannot, 0);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void newest_entry_determines_the_value(void **state)
{
	static const char *const wanted[] = {"procweight: stays 7 because of entry 5", "memweight: stays 0"};
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t seq[3];

	(void)state;
	seq[0] = scene_set(sc, "memweight", "0");
	seq[1] = scene_set(sc, "procweight", "5");
	scene_set(sc, "swapweight", "5");
	seq[2] = scene_set(sc, "ProcWeight", "7");
	assert_int_equal(seq[2], 5);
	undo_plan_add(&t, seq, 2);
	undo_plan_add(&t, seq, 2); /* duplicates count once */
	assert_int_equal(undo_plan_first_seq(&t), seq[0]);
	undo_plan_build(&t, scene_view(sc));
	assert_items(&t, wanted, 2);
	assert_true(t.item[0].end == UNDO_PLAN_NOTHING && t.item[1].end == UNDO_PLAN_NOTHING);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void see(struct undo_plan *t, enum event_kind kind, uint64_t seq, const char *who)
{
	struct event ev = {.kind = kind, .seq = seq, .who = who, .job = 3};

	if (kind == EVENT_SETTING || kind == EVENT_MODIFY)
		ev.setting.name = ev.setting.value = "a";
	if (kind == EVENT_RESERVE || kind == EVENT_UNRESERVE)
		ev.reserve.name = ev.reserve.text = "a";
	undo_plan_note_event(t, &ev);
}

static void entry_without_a_change_shows_the_reason(void **state)
{
	static const char *const wanted[] = {
		("entry 25 (keep 0) cannot be undone: a change cannot be made temporary again; undo the "
		 "entry of the change itself"),
		("entry 24 (release reservation a) cannot be undone: the reservation is over, or was "
		 "released "
		 "long ago"),
		"entry 23 (reserve a) cannot be undone: the reservation is over, or was released long ago",
		"entry 22 (undo 0) cannot be undone: what it undid no longer exists",
		"entry 21 (release none 3) cannot be undone: its job has ended",
		"entry 20 (start 3) cannot be undone: it left no change that could be undone",
	};
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};

	(void)state;
	undo_plan_add_after(&t, 19);
	see(&t, EVENT_START, 19, "ann");
	see(&t, EVENT_START, 20, "ann");
	see(&t, EVENT_HOLD, 21, "ann");
	see(&t, EVENT_UNDO, 22, "ann");
	see(&t, EVENT_RESERVE, 23, "ann");
	see(&t, EVENT_UNRESERVE, 24, "ann");
	see(&t, EVENT_KEEP, 25, "ann");
	see(&t, EVENT_PRIORITY, 26, "sched");
	see(&t, EVENT_PRIORITY, 27, NULL);
	see(&t, EVENT_END, 28, "ann");
	see(&t, EVENT_ACCRUAL, 29, "sched");
	undo_plan_build(&t, scene_view(sc));
	assert_items(&t, wanted, sizeof wanted / sizeof wanted[0]);
	assert_int_equal(t.cannot, 6);
	assert_true(t.started == 1 && t.ended == 1 && t.stopped == 1);
	undo_plan_clear(&t);
	scene_free(sc);
}

static void change_made_permanent_after_the_point(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event keep = {.kind = EVENT_KEEP, .seq = 30, .who = "ann", .keep = {29}};
	struct event counts = {.kind = EVENT_ACCRUAL, .seq = 31, .who = "sched", .accrual.on = true};
	struct undo_plan t = {0};

	(void)state;
	undo_plan_add_after(&t, 28);
	undo_plan_note_event(&t, &keep);
	undo_plan_note_event(&t, &counts);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 0);
	assert_int_equal(t.stopped, 0);
	keep.keep.seq = 28;
	undo_plan_note_event(&t, &keep);
	undo_plan_build(&t, scene_view(sc));
	assert_int_equal(t.count, 1);
	undo_plan_clear(&t);
	scene_free(sc);
}

/* Entries 40 to 43 have no change any more: 42 is the undo of 41. */
static void changes_undone_after_the_point_are_omitted(void **state)
{
	static const char *const both[] = {"entry 43 (hold user 3) cannot be undone: its job has ended",
					   "entry 40 (hold user 3) cannot be undone: its job has ended"};
	static const char *const all[] = {
		"entry 43 (hold user 3) cannot be undone: its job has ended",
		"entry 42 (undo 41) cannot be undone: what it undid no longer exists",
		"entry 41 (hold user 3) cannot be undone: its job has ended",
		"entry 40 (hold user 3) cannot be undone: its job has ended"};
	struct scene *sc = scene_new(1, 1);

	(void)state;
	for (uint64_t named = 40; named <= 43; named++) {
		struct undo_plan t = {0};

		if (named % 2 == 0)
			undo_plan_add(&t, &named, 1);
		undo_plan_add_after(&t, 39);
		if (named % 2 != 0)
			undo_plan_add(&t, &named, 1);
		for (uint64_t seq = 43; seq >= 40; seq--) {
			struct event ev = {.kind = EVENT_HOLD,
					   .seq = seq,
					   .who = "ann",
					   .job = 3,
					   .hold = {.bits = JOB_HOLD_USER, .on = true}};

			if (seq == 42)
				ev = (struct event){
					.kind = EVENT_UNDO, .seq = seq, .who = "ann", .undo = {41}};
			undo_plan_note_event(&t, &ev);
		}
		undo_plan_build(&t, scene_view(sc));
		if (named == 41 || named == 42)
			assert_items(&t, all, 4);
		else
			assert_items(&t, both, 2);
		undo_plan_clear(&t);
	}
	scene_free(sc);
}

/* The undo of an entry before the point is undone; the undo of a later entry is ignored. */
static void undo_after_the_point_of_an_earlier_change_is_undone(void **state)
{
	static const char *const wanted[] = {"hold of 1: none -> user", "procweight: 5 -> 0"};
	struct scene *sc = scene_new(1, 1);
	struct undo_plan t = {0};
	uint64_t before;

	(void)state;
	scene_submit(sc, 1, 100);
	before = scene_hold(sc, 1, JOB_HOLD_USER);
	undo_plan_add_after(&t, before);
	scene_set(sc, "procweight", "5");
	scene_undo(sc, scene_set(sc, "xfactorweight", "5"));
	scene_undo(sc, before);
	undo_plan_build(&t, scene_view(sc));
	assert_items(&t, wanted, 2);
	undo_plan_clear(&t);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undoing_two_changes_shows_the_combined_effect),
		cmocka_unit_test(overridden_change_has_no_effect_now),
		cmocka_unit_test(entries_that_cannot_be_undone_come_first_with_reasons),
		cmocka_unit_test(the_entry_at_the_point_itself_is_not_undone),
		cmocka_unit_test(plan_does_not_change_the_state),
		cmocka_unit_test(pause_shows_its_effect),
		cmocka_unit_test(final_events_are_listed),
		cmocka_unit_test(each_kind_of_change_shows_its_effect),
		cmocka_unit_test(newest_entry_determines_the_value),
		cmocka_unit_test(entry_without_a_change_shows_the_reason),
		cmocka_unit_test(change_made_permanent_after_the_point),
		cmocka_unit_test(changes_undone_after_the_point_are_omitted),
		cmocka_unit_test(undo_after_the_point_of_an_earlier_change_is_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
