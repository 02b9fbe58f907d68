/* SPDX-License-Identifier: MIT */
/*
 * test_seats.c - processors and devices allocated to jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/rng.h"
#include "sched/rm/seats.h"
#include "tests/seed.h"

/* Two NUMA domains of two cores with two processors each, (0 4) (1 5) and (2 6) (3 7), and a device in each.
 */
static void host(struct seats *seats)
{
	static struct host_info host;

	host = (struct host_info){.cpu_count = 8, .core_count = 4, .numa_count = 2, .device_count = 2};
	for (uint16_t i = 0; i < 8; i++)
		host.cpu[i] = (struct cpu){.id = (uint16_t)(i / 2 + (i % 2) * 4),
					   .core = (uint16_t)(i / 2),
					   .numa = (uint16_t)(i / 4)};
	for (uint16_t i = 0; i < 2; i++) {
		snprintf(host.device[i].id, sizeof host.device[i].id, "GPU-%u", i);
		host.device[i].numa = i;
	}
	seats_init(seats, &host);
}

static void check_allocated(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices,
			    const char *cpu_list, const char *device_list)
{
	struct str c = {0}, d = {0};

	assert_true(seats_take(seats, job, cpus, devices, &c, &d));
	assert_string_equal(str_text(&c), cpu_list);
	assert_string_equal(str_text(&d), device_list);
	str_free(&c);
	str_free(&d);
}

static void check_not_allocated(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices)
{
	struct str c = {0}, d = {0};

	assert_false(seats_take(seats, job, cpus, devices, &c, &d));
	assert_string_equal(str_text(&c), "");
	assert_string_equal(str_text(&d), "");
}

static void a_job_gets_whole_cores(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 2, 0, "0,4", "");
	check_allocated(&seats, 2, 2, 0, "1,5", "");
	seats_free(&seats);
}

static void a_job_stays_in_one_domain_where_it_can(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 1, 0, "0", "");
	check_allocated(&seats, 2, 4, 0, "2-3,6-7", "");
	check_allocated(&seats, 3, 3, 0, "1,4-5", "");
	seats_free(&seats);
}

static void the_tightest_domain_is_taken(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 2, 0, "0,4", "");
	check_allocated(&seats, 2, 2, 0, "1,5", "");
	seats_give_back(&seats, 1);
	check_allocated(&seats, 3, 2, 0, "0,4", "");
	seats_free(&seats);
}

static void a_job_too_large_for_a_domain_gets_parts_of_all(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 6, 0, "0-2,4-6", "");
	seats_free(&seats);
}

static void partly_used_cores_are_used_when_no_whole_one_is_free(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 1, 0, "0", "");
	check_allocated(&seats, 2, 1, 0, "4", "");
	check_allocated(&seats, 3, 6, 0, "1-3,5-7", "");
	check_not_allocated(&seats, 4, 1, 0);
	seats_free(&seats);
}

static void devices_are_near_the_processors(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 3, 0, "0-1,4", "");
	check_allocated(&seats, 2, 2, 1, "2,6", "GPU-1");
	check_allocated(&seats, 3, 1, 1, "5", "GPU-0");
	check_not_allocated(&seats, 4, 1, 1);
	seats_free(&seats);
}

static void returned_processors_and_devices_are_free(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 8, 2, "0-7", "GPU-0,GPU-1");
	check_not_allocated(&seats, 2, 1, 0);
	seats_give_back(&seats, 1);
	check_allocated(&seats, 2, 8, 2, "0-7", "GPU-0,GPU-1");
	seats_free(&seats);
}

static void named_processors_and_devices_are_allocated_after_a_restart(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	assert_true(seats_take_named(&seats, 7, "1-2,99", "GPU-1,GPU-9"));
	check_allocated(&seats, 8, 6, 1, "0,3-7", "GPU-0");
	assert_false(seats_take_named(&seats, 9, "nonsense", ""));
	assert_false(seats_take_named(&seats, 9, "", "GPU-0,,GPU-1"));
	seats_give_back(&seats, 7);
	check_allocated(&seats, 10, 2, 1, "1-2", "GPU-1");
	seats_free(&seats);
}

/* Random requests: the number of processors granted never exceeds the number of free ones. */
static void random_requests_never_exceed_the_free_processors(void **state)
{
	struct rng rng = seeded("seats at random");
	uint32_t has[9] = {0}, free_cpus = 8;
	struct seats seats;

	(void)state;
	host(&seats);
	for (int i = 0; i < 5000; i++) {
		uint64_t job = 1 + rng_below(&rng, 8);
		uint32_t wanted = 1 + (uint32_t)rng_below(&rng, 5);
		struct str c = {0}, d = {0};
		uint16_t id[8];
		size_t count = 0;

		if (has[job] > 0) {
			seats_give_back(&seats, job);
			free_cpus += has[job];
			has[job] = 0;
			continue;
		}
		assert_int_equal(seats_take(&seats, job, wanted, 0, &c, &d), wanted <= free_cpus);
		if (wanted <= free_cpus) {
			assert_true(host_info_read_cpus(str_text(&c), id, 8, &count, NULL));
			assert_int_equal(count, wanted);
			has[job] = wanted;
			free_cpus -= wanted;
		}
		str_free(&c);
		str_free(&d);
	}
	seats_free(&seats);
}

