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

/*
 * Makes the kernel refuse such messages to the sender, on this socket and on those it accepts (Linux 6.16).
 * False with errno: it cannot.
 */
bool carried_refuse(int fd);

/* Does the next message carry descriptors? It stays unread. */
bool carried_waits(int fd);

/* Closes a socket without waiting for what its unread messages carry: those end with a process of their own.
 */
void carried_close(int fd);

#endif
