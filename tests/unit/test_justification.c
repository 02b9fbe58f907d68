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

/* One processor until 100; then 2, who is promised it, 3 and 4 in turn. */
static struct scene *line_of_three(const char *policy)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, policy);
	for (int i = 0; i < 4; i++) {
		scene_submit(sc, 1, 100);
		scene_pass(sc);
	}
	return sc;
}

/* What is asked when a job gets so many points. */
static bool asks(const struct scene *sc, uint64_t job, int64_t points, struct str *words)
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

static void nothing_needs_a_reason_unless_the_site_wants_one(void **state)
{
	struct scene *sc = line_of_three("");
	struct str words = {0};

	(void)state;
	assert_false(asks(sc, 4, 1000, &words));
	str_free(&words);
	scene_free(sc);
}

static void what_delays_more_than_is_allowed_needs_one(void **state)
{
	struct scene *sc = line_of_three("guarddelayed = 1\nreservationpolicy = never\n");
	struct str words = {0};

	(void)state;
	assert_true(asks(sc, 4, 1000, &words));
	assert_non_null(strstr(str_text(&words), "it delays 2 jobs"));
	assert_false(asks(sc, 2, 1000, &words));
	str_free(&words);
	scene_free(sc);
}

static void a_promise_that_is_put_off_needs_one_however_few_are_delayed(void **state)
{
	struct scene *sc = line_of_three("guarddelayed = 1000\n");
	struct str words = {0};

	(void)state;
	assert_true(asks(sc, 4, 1000, &words));
	assert_non_null(strstr(str_text(&words), "it puts off the start of 2, promised for"));
	assert_null(strstr(str_text(&words), "it delays"));
	str_free(&words);
	scene_free(sc);
}

static void words_stand_behind_what_was_said_before(void **state)
{
	struct scene *sc = line_of_three("guarddelayed = 1\n");
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
		cmocka_unit_test(nothing_needs_a_reason_unless_the_site_wants_one),
		cmocka_unit_test(what_delays_more_than_is_allowed_needs_one),
		cmocka_unit_test(a_promise_that_is_put_off_needs_one_however_few_are_delayed),
		cmocka_unit_test(words_stand_behind_what_was_said_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