static void the_first_processors_can_be_reserved_for_the_system(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 1, 0, "0", "");
	seats_keep(&seats, 2);
	check_allocated(&seats, 2, 6, 0, "1-3,5-7", "");
	check_not_allocated(&seats, 3, 1, 0);
	seats_give_back(&seats, 1); /* its processor is kept for the system only by the next seats_keep */
	seats_keep(&seats, 2);
	check_not_allocated(&seats, 3, 1, 0);
	seats_keep(&seats, 0);
	check_allocated(&seats, 3, 2, 0, "0,4", "");
	seats_free(&seats);
}

static void a_new_device_list_does_not_free_allocated_devices(void **state)
{
	static const struct device other[] = {{.id = "GPU-7"}, {.id = "GPU-1"}, {.id = "GPU-9"}};
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 0, 2, "", "GPU-0,GPU-1");
	seats_set_devices(&seats, other, 3);
	check_allocated(&seats, 2, 0, 2, "", "GPU-7,GPU-9");
	check_not_allocated(&seats, 3, 0, 1);
	seats_give_back(&seats, 1);
	check_allocated(&seats, 3, 0, 1, "", "GPU-1");
	seats_free(&seats);
}

/* A device can be missing from the list after `tune devices` or while its driver is reloaded. */
static void a_temporarily_missing_device_stays_allocated(void **state)
{
	static const struct device all[] = {{.id = "GPU-0"}, {.id = "GPU-1"}}, other[] = {{.id = "GPU-2"}};
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 0, 1, "", "GPU-0");
	seats_set_devices(&seats, other, 1);
	check_allocated(&seats, 2, 0, 1, "", "GPU-2");
	seats_set_devices(&seats, all, 0);
	seats_set_devices(&seats, all, 2);
	check_allocated(&seats, 3, 0, 1, "", "GPU-1");
	check_not_allocated(&seats, 4, 0, 1);
	seats_give_back(&seats, 1);
	check_allocated(&seats, 4, 0, 1, "", "GPU-0");
	seats_give_back(&seats, 2);
	seats_set_devices(&seats, other, 1);
	check_allocated(&seats, 5, 0, 1, "", "GPU-2");
	seats_free(&seats);
}

static void a_device_named_before_it_is_listed_stays_allocated(void **state)
{
	static const struct device listed[] = {{.id = "a"}, {.id = "b"}, {.id = "c"}};
	struct seats seats;

	(void)state;
	host(&seats);
	assert_true(seats_take_named(&seats, 7, "", "b,c"));
	seats_set_devices(&seats, listed, 3);
	check_allocated(&seats, 8, 0, 1, "", "a");
	check_not_allocated(&seats, 9, 0, 1);
	seats_free(&seats);
}

static void a_shared_device_is_free_when_both_jobs_have_returned_it(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	assert_true(seats_take_named(&seats, 1, "", "GPU-0,GPU-1"));
	assert_true(seats_take_named(&seats, 2, "", "GPU-0"));
	seats_give_back(&seats, 1);
	check_allocated(&seats, 3, 0, 1, "", "GPU-1");
	check_not_allocated(&seats, 4, 0, 1);
	seats_give_back(&seats, 2);
	check_allocated(&seats, 4, 0, 1, "", "GPU-0");
	seats_free(&seats);
}

static void a_device_number_and_a_uuid_can_name_the_same_device(void **state)
{
	static const struct device found[] = {{"GPU-a", "nvidia", 0, 0}, {"GPU-b", "nvidia", 0, 1}},
				   listed[] = {{"0", "listed", 0, 0}, {"1", "listed", 0, 1}};
	struct seats seats;

	(void)state;
	host(&seats);
	seats_set_devices(&seats, found, 2);
	assert_true(seats_take_named(&seats, 1, "", "GPU-a"));
	seats_set_devices(&seats, listed, 2);
	check_allocated(&seats, 2, 0, 1, "", "1");
	check_not_allocated(&seats, 3, 0, 1);
	seats_give_back(&seats, 1);
	seats_set_devices(&seats, found, 2);
	check_allocated(&seats, 3, 0, 1, "", "GPU-a");
	check_not_allocated(&seats, 4, 0, 1);
	seats_free(&seats);
}

