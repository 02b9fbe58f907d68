/* SPDX-License-Identifier: MIT */
/*
 * system_clock.h - the clock of the system, which shows the date and can be set
 *
 * What has passed is measured by monotonic.h.
 */
#ifndef RM_SYSTEM_CLOCK_H
#define RM_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds and nanoseconds since 1970, UTC; and the seconds alone. */
void system_clock_read(struct timespec *out);
int64_t system_clock_s(void);

/* A descriptor that becomes readable when the clock has been set or the machine has resumed; -1 when there is
 * none, or few descriptors are left for jobs. */
int system_clock_watch(void);
/* Waits for the next time. */
void system_clock_rearm(int fd);

/* How often to compare the clock; -1: only when the descriptor is readable. */
int system_clock_wait_ms(int fd);

#endif
