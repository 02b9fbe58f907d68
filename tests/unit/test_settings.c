/* SPDX-License-Identifier: MIT */
/* test_settings.c - origins of options
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/scene.h"
#include "tui/report/settings.h"

static void check_origin(const struct scene *sc, const char *option, const char *place)
{
	struct str out = {0};
	uint64_t entry;

	assert_true(origin_find(scene_view(sc), option, &out, &entry) == (strcmp(place, "default") != 0));
	assert_string_equal(str_text(&out), place);
	str_free(&out);
}

static struct scene *configured(const char *text)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_CONFIG, .who = "ops", .config = {.file = "kahu.conf", .text = text}};

	scene_apply(sc, &ev);
	return sc;
}

static void an_unset_option_has_its_default(void **state)
{
	struct scene *sc = configured("queuetimeweight = 2\n");

	(void)state;
	check_origin(sc, "xfactorweight", "default");
	check_origin(sc, "user[john].fstarget", "default");
	scene_free(sc);
}

static void the_line_that_sets_an_option_is_named(void **state)
{
	struct scene *sc = configured("# xfactorweight = 1\n\n\nqueuetimeweight = 2\nXFACTORWEIGHT = 3\n");

	(void)state;
	check_origin(sc, "xfactorweight", "kahu.conf:5");
	check_origin(sc, "QueueTimeWeight", "kahu.conf:4");
	scene_free(sc);
}

static void an_option_of_a_credential_is_found_in_its_section(void **state)
{
	struct scene *sc = configured("user john { fstarget = \"25\" }\n"
				      "user eva {\n\tpriority = 7\n\tfstarget = \"10+\"\n}\n"
				      "group john { priority = 9 }\n"
				      "user DEFAULT { maxjob = {\"4\"} }\n");

	(void)state;
	check_origin(sc, "user[john].fstarget", "kahu.conf:1");
	check_origin(sc, "user[eva].fstarget", "kahu.conf:4");
	check_origin(sc, "user[eva].priority", "kahu.conf:3");
	check_origin(sc, "user[john].priority", "default");
	check_origin(sc, "group[john].priority", "kahu.conf:6");
	check_origin(sc, "user[DEFAULT].maxjob", "kahu.conf:7");
	check_origin(sc, "priority", "default");
	scene_free(sc);
}

static void a_limit_with_a_second_credential_has_the_line_of_its_list(void **state)
{
	struct scene *sc = configured("class fast {\n\tmaxproc = {\"USER=2\",\n\t\t\"USER:bob=4\"}\n"
				      "\tmaxjob = {\"8\"}\n}\n");

	(void)state;
	check_origin(sc, "class[fast].maxproc[user:bob]", "kahu.conf:2");
	check_origin(sc, "class[fast].maxjob", "kahu.conf:4");
	scene_free(sc);
}

static void limits_of_the_system_have_a_section_without_a_name(void **state)
{
	struct scene *sc = configured("systemmaxprocperjob = 64\nsystem {\n\tmaxjob = {\"100\"}\n}\n");

	(void)state;
	check_origin(sc, "system.maxjob", "kahu.conf:3");
	check_origin(sc, "systemmaxprocperjob", "kahu.conf:1");
	check_origin(sc, "maxjob", "default");
	scene_free(sc);
}

static void comments_and_quoted_characters_are_not_options(void **state)
{
	struct scene *sc = configured("/* xfactorweight = 1\n   and more */\n"
				      "// xfactorweight = 2\n"
				      "user \"a } b\" { priority = 3 }\n"
				      "queuetimeweight = 4 # xfactorweight = 5\n"
				      "xfactorweight = 6\n");

	(void)state;
	check_origin(sc, "xfactorweight", "kahu.conf:6");
	check_origin(sc, "user[a } b].priority", "kahu.conf:4");
	scene_free(sc);
}

static void a_live_change_overrides_the_file_until_undone(void **state)
{
	struct scene *sc = configured("xfactorweight = 1\n");
	uint64_t first = scene_set(sc, "xfactorweight", "7"), second;
	char place[48];

	(void)state;
	snprintf(place, sizeof place, "set by entry %llu", (unsigned long long)first);
	check_origin(sc, "xfactorweight", place);
	second = scene_set(sc, "XFactorWeight", "8");
	snprintf(place, sizeof place, "set by entry %llu", (unsigned long long)second);
	check_origin(sc, "xfactorweight", place);
	scene_undo(sc, second);
	scene_undo(sc, first);
	check_origin(sc, "xfactorweight", "kahu.conf:1");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unset_option_has_its_default),
		cmocka_unit_test(the_line_that_sets_an_option_is_named),
		cmocka_unit_test(an_option_of_a_credential_is_found_in_its_section),
		cmocka_unit_test(a_limit_with_a_second_credential_has_the_line_of_its_list),
		cmocka_unit_test(limits_of_the_system_have_a_section_without_a_name),
		cmocka_unit_test(comments_and_quoted_characters_are_not_options),
		cmocka_unit_test(a_live_change_overrides_the_file_until_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
