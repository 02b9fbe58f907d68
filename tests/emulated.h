/* SPDX-License-Identifier: MIT */
/*
 * emulated.h - is this test run by valgrind?
 *
 * It has no pidfds, starts programs with fork in place of vfork, and keeps descriptors for itself above the
 * limit. What depends on these is left out there, and only there.
 */
#ifndef TESTS_EMULATED_H
#define TESTS_EMULATED_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool is_emulated(void)
{
	const char *under = getenv("TEST_UNDER"); /* tests/run.sh */

	return under != NULL && strncmp(under, "valgrind", 8) == 0;
}

#endif
