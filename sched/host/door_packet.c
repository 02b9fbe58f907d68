/* SPDX-License-Identifier: MIT */
/*
 * door_packet.c - packets of the socket protocol
 *
 * The kernel preserves packet boundaries, so a packet is read completely or not at all. The kernel installs
 * the descriptors that come with a packet in this process, as many as fit into the control buffer. The buffer
 * used here has room for exactly one descriptor, or none: its size is CMSG_LEN, because CMSG_SPACE is rounded
 * up and would hold two.
 */
#include "door_packet.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sched/rm/fd_passing.h"

static const unsigned char magic[4] = {'K', 'H', 'D', '1'};

/* A control message with one descriptor, aligned as the kernel requires. */
union one_fd {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static void put_fd(struct msghdr *message, union one_fd *control, int fd)
{
	struct cmsghdr *c;

	memset(control, 0, sizeof *control);
	message->msg_control = control->room;
	message->msg_controllen = CMSG_SPACE(sizeof fd);
	c = CMSG_FIRSTHDR(message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
}

bool packet_send(int connection, enum packet_kind kind, bool last, const void *bytes, size_t size, int fd)
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
	return n >= 0;
}

static int take_fd(const struct msghdr *message)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len >= CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

static bool is_header(const unsigned char header[static PACKET_HEADER])
{
	return memcmp(header, magic, sizeof magic) == 0 && header[4] < PACKET_KIND_COUNT && header[5] <= 1 &&
	       header[6] == 0 && header[7] == 0;
}

static ssize_t receive_once(int connection, struct msghdr *message)
{
	ssize_t n;

	do
		n = recvmsg(connection, message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	return n;
}

/*
 * If the peer has closed its side without reading everything, the next call of this function fails once with
 * ECONNRESET. What the peer sent before that can still be read, and may contain the reason.
 */
static ssize_t receive(int connection, struct msghdr *message)
{
	ssize_t n = receive_once(connection, message);

	return n < 0 && errno == ECONNRESET ? receive_once(connection, message) : n;
}

enum packet_got packet_receive(int connection, struct packet *out, int *fd)
{
	unsigned char header[PACKET_HEADER];
	struct iovec parts[2] = {{header, sizeof header}, {out->bytes, sizeof out->bytes}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	union one_fd control;
	ssize_t n;

	if (fd != NULL) {
		*fd = -1;
		message.msg_control = control.room;
		message.msg_controllen = CMSG_LEN(sizeof *fd);
	}
	if (fd == NULL && fd_passing_is_pending(connection))
		return PACKET_WRONG;
	n = receive(connection, &message);
	if (n < 0)
		return errno == EAGAIN ? PACKET_LATER : PACKET_CLOSED;
	if (n == 0)
		return PACKET_CLOSED;
	if (fd != NULL)
		*fd = take_fd(&message);
	if (n < PACKET_HEADER || (message.msg_flags & MSG_TRUNC) != 0 || !is_header(header))
		return PACKET_WRONG;
	out->kind = (enum packet_kind)header[4];
	out->last = header[5];
	out->size = (size_t)n - PACKET_HEADER;
	return PACKET_WHOLE;
}
