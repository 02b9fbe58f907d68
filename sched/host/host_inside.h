/* SPDX-License-Identifier: MIT */
/*
 * host_inside.h - what the scheduler's thread and its callers' side share
 *
 * Everything they share stands in struct host behind one mutex: the list of requests, the
 * list of answers, the published snapshot, the clock. The driver is the thread's alone and
 * is never touched under the mutex. Two pipes wake: one the thread, one the caller.
 */
#ifndef HOST_HOST_INSIDE_H
#define HOST_HOST_INSIDE_H

#include <pthread.h>

#include "clock.h"
#include "host.h"
#include "sched/base/arena.h"
#include "sched/rm/monotonic.h"

enum request_kind {
	REQUEST_POST,
	REQUEST_ADVANCE,
	REQUEST_STEP
};

struct request {
	struct request *next;
	uint64_t ticket;
	enum request_kind kind;
	struct event *event; /* POST: in the arena */
	size_t count;        /* POST: events; STEP: moments */
	int64_t to_s;        /* ADVANCE */
	struct arena arena;
};

struct answer {
	struct answer *next;
	struct host_answer answer;
};

/* A snapshot with who holds it; the shared part comes first. */
struct published {
	struct shared_snapshot shared;
	unsigned holders; /* the host holds the latest */
};

struct host {
	struct driver *driver; /* the thread's */
	bool real;             /* time is the system's */
	void (*read_clock)(struct timespec *out);
	char *clock_file;     /* NULL = none */
	int64_t difference_s; /* as it is kept there; INT64_MIN: it is not */
	int clock_fd;         /* tells that the system's clock was set; -1 = none */
	bool urgent;
	struct host_guest guest; /* the thread's */
	int watchdog_ms;         /* the thread's; 0 = nobody watches it */
	int64_t watchdog_at_ms;  /* the thread's: when the next completed turn is reported */
	pthread_t thread;
	int wake_thread[2], wake_caller[2];

	pthread_mutex_t lock; /* guards all below */
	struct clock clock;
	struct request *first, **last;
	struct answer *first_answer, **last_answer;
	struct published *latest;
	uint64_t version; /* of the state, in changes seen     */
	bool asked;       /* a fresh snapshot is wanted        */
	bool stop;
	bool failed;
	struct err err;
	struct err warning; /* not yet taken; empty = none */
	uint64_t next_ticket;
};

/* Against which the clock runs. */
static inline int64_t host_ns(const struct host *h)
{
	return h->real ? boottime_ns() : monotonic_ns();
}

/* --- host_share.c ------------------------------------------------------------------------ */

/* The thread, or before it runs: what callers see from now on; and no longer. */
void host_publish(struct host *h, int64_t now_s);
/* The clock shows what the system's shows: nobody finds one of them without the other. */
void host_publish_clock(struct host *h, const struct timespec *system);
void host_forget_published(struct host *h);

/* Wakes who reads the pipe; a full pipe is as good as one more byte in it. */
void host_ring(const int pipe_fds[2]);
void host_drain(int fd);

/* Under the lock. The request at the head of the list; NULL if there is none. */
struct request *host_pop_request(struct host *h);
void host_put_answer(struct host *h, const struct host_answer *answer);
/* Under the lock: whoever asks a scheduler that has stopped is told so. Frees the request. */
void host_put_failure(struct host *h, struct request *r);

void host_free_request(struct request *r);

/* --- host_thread.c ----------------------------------------------------------------------- */

/* The thread: serves requests and runs what is due until told to stop. self is the host. */
void *host_run(void *self);

#endif
