/* SPDX-License-Identifier: MIT */
/*
 * door_packet.c - what do the two sides of the door share: packets
 */
#include "door_packet.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static const unsigned char magic[4] = {'K', 'H', 'D', '1'};

/* Room for one descriptor, aligned as the system wants it. */
union one_fd {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static void put_fd(struct msghdr *message, union one_fd *control, int fd)
{
	struct cmsghdr *c;

	memset(control, 0, sizeof *control);
	message->msg_control = control->room;
	message->msg_controllen = sizeof control->room;
	c = CMSG_FIRSTHDR(message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
}

ssize_t packet_send(int connection, enum packet_kind kind, bool last, const void *bytes, size_t size, int fd)
{
	unsigned char header[PACKET_HEADER] = {0};
	struct iovec parts[2] = {{header, sizeof header}, {(void *)(uintptr_t)bytes, size}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	union one_fd control;
	ssize_t n;

	memcpy(header, magic, sizeof magic);
	header[4] = (unsigned char)kind;
	header[5] = last;
	if (fd >= 0)
		put_fd(&message, &control, fd);
	do
		n = sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	return n;
}

static int take_fd(struct msghdr *message)
{
	int fd = -1;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
		    c->cmsg_len >= CMSG_LEN(sizeof fd))
			memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

static bool is_header(const unsigned char header[static PACKET_HEADER])
{
	return memcmp(header, magic, sizeof magic) == 0 && header[4] < PACKET_KIND_COUNT && header[5] <= 1 &&
	       header[6] == 0 && header[7] == 0;
}

enum packet_got packet_receive(int connection, struct packet *out)
{
	unsigned char header[PACKET_HEADER];
	struct iovec parts[2] = {{header, sizeof header}, {out->bytes, sizeof out->bytes}};
	union one_fd control;
	struct msghdr message = {.msg_iov = parts,
				 .msg_iovlen = 2,
				 .msg_control = control.room,
				 .msg_controllen = sizeof control.room};
	ssize_t n;

	do
		n = recvmsg(connection, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	out->fd = -1;
	if (n < 0)
		return errno == EAGAIN ? PACKET_LATER : PACKET_CLOSED;
	if (n == 0)
		return PACKET_CLOSED;
	out->fd = take_fd(&message);
	if (n < PACKET_HEADER || (message.msg_flags & MSG_TRUNC) != 0 || !is_header(header)) {
		if (out->fd >= 0)
			close(out->fd);
		out->fd = -1;
		return PACKET_WRONG;
	}
	out->kind = (enum packet_kind)header[4];
	out->last = header[5];
	out->size = (size_t)n - PACKET_HEADER;
	return PACKET_WHOLE;
}
