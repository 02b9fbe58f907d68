/* SPDX-License-Identifier: MIT */
/*
 * amount.h - how are amounts added that may be more than can be counted?
 *
 * Processor-seconds of a long queue, or of years of usage, may pass 64 bits. None of these amounts
 * is ever negative; what does not fit stays at INT64_MAX, which is above every limit that can be set.
 */
#ifndef BASE_AMOUNT_H
#define BASE_AMOUNT_H

#include <stdint.h>

static inline int64_t amount_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Without a part of it; never below 0, as the whole may have been cut. */
static inline int64_t amount_take(int64_t a, int64_t part)
{
	return a > part ? a - part : 0;
}

static inline int64_t amount_times(int64_t a, int64_t b)
{
	return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}

#endif
