/* SPDX-License-Identifier: MIT */
/*
 * wallclock.c - conversion between UTC and local time
 */
#include "wallclock.h"

#include <string.h>
#include <time.h>

#include "sched/base/str.h"
#include "sched/model/job.h"

int64_t wallclock(int64_t at_s)
{
	struct tm tm;
	time_t t = (time_t)at_s;

	if (at_s == TIME_NEVER || at_s == TIME_NONE || !localtime_r(&t, &tm))
		return at_s;
	return at_s + tm.tm_gmtoff;
}

const char *wallclock_iso(char buf[static MOMENT_TEXT], int64_t at_s)
{
	return moment_iso(buf, wallclock(at_s));
}

const char *wallclock_long(char buf[static MOMENT_TEXT], int64_t at_s)
{
	return moment_long(buf, wallclock(at_s));
}

const char *wallclock_short(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s)
{
	return moment_short(buf, wallclock(at_s), wallclock(now_s));
}

#define DAY_S INT64_C(86400)

/* Returns the offset of local time from UTC, in seconds. */
static int64_t ahead_s(int64_t at_s)
{
	return wallclock(at_s) - at_s;
}

/*
 * Finds the UTC times at which a local clock shows shown_s, and returns their number: two for an hour that
 * occurs twice, otherwise one. A time in a skipped hour is read as if the clock had not been changed yet.
 */
static size_t moments_of(int64_t shown_s, int64_t moment[static 2])
{
	int64_t before_s = ahead_s(shown_s - DAY_S), after_s = ahead_s(shown_s + DAY_S);
	size_t count = 0;

	if (wallclock(shown_s - before_s) == shown_s || before_s == after_s)
		moment[count++] = shown_s - before_s;
	if (before_s != after_s && wallclock(shown_s - after_s) == shown_s)
		moment[count++] = shown_s - after_s;
	if (count == 0)
		moment[count++] = shown_s - before_s;
	return count;
}

int64_t wallclock_moment(int64_t shown_s)
{
	int64_t moment[2];

	moments_of(shown_s, moment);
	return moment[0];
}

/* The best of the times that a text may mean. */
struct choice {
	int64_t now_s, best_s;
	bool last, found; /* last: prefer the last time up to now_s; otherwise the next time from now_s on */
};

static void choose(struct choice *c, int64_t at_s)
{
	bool fits = c->last ? at_s <= c->now_s : at_s >= c->now_s;
	bool best_fits = c->last ? c->best_s <= c->now_s : c->best_s >= c->now_s;

	/*
	 * Choose the time nearest to now_s on the preferred side of it; if there is none on this side, the
	 * nearest on the other.
	 */
	if (!c->found || fits > best_fits || (fits == best_fits && (fits == c->last) == (at_s > c->best_s)))
		c->best_s = at_s;
	c->found = true;
}

/*
 * Chooses among the times that a text means on the days around now_s. A time of day occurs once on each day,
 * or twice; days on which the clock is changed are longer or shorter.
 */
static bool read_moment(const char *text, struct choice *c, struct err *err)
{
	int64_t shown_s, shown_now_s = wallclock(c->now_s), moment[2];

	for (int64_t days = -2; days <= 1; days++) {
		if (!moment_parse(text, shown_now_s + days * DAY_S, &shown_s, days == 0 ? err : NULL)) {
			if (days == 0)
				return false;
			continue;
		}
		for (size_t i = moments_of(shown_s, moment); i-- > 0;)
			choose(c, moment[i]);
	}
	return true;
}

static bool parse(const char *text, struct choice c, int64_t *out_s, struct err *err)
{
	int64_t whole;

	if (text[0] == '+' || str_read_whole(text, &whole))
		return moment_parse(text, c.now_s, out_s, err);
	if (!read_moment(text, &c, err))
		return false;
	*out_s = c.best_s;
	return true;
}

bool wallclock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	return parse(text, (struct choice){.now_s = now_s}, out_s, err);
}

bool wallclock_last(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	return parse(text, (struct choice){.now_s = now_s, .last = true}, out_s, err);
}

/* Returns the time of midnight at the beginning of the day that is days_back days before today. */
static int64_t midnight(int64_t now_s, int64_t days_back)
{
	int64_t shown_s = wallclock(now_s);

	return wallclock_moment(shown_s - (shown_s % DAY_S + DAY_S) % DAY_S - days_back * DAY_S);
}

bool wallclock_since(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	int64_t back_s;

	if (str_same_word(text, "today") || str_same_word(text, "yesterday")) {
		*out_s = midnight(now_s, str_same_word(text, "yesterday"));
		return true;
	}
	if (text[0] == '-' && text[1] != '-')
		text++; /* -2d means the same as 2d: two days ago */
	if ((strchr(text, ':') != NULL && wallclock_last(text, now_s, out_s, NULL)) ||
	    !duration_parse(text, &back_s, NULL))
		return wallclock_last(text, now_s, out_s, err);
	*out_s = now_s - back_s;
	return true;
}
