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
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/fd_passing.h"
#include "tests/carrier.h"
#include "tests/unit/fuse_server.h"

static int pair[2];

static int make_pair(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

static int close_pair(void **state)
{
	(void)state;
	close(pair[0]);
	if (pair[1] >= 0)
		close(pair[1]);
	return 0;
}

static void a_descriptor_arrives_with_its_message_and_stays_open_here(void **state)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), fd;
	struct stat here, there;
	char text[8];

	(void)state;
	assert_true(fd_passing_send(pair[0], "one", 3, null));
	assert_int_equal(fd_passing_receive(pair[1], text, sizeof text, &fd, 0), 3);
	assert_memory_equal(text, "one", 3);
	assert_true(fd >= 0 && fd != null);
	assert_int_equal(fstat(null, &here), 0);
	assert_int_equal(fstat(fd, &there), 0);
	assert_int_equal(here.st_rdev, there.st_rdev);
	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	close(fd);
	close(null);
}

static void a_message_without_a_descriptor_passes_none(void **state)
{
	char text[8];
	int fd = 7;

	(void)state;
	assert_true(fd_passing_send(pair[0], "a", 1, -1));
	assert_true(fd_passing_send(pair[0], "bc", 2, -1));
	assert_int_equal(fd_passing_receive(pair[1], text, sizeof text, &fd, 0), 1);
	assert_int_equal(fd, -1);
	assert_int_equal(fd_passing_receive(pair[1], text, sizeof text, &fd, 0), 2);
	assert_int_equal(fd_passing_receive(pair[1], text, sizeof text, &fd, MSG_DONTWAIT), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(fd, -1);
}

static void a_closed_peer_is_noticed(void **state)
{
	char text[8];
	int fd;

	(void)state;
	close(pair[1]);
	pair[1] = -1;
	assert_int_equal(fd_passing_receive(pair[0], text, sizeof text, &fd, 0), 0);
	assert_false(fd_passing_send(pair[0], "one", 3, -1));
	assert_int_equal(errno, EPIPE);
}

/* --- unwanted descriptors ------------------------------------------------------------------------- */

#define LONG_S 600

static struct deferred_closes deferred;

/* Sends the writing end of a pipe, which then exists only in the message. Returns the reading end. */
static int send_pipe(const char *text)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_true(carrier_send(pair[0], text, ends[1]));
	close(ends[1]);
	return ends[0];
}

static bool is_closed(int end, int wait_ms)
{
	struct pollfd fd = {.fd = end};

	return poll(&fd, 1, wait_ms) == 1 && (fd.revents & POLLHUP) != 0;
}

static void a_pending_descriptor_is_detected_without_reading_the_message(void **state)
{
	char text[8] = "";
	int end;

	(void)state;
	assert_false(fd_passing_is_pending(pair[1]));
	assert_int_equal(send(pair[0], "plain", 5, 0), 5);
	end = send_pipe("more");
	assert_false(fd_passing_is_pending(pair[1]));
	assert_int_equal(recv(pair[1], text, sizeof text, 0), 5);
	assert_true(fd_passing_is_pending(pair[1]));
	assert_true(fd_passing_is_pending(pair[1]));
	assert_false(is_closed(end, 0));
	assert_int_equal(recv(pair[1], text, sizeof text, 0), 4);
	assert_memory_equal(text, "more", 4);
	assert_true(is_closed(end, 0));
	assert_false(fd_passing_is_pending(pair[1]));
	close(end);
	close(pair[0]);
	close(pair[1]);
}

/* An empty message must not be mistaken for the end of the connection. */
static void descriptors_in_later_messages_are_closed_with_the_socket(void **state)
{
	int end;

	(void)state;
	assert_int_equal(send(pair[0], "plain", 5, 0), 5);
	assert_int_equal(send(pair[0], "", 0, 0), 0);
	end = send_pipe("");
	assert_int_equal(send(pair[0], "behind", 6, 0), 6);
	deferred_close(&deferred, pair[1]);
	assert_int_equal(send(pair[0], "late", 4, MSG_NOSIGNAL), -1);
	assert_false(is_closed(end, 0));
	deferred_closes_flush(&deferred);
	assert_int_equal(fcntl(pair[1], F_GETFD), -1);
	assert_true(is_closed(end, 60000));
	close(end);
	close(pair[0]);
}

static void a_socket_without_pending_descriptors_is_closed_at_once(void **state)
{
	char byte;

	(void)state;
	assert_int_equal(send(pair[0], "plain", 5, 0), 5);
	deferred_close(&deferred, pair[1]);
	assert_int_equal(fcntl(pair[1], F_GETFD), -1);
	assert_true(recv(pair[0], &byte, 1, 0) <= 0);
	close(pair[0]);
}

/* The alarm ends the test if a close blocks. */
static void a_descriptor_that_blocks_on_close_delays_nothing(void **state)
{
	int peer = -1, fd = carrier_lingering(LONG_S, &peer);

	(void)state;
	assert_true(fd >= 0);
	assert_true(carrier_send(pair[0], "wait", fd));
	close(fd);
	alarm(LONG_S / 2);
	assert_true(fd_passing_is_pending(pair[1]));
	deferred_close(&deferred, pair[1]);
	deferred_closes_flush(&deferred);
	alarm(0);
	close(pair[0]);
	close(peer);
}

