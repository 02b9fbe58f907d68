/* SPDX-License-Identifier: MIT */
/*
 * test_host_info.c - hardware and cgroups of this host
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/rm/host_info.h"
#include "sched/rm/host_info_inside.h"
#include "sched/rm/host_users.h"
#include "tests/fake_root.h"

/* --- hardware and cgroups of this host ---------------------------------------------------------------- */

static void a_whole_host_is_read(void **state)
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

static void a_name_is_made_fit_for_a_node(void **state)
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

static void a_wrong_list_of_devices_is_refused(void **state)
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

static void this_host_agrees_with_the_system(void **state)
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

static void a_narrower_mask_is_seen(void **state)
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

static void must_read(const char *text, size_t expected)
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

static void must_refuse(const char *text, const char *words)
{
	uint16_t id[4];
	size_t count;
	struct err err = {""};

	assert_false(host_info_read_cpus(text, id, 4, &count, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
}

static void a_list_is_read_and_written_again(void **state)
{
	(void)state;
	must_read("", 0);
	must_read("0", 1);
	must_read("0-3,8", 5);
	must_read("1,3,5-6", 4);
	must_read("65534-65535", 2);
}

static void what_is_no_list_is_refused_with_a_sentence(void **state)
{
	static const char *const bad[] = {
		",",   "1,",    ",1", "3-1",     "1-",  "-1",    "1,1",
		"2,1", "0-3,3", "a",  "0-3:1/2", "1 2", "65536", "99999999999999999999",
		"0-",  "1--2",  "+1"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct cpu_set set;

		must_refuse(bad[i], "is not a list of processors");
		assert_false(cpu_set_read(bad[i], &set));
	}
}

static void no_more_are_taken_than_there_is_room_for(void **state)
{
	uint16_t id[4];
	size_t count;

	(void)state;
	must_refuse("0-4", "more than 4");
	must_refuse("0-3,5", "more than 4");
	must_refuse("0-65535", "more than 4");
	assert_true(host_info_read_cpus("0-3", id, 4, &count, NULL));
	assert_true(host_info_read_cpus("", id, 0, &count, NULL));
	assert_false(host_info_read_cpus("0", id, 0, &count, NULL));
}

static void a_list_is_added_behind_what_is_there(void **state)
{
	static const uint16_t id[] = {0, 1, 2, 7};
	struct str list = {0};

	(void)state;
	str_add(&list, "on ");
	host_info_list_cpus(id, 4, &list);
	assert_string_equal(str_text(&list), "on 0-2,7");
	str_free(&list);
}

static void a_set_leaves_out_what_it_has_no_room_for(void **state)
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

/* Also the cores by number: "0:0,8 1:1". */
static void must_be(const struct store_dir *root, uint32_t numa_count, const char *cores)
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

static void must_fail(const struct store_dir *root)
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

static void memory_must_be(const struct store_dir *root, int64_t mem_mb, int64_t swap_mb)
{
	struct host_info *host = mem_zero(1, sizeof *host);

	host_info_read_memory(root->path, host);
	assert_int_equal(host->mem_mb, mem_mb);
	assert_int_equal(host->swap_mb, swap_mb);
	free(host);
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
	memory_must_be(&root, 8000, 1000);
	remove_store_dir(&root);
}

static void what_is_not_said_is_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	memory_must_be(&root, 0, 0);
	fake_file(&root, "proc/meminfo", "MemTotal: many kB\nSwapTotal: -5 kB\n");
	memory_must_be(&root, 0, 0);
	fake_file(&root, "proc/meminfo",
		  "MemTotal: 99999999999999999999999 kB\nSwapTotal: 9223372036854775807 kB\n");
	memory_must_be(&root, 0, INT64_MAX / 1024);
	remove_store_dir(&root);
	make_store_dir(&root);
	fake_folder(&root, "proc/meminfo");
	memory_must_be(&root, 0, 0);
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
	memory_must_be(&root, 8000, 1000);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.max", "%" PRId64 "\n", 7000 * MB);
	fake_file(&root, "sys/fs/cgroup/lab.slice/kahu.service/memory.swap.max", "0\n");
	memory_must_be(&root, 7000, 0);
	fake_file(&root, "sys/fs/cgroup/lab.slice/memory.max", "%" PRId64 "\n", 3000 * MB);
	memory_must_be(&root, 3000, 0);
	fake_file(&root, "sys/fs/cgroup/memory.max", "%" PRId64 "\n", 2000 * MB);
	memory_must_be(&root, 2000, 0);
	/* Not above the mount. */
	fake_file(&root, "sys/fs/memory.max", "1\n");
	memory_must_be(&root, 2000, 0);
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
	memory_must_be(&root, 500, 1000);
	fake_file(&root, "sys/fs/cgroup/the memory/docker/1f/memory.stat",
		  "hierarchical_memory_limit 9223372036854771712\n");
	memory_must_be(&root, 8000, 1000);
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
	memory_must_be(&root, 100, 1000);
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
	memory_must_be(&root, 100, 1000);
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
	memory_must_be(&root, 100, 1000); /* no memory.stat */
	fake_file(&root, "sys/fs/memory/lab/memory.stat", "hierarchical_memory_limit -1\n");
	memory_must_be(&root, 100, 1000);
	fake_file(&root, "proc/meminfo", "SwapTotal: 1024000 kB\n");
	memory_must_be(&root, 0, 1000);
	fake_file(&root, "proc/meminfo", "MemTotal: -4 kB\n");
	memory_must_be(&root, 0, 0);
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
	memory_must_be(&root, 8000, 1000);
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
			memory_must_be(&root, 8000, 1000);
		}
	remove_store_dir(&root);
}

