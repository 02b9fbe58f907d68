/* SPDX-License-Identifier: MIT */
/*
 * rng.h - reproducible pseudorandom numbers
 *
 * The same seed gives the same numbers on every machine and with every compiler. xoshiro256** (Blackman,
 * Vigna 2018), seeded with splitmix64.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
/*
 * Seeds stream number `index` of a seed. The streams are independent, and seeding takes the same time for
 * every index.
 */
void rng_seed_at(struct rng *rng, uint64_t seed, uint64_t index);
uint64_t rng_u64(struct rng *rng);
uint64_t rng_below(struct rng *rng, uint64_t limit); /* 0 .. limit-1, unbiased; limit > 0 */
double rng_unit(struct rng *rng);                    /* 0 <= result < 1, with 53 random bits */

#endif
