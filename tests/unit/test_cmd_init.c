/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_init.c - the configuration that kahu init writes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/lint/config_lint.h"
#include "tui/command/cmd_init.h"

static struct host_info host;
static struct host_users host_users;
static struct str text;

static int setup(void **state)
{
	(void)state;
	host = (struct host_info){.hostname = "lab", .cpu_count = 1, .core_count = 1, .numa_count = 1};
	host_users = (struct host_users){.users = 0};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	str_free(&text);
	return 0;
}

/* The configuration is valid and has no findings of lint. */
static void expect_valid(void)
{
	struct config_list list = {0};
	struct config_finding finding[4];
	struct err err = {{0}};

	if (!config_list_read("kahu.conf", str_text(&text), text.len, &list, &err))
		fail_msg("%s\n%s", err.text, str_text(&text));
	assert_true(list.count > 0);
	config_list_free(&list);
	if (config_lint("kahu.conf", str_text(&text), text.len, finding, 4) > 0)
		fail_msg("%d: %s\n%s", finding[0].line, finding[0].text, str_text(&text));
}

static void print(const char *why)
{
	init_print_config(&host, why, &host_users, INT64_C(1774051200), &text);
	expect_valid();
}

static void expect_text(const char *words)
{
	if (strstr(str_text(&text), words) == NULL)
		fail_msg("'%s' is not in\n%s", words, str_text(&text));
}

static void an_unknown_host_gets_a_valid_configuration(void **state)
{
	(void)state;
	print("nobody knows");
	expect_text("lab: 1 processor.");
	expect_text("systemmemory = 512mb");
	expect_text("enforced by the kernel:\n# nobody knows.");
	expect_text("written by 'kahu init' on 2026-03-21");
}

static void hardware_of_the_host_is_in_the_configuration(void **state)
{
	(void)state;
	host.cpu_count = 64;
	host.core_count = 32;
	host.numa_count = 2;
	host.mem_mb = 256000;
	host.device_count = 2;
	strcpy(host.device[0].id, "GPU-1");
	strcpy(host.device[0].kind, "nvidia");
	strcpy(host.device[1].id, "GPU-2");
	host.level = HOLD_FULL;
	print("");
	expect_text("lab: 64 processors on 32 cores in 2 NUMA domains, 256000 MB of memory, 2 GPUs "
		    "(nvidia).");
	expect_text("systemmemory = 12800mb");
	expect_text("# devices = \"GPU-1,GPU-2\"");
	expect_text("enforces the memory limit");
}

static void groups_and_users_get_equal_shares(void **state)
{
	(void)state;
	host_users.users = 8;
	host_users.groups = 3;
	strcpy(host_users.group[0].name, "vision");
	strcpy(host_users.group[1].name, "domain users");
	strcpy(host_users.group[2].name, "a\"b");
	host_users.group[0].members = 1;
	host_users.group[2].name[1] = '_';
	print("");
	expect_text("user DEFAULT { fstarget = \"12.5\" }");
	expect_text("group \"vision\" { fstarget = \"33.3\" } # 1 member\n");
	expect_text("group \"domain users\"");
	expect_text("fsgroupweight = 10");
}

static void targets_of_many_users_are_one_percent(void **state)
{
	(void)state;
	host_users.users = 5000;
	print("");
	expect_text("user DEFAULT { fstarget = \"1.0\" }");
}

#define ON_A_HOST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(an_unknown_host_gets_a_valid_configuration),
		ON_A_HOST(hardware_of_the_host_is_in_the_configuration),
		ON_A_HOST(groups_and_users_get_equal_shares),
		ON_A_HOST(targets_of_many_users_are_one_percent),
	};

	return cmocka_run_group_tests_name("firstconf", tests, NULL, NULL);
}
