/* SPDX-License-Identifier: MIT */
/*
 * test_door_packet.c - packets of the socket protocol
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sched/host/door_packet.h"
#include "sched/rm/monotonic.h"

static int pair[2];
static struct packet packet;

static int make_pair(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

static int close_pair(void **state)
{
	(void)state;
	close(pair[0]);
	close(pair[1]);
	return 0;
}

static void a_packet_arrives_unchanged(void **state)
{
	static unsigned char bytes[DOOR_PACKET];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 31);
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_LATER);
	assert_true(packet_send(pair[0], PACKET_DATA, false, bytes, sizeof bytes, -1));
	assert_true(packet_send(pair[0], PACKET_REFUSAL, true, NULL, 0, -1));
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WHOLE);
	assert_int_equal(packet.kind, PACKET_DATA);
	assert_false(packet.last);
	assert_int_equal(packet.size, sizeof bytes);
	assert_memory_equal(packet.bytes, bytes, sizeof bytes);
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WHOLE);
	assert_int_equal(packet.kind, PACKET_REFUSAL);
	assert_true(packet.last);
	assert_int_equal(packet.size, 0);
}

static void a_passed_descriptor_is_closed_on_exec(void **state)
{
	int fd;

	(void)state;
	assert_true(packet_send(pair[0], PACKET_DATA, true, "x", 1, pair[0]));
	assert_int_equal(packet_receive(pair[1], &packet, &fd), PACKET_WHOLE);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	assert_true(packet_send(pair[0], PACKET_DATA, true, "x", 1, -1));
	assert_int_equal(packet_receive(pair[1], &packet, &fd), PACKET_WHOLE);
	assert_int_equal(fd, -1);
}

/* Sends a packet with `count` descriptors, bypassing packet_send(). */
static void send_with(int connection, const int *fd, size_t count)
{
	static const unsigned char bytes[] = "KHD1\0\1\0\0x";
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(8 * sizeof(int))];
	} control;
	struct iovec part = {(void *)(uintptr_t)bytes, sizeof bytes - 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = CMSG_SPACE(count * sizeof *fd)};
	struct cmsghdr *c;

	memset(&control, 0, sizeof control);
	c = CMSG_FIRSTHDR(&message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(count * sizeof *fd);
	memcpy(CMSG_DATA(c), fd, count * sizeof *fd);
	assert_int_equal(sendmsg(connection, &message, 0), sizeof bytes - 1);
}

/* The number that the next opened descriptor gets. */
static int next_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void at_most_one_descriptor_is_accepted_and_only_where_expected(void **state)
{
	const int sent[] = {0, 0, 0, 0, 0};
	int before = next_fd(), fd;
	char byte;

	(void)state;
	for (size_t count = 1; count <= 5; count++) {
		send_with(pair[0], sent, count);
		assert_int_equal(packet_receive(pair[1], &packet, &fd), PACKET_WHOLE);
		assert_int_equal(fd, before);
		assert_int_equal(next_fd(), before + 1);
		close(fd);
		send_with(pair[0], sent, count);
		assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WRONG);
		assert_int_equal(next_fd(), before);
		assert_true(recv(pair[1], &byte, sizeof byte, 0) > 0); /* the packet is still unread */
	}
}

static void an_invalid_packet_is_detected(void **state)
{
	(void)state;
	assert_int_equal(send(pair[0], "KHD1\0\1\0", 7, 0), 7);
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WRONG);
	assert_int_equal(send(pair[0], "KHD2\0\1\0\0", 8, 0), 8);
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WRONG);
	assert_int_equal(send(pair[0], "KHD1\2\1\0\0", 8, 0), 8);
	assert_int_equal(packet_receive(pair[1], &packet, NULL), PACKET_WRONG);
}

static void a_refusal_arrives_although_the_sender_left_data_unread(void **state)
{
	(void)state;
	assert_true(packet_send(pair[0], PACKET_DATA, false, "never read", 10, -1));
	assert_true(packet_send(pair[1], PACKET_REFUSAL, true, "enough", 6, -1));
	close(pair[1]);
	pair[1] = -1;
	assert_int_equal(packet_receive(pair[0], &packet, NULL), PACKET_WHOLE);
	assert_memory_equal(packet.bytes, "enough", 6);
	assert_int_equal(packet_receive(pair[0], &packet, NULL), PACKET_CLOSED);
	assert_false(packet_send(pair[0], PACKET_DATA, true, "x", 1, -1));
	assert_int_equal(errno, EPIPE);
}

static void the_clock_does_not_go_back(void **state)
{
	int64_t before_ms = monotonic_ms();

	(void)state;
	assert_true(monotonic_ms() >= before_ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_packet_arrives_unchanged, make_pair, close_pair),
		cmocka_unit_test_setup_teardown(a_passed_descriptor_is_closed_on_exec, make_pair, close_pair),
		cmocka_unit_test_setup_teardown(at_most_one_descriptor_is_accepted_and_only_where_expected,
						make_pair, close_pair),
		cmocka_unit_test_setup_teardown(an_invalid_packet_is_detected, make_pair, close_pair),
		cmocka_unit_test_setup_teardown(a_refusal_arrives_although_the_sender_left_data_unread,
						make_pair, close_pair),
		cmocka_unit_test(the_clock_does_not_go_back),
	};

	return cmocka_run_group_tests_name("door_packet", tests, NULL, NULL);
}
