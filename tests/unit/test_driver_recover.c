/* SPDX-License-Identifier: MIT */
/*
 * test_driver_recover.c - what remains when a commit, a store or a report fails?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"

static void a_commit_that_fails_is_told(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	size_t kept;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	driven_end(&s);
}

static void a_request_is_refused_while_the_disk_is_full(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	size_t kept;

	(void)state;
	driven_begin_again(&s, two_jobs);
	driven_step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	ev.time_s = 21;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	assert_as_stored(&s);
	ev.time_s = 21; /* too soon: the store is not even asked */
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_true(driver_next_s(s.driver) > 21);
	ev.time_s = driver_next_s(s.driver);
	driven_step(&s, ev.time_s);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_as_stored(&s);
	driven_end(&s);
}

/* Time goes on by the old clock until the store can be written. */
static void a_clock_that_was_set_is_tried_again_when_there_is_room(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		int64_t by_s = i == 0 ? 3600 : -3600;
		struct driven s;
		struct err err;

		driven_begin_again(&s, two_jobs);
		driven_step(&s, 20);
		s.ledger.fail_next = 1;
		assert_int_equal(driver_set_clock(s.driver, 30 + by_s, by_s, &err), DRIVER_REFUSED);
		assert_string_equal(err.text, "the disk is full");
		assert_as_stored(&s);
		assert_int_equal(driver_view(s.driver)->now_s, 20);
		assert_int_equal(driver_set_clock(s.driver, 30 + by_s, by_s, &err), DRIVER_REFUSED);
		driven_step(&s, driver_next_s(s.driver));
		assert_int_equal(driver_set_clock(s.driver, 40 + by_s, by_s, &err), DRIVER_DONE);
		assert_int_equal(driver_view(s.driver)->now_s, 40 + by_s);
		assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].start_s, 20 + by_s);
		assert_true(driver_next_s(s.driver) <= 40 + by_s); /* a pass */
		assert_as_stored(&s);
		/* The clock that it is by may be a little behind the last event; none is no step. */
		assert_int_equal(driver_set_clock(s.driver, 39 + by_s, 1, &err), DRIVER_DONE);
		assert_int_equal(s.ledger.event[s.ledger.count - 1].clock.by_s, -1);
		assert_int_equal(driver_set_clock(s.driver, 39 + by_s, 1, &err), DRIVER_DONE);
		driven_end(&s);
	}
}

/* Nothing reads its reports until then, and a readable descriptor would keep the event loop from sleeping. */
static void the_manager_is_not_listened_to_until_the_disk_has_room(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;

	(void)state;
	for (int settles = 0; settles < 2; settles++) {
		driven_begin_again(&s, two_jobs);
		s.manager.fd = 77;
		driven_step(&s, 20);
		assert_int_equal(driver_fd(s.driver), 77);
		s.ledger.fail_next = 1;
		ev.time_s = 21;
		assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
		assert_int_equal(driver_fd(s.driver), -1);
		assert_int_equal(driver_settle(s.driver, 21, &err), DRIVER_DONE);
		assert_int_equal(driver_fd(s.driver), -1);
		if (settles)
			assert_int_equal(driver_settle(s.driver, driver_next_s(s.driver), &err), DRIVER_DONE);
		else
			driven_step(&s, driver_next_s(s.driver));
		assert_int_equal(driver_fd(s.driver), 77);
		driven_end(&s);
	}
}

static void what_a_full_disk_refused_happens_when_there_is_room(void **state)
{
	struct driven s;

	(void)state;
	driven_begin_again(&s, two_jobs);
	driven_step(&s, 20);
	s.ledger.fail_next = 3;
	for (int64_t now_s = 60; s.ledger.fail_next > 0; now_s = driver_next_s(s.driver)) {
		driven_step(&s, now_s);
		assert_as_stored(&s);
		assert_true(driver_next_s(s.driver) > now_s); /* it does not try for ever in one moment */
	}
	assert_null(strstr(str_text(&s.manager.told), "start 2"));
	driven_step(&s, driver_next_s(s.driver));
	assert_as_stored(&s);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at"));
	assert_non_null(strstr(str_text(&s.manager.told), "start 2"));
	driven_end(&s);
}

static void a_store_that_cannot_be_read_either_is_the_end(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;

	(void)state;
	driven_begin_again(&s, two_jobs);
	driven_step(&s, 20);
	s.ledger.fail_next = 1;
	s.ledger.fail_load = true;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk cannot be read");
	s.ledger.fail_load = false;
	driven_end(&s);
}

static void a_report_that_cannot_be_is_told_and_nothing_of_it_kept(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{10, EVENT_END, 77, NULL, 0, 0},
		{10, EVENT_SUBMIT, 2, "u2", 4, 100},
		{0},
	};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_false(driver_step(s.driver, 10, &err));
	assert_non_null(strstr(err.text, "job 77 is not here"));
	assert_int_equal(s.ledger.commits, 1);
	assert_int_equal(s.watched.count, 1); /* what came after it was not looked at */
	driven_end(&s);
}

static void check_not_made(struct driven *s, const char *why)
{
	struct err err;

	assert_null(driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err));
	assert_string_equal(err.text, why);
	assert_int_equal(s->manager.closed, 1);
	assert_int_equal(s->ledger.commits, 0);
	memory_end(&s->ledger);
}

static void a_driver_that_cannot_be_made_closes_its_manager(void **state)
{
	struct driven load = {.ledger = {.fail_load = true}}, adopt = {.manager = {.refuse_adopt = true}};
	struct driven nodes = {.manager = {.nodes = 1}, .ledger = {.fail_next = 1}};

	(void)state;
	load.ledger.st = state_new();
	check_not_made(&load, "the disk cannot be read");
	adopt.ledger.st = state_new();
	check_not_made(&adopt, "the cluster does not answer");
	nodes.ledger.st = state_new();
	check_not_made(&nodes, "the disk is full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_commit_that_fails_is_told),
		cmocka_unit_test(a_request_is_refused_while_the_disk_is_full),
		cmocka_unit_test(a_clock_that_was_set_is_tried_again_when_there_is_room),
		cmocka_unit_test(the_manager_is_not_listened_to_until_the_disk_has_room),
		cmocka_unit_test(what_a_full_disk_refused_happens_when_there_is_room),
		cmocka_unit_test(a_store_that_cannot_be_read_either_is_the_end),
		cmocka_unit_test(a_report_that_cannot_be_is_told_and_nothing_of_it_kept),
		cmocka_unit_test(a_driver_that_cannot_be_made_closes_its_manager),
	};

	return cmocka_run_group_tests_name("driver_recover", tests, NULL, NULL);
}
