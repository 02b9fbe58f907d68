/* SPDX-License-Identifier: MIT */
/*
 * test_facts_cpu.c - which processors may we use, and which of them are one core?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/facts.h"
#include "tests/fake_root.h"

/* Also the cores by number: "0:0,8 1:1". */
static void must_be(const struct store_dir *root, uint32_t numa_count, const char *cores)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct str text = {0};
	struct err err = {""};

	if (!facts_read(root->path, "", facts, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < facts->cpu_count; i++) {
		if (i > 0 && facts->cpu[i].core == facts->cpu[i - 1].core)
			str_add_char(&text, ',');
		else
			str_addf(&text, i > 0 ? " %u:" : "%u:", facts->cpu[i].core);
		str_addf(&text, "%u", facts->cpu[i].id);
	}
	assert_string_equal(str_text(&text), cores);
	assert_int_equal(facts->core_count, facts->cpu[facts->cpu_count - 1].core + 1);
	assert_int_equal(facts->numa_count, numa_count);
	str_free(&text);
	free(facts);
}

static void must_fail(const struct store_dir *root)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct err err = {""};

	assert_false(facts_read(root->path, NULL, facts, &err));
	assert_non_null(strstr(err.text, "no processor"));
	free(facts);
}

/* Two sockets of four cores of two threads: 0-3 8-11 in the first, 4-7 12-15 in the second. */
static void two_sockets(struct store_dir *root)
{
	char siblings[32];

	make_store_dir(root);
	for (unsigned id = 0; id < 16; id++) {
		snprintf(siblings, sizeof siblings, "%u,%u", id % 8, id % 8 + 8);
		fake_cpu(root, id, (int)id % 8 / 4, (int)id % 4, siblings);
	}
	fake_file(root, "sys/devices/system/node/node0/cpulist", "0-3,8-11\n");
	fake_file(root, "sys/devices/system/node/node1/cpulist", "4-7,12-15\n");
	fake_folder(root, "sys/devices/system/node/power");
}

#define ALL_16 "0:0,8 1:1,9 2:2,10 3:3,11 4:4,12 5:5,13 6:6,14 7:7,15"

static void threads_of_a_core_stand_side_by_side(void **state)
{
	struct store_dir root;

	(void)state;
	two_sockets(&root);
	fake_cpus(&root, "0-15", "0-15");
	must_be(&root, 2, ALL_16);
	remove_store_dir(&root);
}

static void cores_of_two_packages_differ_without_siblings(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	for (unsigned id = 0; id < 8; id++)
		fake_cpu(&root, id, (int)id % 4 / 2, (int)id % 2, "");
	fake_cpus(&root, "0-7", "0-7");
	must_be(&root, 1, "0:0,4 1:1,5 2:2,6 3:3,7");
	remove_store_dir(&root);
}

static void one_that_is_offline_and_those_not_allowed_are_left_out(void **state)
{
	struct store_dir root;

	(void)state;
	two_sockets(&root);
	fake_cpus(&root, "0-8,10-15", "1-9,12-15");
	must_be(&root, 2, "0:8 1:1 2:2 3:3 4:4,12 5:5,13 6:6,14 7:7,15");
	fake_cpus(&root, "0-15", "4-5");
	must_be(&root, 1, "0:4 1:5");
	remove_store_dir(&root);
}

static void a_sibling_outside_our_mask_does_not_split_a_core(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	for (unsigned id = 0; id < 4; id++)
		fake_cpu(&root, id, 0, 0, "0-3");
	fake_cpus(&root, "0-3", "1-3");
	must_be(&root, 1, "0:1,2,3");
	remove_store_dir(&root);
}

static void without_topology_each_is_a_core(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	must_be(&root, 1, "0:0 1:1 2:2 3:3");
	remove_store_dir(&root);
}

static void mask_or_online_alone_is_enough(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	must_fail(&root);
	fake_file(&root, "sys/devices/system/cpu/online", "0-1\n");
	must_be(&root, 1, "0:0 1:1");
	remove_store_dir(&root);
	make_store_dir(&root);
	fake_file(&root, "proc/self/status", "Cpus_allowed_list:\t2\n");
	must_be(&root, 1, "0:2");
	remove_store_dir(&root);
}

static void none_that_is_both_allowed_and_online_is_an_error(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "4-7");
	must_fail(&root);
	fake_cpus(&root, "0-3", "");
	must_fail(&root);
	fake_cpus(&root, "x", "1,,2");
	must_fail(&root);
	remove_store_dir(&root);
}

