/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_weights.c - lint rules for weights
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

static void W1_a_component_whose_factors_have_no_weight(void **state)
{
	(void)state;
	expect_finding("queuetimeweight = 1\nresweight = 10\n", "W1", 2, "set nodeweight or another");
	expect_finding("partition p {\n resweight = 10\n}\n", "W1", 2,
		       "resweight of partition p has no effect");
	expect_no_finding("resweight = 10 procweight = 1\n");
	expect_no_finding("resweight = 1\n");
	expect_no_finding("resweight = 0\n");
	expect_no_finding("serviceweight = 10 queuetimeweight = 0 qos hi { xfweight = 1 }\n");
}

static void W2_a_factor_whose_component_has_no_weight(void **state)
{
	(void)state;
	expect_finding("resweight = 0\nprocweight = 5\n", "W2", 2, "resweight is 0");
	expect_finding("partition p { resweight = 0\n procweight = 5 }\n", "W2", 2, "resweight is 0");
	expect_no_finding("resweight = 0 partition p { resweight = 1 procweight = 5 }\n");
}

static void W3_cap_without_a_weight(void **state)
{
	(void)state;
	expect_finding("xfactorcap = 50\n", "W3", 1, "xfactorweight is 0");
	expect_finding("fsweight = 0\nfscap = 50\n", "W3", 2, "fsweight is 0");
	expect_no_finding("xfactorcap = 50 xfactorweight = 1\n");
	expect_no_finding("xfactorcap = 50 qos hi { xfweight = 1 }\n");
	expect_no_finding("xfactorcap = 0\n");
}

static void W4_factor_without_values(void **state)
{
	(void)state;
	expect_finding("userweight = 10\n", "W4", 1, "no user has a priority");
	expect_finding("classweight = 10\nuser john { }\n", "W4", 1, "class NAME { priority = ... }");
	expect_finding("targetxfactorweight = 1\n", "W4", 1, "no qos or user has a xftarget");
	expect_finding("targetqueuetimeweight = 1\n", "W4", 1, "no qos or user has a qttarget");
	expect_no_finding("userweight = 10 user DEFAULT { priority = 1 }\n");
	expect_no_finding("targetxfactorweight = 1 user DEFAULT { xftarget = 3 }\n");
}

static void W5_a_credential_whose_factor_has_no_weight(void **state)
{
	(void)state;
	expect_finding("user john {\n priority = 5\n}\n", "W5", 2,
		       "priority of user john has no effect: userweight is 0");
	expect_finding("credweight = 0\nuser john { priority = 5 }\n", "W5", 2, "userweight is 0");
	expect_finding("qos hi { qttarget = 1h }\n", "W5", 1, "targetqueuetimeweight is 0");
	expect_finding("user DEFAULT { xftarget = 2 }\n", "W5", 1, "targetxfactorweight is 0");
	expect_finding("reservationpolicy = highest serviceweight = 0 resweight = 1 procweight = 1\nqos hi { "
		       "qtweight "
		       "= 5 }\n",
		       "W5", 2, "serviceweight is 0");
	expect_no_finding("partition p { userweight = 1 } user john { priority = 5 }\n");
}

static void W6_no_weight_at_all(void **state)
{
	(void)state;
	expect_finding("queuetimeweight = 0\n", "W6", 0, "set queuetimeweight = 1");
	expect_finding("serviceweight = 0\n", "W6", 0, "ordered by submission time");
	expect_no_finding("reservationpolicy = highest queuetimeweight = 0 procweight = 1\n");
}

static void W7_penalties_made_equal_by_the_floor(void **state)
{
	const char *text = "userweight = 1\nuser paul { priority = -1000 }\nuser eva { priority = -5000 }\n";

	(void)state;
	expect_finding(text, "W7", 3, "user paul (-1000) and of user eva (-5000)");
	expect_no_finding("userweight = 1 user paul { priority = -5 } user eva { priority = -5 }\n");
	expect_no_finding("userweight = 1 enablenegjobpriority = true\n"
			  "user paul { priority = -1000 } user eva { priority = -5000 }\n");
}

static void W8_jobs_that_stay_rejected(void **state)
{
	(void)state;
	expect_finding("userweight = 1 rejectnegpriojobs = true jobprioaccrualpolicy = fullpolicy\n"
		       "user paul { priority = -1000 }\n",
		       "W8", 2, "jobprioaccrualpolicy = fullpolicy stops their queue time");
	expect_finding("reservationpolicy = highest userweight = 1 rejectnegpriojobs = true queuetimeweight "
		       "= 0\nuser "
		       "paul { priority = -1000 }\n",
		       "W8", 2, "waiting adds nothing");
	expect_no_finding("userweight = 1 rejectnegpriojobs = true\nuser paul { priority = -1000 }\n");
	expect_no_finding(
		"reservationpolicy = highest userweight = 1 rejectnegpriojobs = true queuetimeweight = "
		"0 user a { priority = 1 }\n");
}

static void W11_an_xfactor_without_minimum(void **state)
{
	(void)state;
	expect_finding("xfactorweight = 10\nxfminwclimit = 0\n", "W11", 2, "set xfminwclimit or xfactorcap");
	expect_no_finding("xfactorweight = 10\n");
	expect_no_finding("xfactorweight = 10 xfminwclimit = 0 xfactorcap = 100\n");
	expect_no_finding("xfminwclimit = 0\n");
}

static void W30_negative_weight_of_queue_time(void **state)
{
	(void)state;
	expect_finding("procweight = 1\nqueuetimeweight = -1\n", "W30", 2, "is negative");
	expect_finding("partition p {\n queuetimeweight = -1 }\n", "W30", 2, "is negative");
	expect_no_finding("serviceweight = -1 queuetimeweight = -1\n");
}

static void W13_targets_that_reach_the_highest_priority(void **state)
{
	(void)state;
	expect_finding("qos hi { qttarget = 1h }\ntargetqueuetimeweight = 10\n", "W13", 2,
		       "keep targetweight * targetqueuetimeweight below 10");
	expect_no_finding("qos hi { qttarget = 1h }\ntargetqueuetimeweight = 9.5\n");
	expect_no_finding("qos hi { qttarget = 1h }\ntargetqueuetimeweight = 100 targetcap = 1e6\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(W1_a_component_whose_factors_have_no_weight),
		cmocka_unit_test(W2_a_factor_whose_component_has_no_weight),
		cmocka_unit_test(W3_cap_without_a_weight),
		cmocka_unit_test(W4_factor_without_values),
		cmocka_unit_test(W5_a_credential_whose_factor_has_no_weight),
		cmocka_unit_test(W6_no_weight_at_all),
		cmocka_unit_test(W7_penalties_made_equal_by_the_floor),
		cmocka_unit_test(W8_jobs_that_stay_rejected),
		cmocka_unit_test(W11_an_xfactor_without_minimum),
		cmocka_unit_test(W30_negative_weight_of_queue_time),
		cmocka_unit_test(W13_targets_that_reach_the_highest_priority),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
