/* SPDX-License-Identifier: MIT */
/*
 * proxy.h - processes that read, write and close the connections of users in the scheduler's place
 *
 * A user decides what a system call on the user's socket or on a file that the user has mapped costs whoever
 * makes it: to send, to receive and to close walk the wait queue of the other side, which poll() and epoll
 * make as long as its owner likes, with interrupts disabled; to cut a file in memory visits each mapping of
 * it. So the scheduler's process makes none of these calls. It passes the descriptor to a process that serves
 * this user alone, and speaks with that one through a socket pair. The process may be delayed for as long as
 * its user pays for it: then this user waits.
 *
 * These are processes and not threads, for four reasons. While a walk with interrupts disabled lasts, every
 * munmap() of a process with a thread on that processor waits for it. A process that was killed, or executes
 * another program, waits for all of its threads, and a call that cannot be interrupted would keep the lock of
 * the store for as long. A descriptor that a user sends may block its last close indefinitely (carried.h).
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

/* Owners that are no users: what belongs to nobody, by PROXY_LANES processes, and who is not admitted. */
#define PROXY_STRANGERS ((uint32_t)-2)
#define PROXY_SHARED    ((uint32_t)-10)
#define PROXY_LANES     4

/*
 * Starts the dispatcher. To be called while this process is small: it keeps the memory of this moment. It
 * does not fail; where no process can be had, it is started later.
 */
struct proxies *proxies_new(void);
/* The processes end by themselves, after what they have been given; nobody waits for them. */
void proxies_end(struct proxies *p);

/* The share of a processor that each proxy started from now on may use, in percent. */
void proxies_set(struct proxies *p, int64_t percent);

/*
 * The connection with a user becomes the proxy's. Returns the other end of a connection with the proxy, which
 * does not block and takes its place; -1 with errno: there is none, and `client` is still the caller's.
 */
int proxy_connect(struct proxies *p, uint32_t owner, int client);
/*
 * Sends a sentence to the user, as packet_send() does a refusal, and closes; "" is not sent. Refusals of one
 * owner with one sentence go together, at the latest with the next proxies_turn: a user who connects all the
 * time must not cost a message for each connection.
 */
void proxy_refuse(struct proxies *p, uint32_t owner, int client, const char *sentence);
/* Cuts a file in memory to nothing and closes it. */
void proxy_withdraw(struct proxies *p, uint32_t owner, int fd, size_t size);

/* Files that have not been cut yet, and their bytes. */
size_t proxy_withdrawing(struct proxies *p, uint32_t owner, size_t *bytes);

/* Sends refusals and what the dispatcher could not take, and takes what it reports. */
void proxies_turn(struct proxies *p);
/* Milliseconds until proxies_turn is due; -1 = it can wait. */
int proxies_wait_ms(struct proxies *p);

#endif
