/* SPDX-License-Identifier: MIT */
/*
 * test_facts.c - what is this host?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/rm/facts.h"
#include "tests/fake_root.h"

static void a_whole_host_is_read(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct store_dir root;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1", "0-1");
	fake_file(&root, "proc/sys/kernel/hostname", "lab-1.example\n");
	fake_file(&root, "proc/meminfo", "MemTotal: 2048 kB\nSwapTotal: 1024 kB\n");
	if (!facts_read(root.path, "0,1", facts, &err))
		fail_msg("%s", err.text);
	assert_string_equal(facts->host, "lab-1.example");
	assert_int_equal(facts->cpu_count, 2);
	assert_int_equal(facts->mem_mb, 2);
	assert_int_equal(facts->swap_mb, 1);
	assert_int_equal(facts->device_count, 2);
	assert_int_equal(facts->level, HOLD_NONE);
	assert_string_equal(facts->cgroup, "");
	remove_store_dir(&root);
	free(facts);
}

static void a_name_is_made_fit_for_a_node(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0", "0");
	fake_file(&root, "proc/sys/kernel/hostname", "a \x1b[2J*b\n");
	assert_true(facts_read(root.path, NULL, facts, NULL));
	assert_string_equal(facts->host, "a___2J_b");
	fake_file(&root, "proc/sys/kernel/hostname", "%0999d", 0);
	assert_true(facts_read(root.path, NULL, facts, NULL));
	assert_int_equal(strlen(facts->host), sizeof facts->host - 1);
	remove_store_dir(&root);
	free(facts);
}

static void a_wrong_list_of_devices_is_refused(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct store_dir root;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0", "0");
	assert_false(facts_read(root.path, "0,,1", facts, &err));
	assert_non_null(strstr(err.text, "0,,1"));
	remove_store_dir(&root);
	free(facts);
}

static void this_host_agrees_with_the_system(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	struct err err = {""};
	cpu_set_t mask;
	char name[256] = "";

	(void)state;
	if (!facts_read("/", NULL, facts, &err))
		fail_msg("%s", err.text);
	if (sched_getaffinity(0, sizeof mask, &mask) == 0)
		assert_int_equal(facts->cpu_count, CPU_COUNT(&mask));
	assert_in_range(facts->cpu_count, 1, sysconf(_SC_NPROCESSORS_ONLN));
	assert_in_range(facts->core_count, 1, facts->cpu_count);
	assert_in_range(facts->numa_count, 1, facts->core_count);
	int64_t all_mb = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20;
	assert_true(facts->mem_mb > 0 && facts->mem_mb <= all_mb + 1);
	assert_int_equal(gethostname(name, sizeof name - 1), 0);
	assert_int_equal(strlen(facts->host), strlen(name));
	free(facts);
}

static void a_narrower_mask_is_seen(void **state)
{
	struct facts *facts = mem_alloc(sizeof *facts);
	cpu_set_t mask;
	cpu_set_t one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
	assert_true(facts_read("/", NULL, facts, NULL));
	uint16_t last = facts->cpu[facts->cpu_count - 1].id;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_true(facts_read("/", NULL, facts, NULL));
	assert_int_equal(sched_setaffinity(0, sizeof mask, &mask), 0);
	assert_int_equal(facts->cpu_count, 1);
	assert_int_equal(facts->cpu[0].id, last);
	free(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_host_is_read),
		cmocka_unit_test(a_name_is_made_fit_for_a_node),
		cmocka_unit_test(a_wrong_list_of_devices_is_refused),
		cmocka_unit_test(this_host_agrees_with_the_system),
		cmocka_unit_test(a_narrower_mask_is_seen),
	};
	return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
