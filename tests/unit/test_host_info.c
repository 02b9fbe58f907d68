/* SPDX-License-Identifier: MIT */
/*
 * test_host_info.c - hardware of this host
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/rm/host_info.h"
#include "sched/rm/host_info_inside.h"
#include "tests/fake_root.h"

/* --- the whole host --------------------------------------------------------------------------------- */

static void all_properties_of_a_host_are_read(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct store_dir root;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1", "0-1");
	fake_file(&root, "proc/sys/kernel/hostname", "lab-1.example\n");
	fake_file(&root, "proc/meminfo", "MemTotal: 2048 kB\nSwapTotal: 1024 kB\n");
	if (!host_info_read(root.path, "0,1", host, &err))
		fail_msg("%s", err.text);
	assert_string_equal(host->hostname, "lab-1.example");
	assert_int_equal(host->cpu_count, 2);
	assert_int_equal(host->mem_mb, 2);
	assert_int_equal(host->swap_mb, 1);
	assert_int_equal(host->device_count, 2);
	assert_int_equal(host->level, HOLD_NONE);
	assert_string_equal(host->cgroup, "");
	remove_store_dir(&root);
	free(host);
}

static void invalid_characters_of_the_host_name_are_replaced(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0", "0");
	fake_file(&root, "proc/sys/kernel/hostname", "a \x1b[2J*b\n");
	assert_true(host_info_read(root.path, NULL, host, NULL));
	assert_string_equal(host->hostname, "a___2J_b");
	fake_file(&root, "proc/sys/kernel/hostname", "%0999d", 0);
	assert_true(host_info_read(root.path, NULL, host, NULL));
	assert_int_equal(strlen(host->hostname), sizeof host->hostname - 1);
	remove_store_dir(&root);
	free(host);
}

static void an_invalid_device_list_is_reported_by_host_info_read(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct store_dir root;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0", "0");
	assert_false(host_info_read(root.path, "0,,1", host, &err));
	assert_non_null(strstr(err.text, "0,,1"));
	remove_store_dir(&root);
	free(host);
}

static void this_host_agrees_with_sysconf_and_the_affinity_mask(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct err err = {""};
	cpu_set_t mask;
	char name[256] = "";

	(void)state;
	if (!host_info_read("/", NULL, host, &err))
		fail_msg("%s", err.text);
	if (sched_getaffinity(0, sizeof mask, &mask) == 0)
		assert_int_equal(host->cpu_count, CPU_COUNT(&mask));
	assert_in_range(host->cpu_count, 1, sysconf(_SC_NPROCESSORS_ONLN));
	assert_in_range(host->core_count, 1, host->cpu_count);
	assert_in_range(host->numa_count, 1, host->core_count);
	int64_t all_mb = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20;
	assert_true(host->mem_mb > 0 && host->mem_mb <= all_mb + 1);
	assert_int_equal(gethostname(name, sizeof name - 1), 0);
	assert_int_equal(strlen(host->hostname), strlen(name));
	free(host);
}

static void only_processors_in_the_affinity_mask_are_counted(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	cpu_set_t mask;
	cpu_set_t one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
	assert_true(host_info_read("/", NULL, host, NULL));
	uint16_t last = host->cpu[host->cpu_count - 1].id;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_true(host_info_read("/", NULL, host, NULL));
	assert_int_equal(sched_setaffinity(0, sizeof mask, &mask), 0);
	assert_int_equal(host->cpu_count, 1);
	assert_int_equal(host->cpu[0].id, last);
	free(host);
}

/* --- lists of processors such as "0-3,8" -------------------------------------------------------------- */

static void check_list_round_trip(const char *text, size_t expected)
{
	uint16_t id[64];
	size_t count = 99;
	struct str again = {0};
	struct err err = {""};

	if (!host_info_read_cpus(text, id, 64, &count, &err))
		fail_msg("%s", err.text);
	assert_int_equal(count, expected);
	host_info_list_cpus(id, count, &again);
	assert_string_equal(str_text(&again), text);
	str_free(&again);
}

