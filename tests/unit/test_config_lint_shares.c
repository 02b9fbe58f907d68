/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_shares.c - lint rules for fairshare
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "findings.h"

static void F_31_W4_a_weight_without_targets(void **state)
{
	(void)state;
	expect_finding("fspolicy = dedicatedps fsweight = 1\nfsuserweight = 10\n", "W4", 2,
		       "no user has a fstarget; write user");
	expect_finding("fspolicy = dedicatedps fsgroupweight = 10 group a { fstarget = \"5%\" }\n", "W4", 1,
		       "no group has a fstarget that is not a cap");
	expect_no_finding("fspolicy = dedicatedps fsuserweight = 10 user DEFAULT { fstarget = 10 }\n");
}

static void F_31_W5_a_target_without_weights(void **state)
{
	(void)state;
	expect_finding("fspolicy = dedicatedps\nuser john { fstarget = \"25.0+\" }\n", "W5", 2,
		       "fstarget of user john has no effect: fsuserweight is 0");
	expect_no_finding("fspolicy = dedicatedps fsuserweight = 1 user john { fstarget = \"25.0+\" }\n");
}

/* The finding is about the target, its fix about another option. */
static void F_31_W5_names_the_target_and_fixes_the_weight(void **state)
{
	struct findings found = lint("fspolicy = dedicatedps\nuser john { fstarget = \"25.0+\" }\n");

	(void)state;
	assert_int_equal(found.count, 1);
	assert_string_equal(found.item[0].option, "user[john].fstarget");
	assert_string_equal(found.item[0].fix, "fsuserweight=1");
}

