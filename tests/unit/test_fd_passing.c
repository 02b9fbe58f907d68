/* SPDX-License-Identifier: MIT */
/*
 * test_fd_passing.c - unit tests of descriptors in messages
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/rm/fd_passing.h"

static int end[2];

static int make_pair(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end);
}

static int close_pair(void **state)
{
	(void)state;
	close(end[0]);
	if (end[1] >= 0)
		close(end[1]);
	return 0;
}

static void a_descriptor_arrives_with_its_message_and_stays_here(void **state)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), fd;
	struct stat here, there;
	char text[8];

	(void)state;
	assert_true(fd_passing_send(end[0], "one", 3, null));
	assert_int_equal(fd_passing_receive(end[1], text, sizeof text, &fd, 0), 3);
	assert_memory_equal(text, "one", 3);
	assert_true(fd >= 0 && fd != null);
	assert_int_equal(fstat(null, &here), 0);
	assert_int_equal(fstat(fd, &there), 0);
	assert_int_equal(here.st_rdev, there.st_rdev);
	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	close(fd);
	close(null);
}

static void a_message_without_one_brings_none(void **state)
{
	char text[8];
	int fd = 7;

	(void)state;
	assert_true(fd_passing_send(end[0], "a", 1, -1));
	assert_true(fd_passing_send(end[0], "bc", 2, -1));
	assert_int_equal(fd_passing_receive(end[1], text, sizeof text, &fd, 0), 1);
	assert_int_equal(fd, -1);
	assert_int_equal(fd_passing_receive(end[1], text, sizeof text, &fd, 0), 2);
	assert_int_equal(fd_passing_receive(end[1], text, sizeof text, &fd, MSG_DONTWAIT), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(fd, -1);
}

static void who_is_gone_is_noticed(void **state)
{
	char text[8];
	int fd;

	(void)state;
	close(end[1]);
	end[1] = -1;
	assert_int_equal(fd_passing_receive(end[0], text, sizeof text, &fd, 0), 0);
	assert_false(fd_passing_send(end[0], "one", 3, -1));
	assert_int_equal(errno, EPIPE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_descriptor_arrives_with_its_message_and_stays_here,
						make_pair, close_pair),
		cmocka_unit_test_setup_teardown(a_message_without_one_brings_none, make_pair, close_pair),
		cmocka_unit_test_setup_teardown(who_is_gone_is_noticed, make_pair, close_pair),
	};

	return cmocka_run_group_tests_name("fd_passing", tests, NULL, NULL);
}
