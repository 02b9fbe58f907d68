/* SPDX-License-Identifier: MIT */
/*
 * test_facts_memory.c - how much memory may jobs use together?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/facts_inside.h"
#include "tests/fake_root.h"

#define MB (INT64_C(1) << 20)

static void must_be(const struct store_dir *root, int64_t mem_mb, int64_t swap_mb)
{
	struct facts *facts = mem_zero(1, sizeof *facts);

	facts_read_memory(root->path, facts);
	assert_int_equal(facts->mem_mb, mem_mb);
	assert_int_equal(facts->swap_mb, swap_mb);
	free(facts);
}

/* A host of 8000 MB and 1000 of swap. */
static void a_host(struct store_dir *root)
{
	make_store_dir(root);
	fake_file(root, "proc/meminfo",
		  "MemTotal:        8192000 kB\nMemFree:  1 kB\nSwapTotal:   1024000 kB\n");
}

static void without_cgroups_all_is_ours(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	must_be(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void what_is_not_said_is_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	must_be(&root, 0, 0);
	fake_file(&root, "proc/meminfo", "MemTotal: many kB\nSwapTotal: -5 kB\n");
	must_be(&root, 0, 0);
	fake_file(&root, "proc/meminfo",
		  "MemTotal: 99999999999999999999999 kB\nSwapTotal: 9223372036854775807 kB\n");
	must_be(&root, 0, INT64_MAX / 1024);
	remove_store_dir(&root);
	make_store_dir(&root);
	fake_folder(&root, "proc/meminfo");
	must_be(&root, 0, 0);
	remove_store_dir(&root);
}

static void the_smallest_bound_above_us_counts(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/lab.slice/kahu.service\n");
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.max", "max\n");
	must_be(&root, 8000, 1000);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.max", "%" PRId64 "\n", 7000 * MB);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.swap.max", "0\n");
	must_be(&root, 7000, 0);
	fake_file(&root, "sys/fs/cgroup/lab.slice/memory.max", "%" PRId64 "\n", 3000 * MB);
	must_be(&root, 3000, 0);
	fake_file(&root, "sys/fs/cgroup/memory.max", "%" PRId64 "\n", 2000 * MB);
	must_be(&root, 2000, 0);
	/* Not above the mount. */
	fake_file(&root, "sys/fs/memory.max", "1\n");
	must_be(&root, 2000, 0);
	remove_store_dir(&root);
}

static void version_1_says_its_bound_itself(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n"
		  "cgroup /sys/fs/cgroup/the\\040memory cgroup rw,relatime,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/1f\n0::/\n");
	fake_file(&root, "sys/fs/cgroup/the memory/docker/1f/memory.stat",
		  "cache 1\nhierarchical_memory_limit %" PRId64 "\nhierarchical_memsw_limit 5\n", 500 * MB);
	must_be(&root, 500, 1000);
	fake_file(&root, "sys/fs/cgroup/the memory/docker/1f/memory.stat",
		  "hierarchical_memory_limit 9223372036854771712\n");
	must_be(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void a_container_that_is_told_the_hosts_path_sees_its_bound(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 ro 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/docker/1f\n");
	fake_file(&root, "sys/fs/cgroup/memory.max", "%" PRId64 "\n", 100 * MB);
	must_be(&root, 100, 1000);
	remove_store_dir(&root);
}

/* Three digits of eight stand for a byte; anything else behind a backslash is what it is. */
static void names_in_mounts_are_read_as_the_kernel_writes_them(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "a\\/00\\400\\0/0\\080\\00/\\008\\ /mnt ext4 rw 0 0\n"
		  "cgroup2 /sys/fs/\\7\\08\\0a\\\\c\\147 cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4memory:/x\n0:\n0::/here\n");
	fake_file(&root, "sys/fs/\\7\\08\\0a\\\\cg/here/memory.max", "%" PRId64 "\n", 100 * MB);
	must_be(&root, 100, 1000);
	remove_store_dir(&root);
}

static void a_bound_that_is_none_is_passed_over(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\ncgroup /sys/fs/memory cgroup rw,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/lab\n0::/lab\n");
	fake_file(&root, "sys/fs/cgroup/lab/memory.max", "%" PRId64 "\n", 100 * MB);
	fake_file(&root, "sys/fs/cgroup/memory.max", "-5\n");
	fake_folder(&root, "sys/fs/memory/lab");
	must_be(&root, 100, 1000); /* no memory.stat */
	fake_file(&root, "sys/fs/memory/lab/memory.stat", "hierarchical_memory_limit -1\n");
	must_be(&root, 100, 1000);
	fake_file(&root, "proc/meminfo", "SwapTotal: 1024000 kB\n");
	must_be(&root, 0, 1000);
	fake_file(&root, "proc/meminfo", "MemTotal: -4 kB\n");
	must_be(&root, 0, 0);
	remove_store_dir(&root);
}

static void a_place_that_is_a_file_is_none(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_file(&root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/lab\n");
	fake_file(&root, "sys/fs/cgroup", "no folder\n");
	must_be(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void absurd_places_are_no_places(void **state)
{
	static const char *const cgroup[] = {"",      "0::", "0::\n",         "0::/../../x\n", "x::/\n",
					     "0:/\n", ":",   "0::relative\n", "9:memory:/..\n"};
	static const char *const mounts[] = {"",
					     "cgroup2",
					     "cgroup2 x cgroup2\n",
					     "\n\n\n",
					     "a b c d e f\n",
					     "cgroup2 /\\777 cgroup2 rw\n",
					     "cgroup2 /nowhere cgroup2 rw 0 0\n",
					     "cgroup2 /sys cgroup2 rw 0 0\n",
					     "cgroup /sys cgroup memory 0 0\n"};
	struct store_dir root;

	(void)state;
	a_host(&root);
	fake_folder(&root, "sys");
	for (size_t c = 0; c < sizeof cgroup / sizeof cgroup[0]; c++)
		for (size_t m = 0; m < sizeof mounts / sizeof mounts[0]; m++) {
			fake_file(&root, "proc/self/cgroup", "%s", cgroup[c]);
			fake_file(&root, "proc/self/mounts", "%s", mounts[m]);
			must_be(&root, 8000, 1000);
		}
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_cgroups_all_is_ours),
		cmocka_unit_test(what_is_not_said_is_none),
		cmocka_unit_test(the_smallest_bound_above_us_counts),
		cmocka_unit_test(version_1_says_its_bound_itself),
		cmocka_unit_test(a_container_that_is_told_the_hosts_path_sees_its_bound),
		cmocka_unit_test(names_in_mounts_are_read_as_the_kernel_writes_them),
		cmocka_unit_test(a_bound_that_is_none_is_passed_over),
		cmocka_unit_test(a_place_that_is_a_file_is_none),
		cmocka_unit_test(absurd_places_are_no_places),
	};
	return cmocka_run_group_tests_name("facts_memory", tests, NULL, NULL);
}
