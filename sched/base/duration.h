/* SPDX-License-Identifier: MIT */
/*
 * duration.h - parsing and formatting of durations, times and memory sizes
 *
 * The command line, kahu.conf and the console use the same grammar:
 *
 *     duration  [[[DD:]HH:]MM:]SS, a bare number is seconds, or 90s 15m 2h 3d
 *     memory    512 512mb 4gb 1tb, a bare number is MB
 *     moment    16:30, 16:30:05, 2026-03-24T16:30[:05], +2:00:00 (from now), a bare number of seconds
 *
 * Durations are whole seconds, never negative, at most DURATION_MAX_S. Only the leading field may exceed its
 * range ("1:99" is rejected, "99:00" is 99 minutes). The unit of a duration is one
 * letter in either case; there are no fractions and no blanks.
 * A moment is a point in time in seconds since the epoch, UTC, from 1970 to 9999; these functions never ask
 * the C library for a time zone. The formatters print UTC, or local time when they are passed the value of a
 * local clock (moment_clock).
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

#define DURATION_MAX_S ((int64_t)3660 * 86400) /* ten years; anything longer is a typing error */
#define MEMORY_MAX_MB  ((int64_t)1 << 40)      /* an exabyte; anything larger is a typing error */
#define MOMENT_MAX_S   ((int64_t)253402300799) /* 9999-12-31T23:59:59                       */

/* Parses the whole text. On failure *out is unchanged and err quotes the text. */
bool duration_parse(const char *text, int64_t *out_s, struct err *err);
bool memory_parse(const char *text, int64_t *out_mb, struct err *err);

/* Parses a moment: "16:30" is the next such time at or after now_s; "+D" is the duration D after now_s. */
bool moment_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/*
 * A function that converts UTC to local time, both in seconds since the epoch, for the formatters below.
 * Functions that write times into messages take a pointer to such a function; NULL means UTC. moment_by
 * returns the converted time, or at_s if the pointer is NULL.
 */
typedef int64_t moment_clock(int64_t at_s);
int64_t moment_by(moment_clock *counted, int64_t at_s);

/* Buffer sizes for the formatters below, large enough for every result. */
#define DURATION_TEXT 32
#define MOMENT_TEXT   32

/*
 * Formats a duration as "1:12:00:00", "2:00:00", "0:04:23": at least H:MM:SS; a negative one begins with '-'.
 */
const char *duration_text(char buf[static DURATION_TEXT], int64_t s);
/*
 * Formats a duration for narrow columns, in at most 7 cells: "45s" "12m" "6:13h" "2d04h" "120d". A duration
 * of more than 99999 days becomes "99999d".
 */
const char *duration_short(char buf[static DURATION_TEXT], int64_t s);
/* "2026-03-24T16:02:11" */
const char *moment_iso(char buf[static MOMENT_TEXT], int64_t s);
/* "Thu Mar 24 16:02:11" */
const char *moment_long(char buf[static MOMENT_TEXT], int64_t s);
/* Formats a time as "16:02:11" if it is on the same day as now_s, otherwise as "Mar24 16:02". */
const char *moment_short(char buf[static MOMENT_TEXT], int64_t s, int64_t now_s);

#endif
