/* SPDX-License-Identifier: MIT */
/*
 * seed.h - the seed of a randomized test
 *
 * The seed is $SEED if set, otherwise a constant. It is printed, so that a failure can be repeated.
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
