/* SPDX-License-Identifier: MIT */
/*
 * many.h - how often does a property test try?
 *
 * As often as it thinks is right for every day; MANY=100 makes it a hundred times as often, MANY=0.1 where
 * the program is slowed down by what watches it a tenth as often, but once at least.
 */
#ifndef TESTS_MANY_H
#define TESTS_MANY_H

#include "tests/seed.h"

static inline unsigned many(unsigned everyday)
{
	const char *times = getenv("MANY");

	if (!times)
		return everyday;
	double wanted = everyday * strtod(times, NULL);

	return wanted < 1 ? 1 : (unsigned)wanted;
}

/* Of calls that fail one after the other one of `each` is tried; one of more where MANY asks for less. */
static inline long many_apart(long each)
{
	unsigned percent = many(100);

	return percent >= 100 ? each : each * 100 / percent;
}

#endif
