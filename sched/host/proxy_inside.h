/* SPDX-License-Identifier: MIT */
/*
 * proxy_inside.h - what the scheduler's process, the dispatcher and the proxies share
 */
#ifndef HOST_PROXY_INSIDE_H
#define HOST_PROXY_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proxy.h"

enum proxy_task {
	PROXY_CONNECT, /* two descriptors: the user's connection and the door's */
	PROXY_REFUSE,  /* up to PROXY_FDS, and the sentence for each            */
	PROXY_WITHDRAW /* one                                                   */
};

#define PROXY_TEXT 512

/* From the scheduler to the dispatcher, which passes it on to a proxy. */
struct proxy_order {
	uint32_t task;
	uint32_t owner;
	uint32_t percent;
	uint32_t text; /* bytes of the sentence */
	uint64_t size; /* WITHDRAW: of the file */
	char sentence[PROXY_TEXT];
};

/* And back: files of an owner that have been cut. From a proxy, count 0: it has nothing to do. */
struct proxy_report {
	uint32_t owner;
	uint32_t count;
	uint64_t bytes;
};

#define PROXY_FDS 64

/* Descriptors of one message (SCM_RIGHTS). */
struct proxy_fds {
	size_t count;
	int fd[PROXY_FDS];
};

void proxy_close(const struct proxy_fds *fds);
/* One message with its descriptors, which stay open here. False with errno. */
bool proxy_send(int socket, const void *bytes, size_t size, const struct proxy_fds *fds, int flags);
/* One message and its descriptors; as recvmsg(). */
ssize_t proxy_receive(int socket, void *bytes, size_t room, struct proxy_fds *fds, int flags);

/* The process that starts a proxy for each owner; ends when `master` is closed. */
_Noreturn void proxy_dispatch(int master);
/* A proxy; ends when `channel` is closed and it has no connection left. */
_Noreturn void proxy_serve(int channel, uint32_t percent);

#endif
