/* SPDX-License-Identifier: MIT */
/*
 * monotonic.h - monotonic time
 *
 * Since any fixed moment, the same for all processes of a machine that is not started again; nobody can set
 * this clock, and it stands while the machine sleeps. For waits and measurements; moments are UTC seconds.
 */
#ifndef RM_MONOTONIC_H
#define RM_MONOTONIC_H

#include <stdint.h>

#define SECOND_NS INT64_C(1000000000)

int64_t monotonic_ns(void);

/* The same, including the time for which the machine was suspended. */
int64_t boottime_ns(void);

/* Processor time of the calling thread. */
int64_t monotonic_thread_ns(void);

static inline int64_t monotonic_us(void)
{
	return monotonic_ns() / 1000;
}

static inline int64_t monotonic_ms(void)
{
	return monotonic_ns() / 1000000;
}

#endif
