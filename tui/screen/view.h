/* SPDX-License-Identifier: MIT */
/*
 * view.h - a screen of the console, and the table of all screens
 *
 * A screen is an ops table and a piece of memory of its own. It works in two phases that
 * never mix: recalc reads the outlook and decides what the rows are; draw writes cells.
 * Adding a screen is one file and one line in views.c.
 *
 * Screens that are a list hand out their table: moving, searching and marking are then
 * done for them, and when its keys are jobs the console keeps the cursor on the same job
 * from screen to screen.
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

struct figures;   /* tui/report/figure.h */
struct limit_row; /* tui/report/limit_report.h */
struct page;      /* page.h */
struct str;       /* sched/base/str.h */

struct view_ops {
	const char *name;   /* "queue": for bindings and commands                    */
	const char *title;  /* on its tab                                            */
	int number;         /* the key that shows it; 0 = no key and no tab          */
	size_t size;        /* bytes of its memory, zero at first                    */
	const char *fields; /* that a filter can name, blanks between; NULL: it cannot be filtered */
	bool jobs;          /* the keys of its table are job ids                     */
	bool entries;       /* ... or no jobs, but can be marked as well                     */
	bool one_job;       /* it is about the job the cursor was on                 */
	bool no_job;        /* nothing on it is a job: keys that act on jobs say so  */
	/* Keys for the line at the bottom, the most useful first; ends with ACTION_NONE. */
	const enum action *hints;
	const enum action *draft_hints; /* these instead while there is a draft; NULL: the same */
	/* While it is in front it is brought up to date at least so often, for what nobody tells of; 0 = that
	 * is not needed. */
	int look_ms;
	bool seeks;    /* while it is in front, changes that would start the job are looked for */
	bool trusts;   /* while it is in front it is kept known how past estimates came true */
	bool foresees; /* it shows what the draft would do: acts join it, and assumptions can be changed */
	bool tries;    /* it shows what was asked: Enter previews the change of a row */

	/* Once, before anything else; and at the end. */
	void (*open)(void *self, struct screen_host *host);
	void (*close)(void *self);
	/* It comes to the front. May be NULL. */
	void (*enter)(void *self);
	/* The outlook, the filter or the size has changed. Never called without an outlook, and always
	 * before numbers and draw. */
	void (*recalc)(void *self);
	void (*draw)(void *self, struct canvas *canvas, struct rect r);
	/* An action the screen has a meaning of its own for; false: not mine. May be NULL. */
	bool (*act)(void *self, enum action action, int arg);
	/* A click at a cell of the canvas, likewise; what is not taken goes to the list. May be NULL. */
	bool (*click)(void *self, int x, int y);
	/* The list that has the keys; NULL, or returns NULL: there is none. */
	struct table *(*table)(void *self);
	/* The text that has the keys, likewise. */
	struct page *(*page)(void *self);
	/* Does a row of the table match what is searched for? Called with the source's self. */
	bool (*match)(void *self, size_t row);
	/* Appends what stands on the status line. May be NULL. */
	void (*status)(void *self, struct str *out);
	/* Where the numbers of the row under the cursor come from. NULL: those of the cursor's job. */
	void (*numbers)(void *self, struct figures *out);
	/* Entries of the journal of which it shows what they did: the one under the cursor first, 0 = none
	 * is, then others, at most room of them. NULL: it shows no such thing. */
	size_t (*asks)(void *self, uint64_t *seq, size_t room);
	/* The limit under the cursor, of which it shows what other values would do; NULL, or returns NULL:
	 * there is none. */
	const struct limit_row *(*limit)(void *self);
};

extern const struct view_ops view_queue, view_job, view_priority, view_fairshare, view_limits, view_whatif,
	view_journal, view_config, view_help, view_output, view_follow, view_submit, view_ended,
	view_messages, view_difference, view_sweep, view_goal;

/* All screens, in the order of their tabs. */
extern const struct view_ops *const views_all[];
extern const size_t views_count;
/* Position in views_all by name; views_count if there is none. */
size_t views_find(const char *name);

#endif
