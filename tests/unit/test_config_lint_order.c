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
	gives("backfillpolicy = firstfit\nreservationpolicy = never\n", "W9", 2, "currenthighest");
	gives("reservationdepth = 0\n", "W9", 1, "set reservationdepth = 1");
	gives_nothing("backfillpolicy = none reservationpolicy = never\n");
	gives_nothing("reservationpolicy = highest\n");
}

static void W10_a_depth_that_is_not_used(void **state)
{
	(void)state;
	gives("backfillpolicy = none\nreservationdepth = 5\n", "W10", 2, "backfillpolicy = none");
	gives("backfillpolicy = none reservationpolicy = never\nreservationdepth = 5\n", "W10", 2,
	      "reservationpolicy is never");
	gives_nothing("reservationdepth = 5\n");
	gives_nothing("backfillpolicy = none reservationdepth = 1\n");
}

static void W10_choices_made_ineffective_by_others(void **state)
{
	(void)state;
	gives("backfillmetric = seconds\n", "W10", 1, "backfillpolicy is neither bestfit nor greedy");
	gives_nothing("backfillmetric = seconds backfillpolicy = bestfit\n");
	gives_nothing("backfillmetric = procs\n");
	gives("backfillpolicy = none\nbackfilldepth = 5\n", "W10", 2, "backfillpolicy is none");
	gives("hardpass = idleonly\n", "W10", 1, "no limit on running jobs has a soft value");
	gives_nothing("hardpass = idleonly user DEFAULT { maxjob = \"2,8\" }\n");
	gives("idlepromotion = newest\n", "W10", 1, "no limit on eligible jobs");
	gives_nothing("idlepromotion = newest user DEFAULT { maxijob = 8 }\n");
	gives_nothing("idlepromotion = newest user DEFAULT { maxqueued = 8 }\n");
	gives("defertime = 0\ndefercount = 5\n", "W10", 2, "defertime is 0");
	gives_nothing("defertime = 0 defercount = 24\n");
}

static void T_31_W23_hard_limits_without_backfill(void **state)
{
	(void)state;
	gives("backfillpolicy = none\nuser DEFAULT { maxjob = \"2,8\" }\n", "W23", 1,
	      "between their soft and hard limits never start");
	gives_nothing("backfillpolicy = none hardpass = idleonly user DEFAULT { maxjob = \"2,8\" }\n");
	gives_nothing("backfillpolicy = none user DEFAULT { maxjob = 8 }\n");
}

static void W24_node_priorities_that_are_not_used(void **state)
{
	(void)state;
	gives("node DEFAULT {\n priorityf = \"SPEED\"\n}\n", "W24", 2,
	      "nodeallocationpolicy is not priority");
	gives("node n1 { procs = 1\n priority = 5 }\n", "W24", 2, "nodeallocationpolicy is not priority");
	gives("nodeallocationpolicy = priority\n", "W24", 1, "no node has a priority or a priorityf");
	gives("nodeallocationpolicy = priority node DEFAULT { priorityf = \"-LOAD\" }\n"
	      "node n1 { procs = 1 priority = 5 }\n",
	      "W24", 2, "no priorityf names PRIORITY");
	gives_nothing("nodeallocationpolicy = priority node DEFAULT { priorityf = \"PRIORITY-LOAD\" }\n"
		      "node n1 { procs = 1 priority = 5 }\n");
}

static void W29_sizes_of_a_node_without_processors(void **state)
{
	(void)state;
	gives("node n1 { procs = 1 memory = 4 }\nnode n2 {\n memory = 4\n}\n", "W29", 3,
	      "node n2 has no procs");
	gives_nothing("node DEFAULT { procs = 1 }\nnode n2 { memory = 4 }\n");
	gives_nothing("node n2 { speed = 2 }\n");
}

static void N_10_W25_local_and_its_program(void **state)
{
	(void)state;
	gives("nodeallocationpolicy = local\n", "W25", 1, "there is no program");
	gives("localnodeallocation = \"/bin/nodes\"\n", "W25", 1, "nodeallocationpolicy is not local");
	gives_nothing("nodeallocationpolicy = local localnodeallocation = \"/bin/nodes\"\n");
}

static void M_30_W26_a_reservation_without_a_growing_factor(void **state)
{
	(void)state;
	gives("queuetimeweight = 0\nprocweight = 1\n", "W26", 1, "no factor of its priority grows");
	gives("procweight = 1\npartition p {\n queuetimeweight = 0 }\n", "W26", 3, "no factor of its");
	gives_nothing("queuetimeweight = 0 procweight = 1 reservationpolicy = highest\n");
	gives_nothing("queuetimeweight = 0 procweight = 1 backfillpolicy = none\n");
	gives_nothing("queuetimeweight = 0 procweight = 1 xfactorweight = 1\n");
	gives_nothing("queuetimeweight = 0 procweight = 1 bypassweight = 1\n");
}

static void W27_levels_without_jobs(void **state)
{
	(void)state;
	gives("reservationlevel 2 {\n reservationdepth = 5 }\n", "W27", 2,
	      "no job belongs to reservation level 2: an earlier level without a reservationqoslist takes");
	gives("reservationlevel 2 { reservationqoslist = ALL }\n", "W27", 1, "no job belongs to");
	gives_nothing("reservationlevel 2 { reservationdepth = 5 reservationqoslist = hi }\n");
	gives_nothing("reservationlevel 0 { reservationqoslist = hi }\n"
		      "reservationlevel 2 { reservationdepth = 5 }\n");
}

/* These options have an effect with their prerequisites. */
static void options_with_their_prerequisite_have_no_findings(void **state)
{
	(void)state;
	gives_nothing("backfillpolicy = bestfit\nbackfillmetric = procs\n");
	gives_nothing("backfillpolicy = greedy\nbackfillmetric = procs\n");
	gives_nothing("userreservations = 3\nuserreservationtime = 1h\nuserreservationprocs = 4\n");
	gives_nothing("metricsfile = \"/var/lib/kahu.prom\"\nmetricsinterval = 60\n");
	gives_nothing(
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
