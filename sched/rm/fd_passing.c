/* SPDX-License-Identifier: MIT */
/*
 * fd_passing.c - descriptors in messages (SCM_RIGHTS)
 */
#include "fd_passing.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/* Room for one, aligned as the kernel wants it. */
union one_fd {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static void put_fd(struct msghdr *whole, union one_fd *control, int fd)
{
	struct cmsghdr *head;

	whole->msg_control = control->room;
	whole->msg_controllen = sizeof control->room;
	head = CMSG_FIRSTHDR(whole);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(head), &fd, sizeof fd);
}

bool fd_passing_send(int socket, const void *bytes, size_t size, int fd)
{
	union one_fd control = {.room = {0}};
	struct iovec part = {(void *)(uintptr_t)bytes, size};
	struct msghdr whole = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0)
		put_fd(&whole, &control, fd);
	do
		n = sendmsg(socket, &whole, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

static int get_fd(struct msghdr *whole)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(whole);
	int fd = -1;

	if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(head), sizeof fd);
	return fd;
}

ssize_t fd_passing_receive(int socket, void *bytes, size_t room, int *fd, int flags)
{
	union one_fd control;
	struct iovec part = {bytes, room};
	struct msghdr whole = {.msg_iov = &part,
			       .msg_iovlen = 1,
			       .msg_control = control.room,
			       .msg_controllen = CMSG_LEN(sizeof(int))}; /* no room for a second */
	ssize_t n;

	do
		n = recvmsg(socket, &whole, flags | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*fd = n < 0 ? -1 : get_fd(&whole);
	return n;
}
