/* SPDX-License-Identifier: MIT */
/*
 * proxy_order.h - messages between the scheduler, the dispatcher and the proxies; for proxy*.c only
 */
#ifndef HOST_PROXY_ORDER_H
#define HOST_PROXY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum proxy_task {
	PROXY_CONNECT,  /* two descriptors: the user's connection and the door's */
	PROXY_REFUSE,   /* up to PROXY_FDS descriptors; the sentence is sent to all of them */
	PROXY_WITHDRAW, /* one descriptor, of a file to truncate */
	PROXY_HOLD      /* one descriptor, which the dispatcher keeps until its end */
};

#define PROXY_TEXT 512

/* An order from the scheduler to the dispatcher, which passes it on to a proxy. */
struct proxy_order {
	uint32_t task;
	uint32_t owner;
	uint32_t percent;
	uint32_t text; /* length of the sentence in bytes */
	uint64_t size; /* WITHDRAW: size of the file */
	char sentence[PROXY_TEXT];
};

/*
 * A report from a proxy to the dispatcher, and from there to the scheduler: number and bytes of the owner's
 * files that were truncated. A proxy with nothing to do reports count 0.
 */
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

void proxy_close_fds(const struct proxy_fds *fds);

/*
 * Sends a message and its descriptors, which stay open in this process. Returns false with errno set on
 * failure.
 */
bool proxy_send(int socket, const void *bytes, size_t size, const struct proxy_fds *fds, int flags);

/* Receives a message and its descriptors; returns what recvmsg() returns. */
ssize_t proxy_receive(int socket, void *bytes, size_t room, struct proxy_fds *fds, int flags);

/* Runs the dispatcher in this process, which has been forked; `master` is the channel from the scheduler. */
_Noreturn void proxy_run_dispatcher(int master);

#endif
