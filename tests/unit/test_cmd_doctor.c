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

static int make(void **state)
{
	(void)state;
	make_store_dir(&dir);
	return 0;
}

static int clear(void **state)
{
	(void)state;
	findings_free(&found);
	remove_store_dir(&dir);
	return 0;
}

static const struct finding *of(const char *what)
{
	for (size_t i = 0; i < found.count; i++)
		if (strcmp(found.item[i].what, what) == 0)
			return &found.item[i];
	fail_msg("nothing is said of %s", what);
	return NULL;
}

static void must_be(const char *what, enum health health, const char *words)
{
	const struct finding *item = of(what);

	if (item->health != health || strstr(item->value, words) == NULL)
		fail_msg("%s: %d %s; %s", what, (int)item->health, item->value, item->todo);
}

static void a_host_that_bounds_nothing_says_so(void **state)
{
	(void)state;
	fake_cpus(&dir, "0-3", "0-3");
	fake_file(&dir, "proc/meminfo", "MemTotal: 8192000 kB\nSwapTotal: 1024 kB\n");
	doctor_hardware(&found, dir.path, "");
	must_be("processors", HEALTH_OK, "4 on 4 cores");
	must_be("memory", HEALTH_OK, "8000 MB, 1 MB of swap");
	must_be("devices", HEALTH_OK, "no GPUs");
	must_be("job containment", HEALTH_WARN, "none: ");
	assert_non_null(strstr(of("job containment")->value, "can use more than requested"));
	assert_true(strlen(of("job containment")->todo) > 0);
}

static void a_host_whose_cgroups_bound_memory_is_told_so(void **state)
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
	must_be("job containment", HEALTH_OK, "full: ");
	must_be("memory", HEALTH_WARN, "cannot be read");
	snprintf(cgroup, sizeof cgroup, "%s/cg", dir.path);
	must_be("cgroup", HEALTH_OK, cgroup);
}

static void a_host_without_processors_fails(void **state)
{
	(void)state;
	doctor_hardware(&found, dir.path, "");
	must_be("processors", HEALTH_FAIL, "no usable processor");
	assert_int_equal(findings_worst(&found), HEALTH_FAIL);
}

static void a_store_is_looked_at_where_it_is_or_will_be(void **state)
{
	char path[700];

	(void)state;
	doctor_store(&found, dir.path);
	must_be("store", HEALTH_OK, dir.path);
	must_be("space", HEALTH_OK, "MB free");
	findings_free(&found);
	snprintf(path, sizeof path, "%s/far/away", dir.path);
	doctor_store(&found, path);
	must_be("store", HEALTH_OK, "will be created");
	assert_int_equal(access(path, F_OK), -1); /* but not by looking */
	findings_free(&found);
	chmod(dir.path, 0777);
	doctor_store(&found, dir.path);
	must_be("store", HEALTH_FAIL, "written by others");
}

static void a_folder_of_others_is_no_place_for_the_socket(void **state)
{
	char path[700];

	(void)state;
	doctor_socket(&found, dir.path);
	must_be("socket", HEALTH_OK, dir.path);
	findings_free(&found);
	chmod(dir.path, 0777);
	doctor_socket(&found, dir.path);
	must_be("socket", HEALTH_FAIL, "no other user");
	findings_free(&found);
	snprintf(path, sizeof path, "%s/run", dir.path);
	doctor_socket(&found, path);
	must_be("socket", HEALTH_OK, "would be created");
	findings_free(&found);
	doctor_scheduler(&found, path, path);
	must_be("scheduler", HEALTH_OK, "not running");
}

static void a_configuration_is_read_and_judged(void **state)
{
	(void)state;
	doctor_config(&found, "");
	must_be("configuration", HEALTH_WARN, "none");
	findings_free(&found);
	fake_file(&dir, "good", "queuetimeweight = 1\n");
	doctor_config(&found, name_in(&dir, "good"));
	must_be("configuration", HEALTH_OK, "good");
	findings_free(&found);
	fake_file(&dir, "odd", "localnodeallocation = \"/bin/nodes\"\n");
	doctor_config(&found, name_in(&dir, "odd"));
	must_be("configuration", HEALTH_WARN, "2 warnings");
	findings_free(&found);
	fake_file(&dir, "bad", "queuetimeweight = many\n");
	doctor_config(&found, name_in(&dir, "bad"));
	must_be("configuration", HEALTH_FAIL, "bad:1");
}

static void several_people_need_a_default_of_memory(void **state)
{
	(void)state;
	doctor_memory(&found, "", 1);
	must_be("default memory", HEALTH_OK, "no memory limit");
	findings_free(&found);
	doctor_memory(&found, "", 7);
	must_be("default memory", HEALTH_WARN, "7 users can log in here");
	assert_string_equal(of("default memory")->todo, "set systemdefaultjobmemory");
	findings_free(&found);
	fake_file(&dir, "good", "systemdefaultjobmemory = 2gb\n");
	doctor_memory(&found, name_in(&dir, "good"), 7);
	must_be("default memory", HEALTH_OK, "get 2048 MB");
}

static void a_shepherd_that_is_not_there_fails(void **state)
{
	(void)state;
	doctor_shepherd(&found, name_in(&dir, "kahu-shepherd"));
	must_be("shepherd", HEALTH_FAIL, "cannot execute");
	findings_free(&found);
	fake_file(&dir, "kahu-shepherd", "#!/bin/sh\n");
	chmod(name_in(&dir, "kahu-shepherd"), 0755);
	doctor_shepherd(&found, dir.file);
	must_be("shepherd", HEALTH_OK, dir.file);
}

static void others_that_fill_the_host_are_named(void **state)
{
	(void)state;
	fake_file(&dir, "proc/uptime", "100.00 5.00\n");
	doctor_others(&found, dir.path, NULL, 0); /* no time goes by there */
	must_be("other processes", HEALTH_OK, "0.0 processors");
	findings_free(&found);
	doctor_others(&found, "/nonexistent", NULL, 0);
	must_be("other processes", HEALTH_WARN, "cannot be read");
}

static void what_is_found_is_told_line_by_line(void **state)
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

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_FOLDER(a_host_that_bounds_nothing_says_so),
		IN_A_FOLDER(a_host_whose_cgroups_bound_memory_is_told_so),
		IN_A_FOLDER(a_host_without_processors_fails),
		IN_A_FOLDER(a_store_is_looked_at_where_it_is_or_will_be),
		IN_A_FOLDER(a_folder_of_others_is_no_place_for_the_socket),
		IN_A_FOLDER(a_configuration_is_read_and_judged),
		IN_A_FOLDER(several_people_need_a_default_of_memory),
		IN_A_FOLDER(a_shepherd_that_is_not_there_fails),
		IN_A_FOLDER(others_that_fill_the_host_are_named),
		IN_A_FOLDER(what_is_found_is_told_line_by_line),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
