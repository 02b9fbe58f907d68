/* SPDX-License-Identifier: MIT */
/*
 * seed.h - with which random numbers does a property test run?
 *
 * With those of $SEED when it is set, else with the same ones every time; either way the
 * seed is printed, so that a failure found elsewhere can be run again here.
 */
#ifndef TESTS_SEED_H
#define TESTS_SEED_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/rng.h"

static inline struct rng seeded(const char *what)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : 20260324;
	struct rng rng;

	printf("# %s: SEED=%" PRIu64 "\n", what, seed);
	rng_seed(&rng, seed);
	return rng;
}

#endif
