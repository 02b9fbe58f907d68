/* SPDX-License-Identifier: MIT */
/*
 * history_source.h - the journal and past states, read from the store or from the running scheduler
 *
 * A user who cannot open the store reads through the scheduler, which returns what that user may see.
 */
#ifndef REPORT_HISTORY_SOURCE_H
#define REPORT_HISTORY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/state/event.h"
#include "store/store.h"
#include "tui/serve/client.h"

/* Either the store or the client is set; it is borrowed. */
struct history_source {
	struct store *store;
	struct client *client; /* the scheduler, if store is NULL */
};

/* --- range of the journal --------------------------------------------------------------------------- */

/* The first and the last entry of a journal, and their times. `last` is 0 if the journal is empty. */
struct journal_span {
	uint64_t first, last;
	int64_t first_s, last_s;
};

/* Reads the first and the last entry. Returns false with err set if the store cannot be read. */
bool journal_span_find(struct store *store, struct journal_span *out, struct err *err);

/* Sets *seq to the last entry before at_s, or to span->first - 1 if there is none, for store_state_after. */
bool journal_span_before(struct store *store, const struct journal_span *span, int64_t at_s, uint64_t *seq,
			 struct err *err);

/* Like journal_span_find, for either source. */
bool history_source_span(const struct history_source *a, struct journal_span *out, struct err *err);

/* --- entries and states ----------------------------------------------------------------------------- */

/* Like store_journal, for either source. */
bool history_source_journal(const struct history_source *a, uint64_t from, bool backward,
			    journal_visit *visit, void *self, struct err *err);

/*
 * Returns the state right after an entry; an empty state for entry 0. The caller frees it with state_free.
 * Returns NULL with err set on failure.
 */
struct state *history_source_state(const struct history_source *a, uint64_t seq, struct err *err);
/* Like history_source_state, for the state at a time. */
struct state *history_source_state_of_time(const struct history_source *a, int64_t time_s, struct err *err);

/* --- names of array tasks ---------------------------------------------------------------------------- */

/* A zeroed struct is valid and empty; task_names_clear frees. */
struct task_names {
	struct task_name {
		uint64_t job;
		char label[JOB_LABEL_TEXT]; /* "12[3]" */
	} * item;
	size_t count, room;
	uint64_t *wanted; /* job IDs */
	size_t wanted_count, wanted_room;
};

/* Adds the job of the event to the tasks that task_names_read looks up among ended jobs. */
void task_names_want(struct task_names *names, const struct event *ev);

/*
 * Reads the labels of all array tasks in s, and of the wanted tasks that have ended since since_s. Returns
 * false with err set if the history cannot be read.
 */
bool task_names_read(struct task_names *names, const struct snapshot *s, const struct history_source *source,
		     int64_t since_s, struct err *err);
void task_names_clear(struct task_names *names);

/*
 * Like event_describe, with the label of the task that the event is about. A submission is about the whole
 * array.
 */
void task_names_describe(const struct task_names *names, const struct event *ev, struct str *out);

#endif
