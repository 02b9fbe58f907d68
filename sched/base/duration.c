/* SPDX-License-Identifier: MIT */
/*
 * duration.c - parsing and formatting of durations, times and memory sizes
 *
 * A parser advances a cursor through the text, collects numbers of bounded length, and accepts only if the
 * cursor ends at the NUL. Dates are counted in days from 1970-01-01 in the Gregorian calendar with years that
 * begin in March, so that the leap day is the last of its year (H. Hinnant, "chrono-compatible low-level date
 * algorithms", 2013).
 */
#include "duration.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "str.h"

#define MINUTE ((int64_t)60)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

#define DIGITS_MAX 13 /* a 13-digit number of days, in seconds, fits into 63 bits */

/*
 * Reads the number at *at and moves *at behind it. Returns false if there are no digits or more than
 * max_digits.
 */
static bool take_number(const char **at, size_t max_digits, int64_t *out)
{
	size_t digits = strspn(*at, "0123456789");
	int64_t value = 0;

	if (digits == 0 || digits > max_digits)
		return false;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + ((*at)[i] - '0');
	*at += digits;
	*out = value;
	return true;
}

static bool take_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/*
 * Reads the fields after the first, each of one or two digits after a ':', up to the end of the text. Returns
 * false if there are more than four fields or anything else follows. sum_fields checks the ranges.
 */
static bool take_fields(const char *at, int64_t *field, size_t *count)
{
	while (take_char(&at, ':')) {
		if (*count == 4 || !take_number(&at, 2, &field[*count]))
			return false;
		(*count)++;
	}
	return *at == '\0';
}

/*
 * Converts the fields to seconds: the last field counts seconds, the one before it minutes, then hours and
 * days. Returns false if a field other than the first exceeds its range. The sum cannot overflow, because a
 * field has at most DIGITS_MAX digits; the caller checks the upper bound.
 */
static bool sum_fields(const int64_t *field, size_t count, int64_t *out)
{
	static const int64_t size[] = {1, MINUTE, HOUR, DAY};
	static const int64_t limit[] = {60, 60, 24, INT64_MAX};
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		size_t rank = count - 1 - i;

		if (i > 0 && field[i] >= limit[rank])
			return false;
		sum += field[i] * size[rank];
	}
	*out = sum;
	return true;
}

/* Returns the length in seconds of the unit with this letter; 0 for any other character. */
static int64_t unit_size(char letter)
{
	static const char letters[] = "sSmMhHdD";
	static const int64_t size[] = {1, MINUTE, HOUR, DAY};
	const char *found = letter ? strchr(letters, letter) : NULL;

	return found ? size[(found - letters) / 2] : 0;
}

static bool read_duration(const char *text, int64_t *out)
{
	int64_t field[4];
	size_t count = 1;
	const char *at = text;
	int64_t unit;

	if (!take_number(&at, DIGITS_MAX, &field[0]))
		return false;
	unit = unit_size(*at);
	if (unit > 0 && at[1] == '\0') {
		*out = field[0] * unit;
		return *out <= DURATION_MAX_S;
	}
	return take_fields(at, field, &count) && sum_fields(field, count, out) && *out <= DURATION_MAX_S;
}

bool duration_parse(const char *text, int64_t *out_s, struct err *err)
{
	int64_t s;

	if (!read_duration(text, &s))
		return err_set(err,
			       "\"%s\" is not a duration: write [[[DD:]HH:]MM:]SS or 90s, 15m, 2h, 3d, "
			       "at most %" PRId64 "d",
			       text, DURATION_MAX_S / DAY);
	*out_s = s;
	return true;
}

static bool read_memory(const char *text, int64_t *out)
{
	static const struct {
		const char *name;
		int64_t mb;
	} unit[] = {{"", 1}, {"mb", 1}, {"gb", 1024}, {"tb", 1024 * 1024}};
	const char *at = text;
	int64_t number;

	if (!take_number(&at, DIGITS_MAX, &number))
		return false;
	for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
		if (!str_same_word(at, unit[i].name))
			continue;
		if (number > MEMORY_MAX_MB / unit[i].mb)
			return false;
		*out = number * unit[i].mb;
		return true;
	}
	return false;
}

