/* SPDX-License-Identifier: MIT */
/*
 * event_log.h - the scheduler's event log and counters
 *
 * The log is called after each durable step (driver_set_tell), in the scheduler's thread, and never blocks
 * that thread: a line that cannot be written at once is lost, and the next line says how many lines were
 * lost. Another thread reads the counters.
 */
#ifndef HOST_EVENT_LOG_H
#define HOST_EVENT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "driver.h"

struct event_log; /* opaque */

enum outcome {
	OUTCOME_DONE,      /* exited with status 0                */
	OUTCOME_FAILED,    /* exited with another status          */
	OUTCOME_LIMIT,     /* stopped at its wallclock limit      */
	OUTCOME_CANCELLED, /* cancelled by a user or an operator  */
	OUTCOME_LOST,      /* its end was not observed            */
	OUTCOME_DEPEND,    /* its dependency can no longer be met */
	OUTCOME_COUNT
};

/* Returns the name of an outcome, such as "done"; static storage. */
const char *outcome_name(enum outcome outcome);
enum outcome outcome_of(const struct ended_job *ended);

/* Counters since the start of the log. */
struct figures {
	uint64_t submitted, started, refused; /* refused: starts that the resource manager refused */
	uint64_t ended[OUTCOME_COUNT];
	uint64_t waits;   /* number of started jobs in waited_s */
	int64_t waited_s; /* sum of the times from submission to start */
	uint64_t passes;
	uint64_t pass_ns; /* sum of the durations of passes */
};

/*
 * `log` is a descriptor, which stays open; -1 = none. `leveled`: lines begin with <N> (service.h). Returns
 * NULL with err set if no descriptor is left.
 */
struct event_log *event_log_new(int log, bool leveled, struct err *err);
void event_log_free(struct event_log *c);

/* A driver_tell; self is the event_log. */
void event_log_tell(void *self, const struct ledger_step *step, const struct state *st,
		    const struct driver_stats *stats);

/* Writes a line; may be called from any thread. */
void event_log_say(struct event_log *c, int level, const char *text);

/*
 * event_log_fd returns a descriptor that becomes readable when the state or the counters have changed.
 * event_log_take copies the counters and makes the descriptor unreadable again.
 */
int event_log_fd(const struct event_log *c);
void event_log_take(struct event_log *c, struct figures *out);

#endif