/* --- GPUs --------------------------------------------------------------------------------------------- */

/* "nvidia GPU-1@0, amd 0@1". */
static void device_must_be(const struct store_dir *root, const char *list, const char *expected)
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

static void device_must_refuse(const char *list, const char *words)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct err err = {""};

	assert_false(host_info_read_devices("/nowhere", list, host, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
	free(host);
}

static void nvidia(const struct store_dir *root, const char *bus, const char *uuid, const char *numa)
{
	char path[128];

	snprintf(path, sizeof path, "proc/driver/nvidia/gpus/%s/information", bus);
	fake_file(root, path,
		  "Model: \t\t NVIDIA A100\nIRQ:   \t\t 42\nGPU UUID: \t %s\nBus Location: \t %s\n", uuid,
		  bus);
	snprintf(path, sizeof path, "sys/bus/pci/devices/%s/numa_node", bus);
	fake_file(root, path, "%s\n", numa);
}

static void amd(const struct store_dir *root, unsigned node, int units, unsigned place)
{
	char path[128];

	snprintf(path, sizeof path, "sys/class/kfd/kfd/topology/nodes/%u/properties", node);
	fake_file(root, path, "cpu_cores_count 0\nsimd_count %d\nlocation_id %u\ndomain 0\n", units, place);
}

static void none_are_found_where_there_are_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	device_must_be(&root, NULL, "");
	fake_folder(&root, "proc/driver/nvidia/gpus");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes", "no folder\n");
	device_must_be(&root, NULL, "");
	remove_store_dir(&root);
}

static void nvidias_stand_in_the_order_of_the_bus(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	nvidia(&root, "10000:01:00.0", "GPU-cc-3", "-1");
	device_must_be(&root, NULL, "nvidia GPU-aa-1@0, nvidia GPU-bb-2@1, nvidia GPU-cc-3@0");
	remove_store_dir(&root);
}

static void numbers_name_them_all_when_one_has_no_uuid(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:81:00.0", "GPU-\?\?\?\?-\?\?\?\?", "1");
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	nvidia(&root, "0000:81:00.0", "GPU-a,1", "1");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	nvidia(&root, "0000:01:00.0", "", "0");
	nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	fake_folder(&root, "proc/driver/nvidia/gpus/0000:82:00.0/information");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0");
	nvidia(&root, "0000:c1:00.0", "GPU-dd-4", "65535"); /* the largest that there is room for */
	nvidia(&root, "0000:c2:00.0", "GPU-ee-5", "65536");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0, nvidia 3@65535, nvidia 4@0");
	remove_store_dir(&root);
}

