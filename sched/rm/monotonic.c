/* SPDX-License-Identifier: MIT */
/*
 * monotonic.c - monotonic time
 */
#include "monotonic.h"

#include <time.h>

static int64_t read_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t monotonic_thread_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t boottime_ns(void)
{
	return read_ns(CLOCK_BOOTTIME);
}
