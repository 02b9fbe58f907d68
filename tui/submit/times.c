/* SPDX-License-Identifier: MIT */
/*
 * times.c - wallclock limits and start dates, dependencies, arrays
 *
 * Durations and times have the formats of duration.h; times are in local time. -a also accepts qsub's format
 * [[[[CC]YY]MM]DD]hhmm[.SS]; if parts are omitted, the time is the next one that matches. Options of Slurm
 * have Slurm's formats, in which a plain number is in minutes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"

#define DIGITS "0123456789"

static bool set_limit(struct submission *s, int64_t limit_s, struct err *err)
{
	if (limit_s < 1)
		return err_set(err, "the duration must be at least one second");
	s->draft.wall_limit_s = limit_s;
	return true;
}

static bool set_date(struct submission *s, int64_t at_s)
{
	s->draft.not_before_s = at_s;
	s->draft.has_not_before = true;
	return true;
}

bool qsub_read_walltime(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t limit_s;

	(void)by;
	return duration_parse(text, &limit_s, err) && set_limit(s, limit_s, err);
}

/* --- qsub's dates ------------------------------------------------------------------------------- */

/* The pairs of digits before the dot, from the last to the first. */
enum pair {
	MINUTE,
	HOUR,
	DAY,
	MONTH,
	YEAR,
	CENTURY,
	PAIR_COUNT
};

struct digits {
	int pair[PAIR_COUNT];
	int second;
	size_t count; /* number of pairs */
};

static int two(const char *digits)
{
	return (digits[0] - '0') * 10 + digits[1] - '0';
}

static bool read_digits(const char *text, struct digits *out)
{
	size_t len = strspn(text, DIGITS);
	const char *rest = text + len;

	*out = (struct digits){.count = len / 2};
	if (len < 4 || len > 12 || len % 2 != 0)
		return false;
	for (size_t i = 0; i < out->count; i++)
		out->pair[i] = two(text + len - 2 - 2 * i);
	if (rest[0] == '.' && strspn(rest + 1, DIGITS) == 2 && rest[3] == '\0')
		out->second = two(rest + 1);
	else
		return rest[0] == '\0';
	return true;
}

/* Formats a time from the date and the given time of day. */
static void print_digits(const struct digits *d, int year, int month, int day, char iso[static MOMENT_TEXT])
{
	snprintf(iso, MOMENT_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d", year % 10000, month % 100, day % 100,
		 d->pair[HOUR], d->pair[MINUTE], d->second);
}

/*
 * Formats the given time. Parts that are not given are those of today, and the smallest of them is increased
 * by `ahead`; December is followed by January of the next year.
 */
static void date_ahead(const struct digits *d, const char *today, int ahead, char iso[static MOMENT_TEXT])
{
	int year = two(today) * 100 + two(today + 2), month = two(today + 5), day = two(today + 8);

	if (d->count > YEAR)
		year = (d->count > CENTURY ? d->pair[CENTURY] : 20) * 100 + d->pair[YEAR];
	else if (d->count == MONTH + 1)
		year += ahead;
	if (d->count > MONTH)
		month = d->pair[MONTH];
	else if (d->count == DAY + 1)
		month += ahead;
	if (month == 13 && d->count == DAY + 1) {
		month = 1;
		year++;
	}
	print_digits(d, year, month, d->count > DAY ? d->pair[DAY] : day, iso);
}

/*
 * Finds the next time that matches: the omitted parts are those of today or, if that time is invalid or past,
 * the smallest omitted part is increased by one. A time with a year may be past. Returns false if neither
 * time is valid and, without a year, in the future.
 */
static bool find_date(const struct digits *d, int64_t shown_now_s, char iso[static MOMENT_TEXT])
{
	char today[MOMENT_TEXT];

	for (int ahead = 0; ahead < 2; ahead++) {
		int64_t shown_s;

		/* If only the time of day is given, the second attempt is for tomorrow. */
		moment_iso(today, shown_now_s + (d->count == HOUR + 1 ? ahead * 86400 : 0));
		date_ahead(d, today, ahead, iso);
		if (moment_parse(iso, 0, &shown_s, NULL) && (d->count > YEAR || shown_s >= shown_now_s))
			return true;
	}
	return false;
}

bool qsub_read_date(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct digits digits;
	char iso[MOMENT_TEXT];
	int64_t at_s;

	if (read_digits(text, &digits) && find_date(&digits, wallclock(by->now_s), iso))
		return wallclock_parse(iso, by->now_s, &at_s, err) && set_date(s, at_s);
	if (text[strspn(text, DIGITS ".")] == '\0')
		return err_set(err,
			       "\"%s\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) "
			       "or [[[[CC]YY]MM]DD]hhmm[.SS]",
			       text);
	return wallclock_parse(text, by->now_s, &at_s, err) && set_date(s, at_s);
}

