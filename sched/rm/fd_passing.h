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

#endif