static void amds_are_nodes_with_vector_units(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	amd(&root, 0, 0, 0);
	amd(&root, 1, 0, 0);
	amd(&root, 10, 416, 0xc100);
	amd(&root, 2, 416, 0x4300);
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/3/properties", "simd_count x\n");
	fake_folder(&root, "sys/class/kfd/kfd/topology/nodes/4/properties");
	fake_file(&root, "sys/bus/pci/devices/0000:43:00.0/numa_node", "0\n");
	fake_file(&root, "sys/bus/pci/devices/0000:c1:00.0/numa_node", "3\n");
	device_must_be(&root, NULL, "amd 0@0, amd 1@3");
	remove_store_dir(&root);
}

static void device_no_more_are_taken_than_there_is_room_for(void **state)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	for (unsigned node = 0; node < 70; node++)
		amd(&root, node, 1, 0);
	assert_true(host_info_read_devices(root.path, NULL, host, NULL));
	assert_int_equal(host->device_count, HOST_DEVICES_MAX);
	remove_store_dir(&root);
	free(host);
}

/* In a folder of the driver, or said by it. */
static void what_is_no_name_is_no_device(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/a name/information", "GPU UUID: \t GPU-2\n");
	fake_file(&root, "proc/driver/nvidia/gpus/.hidden/information", "GPU UUID: \t GPU-3\n");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0.0000:01:00.0.0000:01:00.0/information",
		  "GPU UUID: \t GPU-4\n");
	device_must_be(&root, NULL, "nvidia GPU-1@0");
	nvidia(&root, "0000:02:00.0", "GPU 5", "0");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@0");
	nvidia(&root, "0000:02:00.0", "", "0");
	device_must_be(&root, NULL, "nvidia 0@0, nvidia 1@0");
	remove_store_dir(&root);
}

/* Its file is found by a number, which has bounds. */
static void an_absurd_number_of_a_file_is_none(void **state)
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

static void a_list_takes_the_place_of_what_is_found(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	device_must_be(&root, "", "");
	device_must_be(&root, "0,1,3", "listed 0@0, listed 1@0, listed 3@0");
	device_must_be(&root, "GPU-aa-1", "listed GPU-aa-1@0");
	remove_store_dir(&root);
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const bad[] = {
		",",   "0,",   ",0",   "0,,1",    "0,1,0",
		"0 1", "0;rm", "a\nb", "\x1b[2J", "0123456789012345678901234567890123456789012345678"};
	struct str many = {0};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		device_must_refuse(bad[i], "is not a list of devices");
	for (int i = 0; i < 65; i++)
		str_addf(&many, i > 0 ? ",%d" : "%d", i);
	device_must_refuse(str_text(&many), "names more than 64 devices");
	str_free(&many);
}

static void their_files_are_known_by_number(void **state)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	nvidia(&root, "0000:02:00.0", "GPU-2", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0/information",
		  "GPU UUID: \t GPU-1\nDevice Minor: \t 7\n");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/1/properties",
		  "simd_count 64\ndrm_render_minor 128\n");
	assert_true(host_info_read_devices(root.path, NULL, host, NULL));
	assert_int_equal(host->device_count, 3);
	assert_int_equal(host->device[0].node, 7);
	assert_int_equal(host->device[1].node, 1); /* the driver does not say: their order */
	assert_int_equal(host->device[2].node, 128);
	assert_true(host_info_read_devices(root.path, "3,GPU-x", host, NULL));
	assert_int_equal(host->device[0].node, 3);
	assert_int_equal(host->device[1].node, -1);
	free(host);
	remove_store_dir(&root);
}

/* --- the directory for cgroups of jobs, and its controllers ------------------------------------------- */

/*
 * What only a kernel does (a busy folder, moving) is tried below the cgroup of this test where it may make
 * folders there and a controller is given to them; elsewhere that test is skipped and says so.
 */

#define HOME "sys/fs/cgroup/kahu.service"

static void cgroup_must_be(const struct store_dir *root, enum hold_level level, const char *folder,
			   const char *words)
{
	char found[4096];
	char expected[1024];
	struct str why = {0};

	assert_int_equal(host_info_cgroup(root->path, found, sizeof found, &why), level);
	if (words == NULL)
		assert_string_equal(str_text(&why), "");
	else if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	snprintf(expected, sizeof expected, "%s/%s", root->path, folder);
	assert_string_equal(found, *folder ? expected : "");
	str_free(&why);
}

