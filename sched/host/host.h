/* SPDX-License-Identifier: MIT */
/*
 * host.h - the scheduler's thread and its exchange with callers
 *
 * The thread owns the driver and waits in one poll(). Callers use a queue of requests (batches of events,
 * answered after the commit), a published snapshot, and a descriptor that becomes readable when an answer or
 * a fresh snapshot is available; none of these blocks for long. Virtual time runs at a given speed against
 * the real clock, is paused, or is advanced by the caller.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "driver.h"

struct host; /* opaque */

/*
 * A guest of the scheduler's thread: the door (door.h), through which other processes reach the driver. Only
 * that thread calls it. ops NULL: no guest.
 */
struct host_guest_ops {
	int (*fd)(const void *self);      /* a descriptor that is readable when the guest has work */
	int (*wait_ms)(const void *self); /* time to its next turn if fd stays unreadable; -1 = never */
	/*
	 * Does its work in bounded time and settles the requests that the driver accepted. Returns false with
	 * err set if storage failed.
	 */
	bool (*turn)(void *self, struct driver *driver, int64_t now_s, struct err *err);
};

struct host_guest {
	const struct host_guest_ops *ops;
	void *self;
};

struct host_setup {
	struct driver *driver; /* owned by the host, even if host_start fails */
	int64_t start_s;       /* virtual time at the start, unless the state's now_s is later */
	int32_t speed;         /* virtual seconds per real second; 0 = only host_advance moves time */
	bool real;             /* time is the system's clock (clock.h), for jobs that really run */
	void (*read_clock)(struct timespec *out); /* real: a clock for tests; NULL = the system's */
	const char
		*clock_file; /* real: file for the stored clock difference (clock.h); copied; NULL = none */
	struct host_guest guest;
	bool urgent;     /* raise the thread's priority above that of jobs, where the system allows it  */
	int watchdog_ms; /* interval of reports of completed turns to the service manager; 0 = never    */
};

/* Starts the thread. Returns NULL with err set on failure. */
struct host *host_start(const struct host_setup *setup, struct err *err);

/*
 * Stops the thread after its current step and frees everything. Requests that were not answered were not
 * carried out. Every snapshot must have been released.
 */
void host_stop(struct host *h);

/*
 * Returns a descriptor that is readable when there is a new answer, snapshot, warning or failure. Call
 * host_clear_wake before looking for them.
 */
int host_wake_fd(const struct host *h);
void host_clear_wake(struct host *h);

/* A published snapshot, shared and immutable. */
struct shared_snapshot {
	const struct snapshot *s;
	uint64_t version; /* version of the state, which grows with every change */
	int64_t now_s;    /* virtual time when it was made */
};

/*
 * Asks for a fresh snapshot. The thread publishes it after the current step, and only if the state has
 * changed since the last one.
 */
void host_ask_snapshot(struct host *h);

/* Returns the latest snapshot, never NULL; it is valid until host_release. */
const struct shared_snapshot *host_hold(struct host *h);
void host_release(struct host *h, const struct shared_snapshot *shared);

/* Has the state changed since this version was published? */
bool host_is_newer(struct host *h, uint64_t version);

/* Sends a request with operator events, which are copied. Returns the ticket of its answer. */
uint64_t host_post(struct host *h, const struct event *ev, size_t count);

struct host_answer {
	uint64_t ticket;
	enum driver_outcome outcome;
	uint64_t seq;    /* number of the last event of the request */
	size_t together; /* number of journal entries of the request, the last of which is seq; 0 = one for
			    each event */
	size_t left_out; /* number of events that were skipped because their jobs had changed state in the
			    meantime */
	struct err err;  /* why the request was refused or failed */
};

/* Takes the oldest unread answer. Returns false if there is none. */
bool host_take_answer(struct host *h, struct host_answer *out);

/*
 * Takes the latest warning since the last call: a start that the resource manager refused, or a program that
 * did not answer. Returns false if there is none.
 */
bool host_take_warning(struct host *h, struct err *out);

/* host_now_s returns the current virtual time, host_speed its speed, which host_set_speed changes. */
int64_t host_now_s(struct host *h);
int32_t host_speed(struct host *h);
void host_set_speed(struct host *h, int32_t speed);

/*
 * Advances virtual time to to_s and runs every step that is due until then; TIME_NEVER: until no step is
 * due. Returns the ticket of the answer.
 */
uint64_t host_advance(struct host *h, int64_t to_s);

/* Advances virtual time until `count` due steps have run. Returns the ticket of the answer. */
uint64_t host_step(struct host *h, uint32_t count);

/*
 * Has the thread stopped because storage failed? If so, sets *err to the reason; all requests are then
 * answered with DRIVER_FAILED.
 */
bool host_failed(struct host *h, struct err *err);

#endif
