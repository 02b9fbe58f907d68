/* SPDX-License-Identifier: MIT */
/*
 * past.h - how does a client read what has happened, when only the scheduler can open the store?
 *
 * Asked for are entries of the journal or jobs that have ended; they come as a sealed file in memory, a row
 * of records in the store's own form. A piece at a time, so that nobody's curiosity delays the scheduler.
 */
#ifndef TUI_SERVE_PAST_H
#define TUI_SERVE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "store/store.h"

#define PAST_PIECE       1000              /* records of one answer, at most */
#define PAST_LOOKS       50000             /* or that many ended jobs were looked at to find those wanted */
#define PAST_PIECE_BYTES ((size_t)1 << 20) /* and no further one once they have that size */
#define PAST_LOOKED_BYTES                                                                                    \
	((size_t)4 << 20) /* or that many of the history were read to know whose they are                    \
			   */

struct past_wish {
	bool journal;             /* entries; else jobs that have ended */
	bool backward;            /* entries */
	uint64_t from;            /* entries: this one and those behind it */
	int64_t since_s;          /* of a past moment (request.h) */
	bool own;                 /* jobs: of a reader who does not see everything only their own */
	struct history_wish jobs; /* the jobs that are wanted */
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

#endif
