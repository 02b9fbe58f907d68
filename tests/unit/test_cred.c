/* SPDX-License-Identifier: MIT */
/*
 * test_cred.c - names of the credential types
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/cred.h"

static void every_type_is_found_by_its_name(void **state)
{
	(void)state;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		assert_int_equal(cred_type_find(cred_type_name(type)), type);
	assert_string_equal(cred_type_name(CRED_QOS), "qos");
}

static void names_are_read_in_any_case(void **state)
{
	(void)state;
	assert_int_equal(cred_type_find("QOS"), CRED_QOS);
	assert_int_equal(cred_type_find("Class"), CRED_CLASS);
}

static void acct_is_account(void **state)
{
	(void)state;
	assert_int_equal(cred_type_find("acct"), CRED_ACCOUNT);
}

static void other_words_are_not_a_type(void **state)
{
	(void)state;
	assert_int_equal(cred_type_find(""), CRED_TYPE_COUNT);
	assert_int_equal(cred_type_find("users"), CRED_TYPE_COUNT);
	assert_int_equal(cred_type_find("node"), CRED_TYPE_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_is_found_by_its_name),
		cmocka_unit_test(names_are_read_in_any_case),
		cmocka_unit_test(acct_is_account),
		cmocka_unit_test(other_words_are_not_a_type),
	};

	return cmocka_run_group_tests_name("cred", tests, NULL, NULL);
}
