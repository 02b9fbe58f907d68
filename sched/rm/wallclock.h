/* SPDX-License-Identifier: MIT */
/*
 * wallclock.h - conversion between UTC and local time
 *
 * Times are stored, compared and passed to scripts in UTC. Screens, the journal, reports and messages show
 * local time (TZ), and input from users is read as local time. The formatters of duration.h print the seconds
 * they are given; so a time is first converted to the seconds that a clock of local time would count. The
 * core knows no time zone and receives wallclock() as the clock (moment_clock) of its messages.
 */
#ifndef RM_WALLCLOCK_H
#define RM_WALLCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/duration.h"
#include "sched/base/err.h"

/* Converts UTC to local seconds. TIME_NEVER and TIME_NONE are unchanged. */
int64_t wallclock(int64_t at_s);

/* moment_iso, moment_long and moment_short in local time. */
const char *wallclock_iso(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_long(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_short(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s);

/* Converts local seconds to UTC; of an hour that occurs twice, the first occurrence. */
int64_t wallclock_moment(int64_t shown_s);

/*
 * Parses a time in local time: "16:30" (the next one from now_s on), "2026-03-24T16:30", "+2:00:00", or a
 * number of seconds since the epoch. Of an hour that occurs twice, the first occurrence that is not over is
 * meant; of an hour that is skipped, the time that the clock would show without the change.
 */
bool wallclock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* The same for the past: "16:30" is the last one up to now_s, also for an hour that occurred twice. */
bool wallclock_last(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* Parses the start of a period: as wallclock_last; "today" and "yesterday" are midnight of that day; a
 * duration, "7d" or "-7d", means that long before now_s. */
bool wallclock_since(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

#endif
