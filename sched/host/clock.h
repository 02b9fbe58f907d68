/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the clock of the scheduler, real or simulated
 *
 * Virtual seconds run at a speed against the real, monotonic clock; at speed 0 they stand.
 * The real time is an argument (nanoseconds since any fixed moment), so all of this is
 * tested without waiting.
 *
 * Where jobs really run the clock shows the system's time: it runs at speed 1 and follows the system's clock
 * at every turn. A small difference, as when the system's clock is being adjusted, is followed without going
 * back: a clock that is ahead stops until the system's clock has caught up. A larger difference means that
 * the system's clock was set. The caller handles that (EVENT_CLOCK); until then this clock continues by the
 * monotonic one.
 */
#ifndef HOST_CLOCK_H
#define HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_SPEED_MAX 86400 /* a day a second */

struct clock {
	int64_t base_s;  /* virtual moment at base_ns */
	int64_t base_ns; /* real                      */
	int32_t speed;   /* virtual seconds a real second; 0 = stands */
};

/* The virtual moment at real time now_ns. */
int64_t clock_now_s(const struct clock *c, int64_t now_ns);

/* Goes on from the moment it shows, at another speed. */
void clock_set_speed(struct clock *c, int64_t now_ns, int32_t speed);

#define CLOCK_STEP_S 5 /* a difference of at least so much is a clock that was set */

/*
 * The system's clock shows `system`. Follows it, and returns 0; or leaves the clock as it is, and returns by
 * how many seconds the system's clock was set.
 */
int64_t clock_follow(struct clock *c, int64_t now_ns, const struct timespec *system);

/* Shows what the system's clock shows, also if that is earlier. */
void clock_set(struct clock *c, int64_t now_ns, const struct timespec *system);

/* Shows virtual moment at_s from now on; never goes back. */
void clock_move(struct clock *c, int64_t now_ns, int64_t at_s);

/* Real milliseconds from now_ns until at_s, rounded up, at least 0; -1 = it never comes by itself. */
int clock_wait_ms(const struct clock *c, int64_t now_ns, int64_t at_s);

#endif
