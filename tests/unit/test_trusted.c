/* SPDX-License-Identifier: MIT */
/*
 * test_trusted.c - refusal of programs that other users could change, on any path
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

static void assert_trusted(const char *program)
{
	struct err err = {{0}};

	if (!trusted_program(program, &err))
		fail_msg("%s", err.text);
}

static void assert_refused(const char *program, const char *why, const char *what)
{
	struct err err = {{0}};
	char expected[2000];

	snprintf(expected, sizeof expected, "%s is not run, as %s%s", program, why, what);
	assert_false(trusted_program(program, &err));
	assert_int_equal(errno, EPERM);
	assert_true(strncmp(err.text, expected, strlen(expected)) == 0 ||
		    strlen(expected) >= sizeof err.text);
}

static void a_program_that_only_its_user_can_change_is_accepted(void **state)
{
	(void)state;
	assert_trusted("/bin/sh");
	assert_trusted("bin/sh");
	assert_trusted(at("a/b/program"));
	assert_trusted(at("a/../a/./b//program"));
	assert_int_equal(symlink("a/b", at("link")), 0);
	assert_int_equal(symlink(at("link/program"), at("a/again")), 0);
	assert_trusted(at("link/program"));
	assert_trusted(at("a/again"));
	assert_trusted(at("link/../b/program"));
}

static void paths_that_cannot_be_resolved_are_left_to_exec(void **state)
{
	(void)state;
	assert_trusted("/nonexistent/program");
	assert_trusted(at("a/b/program/below"));
	assert_trusted(at("a/none"));
	assert_int_equal(symlink("loop", at("loop")), 0);
	assert_trusted(at("loop"));
}

static void a_program_writable_by_group_or_others_is_refused(void **state)
{
	(void)state;
	assert_int_equal(chmod(at("a/b/program"), 0757), 0);
	assert_refused(at("a/b/program"), "all users can write to ", at("a/b/program"));
	assert_int_equal(chmod(at("a/b/program"), 0775), 0);
	assert_refused(at("a/b/program"), "group ", "");
}

static void a_program_in_a_writable_directory_is_refused(void **state)
{
	(void)state;
	assert_trusted(at("open/program"));
	assert_refused(at("open/none"), at("open/none"), " is missing, and other users can create it");
	assert_refused(at("open/../open/none"), at("open/none"),
		       " is missing, and other users can create it");
	assert_int_equal(chmod(at("open"), 0777), 0);
	assert_refused(at("open/program"), "all users can write to ", at("open"));
	assert_int_equal(chmod(at("a"), 0775), 0);
	assert_refused(at("a/b/program"), "group ", "");
}

/* Checked are the directory of a link, the target of a link, and a directory before "..". */
static void a_path_through_a_writable_directory_is_refused(void **state)
{
	(void)state;
	assert_int_equal(symlink("../a/b/program", at("open/link")), 0);
	assert_trusted(at("open/link"));
	assert_int_equal(chmod(at("open"), 0777), 0);
	assert_refused(at("open/link"), "all users can write to ", at("open"));
	assert_int_equal(symlink("open/program", at("link")), 0);
	assert_refused(at("link"), "all users can write to ", at("open"));
	assert_refused(at("open/../a/b/program"), "all users can write to ", at("open"));
	assert_int_equal(symlink(at("open/link"), at("a/link")), 0);
	assert_refused(at("a/link"), "all users can write to ", at("open"));
}

static void programs_links_and_directories_of_other_users_are_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(at("a/b/program"), STRANGER, 0), 0);
	assert_refused(at("a/b/program"), at("a/b/program"), " belongs to user 65534");
	assert_int_equal(chown(at("a/b/program"), 0, 0), 0);
	assert_int_equal(symlink(at("a/b/program"), at("open/link")), 0);
	assert_trusted(at("open/link"));
	assert_int_equal(lchown(at("open/link"), STRANGER, 0), 0);
	assert_refused(at("open/link"), at("open/link"), " belongs to user 65534");
	assert_int_equal(chown(at("a"), STRANGER, 0), 0);
	assert_refused(at("a/b/program"), at("a"), " belongs to user 65534");
}

static void programs_of_root_and_of_the_user_are_accepted(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(dir.path, 0755), 0);
	assert_int_equal(chown(at("a/b"), STRANGER, 0), 0);
	assert_int_equal(seteuid(STRANGER), 0);
	assert_trusted(at("a/b/program"));
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(seteuid(STRANGER - 1), 0);
	assert_refused(at("a/b/program"), at("a/b"), " belongs to user 65534");
	assert_int_equal(seteuid(0), 0);
}

/* Group write permission is allowed for administrators who share the configuration. */
static void a_configuration_of_others_or_writable_by_all_is_refused(void **state)
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
	/* Other users cannot open a pipe by name. */
	st = (struct stat){.st_uid = geteuid(), .st_mode = S_IFIFO | 0666};
	assert_true(trusted_config("standard input", &st, &err));
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(a_program_that_only_its_user_can_change_is_accepted),
		IN_TREE(paths_that_cannot_be_resolved_are_left_to_exec),
		IN_TREE(a_program_writable_by_group_or_others_is_refused),
		IN_TREE(a_program_in_a_writable_directory_is_refused),
		IN_TREE(a_path_through_a_writable_directory_is_refused),
		IN_TREE(programs_links_and_directories_of_other_users_are_refused),
		IN_TREE(programs_of_root_and_of_the_user_are_accepted),
		IN_TREE(a_configuration_of_others_or_writable_by_all_is_refused),
	};

	return cmocka_run_group_tests_name("trusted", tests, NULL, NULL);
}