static void check_list_refused(const char *text, const char *words)
{
	uint16_t id[4];
	size_t count;
	struct err err = {""};

	assert_false(host_info_read_cpus(text, id, 4, &count, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
}

static void a_processor_list_is_written_as_it_was_read(void **state)
{
	(void)state;
	check_list_round_trip("", 0);
	check_list_round_trip("0", 1);
	check_list_round_trip("0-3,8", 5);
	check_list_round_trip("1,3,5-6", 4);
	check_list_round_trip("65534-65535", 2);
}

static void an_invalid_processor_list_is_refused_with_an_error(void **state)
{
	static const char *const bad[] = {
		",",   "1,",    ",1", "3-1",     "1-",  "-1",    "1,1",
		"2,1", "0-3,3", "a",  "0-3:1/2", "1 2", "65536", "99999999999999999999",
		"0-",  "1--2",  "+1"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct cpu_set set;

		check_list_refused(bad[i], "is not a list of processors");
		assert_false(cpu_set_read(bad[i], &set));
	}
}

static void a_list_with_more_processors_than_the_array_holds_is_refused(void **state)
{
	uint16_t id[4];
	size_t count;

	(void)state;
	check_list_refused("0-4", "more than 4");
	check_list_refused("0-3,5", "more than 4");
	check_list_refused("0-65535", "more than 4");
	assert_true(host_info_read_cpus("0-3", id, 4, &count, NULL));
	assert_true(host_info_read_cpus("", id, 0, &count, NULL));
	assert_false(host_info_read_cpus("0", id, 0, &count, NULL));
}

static void a_processor_list_is_appended_to_the_text(void **state)
{
	static const uint16_t id[] = {0, 1, 2, 7};
	struct str list = {0};

	(void)state;
	str_add(&list, "on ");
	host_info_list_cpus(id, 4, &list);
	assert_string_equal(str_text(&list), "on 0-2,7");
	str_free(&list);
}

static void a_set_ignores_processors_above_its_maximum(void **state)
{
	struct cpu_set set;
	size_t count = 0;

	(void)state;
	assert_true(cpu_set_read("1,1020-1099,2000", &set));
	for (size_t i = 0; i < HOST_CPUS_MAX; i++)
		count += set.has[i];
	assert_int_equal(count, 5);
	assert_false(cpu_set_read("1,x", &set));
}

/* --- usable processors, by core and NUMA domain ------------------------------------------------------- */

/* `cores` lists the processors of each core: "0:0,8 1:1". */
static void check_cores(const struct store_dir *root, uint32_t numa_count, const char *cores)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct str text = {0};
	struct err err = {""};

	if (!host_info_read(root->path, "", host, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < host->cpu_count; i++) {
		if (i > 0 && host->cpu[i].core == host->cpu[i - 1].core)
			str_add_char(&text, ',');
		else
			str_addf(&text, i > 0 ? " %u:" : "%u:", host->cpu[i].core);
		str_addf(&text, "%u", host->cpu[i].id);
	}
	assert_string_equal(str_text(&text), cores);
	assert_int_equal(host->core_count, host->cpu[host->cpu_count - 1].core + 1);
	assert_int_equal(host->numa_count, numa_count);
	str_free(&text);
	free(host);
}

static void check_no_processor(const struct store_dir *root)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct err err = {""};

	assert_false(host_info_read(root->path, NULL, host, &err));
	assert_non_null(strstr(err.text, "no usable processor"));
	free(host);
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

static void threads_of_a_core_are_adjacent(void **state)
{
	struct store_dir root;

	(void)state;
	two_sockets(&root);
	fake_cpus(&root, "0-15", "0-15");
	check_cores(&root, 2, ALL_16);
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
	check_cores(&root, 1, "0:0,4 1:1,5 2:2,6 3:3,7");
	remove_store_dir(&root);
}

static void offline_and_forbidden_processors_are_left_out(void **state)
{
	struct store_dir root;

	(void)state;
	two_sockets(&root);
	fake_cpus(&root, "0-8,10-15", "1-9,12-15");
	check_cores(&root, 2, "0:8 1:1 2:2 3:3 4:4,12 5:5,13 6:6,14 7:7,15");
	fake_cpus(&root, "0-15", "4-5");
	check_cores(&root, 1, "0:4 1:5");
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
	check_cores(&root, 1, "0:1,2,3");
	remove_store_dir(&root);
}

static void without_topology_each_processor_is_a_core(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	check_cores(&root, 1, "0:0 1:1 2:2 3:3");
	remove_store_dir(&root);
}

static void the_mask_or_the_online_list_alone_is_enough(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	check_no_processor(&root);
	fake_file(&root, "sys/devices/system/cpu/online", "0-1\n");
	check_cores(&root, 1, "0:0 1:1");
	remove_store_dir(&root);
	make_store_dir(&root);
	fake_file(&root, "proc/self/status", "Cpus_allowed_list:\t2\n");
	check_cores(&root, 1, "0:2");
	remove_store_dir(&root);
}

static void no_allowed_processor_online_is_an_error(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "4-7");
	check_no_processor(&root);
	fake_cpus(&root, "0-3", "");
	check_no_processor(&root);
	fake_cpus(&root, "x", "1,,2");
	check_no_processor(&root);
	remove_store_dir(&root);
}

static void invalid_topology_is_ignored(void **state)
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
	check_cores(&root, 1, "0:0 1:2 2:3 3:4 4:5 5:1");
	remove_store_dir(&root);
}