/* A tree of version 2 where we stand in HOME, without controllers. */
static void a_tree(struct store_dir *root)
{
	make_store_dir(root);
	fake_file(root, "proc/self/mounts",
		  "tmpfs / tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
	fake_file(root, "proc/self/cgroup", "0::/kahu.service\n");
	fake_file(root, HOME "/cgroup.kill", "%s", "");
	fake_file(root, HOME "/cgroup.controllers", "\n");
	fake_file(root, HOME "/cgroup.subtree_control", "\n");
}

static void must_be_left_as_it_was(const struct store_dir *root)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/" HOME "/scheduler", root->path);
	assert_int_not_equal(access(path, F_OK), 0);
	snprintf(path, sizeof path, "%s/" HOME "/probe.%ld", root->path, (long)getpid());
	assert_int_not_equal(access(path, F_OK), 0);
}

static void with_memory_it_is_full(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "cpu memory pids\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "memory\n");
	cgroup_must_be(&root, HOLD_FULL, HOME, NULL);
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void without_a_tree_there_is_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	cgroup_must_be(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	fake_file(&root, "proc/self/mounts", "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/\n");
	cgroup_must_be(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	remove_store_dir(&root);
}

static void a_hybrid_host_has_no_memory_in_it(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
		  "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/lab\n0::/\n");
	fake_folder(&root, "sys/fs/cgroup/memory/lab");
	fake_file(&root, "sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n");
	fake_file(&root, "sys/fs/cgroup/unified/cgroup.kill", "%s", "");
	cgroup_must_be(&root, HOLD_KILL_ONLY, "sys/fs/cgroup/unified", "belongs to version 1");
	remove_store_dir(&root);
}

static void an_old_kernel_cannot_kill_as_one(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	a_tree(&root);
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.kill", root.path);
	assert_int_equal(remove(path), 0);
	cgroup_must_be(&root, HOLD_NONE, "", "no cgroup.kill");
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void where_no_folder_can_be_made_there_is_none(void **state)
{
	struct store_dir root;
	char path[64];

	(void)state;
	a_tree(&root);
	snprintf(path, sizeof path, HOME "/probe.%ld", (long)getpid());
	fake_file(&root, path, "in the way\n");
	cgroup_must_be(&root, HOLD_NONE, "", "Delegate=yes");
	remove_store_dir(&root);
}

static void a_controller_that_cannot_be_enabled_is_named(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	/* A file, not a kernel: what is written there does not become a list. */
	cgroup_must_be(&root, HOLD_KILL_ONLY, HOME, "the memory controller cannot be used below");
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void from_its_own_leaf_the_folder_is_above(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, "proc/self/cgroup", "0::/kahu.service/scheduler\n");
	fake_folder(&root, HOME "/scheduler");
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "cpu memory\n");
	cgroup_must_be(&root, HOLD_FULL, HOME, NULL);
	remove_store_dir(&root);
}

static void a_folder_that_is_too_long_is_none(void **state)
{
	struct store_dir root;
	struct str why = {0};
	char folder[16] = "x";

	(void)state;
	a_tree(&root);
	assert_int_equal(host_info_cgroup(root.path, folder, sizeof folder, &why), HOLD_NONE);
	assert_string_equal(folder, "");
	assert_non_null(strstr(str_text(&why), "too long"));
	str_free(&why);
	remove_store_dir(&root);
}

/* --- with what a kernel does, on files ------------------------------------------------------- */

static const struct store_dir *emulated; /* NULL: nothing is */

static bool makes_no_leaf, keeps_probes;

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), size = strlen(end);

	return len >= size && strcmp(text + len - size, end) == 0;
}

static bool stands_in_home(void)
{
	struct str text = {0};
	bool some = kernel_text(&text, "%s/" HOME "/cgroup.procs", emulated->path) && text.len > 0;

	str_free(&text);
	return some;
}

/* "+memory" joins the others. Only one is tried at a time, so nothing else is there when "-memory" comes. */
static void control(const char *word, size_t size)
{
	struct str given = {0};

	kernel_text(&given, "%s/" HOME "/cgroup.subtree_control", emulated->path);
	if (word[0] == '-')
		str_clear(&given);
	else
		str_addf(&given, "%s%.*s", given.len > 0 ? " " : "", (int)size - 1, word + 1);
	fake_file(emulated, HOME "/cgroup.subtree_control", "%s\n", str_text(&given));
	str_free(&given);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): what stands in for functions of libc */

/* A controller is given to folders below one in which nobody stands; who is moved leaves where he was. */
ssize_t write(int fd, const void *bytes, size_t size)
{
	char link[64], path[1024];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = emulated == NULL ? -1 : readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if (ends_with(path, "/cgroup.subtree_control")) {
		if (stands_in_home()) {
			errno = EBUSY;
			return -1;
		}
		control(bytes, size);
		return (ssize_t)size;
	}
	if (ends_with(path, "/scheduler/cgroup.procs"))
		fake_file(emulated, HOME "/cgroup.procs", "%s", "");
	return syscall(SYS_write, fd, bytes, size);
}

int mkdir(const char *path, mode_t mode)
{
	bool leaf = emulated != NULL && ends_with(path, "/scheduler");
	int failed;

	if (leaf && makes_no_leaf) {
		errno = EACCES;
		return -1;
	}
	failed = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
	if (leaf && failed == 0)
		fake_file(emulated, HOME "/scheduler/cgroup.procs", "%s", "");
	return failed;
}

int rmdir(const char *path)
{
	if (emulated != NULL && keeps_probes) {
		errno = EBUSY;
		return -1;
	}
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* A tree with memory to give, where those stand in HOME. */
static void begin_emulation(struct store_dir *root, const char *procs)
{
	a_tree(root);
	fake_file(root, HOME "/cgroup.controllers", "cpu memory\n");
	fake_file(root, HOME "/cgroup.procs", "%s", procs);
	makes_no_leaf = keeps_probes = false;
	emulated = root;
}

static void end_emulation(struct store_dir *root)
{
	emulated = NULL;
	remove_store_dir(root);
}

static void must_enter(const struct store_dir *root, enum hold_level level, const char *words)
{
	char found[4096];
	struct str why = {0};

	assert_int_equal(host_info_cgroup_enter(root->path, found, sizeof found, &why), level);
	assert_int_equal(found[0] == '\0', level == HOLD_NONE);
	if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	str_free(&why);
}

static const char *ourselves(void)
{
	static char text[32];

	snprintf(text, sizeof text, "%ld\n", (long)getpid());
	return text;
}

/* The controllers that folders below HOME have. */
static void must_give(const struct store_dir *root, const char *controllers)
{
	struct str text = {0};

	assert_true(kernel_text(&text, "%s/" HOME "/cgroup.subtree_control", root->path));
	assert_string_equal(str_text(&text), controllers);
	str_free(&text);
}

static void alone_in_a_busy_folder_it_would_step_aside_and_does(void **state)
{
	struct store_dir root;
	struct str text = {0};

	(void)state;
	begin_emulation(&root, ourselves());
	cgroup_must_be(&root, HOLD_FULL, HOME, NULL);
	must_be_left_as_it_was(&root);
	assert_true(stands_in_home());
	must_enter(&root, HOLD_FULL, "");
	assert_false(stands_in_home());
	must_give(&root, "memory pids cpuset");
	assert_true(kernel_text(&text, "%s/" HOME "/scheduler/cgroup.procs", root.path));
	assert_int_equal(strtol(str_text(&text), NULL, 10), getpid());
	must_enter(&root, HOLD_FULL, ""); /* again, from there */
	str_free(&text);
	end_emulation(&root);
}

static void in_an_empty_folder_a_trial_is_undone_and_entering_is_not(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	cgroup_must_be(&root, HOLD_FULL, HOME, NULL);
	must_give(&root, "");
	must_enter(&root, HOLD_FULL, "");
	must_give(&root, "memory pids cpuset");
	end_emulation(&root);
}

static void beside_others_it_stays_where_it_is(void **state)
{
	struct store_dir root;
	char text[64];

	(void)state;
	snprintf(text, sizeof text, "%s1\n", ourselves());
	begin_emulation(&root, text);
	must_enter(&root, HOLD_KILL_ONLY, "contains other processes");
	must_be_left_as_it_was(&root);
	end_emulation(&root);
	begin_emulation(&root, "nobody\n"); /* of another namespace, say */
	must_enter(&root, HOLD_KILL_ONLY, "contains other processes");
	end_emulation(&root);
}

static void a_leaf_that_cannot_be_made_is_a_reason(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, ourselves());
	makes_no_leaf = true;
	must_enter(&root, HOLD_KILL_ONLY, "Permission denied");
	end_emulation(&root);
}

/* It is there since the last time. */
static void a_leaf_that_is_there_is_used(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, ourselves());
	fake_file(&root, HOME "/scheduler/cgroup.procs", "%s", "");
	must_enter(&root, HOLD_FULL, "");
	end_emulation(&root);
}

static void a_folder_that_cannot_be_removed_is_none_to_use(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	keeps_probes = true;
	must_enter(&root, HOLD_NONE, "Device or resource busy");
	end_emulation(&root);
}

static void a_list_that_cannot_be_written_is_a_reason(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	begin_emulation(&root, "");
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.subtree_control", root.path);
	assert_int_equal(remove(path), 0);
	must_enter(&root, HOLD_KILL_ONLY, "No such file");
	end_emulation(&root);
}

/* --- with the kernel ------------------------------------------------------------------------- */

/* A controller that folders below ours can have; false: there is none, or we may make no folder. */
static bool can_try(struct cgroup_place *place, struct str *controller, struct str *home)
{
	if (!cgroup_find("", NULL, place) ||
	    !kernel_text(controller, "%s/cgroup.subtree_control", str_text(&place->folder)) ||
	    controller->len == 0)
		return false;
	controller->data[strcspn(controller->data, " ")] = '\0';
	str_addf(home, "%s/kahu-test.%ld", str_text(&place->folder), (long)getpid());
	return mkdir(str_text(home), 0755) == 0;
}

static bool enter(const char *home)
{
	struct str path = {0};

	str_addf(&path, "%s/cgroup.procs", home);
	FILE *file = fopen(str_text(&path), "w");
	str_free(&path);
	return file != NULL && fprintf(file, "%ld\n", (long)getpid()) > 0 && fclose(file) == 0;
}

/* In a child: 0 = all as it should be, else the number of the step that was not. */
static int alone_at_home(const char *home, const char *controller)
{
	struct str why = {0};
	struct str text = {0};

	if (!enter(home))
		return 1;
	if (!cgroup_control(home, controller, false, &why))
		return 2;
	if (!kernel_text(&text, "%s/cgroup.procs", home) || strtol(str_text(&text), NULL, 10) != getpid())
		return 3;
	if (!cgroup_control(home, controller, true, &why))
		return 4;
	if (!kernel_text(&text, "%s/cgroup.procs", home) || text.len != 0)
		return 5;
	if (!kernel_text(&text, "%s/scheduler/cgroup.procs", home) ||
	    strtol(str_text(&text), NULL, 10) != getpid())
		return 6;
	if (!kernel_text(&text, "%s/cgroup.subtree_control", home) ||
	    !kernel_has_word(str_text(&text), controller))
		return 7;
	str_free(&why);
	str_free(&text);
	return 0;
}

/* In a child, whose own child stands there as well. */
static int with_another_at_home(const char *home, const char *controller)
{
	struct str why = {0};
	int waits[2];

	if (pipe(waits) != 0 || !enter(home))
		return 1;
	pid_t other = fork();
	if (other == 0) {
		char c;

		close(waits[1]);
		_exit(read(waits[0], &c, 1) == 0 ? 0 : 1);
	}
	bool could = cgroup_control(home, controller, true, &why);
	bool said = strstr(str_text(&why), "contains other processes") != NULL;
	str_free(&why);
	close(waits[1]);
	waitpid(other, NULL, 0);
	return could ? 2 : said ? 0 : 3;
}

