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

/*
 * system_clock_read() gets the seconds and nanoseconds since 1970, UTC; system_clock_s() returns only the
 * seconds.
 */
void system_clock_read(struct timespec *out);
int64_t system_clock_s(void);

/*
 * Returns a descriptor that becomes readable when the clock has been set or the machine has resumed from
 * sleep; -1 if there is none, or if the limit on descriptors is so low that jobs need it.
 */
int system_clock_watch(void);
/* Makes the descriptor ready to report the next change. */
void system_clock_rearm(int fd);

/*
 * Returns the interval, in ms, at which the caller must compare the clock itself; -1: only when the
 * descriptor is readable.
 */
int system_clock_wait_ms(int fd);

#endif
