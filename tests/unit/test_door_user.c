/* SPDX-License-Identifier: MIT */
/*
 * test_door_user.c - limits for each user of the socket
 *
 * Records of users alone, with moments that the tests choose.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "sched/host/door_inside.h"

/* Only its limits are looked at. */
static const struct door plain = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};

static struct door_user full_bucket(int64_t at_ms)
{
	return (struct door_user){.uid = 7, .requests = DOOR_RATE, .at_ms = at_ms};
}

static int ask_at(struct door_user *user, int64_t at_ms)
{
	int asked = 0;

	while (asked < 10 * DOOR_RATE && user_may_ask(&plain, user, at_ms))
		asked++;
	return asked;
}

static void so_many_may_be_asked_at_once_then_as_many_a_second(void **state)
{
	struct door_user user = full_bucket(1000);

	(void)state;
	assert_int_equal(ask_at(&user, 1000), DOOR_RATE);
	assert_int_equal(ask_at(&user, 1000), 0);
	assert_int_equal(ask_at(&user, 1100), DOOR_RATE / 10);
	assert_int_equal(ask_at(&user, 2100), DOOR_RATE);
}

static void a_long_rest_brings_no_more_than_one_burst(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	assert_int_equal(ask_at(&user, 0), DOOR_RATE);
	assert_int_equal(ask_at(&user, 86400000), DOOR_RATE);
}

static void who_is_trusted_asks_without_end(void **state)
{
	struct door_user user = full_bucket(0);

	(void)state;
	user.trusted = true;
	assert_int_equal(ask_at(&user, 0), 10 * DOOR_RATE);
}

static void root_and_ones_own_user_are_trusted_and_nobody_else(void **state)
{
	struct door door = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};

	(void)state;
	assert_true(user_of(&door, 0)->trusted);
	assert_true(user_of(&door, geteuid())->trusted);
	assert_false(user_of(&door, geteuid() + 1)->trusted);
	while (door.users > 0)
		free(door.user[--door.users]);
	free(door.user);
}

static void a_user_has_one_record_until_there_is_nothing_to_remember(void **state)
{
	struct door door = {.limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE}};
	struct door_user *stays, *asked, *leaves;

	(void)state;
	stays = user_of(&door, 1001);
	stays->connections = 1;
	asked = user_of(&door, 1002);
	assert_true(user_may_ask(&door, asked, asked->at_ms));
	asked->at_ms += 1000000; /* and that was not long ago */
	leaves = user_of(&door, 1003);
	assert_ptr_equal(user_of(&door, 1001), stays);
	assert_ptr_equal(user_of(&door, 1002), asked);
	assert_ptr_equal(user_of(&door, 1003), leaves);
	assert_int_equal(door.users, 3);
	user_of(&door, 1004);
	assert_int_equal(door.users, 3);
	assert_ptr_equal(user_of(&door, 1001), stays);
	assert_ptr_equal(user_of(&door, 1002), asked);
	while (door.users > 0)
		free(door.user[--door.users]);
	free(door.user);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(so_many_may_be_asked_at_once_then_as_many_a_second),
		cmocka_unit_test(a_long_rest_brings_no_more_than_one_burst),
		cmocka_unit_test(who_is_trusted_asks_without_end),
		cmocka_unit_test(root_and_ones_own_user_are_trusted_and_nobody_else),
		cmocka_unit_test(a_user_has_one_record_until_there_is_nothing_to_remember),
	};

	return cmocka_run_group_tests_name("door_user", tests, NULL, NULL);
}