bool memory_parse(const char *text, int64_t *out_mb, struct err *err)
{
	int64_t mb;

	if (!read_memory(text, &mb))
		return err_set(err, "\"%s\" is not a memory size: write 512, 512mb, 4gb or 1tb", text);
	*out_mb = mb;
	return true;
}

/* ---- the calendar ---- */

struct civil {
	int64_t year;
	int month, day; /* 1..12, 1..31 */
};

#define DAYS_IN_ERA    146097 /* 400 years                                 */
#define EPOCH_FROM_ERA 719468 /* days from 0000-03-01 to 1970-01-01          */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t days_from_civil(struct civil c)
{
	int64_t year = c.year - (c.month <= 2);
	int64_t era = floor_div(year, 400);
	int64_t year_of_era = year - era * 400;
	int64_t month = (c.month + 9) % 12; /* March is 0 */
	int64_t day_of_year = (153 * month + 2) / 5 + c.day - 1;
	int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * DAYS_IN_ERA + day_of_era - EPOCH_FROM_ERA;
}

static struct civil civil_from_days(int64_t days)
{
	int64_t shifted = days + EPOCH_FROM_ERA;
	int64_t era = floor_div(shifted, DAYS_IN_ERA);
	int64_t day_of_era = shifted - era * DAYS_IN_ERA;
	int64_t year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t month = (5 * day_of_year + 2) / 153; /* March is 0 */

	return (struct civil){
		.year = year_of_era + era * 400 + (month >= 10),
		.month = (int)(month < 10 ? month + 3 : month - 9),
		.day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
	};
}

static bool is_date(struct civil c)
{
	struct civil same;

	if (c.year < 1970 || c.month < 1 || c.month > 12 || c.day < 1 || c.day > 31)
		return false;
	same = civil_from_days(days_from_civil(c));
	return same.month == c.month;
}

/* ---- times ---- */

static bool take_two_digits(const char **at, int64_t *out)
{
	const char *before = *at;

	return take_number(at, 2, out) && *at - before == 2;
}

/* Reads HH:MM[:SS] up to the end of the text, as seconds of the day. */
static bool read_clock(const char *at, int64_t *out)
{
	int64_t hour;
	int64_t minute;
	int64_t second = 0;

	if (!take_number(&at, 2, &hour) || !take_char(&at, ':') || !take_two_digits(&at, &minute))
		return false;
	if (take_char(&at, ':') && !take_two_digits(&at, &second))
		return false;
	if (*at || hour > 23 || minute > 59 || second > 59)
		return false;
	*out = hour * HOUR + minute * MINUTE + second;
	return true;
}

/* Reads YYYY-MM-DDTHH:MM[:SS], as seconds since the epoch. */
static bool read_iso(const char *text, int64_t *out)
{
	struct civil date;
	const char *at = text;
	int64_t month;
	int64_t day;
	int64_t second_of_day;

	if (!take_number(&at, 4, &date.year) || !take_char(&at, '-') || !take_two_digits(&at, &month))
		return false;
	if (!take_char(&at, '-') || !take_two_digits(&at, &day) || !take_char(&at, 'T'))
		return false;
	date.month = (int)month;
	date.day = (int)day;
	if (!is_date(date) || !read_clock(at, &second_of_day))
		return false;
	*out = days_from_civil(date) * DAY + second_of_day;
	return true;
}

static bool read_moment(const char *text, int64_t now_s, int64_t *out)
{
	const char *at = text;
	int64_t value;

	if (*text == '+') {
		if (!read_duration(text + 1, &value))
			return false;
		*out = now_s + value;
	} else if (read_clock(text, &value)) {
		*out = floor_div(now_s, DAY) * DAY + value;
		if (*out < now_s)
			*out += DAY;
	} else if (take_number(&at, DIGITS_MAX, &value) && *at == '\0') {
		*out = value;
	} else if (!read_iso(text, out)) {
		return false;
	}
	return *out >= 0 && *out <= MOMENT_MAX_S;
}

