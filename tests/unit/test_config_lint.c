/* SPDX-License-Identifier: MIT */
/* test_config_lint.c - texts without findings, number and wording of findings */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

static void empty_and_shipped_configurations_have_no_findings(void **state)
{
	(void)state;
	expect_no_finding("");
	expect_no_finding(core_defaults_conf);
}

static void examples_of_the_guide_have_no_findings(void **state)
{
	(void)state;
	expect_no_finding("credweight = 1 userweight = 1 groupweight = 1\n"
			  "user john { priority = 2000 }\n"
			  "user paul { priority = -1000 }\n"
			  "group staff { priority = 10000 }\n");
	expect_no_finding("qos special { qtweight = 5000 }\n");
	expect_no_finding("xfactorweight = 100 qos special { xfweight = 1000 }\n");
	expect_no_finding("resweight = 10 diskweight = 100\n");
	expect_no_finding("queuetimecap = 10000 queuetimeweight = 10\n");
}

static void findings_beyond_the_buffer_are_only_counted(void **state)
{
	const char *text = "xfactorcap = 1 usercap = 1 groupcap = 1\n";
	struct config_finding one = {.id = NULL};

	(void)state;
	assert_int_equal(config_lint("kahu.conf", text, strlen(text), &one, 1), 3);
	assert_string_equal(one.id, "W3");
	assert_int_equal(config_lint("kahu.conf", text, strlen(text), NULL, 0), 3);
}

static void a_value_is_named_with_its_section(void **state)
{
	(void)state;
	expect_finding("user john {\n priority = 5\n}\n", "W5", 2, "priority of user john has no effect: ");
	expect_finding("xfactorcap = 50\n", "W3", 1, "xfactorcap = 50 has no effect: ");
	expect_finding("system {\n maxjob = {\"9,4\"}\n}\n", "W18", 2, "maxjob of the system: ");
}

static void class_limits_are_not_factors(void **state)
{
	(void)state;
	expect_no_finding(
		"class fast { max.proc = 4 min.node = 2 default.wclimit = 1h nodeaccesspolicy = shared }\n");
}

static void node_priority_is_not_a_penalty(void **state)
{
	(void)state;
	expect_no_finding("nodeallocationpolicy = priority\n"
			  "node a { procs = 1 priority = -5 }\nnode b { procs = 1 priority = -9 }\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_and_shipped_configurations_have_no_findings),
		cmocka_unit_test(examples_of_the_guide_have_no_findings),
		cmocka_unit_test(findings_beyond_the_buffer_are_only_counted),
		cmocka_unit_test(a_value_is_named_with_its_section),
		cmocka_unit_test(class_limits_are_not_factors),
		cmocka_unit_test(node_priority_is_not_a_penalty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
