/* SPDX-License-Identifier: MIT */
/*
 * view.h - interface of screens, and the table of all screens
 *
 * A screen is a table of functions and a block of memory. It works in two separate phases: recalc computes
 * the rows from the plan query; draw writes cells. To add a screen, add a file and a line in views.c.
 *
 * The `table` function of a list screen returns its list; movement, search and marks then work on this list.
 * If the keys of its rows are job IDs, the console keeps the cursor on the same job when another screen is
 * shown.
 */
#ifndef SCREEN_VIEW_H
#define SCREEN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "sched/model/assume.h"
#include "tui/draw/canvas.h"
#include "tui/draw/table.h"
#include "tui/query/plan_query.h"
#include "tui/report/filter.h"
#include "tui/screen/bindings.h"

struct field;     /* tui/report/field.h */
struct figures;   /* tui/report/figure.h */
struct limit_row; /* tui/report/limit_report.h */
struct page;      /* page.h */
struct str;       /* sched/base/str.h */

struct view_ops {
	const char *name;           /* name in bindings and commands: "queue" */
	const char *title;          /* label of its tab */
	int number;                 /* key of the screen; 0 = no key and no tab */
	size_t size;                /* size of the screen's memory, which is initially zeroed */
	const struct field *fields; /* fields that its filter can name; NULL: none */
	/* More names for its filter, separated by blanks; a screen without fields and names has no filter. */
	const char *names;
	bool jobs;    /* the keys of its table are job IDs */
	bool entries; /* the keys of its table are journal entries, which can be marked */
	bool one_job; /* the screen is about the current job */
	bool no_job;  /* the screen shows no jobs: keys that act on jobs only show a message */
	/* Actions for the key line, the most useful first; ends with ACTION_NONE. */
	const enum action *hints;
	const enum action *draft_hints; /* hints while there is a draft; NULL: the same as without one */
	/*
	 * Interval in which the screen is updated while it is shown, for data that changes without a
	 * notification; 0 = never.
	 */
	int look_ms;
	/* QUERY_BITs of the background queries whose results the screen shows, besides projections. */
	unsigned queries;
	/* The screen shows the effect of the draft. Changes made here are added to the draft. */
	bool shows_draft;

	/* open is called once before all other functions, close once after them. */
	void (*open)(void *self, struct screen_host *host);
	void (*close)(void *self);
	/* Called when the screen is shown. May be NULL. */
	void (*enter)(void *self);
	/*
	 * Called when the plan query, the filter or the size of the screen has changed. Never called without
	 * a plan query, and always before numbers and draw.
	 */
	void (*recalc)(void *self);
	void (*draw)(void *self, struct canvas *canvas, struct rect r);
	/* Handles an action; false if the screen does not handle this action. May be NULL. */
	bool (*act)(void *self, enum action action, int arg);
	/*
	 * Handles a click at a cell. Returns false if the screen does not handle the click, which then moves
	 * the cursor of the list. May be NULL.
	 */
	bool (*click)(void *self, int x, int y);
	/*
	 * Returns the list that has the focus; NULL if there is none. The member is NULL if the screen has no
	 * lists.
	 */
	struct table *(*table)(void *self);
	/*
	 * Returns the page that has the focus; NULL if there is none. The member is NULL if the screen has no
	 * pages.
	 */
	struct page *(*page)(void *self);
	/* Does a row of the table match the search? `self` is the member `self` of the table's source. */
	bool (*match)(void *self, size_t row);
	/* Appends the text of the status line. May be NULL. */
	void (*status)(void *self, struct str *out);
	/*
	 * Appends the figures of the row under the cursor. NULL: the console shows the figures of the current
	 * job.
	 */
	void (*numbers)(void *self, struct figures *out);
	/*
	 * Writes to `seq` the journal entries whose effects the screen shows, at most `room`, and returns
	 * their number. The first is the entry under the cursor, or 0 if that entry has no effect. The member
	 * is NULL if the screen shows no effects of entries.
	 */
	size_t (*asks)(void *self, uint64_t *seq, size_t room);
	/*
	 * Returns the limit under the cursor, for which the effect of larger values is computed; NULL if
	 * there is none. The member is NULL if the screen has no limits.
	 */
	const struct limit_row *(*limit)(void *self);
};

extern const struct view_ops view_queue, view_job, view_priority, view_fairshare, view_limits, view_whatif,
	view_journal, view_config, view_help, view_output, view_follow, view_submit, view_ended,
	view_messages, view_difference, view_sweep, view_goal;

/* All screens, in the order of their tabs. */
extern const struct view_ops *const views_all[];
extern const size_t views_count;
/* Returns the index in views_all of the screen with this name; views_count if there is none. */
size_t views_find(const char *name);

#endif
