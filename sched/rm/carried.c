/* SPDX-License-Identifier: MIT */
/*
 * carried.c - sockets on which untrusted peers may send unwanted descriptors
 *
 * Looking at a message (MSG_PEEK) takes another reference to what it carries and gives it back, which closes
 * nothing. A process that exits does not linger, so sockets with such messages are handed to a child process
 * that only exits. With SO_PASSRIGHTS (Linux 6.16) none of this is needed.
 */
#include "carried.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

bool carried_refuse(int fd)
{
	int no = 0;

	return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0;
}

/* Room for who sent a message, and for no descriptor. */
union credentials {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(struct ucred))];
};

enum next {
	NEXT_NONE, /* no message is there, or none will come */
	NEXT_PLAIN,
	NEXT_CARRIES
};

/* SO_PASSCRED distinguishes an empty message, which comes with credentials, from the end of the stream. */
static enum next look_at_next(int fd)
{
	union credentials control;
	char byte;
	struct iovec part = {&byte, sizeof byte};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = sizeof control.room};
	ssize_t n;

	do
		n = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return NEXT_NONE;
	if ((message.msg_flags & MSG_CTRUNC) != 0)
		return NEXT_CARRIES;
	return n == 0 && message.msg_controllen == 0 ? NEXT_NONE : NEXT_PLAIN;
}

bool carried_waits(int fd)
{
	struct msghdr message = {.msg_iovlen = 0};
	ssize_t n;

	do
		n = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	return n >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
}

/* A grandchild, for which nobody has to wait, keeps the sockets until they have been closed here. */
void carried_clear(struct carried *carried)
{
	int gate[2];
	pid_t child;
	char byte;

	if (carried->count == 0 || pipe2(gate, O_CLOEXEC) != 0)
		return;
	child = fork();
	if (child == 0) {
		if (fork() == 0) {
			close(gate[1]);
			(void)!read(gate[0], &byte, 1);
		}
		_exit(0);
	}
	if (child > 0) {
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		while (carried->count > 0)
			close(carried->fd[--carried->count]);
	}
	close(gate[0]);
	close(gate[1]);
}

void carried_close(struct carried *carried, int fd)
{
	int yes = 1;
	enum next next;
	char byte;

	shutdown(fd, SHUT_RDWR); /* from here on no message comes any more */
	setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
	while ((next = look_at_next(fd)) == NEXT_PLAIN)
		(void)!recv(fd, &byte, sizeof byte, MSG_DONTWAIT);
	if (next != NEXT_CARRIES) {
		close(fd);
		return;
	}
	if (carried->count == CARRIED_MOST)
		carried_clear(carried);
	if (carried->count < CARRIED_MOST)
		carried->fd[carried->count++] =
			fd; /* else it stays open for good, which is better than to wait */
}
