/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_order.c - lint rules for job order, reservations and node allocation
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

static void W9_backfill_without_reservations(void **state)
{
	(void)state;
	expect_finding("backfillpolicy = firstfit\nreservationpolicy = never\n", "W9", 2, "currenthighest");
	expect_finding("reservationdepth = 0\n", "W9", 1, "set reservationdepth = 1");
	expect_no_finding("backfillpolicy = none reservationpolicy = never\n");
	expect_no_finding("reservationpolicy = highest\n");
}

static void W10_a_depth_that_is_not_used(void **state)
{
	(void)state;
	expect_finding("backfillpolicy = none\nreservationdepth = 5\n", "W10", 2, "backfillpolicy = none");
	expect_finding("backfillpolicy = none reservationpolicy = never\nreservationdepth = 5\n", "W10", 2,
		       "reservationpolicy is never");
	expect_no_finding("reservationdepth = 5\n");
	expect_no_finding("backfillpolicy = none reservationdepth = 1\n");
}

static void W10_choices_made_ineffective_by_others(void **state)
{
	(void)state;
	expect_finding("backfillmetric = seconds\n", "W10", 1,
		       "backfillpolicy is neither bestfit nor greedy");
	expect_no_finding("backfillmetric = seconds backfillpolicy = bestfit\n");
	expect_no_finding("backfillmetric = procs\n");
	expect_finding("backfillpolicy = none\nbackfilldepth = 5\n", "W10", 2, "backfillpolicy is none");
	expect_finding("hardpass = idleonly\n", "W10", 1, "no limit on running jobs has a soft value");
	expect_no_finding("hardpass = idleonly user DEFAULT { maxjob = \"2,8\" }\n");
	expect_finding("idlepromotion = newest\n", "W10", 1, "no limit on eligible jobs");
	expect_no_finding("idlepromotion = newest user DEFAULT { maxijob = 8 }\n");
	expect_no_finding("idlepromotion = newest user DEFAULT { maxqueued = 8 }\n");
	expect_finding("defertime = 0\ndefercount = 5\n", "W10", 2, "defertime is 0");
	expect_no_finding("defertime = 0 defercount = 24\n");
}

static void T_31_W23_hard_limits_without_backfill(void **state)
{
	(void)state;
	expect_finding("backfillpolicy = none\nuser DEFAULT { maxjob = \"2,8\" }\n", "W23", 1,
		       "between their soft and hard limits never start");
	expect_no_finding("backfillpolicy = none hardpass = idleonly user DEFAULT { maxjob = \"2,8\" }\n");
	expect_no_finding("backfillpolicy = none user DEFAULT { maxjob = 8 }\n");
}

static void W24_node_priorities_that_are_not_used(void **state)
{
	(void)state;
	expect_finding("node DEFAULT {\n priorityf = \"SPEED\"\n}\n", "W24", 2,
		       "nodeallocationpolicy is not priority");
	expect_finding("node n1 { procs = 1\n priority = 5 }\n", "W24", 2,
		       "nodeallocationpolicy is not priority");
	expect_finding("nodeallocationpolicy = priority\n", "W24", 1,
		       "no node has a priority or a priorityf");
	expect_finding("nodeallocationpolicy = priority node DEFAULT { priorityf = \"-LOAD\" }\n"
		       "node n1 { procs = 1 priority = 5 }\n",
		       "W24", 2, "no priorityf names PRIORITY");
	expect_no_finding("nodeallocationpolicy = priority node DEFAULT { priorityf = \"PRIORITY-LOAD\" }\n"
			  "node n1 { procs = 1 priority = 5 }\n");
}

static void W29_sizes_of_a_node_without_processors(void **state)
{
	(void)state;
	expect_finding("node n1 { procs = 1 memory = 4 }\nnode n2 {\n memory = 4\n}\n", "W29", 3,
		       "node n2 has no procs");
	expect_no_finding("node DEFAULT { procs = 1 }\nnode n2 { memory = 4 }\n");
	expect_no_finding("node n2 { speed = 2 }\n");
}

static void N_10_W25_local_and_its_program(void **state)
{
	(void)state;
	expect_finding("nodeallocationpolicy = local\n", "W25", 1, "localnodeallocation is not set");
	expect_finding("localnodeallocation = \"/bin/nodes\"\n", "W25", 1,
		       "nodeallocationpolicy is not local");
	expect_no_finding("nodeallocationpolicy = local localnodeallocation = \"/bin/nodes\"\n");
}

static void M_30_W26_a_reservation_without_a_growing_factor(void **state)
{
	(void)state;
	expect_finding("queuetimeweight = 0\nprocweight = 1\n", "W26", 1, "no factor of its priority grows");
	expect_finding("procweight = 1\npartition p {\n queuetimeweight = 0 }\n", "W26", 3,
		       "no factor of its");
	expect_no_finding("queuetimeweight = 0 procweight = 1 reservationpolicy = highest\n");
	expect_no_finding("queuetimeweight = 0 procweight = 1 backfillpolicy = none\n");
	expect_no_finding("queuetimeweight = 0 procweight = 1 xfactorweight = 1\n");
	expect_no_finding("queuetimeweight = 0 procweight = 1 bypassweight = 1\n");
}

static void W27_levels_without_jobs(void **state)
{
	(void)state;
	expect_finding(
		"reservationlevel 2 {\n reservationdepth = 5 }\n", "W27", 2,
		"no job belongs to reservation level 2: an earlier level without a reservationqoslist takes");
	expect_finding("reservationlevel 2 { reservationqoslist = ALL }\n", "W27", 1, "no job belongs to");
	expect_no_finding("reservationlevel 2 { reservationdepth = 5 reservationqoslist = hi }\n");
	expect_no_finding("reservationlevel 0 { reservationqoslist = hi }\n"
			  "reservationlevel 2 { reservationdepth = 5 }\n");
}

/* These options have an effect with their prerequisites. */
static void options_with_their_prerequisite_have_no_findings(void **state)
{
	(void)state;
	expect_no_finding("backfillpolicy = bestfit\nbackfillmetric = procs\n");
	expect_no_finding("backfillpolicy = greedy\nbackfillmetric = procs\n");
	expect_no_finding("userreservations = 3\nuserreservationtime = 1h\nuserreservationprocs = 4\n");
	expect_no_finding("metricsfile = \"/var/lib/kahu.prom\"\nmetricsinterval = 60\n");
	expect_no_finding(
		"nodeallocationpolicy = local\nlocalnodeallocation = \"/bin/true\"\nlocaltimeout = 5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(W9_backfill_without_reservations),
		cmocka_unit_test(W10_a_depth_that_is_not_used),
		cmocka_unit_test(W10_choices_made_ineffective_by_others),
		cmocka_unit_test(T_31_W23_hard_limits_without_backfill),
		cmocka_unit_test(W24_node_priorities_that_are_not_used),
		cmocka_unit_test(W29_sizes_of_a_node_without_processors),
		cmocka_unit_test(N_10_W25_local_and_its_program),
		cmocka_unit_test(M_30_W26_a_reservation_without_a_growing_factor),
		cmocka_unit_test(W27_levels_without_jobs),
		cmocka_unit_test(options_with_their_prerequisite_have_no_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
