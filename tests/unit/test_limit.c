/* SPDX-License-Identifier: MIT */
/*
 * test_limit.c - names and sort order of throttling limits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/cred.h"
#include "sched/model/job.h"
#include "sched/model/limit.h"

static void T_07_to_T_14_every_kind_has_a_name(void **state)
{
	static const char *const names[LIMIT_KIND_COUNT] = {"MAXJOB", "MAXPROC", "MAXNODE", "MAXPS",
							    "MAXPE",  "MAXWC",   "MAXMEM"};

	(void)state;
	for (int kind = 0; kind < LIMIT_KIND_COUNT; kind++)
		assert_string_equal(limit_name(LIMIT_ACTIVE, (enum limit_kind)kind), names[kind]);
}

static void T_21_T_24_prefixes_tell_which_jobs_are_counted(void **state)
{
	(void)state;
	assert_string_equal(limit_name(LIMIT_IDLE, LIMIT_JOB), "MAXIJOB");
	assert_string_equal(limit_name(LIMIT_IDLE, LIMIT_MEM), "MAXIMEM");
	assert_string_equal(limit_name(LIMIT_OVERRIDE_ACTIVE, LIMIT_NODE), "OMAXNODE");
	assert_string_equal(limit_name(LIMIT_OVERRIDE_IDLE, LIMIT_WC), "OMAXIWC");
	assert_string_equal(limit_name(LIMIT_QUEUED, LIMIT_JOB), "MAXQUEUED");
	assert_string_equal(limit_name(LIMIT_SYSTEM, LIMIT_PS), "SYSTEMMAXPROCSECONDPERJOB");
	assert_string_equal(limit_name(LIMIT_CLASS, LIMIT_WC), "WCLIMIT");
}

static void invalid_limit_has_no_name(void **state)
{
	(void)state;
	assert_string_equal(limit_name(LIMIT_QUEUED, LIMIT_PROC), "");
	assert_string_equal(limit_name(LIMIT_SYSTEM, LIMIT_JOB), "");
}

/* Each limit sorts before all that follow it. */
static void limits_sort_by_owner_scope_pair_kind_and_second(void **state)
{
	static const struct limit list[] = {
		{.cred = 1, .kind = LIMIT_JOB, .second_type = CRED_TYPE_COUNT, .second = INDEX_NONE},
		{.cred = 1, .kind = LIMIT_MEM, .second_type = CRED_TYPE_COUNT, .second = INDEX_NONE},
		{.cred = 1, .scope = LIMIT_ACTIVE, .kind = LIMIT_JOB, .second_type = CRED_USER, .second = 9},
		{.cred = 1, .scope = LIMIT_ACTIVE, .kind = LIMIT_JOB, .second_type = CRED_USER, .second = 10},
		{.cred = 1, .scope = LIMIT_ACTIVE, .second_type = CRED_USER, .second = INDEX_NONE},
		{.cred = 1, .scope = LIMIT_ACTIVE, .second_type = CRED_CLASS, .second = 7},
		{.cred = 1, .scope = LIMIT_ACTIVE, .kind = LIMIT_PROC, .second_type = CRED_USER, .second = 9},
		{.cred = 1, .scope = LIMIT_IDLE, .second_type = CRED_TYPE_COUNT, .second = INDEX_NONE},
		{.cred = 2, .scope = LIMIT_ACTIVE, .second_type = CRED_TYPE_COUNT, .second = INDEX_NONE},
		{.cred = INDEX_NONE, .second_type = CRED_TYPE_COUNT, .second = INDEX_NONE},
	};
	enum {
		COUNT = sizeof list / sizeof list[0]
	};

	(void)state;
	for (int i = 0; i < COUNT; i++)
		for (int j = 0; j < COUNT; j++)
			assert_int_equal(limit_compare(&list[i], &list[j]), (i > j) - (i < j));
}

static void amounts_do_not_affect_the_order(void **state)
{
	const struct limit few = {.cred = 1, .soft = 1, .hard = 2}, many = {.cred = 1, .soft = 3, .hard = 4};

	(void)state;
	assert_int_equal(limit_compare(&few, &many), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(T_07_to_T_14_every_kind_has_a_name),
		cmocka_unit_test(T_21_T_24_prefixes_tell_which_jobs_are_counted),
		cmocka_unit_test(invalid_limit_has_no_name),
		cmocka_unit_test(limits_sort_by_owner_scope_pair_kind_and_second),
		cmocka_unit_test(amounts_do_not_affect_the_order),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
