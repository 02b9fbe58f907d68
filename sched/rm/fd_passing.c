/* SPDX-License-Identifier: MIT */
/*
 * fd_passing.c - descriptors in messages (SCM_RIGHTS)
 *
 * Peeking at a message (MSG_PEEK) closes none of its descriptors: the kernel takes an additional reference to
 * each one and releases it again. The last close of a socket with such a message can block, so it is left to
 * a child process that only exits: an exiting process ignores SO_LINGER. A file in a FUSE file system with
 * unwritten data can still delay that exit for as long as its owner wants. Therefore the number of these
 * child processes is limited, and they are reaped without blocking; while the limit is reached, the sockets
 * stay open. With SO_PASSRIGHTS none of this is needed.
 */
#include "fd_passing.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "sched/base/vec.h"

/* Control buffer for one descriptor, with the alignment of cmsghdr. */
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
			       .msg_controllen = CMSG_LEN(sizeof(int))}; /* room for exactly one descriptor */
	ssize_t n;

	do
		n = recvmsg(socket, &whole, flags | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*fd = n < 0 ? -1 : get_fd(&whole);
	return n;
}

/* --- descriptors that a peer sends unasked ------------------------------------------------------------- */

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

bool fd_passing_refuse(int fd)
{
	int no = 0;

	return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0;
}

#define LOOKS 64 /* messages examined before a socket is closed */

/* Control buffer for the sender's credentials, without room for descriptors. */
union credentials {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(struct ucred))];
};

enum next {
	NEXT_NONE, /* no message, or the end of the stream */
	NEXT_PLAIN,
	NEXT_CARRIES
};

/*
 * Examines the next message and leaves it in the socket. With SO_PASSCRED even an empty message comes with
 * credentials, which distinguishes it from the end of the stream.
 */
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

bool fd_passing_is_pending(int fd)
{
	struct msghdr message = {.msg_iovlen = 0};
	ssize_t n;

	do
		n = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	return n >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
}

/*
 * Returns an entry for a new child process: an unused one, or that of a process that has exited. NULL if the
 * processes of all entries are still running.
 */
static pid_t *find_place(struct deferred_closes *deferred)
{
	for (size_t i = 0; i < DEFERRED_PROCESSES; i++)
		if (deferred->process[i] == 0 || waitpid(deferred->process[i], NULL, WNOHANG) != 0)
			return &deferred->process[i];
	return NULL;
}

/*
 * Closes all sockets in this process. A child process, whose PID is returned, inherits them and exits after
 * that, so that the last close of each socket happens in the child. Returns -1, and closes nothing, if no
 * process can be created.
 */
static pid_t close_all(struct deferred_closes *deferred)
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
	while (child > 0 && deferred->count > 0)
		close(deferred->fd[--deferred->count]);
	close(gate[0]);
	close(gate[1]);
	return child;
}

static bool are_too_many(const struct deferred_closes *deferred)
{
	return deferred->count >= DEFERRED_MOST && deferred->count >= (size_t)descriptors_limit() / 4;
}

void deferred_closes_flush(struct deferred_closes *deferred)
{
	pid_t *place, child;

	if (deferred->count == 0)
		return;
	place = find_place(deferred);
	if (place == NULL && !are_too_many(deferred))
		return;
	child = close_all(deferred);
	if (place != NULL)
		*place = child > 0 ? child : 0;
}

void deferred_closes_end(struct deferred_closes *deferred)
{
	if (deferred->count > 0)
		close_all(deferred);
	free(deferred->fd);
	*deferred = (struct deferred_closes){.fd = NULL};
}

void deferred_close(struct deferred_closes *deferred, int fd)
{
	int yes = 1;
	enum next next;
	char byte;

	shutdown(fd, SHUT_RDWR); /* no message arrives after this */
	if (deferred->are_refused) {
		close(fd);
		return;
	}
	setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
	/* A socket with more than LOOKS messages is treated as if one of them contained descriptors. */
	for (int i = 0; (next = look_at_next(fd)) == NEXT_PLAIN && i < LOOKS; i++)
		(void)!recv(fd, &byte, sizeof byte, MSG_DONTWAIT);
	if (next == NEXT_NONE) {
		close(fd);
		return;
	}
	if (deferred->count >= DEFERRED_MOST)
		deferred_closes_flush(deferred);
	deferred->fd = vec_room(deferred->fd, &deferred->cap, deferred->count + 1, sizeof *deferred->fd);
	deferred->fd[deferred->count++] = fd;
}
