/* SPDX-License-Identifier: MIT */
/*
 * wallclock.c - what does the clock on the wall show at a moment?
 */
#include "wallclock.h"

#include <string.h>
#include <time.h>

#include "sched/base/str.h"
#include "sched/core/job.h"

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

/* The moment at which the clock shows shown_s. An hour that a change of the clock leaves out is taken as if
 * it had not been changed yet; one that comes twice is the second. */
static int64_t moment_of(int64_t shown_s)
{
	int64_t guess_s = shown_s - (wallclock(shown_s) - shown_s);

	return shown_s - (wallclock(guess_s) - guess_s);
}

bool wallclock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	int64_t shown_s;

	if (text[0] == '+' || str_read_whole(text, &shown_s))
		return moment_parse(text, now_s, out_s, err);
	if (!moment_parse(text, wallclock(now_s), &shown_s, err))
		return false;
	*out_s = moment_of(shown_s);
	return true;
}

bool wallclock_since(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	int64_t back_s;

	if (!duration_parse(text, &back_s, NULL))
		return wallclock_parse(text, now_s, out_s, err);
	*out_s = now_s - back_s;
	return true;
}
