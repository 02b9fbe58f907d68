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

/* A descriptor that is readable once the clock has been set, or the machine has slept; -1: there is none,
 * as where few descriptors are left for jobs. */
int system_clock_watch(void);
/* Until the next time. */
void system_clock_rearm(int fd);

/* Without a descriptor the clock is to be compared this often; -1: only when it says so. */
int system_clock_wait_ms(int fd);

#endif
