/* SPDX-License-Identifier: MIT */
/*
 * proxy.h - processes that read, write and close the connections of users in the scheduler's place
 *
 * A user controls the cost of system calls on the user's socket and on files that the user has mapped.
 * Sending, receiving and closing walk the wait queue of the other side with interrupts disabled, and poll()
 * and epoll make that queue as long as its owner likes; truncating a file in memory visits each mapping of
 * it. So the scheduler's process makes none of these calls: it passes the descriptor to a proxy, a process
 * that serves only this user, and communicates with the proxy through a socket pair. If a user delays the
 * proxy, only that user has to wait.
 *
 * Proxies are processes and not threads for four reasons. During a walk with interrupts disabled, every
 * munmap() of a process with a thread on that processor waits for it. A process that is killed, or executes
 * another program, waits for all of its threads, and a call that cannot be interrupted would hold the lock of
 * the store for as long. A descriptor that a user sends may block its last close indefinitely (fd_passing.h).
 * And a process can be throttled: each gets the share of a processor that the option maxusercpu allows.
 *
 *     scheduler -- dispatcher (one process) -- proxy of a user (one process, as long as it is needed) -- user
 */
#ifndef HOST_PROXY_H
#define HOST_PROXY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proxies; /* opaque */

/*
 * Owners that are not users: peers that are not admitted, and shared files, which PROXY_LANES processes
 * handle (PROXY_SHARED, PROXY_SHARED + 1, ...).
 */
#define PROXY_STRANGERS ((uint32_t)-2)
#define PROXY_SHARED    ((uint32_t)-10)
#define PROXY_LANES     4

/*
 * Starts the dispatcher. Call it while this process is small, because the dispatcher keeps a copy of its
 * memory. It does not fail: if no process can be created, the dispatcher is started later.
 */
struct proxies *proxies_new(void);

/*
 * Frees p. The dispatcher and the proxies exit by themselves after their last order; the caller does not
 * wait for them.
 */
void proxies_end(struct proxies *p);

/*
 * Sets the share of a processor that all proxies of one owner may use together, in percent. It applies to
 * later orders.
 */
void proxies_set(struct proxies *p, int64_t percent);

/*
 * Gives the dispatcher a copy of the listening socket. The last close of this socket also closes the
 * connections that wait for accept(); this process never does the last close, even when it is killed.
 * listening = -1: the socket is about to be closed, and a later dispatcher gets no copy.
 */
void proxies_hold(struct proxies *p, int listening);

/*
 * Passes the connection of a user to the proxy. Returns a non-blocking connection to the proxy, which the
 * caller uses in place of `client`. On failure returns -1 with errno set, and the caller keeps `client`.
 */
int proxy_connect(struct proxies *p, uint32_t owner, int client);

/*
 * Makes the proxy send a refusal with the sentence (no refusal if it is "") and close the connection.
 * Refusals of one owner with the same sentence share a message, sent by the next proxies_turn at the latest,
 * so that a flood of connections does not cost a message each.
 */
void proxy_refuse(struct proxies *p, uint32_t owner, int client, const char *sentence);

/* Truncates a file in memory to size 0 and closes it. */
void proxy_withdraw(struct proxies *p, uint32_t owner, int fd, size_t size);

/* Returns how many of the owner's files are not truncated yet; *bytes becomes their total size. */
size_t proxy_withdrawing(struct proxies *p, uint32_t owner, size_t *bytes);

/* Sends collected refusals and waiting orders, and receives reports. */
void proxies_turn(struct proxies *p);

/* Returns the milliseconds until proxies_turn is due; -1 = nothing waits to be sent. */
int proxies_wait_ms(struct proxies *p);

#endif
