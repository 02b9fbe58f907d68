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
#define PAST_PIECE_BYTES ((size_t)1 << 20) /* and no further one once they have that size */
#define PAST_LOOKED_BYTES                                                                                    \
	((size_t)4 << 20) /* or that many of the history were read to know whose they are                    \
			   */

struct past_wish {
	bool journal; /* entries; else jobs that have ended                           */
	bool backward;
	uint64_t from;   /* entries: this one and those behind it; jobs: those behind this one of since_s */
	int64_t since_s; /* jobs: that ended then or later                               */
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
	const void *self;
};

/* A piece as a file; -1 with a sentence. *count says how many records are in it. Entries of the journal have
 * names in them: who may not see those is not to be given any. */
int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      size_t *count, size_t *size, struct err *err);

/* Who looks at a piece that came: of the two the one that was wished for is called. */
struct past_visit {
	journal_visit *entry;
	history_visit *job;
	void *self;
	bool stopped; /* it wanted no more */
};

/* Goes through a piece of count records. *wish is moved behind what was seen. False with a sentence. */
bool past_read(const void *bytes, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err);

#endif
