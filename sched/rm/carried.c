/* SPDX-License-Identifier: MIT */
/*
 * carried.c - sockets on which untrusted peers may send unwanted descriptors
 *
 * Looking at a message (MSG_PEEK) takes another reference to what it carries and gives it back, which closes
 * nothing. A process that exits does not linger, so sockets with such messages are handed to a child process
 * that only exits. A file in a FUSE file system with unwritten data can keep it from that for as long as its
 * owner wants: so few such processes are waited for, by asking only, and then the sockets stay open. With
 * SO_PASSRIGHTS (Linux 6.16) none of this is needed.
 */
#include "carried.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "sched/base/vec.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

bool carried_refuse(int fd)
{
	int no = 0;

	return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0;
}

#define LOOKS 64 /* messages of a socket that is closed */

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

/* Where a process can be noted; NULL: all that may be have not ended. */
static pid_t *find_place(struct carried *carried)
{
	for (size_t i = 0; i < CARRIED_PROCESSES; i++)
		if (carried->process[i] == 0 || waitpid(carried->process[i], NULL, WNOHANG) != 0)
			return &carried->process[i];
	return NULL;
}

/* A child keeps the sockets until they have been closed here. */
static pid_t close_all(struct carried *carried)
{
	int gate[2];
	pid_t child;
	char byte;

	if (pipe2(gate, O_CLOEXEC) != 0)
		return -1;
	child = fork();
	if (child == 0) {
		close(gate[1]);
		(void)!read(gate[0], &byte, 1);
		_exit(0);
	}
	while (child > 0 && carried->count > 0)
		close(carried->fd[--carried->count]);
	close(gate[0]);
	close(gate[1]);
	return child;
}

static bool are_too_many(const struct carried *carried)
{
	return carried->count >= CARRIED_MOST && carried->count >= (size_t)descriptors_limit() / 4;
}

void carried_clear(struct carried *carried)
{
	pid_t *place, child;

	if (carried->count == 0)
		return;
	place = find_place(carried);
	if (place == NULL && !are_too_many(carried))
		return;
	child = close_all(carried);
	if (place != NULL)
		*place = child > 0 ? child : 0;
}

void carried_end(struct carried *carried)
{
	if (carried->count > 0)
		close_all(carried);
	free(carried->fd);
	*carried = (struct carried){.fd = NULL};
}

void carried_close(struct carried *carried, int fd)
{
	int yes = 1;
	enum next next;
	char byte;

	shutdown(fd, SHUT_RDWR); /* from here on no message comes any more */
	if (carried->are_refused) {
		close(fd);
		return;
	}
	setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
	/* What is behind so many is not looked at. */
	for (int i = 0; (next = look_at_next(fd)) == NEXT_PLAIN && i < LOOKS; i++)
		(void)!recv(fd, &byte, sizeof byte, MSG_DONTWAIT);
	if (next == NEXT_NONE) {
		close(fd);
		return;
	}
	if (carried->count >= CARRIED_MOST)
		carried_clear(carried);
	carried->fd = vec_room(carried->fd, &carried->cap, carried->count + 1, sizeof *carried->fd);
	carried->fd[carried->count++] = fd;
}
