/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_doctor.c - checks of kahu doctor
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fake_root.h"
#include "tui/command/cmd_doctor.h"

static struct findings found;
static struct store_dir dir;

static int setup(void **state)
{
	(void)state;
	make_store_dir(&dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	findings_free(&found);
	remove_store_dir(&dir);
	return 0;
}

static const struct finding *finding_of(const char *what)
{
	for (size_t i = 0; i < found.count; i++)
		if (strcmp(found.item[i].what, what) == 0)
			return &found.item[i];
	fail_msg("nothing is said of %s", what);
	return NULL;
}

static void expect_finding(const char *what, enum health health, const char *words)
{
	const struct finding *item = finding_of(what);

	if (item->health != health || strstr(item->value, words) == NULL)
		fail_msg("%s: %d %s; %s", what, (int)item->health, item->value, item->todo);
}

static void a_host_without_cgroups_gives_a_containment_warning(void **state)
{
	(void)state;
	fake_cpus(&dir, "0-3", "0-3");
	fake_file(&dir, "proc/meminfo", "MemTotal: 8192000 kB\nSwapTotal: 1024 kB\n");
	doctor_hardware(&found, dir.path, "");
	expect_finding("processors", HEALTH_OK, "4 on 4 cores");
	expect_finding("memory", HEALTH_OK, "8000 MB, 1 MB of swap");
	expect_finding("devices", HEALTH_OK, "no GPUs");
	expect_finding("job containment", HEALTH_WARN, "none: ");
	assert_non_null(strstr(finding_of("job containment")->value, "can use more than requested"));
	assert_true(strlen(finding_of("job containment")->todo) > 0);
}

static void a_host_with_cgroups_has_full_containment(void **state)
{
	char cgroup[600];

	(void)state;
	fake_cpus(&dir, "0", "0");
	fake_file(&dir, "proc/self/mounts", "cgroup2 /cg cgroup2 rw 0 0\n");
	fake_file(&dir, "proc/self/cgroup", "0::/\n");
	fake_file(&dir, "cg/cgroup.controllers", "memory pids\n");
	fake_file(&dir, "cg/cgroup.subtree_control", "memory pids\n");
	fake_bytes(&dir, "cg/cgroup.kill", "", 0);
	doctor_hardware(&found, dir.path, "");
	expect_finding("job containment", HEALTH_OK, "full: ");
	expect_finding("memory", HEALTH_WARN, "cannot be read");
	snprintf(cgroup, sizeof cgroup, "%s/cg", dir.path);
	expect_finding("cgroup", HEALTH_OK, cgroup);
}

static void a_host_without_processors_fails(void **state)
{
	(void)state;
	doctor_hardware(&found, dir.path, "");
	expect_finding("processors", HEALTH_FAIL, "no usable processor");
	assert_int_equal(findings_worst(&found), HEALTH_FAIL);
}

static void an_existing_or_future_store_folder_is_checked(void **state)
{
	char path[700];

	(void)state;
	doctor_store(&found, dir.path);
	expect_finding("store", HEALTH_OK, dir.path);
	expect_finding("space", HEALTH_OK, "MB free");
	findings_free(&found);
	snprintf(path, sizeof path, "%s/far/away", dir.path);
	doctor_store(&found, path);
	expect_finding("store", HEALTH_OK, "will be created");
	assert_int_equal(access(path, F_OK), -1); /* the check does not create it */
	findings_free(&found);
	chmod(dir.path, 0777);
	doctor_store(&found, dir.path);
	expect_finding("store", HEALTH_FAIL, "writable by other users");
}

static void a_socket_folder_that_others_can_write_to_fails(void **state)
{
	char path[700];

	(void)state;
	doctor_socket(&found, dir.path);
	expect_finding("socket", HEALTH_OK, dir.path);
	findings_free(&found);
	chmod(dir.path, 0777);
	doctor_socket(&found, dir.path);
	expect_finding("socket", HEALTH_FAIL, "no other user");
	findings_free(&found);
	snprintf(path, sizeof path, "%s/run", dir.path);
	doctor_socket(&found, path);
	expect_finding("socket", HEALTH_OK, "would be created");
	findings_free(&found);
	doctor_scheduler(&found, path, path);
	expect_finding("scheduler", HEALTH_OK, "not running");
}

static void a_configuration_is_checked(void **state)
{
	(void)state;
	doctor_config(&found, "");
	expect_finding("configuration", HEALTH_WARN, "none");
	findings_free(&found);
	fake_file(&dir, "good", "queuetimeweight = 1\n");
	doctor_config(&found, name_in(&dir, "good"));
	expect_finding("configuration", HEALTH_OK, "good");
	findings_free(&found);
	fake_file(&dir, "odd", "localnodeallocation = \"/bin/nodes\"\n");
	doctor_config(&found, name_in(&dir, "odd"));
	expect_finding("configuration", HEALTH_WARN, "2 warnings");
	findings_free(&found);
	fake_file(&dir, "bad", "queuetimeweight = many\n");
	doctor_config(&found, name_in(&dir, "bad"));
	expect_finding("configuration", HEALTH_FAIL, "bad:1");
}

static void several_users_need_a_default_memory_limit(void **state)
{
	(void)state;
	doctor_memory(&found, "", 1);
	expect_finding("default memory", HEALTH_OK, "no memory limit");
	findings_free(&found);
	doctor_memory(&found, "", 7);
	expect_finding("default memory", HEALTH_WARN, "7 users can log in here");
	assert_string_equal(finding_of("default memory")->todo, "set systemdefaultjobmemory");
	findings_free(&found);
	fake_file(&dir, "good", "systemdefaultjobmemory = 2gb\n");
	doctor_memory(&found, name_in(&dir, "good"), 7);
	expect_finding("default memory", HEALTH_OK, "get 2048 MB");
}

static void a_missing_shepherd_fails(void **state)
{
	(void)state;
	doctor_shepherd(&found, name_in(&dir, "kahu-shepherd"));
	expect_finding("shepherd", HEALTH_FAIL, "cannot execute");
	findings_free(&found);
	fake_file(&dir, "kahu-shepherd", "#!/bin/sh\n");
	chmod(name_in(&dir, "kahu-shepherd"), 0755);
	doctor_shepherd(&found, dir.file);
	expect_finding("shepherd", HEALTH_OK, dir.file);
}

static void processor_time_of_other_processes_is_reported(void **state)
{
	(void)state;
	fake_file(&dir, "proc/uptime", "100.00 5.00\n");
	doctor_others(&found, dir.path, NULL, 0); /* this uptime does not advance */
	expect_finding("other processes", HEALTH_OK, "0.0 processors");
	findings_free(&found);
	doctor_others(&found, "/nonexistent", NULL, 0);
	expect_finding("other processes", HEALTH_WARN, "cannot be read");
}

static void findings_are_printed_one_a_line_and_as_json(void **state)
{
	struct str text = {0};

	(void)state;
	findings_add(&found, HEALTH_OK, "one", NULL, "%d", 1);
	findings_add(&found, HEALTH_WARN, "two", "mend it", "a\033b");
	findings_print(&found, true, &text);
	assert_string_equal(text.data, "ok    one: 1\nwarn  two: a\\x1bb; mend it\n");
	assert_int_equal(findings_count(&found, HEALTH_WARN), 1);
	str_clear(&text);
	findings_print_json(&found, &text);
	assert_non_null(strstr(text.data, "\"worst\":\"warn\""));
	assert_non_null(strstr(text.data, "\"todo\":null"));
	str_free(&text);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_FOLDER(a_host_without_cgroups_gives_a_containment_warning),
		IN_A_FOLDER(a_host_with_cgroups_has_full_containment),
		IN_A_FOLDER(a_host_without_processors_fails),
		IN_A_FOLDER(an_existing_or_future_store_folder_is_checked),
		IN_A_FOLDER(a_socket_folder_that_others_can_write_to_fails),
		IN_A_FOLDER(a_configuration_is_checked),
		IN_A_FOLDER(several_users_need_a_default_memory_limit),
		IN_A_FOLDER(a_missing_shepherd_fails),
		IN_A_FOLDER(processor_time_of_other_processes_is_reported),
		IN_A_FOLDER(findings_are_printed_one_a_line_and_as_json),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
