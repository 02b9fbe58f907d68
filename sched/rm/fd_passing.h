/* SPDX-License-Identifier: MIT */
/*
 * fd_passing.h - descriptors in messages (SCM_RIGHTS)
 *
 * The first part sends and receives a descriptor between processes of Kahu, over a socket that preserves
 * message boundaries and that no other process can reach.
 *
 * The second part protects a process from descriptors that an untrusted peer sends. When a message is read or
 * its socket is closed, the kernel closes the descriptors that the receiver has not taken, and the sender
 * controls how long that takes: the last close of a TCP socket with SO_LINGER may block for years, and the
 * last close of a large memfd has to free its memory. Such messages are therefore left unread.
 */
#ifndef RM_FD_PASSING_H
#define RM_FD_PASSING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Sends one message, with the descriptor fd unless it is -1. The caller keeps fd. Returns false with errno
 * set on failure.
 */
bool fd_passing_send(int socket, const void *bytes, size_t size, int fd);

/*
 * Receives one message. Returns its size, 0 if the peer has closed the socket, or -1 with errno set. *fd is
 * the descriptor that came with the message, with FD_CLOEXEC, or -1. `flags` are passed to recvmsg().
 */
ssize_t fd_passing_receive(int socket, void *bytes, size_t room, int *fd, int flags);

/* --- descriptors that a peer sends unasked ------------------------------------------------------------- */

/*
 * Makes the kernel refuse messages with descriptors: sending one to this socket, or to a connection accepted
 * from it, fails (SO_PASSRIGHTS, Linux 6.16). Returns false with errno set if the kernel does not support
 * this.
 */
bool fd_passing_refuse(int fd);

/* Does the next message contain descriptors? The message stays unread. */
bool fd_passing_is_pending(int fd);

/*
 * Sockets that have been shut down but are still open in this process. One child process closes many of them,
 * so that a user cannot make the caller create a process for each connection.
 */
#define DEFERRED_MOST      128
#define DEFERRED_ENOUGH    32 /* number of sockets for which deferred_closes_flush() should create a process */
#define DEFERRED_PROCESSES 16 /* unfinished child processes; the sender controls how long they take */

struct deferred_closes {
	int *fd;
	size_t count, cap;
	pid_t process[DEFERRED_PROCESSES]; /* child processes; 0: unused entry */
	bool are_refused; /* the kernel refuses descriptors on all of these sockets, so none is examined */
};

/* Closes a socket without waiting for the close of descriptors in its unread messages. The peer sees the end
 * of the connection at once. */
void deferred_close(struct deferred_closes *deferred, int fd);

/*
 * Closes the sockets that are still open. If no child process can be created, they stay open, and the caller
 * must call this function again later. The same applies if DEFERRED_PROCESSES child processes have not exited
 * and the sockets take less than a quarter of this process's descriptors.
 */
void deferred_closes_flush(struct deferred_closes *deferred);

/* Closes all sockets, if necessary through one more child process, and frees the memory. */
void deferred_closes_end(struct deferred_closes *deferred);

#endif
