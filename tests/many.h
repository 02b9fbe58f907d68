/* SPDX-License-Identifier: MIT */
/*
 * many.h - number of runs of a property test
 *
 * The default is chosen by the test. The environment variable MANY multiplies it: MANY=100 for thorough
 * tests, MANY=0.1 for programs slowed down by sanitizers or valgrind. There is at least one run.
 */
#ifndef TESTS_MANY_H
#define TESTS_MANY_H

#include "tests/seed.h"

static inline unsigned many(unsigned runs)
{
	const char *times = getenv("MANY");

	if (!times)
		return runs;
	double wanted = runs * strtod(times, NULL);

	return wanted < 1 ? 1 : (unsigned)wanted;
}

/* Of a series of failing calls, every `each`-th is tried; fewer if MANY is below 1. */
static inline long many_apart(long each)
{
	unsigned percent = many(100);

	return percent >= 100 ? each : each * 100 / percent;
}

#endif
