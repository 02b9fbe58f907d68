/* SPDX-License-Identifier: MIT */
/*
 * test_kept_clock.c - what one scheduler keeps of the system's clock for the next one
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sched/host/kept_clock.h"
#include "sched/rm/monotonic.h"

static char dir[] = "/tmp/kahu-kept.XXXXXX", path[64];

static int make_dir(void **state)
{
	(void)state;
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/clock", dir);
	return 0;
}

static int drop_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void what_is_kept_goes_on_with_the_time_since_boot(void **state)
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

static void another_boot_and_damage_are_as_nothing(void **state)
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

static void what_cannot_be_written_is_not_kept(void **state)
{
	(void)state;
	assert_false(kept_clock_write("/nonexistent/clock", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_goes_on_with_the_time_since_boot),
		cmocka_unit_test(another_boot_and_damage_are_as_nothing),
		cmocka_unit_test(what_cannot_be_written_is_not_kept),
	};

	return cmocka_run_group_tests_name("kept_clock", tests, make_dir, drop_dir);
}
