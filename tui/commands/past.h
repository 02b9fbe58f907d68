/* SPDX-License-Identifier: MIT */
/*
 * past.h - how does a client read what has happened, when only the scheduler can open the store?
 *
 * Asked for are entries of the journal or jobs that have ended; they come as a sealed file in memory, a row
 * of records in the store's own form. A piece at a time, so that nobody's curiosity delays the scheduler.
 */
#ifndef TUI_COMMANDS_PAST_H
#define TUI_COMMANDS_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "store/store.h"

#define PAST_PIECE 5000 /* records of one answer */

struct past_wish {
	bool journal; /* entries; else jobs that have ended                           */
	bool backward;
	uint64_t from;   /* entries: this one and those behind it; jobs: those behind this one of since_s */
	int64_t since_s; /* jobs: that ended then or later                               */
};

/* A piece as a file; -1 with a sentence. *count says how many records are in it. */
int past_file(struct store *store, const struct past_wish *wish, size_t *count, struct err *err);

/* Goes through a piece that came. *wish is moved behind it. False with a sentence; *stopped: visit wanted no
 * more. */
bool past_entries(const void *bytes, size_t size, size_t count, struct past_wish *wish, journal_visit *visit,
		  void *self, bool *stopped, struct err *err);
bool past_jobs(const void *bytes, size_t size, size_t count, struct past_wish *wish, history_visit *visit,
	       void *self, bool *stopped, struct err *err);

#endif
