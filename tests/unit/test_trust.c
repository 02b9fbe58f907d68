/* SPDX-License-Identifier: MIT */
/*
 * test_trust.c - how have the starts that the console foretold come true?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/str.h"
#include "tests/told_store.h"
#include "tui/query/trust.h"

static struct trust *made(struct told_store *ts)
{
	struct trust *h = trust_new(ts->store, scene_view(ts->sc));

	h->work.ops->run(&h->work);
	return h;
}

static void half_and_four_of_five_are_told(void **state)
{
	struct told_store ts;
	struct trust *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = made(&ts);
	assert_true(h->whole);
	assert_int_equal(h->last_start_s, 50 * (TOLD_JOBS - 1));
	assert_int_equal(h->errors.at_once, 1);
	assert_true(trust_print(h, &out));
	/* errors of 50, 100, ... 950 s: the tenth and the sixteenth of nineteen */
	assert_string_equal(str_text(&out),
			    "estimates so far: half within 8m, 4 of 5 within 13m (19 starts)");
	str_free(&out);
	trust_free(h);
	told_store_end(&ts);
}

static void of_few_nothing_is_said(void **state)
{
	struct told_store ts;
	struct trust *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = made(&ts);
	h->errors.known = TRUST_LEAST - 1;
	assert_false(trust_print(h, &out));
	assert_string_equal(str_text(&out), "");
	trust_free(h);
	told_store_end(&ts);
}

static void what_was_broken_off_says_nothing(void **state)
{
	struct told_store ts;
	struct trust *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = trust_new(ts.store, scene_view(ts.sc));
	atomic_store(&h->work.unwanted, true);
	h->work.ops->run(&h->work);
	assert_false(h->whole);
	assert_false(trust_print(h, &out));
	h->work.ops->drop(&h->work);
	told_store_end(&ts);
}

static void without_a_job_that_runs_there_is_no_last_start(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	assert_int_equal(trust_last_start_s(scene_view(sc)), TIME_NONE);
	sc->now_s = 70;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	assert_int_equal(trust_last_start_s(scene_view(sc)), 70);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_and_four_of_five_are_told),
		cmocka_unit_test(of_few_nothing_is_said),
		cmocka_unit_test(what_was_broken_off_says_nothing),
		cmocka_unit_test(without_a_job_that_runs_there_is_no_last_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
