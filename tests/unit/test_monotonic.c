/* SPDX-License-Identifier: MIT */
/*
 * test_monotonic.c - monotonic clock and its units
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/rm/monotonic.h"

static void time_never_goes_back(void **state)
{
	int64_t before_ns = monotonic_ns();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		int64_t now_ns = monotonic_ns();

		assert_true(now_ns >= before_ns);
		before_ns = now_ns;
	}
}

static void units_agree(void **state)
{
	int64_t first_ns = monotonic_ns(), us = monotonic_us(), ms = monotonic_ms(), last_ns = monotonic_ns();

	(void)state;
	assert_true(first_ns / 1000 <= us && us <= last_ns / 1000);
	assert_true(us / 1000 <= ms && ms <= last_ns / 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_never_goes_back),
		cmocka_unit_test(units_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
