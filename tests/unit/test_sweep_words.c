/* SPDX-License-Identifier: MIT */
/*
 * test_sweep_words.c - are the values of a sweep read as they are written, and is a good range offered?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"
#include "tui/report/sweep_words.h"

static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, "xfactorweight = 100\nfsweight = -3\nuser eva { maxps = 300 }\n");
	return sc;
}

/* all: the values, blanks between. */
static void expect(const char *words, const char *name, const char *all)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct sweep_words read;
	struct str text = {0};

	assert_true(sweep_words_read(&read, scene_view(sc), words, &arena, NULL));
	assert_string_equal(read.name, name);
	for (size_t i = 0; i < read.values; i++)
		str_addf(&text, "%s%s", i ? " " : "", read.value[i]);
	assert_string_equal(str_text(&text), all);
	str_free(&text);
	arena_free(&arena);
	scene_free(sc);
}

static void ranges_and_lists_are_read(void **state)
{
	(void)state;
	expect("xfactorweight=0..100", "xfactorweight", "0 10 20 30 40 50 60 70 80 90 100");
	expect("xfactorweight=0..100/3", "xfactorweight", "0 50 100");
	expect("user[eva].maxps=300..500/3", "user[eva].maxps", "300 400 500");
	expect("backfillpolicy=firstfit|none", "backfillpolicy", "firstfit none");
	expect("xfactorweight=7", "xfactorweight", "7");
}

static void expect_refusal(const char *words, const char *why)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct sweep_words read;
	struct err err;

	assert_false(sweep_words_read(&read, scene_view(sc), words, &arena, &err));
	if (!strstr(err.text, why))
		fail_msg("%s: %s", words, err.text);
	arena_free(&arena);
	scene_free(sc);
}

static void what_is_no_range_is_refused(void **state)
{
	struct str many = {0};

	(void)state;
	expect_refusal("", "over which values?");
	expect_refusal("xfactorweight", "over which values?");
	expect_refusal("xfactorweight=", "over which values?");
	expect_refusal("nothing=1..2", "there is no option nothing");
	expect_refusal("xfactorweight=3..1", "write the smaller one first");
	expect_refusal("xfactorweight=1..2/1", "from 2 to 100");
	expect_refusal("xfactorweight=1..2/", "from 2 to 100");
	expect_refusal("xfactorweight=1..2/4x", "from 2 to 100");
	expect_refusal("xfactorweight=1..99999999999999999999999999", "");
	expect_refusal("user[eva].maxps=1..unlimited",
		       "unlimited is no end of a range: user[eva].maxps goes to 1000000000000000 at most");
	str_add(&many, "xfactorweight=1");
	for (int i = 0; i < SWEEP_VALUES; i++)
		str_add(&many, "|1");
	expect_refusal(str_text(&many), "more than 100 values");
	str_free(&many);
}

static void expect_offer(const char *name, const char *words)
{
	struct scene *sc = queue();
	struct str text = {0};

	sweep_words_offer(scene_view(sc), name, &text);
	assert_string_equal(str_text(&text), words);
	str_free(&text);
	scene_free(sc);
}

static void what_is_offered_goes_from_nothing_to_twice_as_much(void **state)
{
	(void)state;
	expect_offer("xfactorweight", "xfactorweight=0..200");
	expect_offer("fsweight", "fsweight=-6..0");
	expect_offer("credweight", "credweight=0..2");
	expect_offer("userweight", "userweight=0..10");
	expect_offer("user[eva].maxps", "user[eva].maxps=1..600");
	expect_offer("backfillpolicy", "");
	expect_offer("nothing", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_and_lists_are_read),
		cmocka_unit_test(what_is_no_range_is_refused),
		cmocka_unit_test(what_is_offered_goes_from_nothing_to_twice_as_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
