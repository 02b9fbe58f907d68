/* SPDX-License-Identifier: MIT */
/*
 * test_distinct.c - removal of duplicates from the lists of a request
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "tests/seed.h"
#include "tui/serve/distinct.h"

static void a_list_without_duplicates_is_returned_as_it_came(void **state)
{
	static const char *const lists[] = {"", "  ", "n1", "n1, n2 n3", "n1  n10"};
	struct arena arena = {0};

	(void)state;
	assert_null(distinct_words(NULL, false, &arena));
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		assert_ptr_equal(distinct_words(lists[i], false, &arena), lists[i]);
	arena_free(&arena);
}

static void of_words_that_are_the_same_the_last_stays(void **state)
{
	struct arena arena = {0};

	(void)state;
	assert_string_equal(distinct_words("n1 n2,n1", false, &arena), "n2 n1");
	assert_string_equal(distinct_words("a A a", false, &arena), "a");
	assert_string_equal(distinct_words("gpu:1 tape GPU:2", true, &arena), "tape GPU:2");
	assert_string_equal(distinct_words("gpu:1 gpu:2", false, &arena), "gpu:1 gpu:2");
	arena_free(&arena);
}

static void the_same_dependency_stays_once(void **state)
{
	static const struct depend list[] = {{.on = 7, .type = DEPEND_OK},
					     {.on = 7, .type = DEPEND_COMPLETE},
					     {.on = 7, .type = DEPEND_OK},
					     {.on = 7, .of = DEPEND_ON_TASK, .number = 3},
					     {.on = 7, .of = DEPEND_ON_TASK, .number = 4},
					     {.on = 7, .type = DEPEND_COMPLETE}};
	struct arena arena = {0};
	uint32_t count = 6;
	const struct depend *kept = distinct_depends(list, &count, &arena);

	(void)state;
	assert_int_equal(count, 4);
	assert_int_equal(kept[0].type, DEPEND_OK);
	assert_int_equal(kept[1].type, DEPEND_COMPLETE);
	assert_int_equal(kept[2].number, 3);
	assert_int_equal(kept[3].number, 4);
	count = 2;
	assert_ptr_equal(distinct_depends(list, &count, &arena), list);
	assert_int_equal(count, 2);
	arena_free(&arena);
}

static void the_lists_of_submissions_and_modifications_are_shortened(void **state)
{
	struct depend twice[2] = {{.on = 5}, {.on = 5}};
	struct event ev = {
		.kind = EVENT_SUBMIT,
		.submit = {.hosts = "n1 n1", .gres = "g:1 g:3", .depend = twice, .depend_count = 2}};
	static const char *const changes[][3] = {
		{"Hosts", "n1 n2 n1", "n2 n1"},
		{"gres", "gpu:1,gpu:2", "gpu:2"},
		{"prefer", "a b a", "b a"},
		{"depend", "afterok:1:1:2,afterok:1", "afterok:1,afterok:2"},
		{"depend", "nonsense:1:1", "nonsense:1:1"},
		{"qos", "hi hi", "hi hi"},
	};
	struct arena arena = {0};

	(void)state;
	distinct_lists(&ev, &arena);
	assert_string_equal(ev.submit.hosts, "n1");
	assert_string_equal(ev.submit.gres, "g:3");
	assert_int_equal(ev.submit.depend_count, 1);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		ev = (struct event){.kind = EVENT_MODIFY,
				    .modify = {.name = changes[i][0], .value = changes[i][1]}};
		distinct_lists(&ev, &arena);
		assert_string_equal(ev.modify.value, changes[i][2]);
	}
	arena_free(&arena);
}

/* As a plain search finds them. */
static bool comes_again(const char *word, size_t len)
{
	const char *at = word + len, *other;
	size_t other_len;

	while ((other = config_word(&at, &other_len)) != NULL)
		if (other_len == len && strncmp(other, word, len) == 0)
			return true;
	return false;
}

static void what_is_left_of_random_lists_is_what_a_plain_search_leaves(void **state)
{
	struct rng rng = seeded("distinct");

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct str list = {0}, wanted = {0};
		struct arena arena = {0};
		uint32_t words = (uint32_t)rng_below(&rng, 60), names = 1 + (uint32_t)rng_below(&rng, 40);
		const char *at, *word;
		size_t len;

		for (uint32_t i = 0; i < words; i++)
			str_addf(&list, "%sn%u", i > 0 ? " " : "", (unsigned)rng_below(&rng, names));
		at = str_text(&list);
		while ((word = config_word(&at, &len)) != NULL)
			if (!comes_again(word, len))
				str_addf(&wanted, "%s%.*s", wanted.len > 0 ? " " : "", (int)len, word);
		assert_string_equal(distinct_words(str_text(&list), false, &arena), str_text(&wanted));
		arena_free(&arena);
		str_free(&list);
		str_free(&wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_without_duplicates_is_returned_as_it_came),
		cmocka_unit_test(of_words_that_are_the_same_the_last_stays),
		cmocka_unit_test(the_same_dependency_stays_once),
		cmocka_unit_test(the_lists_of_submissions_and_modifications_are_shortened),
		cmocka_unit_test(what_is_left_of_random_lists_is_what_a_plain_search_leaves),
	};

	return cmocka_run_group_tests_name("distinct", tests, NULL, NULL);
}
