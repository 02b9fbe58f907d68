/* SPDX-License-Identifier: MIT */
/*
 * driver.h - one step of the scheduler: reports and requests -> events -> pass -> actions -> one commit
 *
 * The driver owns the state and calls manager, cycle and ledger in order; it has no clock
 * of its own: each step is told the moment. The host thread (host.h) drives it by a clock,
 * replay (replay.h) by the next due moment, a verb on a stopped store not at all (it only
 * posts).
 */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger.h"
#include "sched/rm/rm.h"
#include "sched/state/event.h"

/* Temporary changes that one step undoes, and jobs that it drops because of their dependencies; the next step
 * continues with those that are left, and the pass follows when none is. */
#define DRIVER_RETURNS_MOST 1000

struct driver; /* opaque */

enum driver_outcome {
	DRIVER_DONE,
	DRIVER_REFUSED,
	DRIVER_FAILED
};

/* Counters since the driver was made. */
struct driver_stats {
	uint64_t passes; /* cycle_run calls                         */
	uint64_t started, backfilled, ended, submitted;
	uint64_t events;
	uint64_t pass_ns;        /* what all passes took; by a clock that nobody else looks at */
	uint64_t decisions_hash; /* over (time, job, kind, where) of all starts and plans */
};

/*
 * Takes over the manager (closed with the driver) and borrows the ledger; either may have ops
 * NULL. The state is loaded from the ledger. On NULL the manager is closed.
 */
struct driver *driver_new(struct rm rm, struct ledger ledger, struct err *err);
void driver_free(struct driver *d);

/*
 * Called for every applied event, in order, before the commit; never for a refused one. For
 * replay's records.
 */
typedef void driver_watch(void *self, const struct event *ev, const struct snapshot *after);
void driver_set_watch(struct driver *d, driver_watch *watch, void *self);

/* Called before an event by which a job leaves, with the state before it; of a refused one as well. */
typedef void driver_watch_end(void *self, const struct event *ev, const struct state *before);
void driver_set_watch_end(struct driver *d, driver_watch_end *watch, void *self);

/* The manager names the ids of jobs that come to it, up to `last` (state_reserve_ids). */
void driver_reserve_ids(struct driver *d, uint64_t last);

/* Called when a step is durable, with the state after it: for a log. What it points at lasts for the call. */
typedef void driver_tell(void *self, const struct ledger_step *step, const struct state *st,
			 const struct driver_stats *stats);
void driver_set_tell(struct driver *d, driver_tell *tell, void *self);

/* Called with a sentence for what went wrong outside and was dealt with: the manager refused a start. */
typedef void driver_warn(void *self, const char *text);
void driver_set_warn(struct driver *d, driver_warn *warn, void *self);

/*
 * Called before a start that failed for a passing reason is retried soon: may it be, at the expense of so
 * many bytes of the user's share of the journal? False: the next try comes after ten minutes. Without a toll
 * retries cost nothing.
 */
typedef bool driver_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes);
void driver_set_toll(struct driver *d, driver_toll *toll, void *self);

/*
 * Why the programs that the configuration names must not be run (file_read_config); "" or NULL = they may be.
 * Nodes are then chosen as by minresource, and no job begins that has a prolog or an epilog.
 */
void driver_bar_programs(struct driver *d, const char *why);

/*
 * Passes fall only on multiples of poll_s seconds, as in the original; 0 = whenever something happens. The
 * first comes at the first multiple behind the state's now, or behind the first arrival. What is
 * reported or due in between is seen by the next one, and happens there: a job that ended has
 * ended then, but a submission keeps its time. While jobs wait whose order time alone may change there
 * is a pass at each multiple. To be set before the first step.
 */
void driver_set_poll(struct driver *d, int64_t poll_s);

const struct snapshot *driver_view(const struct driver *d);
const struct state *driver_state(const struct driver *d);
void driver_get_stats(const struct driver *d, struct driver_stats *out);

/* A descriptor that is readable when the manager has something to report; -1 = driver_next_s says it all. */
int driver_fd(const struct driver *d);

/* The next moment at which something is due (manager, pass); TIME_NEVER when nothing is. */
int64_t driver_next_s(const struct driver *d);

/*
 * One step of life at now_s (never before the last): all the manager's reports, then one
 * pass if anything changed or is due, then one commit; then the manager is told what to start
 * and what to end. A start that it refuses puts the job back into the queue, deferred. False: storage
 * failed; the driver must be freed. When the store cannot be written and the manager adopts again, all is as
 * before the step and it is tried again two seconds later.
 */
bool driver_step(struct driver *d, int64_t now_s, struct err *err);

/*
 * The system's clock was set by by_s seconds, and it is now_s by the new one (EVENT_CLOCK): one entry and one
 * commit. The manager's moments move with it, and a pass is due. REFUSED: the store cannot be written, and
 * all is as before; to be tried again. FAILED as in driver_post.
 */
enum driver_outcome driver_set_clock(struct driver *d, int64_t now_s, int64_t by_s, struct err *err);

/*
 * Operator events, all or nothing. REFUSED: state and store are as before, and so are the
 * events; err has the sentence, also when the store could not be written. FAILED: storage failed for good;
 * the driver must be freed. The manager is told of starts and cancellations among them. The pass that follows
 * is the next driver_step.
 */
enum driver_outcome driver_post(struct driver *d, struct event *ev, size_t count, struct err *err);

/*
 * The requests of several people, all in one commit. Each is accepted or refused as a whole, and what is
 * refused harms no other: it is looked at with all in place that was accepted before it. Nothing of it is
 * durable, and nobody may hear of it, before driver_settle; what the events point at must last until then.
 * FAILED as above.
 */
enum driver_outcome driver_accept(struct driver *d, struct event *ev, size_t count, struct err *err);

/* What will be answered to the request that was accepted last, for who asks again: durable with it. */
void driver_remember(struct driver *d, const struct cookie *cookie, const void *answer, size_t size);
/* Appends what was answered to a request with this cookie, also to one that is not settled yet. */
bool driver_recall(const struct driver *d, const struct cookie *cookie, bool *known, struct str *out,
		   struct err *err);

/*
 * One step of life at now_s as driver_step makes it, with all in its commit that was accepted. REFUSED: the
 * store could not be written; nothing that was accepted has happened, err says why.
 */
enum driver_outcome driver_settle(struct driver *d, int64_t now_s, struct err *err);

#endif
