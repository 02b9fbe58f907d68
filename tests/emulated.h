/* SPDX-License-Identifier: MIT */
/*
 * emulated.h - whether the test runs under valgrind
 *
 * valgrind has no pidfds, starts programs with fork in place of vfork, and reserves descriptors above the
 * limit. Checks that depend on these are skipped under valgrind.
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
