/* SPDX-License-Identifier: MIT */
/* test_allowance.c - unit tests of the allowances of users for processor time and journal entries */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "tui/serve/allowance.h"

#define MS  1000000  /* nanoseconds */
#define DAY 86400000 /* bytes: one byte a millisecond */

static void a_user_over_the_allowance_waits_until_it_is_refilled(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 1000);
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_charge(use, 100 * MS); /* the allowance of a second */
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_charge(use, 50 * MS);
	assert_int_equal(allowance_wait_ms(all, use), 501);
	allowance_fill(all, use, 1400);
	assert_int_equal(allowance_wait_ms(all, use), 101);
	allowance_fill(all, use, 1501);
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_free(all);
}

static void the_allowance_is_refilled_to_at_most_one_second(void **state)
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

static void large_requests_wait_at_most_20_s_for_earlier_ones_of_their_user(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *use;

	(void)state;
	allowance_set(all, 10, DAY);
	use = allowance_of(all, 7, 0);
	assert_int_equal(allowance_large_full_ns(all), 300 * MS);
	allowance_charge_large(all, use, 300 * MS);
	assert_int_equal(allowance_large_wait_ms(all, use), 0);
	allowance_charge_large(all, use, 25 * MS); /* 2.5 ms are regained in a second */
	assert_int_equal(allowance_large_wait_ms(all, use), 10001);
	assert_int_equal(allowance_wait_ms(all, use), 0);
	allowance_charge_large(all, use, 1000 * MS);
	assert_int_equal(allowance_large_wait_ms(all, use), 20001);
	allowance_fill(all, use, 20001);
	assert_int_equal(allowance_large_wait_ms(all, use), 0);
	assert_true(allowance_large_used_ns(all, use) > 299 * MS);
	use = allowance_of(all, 7, 3600000);
	assert_int_equal(allowance_large_used_ns(all, use), 0);
	use->exempt = true;
	allowance_charge_large(all, use, 1000 * MS);
	assert_int_equal(allowance_large_wait_ms(all, use), 0);
	allowance_free(all);
}

static void the_user_with_the_least_usage_is_served_first(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *busy, *light, *root;

	(void)state;
	allowance_set(all, 10, DAY);
	busy = allowance_of(all, 1, 0);
	busy->waiting = 1;
	light = allowance_of(all, 2, 0);
	light->waiting = 1;
	root = allowance_of(all, 0, 0);
	root->waiting = 1;
	root->exempt = true;
	allowance_charge(busy, 70 * MS);
	allowance_charge(light, 60 * MS);
	allowance_charge(root, 1000 * MS);
	assert_true(allowance_is_before(all, light, busy));
	assert_true(allowance_is_before(all, busy, root));
	assert_int_equal(allowance_wait_ms(all, root), 0);
	allowance_charge(busy, 40 * MS);
	assert_true(allowance_wait_ms(all, busy) > 0);
	assert_true(allowance_is_before(all, root, busy));
	allowance_free(all);
}

/* A user who needs a tenth of a processor does not wait until others have used the same amount. */
static void users_below_half_of_the_allowance_take_turns(void **state)
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
	allowance_charge(a, 30 * MS); /* now more than half of the allowance */
	allowance_note_served(all, b);
	assert_true(allowance_is_before(all, b, a));
	allowance_free(all);
}

static void a_record_is_kept_while_it_is_in_use(void **state)
{
	struct allowance *all = allowance_new();
	struct allowance_use *waits, *with_names;

	(void)state;
	allowance_set(all, 10, DAY);
	waits = allowance_of(all, 1, 0);
	waits->waiting = 1;
	with_names = allowance_of(all, 2, 0);
	with_names->names = 3;
	for (uid_t uid = 100; uid < 200; uid++)
		allowance_of(all, uid, 5000);
	assert_ptr_equal(allowance_of(all, 1, 9000), waits);
	assert_ptr_equal(allowance_of(all, 2, 9000), with_names);
	assert_int_equal(allowance_of(all, 2, 9000)->names, 3);
	allowance_free(all);
}

static void recent_usage_covers_one_second(void **state)
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

static void the_journal_allowance_is_refilled_within_a_day(void **state)
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

static void a_new_journal_limit_keeps_the_usage(void **state)
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

static void journal_usage_is_kept_until_the_allowance_is_full_again(void **state)
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

static void an_exempt_user_has_no_journal_limit(void **state)
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
		cmocka_unit_test(a_user_over_the_allowance_waits_until_it_is_refilled),
		cmocka_unit_test(the_allowance_is_refilled_to_at_most_one_second),
		cmocka_unit_test(large_requests_wait_at_most_20_s_for_earlier_ones_of_their_user),
		cmocka_unit_test(the_user_with_the_least_usage_is_served_first),
		cmocka_unit_test(users_below_half_of_the_allowance_take_turns),
		cmocka_unit_test(a_record_is_kept_while_it_is_in_use),
		cmocka_unit_test(recent_usage_covers_one_second),
		cmocka_unit_test(the_journal_allowance_is_refilled_within_a_day),
		cmocka_unit_test(a_new_journal_limit_keeps_the_usage),
		cmocka_unit_test(journal_usage_is_kept_until_the_allowance_is_full_again),
		cmocka_unit_test(an_exempt_user_has_no_journal_limit),
	};

	return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
