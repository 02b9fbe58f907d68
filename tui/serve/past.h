/* SPDX-License-Identifier: MIT */
/*
 * past.h - journal, history and past states for clients
 *
 * A client asks for journal entries or for ended jobs. The scheduler sends them as a sealed memory file with
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
/* Maximum number of bytes of job records read for one answer to find the owners of jobs. */
#define PAST_LOOKED_BYTES ((size_t)4 << 20)

struct past_wish {
	bool journal;               /* journal entries are wanted; false: ended jobs */
	bool backward;              /* entries: in descending order */
	uint64_t from;              /* entries: the first one, in the order of the traversal */
	int64_t since_s;            /* past states: the time (request.h) */
	bool own;                   /* jobs: only those of the reader, unless the reader sees everything */
	struct history_filter jobs; /* jobs: the filter */
};

/* The contents of one answer. */
struct past_piece {
	size_t count, size; /* number of records, and of bytes */
	struct history_place
		at; /* jobs: position of the last job examined, after which the next piece continues */
	bool more;  /* jobs: there may be another piece, even if this one has no record */
};

/*
 * The reader, who determines what is included. Failure reasons and output paths of other users' jobs are sent
 * only to readers who see everything. Names of other users are sent to all readers if the site shows names.
 */
struct past_reader {
	const char *user; /* name of the reader; NULL: the reader sees everything */
	bool names;       /* may see names of other users */
	/*
	 * Does the job, which may have ended, belong to the reader? Not called for readers who see
	 * everything. NULL: no.
	 */
	bool (*owns)(const void *self, uint64_t job);
	/* If names are hidden: is the class configured by the site, and so visible? NULL: no. */
	bool (*is_site_class)(const void *self, const char *name);
	/*
	 * If names are hidden: does the feature or generic resource exist at the site? Its name is then
	 * shown; other names may come from a user, and stay hidden. NULL: no.
	 */
	bool (*is_site_trait)(const void *self, enum trait_kind kind, const char *name);
	const void *self;
};

/*
 * Returns a piece of the journal or history as a memory file; -1 with err set on failure. Journal entries
 * contain names: the caller does not request them for readers who may not see names. If such a reader asks
 * for the jobs of another user, the piece is empty.
 */
int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      struct past_piece *out, struct err *err);

/* Callbacks for received records; past_read calls the one for the requested kind. */
struct past_visit {
	journal_visit *entry;
	history_visit *job;
	void *self;
	bool stopped; /* the visitor stopped early */
};

/*
 * Decodes a piece of count records and passes them to the visitor. Advances the request for entries past the
 * last entry. Returns false with err set on failure.
 */
bool past_read(const void *bytes, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err);

/* --- past states, made by a background thread ---------------------------------------------------------- */

/*
 * A background thread reads past states and writes them to memory files, one after the other, while the
 * scheduler continues. Each user may have one request at a time, and the number of requests of all users is
 * limited; further requests are refused. Recent files are cached and sent again for the same entry. Files
 * that are not cached are limited per user, because a client may keep the file that it received:
 * PAST_REQUESTS_AT_ONCE files at once, and then one every PAST_REQUEST_GAP_MS. All functions are called by
 * the scheduler's thread.
 */

#define PAST_REQUESTS_MAX     8 /* requests of all users at a time */
#define PAST_REQUESTS_AT_ONCE 32
#define PAST_REQUEST_GAP_MS   500

struct proxies;
struct past_worker;  /* opaque */
struct past_request; /* opaque: one request */

/*
 * Creates the worker; NULL with err set on failure. The caller keeps the store and the proxies (publisher.h),
 * which must outlive the worker.
 */
struct past_worker *past_worker_new(struct store *store, struct proxies *proxies, struct err *err);

/* Frees the worker and its waiting requests, after the state in progress has been made. r may be NULL. */
void past_worker_free(struct past_worker *r);

/* Returns a descriptor that is readable from the time a request is done until past_worker_clear. */
int past_worker_fd(const struct past_worker *r);
void past_worker_clear(struct past_worker *r);

/*
 * Requests the state just after entry moment.seq; seq 0: the state at moment.time_s. whole: with all names.
 * Returns NULL with err set if there are too many requests.
 */
struct past_request *past_worker_ask(struct past_worker *r, const struct person *to, bool whole,
				     struct store_moment moment, struct err *err);

bool past_request_is_done(struct past_worker *r, const struct past_request *w);

/*
 * Returns the result of a finished request: a sealed file of the state, which the caller closes. *moment is
 * the time of the state. Returns -1 with err set on failure. To be called once.
 */
int past_request_take(struct past_request *w, struct store_moment *moment, struct err *err);

/* Drops a request, whether finished or not. w may be NULL. */
void past_worker_forget(struct past_worker *r, struct past_request *w);

#endif
