/* SPDX-License-Identifier: MIT */
/*
 * view.h - interface of screens, and the table of all screens
 *
 * A screen is a table of functions and a block of memory. It works in two separate phases: recalc computes
 * the rows from the plan query; draw writes cells. To add a screen, add a file and a line in views.c.
 *
 * List screens return their table, which then handles movement, search and marks. If its keys are job IDs,
 * the console keeps the cursor on the same job across screens.
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
	const char *name;           /* "queue": for bindings and commands                    */
	const char *title;          /* label of its tab */
	int number;                 /* key of the screen; 0 = no key and no tab */
	size_t size;                /* size of its memory, initially zeroed */
	const struct field *fields; /* filter fields; NULL: none */
	const char *names; /* further names of filter fields, separated by blanks; both NULL: no filter */
	bool jobs;         /* the keys of its table are job ids                     */
	bool entries;      /* the keys of its table are not jobs, but rows can be marked */
	bool one_job;      /* the screen is about the current job */
	bool no_job;       /* the screen has no jobs: keys that act on jobs report that */
	/* Actions for the key line, the most useful first; ends with ACTION_NONE. */
	const enum action *hints;
	const enum action *draft_hints; /* used instead while there is a draft; NULL: the same */
	/* Refresh interval in front, for data without notifications; 0 = none. */
	int look_ms;
	unsigned
		queries; /* QUERY_BIT of the background queries whose results it shows, besides projections */
	bool shows_draft; /* shows the effect of the draft: actions are added to it, and assumptions can be
			  changed */

	/* Called once before and after all others. */
	void (*open)(void *self, struct screen_host *host);
	void (*close)(void *self);
	/* The screen comes to the front. May be NULL. */
	void (*enter)(void *self);
	/*
	 * The plan query, the filter or the size has changed. Never called without a plan query, and always
	 * before numbers and draw.
	 */
	void (*recalc)(void *self);
	void (*draw)(void *self, struct canvas *canvas, struct rect r);
	/* Handles an action of the screen; false if it has none. May be NULL. */
	bool (*act)(void *self, enum action action, int arg);
	/* Handles a click at a cell; unhandled clicks go to the list. May be NULL. */
	bool (*click)(void *self, int x, int y);
	/* The list with the focus; NULL, or returns NULL: none. */
	struct table *(*table)(void *self);
	/* The page with the focus, likewise. */
	struct page *(*page)(void *self);
	/* Does a row of the table match the search? Called with the source's self. */
	bool (*match)(void *self, size_t row);
	/* Appends the text of the status line. May be NULL. */
	void (*status)(void *self, struct str *out);
	/* Appends the figures of the row under the cursor. NULL: those of the current job. */
	void (*numbers)(void *self, struct figures *out);
	/*
	 * Journal entries whose effects the screen shows: first the one under the cursor, 0 = none, then
	 * others, up to room. NULL: shows no effects.
	 */
	size_t (*asks)(void *self, uint64_t *seq, size_t room);
	/* The limit under the cursor, for larger values; NULL, or returns NULL: none. */
	const struct limit_row *(*limit)(void *self);
};

extern const struct view_ops view_queue, view_job, view_priority, view_fairshare, view_limits, view_whatif,
	view_journal, view_config, view_help, view_output, view_follow, view_submit, view_ended,
	view_messages, view_difference, view_sweep, view_goal;

/* All screens, in the order of their tabs. */
extern const struct view_ops *const views_all[];
extern const size_t views_count;
/* Index in views_all by name; views_count if there is none. */
size_t views_find(const char *name);

#endif