static void a_processor_in_two_numa_domains_belongs_to_the_smaller(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	fake_file(&root, "sys/devices/system/node/node2/cpulist", "0-3\n");
	fake_file(&root, "sys/devices/system/node/node1/cpulist", "2-3\n");
	fake_file(&root, "sys/devices/system/node/node7/cpulist", "\n");
	check_cores(&root, 2, "0:2 1:3 2:0 3:1");
	remove_store_dir(&root);
}

/* The order in which readdir() returns the domains does not matter. */
static void a_processor_in_many_numa_domains_belongs_to_the_smallest(void **state)
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
	check_cores(&root, 2, "0:1 1:0");
	remove_store_dir(&root);
}

static void a_core_without_a_valid_package_belongs_to_the_first(void **state)
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
	check_cores(&root, 1, "0:0,1,2 1:3");
	remove_store_dir(&root);
}

static void an_invalid_or_missing_mask_is_ignored(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1", "many");
	check_cores(&root, 1, "0:0 1:1");
	fake_file(&root, "proc/self/status", "Name:\tkahu\n");
	check_cores(&root, 1, "0:0 1:1");
	remove_store_dir(&root);
}

static void at_most_HOST_CPUS_MAX_processors_are_used(void **state)
{
	struct host_info *host = mem_alloc(sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_cpus(&root, "0-1099", "0-1099");
	fake_cpu(&root, 3, 0, 0, "3,1050");
	assert_true(host_info_read(root.path, "", host, NULL));
	assert_int_equal(host->cpu_count, HOST_CPUS_MAX);
	assert_int_equal(host->core_count, HOST_CPUS_MAX);
	assert_int_equal(host->cpu[HOST_CPUS_MAX - 1].id, 1023);
	remove_store_dir(&root);
	free(host);
}

/* --- memory for jobs ---------------------------------------------------------------------------------- */

#define MB (INT64_C(1) << 20)

static void check_memory(const struct store_dir *root, int64_t mem_mb, int64_t swap_mb)
{
	struct host_info *host = mem_zero(1, sizeof *host);

	host_info_read_memory(root->path, host);
	assert_int_equal(host->mem_mb, mem_mb);
	assert_int_equal(host->swap_mb, swap_mb);
	free(host);
}

/* A host with 8000 MB of memory and 1000 MB of swap space. */
static void make_host(struct store_dir *root)
{
	make_store_dir(root);
	fake_file(root, "proc/meminfo",
		  "MemTotal:        8192000 kB\nMemFree:  1 kB\nSwapTotal:   1024000 kB\n");
}

static void without_cgroups_all_memory_is_usable(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	check_memory(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void missing_or_invalid_meminfo_counts_as_no_memory(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	check_memory(&root, 0, 0);
	fake_file(&root, "proc/meminfo", "MemTotal: many kB\nSwapTotal: -5 kB\n");
	check_memory(&root, 0, 0);
	fake_file(&root, "proc/meminfo",
		  "MemTotal: 99999999999999999999999 kB\nSwapTotal: 9223372036854775807 kB\n");
	check_memory(&root, 0, INT64_MAX / 1024);
	remove_store_dir(&root);
	make_store_dir(&root);
	fake_folder(&root, "proc/meminfo");
	check_memory(&root, 0, 0);
	remove_store_dir(&root);
}

static void the_smallest_memory_limit_of_all_parent_cgroups_applies(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/lab.slice/kahu.service\n");
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.max", "max\n");
	check_memory(&root, 8000, 1000);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.max", "%" PRId64 "\n", 7000 * MB);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.swap.max", "0\n");
	check_memory(&root, 7000, 0);
	fake_file(&root, "sys/fs/cgroup/lab.slice/memory.max", "%" PRId64 "\n", 3000 * MB);
	check_memory(&root, 3000, 0);
	fake_file(&root, "sys/fs/cgroup/memory.max", "%" PRId64 "\n", 2000 * MB);
	check_memory(&root, 2000, 0);
	/* Files above the mount point are not read. */
	fake_file(&root, "sys/fs/memory.max", "1\n");
	check_memory(&root, 2000, 0);
	remove_store_dir(&root);
}

static void the_limit_of_cgroup_version_1_is_in_memory_stat(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n"
		  "cgroup /sys/fs/cgroup/the\\040memory cgroup rw,relatime,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/1f\n0::/\n");
	fake_file(&root, "sys/fs/cgroup/the memory/docker/1f/memory.stat",
		  "cache 1\nhierarchical_memory_limit %" PRId64 "\nhierarchical_memsw_limit 5\n", 500 * MB);
	check_memory(&root, 500, 1000);
	fake_file(&root, "sys/fs/cgroup/the memory/docker/1f/memory.stat",
		  "hierarchical_memory_limit 9223372036854771712\n");
	check_memory(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void a_container_that_sees_its_host_path_still_finds_its_limit(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 ro 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/docker/1f\n");
	fake_file(&root, "sys/fs/cgroup/memory.max", "%" PRId64 "\n", 100 * MB);
	check_memory(&root, 100, 1000);
	remove_store_dir(&root);
}

/* A backslash and three octal digits stand for a byte; any other backslash is literal. */
static void octal_escapes_in_mounts_are_decoded(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "a\\/00\\400\\0/0\\080\\00/\\008\\ /mnt ext4 rw 0 0\n"
		  "cgroup2 /sys/fs/\\7\\08\\0a\\\\c\\147 cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4memory:/x\n0:\n0::/here\n");
	fake_file(&root, "sys/fs/\\7\\08\\0a\\\\cg/here/memory.max", "%" PRId64 "\n", 100 * MB);
	check_memory(&root, 100, 1000);
	remove_store_dir(&root);
}

static void an_invalid_memory_limit_is_ignored(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\ncgroup /sys/fs/memory cgroup rw,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/lab\n0::/lab\n");
	fake_file(&root, "sys/fs/cgroup/lab/memory.max", "%" PRId64 "\n", 100 * MB);
	fake_file(&root, "sys/fs/cgroup/memory.max", "-5\n");
	fake_folder(&root, "sys/fs/memory/lab");
	check_memory(&root, 100, 1000); /* no memory.stat */
	fake_file(&root, "sys/fs/memory/lab/memory.stat", "hierarchical_memory_limit -1\n");
	check_memory(&root, 100, 1000);
	fake_file(&root, "proc/meminfo", "SwapTotal: 1024000 kB\n");
	check_memory(&root, 0, 1000);
	fake_file(&root, "proc/meminfo", "MemTotal: -4 kB\n");
	check_memory(&root, 0, 0);
	remove_store_dir(&root);
}

static void a_cgroup_path_that_is_a_file_is_ignored(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	fake_file(&root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "0::/lab\n");
	fake_file(&root, "sys/fs/cgroup", "no folder\n");
	check_memory(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void invalid_mounts_and_cgroup_paths_are_ignored(void **state)
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
	make_host(&root);
	fake_folder(&root, "sys");
	for (size_t c = 0; c < sizeof cgroup / sizeof cgroup[0]; c++)
		for (size_t m = 0; m < sizeof mounts / sizeof mounts[0]; m++) {
			fake_file(&root, "proc/self/cgroup", "%s", cgroup[c]);
			fake_file(&root, "proc/self/mounts", "%s", mounts[m]);
			check_memory(&root, 8000, 1000);
		}
	remove_store_dir(&root);
}

/* --- GPUs --------------------------------------------------------------------------------------------- */

/* `expected` lists kind, id and NUMA domain of each device: "nvidia GPU-1@0, amd 0@1". */
static void check_devices(const struct store_dir *root, const char *list, const char *expected)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct str text = {0};
	struct err err = {""};

	if (!host_info_read_devices(root->path, list, host, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < host->device_count; i++)
		str_addf(&text, "%s%s %s@%u", i > 0 ? ", " : "", host->device[i].kind, host->device[i].id,
			 host->device[i].numa);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	free(host);
}

static void check_devices_refused(const char *list, const char *words)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct err err = {""};

	assert_false(host_info_read_devices("/nowhere", list, host, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
	free(host);
}

static void add_nvidia(const struct store_dir *root, const char *bus, const char *uuid, const char *numa)
{
	char path[128];

	snprintf(path, sizeof path, "proc/driver/nvidia/gpus/%s/information", bus);
	fake_file(root, path,
		  "Model: \t\t NVIDIA A100\nIRQ:   \t\t 42\nGPU UUID: \t %s\nBus Location: \t %s\n", uuid,
		  bus);
	snprintf(path, sizeof path, "sys/bus/pci/devices/%s/numa_node", bus);
	fake_file(root, path, "%s\n", numa);
}

static void add_amd(const struct store_dir *root, unsigned node, int units, unsigned place)
{
	char path[128];

	snprintf(path, sizeof path, "sys/class/kfd/kfd/topology/nodes/%u/properties", node);
	fake_file(root, path, "cpu_cores_count 0\nsimd_count %d\nlocation_id %u\ndomain 0\n", units, place);
}

static void a_host_without_gpus_has_no_devices(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	check_devices(&root, NULL, "");
	fake_folder(&root, "proc/driver/nvidia/gpus");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes", "no folder\n");
	check_devices(&root, NULL, "");
	remove_store_dir(&root);
}

static void nvidia_gpus_are_in_the_order_of_their_bus_addresses(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	add_nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	add_nvidia(&root, "10000:01:00.0", "GPU-cc-3", "-1");
	check_devices(&root, NULL, "nvidia GPU-aa-1@0, nvidia GPU-bb-2@1, nvidia GPU-cc-3@0");
	remove_store_dir(&root);
}

static void all_gpus_are_numbered_when_one_has_no_valid_uuid(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_nvidia(&root, "0000:81:00.0", "GPU-\?\?\?\?-\?\?\?\?", "1");
	add_nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@1");
	add_nvidia(&root, "0000:81:00.0", "GPU-a,1", "1");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@1");
	add_nvidia(&root, "0000:01:00.0", "", "0");
	add_nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@1");
	fake_folder(&root, "proc/driver/nvidia/gpus/0000:82:00.0/information");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0");
	add_nvidia(&root, "0000:c1:00.0", "GPU-dd-4", "65535"); /* the largest valid NUMA domain */
	add_nvidia(&root, "0000:c2:00.0", "GPU-ee-5", "65536");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0, nvidia 3@65535, nvidia 4@0");
	remove_store_dir(&root);
}

static void amd_gpus_are_kfd_nodes_with_vector_units(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_amd(&root, 0, 0, 0);
	add_amd(&root, 1, 0, 0);
	add_amd(&root, 10, 416, 0xc100);
	add_amd(&root, 2, 416, 0x4300);
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/3/properties", "simd_count x\n");
	fake_folder(&root, "sys/class/kfd/kfd/topology/nodes/4/properties");
	fake_file(&root, "sys/bus/pci/devices/0000:43:00.0/numa_node", "0\n");
	fake_file(&root, "sys/bus/pci/devices/0000:c1:00.0/numa_node", "3\n");
	check_devices(&root, NULL, "amd 0@0, amd 1@3");
	remove_store_dir(&root);
}

static void at_most_HOST_DEVICES_MAX_devices_are_read(void **state)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	for (unsigned node = 0; node < 70; node++)
		add_amd(&root, node, 1, 0);
	assert_true(host_info_read_devices(root.path, NULL, host, NULL));
	assert_int_equal(host->device_count, HOST_DEVICES_MAX);
	remove_store_dir(&root);
	free(host);
}

/* Bus addresses are names of folders of the driver; UUIDs are contents of its files. */
static void invalid_bus_addresses_and_uuids_are_not_used(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/a name/information", "GPU UUID: \t GPU-2\n");
	fake_file(&root, "proc/driver/nvidia/gpus/.hidden/information", "GPU UUID: \t GPU-3\n");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0.0000:01:00.0.0000:01:00.0/information",
		  "GPU UUID: \t GPU-4\n");
	check_devices(&root, NULL, "nvidia GPU-1@0");
	add_nvidia(&root, "0000:02:00.0", "GPU 5", "0");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@0");
	add_nvidia(&root, "0000:02:00.0", "", "0");
	check_devices(&root, NULL, "nvidia 0@0, nvidia 1@0");
	remove_store_dir(&root);
}

/* The minor number of the device file must be in the valid range. */
static void an_invalid_device_file_number_is_ignored(void **state)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/1/properties",
		  "simd_count 4\ndrm_render_minor 40000\n");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/2/properties",
		  "simd_count 4\ndrm_render_minor 129\n");
	assert_true(host_info_read_devices(root.path, NULL, host, NULL));
	assert_int_equal(host->device_count, 2);
	assert_int_equal(host->device[0].node, -1);
	assert_int_equal(host->device[1].node, 129);
	free(host);
	remove_store_dir(&root);
}

