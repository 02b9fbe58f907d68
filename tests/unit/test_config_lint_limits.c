/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_limits.c - lint rules for limits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

static void T_29_W18_a_soft_limit_above_the_hard_one(void **state)
{
	(void)state;
	expect_finding("user john {\n maxjob = {\"9,4\"}\n}\n", "W18", 2,
		       "maxjob of user john: the soft limit in 9,4 is above the hard limit");
	expect_finding("class f { maxwc = \"GROUP=2:00:00,1:00:00\" }\n", "W18", 1, "GROUP=2:00:00,1:00:00");
	expect_no_finding("user john { maxjob = {\"4,9\", \"GROUP=4,4\"} }\n");
}

static void T_26_W19_the_soft_value_of_an_idle_limit(void **state)
{
	(void)state;
	expect_finding("user john { maxijob = {\"4,9\"} }\n", "W19", 1,
		       "the soft limit of 4,9 has no effect");
	expect_finding("user john { maxqueued = {\"4,9\"} }\n", "W19", 1, "maxqueued of user john");
	expect_finding("user john { maxiproc = 9 } qos hi { omaxiproc = {\"4,9\"} }\n", "W19", 1,
		       "omaxiproc of qos hi");
	expect_no_finding("user john { maxijob = 9 maxqueued = 72 }\n");
}

static void W20_a_limit_that_is_set_twice(void **state)
{
	(void)state;
	expect_finding("user john { maxjob = {\"4\",\n\"GROUP=2\",\n\"5\"} }\n", "W20", 3,
		       "5 replaces an earlier limit");
	expect_finding("class john { maxjob = {\"user:a=4\", \"USER:a=5\"} }\n", "W20", 1,
		       "USER:a=5 replaces");
	expect_no_finding("class john { maxjob = {\"USER:a=4\", \"USER:b=5\", \"USER=6\", \"7\"} }\n");
	expect_no_finding("user john { maxjob = 4 maxproc = 4 } user eva { maxjob = 4 }\n");
}

static void M_16_W21_class_that_no_job_can_be_in(void **state)
{
	(void)state;
	expect_finding("class a {\n min.proc = 8\n max.proc = 4\n}\n", "W21", 2,
		       "no job can be in class a: its minimum is 8 processors, but max.proc is 4");
	expect_finding("class a { min.node = 8 max.node = 4 }\n", "W21", 1, "8 nodes, but max.node is 4");
	expect_finding("class a { min.wclimit = 2h max.wclimit = 1h }\n", "W21", 1,
		       "2:00:00 of wallclock limit, but max.wclimit is 1:00:00");
	expect_finding("systemmaxprocperjob = 4\nclass a { min.proc = 8 }\n", "W21", 2,
		       "systemmaxprocperjob is 4");
	expect_finding("systemmaxjobwalltime = 10h\nclass a { min.wclimit = 11h }\n", "W21", 2,
		       "systemmaxjobwalltime is");
	expect_finding("systemmaxprocsecondperjob = 86400\nclass a { min.proc = 64 min.wclimit = 30m }\n",
		       "W21", 2, "115200 processor-seconds, but systemmaxprocsecondperjob is 86400");
	expect_finding("class a { min.proc = 8 maxproc = \"2,6\" }\n", "W21", 1,
		       "its limit on processors is 6");
	expect_finding("class a { min.node = 8 maxinode = 6 }\n", "W21", 1, "its limit on nodes is 6");
	expect_finding("class a { min.wclimit = 2h maxwc = 1h }\n", "W21", 1,
		       "its limit on wallclock time is 1:00:00");
	expect_finding("class a { min.wclimit = 2h maxips = 3600 }\n", "W21", 1,
		       "its limit on processor-seconds is 3600");
	expect_no_finding(
		"class a { min.proc = 4 max.proc = 4 maxproc = 4 maxnode = \"USER=1\" min.node = 2 }\n");
	expect_no_finding("class a { min.proc = 4 } class b { max.proc = 2 }\n");
}

