/* SPDX-License-Identifier: MIT */
/*
 * clock.c - what time is it in the simulated world, and how long is it until then?
 */
#include "clock.h"

#include <limits.h>

#include "sched/core/job.h"

#define SECOND_NS INT64_C(1000000000)

/* Whole seconds and the rest apart: a product of the two would overflow within an hour at full speed. */
int64_t clock_now_s(const struct clock *c, int64_t now_ns)
{
	int64_t passed_ns = now_ns - c->base_ns;

	if (passed_ns <= 0)
		return c->base_s;
	return c->base_s + passed_ns / SECOND_NS * c->speed + passed_ns % SECOND_NS * c->speed / SECOND_NS;
}

void clock_move(struct clock *c, int64_t now_ns, int64_t at_s)
{
	int64_t shown_s = clock_now_s(c, now_ns);

	c->base_s = at_s > shown_s ? at_s : shown_s;
	c->base_ns = now_ns;
}

void clock_set_speed(struct clock *c, int64_t now_ns, int32_t speed)
{
	clock_move(c, now_ns, c->base_s);
	c->speed = speed < 0 ? 0 : speed > CLOCK_SPEED_MAX ? CLOCK_SPEED_MAX : speed;
}

int clock_wait_ms(const struct clock *c, int64_t now_ns, int64_t at_s)
{
	int64_t left_s, wait_ms;

	if (at_s == TIME_NEVER || c->speed == 0)
		return -1;
	left_s = at_s - c->base_s;
	if (left_s <= 0)
		return 0;
	if (left_s > INT64_C(1000000000))
		return INT_MAX;
	wait_ms = (left_s * 1000 + c->speed - 1) / c->speed - (now_ns - c->base_ns) / 1000000;
	return wait_ms < 0 ? 0 : wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}
