/* SPDX-License-Identifier: MIT */
/*
 * test_time_line.c - ticks of the time line, also where the clock is changed
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/drawn.h"
#include "tui/screen/time_line.h"

#define DAY_S    86400
#define SPRING_S INT64_C(1774746000) /* 2026-03-29 01:00 UTC: clocks change from 2:00 to 3:00 */
#define AUTUMN_S INT64_C(1792890000) /* 2026-10-25 01:00 UTC: clocks change from 3:00 to 2:00 */

static struct canvas canvas;

/* Central European Time as a POSIX rule, which needs no time zone database. */
static int in_europe(void **state)
{
	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	return 0;
}

static int forget(void **state)
{
	(void)state;
	canvas_free(&canvas);
	return 0;
}

static void draw(int64_t back_s, int64_t now_s)
{
	canvas_free(&canvas);
	canvas_resize(&canvas, 80, TIME_LINE_H);
	canvas.ascii = true;
	time_line_draw(&canvas, canvas_rect(&canvas), now_s - back_s, now_s);
}

static void days_begin_at_midnight_around_a_clock_change(void **state)
{
	(void)state;
	draw(14 * DAY_S, AUTUMN_S + 2 * DAY_S);
	assert_drawn(&canvas,
		     " 14 d [^...:........:........:.........:........:.........:........:.....] now\n"
		     "         10-14    10-16    10-18     10-20    10-22     10-24    10-26\n");
	draw(14 * DAY_S, SPRING_S + 2 * DAY_S);
	assert_drawn(&canvas,
		     " 14 d [^...:........:.........:........:.........:........:........:.....] now\n"
		     "         03-18    03-20     03-22    03-24     03-26    03-28    03-30\n");
}

static void ticks_are_at_whole_hours_of_local_time(void **state)
{
	(void)state;
	draw(DAY_S, AUTUMN_S + 11 * 3600);
	assert_drawn(&canvas,
		     "  1 d [^....:..........:..........:.............:..........:..........:..] now\n"
		     "          16:00      20:00      00:00         04:00      08:00      12:00\n");
	draw(DAY_S, SPRING_S + 11 * 3600);
	assert_drawn(&canvas,
		     "  1 d [^.......:..........:..........:.......:..........:..........:.....] now\n"
		     "             16:00      20:00      00:00   04:00      08:00      12:00\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(days_begin_at_midnight_around_a_clock_change, forget),
		cmocka_unit_test_teardown(ticks_are_at_whole_hours_of_local_time, forget),
	};

	return cmocka_run_group_tests_name("time_line", tests, in_europe, NULL);
}