/* Creating a process takes longer the more memory the scheduler has. */
static void one_process_closes_many_sockets(void **state)
{
	int first = -1;
	char byte;

	for (size_t i = 0; i < DEFERRED_MOST; i++) {
		int end;

		make_pair(state);
		end = send_pipe("");
		deferred_close(&deferred, pair[1]);
		assert_int_equal(recv(pair[0], &byte, 1, 0), 0);
		close(pair[0]);
		if (i > 0)
			close(end);
		else
			first = end;
	}
	assert_int_equal(deferred.count, DEFERRED_MOST);
	assert_false(is_closed(first, 0));
	make_pair(state);
	close(send_pipe(""));
	deferred_close(&deferred, pair[1]);
	close(pair[0]);
	assert_int_equal(deferred.count, 1);
	assert_true(is_closed(first, 60000));
	close(first);
	deferred_closes_flush(&deferred);
	assert_int_equal(deferred.count, 0);
}

/* The list of children in /proc is not complete while one of them exits. */
static size_t count_running(const struct deferred_closes *all)
{
	size_t count = 0;

	for (size_t i = 0; i < DEFERRED_PROCESSES; i++)
		count += all->process[i] > 0 && waitpid(all->process[i], NULL, WNOHANG) == 0;
	return count;
}

/* A real file system: a process that has the last descriptor of a file with unwritten data blocks when it
 * exits. */
static void the_number_of_blocked_processes_is_limited(void **state)
{
	static int sent[DEFERRED_PROCESSES + 4];
	char folder[] = "/tmp/kahu-test-XXXXXX", file[64], page[4096] = "unwritten";
	struct deferred_closes many = {.count = 0};
	size_t running, kept;
	pid_t server;
	int other;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof file, "%s/file", folder);
	fuse_unanswered = FUSE_WRITE;
	server = geteuid() == 0 ? fuse_begin(folder, 0) : -1;
	if (server < 0) {
		rmdir(folder);
		skip();
	}
	other = open(file, O_RDWR | O_CLOEXEC);
	for (size_t i = 0; i < DEFERRED_PROCESSES + 4; i++) {
		int fd = open(file, O_RDWR | O_CLOEXEC);

		assert_int_equal(make_pair(NULL), 0);
		assert_true(fd >= 0 && carrier_send(pair[0], "wait", fd));
		close(fd);
		close(pair[0]);
		sent[i] = pair[1];
	}
	assert_int_equal(pwrite(other, page, sizeof page, 0), sizeof page);
	for (size_t i = 0; i < DEFERRED_PROCESSES + 4; i++) {
		deferred_close(&many, sent[i]);
		deferred_closes_flush(&many);
	}
	running = count_running(&many);
	kept = many.count;
	deferred_closes_end(&many);
	fuse_end(server, folder);
	close(other);
	rmdir(folder);
	assert_int_equal(running, DEFERRED_PROCESSES);
	assert_int_equal(kept, 4);
}

/* An accepted socket inherits the option that the listening socket had when the peer connected. */
static void a_kernel_with_the_option_refuses_descriptors_at_the_sender(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX}; /* the kernel chooses a name */
	socklen_t size = sizeof address;
	int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int asking = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), accepted;

	(void)state;
	close(pair[0]);
	close(pair[1]);
	if (!fd_passing_refuse(listening)) {
		close(listening);
		close(asking);
		skip();
	}
	assert_int_equal(bind(listening, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
	assert_int_equal(getsockname(listening, (struct sockaddr *)&address, &size), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(connect(asking, (struct sockaddr *)&address, size), 0);
	assert_false(carrier_send(asking, "early", STDIN_FILENO));
	accepted = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	assert_true(accepted >= 0);
	assert_false(carrier_send(asking, "late", STDIN_FILENO));
	assert_int_equal(send(asking, "plain", 5, 0), 5);
	close(listening);
	close(asking);
	close(accepted);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_descriptor_arrives_with_its_message_and_stays_open_here,
						make_pair, close_pair),
		cmocka_unit_test_setup_teardown(a_message_without_a_descriptor_passes_none, make_pair,
						close_pair),
		cmocka_unit_test_setup_teardown(a_closed_peer_is_noticed, make_pair, close_pair),
		cmocka_unit_test_setup(a_pending_descriptor_is_detected_without_reading_the_message,
				       make_pair),
		cmocka_unit_test_setup(descriptors_in_later_messages_are_closed_with_the_socket, make_pair),
		cmocka_unit_test_setup(a_socket_without_pending_descriptors_is_closed_at_once, make_pair),
		cmocka_unit_test_setup(a_descriptor_that_blocks_on_close_delays_nothing, make_pair),
		cmocka_unit_test(one_process_closes_many_sockets),
		cmocka_unit_test(the_number_of_blocked_processes_is_limited),
		cmocka_unit_test_setup(a_kernel_with_the_option_refuses_descriptors_at_the_sender, make_pair),
	};

	return cmocka_run_group_tests_name("fd_passing", tests, NULL, NULL);
}
