/* SPDX-License-Identifier: MIT */
/*
 * test_allowance.c - processor time and journal entries of requests: who must wait, and who comes first
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "tui/serve/allowance.h"

#define MS  1000000  /* nanoseconds */
#define DAY 86400000 /* bytes: a byte in a millisecond */

static void a_user_waits_until_what_was_used_too_much_has_come_in_again(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 1000);
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_charge(use, 100 * MS); /* a second's worth */
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_charge(use, 50 * MS);
	assert_int_equal(allowance_wait_ms(all, use), 501);
	allowance_fill(all, use, 1400);
	assert_int_equal(allowance_wait_ms(all, use), 101);
	allowance_fill(all, use, 1501);
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_free(all);
}

static void a_long_rest_brings_no_more_than_a_second(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 0);
	use = allowance_of(all, 7, 3600000);
	allowance_charge(use, 101 * MS);
	assert_int_equal(allowance_wait_ms(all, use), 11);
	allowance_free(all);
}

static void who_has_used_least_comes_first(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *busy, *seldom, *root;

	(void)state;
	allowance_set(all, 10, DAY);
	busy = allowance_of(all, 1, 0);
	busy->waiting = 1;
	seldom = allowance_of(all, 2, 0);
	seldom->waiting = 1;
	root = allowance_of(all, 0, 0);
	root->waiting = 1;
	root->exempt = true;
	allowance_charge(busy, 70 * MS);
	allowance_charge(seldom, 60 * MS);
	allowance_charge(root, 1000 * MS);
	assert_true(allowance_is_before(all, seldom, busy));
	assert_true(allowance_is_before(all, busy, root));
	assert_int_equal(allowance_wait_ms(all, root), 0);
	allowance_charge(busy, 40 * MS);
	assert_true(allowance_wait_ms(all, busy) > 0);
	assert_true(allowance_is_before(all, root, busy));
	allowance_free(all);
}

/* A user who needs a tenth of the processor does not wait until those who need less have used as much. */
static void users_who_have_used_little_take_turns(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *a, *b;

	(void)state;
	allowance_set(all, 10, DAY);
	a = allowance_of(all, 1, 0);
	a->waiting = 1;
	b = allowance_of(all, 2, 0);
	b->waiting = 1;
	allowance_charge(a, 30 * MS);
	allowance_charge(b, 10 * MS);
	assert_false(allowance_is_before(all, a, b));
	assert_false(allowance_is_before(all, b, a));
	allowance_note_served(all, b);
	assert_true(allowance_is_before(all, a, b));
	allowance_note_served(all, a);
	assert_true(allowance_is_before(all, b, a));
	allowance_charge(a, 30 * MS); /* now more than half of the bucket */
	allowance_note_served(all, b);
	assert_true(allowance_is_before(all, b, a));
	allowance_free(all);
}

static void a_record_is_kept_while_it_says_something(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *waits, *named;

	(void)state;
	allowance_set(all, 10, DAY);
	waits = allowance_of(all, 1, 0);
	waits->waiting = 1;
	named = allowance_of(all, 2, 0);
	named->names = 3;
	for (uid_t uid = 100; uid < 200; uid++)
		allowance_of(all, uid, 5000);
	assert_ptr_equal(allowance_of(all, 1, 9000), waits);
	assert_ptr_equal(allowance_of(all, 2, 9000), named);
	assert_int_equal(allowance_of(all, 2, 9000)->names, 3);
	allowance_free(all);
}

static void what_was_used_of_late_is_that_of_a_second(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	use = allowance_of(all, 1, 0);
	allowance_charge(use, 30 * MS);
	assert_int_equal(allowance_recent_ns(use, 500), 30 * MS);
	allowance_fill(all, use, 1100);
	allowance_charge(use, 10 * MS);
	assert_int_equal(allowance_recent_ns(use, 1200), 30 * MS);
	assert_int_equal(allowance_recent_ns(use, 9000), 0);
	allowance_free(all);
}

static void what_was_added_to_the_journal_comes_back_within_a_day(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 1000);
	assert_int_equal(allowance_journal_wait_s(all, use, DAY), 0);
	assert_true(allowance_journal_wait_s(all, use, DAY + 1) == TIME_NEVER);
	allowance_charge_journal(use, DAY - 5000);
	assert_int_equal(allowance_journal_wait_s(all, use, 5000), 0);
	assert_int_equal(allowance_journal_wait_s(all, use, 15000), 11);
	assert_int_equal(allowance_journal_left(use), 5000);
	allowance_fill(all, use, 11000);
	assert_int_equal(allowance_journal_used(all, use), DAY - 15000);
	assert_int_equal(allowance_journal_wait_s(all, use, 15000), 0);
	allowance_charge_journal(use, 20000); /* cancelled jobs */
	assert_int_equal(allowance_journal_left(use), 0);
	assert_int_equal(allowance_journal_wait_s(all, use, 0), 6);
	allowance_fill(all, use, 11000 + 2 * (int64_t)DAY);
	assert_int_equal(allowance_journal_used(all, use), 0);
	allowance_free(all);
}

static void a_new_limit_of_the_journal_keeps_what_was_used(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 1000);
	allowance_charge_journal(use, 3000);
	allowance_set(all, 10, 10000);
	assert_int_equal(allowance_journal_used(all, use), 3000);
	assert_int_equal(allowance_journal_left(use), 7000);
	allowance_set(all, 10, 2000);
	assert_int_equal(allowance_journal_left(use), 0);
	allowance_free(all);
}

static void a_user_is_remembered_until_the_journal_allowance_is_full_again(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 0);
	allowance_charge_journal(use, 10000000);
	allowance_of(all, 8, 5000000);
	assert_int_equal(allowance_journal_used(all, allowance_of(all, 7, 5000000)), 5000000);
	allowance_of(all, 9, 20000000);
	assert_int_equal(allowance_journal_used(all, allowance_of(all, 7, 20000000)), 0);
	allowance_free(all);
}

static void an_exempt_user_adds_to_the_journal_without_limit(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *root;

	(void)state;
	allowance_set(all, 10, 1000);
	root = allowance_of(all, 0, 0);
	root->exempt = true;
	allowance_charge_journal(root, 5000);
	assert_int_equal(allowance_journal_wait_s(all, root, 5000), 0);
	assert_int_equal(allowance_journal_used(all, root), 0);
	allowance_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_user_waits_until_what_was_used_too_much_has_come_in_again),
		cmocka_unit_test(a_long_rest_brings_no_more_than_a_second),
		cmocka_unit_test(who_has_used_least_comes_first),
		cmocka_unit_test(users_who_have_used_little_take_turns),
		cmocka_unit_test(a_record_is_kept_while_it_says_something),
		cmocka_unit_test(what_was_used_of_late_is_that_of_a_second),
		cmocka_unit_test(what_was_added_to_the_journal_comes_back_within_a_day),
		cmocka_unit_test(a_new_limit_of_the_journal_keeps_what_was_used),
		cmocka_unit_test(a_user_is_remembered_until_the_journal_allowance_is_full_again),
		cmocka_unit_test(an_exempt_user_adds_to_the_journal_without_limit),
	};

	return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
