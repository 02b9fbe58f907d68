/* SPDX-License-Identifier: MIT */
/*
 * driver.h - events, passes and commits of the scheduler, one step at a time
 *
 * In a step, reports and requests become events, a pass makes decisions, all events are committed together,
 * and the resource manager carries out the decisions. The driver owns the state. It has no clock: its caller
 * passes the time of each step. The host's thread (host.h) runs steps by a clock; a replay (replay.h) goes
 * from one due time to the next; a command that works on a store without a running scheduler only posts
 * events.
 */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger.h"
#include "sched/rm/rm.h"
#include "sched/state/event.h"

/*
 * Maximum number of expired temporary changes that one step undoes, and of jobs that one step cancels
 * because of their dependencies. The next step continues with the rest; the pass runs when none is left.
 */
#define DRIVER_RETURNS_MOST 1000

struct driver; /* opaque */

enum driver_outcome {
	DRIVER_DONE,
	DRIVER_REFUSED,
	DRIVER_FAILED
};

/* Counters since driver_new. */
struct driver_stats {
	uint64_t passes; /* calls of cycle_run */
	uint64_t started, backfilled, ended, submitted;
	uint64_t events;
	uint64_t pass_ns;        /* duration of all passes; no decision depends on it */
	uint64_t decisions_hash; /* see decision_hash_add */
};

/*
 * Creates a driver, which owns the resource manager and borrows the ledger; either may have ops NULL. Loads
 * the state from the ledger. On failure closes the manager and returns NULL with err set.
 */
struct driver *driver_new(struct rm rm, struct ledger ledger, struct err *err);
void driver_free(struct driver *d);

/* Called for every applied event, in order, before the commit; not called for refused events. */
typedef void driver_watch(void *self, const struct event *ev, const struct snapshot *after);
void driver_set_watch(struct driver *d, driver_watch *watch, void *self);

/*
 * Called before each end or cancel is applied, with the state before the event, even if the event is then
 * refused.
 */
typedef void driver_watch_end(void *self, const struct event *ev, const struct state *before);
void driver_set_watch_end(struct driver *d, driver_watch_end *watch, void *self);

/* Reserves the job IDs up to `last` for jobs that the resource manager submits (state_reserve_ids). */
void driver_reserve_ids(struct driver *d, uint64_t last);

/*
 * Called when a step is durable, with the state after the step; for logs and notices. The pointers are valid
 * during the call.
 */
typedef void driver_tell(void *self, const struct ledger_step *step, const struct state *st,
			 const struct driver_stats *stats);
void driver_set_tell(struct driver *d, driver_tell *tell, void *self);

/* Called with a warning about an external failure that the driver has handled, such as a refused start. */
typedef void driver_warn(void *self, const char *text);
void driver_set_warn(struct driver *d, driver_warn *warn, void *self);

/*
 * Called before a start that failed for a transient reason is retried soon. If the user's share of the
 * journal has room for this number of bytes, charges them and returns true. If it returns false, the next
 * retry comes after ten minutes. Without this callback, retries are not charged.
 */
typedef bool driver_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes);
void driver_set_toll(struct driver *d, driver_toll *toll, void *self);

/*
 * Bars the programs that the configuration names from being run, for the reason `why` (file_read_config); ""
 * or NULL allows them. While they are barred, LOCAL allocates like MINRESOURCE, and no job with a prolog or
 * an epilog starts.
 */
void driver_bar_programs(struct driver *d, const char *why);

/*
 * Runs passes only at multiples of poll_s seconds, as Maui does; 0 = whenever something happens. The first
 * pass is at the first multiple after the state's current time, or after the first arrival. Reports between
 * two multiples take effect at the later one: the end of a job is dated at that time, but a job keeps its
 * submit time. While the order of idle jobs may change with time alone, there is a pass at each multiple.
 * Must be called before the first step.
 */
void driver_set_poll(struct driver *d, int64_t poll_s);

const struct snapshot *driver_view(const struct driver *d);
const struct state *driver_state(const struct driver *d);
void driver_get_stats(const struct driver *d, struct driver_stats *out);

/* Returns a descriptor that becomes readable when the resource manager has reports; -1: there is none. */
int driver_fd(const struct driver *d);

/* Returns the next time at which a pass or the resource manager is due; TIME_NEVER if none is. */
int64_t driver_next_s(const struct driver *d);

/* Prepares for requests of many users, so that the state does not have to grow while they wait
 * (state_reserve_room). */
void driver_expect_many(struct driver *d);

/*
 * Runs one step at now_s, which must not be earlier than the previous step: applies the manager's reports,
 * runs a pass if anything has changed or a pass is due, commits, then makes the manager start and end jobs. A
 * job whose start the manager refuses returns to the queue and is deferred if this happens too often. If the
 * store cannot be written but the manager can adopt the state again, the step is rolled back and tried again
 * two seconds later, and the result is true. Returns false if storage failed permanently; the driver must
 * then be freed.
 */
bool driver_step(struct driver *d, int64_t now_s, struct err *err);

/*
 * Handles a system clock that was set by by_s seconds; now_s is the new time (EVENT_CLOCK). Makes one
 * journal entry and one commit, moves the manager's due times, and makes a pass due. REFUSED: the store
 * cannot be written, and nothing has changed; the caller must try again. FAILED as in driver_post.
 */
enum driver_outcome driver_set_clock(struct driver *d, int64_t now_s, int64_t by_s, struct err *err);

/*
 * Applies and commits operator events, all or nothing, and makes the manager carry them out. REFUSED: state,
 * store and events are unchanged; err says why, also if the store could not be written. FAILED: storage
 * failed permanently, and the driver must be freed. The pass that follows is part of the next driver_step.
 */
enum driver_outcome driver_post(struct driver *d, struct event *ev, size_t count, struct err *err);

/*
 * Accepts one of several requests for a common commit. Each request is accepted or refused as a whole and is
 * checked against the state after the requests that were accepted before it; a refused request does not
 * affect the others. Accepted requests become durable, and may be answered, only with driver_settle; the
 * events' pointers must stay valid until then. FAILED as in driver_post.
 */
enum driver_outcome driver_accept(struct driver *d, struct event *ev, size_t count, struct err *err);

/*
 * Stores the answer to the request that was accepted last, in the same commit, so that a client that repeats
 * the request gets the same answer.
 */
void driver_remember(struct driver *d, const struct cookie *cookie, const void *answer, size_t size);
/*
 * Appends the stored answer to the request with this cookie, even if the request is not settled yet. *known
 * is false if there is none. Returns false with err set if the store cannot be read.
 */
bool driver_recall(const struct driver *d, const struct cookie *cookie, bool *known, struct str *out,
		   struct err *err);

/*
 * Runs a step at now_s as in driver_step, up to and including its commit, which also contains the accepted
 * requests. REFUSED: the store could not be written, and no accepted request has taken effect; err says why.
 */
enum driver_outcome driver_settle(struct driver *d, int64_t now_s, struct err *err);

/*
 * Makes the manager carry out the settled events; requests can be answered before this call. Returns false if
 * storage failed permanently, and the driver must be freed.
 */
bool driver_carry_out(struct driver *d, int64_t now_s, struct err *err);

/* --- hash of decisions --------------------------------------------------------------------------------- */

#define DECISION_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* Adds a start, a resume or a plan to the hash (DECISION_HASH_BEGIN at first); ignores other events. */
void decision_hash_add(uint64_t *h, const struct event *ev);

#endif
