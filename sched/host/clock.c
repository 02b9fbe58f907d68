/* SPDX-License-Identifier: MIT */
/*
 * clock.c - the clock of the scheduler, real or simulated
 */
#include "clock.h"

#include "sched/rm/monotonic.h"

#include <limits.h>

#include "sched/model/job.h"

#define LAST_S (TIME_NEVER - 1)
#define FAR_S  (UINT64_C(1) << 40)

/* Whole seconds and the rest apart: a product of the two would overflow within an hour at full speed. */
int64_t clock_now_s(const struct clock *c, int64_t now_ns)
{
	int64_t passed_ns = now_ns - c->base_ns, passed_s;

	if (passed_ns <= 0)
		return c->base_s;
	passed_s = passed_ns / SECOND_NS * c->speed + passed_ns % SECOND_NS * c->speed / SECOND_NS;
	return c->base_s < LAST_S - passed_s ? c->base_s + passed_s : LAST_S;
}

/* What is shown already stays, with the part of a second that has passed since. */
void clock_move(struct clock *c, int64_t now_ns, int64_t at_s)
{
	if (at_s <= clock_now_s(c, now_ns))
		return;
	c->base_s = at_s < LAST_S ? at_s : LAST_S;
	c->base_ns = now_ns;
}

void clock_set(struct clock *c, int64_t now_ns, const struct timespec *system)
{
	c->base_s = system->tv_sec;
	c->base_ns = now_ns - system->tv_nsec;
}

/* Ahead of the system's clock, the second that is shown begins when that comes to it. */
int64_t clock_follow(struct clock *c, int64_t now_ns, const struct timespec *system)
{
	int64_t shown_s = clock_now_s(c, now_ns), passed_ns = now_ns - c->base_ns;
	/* What the system's clock showed last and what has passed since, against what it shows now. */
	int64_t ahead_s = system->tv_sec - c->base_s - passed_ns / SECOND_NS;
	int64_t rest_ns = system->tv_nsec - passed_ns % SECOND_NS;

	ahead_s += (rest_ns >= SECOND_NS / 2) - (rest_ns <= -SECOND_NS / 2);
	if (ahead_s >= CLOCK_STEP_S || ahead_s <= -CLOCK_STEP_S)
		return ahead_s;
	clock_set(c, now_ns, system);
	if (c->base_s < shown_s) {
		c->base_ns += (shown_s - c->base_s) * SECOND_NS;
		c->base_s = shown_s;
	}
	return 0;
}

void clock_set_speed(struct clock *c, int64_t now_ns, int32_t speed)
{
	c->base_s = clock_now_s(c, now_ns);
	c->base_ns = now_ns;
	c->speed = speed < 0 ? 0 : speed > CLOCK_SPEED_MAX ? CLOCK_SPEED_MAX : speed;
}

int clock_wait_ms(const struct clock *c, int64_t now_ns, int64_t at_s)
{
	uint64_t left_s; /* between any two moments */
	int64_t wait_ms;

	if (at_s == TIME_NEVER || c->speed == 0)
		return -1;
	if (at_s <= c->base_s)
		return 0;
	/* Further than this is more than INT_MAX milliseconds at any speed. */
	left_s = (uint64_t)at_s - (uint64_t)c->base_s;
	wait_ms = (int64_t)(left_s < FAR_S ? left_s : FAR_S) * 1000;
	wait_ms = (wait_ms + c->speed - 1) / c->speed - (now_ns - c->base_ns) / 1000000;
	return wait_ms < 0 ? 0 : wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}
