/* SPDX-License-Identifier: MIT */
/* test_clock.c - unit tests of the scheduler's clock and its stored offset */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "sched/host/clock.h"
#include "sched/model/job.h"
#include "sched/rm/monotonic.h"
#include "tests/seed.h"

/* --- speed and limits ----------------------------------------------------------------------------- */

#define SECOND INT64_C(1000000000)
#define YEAR_S INT64_C(31557600)

static void time_passes_at_its_speed(void **state)
{
	const struct clock c = {.base_s = 1000, .base_ns = 5 * SECOND, .speed = 60};

	(void)state;
	assert_int_equal(clock_now_s(&c, 5 * SECOND), 1000);
	assert_int_equal(clock_now_s(&c, 6 * SECOND), 1060);
	assert_int_equal(clock_now_s(&c, 5 * SECOND + SECOND / 60), 1000);
	assert_int_equal(clock_now_s(&c, 5 * SECOND + SECOND / 60 + 1), 1001);
	assert_int_equal(clock_now_s(&c, 65 * SECOND - 1), 4599);
}

static void at_speed_0_the_clock_stops(void **state)
{
	const struct clock c = {.base_s = 7, .base_ns = 0, .speed = 0};

	(void)state;
	assert_int_equal(clock_now_s(&c, INT64_MAX), 7);
	assert_int_equal(clock_wait_ms(&c, 0, 8), -1);
}

static void before_its_start_the_clock_shows_its_start(void **state)
{
	const struct clock c = {.base_s = 7, .base_ns = 10 * SECOND, .speed = 100};

	(void)state;
	assert_int_equal(clock_now_s(&c, 3 * SECOND), 7);
}

static void a_new_speed_applies_from_the_current_time(void **state)
{
	struct clock c = {.base_s = 0, .base_ns = 0, .speed = 10};

	(void)state;
	clock_set_speed(&c, 3 * SECOND, 100);
	assert_int_equal(c.speed, 100);
	assert_int_equal(clock_now_s(&c, 3 * SECOND), 30);
	assert_int_equal(clock_now_s(&c, 4 * SECOND), 130);
	clock_set_speed(&c, 4 * SECOND, 0);
	assert_int_equal(clock_now_s(&c, 400 * SECOND), 130);
	clock_set_speed(&c, 400 * SECOND, 1);
	assert_int_equal(clock_now_s(&c, 401 * SECOND), 131);
}

static void speed_is_limited_to_a_day_per_second(void **state)
{
	struct clock c = {0};

	(void)state;
	clock_set_speed(&c, 0, -5);
	assert_int_equal(c.speed, 0);
	clock_set_speed(&c, 0, INT32_MAX);
	assert_int_equal(c.speed, CLOCK_SPEED_MAX);
}

static void a_clock_is_only_moved_forward(void **state)
{
	struct clock c = {.base_s = 100, .base_ns = 0, .speed = 1};

	(void)state;
	clock_move(&c, 10 * SECOND, 50);
	assert_int_equal(clock_now_s(&c, 10 * SECOND), 110);
	clock_move(&c, 10 * SECOND, 500);
	assert_int_equal(clock_now_s(&c, 10 * SECOND), 500);
	assert_int_equal(clock_now_s(&c, 11 * SECOND), 501);
}

/* Moved to its current time a thousand times a second, the clock still advances by a second a second. */
static void moving_to_the_current_time_loses_no_fractions(void **state)
{
	struct clock c = {.base_s = 0, .base_ns = 0, .speed = 1};

	(void)state;
	for (int64_t ms = 1; ms <= 5000; ms++)
		clock_move(&c, ms * 1000000, clock_now_s(&c, ms * 1000000));
	assert_int_equal(clock_now_s(&c, 5 * SECOND), 5);
}

/* --- following the system clock ------------------------------------------------------------------- */

static int64_t follow(struct clock *c, int64_t now_ms, int64_t system_ms)
{
	struct timespec system = {.tv_sec = system_ms / 1000, .tv_nsec = system_ms % 1000 * 1000000};

	return clock_follow(c, now_ms * 1000000, &system);
}

