/* SPDX-License-Identifier: MIT */
/*
 * test_config_store.c - does a value come where it belongs, and out again as it would be written?
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

static const struct option *row_of(const char *scope, const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, scope, name);

	if (!row)
		fail_msg("there is no row %s %s", scope, name);
	return row;
}

static void check_printed(const char *name, const char *written, const char *expected)
{
	struct policy policy;
	struct prio_weights weights;
	struct cred_attr attr = {.priority = 0};
	struct config_value value;
	struct str text = {0};
	struct err err = {""};
	char title[CONFIG_TITLE];

	policy_default(&policy);
	prio_weights_default(&weights);
	if (!config_resolve(name, written, &value, title, sizeof title, &err))
		fail_msg("%s", err.text);
	config_store(&value, &policy, &weights, &attr, NULL);
	config_print_value(value.row, &policy, &weights, &attr, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
}

static void a_value_is_printed_in_its_shortest_form(void **state)
{
	(void)state;
	check_printed("xfactorweight", "1000.0", "1000");
	check_printed("xfactorweight", ".50", "0.5");
	check_printed("partition[p].fscap", "1e3", "1000");
	check_printed("user[u].priority", "-7", "-7");
	check_printed("user[u].xftarget", "2.5", "2.5");
	check_printed("xfminwclimit", "120m", "2:00:00");
	check_printed("qos[q].qttarget", "90", "0:01:30");
	check_printed("reservationdepth", "010", "10");
	check_printed("backfillpolicy", "FirstFit", "firstfit");
	check_printed("enablenegjobpriority", "on", "true");
}

static void a_target_that_is_not_set_prints_as_nothing(void **state)
{
	const struct cred_attr attr = {.priority = 0};
	struct str text = {0};

	(void)state;
	config_print_value(row_of("qos", "qttarget"), NULL, NULL, &attr, &text);
	config_print_value(row_of("user", "xftarget"), NULL, NULL, &attr, &text);
	assert_string_equal(str_text(&text), "");
	config_print_value(row_of("qos", "qtweight"), NULL, NULL, &attr, &text);
	assert_string_equal(str_text(&text), "0");
	str_free(&text);
}

static void a_value_without_its_owner_goes_nowhere(void **state)
{
	struct config_value value;
	struct cred_attr attr = {.priority = 3};
	char title[CONFIG_TITLE];

	(void)state;
	assert_true(config_resolve("fsweight", "5", &value, title, sizeof title, NULL));
	config_store(&value, NULL, NULL, &attr, NULL);
	assert_true(attr.priority == 3);
	value.row = NULL;
	config_store(&value, NULL, NULL, &attr, NULL);
	assert_true(attr.priority == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_printed_in_its_shortest_form),
		cmocka_unit_test(a_target_that_is_not_set_prints_as_nothing),
		cmocka_unit_test(a_value_without_its_owner_goes_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
