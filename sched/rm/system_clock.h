/* SPDX-License-Identifier: MIT */
/*
 * system_clock.h - the system clock, which shows the date and can be set
 *
 * Elapsed time is measured with monotonic.h.
 */
#ifndef RM_SYSTEM_CLOCK_H
#define RM_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds and nanoseconds since 1970, UTC; and the seconds only. */
void system_clock_read(struct timespec *out);
int64_t system_clock_s(void);

/* A descriptor that becomes readable when the clock has been set or the machine has resumed from sleep; -1 if
 * there is none, or if few descriptors are left for jobs. */
int system_clock_watch(void);
/* Prepares the descriptor for the next change. */
void system_clock_rearm(int fd);

/* The interval at which to compare the clock; -1: only when the descriptor is readable. */
int system_clock_wait_ms(int fd);

#endif