/* A clock that follows the system clock and is half a second into its first second. */
static struct clock clock_following_system(void)
{
	struct clock c = {.base_s = 1000, .base_ns = 0, .speed = 1};

	assert_int_equal(follow(&c, 0, 1000500), 0);
	return c;
}

static void seconds_begin_with_those_of_the_system_clock(void **state)
{
	struct clock c = clock_following_system();

	(void)state;
	assert_int_equal(clock_now_s(&c, 499 * 1000000), 1000);
	assert_int_equal(clock_now_s(&c, 500 * 1000000), 1001);
	assert_int_equal(clock_wait_ms(&c, 0, 1001), 500);
}

/* A system clock that runs fast is followed. */
static void a_small_step_forward_is_followed_at_once(void **state)
{
	struct clock c = clock_following_system();

	(void)state;
	assert_int_equal(follow(&c, 1000, 1000500 + 1000 + 4400), 0);
	assert_int_equal(clock_now_s(&c, 1000 * 1000000), 1005);
	assert_int_equal(clock_now_s(&c, 1100 * 1000000), 1006);
}

/* The shown time stops until the system clock has caught up, and then continues with it. */
static void a_small_step_back_stops_the_shown_time(void **state)
{
	struct clock c = clock_following_system();
	int64_t shown_s = clock_now_s(&c, 1000 * 1000000);

	(void)state;
	assert_int_equal(shown_s, 1001);
	for (int64_t ms = 1000; ms < 6000; ms += 100) {
		assert_int_equal(follow(&c, ms, 1000500 + ms - 4000), 0);
		assert_true(clock_now_s(&c, ms * 1000000) >= shown_s);
		shown_s = clock_now_s(&c, ms * 1000000);
		assert_int_equal(shown_s,
				 1000500 + ms - 4000 < 1001000 ? 1001 : (1000500 + ms - 4000) / 1000);
	}
	assert_int_equal(clock_wait_ms(&c, 5900 * INT64_C(1000000), 1003), 600);
}

/* No single difference is a step; over a day they add up to 86 seconds. */
static void a_slow_clock_is_followed_over_any_total_difference(void **state)
{
	struct clock c = clock_following_system();

	(void)state;
	for (int64_t s = 0; s < 86400; s += 60)
		assert_int_equal(follow(&c, s * 1000, 1000500 + s * 999), 0);
	assert_int_equal(clock_now_s(&c, 86400 * SECOND), 1000 + 86400 - 86);
}

static void a_large_step_is_reported_and_not_followed(void **state)
{
	static const int64_t by_s[] = {CLOCK_STEP_S, -CLOCK_STEP_S, 3600, -3600, 100 * YEAR_S, -100 * YEAR_S};

	(void)state;
	for (size_t i = 0; i < sizeof by_s / sizeof by_s[0]; i++) {
		struct clock c = clock_following_system();
		struct timespec system = {.tv_sec = 1010 + by_s[i], .tv_nsec = 600000000};

		assert_int_equal(clock_follow(&c, 10 * SECOND, &system), by_s[i]);
		assert_int_equal(clock_now_s(&c, 10 * SECOND), 1010);
		clock_set(&c, 10 * SECOND, &system);
		assert_int_equal(clock_now_s(&c, 10 * SECOND), 1010 + by_s[i]);
		assert_int_equal(clock_now_s(&c, 10 * SECOND + 400000000), 1011 + by_s[i]);
		assert_int_equal(clock_follow(&c, 10 * SECOND, &system), 0);
	}
}

/* After a small step back the shown time stops; a step is still measured from the system clock. */
static void a_step_while_the_clock_is_stopped_is_measured_from_the_system_clock(void **state)
{
	struct clock c = clock_following_system();

	(void)state;
	assert_int_equal(follow(&c, 0, 1000500 - 4000), 0);
	assert_int_equal(follow(&c, 1000, 1000500 + 1000 - 4000 - 3600000), -3600);
	assert_int_equal(follow(&c, 1000, 1000500 + 1000 - 4000), 0);
	assert_int_equal(clock_now_s(&c, 1000 * 1000000), 1000);
}

