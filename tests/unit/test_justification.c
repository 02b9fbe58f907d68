/* SPDX-License-Identifier: MIT */
/*
 * test_justification.c - changes that require a reason
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/forecast/justification.h"
#include "tests/scene.h"

/* One processor. Job 1 runs until 100, job 2 has a reservation, jobs 3 and 4 follow. */
static struct scene *scene_with_three_idle(const char *policy)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, policy);
	for (int i = 0; i < 4; i++) {
		scene_submit(sc, 1, 100);
		scene_pass(sc);
	}
	return sc;
}

/* Does a change of the job's priority need a reason? `words`: the reasons to ask for. */
static bool needs_reason(const struct scene *sc, uint64_t job, int64_t points, struct str *words)
{
	struct scene *copy = scene_copy(sc);
	struct future_pair pair = {.tier = FUTURE_INSTANT};
	struct future_setup setup = {.now_s = sc->now_s, .full = true};
	bool asked;

	scene_priority(copy, job, JOB_ADJUST_RELATIVE, points);
	assert_true(future_compare(&pair, scene_view(sc), scene_view(copy), &setup));
	str_clear(words);
	asked = justification_required(&pair, NULL, words);
	assert_true(asked == (words->len > 0));
	future_pair_clear(&pair);
	scene_free(copy);
	return asked;
}

static void no_change_needs_a_reason_by_default(void **state)
{
	struct scene *sc = scene_with_three_idle("");
	struct str words = {0};

	(void)state;
	assert_false(needs_reason(sc, 4, 1000, &words));
	str_free(&words);
	scene_free(sc);
}

static void a_change_with_too_many_delays_needs_a_reason(void **state)
{
	struct scene *sc = scene_with_three_idle("guarddelayed = 1\nreservationpolicy = never\n");
	struct str words = {0};

	(void)state;
	assert_true(needs_reason(sc, 4, 1000, &words));
	assert_non_null(strstr(str_text(&words), "it delays 2 jobs"));
	assert_false(needs_reason(sc, 2, 1000, &words));
	str_free(&words);
	scene_free(sc);
}

static void a_delayed_reservation_needs_a_reason(void **state)
{
	struct scene *sc = scene_with_three_idle("guarddelayed = 1000\n");
	struct str words = {0};

	(void)state;
	assert_true(needs_reason(sc, 4, 1000, &words));
	assert_non_null(strstr(str_text(&words), "it postpones the reserved start of 2, which was"));
	assert_null(strstr(str_text(&words), "it delays"));
	str_free(&words);
	scene_free(sc);
}

static void reasons_are_appended_to_the_text(void **state)
{
	struct scene *sc = scene_with_three_idle("guarddelayed = 1\n");
	struct future_pair pair = {.tier = FUTURE_INSTANT};
	struct future_setup setup = {.now_s = sc->now_s, .full = true};
	struct str words = {0};

	(void)state;
	str_add(&words, "refused: ");
	assert_true(future_compare(&pair, scene_view(sc), scene_view(sc), &setup));
	assert_false(justification_required(&pair, NULL, &words));
	assert_string_equal(str_text(&words), "refused: ");
	future_pair_clear(&pair);
	str_free(&words);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_change_needs_a_reason_by_default),
		cmocka_unit_test(a_change_with_too_many_delays_needs_a_reason),
		cmocka_unit_test(a_delayed_reservation_needs_a_reason),
		cmocka_unit_test(reasons_are_appended_to_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
