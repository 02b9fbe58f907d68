/* SPDX-License-Identifier: MIT */
/*
 * ledger.h - what does the running scheduler need from storage?
 *
 * A few operations, injected from above: store/ implements them on LMDB, tests in memory.
 * A commit takes the events of one step and the state after them, and makes both durable
 * together: after a crash the state is as of some commit, and the journal has every event
 * up to it and none beyond. With them goes what was answered to those who asked for them, under the cookie
 * that each made up: who lost the answer asks again, and nothing happens twice.
 */
#ifndef HOST_LEDGER_H
#define HOST_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

/* Exit status of a job that a signal ended: this and its number. */
#define STATUS_SIGNALLED 256
/* Of one that was cancelled before it ran: as if a TERM signal had ended it. */
#define STATUS_CANCELLED (STATUS_SIGNALLED + 15)

/* Of one that left the queue because what it was to wait for can no longer happen. */
#define STATUS_DEPEND_FAILED 512

/* A job that ended in this step, as it was when it ended: for history. */
struct ended_job {
	struct job_record record; /* runs and strings owned by the driver until the next step */
	int64_t end_s;
	int32_t status;
	bool at_limit;
	bool lost;                   /* how it ended is not known             */
	int64_t mem_mb;              /* the most memory it had; 0 = not measured */
	const char *why;             /* a sentence, or NULL                   */
	const char *output, *errors; /* files with its words, see outputs.h; NULL = none */
	const char *mail, *mail_to;  /* as in struct launch                   */
};

/* A request, named by who makes it: at random, so that no two are the same. */
#define COOKIE_BYTES 16
struct cookie {
	uint32_t uid; /* who the kernel says it is: nobody has another's */
	unsigned char bytes[COOKIE_BYTES];
};

/* What is answered to a request. Means nothing here. */
struct answered {
	struct cookie cookie;
	const void *answer;
	size_t size;
};

/* For this long, by the state's clock, a cookie is known, unless very many newer ones are kept. */
#define COOKIE_KEPT_S 86400

/* One step to make durable. All borrowed. */
struct ledger_step {
	const struct event *event; /* in order, seq consecutive                     */
	size_t event_count;
	const struct ended_job *ended;
	size_t ended_count;
	const struct answered *answered;
	size_t answered_count;
	const struct snapshot *after; /* the state after all of them                  */
	/* Which changes of operators differ from those of the step before; NULL: perhaps any. */
	const struct change_marks *changes;
};

struct ledger_ops {
	/* Fills an empty state. False with a sentence; an empty store gives an empty state and true. */
	bool (*load)(void *self, struct state *st, struct err *err);
	/* All or nothing. On false nothing of the step is kept and the store is as before. */
	bool (*commit)(void *self, const struct ledger_step *step, struct err *err);
	/* Appends what is to be run for a job that was submitted with it and is still here. */
	bool (*launch)(void *self, uint64_t id, struct str *out, struct err *err);
	/* Appends what was answered to the request of this cookie; *known false: it is not known. NULL: none
	 * ever is. */
	bool (*recall)(void *self, const struct cookie *cookie, bool *known, struct str *out,
		       struct err *err);
	/* Is there room for more than what must be written: ends and cancels? False with a sentence. NULL:
	 * always. */
	bool (*has_room)(void *self, struct err *err);
};

struct ledger {
	const struct ledger_ops *ops; /* NULL: nothing is kept */
	void *self;
};

#endif
