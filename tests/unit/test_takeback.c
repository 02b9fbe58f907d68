/* SPDX-License-Identifier: MIT */
/*
 * test_takeback.c - what is said of entries that are to be undone?
 *
 * (That all are listed and the state is as the list says: tests/property/undo.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/core/takeback.h"
#include "tests/scene.h"

static const struct takeback_item *item_of(const struct takeback *t, uint64_t seq)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->item[i].seq == seq)
			return &t->item[i];
	return NULL;
}

static void must_say(const struct takeback *t, uint64_t seq, enum takeback_end end, const char *text)
{
	const struct takeback_item *item = item_of(t, seq);

	assert_non_null(item);
	assert_int_equal(item->end, end);
	assert_string_equal(item->text, text);
}

static void what_becomes_of_a_setting_is_said(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {.count = 0};
	uint64_t seq[3];

	(void)state;
	scene_config(sc, "xfactorweight = 5\n");
	seq[0] = scene_set(sc, "xfactorweight", "7");
	seq[1] = scene_set(sc, "xfactorweight", "9");
	seq[2] = scene_set(sc, "queuetimeweight", "2");
	takeback_want(&t, seq, 1);
	takeback_make(&t, scene_view(sc));
	must_say(&t, seq[0], TAKEBACK_NOTHING, "xfactorweight: stays 9, entry 4 has the last word");
	takeback_clear(&t);
	takeback_want(&t, seq, 3);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 3);
	assert_int_equal(t.item[0].seq, seq[2]); /* the newest first */
	must_say(&t, seq[1], TAKEBACK_DONE, "xfactorweight: 9 -> 7");
	must_say(&t, seq[0], TAKEBACK_DONE, "xfactorweight: 7 -> 5");
	takeback_clear(&t);
	scene_free(sc);
}

static void what_is_over_stands_first(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {.count = 0};
	uint64_t point, set;
	struct event reserve = {.kind = EVENT_RESERVE,
				.who = "eva",
				.reserve = {.name = "a", .text = "start=1 end=5 nodes=ALL"}};
	struct event again = {
		.kind = EVENT_RESERVE, .who = "eva", .reserve = {.name = "b", .text = "start=1 nodes=ALL"}};

	(void)state;
	point = scene_view(sc)->seq;
	scene_apply(sc, &reserve);
	sc->now_s = 5;
	scene_apply(sc, &again);
	set = scene_set(sc, "xfactorweight", "7");
	takeback_want_after(&t, point);
	takeback_see(&t, &reserve);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.count, 3);
	assert_int_equal(t.cannot, 1);
	assert_int_equal(t.item[0].seq, reserve.seq);
	assert_non_null(strstr(t.item[0].text, "cannot be undone: the reservation is over"));
	must_say(&t, set, TAKEBACK_DONE, "xfactorweight: 7 -> 0");
	must_say(&t, again.seq, TAKEBACK_DONE, "reservation b: stands -> none");
	takeback_clear(&t);
	scene_free(sc);
}

/* That it was to be for a while alone is lost by keeping it. */
static void what_was_kept_of_before_is_listed(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct takeback t = {.count = 0};
	struct event set = {.kind = EVENT_SETTING,
			    .who = "eva",
			    .until_s = 50,
			    .setting = {.name = "xfactorweight", .value = "7"}};
	struct event keep = {.kind = EVENT_KEEP, .who = "eva"};

	(void)state;
	scene_apply(sc, &set);
	keep.keep.seq = set.seq;
	scene_apply(sc, &keep);
	takeback_want_after(&t, set.seq);
	takeback_see(&t, &keep);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.cannot, 1);
	assert_non_null(strstr(t.item[0].text, "what was kept stays; undo the entry that made it"));
	takeback_clear(&t);
	takeback_want_after(&t, set.seq - 1); /* with what was kept itself there is nothing left to say */
	takeback_see(&t, &set);
	takeback_see(&t, &keep);
	takeback_make(&t, scene_view(sc));
	assert_int_equal(t.cannot, 0);
	assert_int_equal(t.count, 1);
	takeback_clear(&t);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_becomes_of_a_setting_is_said),
		cmocka_unit_test(what_is_over_stands_first),
		cmocka_unit_test(what_was_kept_of_before_is_listed),
	};

	return cmocka_run_group_tests_name("takeback", tests, NULL, NULL);
}