static void absurd_topology_is_not_believed(void **state)
{
	static const char junk[] = {'0', '-', '\0', '\xff', '\n', '1'};
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-5", "0-5");
	fake_cpu(&root, 0, -1, -1, "");
	fake_cpu(&root, 1, 99999999, 0, "4-5");
	fake_cpu(&root, 2, 0, 2000000000, "2-1");
	fake_bytes(&root, "sys/devices/system/cpu/cpu3/topology/thread_siblings_list", junk, sizeof junk);
	fake_folder(&root, "sys/devices/system/cpu/cpu4/topology/core_id");
	fake_folder(&root, "sys/devices/system/cpu/cpu5/topology/thread_siblings_list");
	fake_file(&root, "sys/devices/system/node/node99999999999/cpulist", "0-5\n");
	fake_file(&root, "sys/devices/system/node/nodeX/cpulist", "0-5\n");
	fake_file(&root, "sys/devices/system/node/node3/cpulist", "0-5,junk\n");
	fake_folder(&root, "sys/devices/system/node/node4/cpulist");
	must_be(&root, 1, "0:0 1:2 2:3 3:4 4:5 5:1");
	remove_store_dir(&root);
}

static void of_two_domains_the_smaller_has_it(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	fake_file(&root, "sys/devices/system/node/node2/cpulist", "0-3\n");
	fake_file(&root, "sys/devices/system/node/node1/cpulist", "2-3\n");
	fake_file(&root, "sys/devices/system/node/node7/cpulist", "\n");
	must_be(&root, 2, "0:2 1:3 2:0 3:1");
	remove_store_dir(&root);
}

/* In whatever order the folder lists them. */
static void of_many_domains_the_smallest_has_it(void **state)
{
	struct store_dir root;
	char path[64];

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1", "0-1");
	for (int i = 0; i < 12; i++) {
		snprintf(path, sizeof path, "sys/devices/system/node/node%d/cpulist", i);
		fake_file(&root, path, "%s\n", i == 0 ? "1" : "0-1");
	}
	fake_file(&root, "sys/devices/system/node/node-1/cpulist", "0-1\n");
	fake_file(&root, "sys/devices/system/node/possible", "0-11\n");
	must_be(&root, 2, "0:1 1:0");
	remove_store_dir(&root);
}

static void a_core_without_a_package_is_of_the_first(void **state)
{
	struct store_dir root;
	char path[1200];

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	for (unsigned id = 0; id < 4; id++)
		fake_cpu(&root, id, id == 1 ? -7 : id == 2 ? 70000 : 0, id < 3 ? 5 : 6, "");
	snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu0/topology/physical_package_id", root.path);
	assert_int_equal(remove(path), 0);
	must_be(&root, 1, "0:0,1,2 1:3");
	remove_store_dir(&root);
}

static void a_mask_that_is_none_is_not_believed(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1", "many");
	must_be(&root, 1, "0:0 1:1");
	fake_file(&root, "proc/self/status", "Name:\tkahu\n");
	must_be(&root, 1, "0:0 1:1");
	remove_store_dir(&root);
}

static void as_many_are_taken_as_can_be_bound(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1099", "0-1099");
	fake_cpu(&root, 3, 0, 0, "3,1050");
	assert_true(facts_read(root.path, "", facts, NULL));
	assert_int_equal(facts->cpu_count, FACTS_CPUS_MAX);
	assert_int_equal(facts->core_count, FACTS_CPUS_MAX);
	assert_int_equal(facts->cpu[FACTS_CPUS_MAX - 1].id, 1023);
	remove_store_dir(&root);
	free(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_a_core_stand_side_by_side),
		cmocka_unit_test(cores_of_two_packages_differ_without_siblings),
		cmocka_unit_test(one_that_is_offline_and_those_not_allowed_are_left_out),
		cmocka_unit_test(a_sibling_outside_our_mask_does_not_split_a_core),
		cmocka_unit_test(without_topology_each_is_a_core),
		cmocka_unit_test(mask_or_online_alone_is_enough),
		cmocka_unit_test(none_that_is_both_allowed_and_online_is_an_error),
		cmocka_unit_test(absurd_topology_is_not_believed),
		cmocka_unit_test(of_two_domains_the_smaller_has_it),
		cmocka_unit_test(of_many_domains_the_smallest_has_it),
		cmocka_unit_test(a_core_without_a_package_is_of_the_first),
		cmocka_unit_test(a_mask_that_is_none_is_not_believed),
		cmocka_unit_test(as_many_are_taken_as_can_be_bound),
	};
	return cmocka_run_group_tests_name("facts_cpu", tests, NULL, NULL);
}
