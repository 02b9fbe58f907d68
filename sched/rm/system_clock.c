/* SPDX-License-Identifier: MIT */
/*
 * system_clock.c - the system clock, which shows the date and can be set
 *
 * When the clock is set, the kernel cancels a timer that never expires, and thereby reports the change. Tests
 * shift the clock by the number of seconds in a file (failpoint.h).
 */
#include "system_clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "descriptors.h"
#include "sched/base/failpoint.h"

#define WITHOUT_MS         10000 /* interval of comparisons if there is no timer */
#define ENOUGH_DESCRIPTORS 64    /* if the limit is lower, jobs need the descriptor of the timer */
#define MOVED_MS           100   /* interval of comparisons while a test file shifts the clock */

/* Returns the shift requested by a test, in seconds; always 0 in a normal build. */
static int64_t moved_s(void)
{
	const char *path = fail_path("KAHU_CLOCK_FILE", NULL);
	FILE *file = path == NULL ? NULL : fopen(path, "re");
	char text[32] = "";
	bool good;

	if (file == NULL)
		return 0;
	good = fgets(text, sizeof text, file) != NULL;
	fclose(file);
	return good ? strtoll(text, NULL, 10) : 0;
}

void system_clock_read(struct timespec *out)
{
	clock_gettime(CLOCK_REALTIME, out);
	out->tv_sec += moved_s();
}

int64_t system_clock_s(void)
{
	struct timespec now;

	system_clock_read(&now);
	return now.tv_sec;
}

int system_clock_watch(void)
{
	const struct itimerspec never = {.it_value.tv_sec = (time_t)1 << 33}; /* the year 2242 */
	int fd = -1;

	if (descriptors_limit() >= ENOUGH_DESCRIPTORS)
		fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd >= 0 && timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Reading the descriptor fails with ECANCELED and rearms the timer. */
void system_clock_rearm(int fd)
{
	uint64_t times;

	if (fd >= 0)
		(void)!read(fd, &times, sizeof times);
}

int system_clock_wait_ms(int fd)
{
	if (fail_path("KAHU_CLOCK_FILE", NULL) != NULL)
		return MOVED_MS;
	return fd >= 0 ? -1 : WITHOUT_MS;
}
