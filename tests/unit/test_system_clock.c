/* SPDX-License-Identifier: MIT */
/*
 * test_system_clock.c - unit tests of reading the system clock and of noticing that it was set
 *
 * The real clock is not set. Functions of this program stand in for those of the C library: the timer is a
 * pipe, which becomes readable when the test reports a clock that was set.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sched/rm/system_clock.h"

#define LONG_MS 10000

static struct {
	int clock, flags, settings;
	struct itimerspec at;
	int report;   /* the other end of the pipe */
	bool refuses; /* the timer cannot be set */
} timer;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): these stand in for functions of libc */
int timerfd_create(clockid_t clock, int flags)
{
	int end[2];

	(void)flags;
	if (pipe(end) != 0)
		return -1;
	timer.clock = (int)clock;
	timer.report = end[1];
	return end[0];
}

int timerfd_settime(int fd, int flags, const struct itimerspec *at, struct itimerspec *old)
{
	(void)fd;
	(void)old;
	timer.flags = flags;
	timer.at = *at;
	timer.settings++;
	errno = EINVAL;
	return timer.refuses ? -1 : 0;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* What the kernel does with a timer that is cancelled when the clock is set: eight bytes are due to be read.
 */
static void report_set_clock(void)
{
	const uint64_t times = 1;

	assert_int_equal(write(timer.report, &times, sizeof times), sizeof times);
}

static bool is_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLIN) != 0;
}

static void the_timer_ends_only_when_the_real_clock_is_set(void **state)
{
	int fd = system_clock_watch();

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(timer.clock, CLOCK_REALTIME);
	assert_int_equal(timer.flags, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET);
	assert_true(timer.at.it_value.tv_sec > system_clock_s() + INT64_C(100) * 365 * 86400);
	assert_int_equal(system_clock_wait_ms(fd), -1);
	close(fd);
	close(timer.report);
}

static void each_set_clock_is_reported_once(void **state)
{
	int fd = system_clock_watch();

	(void)state;
	assert_true(fd >= 0);
	assert_false(is_readable(fd));
	for (int i = 0; i < 3; i++) {
		report_set_clock();
		assert_true(is_readable(fd));
		system_clock_rearm(fd);
		assert_false(is_readable(fd));
	}
	close(fd);
	close(timer.report);
}

static void without_a_timer_the_clocks_are_compared_regularly(void **state)
{
	(void)state;
	timer.refuses = true;
	assert_int_equal(system_clock_watch(), -1);
	timer.refuses = false;
	close(timer.report);
	system_clock_rearm(-1);
	assert_in_range(system_clock_wait_ms(-1), 1, LONG_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_timer_ends_only_when_the_real_clock_is_set),
		cmocka_unit_test(each_set_clock_is_reported_once),
		cmocka_unit_test(without_a_timer_the_clocks_are_compared_regularly),
	};

	return cmocka_run_group_tests_name("system_clock", tests, NULL, NULL);
}
