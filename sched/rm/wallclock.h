/* SPDX-License-Identifier: MIT */
/*
 * wallclock.h - conversion between UTC and local time
 *
 * Times are stored, compared and passed to scripts in UTC. Screens, the journal, reports and messages show
 * local time (TZ), and input from users is read as local time. The formatters of duration.h know no time
 * zone; so a time is first converted to the seconds that a clock of local time would count. The core folders
 * (base to trace) know no time zone either, and receive wallclock() as the function (moment_clock) that
 * converts the times in their messages.
 */
#ifndef RM_WALLCLOCK_H
#define RM_WALLCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/duration.h"
#include "sched/base/err.h"

/* Converts UTC to the seconds of local time. TIME_NEVER and TIME_NONE are unchanged. */
int64_t wallclock(int64_t at_s);

/* Format a UTC time as local time with moment_iso, moment_long and moment_short (duration.h). */
const char *wallclock_iso(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_long(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_short(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s);

/* Converts the seconds of local time to UTC; in an hour that occurs twice, to the first occurrence. */
int64_t wallclock_moment(int64_t shown_s);

/*
 * Parses a time in local time: "16:30" (the next one from now_s on), "2026-03-24T16:30", "+2:00:00", or a
 * number of seconds since the epoch. A time in an hour that occurs twice means its first occurrence from
 * now_s on. A time in an hour that is skipped is read as if the clock had not been changed. Returns false
 * with a message if the text is not a time.
 */
bool wallclock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/*
 * Like wallclock_parse(), but for the past: "16:30" means the last one up to now_s, also in an hour that
 * occurred twice.
 */
bool wallclock_last(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/*
 * Parses the start of a period: a time as for wallclock_last(); "today" or "yesterday", which mean midnight
 * at the beginning of that day; or a duration such as "7d" or "-7d", which means the time that long before
 * now_s.
 */
bool wallclock_since(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

#endif
