/* SPDX-License-Identifier: MIT */
/*
 * test_reservation.c - is a promise made at the earliest gap, taken, and found again?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "sched/placement/profile.h"
#include "sched/placement/reservation.h"

static void promises_take_the_earliest_gaps_in_order(void **state)
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

static void what_never_fits_gets_no_promise(void **state)
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

static void promises_are_found_by_job_and_by_beginning(void **state)
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

/* Of two that begin at once the one that was made first. */
static void the_next_promise_is_the_first_after_a_moment(void **state)
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
		cmocka_unit_test(promises_take_the_earliest_gaps_in_order),
		cmocka_unit_test(what_never_fits_gets_no_promise),
		cmocka_unit_test(promises_are_found_by_job_and_by_beginning),
		cmocka_unit_test(the_next_promise_is_the_first_after_a_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
