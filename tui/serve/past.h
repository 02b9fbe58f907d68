/* SPDX-License-Identifier: MIT */
/*
 * past.h - the journal and the history, as clients read them
 *
 * Asked for are entries of the journal or jobs that have ended; they come as a sealed file in memory, a row
 * of records in the store's own form. A piece at a time, so that nobody's curiosity delays the scheduler.
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

#define PAST_PIECE       1000              /* records of one answer, at most */
#define PAST_LOOKS       50000             /* or that many ended jobs were looked at to find those wanted */
#define PAST_PIECE_BYTES ((size_t)1 << 20) /* and no further one once they have that size */
#define PAST_LOOKED_BYTES                                                                                    \
	((size_t)4 << 20) /* or that many of the history were read to know whose they are                    \
			   */

struct past_wish {
	bool journal;               /* entries; else jobs that have ended */
	bool backward;              /* entries */
	uint64_t from;              /* entries: this one and those behind it */
	int64_t since_s;            /* of a past moment (request.h) */
	bool own;                   /* jobs: of a reader who does not see everything only their own */
	struct history_filter jobs; /* the jobs that are wanted */
};

/* What was handed out. */
struct past_piece {
	size_t count, size;      /* records, bytes */
	struct history_place at; /* jobs: the last one looked at; the next piece is about those behind it */
	bool more;               /* jobs: there may be a next piece, also where this one has no record */
};

/* Who reads it. Of jobs of others only those who see everything are told what went wrong and where the words
 * are; names, where the site shows them. */
struct past_reader {
	const char *user; /* NULL: sees everything */
	bool names;
	/* Is a job theirs, which may have ended? Not asked of those who see everything. NULL: none is. */
	bool (*owns)(const void *self, uint64_t job);
	/* Where names are hidden: is the class the site's, and so shown? NULL: none is. */
	bool (*is_site_class)(const void *self, const char *name);
	/* Likewise a name of a feature or generic resource; users may make names up. NULL: none is. */
	bool (*is_site_trait)(const void *self, enum trait_kind kind, const char *name);
	const void *self;
};

/*
 * A piece as a file; -1 with a sentence. Entries of the journal have names in them: a reader who may not see
 * names must not be given any. Such a reader who wants the jobs of another user gets none.
 */
int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      struct past_piece *out, struct err *err);

/* Who looks at a piece that came: of the two the one that was wished for is called. */
struct past_visit {
	journal_visit *entry;
	history_visit *job;
	void *self;
	bool stopped; /* it wanted no more */
};

/* Goes through a piece of count records. A wish for entries is moved behind what was seen. False with a
 * sentence. */
bool past_read(const void *bytes, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err);

/* --- past states, read by a thread beside the scheduler ----------------------------------------------- */

/*
 * The states of then are read, and made the files that are handed out, by a thread of its own, one after the
 * other, so that the scheduler goes on meanwhile. Everybody has one at a time, and all together a few; more
 * are refused. The last files are kept for who asks for the same; other moments one user gets
 * REWINDINGS_AT_ONCE in a row and then one every REWINDING_GAP_MS, since whom a file was given to may keep
 * it. Its functions are called by one thread alone, that of the scheduler.
 */

#define REWINDINGS_MAX     8 /* at a time */
#define REWINDINGS_AT_ONCE 32
#define REWINDING_GAP_MS   500

struct proxies;
struct rewinder;  /* opaque */
struct rewinding; /* opaque: one of them */

/* Store and proxies (publisher.h) stay the caller's, and outlive it. NULL with a sentence. */
struct rewinder *rewinder_new(struct store *store, struct proxies *proxies, struct err *err);

/* Waits for what is being made; what was asked for is forgotten. NULL is allowed. */
void rewinder_free(struct rewinder *r);

/* Readable once one is done, until rewinder_clear. */
int rewinder_fd(const struct rewinder *r);
void rewinder_clear(struct rewinder *r);

/* seq 0: whatever it was at that second; whole: with all names. NULL with a sentence: it is one too many. */
struct rewinding *rewinder_ask(struct rewinder *r, const struct person *to, bool whole,
			       struct store_moment moment, struct err *err);

bool rewinder_is_done(struct rewinder *r, const struct rewinding *w);

/* Of one that is done: a sealed file of the state, the caller's to close, and its moment; once. -1 with a
 * sentence. */
int rewinder_take(struct rewinding *w, struct store_moment *moment, struct err *err);

/* Nobody wants it any more, whether it is done or not. NULL is allowed. */
void rewinder_forget(struct rewinder *r, struct rewinding *w);

#endif
