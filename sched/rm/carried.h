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
#include <sys/types.h>

/*
 * Makes the kernel refuse such messages to the sender, on this socket and on those it accepts (Linux 6.16).
 * False with errno: it cannot.
 */
bool carried_refuse(int fd);

/* Does the next message carry descriptors? It stays unread. */
bool carried_waits(int fd);

/*
 * Sockets that have been shut down but are still open here. One process closes many of them, because a user
 * could delay others by making the caller create one for each.
 */
#define CARRIED_MOST      128
#define CARRIED_ENOUGH    32 /* carried_clear() is worth a process */
#define CARRIED_PROCESSES 16 /* that have not ended: the sender may make that last as long as it likes */

struct carried {
	int *fd;
	size_t count, cap;
	pid_t process[CARRIED_PROCESSES]; /* 0: none */
	bool are_refused; /* by the kernel, on all of these sockets: no message is looked at */
};

/* Closes a socket without waiting for what its unread messages carry. The peer sees its end at once. */
void carried_close(struct carried *carried, int fd);

/*
 * Closes those that are still open. They stay open if no process can be created, or as many as may be have
 * not ended, and they are fewer than a quarter of the descriptors of this process; call again later.
 */
void carried_clear(struct carried *carried);

/* Closes all, with one process more if need be, and releases the memory. */
void carried_end(struct carried *carried);

#endif
