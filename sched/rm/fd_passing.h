/* SPDX-License-Identifier: MIT */
/*
 * fd_passing.h - descriptors in messages (SCM_RIGHTS)
 *
 * Over a socket that keeps messages apart, of which both ends are ours: nobody else can speak there.
 */
#ifndef RM_FD_PASSING_H
#define RM_FD_PASSING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* One message; fd goes along unless it is -1, and stays open here. False with errno. */
bool fd_passing_send(int socket, const void *bytes, size_t size, int fd);

/*
 * One message: how many bytes it has, 0 when the other side is gone, -1 with errno. *fd is the descriptor
 * that came along, which exec closes, or -1. flags: of recvmsg().
 */
ssize_t fd_passing_receive(int socket, void *bytes, size_t room, int *fd, int flags);

/* --- descriptors that a peer sends unasked ------------------------------------------------------------- */

/*
 * Makes the kernel refuse such messages to the sender, on this socket and on those it accepts (Linux 6.16).
 * False with errno: it cannot.
 */
bool fd_passing_refuse(int fd);

/* Does the next message carry descriptors? It stays unread. */
bool fd_passing_is_pending(int fd);

/*
 * Sockets that have been shut down but are still open here. One process closes many of them, because a user
 * could delay others by making the caller create one for each.
 */
#define DEFERRED_MOST      128
#define DEFERRED_ENOUGH    32 /* deferred_closes_flush() is worth a process */
#define DEFERRED_PROCESSES 16 /* that have not ended: the sender may make that last as long as it likes */

struct deferred_closes {
	int *fd;
	size_t count, cap;
	pid_t process[DEFERRED_PROCESSES]; /* 0: none */
	bool are_refused; /* by the kernel, on all of these sockets: no message is looked at */
};

/* Closes a socket without waiting for what its unread messages carry. The peer sees its end at once. */
void deferred_close(struct deferred_closes *deferred, int fd);

/*
 * Closes those that are still open. They stay open if no process can be created, or as many as may be have
 * not ended, and they are fewer than a quarter of the descriptors of this process; call again later.
 */
void deferred_closes_flush(struct deferred_closes *deferred);

/* Closes all, with one process more if need be, and releases the memory. */
void deferred_closes_end(struct deferred_closes *deferred);

#endif
