/* SPDX-License-Identifier: MIT */
/*
 * ledger.h - storage interface of the running scheduler
 *
 * store/ implements these operations on LMDB, tests in memory. A commit takes the events of one step and the
 * state after them, and makes both durable together: after a crash the state is that of some commit, and the
 * journal has every event up to it and none after it. The commit also contains the answers to the requests of
 * the step, each under the cookie of its request: a client that did not receive its answer repeats the
 * request, and nothing happens twice.
 */
#ifndef HOST_LEDGER_H
#define HOST_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

/* Exit status of a job that a signal ended: this number plus that of the signal. */
#define STATUS_SIGNALLED 256
/* Status of a job that was cancelled before it ran: the same as if SIGTERM had ended it. */
#define STATUS_CANCELLED (STATUS_SIGNALLED + 15)

/* Status of a job that left the queue because its dependency can no longer be met. */
#define STATUS_DEPEND_FAILED 512

/* The history record of a job that ended in this step: the job as it was at its end. */
struct ended_job {
	struct job_record record; /* runs and strings owned by the driver until the next step */
	int64_t end_s;
	int32_t status;
	bool at_limit;
	bool lost;                   /* how it ended is unknown */
	int64_t mem_mb;              /* peak memory; 0 = not measured */
	const char *why;             /* an explanation, or NULL */
	const char *output, *errors; /* paths of its output files, see outputs.h; NULL = none */
	const char *mail, *mail_to;  /* as in struct launch */
};

/* A request ID, chosen at random by the client, so that no two are equal. */
#define COOKIE_BYTES 16
struct cookie {
	uint32_t uid; /* the UID of the peer, so that no user can use another user's ID */
	unsigned char bytes[COOKIE_BYTES];
};

/* The answer to a request; opaque here. */
struct answered {
	struct cookie cookie;
	const void *answer;
	size_t size;
};

/* Seconds for which a cookie is known, by the state's clock; less if very many newer cookies are stored. */
#define COOKIE_KEPT_S 86400

/* A step to commit. Everything is borrowed. */
struct ledger_step {
	const struct event *event; /* in order, with consecutive numbers (seq) */
	size_t event_count;
	const struct ended_job *ended;
	size_t ended_count;
	const struct answered *answered;
	size_t answered_count;
	const struct snapshot *after; /* the state after all events of the step */
	/* The operator changes that differ from those of the previous step; NULL: any of them may differ. */
	const struct change_marks *changes;
};

struct ledger_ops {
	/*
	 * Fills an empty state from the store; if the store is empty, the state stays empty. Returns false
	 * with err set on failure.
	 */
	bool (*load)(void *self, struct state *st, struct err *err);
	/* Stores the complete step and returns true, or stores nothing and returns false with err set. */
	bool (*commit)(void *self, const struct ledger_step *step, struct err *err);
	/* Appends the launch data of a job that was submitted with launch data and is still in the queue. */
	bool (*launch)(void *self, uint64_t id, struct str *out, struct err *err);
	/*
	 * Appends the answer to the request with this cookie; *known becomes false if the cookie is unknown.
	 * If this member is NULL, all cookies are unknown.
	 */
	bool (*recall)(void *self, const struct cookie *cookie, bool *known, struct str *out,
		       struct err *err);
	/*
	 * Does the store have room for new work, beyond the space reserved for ends, cancels and other events
	 * that must be stored? If not, err says why. NULL: it always has room.
	 */
	bool (*has_room)(void *self, struct err *err);
};

struct ledger {
	const struct ledger_ops *ops; /* NULL: nothing is stored */
	void *self;
};

#endif
