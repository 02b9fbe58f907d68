/* SPDX-License-Identifier: MIT */
/*
 * chronicle.h - the event log and counters of the scheduler
 *
 * It is told of each step when that is durable (driver_set_tell), in the scheduler's thread, and never makes
 * that wait: a log that does not take a line loses it, and is told how many. Another thread takes the
 * figures.
 */
#ifndef HOST_CHRONICLE_H
#define HOST_CHRONICLE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver.h"

struct chronicle; /* opaque */

enum outcome {
	OUTCOME_DONE,      /* ended by itself, status 0                 */
	OUTCOME_FAILED,    /* ended otherwise                           */
	OUTCOME_LIMIT,     /* stopped at its wallclock limit            */
	OUTCOME_CANCELLED, /* stopped because someone asked             */
	OUTCOME_LOST,      /* nobody saw it end                         */
	OUTCOME_DEPEND,    /* its dependency can no longer be met       */
	OUTCOME_COUNT
};

/* "done" ...; static storage. */
const char *outcome_name(enum outcome outcome);
enum outcome outcome_of(const struct ended_job *ended);

/* Since the chronicle was made. */
struct figures {
	uint64_t submitted, started, refused; /* refused: starts that its manager did not make */
	uint64_t ended[OUTCOME_COUNT];
	uint64_t waits;   /* of jobs that were started ...          */
	int64_t waited_s; /* ... so long after their submission     */
	uint64_t passes;
	uint64_t pass_ns; /* all of them together                   */
};

/* log: a descriptor, -1 = none; it is not closed. leveled: lines begin with <N> (service.h). NULL with a
 * sentence. */
struct chronicle *chronicle_new(int log, bool leveled, struct err *err);
void chronicle_free(struct chronicle *c);

/* A driver_tell; self is the chronicle. */
void chronicle_tell(void *self, const struct ledger_step *step, const struct state *st,
		    const struct driver_stats *stats);

/* A line of another's; any thread. */
void chronicle_say(struct chronicle *c, int level, const char *text);

/* Readable when the figures, or what they are about, have changed since they were taken. */
int chronicle_fd(const struct chronicle *c);
void chronicle_take(struct chronicle *c, struct figures *out);

#endif
