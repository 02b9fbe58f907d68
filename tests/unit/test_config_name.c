/* SPDX-License-Identifier: MIT */
/*
 * test_config_name.c - names of configuration values
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/config/config.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static void names_are_case_insensitive(void **state)
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

static void invalid_name_or_value_is_rejected_with_a_suggestion(void **state)
{
	static const struct {
		const char *name, *value, *error;
	} row[] = {
		{"xfactorwieght", "1", "there is no option xfactorwieght; did you mean xfactorweight?"},
		{"user[john].priorty", "1", "there is no option user[john].priorty; did you mean priority?"},
		{"usr[john].priority", "1", "there are no sections called usr; did you mean user?"},
		{"cluster[x].priority", "1", "there are no sections called cluster"},
		{"priority", "1", "there is no option priority outside sections; use user[NAME].priority"},
		{"group[g].qtweight", "1",
		 "there is no option group[g].qtweight outside sections; use qos[NAME].qtweight"},
		{"user[a].fsweight", "1",
		 "there is no option user[a].fsweight: fsweight applies to the whole system"},
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
		if (!strstr(err.text, row[i].error))
			fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].error);
	}
}

/* --- second credentials, untitled sections and levels --------------------------------------------- */

static void names_of_one_value_resolve_to_the_same(void **state)
{
	static const struct {
		const char *name, *value, *scope, *title, *printed, *text;
	} row[] = {
		{"XFactorWeight", "1", "", "", "xfactorweight", "1"},
		{"User[john].MaxPS", "2,8", "user", "john", "user[john].maxps", "2,8"},
		{"class[fast].maxjob[GROUP]", "12", "class", "fast", "class[fast].maxjob[group]", "12"},
		{"class[fast].maxjob", "Group=12", "class", "fast", "class[fast].maxjob[group]", "12"},
		{"class[fast].maxproc[user:Steve]", "50", "class", "fast", "class[fast].maxproc[user:Steve]",
		 "50"},
		{"class[fast].maxproc", "USER:steve=25,50", "class", "fast",
		 "class[fast].maxproc[user:steve]", "25,50"},
		{"class[fast].default.wclimit", "2h", "class", "fast", "class[fast].default.wclimit", "2h"},
		{"class[fast].Max.Proc", "4", "class", "fast", "class[fast].max.proc", "4"},
		{"system.maxjob", "9", "!system", "", "system.maxjob", "9"},
		{"System.maxjob[user]", "9", "!system", "", "system.maxjob[user]", "9"},
		{"system.qdef", "hi", "!system", "", "system.qdef", "hi"},
		{"reservationdepth", "2", "", "", "reservationdepth", "2"},
		{"reservationdepth[0]", "2", "", "", "reservationdepth", "2"},
		{"reservationlevel[0].reservationdepth", "2", "", "", "reservationdepth", "2"},
		{"reservationdepth[3]", "2", "reservationlevel", "3", "reservationdepth[3]", "2"},
		{"reservationlevel[3].reservationdepth", "2", "reservationlevel", "3", "reservationdepth[3]",
		 "2"},
		{"reservationqoslist[0]", "hi lo", "reservationlevel", "0", "reservationqoslist[0]", "hi lo"},
		{"node[default].priorityf", "SPEED", "node", "DEFAULT", "node[DEFAULT].priorityf", "SPEED"},
		{"user[a[b].maxjob[group:x]", "1", "user", "a[b", "user[a[b].maxjob[group:x]", "1"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct config_value value;
		struct err err = {""};
		char title[CONFIG_TITLE];
		struct str name = {0};

		if (!config_resolve(row[i].name, row[i].value, &value, title, sizeof title, &err))
			fail_msg("%s", err.text);
		assert_string_equal(value.row->scope, row[i].scope);
		assert_string_equal(value.title, row[i].title);
		config_print_name(&value, &name);
		assert_string_equal(str_text(&name), row[i].printed);
		assert_string_equal(config_value_text(&value), row[i].text);
		str_free(&name);
	}
}

static void misplaced_brackets_are_rejected(void **state)
{
	static const struct {
		const char *name, *value, *error;
	} row[] = {
		{"user[john].priority[group]", "1", "is not a limit and takes no second credential"},
		{"user[john].maxjob[]", "1", "is not the name of an option"},
		{"user[john].maxjob[group", "1", "is not the name of an option"},
		{"user[john].maxjob[group]x", "1", "is not the name of an option"},
		{"maxjob[group]", "1", "is not the name of an option"},
		{"user.maxjob", "1", "there is no option user.maxjob"},
		{"user[john].maxjob[grp]", "1", "unknown credential type grp"},
		{"user[john].maxjob[group]", "USER=1", "the option name already contains group"},
		{"user[john].maxjob[group]", "0", "a limit must be at least 1"},
		{"system[x].maxjob", "1", "system[x].maxjob: section system takes no name"},
		{"system.priority", "1", "there is no option system.priority"},
		{"reservationlevel.reservationqoslist", "hi", "there is no option"},
		{"reservationqoslist", "hi", "use reservationlevel[NAME]"},
		{"reservationdepth[x]", "1", "a reservation level is a number from 0 to 7, got x"},
		{"reservationdepth[01]", "1", "a reservation level is a number from 0 to 7, got 01"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct config_value value;
		struct err err = {""};
		char title[CONFIG_TITLE];

		if (config_resolve(row[i].name, row[i].value, &value, title, sizeof title, &err))
			fail_msg("%s was taken", row[i].name);
		if (!strstr(err.text, row[i].error))
			fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_case_insensitive),
		cmocka_unit_test(invalid_name_or_value_is_rejected_with_a_suggestion),
		cmocka_unit_test(names_of_one_value_resolve_to_the_same),
		cmocka_unit_test(misplaced_brackets_are_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