static void a_configured_list_replaces_the_devices_found(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	check_devices(&root, "", "");
	check_devices(&root, "0,1,3", "listed 0@0, listed 1@0, listed 3@0");
	check_devices(&root, "GPU-aa-1", "listed GPU-aa-1@0");
	remove_store_dir(&root);
}

static void an_invalid_device_list_is_refused(void **state)
{
	static const char *const bad[] = {
		",",   "0,",   ",0",   "0,,1",    "0,1,0",
		"0 1", "0;rm", "a\nb", "\x1b[2J", "0123456789012345678901234567890123456789012345678"};
	struct str many = {0};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		check_devices_refused(bad[i], "is not a list of devices");
	for (int i = 0; i < 65; i++)
		str_addf(&many, i > 0 ? ",%d" : "%d", i);
	check_devices_refused(str_text(&many), "contains more than 64 devices");
	str_free(&many);
}

static void devices_have_the_numbers_of_their_device_files(void **state)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	add_nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	add_nvidia(&root, "0000:02:00.0", "GPU-2", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0/information",
		  "GPU UUID: \t GPU-1\nDevice Minor: \t 7\n");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/1/properties",
		  "simd_count 64\ndrm_render_minor 128\n");
	assert_true(host_info_read_devices(root.path, NULL, host, NULL));
	assert_int_equal(host->device_count, 3);
	assert_int_equal(host->device[0].node, 7);
	assert_int_equal(host->device[1].node,
			 1); /* without a minor number: the position in the order of the bus */
	assert_int_equal(host->device[2].node, 128);
	assert_true(host_info_read_devices(root.path, "3,GPU-x", host, NULL));
	assert_int_equal(host->device[0].node, 3);
	assert_int_equal(host->device[1].node, -1);
	free(host);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_properties_of_a_host_are_read),
		cmocka_unit_test(invalid_characters_of_the_host_name_are_replaced),
		cmocka_unit_test(an_invalid_device_list_is_reported_by_host_info_read),
		cmocka_unit_test(this_host_agrees_with_sysconf_and_the_affinity_mask),
		cmocka_unit_test(only_processors_in_the_affinity_mask_are_counted),
		cmocka_unit_test(a_processor_list_is_written_as_it_was_read),
		cmocka_unit_test(an_invalid_processor_list_is_refused_with_an_error),
		cmocka_unit_test(a_list_with_more_processors_than_the_array_holds_is_refused),
		cmocka_unit_test(a_processor_list_is_appended_to_the_text),
		cmocka_unit_test(a_set_ignores_processors_above_its_maximum),
		cmocka_unit_test(threads_of_a_core_are_adjacent),
		cmocka_unit_test(cores_of_two_packages_differ_without_siblings),
		cmocka_unit_test(offline_and_forbidden_processors_are_left_out),
		cmocka_unit_test(a_sibling_outside_our_mask_does_not_split_a_core),
		cmocka_unit_test(without_topology_each_processor_is_a_core),
		cmocka_unit_test(the_mask_or_the_online_list_alone_is_enough),
		cmocka_unit_test(no_allowed_processor_online_is_an_error),
		cmocka_unit_test(invalid_topology_is_ignored),
		cmocka_unit_test(a_processor_in_two_numa_domains_belongs_to_the_smaller),
		cmocka_unit_test(a_processor_in_many_numa_domains_belongs_to_the_smallest),
		cmocka_unit_test(a_core_without_a_valid_package_belongs_to_the_first),
		cmocka_unit_test(an_invalid_or_missing_mask_is_ignored),
		cmocka_unit_test(at_most_HOST_CPUS_MAX_processors_are_used),
		cmocka_unit_test(without_cgroups_all_memory_is_usable),
		cmocka_unit_test(missing_or_invalid_meminfo_counts_as_no_memory),
		cmocka_unit_test(the_smallest_memory_limit_of_all_parent_cgroups_applies),
		cmocka_unit_test(the_limit_of_cgroup_version_1_is_in_memory_stat),
		cmocka_unit_test(a_container_that_sees_its_host_path_still_finds_its_limit),
		cmocka_unit_test(octal_escapes_in_mounts_are_decoded),
		cmocka_unit_test(an_invalid_memory_limit_is_ignored),
		cmocka_unit_test(a_cgroup_path_that_is_a_file_is_ignored),
		cmocka_unit_test(invalid_mounts_and_cgroup_paths_are_ignored),
		cmocka_unit_test(a_host_without_gpus_has_no_devices),
		cmocka_unit_test(nvidia_gpus_are_in_the_order_of_their_bus_addresses),
		cmocka_unit_test(all_gpus_are_numbered_when_one_has_no_valid_uuid),
		cmocka_unit_test(amd_gpus_are_kfd_nodes_with_vector_units),
		cmocka_unit_test(at_most_HOST_DEVICES_MAX_devices_are_read),
		cmocka_unit_test(invalid_bus_addresses_and_uuids_are_not_used),
		cmocka_unit_test(an_invalid_device_file_number_is_ignored),
		cmocka_unit_test(a_configured_list_replaces_the_devices_found),
		cmocka_unit_test(an_invalid_device_list_is_refused),
		cmocka_unit_test(devices_have_the_numbers_of_their_device_files),
	};

	return cmocka_run_group_tests_name("host_info", tests, NULL, NULL);
}
