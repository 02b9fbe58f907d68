/* SPDX-License-Identifier: MIT */
/*
 * request.h - requests of clients and their answers, as bytes
 *
 * A client receives the state as a snapshot (a sealed memory file) and runs its verb on it, as on the store
 * of a stopped scheduler; changes are sent back as events. So reports are made by the client and cost the
 * scheduler only one copy of the state.
 *
 * Requests and answers are sequences of records in the store's format, with checksums and versions. A request
 * for changes is followed by its events, and each submission by its launch data. The server determines the
 * person of an event and the user of a job; what the request contains for them is ignored. Every message
 * begins with the version of the program that sent it, so that clients of other versions receive a clear
 * error.
 */
#ifndef TUI_SERVE_REQUEST_H
#define TUI_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ended_cache.h"
#include "past.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/host/driver.h"
#include "sched/state/event.h"

enum request_kind_of {
	ASK_STATE = 1, /* the snapshot of the current state, as a descriptor */
	ASK_CHANGE,    /* apply the events that follow */
	ASK_JOBS,      /* outcomes of jobs */
	ASK_PAST,      /* a piece of the journal or of the history, as a descriptor */
	ASK_RELOAD,    /* read the configuration again */
	ASK_STOP,      /* stop the scheduler; jobs continue */
	ASK_MOMENT,    /* the snapshot of a past state, as a descriptor */
	ASK_LIMITS,    /* limits of the requesting user with current use, as a descriptor (allowance.h) */
	ASK_SCRIPT,    /* launch data of job .past.from, as a descriptor; only for its user */
	ASK_KIND_COUNT
};

#define REQUEST_EVENTS_MAX 100000

struct request_text {
	enum request_kind_of kind;
	struct event *event; /* CHANGE: the requested events */
	size_t count;
	unsigned char cookie[COOKIE_BYTES]; /* CHANGE: chosen by the client; a repeated request with the same
					       cookie is applied once */
	/*
	 * CHANGE: state (enum job_state) of each event's job when the jobs were selected; JOB_NONE: the event
	 * has no job. If not all changes are possible, the changes of jobs whose state has changed since then
	 * are left out. NULL: all changes are made or none.
	 */
	const uint8_t *was;
	struct job_ref *name; /* JOBS: the requested jobs */
	size_t name_count;
	bool outputs;          /* JOBS: with the paths of output files */
	struct past_wish past; /* PAST: the wanted records. STATE: .from is the last entry of the client's
				  state, and the answer waits for a newer one; 0 = the client has none.
				  MOMENT: .from is an entry; 0 = the state at second .since_s. */
};

void request_write(const struct request_text *request, struct str *out);
/*
 * Decodes a request and validates it completely (request_check.h): every event is one that a client may send,
 * with every field in its range. Events are in the arena; texts are there or point into the bytes, which must
 * outlive the arena. Returns false with err set on failure.
 */
bool request_read(const void *bytes, size_t size, struct arena *arena, struct request_text *out,
		  struct err *err);

/*
 * Decodes a request without its events; only their number is in count. So a request that is too large can be
 * refused before its events are decoded.
 */
bool request_read_head(const void *bytes, size_t size, struct arena *arena, struct request_text *out,
		       struct err *err);

/* Result of one requested event. */
struct applied {
	uint64_t seq, job;
	int64_t until_s; /* end of a temporary change, which the scheduler may have shortened; 0 = none */
};

struct answer_text {
	enum driver_outcome outcome;
	int64_t now_s;           /* time of the scheduler's clock; MOMENT: time of the past state */
	struct err err;          /* if outcome is not DRIVER_DONE */
	struct applied *applied; /* CHANGE, if done: result of each event; seq 0: it was left out */
	size_t count;
	struct job_status *job_status; /* JOBS, if done: outcome of each requested job, in the same order */
	size_t status_count;
	uint64_t rows;           /* PAST, if done: number of records in the accompanying file */
	struct history_place at; /* PAST: position of the last examined job (struct past_piece) */
	bool more;
};

void answer_write(const struct answer_text *answer, struct str *out);
/* The caller frees applied and job_status with free(); their texts point into bytes. */
bool answer_read(const void *bytes, size_t size, struct answer_text *out, struct err *err);

#endif
