/* SPDX-License-Identifier: MIT */
/*
 * rng.c - reproducible pseudorandom numbers
 *
 * Generator: xoshiro256** 1.0, D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators"
 * (2018). Seeding: splitmix64, after G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
 * generators" (2014); it never yields four zeros, which xoshiro256** could not leave.
 */
#include "rng.h"

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void rng_seed(struct rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->s[i] = splitmix64(&seed);
}

/*
 * Seed and index are hashed one after the other, so that the streams of adjacent indices are unrelated and
 * seed 1, index 2 differs from seed 2, index 1.
 */
void rng_seed_at(struct rng *rng, uint64_t seed, uint64_t index)
{
	uint64_t mixed = splitmix64(&seed) ^ index;

	rng_seed(rng, splitmix64(&mixed));
}

uint64_t rng_u64(struct rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

/* Values below 2^64 mod limit are discarded, so that every remainder is equally likely. */
uint64_t rng_below(struct rng *rng, uint64_t limit)
{
	uint64_t uneven = (UINT64_MAX - limit + 1) % limit;
	uint64_t draw;

	do
		draw = rng_u64(rng);
	while (draw < uneven);
	return draw % limit;
}

double rng_unit(struct rng *rng)
{
	return (double)(rng_u64(rng) >> 11) * 0x1.0p-53;
}
