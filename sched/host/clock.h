/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the scheduler's clock, real or simulated
 *
 * Virtual seconds run at a speed against the real, monotonic clock; at speed 0 they are stopped. The real
 * time is an argument (nanoseconds since any fixed point), so that tests need not wait.
 *
 * Where jobs really run, the clock shows the system's time: it runs at speed 1 and follows the system's clock
 * at every turn. A small difference, for example while the system's clock is being adjusted, is corrected
 * without going back: a clock that is ahead stops until the system's clock has caught up. A larger difference
 * means that the system's clock was set. The caller handles this (EVENT_CLOCK); until then, the clock
 * continues to follow the monotonic clock.
 */
#ifndef HOST_CLOCK_H
#define HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_SPEED_MAX 86400 /* one day per second */

struct clock {
	int64_t base_s;  /* virtual time at base_ns */
	int64_t base_ns; /* real time at which base_s applies */
	int32_t speed;   /* virtual seconds per real second; 0 = stopped */
};

/* Returns the virtual time at real time now_ns. */
int64_t clock_now_s(const struct clock *c, int64_t now_ns);

/* Continues from the current virtual time at another speed. */
void clock_set_speed(struct clock *c, int64_t now_ns, int32_t speed);

/* If the clocks differ by this much or more, the system's clock was set, not adjusted. */
#define CLOCK_STEP_S 5

/*
 * Follows the system's clock, whose current time is *system, and returns 0. If the system's clock was set,
 * leaves c unchanged and returns the number of seconds by which it was set (negative: back).
 */
int64_t clock_follow(struct clock *c, int64_t now_ns, const struct timespec *system);

/* Sets the clock to the system's, even if that is earlier. */
void clock_set(struct clock *c, int64_t now_ns, const struct timespec *system);

/* Moves the clock forward to at_s; a clock that is already later keeps its time. */
void clock_move(struct clock *c, int64_t now_ns, int64_t at_s);

/*
 * Returns the real milliseconds from now_ns until the clock reaches at_s, rounded up, at least 0; -1: the
 * clock is stopped or at_s is TIME_NEVER.
 */
int clock_wait_ms(const struct clock *c, int64_t now_ns, int64_t at_s);

/* --- the kept difference between clocks --------------------------------------------------------------- */

/*
 * A file with the boot id and the difference between the system's clock and the time since boot. It shows
 * the next scheduler whether the clock was set while no scheduler was running. The file is removed before a
 * change of the clock is written to the journal, and is written again afterwards. So a scheduler that is
 * killed between these steps leaves no file, and no change is counted twice.
 */

/*
 * Sets *now_s to the time that the system's clock would show if it had not been set since the file was
 * written. Returns false if there is no file from this boot.
 */
bool kept_clock_read(const char *path, int64_t *now_s);

/* Returns false if the file cannot be written; an older file is removed in this case. */
bool kept_clock_write(const char *path, int64_t difference_s);
void kept_clock_remove(const char *path);

#endif