static void the_wait_is_rounded_up(void **state)
{
	const struct clock c = {.base_s = 0, .base_ns = 0, .speed = 3};

	(void)state;
	assert_int_equal(clock_wait_ms(&c, 0, 3), 1000);
	assert_int_equal(clock_wait_ms(&c, 0, 1), 334);
	assert_int_equal(clock_wait_ms(&c, SECOND / 4, 3), 750);
	assert_int_equal(clock_wait_ms(&c, SECOND, 3), 0);
	assert_int_equal(clock_wait_ms(&c, 5 * SECOND, 3), 0);
	assert_int_equal(clock_wait_ms(&c, 0, 0), 0);
	assert_int_equal(clock_wait_ms(&c, 0, -1), 0);
	assert_int_equal(clock_wait_ms(&c, 0, TIME_NEVER), -1);
}

static void the_wait_for_a_distant_time_is_exact_or_the_maximum(void **state)
{
	struct clock c = {.base_s = 0, .base_ns = 0, .speed = CLOCK_SPEED_MAX};

	(void)state;
	/* A hundred years at a day a second: 36 525 s. */
	assert_int_equal(clock_wait_ms(&c, 0, 100 * YEAR_S), 36525000);
	assert_int_equal(clock_wait_ms(&c, 0, TIME_NEVER - 1), INT_MAX);
	c.speed = 1;
	assert_int_equal(clock_wait_ms(&c, 0, 100 * YEAR_S), INT_MAX);
	assert_int_equal(clock_wait_ms(&c, INT64_MAX, TIME_NEVER - 1), INT_MAX);
	assert_int_equal(clock_wait_ms(&c, INT64_MAX, 100 * YEAR_S), 0);
}

static void time_does_not_overflow_at_its_maximum(void **state)
{
	struct clock c = {.base_s = TIME_NEVER - 10, .base_ns = 0, .speed = CLOCK_SPEED_MAX};

	(void)state;
	assert_true(clock_now_s(&c, SECOND) == TIME_NEVER - 1);
	assert_true(clock_now_s(&c, INT64_MAX) == TIME_NEVER - 1);
	clock_move(&c, SECOND, TIME_NEVER);
	assert_true(clock_now_s(&c, 2 * SECOND) == TIME_NEVER - 1);
	clock_set_speed(&c, 3 * SECOND, 1);
	assert_true(clock_now_s(&c, 3 * SECOND) == TIME_NEVER - 1);
}

static void time_does_not_overflow_at_its_minimum(void **state)
{
	const struct clock c = {.base_s = TIME_NONE, .base_ns = 0, .speed = CLOCK_SPEED_MAX};

	(void)state;
	assert_true(clock_now_s(&c, SECOND) == TIME_NONE + CLOCK_SPEED_MAX);
	assert_true(clock_now_s(&c, INT64_MAX) < 0);
	assert_int_equal(clock_wait_ms(&c, 0, TIME_NEVER - 1), INT_MAX);
	assert_int_equal(clock_wait_ms(&c, 0, TIME_NONE + CLOCK_SPEED_MAX), 1000);
}

/* A year at full speed and odd fractions of a second: integer arithmetic is exact. */
static void time_is_exact_after_a_year_at_full_speed(void **state)
{
	const struct clock c = {.base_s = 0, .base_ns = 0, .speed = CLOCK_SPEED_MAX};

	(void)state;
	assert_true(clock_now_s(&c, YEAR_S * SECOND) == YEAR_S * CLOCK_SPEED_MAX);
	assert_true(clock_now_s(&c, YEAR_S * SECOND + SECOND / 3) == YEAR_S * CLOCK_SPEED_MAX + 28799);
}

