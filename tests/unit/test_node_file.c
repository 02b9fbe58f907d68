/* SPDX-License-Identifier: MIT */
/* test_node_file.c - file with the nodes of a running job */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/rm/node_file.h"

static void make_old(const char *path)
{
	const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};

	assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
}

static void a_node_file_is_written_and_removed(void **state)
{
	struct node_file file;
	char text[16] = "";
	struct stat st;
	int fd;

	(void)state;
	assert_true(node_file_write(&file, "n1\nn2\n", 6));
	fd = open(file.path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof text), 6);
	assert_string_equal(text, "n1\nn2\n");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0444);
	close(fd);
	node_file_remove(&file);
	assert_string_equal(file.path, "");
	assert_int_equal(fcntl(file.fd, F_GETFD), -1);
	node_file_remove(&file);
}

static void old_files_of_killed_shepherds_are_removed(void **state)
{
	struct node_file left, young, in_use;

	(void)state;
	assert_true(node_file_write(&left, "n1\n", 3));
	assert_true(node_file_write(&young, "n2\n", 3));
	assert_true(node_file_write(&in_use, "n3\n", 3));
	close(left.fd);
	close(young.fd);
	make_old(left.path);
	make_old(in_use.path);
	node_file_sweep();
	assert_int_equal(access(left.path, F_OK), -1);
	assert_int_equal(access(young.path, F_OK), 0);
	assert_int_equal(access(in_use.path, F_OK), 0);
	node_file_remove(&in_use);
	assert_int_equal(unlink(young.path), 0);
}

/* Neither the link nor its target is removed. */
static void a_symbolic_link_with_such_a_name_is_kept(void **state)
{
	char link[] = "/tmp/kahu-nodes.XXXXXX", target[] = "/tmp/kahu-target.XXXXXX";
	int fd = mkstemp(target);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	make_old(target);
	fd = mkstemp(link);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink(target, link), 0);
	node_file_sweep();
	assert_int_equal(access(target, F_OK), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(target), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_file_is_written_and_removed),
		cmocka_unit_test(old_files_of_killed_shepherds_are_removed),
		cmocka_unit_test(a_symbolic_link_with_such_a_name_is_kept),
	};

	return cmocka_run_group_tests_name("node_file", tests, NULL, NULL);
}