/* --- Slurm's time limits and dates ------------------------------------------------------------------ */

/*
 * Parses up to `most` numbers separated by ':' and returns how many there are; 0 if the text has another
 * form.
 */
static size_t read_fields(const char *text, size_t most, int64_t *field)
{
	for (size_t count = 0; count < most; text++) {
		size_t len = strspn(text, DIGITS);

		if (len == 0 || len > 9)
			return 0;
		field[count] = 0;
		for (size_t i = 0; i < len; i++)
			field[count] = field[count] * 10 + text[i] - '0';
		text += len;
		count++;
		if (*text == '\0')
			return count;
		if (*text != ':')
			return 0;
	}
	return 0;
}

/*
 * Converts minutes, minutes:seconds, hours:minutes:seconds or days-hours[:minutes[:seconds]] to seconds; -1
 * for other text.
 */
static int64_t slurm_seconds(const char *text)
{
	const char *dash = strchr(text, '-');
	int64_t field[3] = {0, 0, 0}, days = 0;
	char before[16];
	size_t count;

	if (dash != NULL) {
		if ((size_t)(dash - text) >= sizeof before)
			return -1;
		memcpy(before, text, (size_t)(dash - text));
		before[dash - text] = '\0';
		if (read_fields(before, 1, &days) == 0 || read_fields(dash + 1, 3, field) == 0)
			return -1;
		return ((days * 24 + field[0]) * 60 + field[1]) * 60 + field[2];
	}
	count = read_fields(text, 3, field);
	if (count == 3)
		return (field[0] * 60 + field[1]) * 60 + field[2];
	return count == 0 ? -1 : field[0] * 60 + field[1];
}

bool qsub_read_slurm_limit(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	int64_t limit_s = slurm_seconds(text);

	(void)by;
	if (limit_s < 0 || limit_s > DURATION_MAX_S)
		return err_set(err,
			       "\"%s\" is not a Slurm time limit; write minutes, minutes:seconds, "
			       "hours:minutes:seconds or days-hours:minutes:seconds, at most %" PRId64
			       " days",
			       text, DURATION_MAX_S / 86400);
	return set_limit(s, limit_s, err);
}

/* Returns the seconds of a unit: "" (one second), "minutes", "hour" and so on; 0 for other text. */
static int64_t unit_seconds(const char *unit)
{
	static const struct {
		const char *name, *plural;
		int64_t s;
	} units[] = {{"second", "seconds", 1},
		     {"minute", "minutes", 60},
		     {"hour", "hours", 3600},
		     {"day", "days", 86400},
		     {"week", "weeks", 604800}};

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (str_same_word(unit, units[i].name) || str_same_word(unit, units[i].plural))
			return units[i].s;
	return unit[0] == '\0';
}

/* Converts the text after "now", such as "", "+60" or "+2hours", to seconds; -1 for other text. */
static int64_t seconds_from_now(const char *text)
{
	int64_t number = 0, unit_s;
	size_t len = text[0] == '+' ? strspn(text + 1, DIGITS) : 0;

	if (text[0] == '\0')
		return 0;
	unit_s = unit_seconds(text + 1 + len);
	if (len == 0 || len > 9 || unit_s == 0)
		return -1;
	for (size_t i = 1; i <= len; i++)
		number = number * 10 + text[i] - '0';
	return number > DURATION_MAX_S / unit_s ? -1 : number * unit_s;
}

static bool refuse_begin(const char *text, struct err *err)
{
	return err_set(err, "\"%s\" is not a time: write 16:30, 2026-03-24, 2026-03-24T16:30 or now+2hours",
		       text);
}

bool qsub_read_slurm_begin(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	const char *when = text;
	char iso[MOMENT_TEXT];
	int64_t at_s;

	if (strncmp(text, "now", 3) == 0) {
		at_s = seconds_from_now(text + 3);
		return at_s >= 0 ? set_date(s, by->now_s + at_s) : refuse_begin(text, err);
	}
	if (strchr(text, ':') == NULL && strlen(text) == strlen("YYYY-MM-DD")) {
		snprintf(iso, sizeof iso, "%sT00:00", text);
		when = iso;
	}
	if (strchr(when, ':') == NULL || when[0] == '+' || !wallclock_parse(when, by->now_s, &at_s, NULL))
		return refuse_begin(text, err);
	return set_date(s, at_s);
}

/* --- dependencies ------------------------------------------------------------------------------------- */

/*
 * Dependencies are parsed by depend_list_read(), after the forms of Slurm and PBS have been converted or
 * removed.
 */

