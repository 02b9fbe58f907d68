/* SPDX-License-Identifier: MIT */
/*
 * monotonic.h - monotonic time, for timeouts and measurements
 *
 * These clocks start at an arbitrary time, show the same time to all processes, and cannot be set. The time
 * of day is read with system_clock.h.
 */
#ifndef RM_MONOTONIC_H
#define RM_MONOTONIC_H

#include <stdint.h>
#include <time.h>

#define SECOND_NS INT64_C(1000000000)

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

/* Returns the monotonic time, which does not advance while the machine is suspended. */
static inline int64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline int64_t monotonic_us(void)
{
	return monotonic_ns() / 1000;
}

static inline int64_t monotonic_ms(void)
{
	return monotonic_ns() / 1000000;
}

/* Returns the monotonic time, including the time for which the machine was suspended. */
static inline int64_t boottime_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

/* Processor time used by the calling thread. */
static inline int64_t monotonic_thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif
