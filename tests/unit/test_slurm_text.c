/* SPDX-License-Identifier: MIT */
/*
 * test_slurm_text.c - times, sizes, lists of nodes and generic resources as Slurm's commands print them
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/trace/slurm_text.h"

static void times_are_read_as_utc(void **state)
{
	int64_t at_s = 0;

	(void)state;
	assert_true(slurm_time("1970-01-01T00:00:00", &at_s));
	assert_int_equal(at_s, 0);
	assert_true(slurm_time("2026-11-29T02:51:39", &at_s));
	assert_int_equal(at_s, 1795920699);
	assert_true(slurm_time("2024-02-29T23:59:59", &at_s));
	assert_int_equal(at_s, 1709251199);
}

static void missing_times_are_zero_and_others_are_refused(void **state)
{
	static const char *const none[] = {"", "N/A", "None", "NONE", "Unknown", "(null)"};
	static const char *const bad[] = {
		"2026-11-29", "2026-13-01T00:00:00", "2026-1-1T00:00:00",   "2026-11-29T02:51:39Z",
		"now",        "2026-11-29 02:51:39", "1969-12-31T23:59:59", "2026-11-29T24:00:00"};
	int64_t at_s;

	(void)state;
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		at_s = 1;
		assert_true(slurm_time(none[i], &at_s));
		assert_int_equal(at_s, 0);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(slurm_time(bad[i], &at_s));
}

static void durations_have_days_hours_minutes_and_seconds(void **state)
{
	static const struct {
		const char *text;
		int64_t s;
	} row[] = {{"30:00", 1800},
		   {"0:01", 1},
		   {"1:00:00", 3600},
		   {"2-00:00:00", 172800},
		   {"1-02:03:04", 93784},
		   {"UNLIMITED", SLURM_UNLIMITED},
		   {"INFINITE", SLURM_UNLIMITED},
		   {"NOT_SET", 0},
		   {"Partition_Limit", 0},
		   {"N/A", 0}};
	static const char *const bad[] = {
		"5", "1-", "1:2:3:4", "-1:00", "1d", "99999999999:00", "1--2:00", "10000-00:00:00"};
	int64_t s;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		assert_true(slurm_duration(row[i].text, &s));
		assert_true(s == row[i].s);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(slurm_duration(bad[i], &s));
}

static void sizes_are_in_megabytes(void **state)
{
	static const struct {
		const char *text;
		int64_t mb;
	} row[] = {{"0", 0},     {"4000M", 4000}, {"16G", 16384},     {"1.50T", 1572864}, {"2048K", 2},
		   {"500", 500}, {"N/A", 0},      {"1P", 1073741824}, {"62.50G", 64000}};
	static const char *const bad[] = {"G", "4X", "4GB", "-1", "1.", "1e3", "9999999999999999"};
	int64_t mb;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		assert_true(slurm_size_mb(row[i].text, &mb));
		assert_int_equal(mb, row[i].mb);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(slurm_size_mb(bad[i], &mb));
}

/* --- lists of nodes ----------------------------------------------------------------------------------- */

static bool add_host(void *self, const char *name)
{
	str_addf(self, "%s ", name);
	return true;
}

static void assert_hosts(const char *list, const char *expected)
{
	struct str got = {0};

	assert_true(slurm_hosts(list, add_host, &got));
	assert_string_equal(str_text(&got), expected);
	str_free(&got);
}

static void lists_of_nodes_are_expanded_in_order(void **state)
{
	(void)state;
	assert_hosts("", "");
	assert_hosts("(null)", "");
	assert_hosts("n1", "n1 ");
	assert_hosts("n[1-3]", "n1 n2 n3 ");
	assert_hosts("n[01-03,7],gpu2", "n01 n02 n03 n7 gpu2 ");
	assert_hosts("r[1-2]n[8-9]", "r1n8 r1n9 r2n8 r2n9 ");
	assert_hosts("n[098-101]-ib", "n098-ib n099-ib n100-ib n101-ib ");
	assert_hosts("login,n[5]", "login n5 ");
}

static bool count_host(void *self, const char *name)
{
	(void)name;
	++*(uint32_t *)self;
	return true;
}

static void malformed_and_endless_lists_of_nodes_are_refused(void **state)
{
	static const char *const bad[] = {"n[",
					  "n[1-",
					  "n[1-3",
					  "n]",
					  "n[3-1]",
					  "n[a]",
					  "n[1,]",
					  ",",
					  "n1,",
					  "n 1",
					  "n[1-99999999]",
					  "n[0-9999999999]",
					  "a[1-300]b[1-300]",
					  "n[1-3]]",
					  "n[[1]]",
					  "a\tb"};
	uint32_t count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (slurm_hosts(bad[i], count_host, &count))
			fail_msg("%s was accepted", bad[i]);
	count = 0;
	assert_true(slurm_hosts("n[1-65536]", count_host, &count));
	assert_int_equal(count, SLURM_HOSTS_MAX);
	count = 0;
	assert_false(slurm_hosts("n[1-65536],m1", count_host, &count));
	assert_int_equal(count, SLURM_HOSTS_MAX);
}

/* --- generic resources -------------------------------------------------------------------------------- */

static void add_gres(void *self, const char *name, const char *type, uint32_t count)
{
	str_addf(self, "%s/%s=%u ", name, type, count);
}

static void assert_gres(const char *list, const char *expected)
{
	struct str got = {0};

	assert_true(slurm_gres(list, add_gres, &got));
	assert_string_equal(str_text(&got), expected);
	str_free(&got);
}

static void generic_resources_of_nodes_and_jobs_of_all_versions_are_read(void **state)
{
	(void)state;
	assert_gres("(null)", "");
	assert_gres("gpu:4", "gpu/=4 ");
	assert_gres("gpu:a100:2(S:0-1),gpu:v100:1", "gpu/a100=2 gpu/v100=1 ");
	assert_gres("gres:gpu:2", "gpu/=2 ");
	assert_gres("gres/gpu:a100:1", "gpu/a100=1 ");
	assert_gres("gres:gpu", "gpu/=1 ");
	assert_gres("cpu=4,mem=16G,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2", "gpu/=2 gpu/a100=2 ");
}

static void invalid_generic_resources_are_refused(void **state)
{
	static const char *const bad[] = {"gpu:a:b:c:d", ":2", "bandwidth:4G",
					  "bandwidth:lustre:no_consume:4", "gpu:99999999999"};
	struct str got = {0};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(slurm_gres(bad[i], add_gres, &got));
	str_free(&got);
}

static void a_value_of_a_list_of_tres_is_found_by_its_whole_name(void **state)
{
	struct str value = {0};

	(void)state;
	assert_true(slurm_tres("cpu=4,mem=16G,node=1", "mem", &value));
	assert_string_equal(str_text(&value), "16G");
	str_clear(&value);
	assert_false(slurm_tres("cpu=4,memory=16G", "mem", &value));
	assert_false(slurm_tres("", "mem", &value));
	assert_true(slurm_tres("node=12", "node", &value));
	assert_string_equal(str_text(&value), "12");
	str_free(&value);
}

/* A reason that an administrator has written comes after the state. */
static void the_first_value_with_a_whole_key_counts(void **state)
{
	static const char line[] = "NodeName=n1 CPUTot=16  State=IDLE Reason=my State=DOWN story";
	size_t len;

	(void)state;
	assert_memory_equal(slurm_value(line, "State", &len), "IDLE", 4);
	assert_int_equal(len, 4);
	assert_memory_equal(slurm_value(line, "NodeName", &len), "n1", 2);
	assert_null(slurm_value(line, "Name", &len));
	assert_null(slurm_value(line, "Tot", &len));
	assert_null(slurm_value("", "State", &len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read_as_utc),
		cmocka_unit_test(missing_times_are_zero_and_others_are_refused),
		cmocka_unit_test(durations_have_days_hours_minutes_and_seconds),
		cmocka_unit_test(sizes_are_in_megabytes),
		cmocka_unit_test(lists_of_nodes_are_expanded_in_order),
		cmocka_unit_test(malformed_and_endless_lists_of_nodes_are_refused),
		cmocka_unit_test(generic_resources_of_nodes_and_jobs_of_all_versions_are_read),
		cmocka_unit_test(invalid_generic_resources_are_refused),
		cmocka_unit_test(a_value_of_a_list_of_tres_is_found_by_its_whole_name),
		cmocka_unit_test(the_first_value_with_a_whole_key_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
