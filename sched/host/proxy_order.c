/* SPDX-License-Identifier: MIT */
/*
 * proxy_order.c - messages between the scheduler, the dispatcher and the proxies
 */
#include "proxy_order.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union fds {
	struct cmsghdr head;
	char room[CMSG_SPACE(PROXY_FDS * sizeof(int))];
};

void proxy_close_fds(const struct proxy_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++)
		close(fds->fd[i]);
}

bool proxy_send(int socket, const void *bytes, size_t size, const struct proxy_fds *fds, int flags)
{
	union fds control;
	struct iovec part = {(void *)(uintptr_t)bytes, size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fds->count > 0) {
		memset(&control, 0, sizeof control);
		message.msg_control = control.room;
		message.msg_controllen = CMSG_SPACE(fds->count * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(fds->count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds->fd, fds->count * sizeof(int));
	}
	do
		n = sendmsg(socket, &message, flags | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

ssize_t proxy_receive(int socket, void *bytes, size_t room, struct proxy_fds *fds, int flags)
{
	union fds control;
	struct iovec part = {bytes, room};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = CMSG_LEN(PROXY_FDS * sizeof(int))};
	const struct cmsghdr *head;
	ssize_t n;

	fds->count = 0;
	do
		n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	head = n >= 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
		fds->count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds->fd, CMSG_DATA(head), fds->count * sizeof(int));
	}
	return n;
}
