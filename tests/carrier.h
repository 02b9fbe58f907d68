/* SPDX-License-Identifier: MIT */
/* carrier.h - messages with unwanted descriptors */
#ifndef TESTS_CARRIER_H
#define TESTS_CARRIER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CARRIER_MOST 4

/* Sends `text` with `count` descriptors. False, with errno, on failure. */
static inline bool carrier_send_all(int to, const char *text, const int *fds, size_t count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(CARRIER_MOST * sizeof(int))];
	} control = {.room = {0}};
	struct iovec part = {(void *)(uintptr_t)text, strlen(text)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = CMSG_SPACE(count * sizeof *fds)};

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(count * sizeof *fds);
	memcpy(CMSG_DATA(&control.head), fds, count * sizeof *fds);
	return sendmsg(to, &message, MSG_NOSIGNAL) >= 0;
}

static inline bool carrier_send(int to, const char *text, int fd)
{
	return carrier_send_all(to, text, &fd, 1);
}

/* Returns a TCP socket whose last close blocks for this many seconds, as its peer reads nothing; *peer is the
 * peer. Returns -1 on failure. */
static inline int carrier_lingering(int seconds, int *peer)
{
	const struct linger linger = {.l_onoff = 1, .l_linger = seconds};
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	static char bytes[65536];

	if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 1) != 0 ||
	    getsockname(listening, (struct sockaddr *)&address, &size) != 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) != 0)
		return -1;
	*peer = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	close(listening);
	while (send(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
		;
	return fd;
}

#endif
