/* SPDX-License-Identifier: MIT */
/*
 * shepherd_clock.c - run time and wallclock limit of the job
 *
 * The clock stands while the job is suspended. Limits beyond a thousand years are a thousand years.
 */
#include <time.h>

#include "shepherd_inside.h"

#define LIMIT_MAX_S (INT64_C(1000) * 366 * 86400)

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_ms(int64_t s)
{
	return (s < LIMIT_MAX_S ? s : LIMIT_MAX_S) * 1000;
}

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms)
{
	*c = (struct run_clock){.limit_ms = clock_ms(limit_s), .since_ms = at_ms};
}

int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms)
{
	return c->before_ms + (c->stands ? 0 : at_ms - c->since_ms);
}

void clock_stop(struct run_clock *c, int64_t at_ms)
{
	c->before_ms = clock_ran_ms(c, at_ms);
	c->stands = true;
}

void clock_go_on(struct run_clock *c, int64_t at_ms)
{
	c->before_ms = clock_ran_ms(c, at_ms);
	c->since_ms = at_ms;
	c->stands = false;
}

void clock_set_limit(struct run_clock *c, int64_t limit_s)
{
	c->limit_ms = clock_ms(limit_s);
}

int64_t clock_moment(const struct run_clock *c, int64_t left_s)
{
	return c->stands ? INT64_MAX : c->since_ms + c->limit_ms - c->before_ms - clock_ms(left_s);
}
