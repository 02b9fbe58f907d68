/* SPDX-License-Identifier: MIT */
/*
 * proxy.h - processes that read, write and close the connections of users in the scheduler's place
 *
 * A user controls the cost of system calls on the user's socket and on files that the user has mapped.
 * Sending, receiving and closing walk the wait queue of the other side with interrupts disabled, and poll()
 * and epoll make that queue as long as its owner likes; truncating a file in memory visits each mapping of
 * it. So the scheduler's process makes none of these calls: it passes the descriptor to a process that serves
 * only this user, and communicates with it through a socket pair. If a user delays that process, only that
 * user waits.
 *
 * They are processes and not threads for four reasons. While a walk with interrupts disabled lasts, every
 * munmap() of a process with a thread on that processor waits for it. A process that is killed, or executes
 * another program, waits for all of its threads, and a call that cannot be interrupted would hold the lock of
 * the store for as long. A descriptor that a user sends may block its last close indefinitely (fd_passing.h).
 * And a process can be throttled: each gets the share of a processor that option maxusercpu allows.
 *
 *     scheduler -- dispatcher (one process) -- proxy of a user (one process, as long as it is needed) -- user
 */
#ifndef HOST_PROXY_H
#define HOST_PROXY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proxies; /* opaque */

/* Owners that are no users: peers that are not admitted, and shared files, handled by PROXY_LANES processes.
 */
#define PROXY_STRANGERS ((uint32_t)-2)
#define PROXY_SHARED    ((uint32_t)-10)
#define PROXY_LANES     4

/*
 * Starts the dispatcher. Call it while this process is small, because the dispatcher keeps a copy of its
 * memory. It does not fail: if no process can be created, the dispatcher is started later.
 */
struct proxies *proxies_new(void);

/* The processes exit by themselves after their last order; the caller does not wait for them. */
void proxies_end(struct proxies *p);

/* The share of a processor that all proxies of one owner may use together, in percent; from the next order
 * on. */
void proxies_set(struct proxies *p, int64_t percent);

/*
 * Lets the dispatcher keep a copy of the listening socket, so that this process never makes the last close of
 * it, which closes the connections that wait for accept(), even when it is killed. -1: a later dispatcher
 * gets none, because the socket is about to be closed.
 */
void proxies_hold(struct proxies *p, int listening);

/*
 * Hands the connection of a user to the proxy. Returns a non-blocking connection to the proxy, which takes
 * its place; -1 with errno on failure, and the caller keeps `client`.
 */
int proxy_connect(struct proxies *p, uint32_t owner, int client);

/*
 * Has the proxy send a refusal with the sentence (none if it is "") and close the connection. Refusals of one
 * owner with the same sentence share a message, sent by the next proxies_turn at the latest, so that a flood
 * of connections does not cost a message each.
 */
void proxy_refuse(struct proxies *p, uint32_t owner, int client, const char *sentence);

/* Truncates a file in memory to size 0 and closes it. */
void proxy_withdraw(struct proxies *p, uint32_t owner, int fd, size_t size);

/* Number and bytes of files that are not truncated yet. */
size_t proxy_withdrawing(struct proxies *p, uint32_t owner, size_t *bytes);

/* Sends refusals and orders that wait, and receives reports. */
void proxies_turn(struct proxies *p);

/* Milliseconds until proxies_turn is due; -1 = it can wait. */
int proxies_wait_ms(struct proxies *p);

#endif
