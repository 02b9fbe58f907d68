/* SPDX-License-Identifier: MIT */
/*
 * past.h - journal, history and past states for clients
 *
 * A client asks for entries of the journal or for ended jobs. They are sent as a sealed memory file with
 * records in the store's format, in pieces of limited size, so that no request delays the scheduler.
 */
#ifndef SERVE_PAST_H
#define SERVE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "store/store.h"
#include "users.h"

#define PAST_PIECE       1000              /* maximum number of records in one answer */
#define PAST_LOOKS       50000             /* maximum number of ended jobs examined for one answer */
#define PAST_PIECE_BYTES ((size_t)1 << 20) /* a piece ends when it has this size */
#define PAST_LOOKED_BYTES                                                                                    \
	((size_t)4 << 20) /* maximum bytes of submissions read to find the owners of jobs                    \
			   */

struct past_wish {
	bool journal;    /* entries of the journal; false: ended jobs */
	bool backward;   /* entries */
	uint64_t from;   /* entries: first sequence number */
	int64_t since_s; /* time of a past state (request.h) */
	bool own;        /* jobs: readers without the right to see everything receive only their own */
	struct history_filter jobs; /* filter of the jobs */
};

/* The contents of one answer. */
struct past_piece {
	size_t count, size; /* records, bytes */
	struct history_place
		at; /* jobs: position of the last job examined, after which the next piece continues */
	bool more;  /* jobs: there may be another piece, even if this one has no record */
};

/*
 * The reader, who determines what is included. Failure reasons and output paths of other users' jobs are sent
 * only to readers who see everything; names, if the site shows them.
 */
struct past_reader {
	const char *user; /* NULL: sees everything */
	bool names;
	/*
	 * Does the job, which may have ended, belong to the reader? Not called for readers who see
	 * everything. NULL: no.
	 */
	bool (*owns)(const void *self, uint64_t job);
	/* If names are hidden: is the class configured by the site, and therefore visible? NULL: no. */
	bool (*is_site_class)(const void *self, const char *name);
	/* Likewise for a feature or generic resource, whose name a user may have introduced. NULL: no. */
	bool (*is_site_trait)(const void *self, enum trait_kind kind, const char *name);
	const void *self;
};

/*
 * A piece as a file; -1 with a sentence. Journal entries contain names: the caller does not serve them to
 * readers who may not see names. For the jobs of another user, such a reader receives nothing.
 */
int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      struct past_piece *out, struct err *err);

/* Callbacks for received records; the one for the requested kind is called. */
struct past_visit {
	journal_visit *entry;
	history_visit *job;
	void *self;
	bool stopped; /* the visitor stopped early */
};

/*
 * Reads a piece of count records. A request for entries is advanced past the last entry. False with a
 * sentence.
 */
bool past_read(const void *bytes, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err);

/* --- past states, made by a background thread ---------------------------------------------------------- */

/*
 * A background thread reads past states and writes them to memory files, one after the other, while the
 * scheduler continues. Each user may have one request at a time, and there is a limit for all users; further
 * requests are refused. Recent files are cached for requests of the same time. For other times a user gets
 * PAST_REQUESTS_AT_ONCE files at once and then one every PAST_REQUEST_GAP_MS, because a client may keep the
 * file it received. All functions are called by the scheduler's thread.
 */

#define PAST_REQUESTS_MAX     8 /* at a time */
#define PAST_REQUESTS_AT_ONCE 32
#define PAST_REQUEST_GAP_MS   500

struct proxies;
struct past_worker;  /* opaque */
struct past_request; /* opaque: one request */

/*
 * The caller keeps the store and the proxies (publisher.h), which must outlive the result. NULL with a
 * sentence.
 */
struct past_worker *past_worker_new(struct store *store, struct proxies *proxies, struct err *err);

/* Waits for the state that is being made; waiting requests are dropped. NULL is allowed. */
void past_worker_free(struct past_worker *r);

/* Readable when a request is done, until past_worker_clear. */
int past_worker_fd(const struct past_worker *r);
void past_worker_clear(struct past_worker *r);

/* seq 0: the state at the given second; whole: with all names. NULL with a sentence: too many requests. */
struct past_request *past_worker_ask(struct past_worker *r, const struct person *to, bool whole,
				     struct store_moment moment, struct err *err);

bool past_request_is_done(struct past_worker *r, const struct past_request *w);

/*
 * The result of a finished request: a sealed file of the state, to be closed by the caller, and its time. To
 * be called once. -1 with a sentence.
 */
int past_request_take(struct past_request *w, struct store_moment *moment, struct err *err);

/* Drops a request, finished or not. NULL is allowed. */
void past_worker_forget(struct past_worker *r, struct past_request *w);

#endif
