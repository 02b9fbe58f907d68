/* SPDX-License-Identifier: MIT */
/*
 * wallclock.h - conversion between times and dates
 *
 * Moments are kept, compared and handed to scripts in UTC; people are shown the time of their
 * place (TZ): on every screen, in the journal, in reports and messages, and so is read what
 * they type. The formatters of duration.h print what they are given; a moment is turned into
 * the seconds that such a clock would count, and the core, which asks for no time zone, is
 * given wallclock as the clock (moment_clock) of its sentences.
 */
#ifndef RM_WALLCLOCK_H
#define RM_WALLCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/duration.h"
#include "sched/base/err.h"

/* TIME_NEVER and TIME_NONE stay what they are. */
int64_t wallclock(int64_t at_s);

/* moment_iso, moment_long, moment_short by such a clock. */
const char *wallclock_iso(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_long(char buf[static MOMENT_TEXT], int64_t at_s);
const char *wallclock_short(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s);

/* The moment at which it shows this, the first where it does twice. */
int64_t wallclock_moment(int64_t shown_s);

/*
 * The moment that a person means by "16:30" (the next one from now_s on), "2026-03-24T16:30" (both
 * as such a clock shows them), "+2:00:00" or a bare number of seconds since the epoch. Of an hour
 * that comes twice it is the first that is not over, of one that is left out what the clock would
 * show had it not been changed.
 */
bool wallclock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* The same of what was: "16:30" is the last one up to now_s, and so is an hour that came twice. */
bool wallclock_last(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* wallclock_last of a moment since when something is asked for; "today" and "yesterday" are their midnights;
 * a duration, "7d" or "-7d", is that long before now_s. */
bool wallclock_since(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

#endif