static void try_in_a_child(int (*deed)(const char *, const char *))
{
	struct cgroup_place place = {{0}, {0}};
	struct str controller = {0};
	struct str home = {0};
	int status = 0;
	bool can = can_try(&place, &controller, &home);

	if (can) {
		pid_t child = fork();
		if (child == 0)
			_exit(deed(str_text(&home), str_text(&controller)));
		assert_int_equal(waitpid(child, &status, 0), child);
		struct str leaf = {0};
		str_addf(&leaf, "%s/scheduler", str_text(&home));
		rmdir(str_text(&leaf));
		str_free(&leaf);
		assert_int_equal(rmdir(str_text(&home)), 0);
	}
	cgroup_place_free(&place);
	str_free(&controller);
	str_free(&home);
	if (!can) {
		print_message("skipped: no controller is given to cgroups below ours\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void alone_it_steps_aside_for_the_controller(void **state)
{
	(void)state;
	try_in_a_child(alone_at_home);
}

static void others_are_not_moved(void **state)
{
	(void)state;
	try_in_a_child(with_another_at_home);
}

static void this_host_is_left_as_it_was(void **state)
{
	struct str before = {0};
	struct str after = {0};
	struct str why = {0};
	char folder[4096];

	(void)state;
	kernel_text(&before, "/proc/self/cgroup");
	enum hold_level level = host_info_cgroup("/", folder, sizeof folder, &why);
	kernel_text(&after, "/proc/self/cgroup");
	assert_string_equal(str_text(&before), str_text(&after));
	assert_int_equal(level == HOLD_NONE, folder[0] == '\0');
	assert_int_equal(level == HOLD_FULL, why.len == 0);
	if (level != HOLD_NONE)
		assert_true(folder[0] == '/' && folder[1] != '/' && access(folder, W_OK) == 0);
	str_free(&before);
	str_free(&after);
	str_free(&why);
}

/* --- users and groups of this host -------------------------------------------------------------------- */

static const struct host_users *find(const struct store_dir *root)
{
	static struct host_users users;

	host_users_find(root->path, &users);
	return &users;
}

static void those_who_log_in_are_counted_with_their_groups(void **state)
{
	struct store_dir root;
	const struct host_users *p;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "etc/passwd",
		  "root:x:0:0::/root:/bin/bash\n"
		  "daemon:x:2:2::/:/usr/sbin/nologin\n"
		  "eva:x:1000:1000::/home/eva:/bin/bash\n"
		  "kim:x:1001:2000::/home/kim:/bin/zsh\n"
		  "gone:x:1002:2000::/home/gone:/bin/false\n"
		  "nobody:x:65534:65534::/:/bin/sh\n");
	fake_file(&root, "etc/group",
		  "root:x:0:\nsudo:x:27:eva\neva:x:1000:\nvision:x:2000:eva\nempty:x:2001:gone\n"
		  "domain users:x:2002:eva,kim,who\n");
	p = find(&root);
	assert_int_equal(p->users, 2);
	assert_int_equal(p->groups, 2);
	assert_string_equal(p->group[0].name, "vision");
	assert_int_equal(p->group[0].members, 2);
	assert_int_equal(p->group[0].gid, 2000);
	assert_string_equal(p->group[1].name, "domain users");
	assert_int_equal(p->group[1].members, 2);
	remove_store_dir(&root);
}

static void names_that_are_too_long_are_left_out(void **state)
{
	struct store_dir root;
	char name[USERS_NAME + 1];

	(void)state;
	memset(name, 'x', USERS_NAME);
	name[USERS_NAME] = '\0';
	make_store_dir(&root);
	fake_file(&root, "etc/passwd",
		  "eva:x:1000:100::/home/eva:sh\nsync:x:1001:100::/:sync\n%s:x:1002:100::/:/bin/sh\n"
		  "off:x:1003:100::/:nologin\n",
		  name);
	fake_file(&root, "etc/group", "%s:x:2000:eva\nlab:x:2001:eva\n", name);
	assert_int_equal(find(&root)->users, 1);
	assert_int_equal(find(&root)->groups, 1);
	assert_string_equal(find(&root)->group[0].name, "lab");
	remove_store_dir(&root);
}

static void a_host_without_lists_has_nobody(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	assert_int_equal(find(&root)->users, 0);
	assert_int_equal(find(&root)->groups, 0);
	remove_store_dir(&root);
}

static void more_groups_than_there_is_room_for_are_left_out(void **state)
{
	struct store_dir root;
	struct str groups = {0};

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "etc/passwd", "eva:x:1000:100::/home/eva:\n");
	for (int i = 0; i < 2 * USERS_GROUPS_MAX; i++)
		str_addf(&groups, "g%d:x:%d:eva\n", i, 2000 + i);
	fake_file(&root, "etc/group", "%s", str_text(&groups));
	assert_int_equal(find(&root)->users, 1); /* no shell is the usual one */
	assert_int_equal(find(&root)->groups, USERS_GROUPS_MAX);
	str_free(&groups);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_host_is_read),
		cmocka_unit_test(a_name_is_made_fit_for_a_node),
		cmocka_unit_test(a_wrong_list_of_devices_is_refused),
		cmocka_unit_test(this_host_agrees_with_the_system),
		cmocka_unit_test(a_narrower_mask_is_seen),
		cmocka_unit_test(a_list_is_read_and_written_again),
		cmocka_unit_test(what_is_no_list_is_refused_with_a_sentence),
		cmocka_unit_test(no_more_are_taken_than_there_is_room_for),
		cmocka_unit_test(a_list_is_added_behind_what_is_there),
		cmocka_unit_test(a_set_leaves_out_what_it_has_no_room_for),
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
		cmocka_unit_test(without_cgroups_all_is_ours),
		cmocka_unit_test(what_is_not_said_is_none),
		cmocka_unit_test(the_smallest_bound_above_us_counts),
		cmocka_unit_test(version_1_says_its_bound_itself),
		cmocka_unit_test(a_container_that_is_told_the_hosts_path_sees_its_bound),
		cmocka_unit_test(names_in_mounts_are_read_as_the_kernel_writes_them),
		cmocka_unit_test(a_bound_that_is_none_is_passed_over),
		cmocka_unit_test(a_place_that_is_a_file_is_none),
		cmocka_unit_test(absurd_places_are_no_places),
		cmocka_unit_test(none_are_found_where_there_are_none),
		cmocka_unit_test(nvidias_stand_in_the_order_of_the_bus),
		cmocka_unit_test(numbers_name_them_all_when_one_has_no_uuid),
		cmocka_unit_test(amds_are_nodes_with_vector_units),
		cmocka_unit_test(device_no_more_are_taken_than_there_is_room_for),
		cmocka_unit_test(what_is_no_name_is_no_device),
		cmocka_unit_test(an_absurd_number_of_a_file_is_none),
		cmocka_unit_test(a_list_takes_the_place_of_what_is_found),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(their_files_are_known_by_number),
		cmocka_unit_test(with_memory_it_is_full),
		cmocka_unit_test(without_a_tree_there_is_none),
		cmocka_unit_test(a_hybrid_host_has_no_memory_in_it),
		cmocka_unit_test(an_old_kernel_cannot_kill_as_one),
		cmocka_unit_test(where_no_folder_can_be_made_there_is_none),
		cmocka_unit_test(a_controller_that_cannot_be_enabled_is_named),
		cmocka_unit_test(from_its_own_leaf_the_folder_is_above),
		cmocka_unit_test(a_folder_that_is_too_long_is_none),
		cmocka_unit_test(alone_in_a_busy_folder_it_would_step_aside_and_does),
		cmocka_unit_test(in_an_empty_folder_a_trial_is_undone_and_entering_is_not),
		cmocka_unit_test(beside_others_it_stays_where_it_is),
		cmocka_unit_test(a_leaf_that_cannot_be_made_is_a_reason),
		cmocka_unit_test(a_leaf_that_is_there_is_used),
		cmocka_unit_test(a_folder_that_cannot_be_removed_is_none_to_use),
		cmocka_unit_test(a_list_that_cannot_be_written_is_a_reason),
		cmocka_unit_test(alone_it_steps_aside_for_the_controller),
		cmocka_unit_test(others_are_not_moved),
		cmocka_unit_test(this_host_is_left_as_it_was),
		cmocka_unit_test(those_who_log_in_are_counted_with_their_groups),
		cmocka_unit_test(names_that_are_too_long_are_left_out),
		cmocka_unit_test(a_host_without_lists_has_nobody),
		cmocka_unit_test(more_groups_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests_name("host_info", tests, NULL, NULL);
}
