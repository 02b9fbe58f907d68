/* SPDX-License-Identifier: MIT */
/* test_cmd_lint.c - unit tests of the checks of programs and users in a configuration */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/command/cmd_lint.h"

static enum host_state state_of(const char *path)
{
	struct err why;

	return lint_ask_host(NULL, HOST_PROGRAM, path, &why);
}

static void a_program_must_be_executable_and_not_writable_by_others(void **state)
{
	char path[] = "/tmp/kahu-test.XXXXXX", below[64];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(state_of(path), HOST_UNUSABLE);
	assert_int_equal(fchmod(fd, 0711), 0);
	assert_int_equal(state_of(path), HOST_GOOD);
	assert_int_equal(fchmod(fd, 0733), 0);
	assert_int_equal(state_of(path), HOST_UNTRUSTED);
	assert_int_equal(state_of("/bin/sh"), HOST_GOOD);
	snprintf(below, sizeof below, "%s/x", path);
	assert_int_equal(state_of(below), HOST_MISSING);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(state_of(path), HOST_MISSING);
	assert_int_equal(state_of("/"), HOST_UNUSABLE);
	close(fd);
}

static void users_are_those_with_an_account(void **state)
{
	(void)state;
	assert_int_equal(lint_ask_host(NULL, HOST_USER, "root", NULL), HOST_GOOD);
	assert_int_equal(lint_ask_host(NULL, HOST_USER, "no-such-person", NULL), HOST_MISSING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_must_be_executable_and_not_writable_by_others),
		cmocka_unit_test(users_are_those_with_an_account),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