/* Shares above 100 percent have no effect as a target, cap or ceiling. */
static void share_above_100_percent_does_not_count(void **state)
{
	static const char *const text[][3] = {
		{"120", "W16", "100"},   {"120+", "W16", "100"},  {"120-", "W16", "none"},
		{"120%", "W16", "none"}, {"100-", "W34", "none"}, {"100%", "W34", "none"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
		char config[128], fix[64];

		snprintf(config, sizeof config,
			 "fspolicy = dedicatedps\nfsuserweight = 1\nuser eva { fstarget = \"%s\" }\n",
			 text[i][0]);
		snprintf(fix, sizeof fix, "user[eva].fstarget=%s", text[i][2]);
		expect_fix(config, text[i][1], fix);
	}
}

/* The largest target is reduced by the excess, if it is large enough. */
static void excessive_targets_are_lowered_where_possible(void **state)
{
	struct findings found = lint("fspolicy = dedicatedps fsuserweight = 1\nuser a { fstarget = 80 }\n"
				     "user b { fstarget = \"40+\" }\n");

	(void)state;
	assert_int_equal(found.count, 1);
	assert_string_equal(found.item[0].id, "W33");
	assert_string_equal(found.item[0].fix, "user[a].fstarget=60");
	found = lint("fspolicy = dedicatedps fsuserweight = 1\nuser a { fstarget = 90 }\n"
		     "user b { fstarget = 90 }\nuser c { fstarget = 90 }\n");
	assert_int_equal(found.count, 1);
	assert_string_equal(found.item[0].id, "W33");
	assert_string_equal(found.item[0].fix, "");
}

#define SHARES "fspolicy = dedicatedps fsuserweight = 1\n"

static void rounded_thirds_have_no_finding(void **state)
{
	(void)state;
	expect_no_finding(SHARES
			  "user a { fstarget = 34 } user b { fstarget = 34 } user c { fstarget = 33 }\n");
	expect_fix(SHARES "user a { fstarget = 34 } user b { fstarget = 34 } user c { fstarget = 33.5 }\n",
		   "W33", "user[a].fstarget=32.5");
}

/* A target of 0 would be no target. */
static void target_is_lowered_only_if_it_stays_positive(void **state)
{
	(void)state;
	expect_fix(SHARES "user a { fstarget = 50 } user b { fstarget = \"90+\" } user c { fstarget = 50 }\n",
		   "W33", "");
	expect_fix(SHARES "user a { fstarget = 50 } user b { fstarget = \"90+\" } user c { fstarget = 49 }\n",
		   "W33", "user[b].fstarget=1+");
}

static void target_besides_a_cap_counts(void **state)
{
	(void)state;
	expect_finding("fspolicy = dedicatedps\nuser a { fstarget = 20 }\nuser b { fstarget = \"25%\" }\n",
		       "W5", 2, "fsuserweight is 0");
}

static void F_31_W2_a_weight_without_that_of_fairshare(void **state)
{
	struct findings found = lint("fspolicy = dedicatedps fsweight = 0\nfsuserweight = 1\n"
				     "user john { fstarget = 25 }\n");

	(void)state;
	assert_int_equal(found.count, 2);
	assert_string_equal(found.item[0].id, "W2");
	assert_string_equal(found.item[1].id, "W5");
	assert_non_null(strstr(found.item[1].text, "fsweight is 0"));
}

static void F_31_W1_fairshare_without_weights_of_its_types(void **state)
{
	struct findings found = lint("fspolicy = dedicatedps\nfsweight = 100\nuser john { fstarget = 25 }\n");

	(void)state;
	assert_int_equal(found.count, 2);
	assert_string_equal(found.item[0].id, "W1");
	assert_int_equal(found.item[0].line, 2);
	assert_string_equal(found.item[1].id, "W5");
}

static void F_31_W14_fairshare_without_a_policy(void **state)
{
	struct findings found = lint("fsuserweight = 10\nuser john { fstarget = 25 }\n");

	(void)state;
	assert_int_equal(found.count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(found.item[i].id, "W14");
		assert_int_equal(found.item[i].line, (int)i + 1);
		assert_non_null(strstr(found.item[i].text, "set fspolicy = dedicatedps"));
	}
	expect_finding("fsdecay = 0.5\n", "W14", 1, "fspolicy is none");
	expect_finding("fsdepth = 4\n", "W14", 1, "fspolicy is none");
	expect_finding("fsinterval = \"12:00:00\"\n", "W14", 1, "fspolicy is none");
	expect_no_finding("fsuserweight = 0 fsdepth = 7 fsdecay = 1\n");
}

static void F_30_W15_caps_that_block_no_job(void **state)
{
	(void)state;
	expect_finding("user john { fstarget = \"50000^\" }\n", "W15", 1, "fspolicy is none");
	expect_finding("fspolicy = dedicatedps\nuser DEFAULT { fstarget = \"25%\" }\n", "W15", 2,
		       "a cap applies only to the user for which it is set");
	expect_no_finding("fspolicy = dedicatedps user john { fstarget = \"25%\" }\n");
}

static void W16_target_above_100_percent(void **state)
{
	(void)state;
	expect_finding("fspolicy = dedicatedps fsuserweight = 1\nuser a { fstarget = 120 }\n", "W16", 2,
		       "more than 100 percent");
	expect_no_finding("fspolicy = dedicatedps user a { fstarget = \"120000^\" }\n");
}

static void W17_a_policy_without_targets(void **state)
{
	(void)state;
	expect_finding("queuetimeweight = 1\nfspolicy = dedicatedps\n", "W17", 2, "there is no fstarget");
	expect_no_finding("fspolicy = none\n");
}

static void W36_usage_is_kept_as_long_as_the_longest_job(void **state)
{
	(void)state;
	expect_finding("fspolicy = dedicatedps fsuserweight = 1 user eva { fstarget = 20 }\nfsinterval = "
		       "\"12:00:00\"\n"
		       "class a { max.wclimit = \"5:00:00:00\" }\nclass b { max.wclimit = \"7:00:00:00\" }\n"
		       "class c { max.wclimit = \"7:00:00:00\" }\nclass d { max.wclimit = \"6:00:00:00\" }\n",
		       "W36", 2, "7:00:00:00 of max.wclimit of class b");
	/* The fix is more windows or, at the maximum number, longer ones. */
	expect_fix(SHARES "user eva { fstarget = 20 } fsinterval = 3600 fsdepth = 10\n"
			  "class a { max.wclimit = 36001 }\n",
		   "W36", "fsdepth=11");
	expect_fix(SHARES "user eva { fstarget = 20 } fsinterval = 3600 fsdepth = 10\n"
			  "class a { max.wclimit = 360001 }\n",
		   "W36", "fsinterval=36001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(F_31_W4_a_weight_without_targets),
		cmocka_unit_test(F_31_W5_a_target_without_weights),
		cmocka_unit_test(F_31_W5_names_the_target_and_fixes_the_weight),
		cmocka_unit_test(share_above_100_percent_does_not_count),
		cmocka_unit_test(excessive_targets_are_lowered_where_possible),
		cmocka_unit_test(rounded_thirds_have_no_finding),
		cmocka_unit_test(target_is_lowered_only_if_it_stays_positive),
		cmocka_unit_test(target_besides_a_cap_counts),
		cmocka_unit_test(F_31_W2_a_weight_without_that_of_fairshare),
		cmocka_unit_test(F_31_W1_fairshare_without_weights_of_its_types),
		cmocka_unit_test(F_31_W14_fairshare_without_a_policy),
		cmocka_unit_test(F_30_W15_caps_that_block_no_job),
		cmocka_unit_test(W16_target_above_100_percent),
		cmocka_unit_test(W17_a_policy_without_targets),
		cmocka_unit_test(W36_usage_is_kept_as_long_as_the_longest_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
