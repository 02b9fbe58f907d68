/* SPDX-License-Identifier: MIT */
/*
 * host.h - the running scheduler: a thread that owns the driver and waits in one poll()
 *
 * The console talks to it through three doors that never block for long: a mailbox of
 * requests (batches of events, answered after the commit), a published snapshot, and a
 * descriptor that becomes readable when an answer or a fresh snapshot is there. Virtual
 * time runs at a speed against the real clock, stands still, or is moved by hand.
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
 * Someone who lives in the scheduler's thread and is called there: the door, through which others reach the
 * driver. All of it is called by that thread alone. No ops = nobody.
 */
struct host_guest_ops {
	int (*fd)(const void *self);      /* readable when there is something to do             */
	int (*wait_ms)(const void *self); /* until it wants to be called all the same; -1 = never */
	/* Does what there is to do, soon; what the driver accepted it settles. False: storage failed, with
	 * the sentence. */
	bool (*turn)(void *self, struct driver *driver, int64_t now_s, struct err *err);
};

struct host_guest {
	const struct host_guest_ops *ops;
	void *self;
};

struct host_setup {
	struct driver *driver; /* taken over, also on failure                                  */
	int64_t start_s;       /* virtual now at start; at least the state's now_s             */
	int32_t speed;         /* virtual seconds a real second; 0 = time moves only by host_advance */
	bool real;             /* time is the system's (clock.h), for jobs that really run     */
	void (*read_clock)(struct timespec *out); /* real: the system's clock, for tests; NULL = as it is */
	const char *clock_file; /* real: see kept_clock.h; copied. NULL = none                    */
	struct host_guest guest;
	bool urgent; /* the thread goes before jobs that use every processor, where the system allows it */
	int watchdog_ms; /* the loop tells the service manager of a completed turn this often; 0 = never */
};

/* Starts the thread. NULL with a sentence on failure. */
struct host *host_start(const struct host_setup *setup, struct err *err);

/*
 * Stops the thread after its present step, frees everything. What was not answered was not
 * done. Every snapshot held must have been given back.
 */
void host_stop(struct host *h);

/* Readable when something new waits: an answer, a snapshot, a failure. First host_clear_wake, then look. */
int host_wake_fd(const struct host *h);
void host_clear_wake(struct host *h);

/* A published snapshot, shared and immutable. */
struct shared_snapshot {
	const struct snapshot *s;
	uint64_t version; /* grows with each publication */
	int64_t now_s;    /* the clock when it was made  */
};

/*
 * Asks for a fresh snapshot; it is published after the present step and only if the state changed
 * since the last one. At most once a frame.
 */
void host_ask_snapshot(struct host *h);

/* The latest; hold it with host_hold, give it back with host_release. Never NULL after host_start. */
const struct shared_snapshot *host_hold(struct host *h);
void host_release(struct host *h, const struct shared_snapshot *shared);

/* True when the state has moved on since that version was published. */
bool host_is_newer(struct host *h, uint64_t version);

/* Sends operator events (deep copied). Returns a ticket for the answer. */
uint64_t host_post(struct host *h, const struct event *ev, size_t count);

struct host_answer {
	uint64_t ticket;
	enum driver_outcome outcome;
	uint64_t seq;    /* of the last event it asked for */
	size_t together; /* how many entries, ending with seq, the request made; 0 = all it asked for */
	size_t left_out; /* done without these: their jobs have moved on since */
	struct err err;  /* the sentence when not done */
};

/* Takes the oldest unread answer; false when there is none. */
bool host_take_answer(struct host *h, struct host_answer *out);

/*
 * Takes what went wrong outside since the last time and was dealt with: a start that the manager refused,
 * a program that did not answer. False when nothing did; of several the last is told.
 */
bool host_take_warning(struct host *h, struct err *out);

/* Virtual time. */
int64_t host_now_s(struct host *h);
int32_t host_speed(struct host *h);
void host_set_speed(struct host *h, int32_t speed);

/* Moves virtual time forward through every due moment; answered like a post. TIME_NEVER: while any is left.
 */
uint64_t host_advance(struct host *h, int64_t to_s);

/* The same for count moments at which something happens. */
uint64_t host_step(struct host *h, uint32_t count);

/* True when the thread had to stop: storage failed. Requests are answered DRIVER_FAILED from then on. */
bool host_failed(struct host *h, struct err *err);

#endif
