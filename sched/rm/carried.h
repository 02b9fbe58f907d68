/* SPDX-License-Identifier: MIT */
/*
 * carried.h - sockets on which strangers may send descriptors that nobody wants
 *
 * A descriptor that was sent and is not taken is closed by whoever reads its message or closes the socket,
 * and the sender decides how long that takes: the last close of a TCP socket with SO_LINGER waits for years,
 * that of a large file in memory frees all of it. So such messages are neither read nor closed here.
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