/* The time is reached after the wait, and was not exceeded two milliseconds earlier. */
static void after_the_wait_the_time_is_reached(void **state)
{
	struct rng rng = seeded("clock waits");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct clock c = {.base_s = (int64_t)rng_below(&rng, 1u << 31),
				  .base_ns = (int64_t)rng_below(&rng, UINT64_C(1) << 50),
				  .speed = 1 + (int32_t)rng_below(&rng, CLOCK_SPEED_MAX)};
		int64_t now_ns = c.base_ns + (int64_t)rng_below(&rng, 100 * (uint64_t)SECOND);
		int64_t at_s = clock_now_s(&c, now_ns) + (int64_t)rng_below(&rng, 100000);
		int wait_ms = clock_wait_ms(&c, now_ns, at_s);

		assert_true(wait_ms >= 0);
		assert_true(clock_now_s(&c, now_ns + (int64_t)wait_ms * 1000000) >= at_s);
		if (wait_ms > 2)
			assert_true(clock_now_s(&c, now_ns + ((int64_t)wait_ms - 2) * 1000000) <= at_s);
	}
}

/* --- stored offset -------------------------------------------------------------------------------- */

static char dir[] = "/tmp/kahu-kept.XXXXXX", path[64];

static int setup(void **state)
{
	(void)state;
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/clock", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void stored_offset_is_added_to_the_time_since_boot(void **state)
{
	static const int64_t difference_s[] = {0, 1700000000, -86400};
	int64_t now_s;

	(void)state;
	assert_false(kept_clock_read(path, &now_s));
	for (size_t i = 0; i < sizeof difference_s / sizeof difference_s[0]; i++) {
		int64_t before_s = boottime_ns() / 1000000000;

		assert_true(kept_clock_write(path, difference_s[i]));
		assert_true(kept_clock_read(path, &now_s));
		assert_true(now_s >= before_s + difference_s[i]);
		assert_true(now_s <= boottime_ns() / 1000000000 + difference_s[i]);
	}
	kept_clock_remove(path);
	assert_false(kept_clock_read(path, &now_s));
}

static void a_damaged_file_or_one_of_another_boot_is_ignored(void **state)
{
	static const char *const text[] = {"", "1\n", "00000000-0000-0000-0000-000000000000 1700000000\n",
					   "00000000-0000-0000-0000-000000000000\n"};
	int64_t now_s;

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		fputs(text[i], file);
		fclose(file);
		assert_false(kept_clock_read(path, &now_s));
	}
}

static void a_failed_write_is_reported(void **state)
{
	(void)state;
	assert_false(kept_clock_write("/nonexistent/clock", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_passes_at_its_speed),
		cmocka_unit_test(at_speed_0_the_clock_stops),
		cmocka_unit_test(before_its_start_the_clock_shows_its_start),
		cmocka_unit_test(a_new_speed_applies_from_the_current_time),
		cmocka_unit_test(speed_is_limited_to_a_day_per_second),
		cmocka_unit_test(a_clock_is_only_moved_forward),
		cmocka_unit_test(moving_to_the_current_time_loses_no_fractions),
		cmocka_unit_test(seconds_begin_with_those_of_the_system_clock),
		cmocka_unit_test(a_small_step_forward_is_followed_at_once),
		cmocka_unit_test(a_small_step_back_stops_the_shown_time),
		cmocka_unit_test(a_slow_clock_is_followed_over_any_total_difference),
		cmocka_unit_test(a_large_step_is_reported_and_not_followed),
		cmocka_unit_test(a_step_while_the_clock_is_stopped_is_measured_from_the_system_clock),
		cmocka_unit_test(the_wait_is_rounded_up),
		cmocka_unit_test(the_wait_for_a_distant_time_is_exact_or_the_maximum),
		cmocka_unit_test(time_does_not_overflow_at_its_maximum),
		cmocka_unit_test(time_does_not_overflow_at_its_minimum),
		cmocka_unit_test(time_is_exact_after_a_year_at_full_speed),
		cmocka_unit_test(after_the_wait_the_time_is_reached),
		cmocka_unit_test(stored_offset_is_added_to_the_time_since_boot),
		cmocka_unit_test(a_damaged_file_or_one_of_another_boot_is_ignored),
		cmocka_unit_test(a_failed_write_is_reported),
	};

	return cmocka_run_group_tests_name("clock", tests, setup, teardown);
}
