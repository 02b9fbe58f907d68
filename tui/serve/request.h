/* SPDX-License-Identifier: MIT */
/*
 * request.h - requests of clients and their answers, as bytes
 *
 * A client gets the state as a snapshot (a sealed file in memory) and runs its verb on that, as on a
 * stopped store; what the verb wants changed it sends back as events. So every report is made by who
 * wants it, and costs the scheduler one copy.
 *
 * Both ways it is a row of records in the store's own form, with checksums and versions: a request or
 * an answer, and behind a request to change something the events, each submission followed by what is to be
 * run. Who is behind an event and which user a job has, the server says: what stands there in a
 * request counts for nothing. First in both stands which kahu wrote it, so that a client of another version
 * can be told so.
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
	ASK_STATE = 1, /* the snapshot, as a descriptor          */
	ASK_CHANGE,    /* the events that follow                 */
	ASK_FATES,     /* what has become of jobs               */
	ASK_PAST,      /* a piece of the journal or of the history, as a descriptor */
	ASK_RELOAD,    /* the configuration is to be read again */
	ASK_STOP,      /* the scheduler is to end; jobs go on   */
	ASK_MOMENT,    /* the snapshot of a moment that is past, as a descriptor */
	ASK_LIMITS,    /* limits of the asking user with current use, as a descriptor (allowance.h) */
	ASK_SCRIPT,    /* what is or was run for job .past.from, as a descriptor: for its user alone */
	ASK_KIND_COUNT
};

#define REQUEST_EVENTS_MAX 100000

struct request_text {
	enum request_kind_of kind;
	struct event *event; /* CHANGE */
	size_t count;
	unsigned char cookie[COOKIE_BYTES]; /* CHANGE: made up by the client; asked again it is done once */
	/* CHANGE: enum job_state of each event's job when it was chosen; JOB_NONE: it names none. Where not
	 * all can happen those are left out whose job is in another by now. NULL: all happen, or nothing
	 * does. */
	const uint8_t *was;
	struct fate_name *name; /* FATES */
	size_t name_count;
	bool outputs;          /* FATES: with the files of each */
	struct past_wish past; /* PAST; STATE: .from is the last entry of the state the client has, 0 = none:
				  it is answered when there is another.
				  MOMENT: .from is an entry; 0 = what was so at the second .since_s */
};

void request_write(const struct request_text *request, struct str *out);
/*
 * Decodes a request and validates it completely (request_check.h): every event of it is one that a client may
 * send, with every field in its range. Events and texts live in the arena, and point into the
 * bytes, which must outlive it. False with
 * a sentence.
 */
bool request_read(const void *bytes, size_t size, struct arena *arena, struct request_text *out,
		  struct err *err);

/* All but the events; count says how many they are. To refuse what is too large before it is decoded. */
bool request_read_head(const void *bytes, size_t size, struct arena *arena, struct request_text *out,
		       struct err *err);

/* What became of one event. */
struct applied {
	uint64_t seq, job;
	int64_t until_s; /* when it ends: the scheduler may have shortened what was asked for; 0 = it does not
			  */
};

struct answer_text {
	enum driver_outcome outcome;
	int64_t now_s;           /* of the scheduler's clock; MOMENT: the one that was asked for */
	struct err err;          /* when not done                            */
	struct applied *applied; /* CHANGE, done: as many as there were events; seq 0: left out */
	size_t count;
	struct fate *fate; /* FATES, done: as many as were asked about, in that order */
	size_t fate_count;
	uint64_t rows;           /* PAST, done: records in the file that came along */
	struct history_place at; /* PAST: as past_piece has it */
	bool more;
};

void answer_write(const struct answer_text *answer, struct str *out);
/* applied and fate are the caller's to free(); texts of fate point into bytes. */
bool answer_read(const void *bytes, size_t size, struct answer_text *out, struct err *err);

#endif