static void M_16_W21_fix_lowers_the_minimum_to_the_limit(void **state)
{
	(void)state;
	expect_fix("class a { min.node = 8 max.node = 1 }\n", "W21", "class[a].min.node=1");
	expect_fix("class a { min.wclimit = 2h max.wclimit = 1h }\n", "W21", "class[a].min.wclimit=3600");
	expect_fix("systemmaxprocsecondperjob = 86400\nclass a { min.proc = 64 min.wclimit = 30m }\n", "W21",
		   "class[a].min.wclimit=1350");
	/* 100 processors for a second are the least; 99 processor-seconds are too few for any wallclock
	 * limit. */
	expect_fix("systemmaxprocsecondperjob = 100\nclass a { min.proc = 100 min.wclimit = 30m }\n", "W21",
		   "class[a].min.wclimit=1");
	expect_fix("systemmaxprocsecondperjob = 99\nclass a { min.proc = 100 min.wclimit = 30m }\n", "W21",
		   "");
	expect_fix("class a { min.wclimit = 2h maxips = 3600 }\n", "W21", "class[a].min.wclimit=3600");
}

/* The lowest limit of a class counts, whatever the order. */
static void M_16_W21_lowest_limit_of_the_class_counts(void **state)
{
	(void)state;
	expect_finding("class a { min.proc = 8 maxproc = 4 maxiproc = 6 }\n", "W21", 1,
		       "its limit on processors is 4");
	expect_finding("class a { min.proc = 8 maxiproc = 6 maxproc = 4 }\n", "W21", 1,
		       "its limit on processors is 4");
	expect_no_finding("class a { min.proc = 8 maxproc = 8 maxiproc = 9 }\n");
}

static void M_16_W22_lower_of_two_bounds_counts(void **state)
{
	(void)state;
	expect_fix("systemmaxjobwalltime = 2h\nclass a { default.wclimit = 4h max.wclimit = 3h }\n", "W22",
		   "class[a].default.wclimit=7200");
	expect_fix("systemmaxjobwalltime = 3h\nclass a { default.wclimit = 4h max.wclimit = 2h }\n", "W22",
		   "class[a].default.wclimit=7200");
	expect_fix("class a { default.wclimit = 4h max.wclimit = 2h }\n", "W22",
		   "class[a].default.wclimit=7200");
	expect_fix("systemmaxjobwalltime = 2h\nclass a { default.wclimit = 4h }\n", "W22",
		   "class[a].default.wclimit=7200");
}

static void M_16_W22_a_bound_of_one_second_counts(void **state)
{
	(void)state;
	expect_fix("class a { default.wclimit = 9 max.wclimit = 1 }\n", "W22", "class[a].default.wclimit=1");
	expect_fix("systemmaxjobwalltime = 1\nclass a { default.wclimit = 9 max.wclimit = 5 }\n", "W22",
		   "class[a].default.wclimit=1");
}

static void M_16_W22_jobs_without_a_wallclock_limit(void **state)
{
	(void)state;
	expect_finding("class a {\n default.wclimit = 2h max.wclimit = 1h\n}\n", "W22", 2,
		       "is more than is allowed");
	expect_finding("class a { default.wclimit = 1h min.wclimit = 2h }\n", "W22", 1,
		       "is less than min.wclimit");
	expect_finding("systemmaxjobwalltime = 3h\nclass a { default.wclimit = 4h }\n", "W22", 2,
		       "more than is allowed");
	expect_finding("systemdefaultjobwalltime = 2h\nsystemmaxjobwalltime = 1h\n", "W22", 2,
		       "systemdefaultjobwalltime is more than systemmaxjobwalltime");
	expect_no_finding("class a { default.wclimit = 1h max.wclimit = 1h min.wclimit = 1h }\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(T_29_W18_a_soft_limit_above_the_hard_one),
		cmocka_unit_test(T_26_W19_the_soft_value_of_an_idle_limit),
		cmocka_unit_test(W20_a_limit_that_is_set_twice),
		cmocka_unit_test(M_16_W21_class_that_no_job_can_be_in),
		cmocka_unit_test(M_16_W21_fix_lowers_the_minimum_to_the_limit),
		cmocka_unit_test(M_16_W21_lowest_limit_of_the_class_counts),
		cmocka_unit_test(M_16_W22_lower_of_two_bounds_counts),
		cmocka_unit_test(M_16_W22_a_bound_of_one_second_counts),
		cmocka_unit_test(M_16_W22_jobs_without_a_wallclock_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
