/* SPDX-License-Identifier: MIT */
/*
 * carried.h - sockets on which untrusted peers may send unwanted descriptors
 *
 * The kernel closes a descriptor that the receiver does not take when the message is read or the socket is
 * closed, and the sender decides how long that takes: the last close of a TCP socket with SO_LINGER may block
 * for years, the last close of a large memfd has to free it. Such messages are therefore left unread.
 */
#ifndef RM_CARRIED_H
#define RM_CARRIED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes the kernel refuse such messages to the sender, on this socket and on those it accepts (Linux 6.16).
 * False with errno: it cannot.
 */
bool carried_refuse(int fd);

/* Does the next message carry descriptors? It stays unread. */
bool carried_waits(int fd);

/*
 * Sockets that are closed for their peers and not yet here. They end together with one process, since to
 * create one takes long enough for a user to delay others by it.
 */
#define CARRIED_MOST 32

struct carried {
	int fd[CARRIED_MOST];
	size_t count;
};

/* Closes a socket without waiting for what its unread messages carry. The peer sees its end at once. */
void carried_close(struct carried *carried, int fd);

/* Closes those that are still open; if no process can be created, they stay. */
void carried_clear(struct carried *carried);

#endif