/* Does the text contain a delay ('+' or '-')? A '-' between brackets belongs to a range of tasks. */
static bool has_delay(const char *text)
{
	for (bool inside = false; *text != '\0'; text++) {
		inside = *text == '[' || (inside && *text != ']');
		if (!inside && (*text == '+' || *text == '-'))
			return true;
	}
	return false;
}

#define AFTERCORR "aftercorr:"

/*
 * Replaces Slurm's aftercorr by the closest equivalent, which waits for all tasks of the other array:
 * "aftercorr:12" becomes "afterok:12[]".
 */
static const char *without_aftercorr(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *whole;

	if (strstr(text, AFTERCORR) == NULL)
		return text;
	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (strncmp(text, AFTERCORR, strlen(AFTERCORR)) == 0) {
			str_add(&out, "afterok");
			for (const char *at = text + strlen(AFTERCORR) - 1; at < text + len; at++) {
				str_add_char(&out, *at);
				if (*at != ':' && *at != ']' && (at + 1 == text + len || at[1] == ':'))
					str_add(&out, "[]");
			}
			qsub_ignore(s, "the task-by-task order of ", "aftercorr");
		} else {
			str_add_bytes(&out, text, len);
		}
		text += len;
		if (*text == ',')
			str_add_char(&out, *text++);
	}
	whole = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return whole;
}

/* Removes the server from job IDs, which PBS prints as 1234.server, or 1234[].server for an array. */
static const char *without_servers(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *short_text;

	for (; *text != '\0'; text++) {
		const char *stop = text + strcspn(text, ":,");

		if (*text == '.' && out.len > 0 && strchr("0123456789]", out.data[out.len - 1]) != NULL) {
			text = stop;
			if (*text == '\0')
				break;
		}
		str_add_char(&out, *text);
	}
	short_text = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return short_text;
}

/*
 * Removes Slurm's "singleton" from the list and records it; the jobs to wait for are determined at
 * submission.
 */
static const char *without_singleton(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *rest;

	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (len == strlen("singleton") && strncasecmp(text, "singleton", len) == 0)
			s->draft.singleton = true;
		else
			str_addf(&out, "%s%.*s", out.len > 0 ? "," : "", (int)len, text);
		text += len + (text[len] == ',');
	}
	rest = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return rest;
}

bool qsub_read_depend(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct depend_list list = {.item = NULL};
	bool good;

	(void)by;
	text = without_singleton(s, text);
	if (text[0] == '\0' && s->draft.singleton)
		return true;
	text = without_servers(s, without_aftercorr(s, text));
	if (strchr(text, '?') != NULL)
		return err_set(err,
			       "\"%s\": alternative dependencies are not supported; replace '?' with a comma",
			       text);
	if (has_delay(text))
		return err_set(err, "\"%s\": delayed dependencies are not supported; remove '+' and '-'",
			       text);
	good = depend_list_read(text, &list, err) && (list.count > 0 || err_set(err, "no job given"));
	free(list.item);
	if (good)
		s->depend = arena_string(&s->arena, text);
	return good;
}

/* --- arrays ------------------------------------------------------------------------------------------- */

/*
 * Examples are 0-9%4, 1-100:10 and 1,3,5-7: ranges separated by commas (array.h), optionally followed by '%'
 * and the maximum number of concurrent tasks.
 */

static bool read_throttle(struct submission *s, const char *text, struct err *err)
{
	int64_t number;

	if (!str_read_whole(text, &number) || number < 1 || number > ARRAY_TASKS_MAX)
		return err_set(err,
			       "the number of concurrent tasks after %% must be from 1 to %d, got \"%s\"",
			       ARRAY_TASKS_MAX, text);
	s->throttle = (uint32_t)number;
	return true;
}

bool qsub_read_array(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	const char *at = text;
	bool good = array_read(&at, s->range, &s->range_count);

	(void)by;
	s->throttle = 0;
	if (!good && s->range_count == ARRAY_RANGES_MAX)
		return err_set(err, "an array can have at most %d ranges; use a step, as in 0-98:2",
			       ARRAY_RANGES_MAX);
	if (!good || (*at != '\0' && *at != '%'))
		return err_set(err,
			       "\"%s\" is not a job array; write 0-9, 1-100:10 or 1,3,5-7, with indices up "
			       "to %d, and %%4 to run four tasks at a time",
			       text, ARRAY_INDEX_MAX);
	return array_check(s->range, s->range_count, err) && (*at == '\0' || read_throttle(s, at + 1, err));
}

uint32_t qsub_tasks(const struct submission *s)
{
	return s->range_count == 0 ? 1 : array_tasks(s->range, s->range_count);
}