/* NVIDIA devices have numbers as names until their driver is initialized, like those of AMD. */
static void devices_of_two_vendors_may_have_the_same_number(void **state)
{
	static const struct device found[] = {{"0", "nvidia", 0, 0}, {"0", "amd", 0, 128}};
	struct seats seats;

	(void)state;
	host(&seats);
	seats_set_devices(&seats, found, 2);
	check_allocated(&seats, 1, 0, 1, "", "0");
	check_allocated(&seats, 2, 0, 1, "", "0");
	check_not_allocated(&seats, 3, 0, 1);
	seats_give_back(&seats, 1);
	seats_give_back(&seats, 2);
	assert_true(seats_take_named(&seats, 1, "", "0")); /* the name does not say which of them */
	check_not_allocated(&seats, 3, 0, 1);
	seats_free(&seats);
}

/* The longest possible lists: every third processor is missing, and devices have the longest names. */
static void the_longest_lists_fit_into_the_spool_file(void **state)
{
	static struct host_info host;
	struct str cpus = {0}, devices = {0};
	struct seats seats;

	(void)state;
	host = (struct host_info){.device_count = HOST_DEVICES_MAX};
	for (uint16_t id = 0; id < HOST_CPUS_MAX; id++)
		if (id % 3 != 2)
			host.cpu[host.cpu_count++] = (struct cpu){.id = id, .core = id};
	for (uint32_t i = 0; i < HOST_DEVICES_MAX; i++)
		snprintf(host.device[i].id, DEVICE_NAME, "%047u", i);
	seats_init(&seats, &host);
	assert_true(seats_take(&seats, 1, host.cpu_count, host.device_count, &cpus, &devices));
	assert_int_equal(devices.len, HOST_DEVICES_MAX * DEVICE_NAME - 1);
	assert_in_range(cpus.len, 2500, SPOOL_LIST - 1);
	assert_in_range(devices.len, 3000, SPOOL_LIST - 1);
	seats_free(&seats);
	seats_init(&seats, &host);
	assert_true(seats_take_named(&seats, 1, str_text(&cpus), str_text(&devices)));
	check_not_allocated(&seats, 2, 1, 0);
	check_not_allocated(&seats, 2, 0, 1);
	seats_free(&seats);
	str_free(&cpus);
	str_free(&devices);
}

static void devices_in_use_outside_the_queue_are_allocated_last(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	seats_avoid(&seats, 1);
	check_allocated(&seats, 1, 2, 1, "0,4", "GPU-1"); /* although GPU-0 is nearer */
	check_allocated(&seats, 2, 0, 1, "", "GPU-0");
	check_not_allocated(&seats, 3, 0, 1);
	seats_free(&seats);
}

static void released_jobs_give_up_processors_but_keep_devices(void **state)
{
	struct seats seats;

	(void)state;
	host(&seats);
	check_allocated(&seats, 1, 8, 2, "0-7", "GPU-0,GPU-1");
	seats_release_cpus(&seats, 1);
	check_allocated(&seats, 2, 2, 0, "0,4", "");
	check_not_allocated(&seats, 3, 1, 1);
	check_allocated(&seats, 1, 2, 0, "1,5", "GPU-0,GPU-1"); /* the list names all devices of the job */
	seats_free(&seats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_gets_whole_cores),
		cmocka_unit_test(a_job_stays_in_one_domain_where_it_can),
		cmocka_unit_test(the_tightest_domain_is_taken),
		cmocka_unit_test(a_job_too_large_for_a_domain_gets_parts_of_all),
		cmocka_unit_test(partly_used_cores_are_used_when_no_whole_one_is_free),
		cmocka_unit_test(devices_are_near_the_processors),
		cmocka_unit_test(returned_processors_and_devices_are_free),
		cmocka_unit_test(named_processors_and_devices_are_allocated_after_a_restart),
		cmocka_unit_test(random_requests_never_exceed_the_free_processors),
		cmocka_unit_test(the_first_processors_can_be_reserved_for_the_system),
		cmocka_unit_test(a_new_device_list_does_not_free_allocated_devices),
		cmocka_unit_test(a_temporarily_missing_device_stays_allocated),
		cmocka_unit_test(a_device_named_before_it_is_listed_stays_allocated),
		cmocka_unit_test(a_shared_device_is_free_when_both_jobs_have_returned_it),
		cmocka_unit_test(a_device_number_and_a_uuid_can_name_the_same_device),
		cmocka_unit_test(devices_of_two_vendors_may_have_the_same_number),
		cmocka_unit_test(the_longest_lists_fit_into_the_spool_file),
		cmocka_unit_test(devices_in_use_outside_the_queue_are_allocated_last),
		cmocka_unit_test(released_jobs_give_up_processors_but_keep_devices),
	};

	return cmocka_run_group_tests_name("seats", tests, NULL, NULL);
}
