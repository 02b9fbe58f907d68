/* SPDX-License-Identifier: MIT */
/*
 * test_config_name.c - does a name find its option, and a value its name?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/core/config.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static void a_name_is_found_in_any_case_with_its_section(void **state)
{
	static const struct {
		const char *name, *value, *scope, *title, *option;
		double number;
	} row[] = {
		{"XFactorWeight", "1000", "", "", "xfactorweight", 1000},
		{"reservationdepth[0]", "3", "", "", "reservationdepth", 3},
		{"user[john].priority", "-5.5", "user", "john", "priority", -5.5},
		{"USER[default].Priority", "5", "user", "DEFAULT", "priority", 5},
		{"partition[p1].queuetimeweight", "2", "partition", "p1", "queuetimeweight", 2},
		{"qos[hi].qttarget", "4h", "qos", "hi", "qttarget", 14400},
		{"user[a].b].priority", "1", "user", "a].b", "priority", 1},
		{"user[John Smith].priority", "1", "user", "John Smith", "priority", 1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct config_value value;
		struct err err = {""};
		char title[CONFIG_TITLE];

		if (!config_resolve(row[i].name, row[i].value, &value, title, sizeof title, &err))
			fail_msg("%s", err.text);
		assert_string_equal(value.row->scope, row[i].scope);
		assert_string_equal(value.row->name, row[i].option);
		assert_string_equal(value.title, row[i].title);
		assert_true(value.value.number == row[i].number);
		assert_null(value.place.file);
	}
}

static void a_wrong_name_or_value_is_refused_with_what_was_meant(void **state)
{
	static const struct {
		const char *name, *value, *says;
	} row[] = {
		{"xfactorwieght", "1", "there is no option xfactorwieght; did you mean xfactorweight?"},
		{"user[john].priorty", "1", "there is no option user[john].priorty; did you mean priority?"},
		{"usr[john].priority", "1", "there are no sections called usr; did you mean user?"},
		{"cluster[x].priority", "1", "there are no sections called cluster"},
		{"priority", "1",
		 "there is no option priority; it stands in a section, as user[NAME].priority"},
		{"group[g].qtweight", "1",
		 "there is no option group[g].qtweight; it stands in a section, as qos[NAME].qtweight"},
		{"user[a].fsweight", "1",
		 "there is no option user[a].fsweight: fsweight holds for the whole system"},
		{"reservationdepth[8]", "1", "a reservation level is a number from 0 to 7, got 8"},
		{"user[john]", "1", "user[john] is not the name of an option"},
		{"[john].priority", "1", "[john].priority is not the name of an option"},
		{"user[].priority", "1", "a user needs a name"},
		{"partition[all].fsweight", "1", "partition ALL is the whole system"},
		{"user[01234567890].priority", "1", "is longer than 10 bytes"},
		{"fsweight", "much", "fsweight must be a number"},
		{"user[john].xftarget", "1", "xftarget must be a number from 1.001 to 1000000, got \"1\""},
		{"", "", "there is no option"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct config_value value;
		struct err err = {""};
		char title[11];

		assert_false(config_resolve(row[i].name, row[i].value, &value, title, sizeof title, &err));
		assert_false(config_resolve(row[i].name, row[i].value, &value, title, sizeof title, NULL));
		if (!strstr(err.text, row[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_found_in_any_case_with_its_section),
		cmocka_unit_test(a_wrong_name_or_value_is_refused_with_what_was_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
