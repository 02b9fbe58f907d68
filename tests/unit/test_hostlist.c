/* SPDX-License-Identifier: MIT */
/*
 * test_hostlist.c - does a word name the nodes that it should, and no others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/scene.h"
#include "tui/command/hostlist.h"

static void check(const char *pattern, const char *name, bool is)
{
	if (hostlist_match(pattern, name) != is)
		fail_msg("%s %s %s", pattern, is ? "does not name" : "names", name);
}

static void ranges_count_and_zeros_matter(void **state)
{
	(void)state;
	check("n[01-04]", "n03", true);
	check("n[01-04]", "n3", false);
	check("n[01-04]", "n05", false);
	check("n[1-12]", "n12", true);
	check("n[1-12]", "n03", false);
	check("n[1-12]", "n0", false);
	check("n[0-2]", "n0", true);
	check("n[01-04,07]", "n07", true);
	check("n[01-04,07]", "n06", false);
	check("rack[1-2]-n[08-11]x", "rack2-n10x", true);
	check("rack[1-2]-n[08-11]x", "rack2-n12x", false);
	check("n[98-102]", "n100", true);
}

static void stars_and_marks_stand_for_characters(void **state)
{
	(void)state;
	check("*", "n1", true);
	check("n*", "N12", true);
	check("*[1-3]", "node12", true); /* as of a shell */
	check("*[1-3]", "node2", true);
	check("a*b*c", "aXbbYc", true);
	check("a*b*c", "aXc", false);
	check("n?", "n1", true);
	check("n?", "n12", false);
	check("n1", "n12", false);
	check("", "n1", false);
}

static void what_is_no_pattern_names_nothing(void **state)
{
	static const char *const words[] = {"n[", "n[]", "n[a-b]",          "n[1-", "n[-]", "n[1-2",
					    "[",  "]",   "n[99999999999-1]"};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		check(words[i], "n3", false);
		check(words[i], "", false);
	}
}

static void words_have_several_parted_by_commas(void **state)
{
	struct scene *sc = scene_new(9, 1);
	bool marked[9] = {false};
	struct err err;

	(void)state;
	assert_true(hostlist_mark(scene_view(sc), "n001,n[003-004,009],n00?", marked, &err));
	for (int i = 0; i < 9; i++)
		assert_true(marked[i]);
	memset(marked, 0, sizeof marked);
	assert_true(hostlist_mark(scene_view(sc), "n[002-003]", marked, &err));
	assert_true(!marked[0] && marked[1] && marked[2] && !marked[3]);
	assert_false(hostlist_mark(scene_view(sc), "n001,x9", marked, &err));
	assert_string_equal(err.text, "there is no node 'x9'; 'kahu node' lists them");
	assert_false(hostlist_mark(scene_view(sc), "n001,", marked, &err));
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_count_and_zeros_matter),
		cmocka_unit_test(stars_and_marks_stand_for_characters),
		cmocka_unit_test(what_is_no_pattern_names_nothing),
		cmocka_unit_test(words_have_several_parted_by_commas),
	};

	return cmocka_run_group_tests_name("hostlist", tests, NULL, NULL);
}
