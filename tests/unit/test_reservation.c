/* SPDX-License-Identifier: MIT */
/* test_reservation.c - job reservations: the earliest gap, the processors taken, and queries */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "sched/placement/profile.h"
#include "sched/placement/reservation.h"

static void reservations_take_the_earliest_gaps_in_order(void **state)
{
	struct profile *p = profile_new();
	struct reservations list = {0};

	(void)state;
	profile_reset(p, 0, 4);
	profile_note(p, 50, 6);
	assert_true(profile_settle(p));
	assert_int_equal(reservation_make(&list, p, (struct reservation){.job = 1, .procs = 8}, 0, 100), 50);
	assert_int_equal(reservation_make(&list, p, (struct reservation){.job = 2, .procs = 4}, 0, 100), 150);
	assert_int_equal(reservation_make(&list, p, (struct reservation){.job = 3, .procs = 2}, 0, 100), 0);
	assert_int_equal(reservation_make(&list, p, (struct reservation){.job = 4, .procs = 2}, 70, 10), 100);
	assert_int_equal(list.count, 4);
	assert_int_equal(list.item[0].end_s, 150);
	assert_int_equal(profile_least(p, 50, 100), 0);
	reservations_free(&list);
	profile_free(p);
}

static void a_job_that_never_fits_gets_no_reservation(void **state)
{
	struct profile *p = profile_new();
	struct reservations list = {0};

	(void)state;
	profile_reset(p, 0, 4);
	assert_true(reservation_make(&list, p, (struct reservation){.job = 1, .procs = 5}, 0, 1) ==
		    TIME_NEVER);
	assert_int_equal(list.count, 0);
	assert_int_equal(profile_steps(p), 1);
	profile_free(p);
}

static void reservations_are_found_by_job_and_by_start(void **state)
{
	struct profile *p = profile_new();
	struct reservations list = {0};

	(void)state;
	profile_reset(p, 0, 4);
	reservation_make(&list, p, (struct reservation){.job = 7, .procs = 3}, 10, 100);
	reservation_make(&list, p, (struct reservation){.job = 8, .procs = 1}, 10, 100);
	assert_int_equal(reservation_of(&list, 8)->begin_s, 10);
	assert_null(reservation_of(&list, 9));
	assert_int_equal(reservation_beginning(&list, 10, 0), 7);
	assert_int_equal(reservation_beginning(&list, 10, 7), 8);
	assert_int_equal(reservation_beginning(&list, 11, 0), 0);
	reservations_free(&list);
	assert_int_equal(list.count, 0);
	profile_free(p);
}

/* Of two reservations with the same start, the one created first. */
static void the_next_reservation_is_the_first_after_a_time(void **state)
{
	struct profile *p = profile_new();
	struct reservations list = {0};

	(void)state;
	profile_reset(p, 0, 4);
	reservation_make(&list, p, (struct reservation){.job = 5, .procs = 1}, 20, 100);
	reservation_make(&list, p, (struct reservation){.job = 6, .procs = 1}, 10, 100);
	reservation_make(&list, p, (struct reservation){.job = 7, .procs = 1}, 10, 100);
	assert_int_equal(reservation_next(&list, 0, 0)->job, 6);
	assert_int_equal(reservation_next(&list, 9, 6)->job, 7);
	assert_int_equal(reservation_next(&list, 10, 0)->job, 5);
	assert_null(reservation_next(&list, 10, 5));
	assert_null(reservation_next(&list, 20, 0));
	reservations_free(&list);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reservations_take_the_earliest_gaps_in_order),
		cmocka_unit_test(a_job_that_never_fits_gets_no_reservation),
		cmocka_unit_test(reservations_are_found_by_job_and_by_start),
		cmocka_unit_test(the_next_reservation_is_the_first_after_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
