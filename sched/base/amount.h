/* SPDX-License-Identifier: MIT */
/*
 * amount.h - saturating arithmetic for non-negative amounts
 *
 * The processor-seconds of a long queue, or of years of usage, can exceed 64 bits. Amounts are never
 * negative; a sum that overflows is INT64_MAX, which is above every limit that can be set.
 */
#ifndef BASE_AMOUNT_H
#define BASE_AMOUNT_H

#include <stdint.h>

static inline int64_t amount_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Returns a - part, but at least 0: a total that was saturated can be smaller than the sum of its parts. */
static inline int64_t amount_take(int64_t a, int64_t part)
{
	return a > part ? a - part : 0;
}

static inline int64_t amount_times(int64_t a, int64_t b)
{
	return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}

#endif
