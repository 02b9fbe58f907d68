/* SPDX-License-Identifier: MIT */
/*
 * test_trusted.c - is a program refused that another user could change, whichever way its path takes?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/rm/trusted.h"
#include "tests/store_dir.h"

#define STRANGER 65534u

static struct store_dir dir;
static char path[8][700];
static unsigned paths;

static const char *at(const char *name)
{
	char *out = path[paths++ % 8];

	snprintf(out, sizeof path[0], "%s/%s", dir.path, name);
	return out;
}

static void put(const char *name, mode_t mode)
{
	int fd = open(at(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

/* DIR/a/b/program, and DIR/open, where all users can write as in /tmp. */
static int make_tree(void **state)
{
	(void)state;
	make_store_dir(&dir);
	assert_int_equal(mkdir(at("a"), 0755), 0);
	assert_int_equal(mkdir(at("a/b"), 0755), 0);
	assert_int_equal(mkdir(at("open"), 0755), 0);
	assert_int_equal(chmod(at("open"), 01777), 0);
	put("a/b/program", 0755);
	put("open/program", 0755);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	remove_store_dir(&dir);
	return 0;
}

static void is_run(const char *program)
{
	struct err err = {{0}};

	if (!trusted_program(program, &err))
		fail_msg("%s", err.text);
}

static void is_refused(const char *program, const char *why, const char *what)
{
	struct err err = {{0}};
	char expected[2000];

	snprintf(expected, sizeof expected, "%s is not run, as %s%s", program, why, what);
	assert_false(trusted_program(program, &err));
	assert_int_equal(errno, EPERM);
	assert_true(strncmp(err.text, expected, strlen(expected)) == 0 ||
		    strlen(expected) >= sizeof err.text);
}

static void a_program_that_is_ours_alone_is_run(void **state)
{
	(void)state;
	is_run("/bin/sh");
	is_run("bin/sh");
	is_run(at("a/b/program"));
	is_run(at("a/../a/./b//program"));
	assert_int_equal(symlink("a/b", at("link")), 0);
	assert_int_equal(symlink(at("link/program"), at("a/again")), 0);
	is_run(at("link/program"));
	is_run(at("a/again"));
	is_run(at("link/../b/program"));
}

static void what_leads_nowhere_is_left_to_the_exec(void **state)
{
	(void)state;
	is_run("/nonexistent/program");
	is_run(at("a/b/program/below"));
	is_run(at("a/none"));
	assert_int_equal(symlink("loop", at("loop")), 0);
	is_run(at("loop"));
}

static void group_and_others_must_not_write_to_it(void **state)
{
	(void)state;
	assert_int_equal(chmod(at("a/b/program"), 0757), 0);
	is_refused(at("a/b/program"), "all users can write to ", at("a/b/program"));
	assert_int_equal(chmod(at("a/b/program"), 0775), 0);
	is_refused(at("a/b/program"), "group ", "");
}

static void nor_to_a_folder_above_it(void **state)
{
	(void)state;
	is_run(at("open/program"));
	is_refused(at("open/none"), at("open/none"), " is missing, and other users can create it");
	is_refused(at("open/../open/none"), at("open/none"), " is missing, and other users can create it");
	assert_int_equal(chmod(at("open"), 0777), 0);
	is_refused(at("open/program"), "all users can write to ", at("open"));
	assert_int_equal(chmod(at("a"), 0775), 0);
	is_refused(at("a/b/program"), "group ", "");
}

/* Where a link is, where it leads to, and what the path goes through only to leave it again. */
static void nor_to_a_folder_that_its_path_takes(void **state)
{
	(void)state;
	assert_int_equal(symlink("../a/b/program", at("open/link")), 0);
	is_run(at("open/link"));
	assert_int_equal(chmod(at("open"), 0777), 0);
	is_refused(at("open/link"), "all users can write to ", at("open"));
	assert_int_equal(symlink("open/program", at("link")), 0);
	is_refused(at("link"), "all users can write to ", at("open"));
	is_refused(at("open/../a/b/program"), "all users can write to ", at("open"));
	assert_int_equal(symlink(at("open/link"), at("a/link")), 0);
	is_refused(at("a/link"), "all users can write to ", at("open"));
}

static void it_belongs_to_nobody_else(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(at("a/b/program"), STRANGER, 0), 0);
	is_refused(at("a/b/program"), at("a/b/program"), " belongs to user 65534");
	assert_int_equal(chown(at("a/b/program"), 0, 0), 0);
	assert_int_equal(symlink(at("a/b/program"), at("open/link")), 0);
	is_run(at("open/link"));
	assert_int_equal(lchown(at("open/link"), STRANGER, 0), 0);
	is_refused(at("open/link"), at("open/link"), " belongs to user 65534");
	assert_int_equal(chown(at("a"), STRANGER, 0), 0);
	is_refused(at("a/b/program"), at("a"), " belongs to user 65534");
}

/* Root's and their own are run for a user. */
static void a_user_runs_root_s_programs_and_those_of_the_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(dir.path, 0755), 0);
	assert_int_equal(chown(at("a/b"), STRANGER, 0), 0);
	assert_int_equal(seteuid(STRANGER), 0);
	is_run(at("a/b/program"));
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(seteuid(STRANGER - 1), 0);
	is_refused(at("a/b/program"), at("a/b"), " belongs to user 65534");
	assert_int_equal(seteuid(0), 0);
}

/* Its group may write to it: administrators who keep it together. */
static void a_configuration_is_ours_and_not_everybodys(void **state)
{
	struct stat st = {.st_uid = geteuid(), .st_mode = S_IFREG | 0664};
	struct err err = {{0}};

	(void)state;
	assert_true(trusted_config("a.conf", &st, &err));
	st.st_mode |= S_IWOTH;
	assert_false(trusted_config("a.conf", &st, &err));
	assert_string_equal(err.text, "all users can write to the configuration a.conf");
	st.st_mode = S_IFREG | 0600;
	st.st_uid = 0;
	assert_true(trusted_config("a.conf", &st, &err));
	st.st_uid = STRANGER;
	assert_false(trusted_config("a.conf", &st, &err));
	assert_string_equal(err.text, "the configuration a.conf belongs to user 65534");
	/* A pipe has no name that others could open. */
	st = (struct stat){.st_uid = geteuid(), .st_mode = S_IFIFO | 0666};
	assert_true(trusted_config("standard input", &st, &err));
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(a_program_that_is_ours_alone_is_run),
		IN_TREE(what_leads_nowhere_is_left_to_the_exec),
		IN_TREE(group_and_others_must_not_write_to_it),
		IN_TREE(nor_to_a_folder_above_it),
		IN_TREE(nor_to_a_folder_that_its_path_takes),
		IN_TREE(it_belongs_to_nobody_else),
		IN_TREE(a_user_runs_root_s_programs_and_those_of_the_user),
		IN_TREE(a_configuration_is_ours_and_not_everybodys),
	};

	return cmocka_run_group_tests_name("trusted", tests, NULL, NULL);
}
