/* SPDX-License-Identifier: MIT */
/*
 * many.h - how often does a property test try?
 *
 * As often as it thinks is right for every day; MANY=100 makes it a hundred times as often.
 */
#ifndef TESTS_MANY_H
#define TESTS_MANY_H

#include "tests/seed.h"

static inline unsigned many(unsigned everyday)
{
	const char *times = getenv("MANY");

	return times ? everyday * (unsigned)strtoul(times, NULL, 10) : everyday;
}

#endif