bool moment_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	int64_t s;

	if (!read_moment(text, now_s, &s))
		return err_set(err,
			       "\"%s\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) "
			       "or seconds since 1970",
			       text);
	*out_s = s;
	return true;
}

/* ---- formatting ---- */

int64_t moment_by(moment_clock *counted, int64_t at_s)
{
	return counted == NULL ? at_s : counted(at_s);
}

const char *duration_text(char buf[static DURATION_TEXT], int64_t s)
{
	const char *sign = s < 0 ? "-" : "";
	uint64_t total = s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
	uint64_t days = total / (uint64_t)DAY;
	unsigned hour = (unsigned)(total / (uint64_t)HOUR % 24);
	unsigned minute = (unsigned)(total / (uint64_t)MINUTE % 60);
	unsigned second = (unsigned)(total % 60);

	if (days)
		snprintf(buf, DURATION_TEXT, "%s%" PRIu64 ":%02u:%02u:%02u", sign, days, hour, minute,
			 second);
	else
		snprintf(buf, DURATION_TEXT, "%s%u:%02u:%02u", sign, hour, minute, second);
	return buf;
}

const char *duration_short(char buf[static DURATION_TEXT], int64_t s)
{
	const int64_t most = 99999 * DAY;
	const char *sign = s < 0 ? "-" : "";
	int64_t total = s > most || s < -most ? most : s < 0 ? -s : s;

	if (total < MINUTE)
		snprintf(buf, DURATION_TEXT, "%s%" PRId64 "s", sign, total);
	else if (total < HOUR)
		snprintf(buf, DURATION_TEXT, "%s%" PRId64 "m", sign, total / MINUTE);
	else if (total < DAY)
		snprintf(buf, DURATION_TEXT, "%s%" PRId64 ":%02" PRId64 "h", sign, total / HOUR,
			 total % HOUR / MINUTE);
	else if (total < 100 * DAY)
		snprintf(buf, DURATION_TEXT, "%s%" PRId64 "d%02" PRId64 "h", sign, total / DAY,
			 total % DAY / HOUR);
	else
		snprintf(buf, DURATION_TEXT, "%s%" PRId64 "d", sign, total / DAY);
	return buf;
}

static const char *const month_name[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
static const char *const weekday_name[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};

struct clock {
	int64_t days; /* since 1970-01-01, a Thursday */
	struct civil date;
	int hour, minute, second;
};

static struct clock split_moment(int64_t s)
{
	int64_t days = floor_div(s, DAY);
	int64_t rest = s % DAY < 0 ? s % DAY + DAY : s % DAY;

	return (struct clock){
		.days = days,
		.date = civil_from_days(days),
		.hour = (int)(rest / HOUR),
		.minute = (int)(rest / MINUTE % 60),
		.second = (int)(rest % 60),
	};
}

const char *moment_iso(char buf[static MOMENT_TEXT], int64_t s)
{
	struct clock c = split_moment(s);

	snprintf(buf, MOMENT_TEXT, "%04" PRId64 "-%02d-%02dT%02d:%02d:%02d", c.date.year, c.date.month,
		 c.date.day, c.hour, c.minute, c.second);
	return buf;
}

const char *moment_long(char buf[static MOMENT_TEXT], int64_t s)
{
	struct clock c = split_moment(s);
	int64_t weekday = c.days - floor_div(c.days, 7) * 7;

	snprintf(buf, MOMENT_TEXT, "%s %s %2d %02d:%02d:%02d", weekday_name[weekday],
		 month_name[c.date.month - 1], c.date.day, c.hour, c.minute, c.second);
	return buf;
}

const char *moment_short(char buf[static MOMENT_TEXT], int64_t s, int64_t now_s)
{
	struct clock c = split_moment(s);

	if (c.days == floor_div(now_s, DAY))
		snprintf(buf, MOMENT_TEXT, "%02d:%02d:%02d", c.hour, c.minute, c.second);
	else
		snprintf(buf, MOMENT_TEXT, "%s%02d %02d:%02d", month_name[c.date.month - 1], c.date.day,
			 c.hour, c.minute);
	return buf;
}
