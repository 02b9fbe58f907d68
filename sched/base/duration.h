/* SPDX-License-Identifier: MIT */
/*
 * duration.h - how are durations, moments and sizes written and read?
 *
 * One grammar everywhere (command line, kahu.conf, console):
 *
 *     duration  [[[DD:]HH:]MM:]SS, a bare number is seconds, or 90s 15m 2h 3d
 *     memory    512 512mb 4gb 1tb, a bare number is MB
 *     moment    16:30, 16:30:05, 2026-03-24T16:30[:05], +2:00:00 (from now), a bare number of seconds
 *
 * Durations are whole seconds, never negative, at most DURATION_MAX_S. Only the leading
 * field may be large ("1:99" is refused, "99:00" is 99 minutes). One unit letter, either
 * case, no fractions, no blanks. Moments are seconds since the epoch, UTC, from 1970 to
 * 9999; nothing here asks the C library for a time zone. What the formatters print is the time in UTC, or
 * that of a place when they are given what a clock there counts (moment_clock).
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

#define DURATION_MAX_S ((int64_t)3660 * 86400) /* ten years: anything longer is a typing error */
#define MEMORY_MAX_MB  ((int64_t)1 << 40)      /* an exabyte: likewise                      */
#define MOMENT_MAX_S   ((int64_t)253402300799) /* 9999-12-31T23:59:59                       */

/* Reads all of text or nothing. On failure *out is untouched and err quotes the text. */
bool duration_parse(const char *text, int64_t *out_s, struct err *err);
bool memory_parse(const char *text, int64_t *out_mb, struct err *err);

/* "16:30" is the next such moment at or after now_s; "+D" counts from now_s. */
bool moment_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/*
 * The seconds that the clock on a wall has counted at a moment: people read its time. Sentences with moments
 * in them are made with one; NULL is a clock of UTC.
 */
typedef int64_t moment_clock(int64_t at_s);
int64_t moment_by(moment_clock *counted, int64_t at_s);

/* Buffers for the formatters below, with room to spare. */
#define DURATION_TEXT 32
#define MOMENT_TEXT   32

/* "1:12:00:00", "2:00:00", "0:04:23": at least H:MM:SS; a negative value gets a '-'. */
const char *duration_text(char buf[static DURATION_TEXT], int64_t s);
/* Short, for narrow columns, at most 7 cells: "45s" "12m" "6:13h" "2d04h" "120d"; stays at 99999d. */
const char *duration_short(char buf[static DURATION_TEXT], int64_t s);
/* "2026-03-24T16:02:11" */
const char *moment_iso(char buf[static MOMENT_TEXT], int64_t s);
/* "Thu Mar 24 16:02:11" */
const char *moment_long(char buf[static MOMENT_TEXT], int64_t s);
/* "16:02:11" when on the same day as now_s, else "Mar24 16:02". */
const char *moment_short(char buf[static MOMENT_TEXT], int64_t s, int64_t now_s);

#endif
