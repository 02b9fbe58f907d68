/* SPDX-License-Identifier: MIT */
/*
 * query_view.h - common parts of the Sweep and Goal screens
 *
 * The query is shown at the top, with the rows of its result below; <Enter> adds a row to the draft. The
 * screens differ in their faces; the functions are those of their view_ops.
 */
#ifndef SCREEN_TRIAL_VIEW_H
#define SCREEN_TRIAL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bindings.h"
#include "page.h"
#include "tui/draw/table.h"
#include "tui/query/draft_query.h"

struct screen_host; /* host.h */
struct trial_view;

struct trial_face {
	enum draft_query_kind kind;
	const struct table_column *columns;
	size_t column_count;
	/* Number of rows of a complete result, and initial row of the cursor. */
	size_t (*rows)(const struct draft_query *t);
	size_t (*first_row)(const struct draft_query *t);
	/* Callback of the table; self is the view, whose result is complete. */
	enum role (*cell)(void *self, size_t row, size_t column, struct str *out);
	void (*add_question)(const struct draft_query *t, struct str *out);
	/* Summary of the result, below the query. */
	void (*put_found)(struct trial_view *v, int width);
	/* Adds the row to the draft, or reports why not. TABLE_NO_ROW: no row. */
	void (*take)(const struct trial_view *v, size_t row);
	const char *tried;   /* unit of the progress: "projections" */
	const char *nothing; /* text shown before the first query */
};

struct trial_view {
	struct screen_host *host;
	const struct trial_face *face;
	struct table table;
	struct page head;
	const struct draft_query *t; /* complete while the table has rows */
	uint64_t number;             /* number of the result for which the cursor was set */
};

void trial_view_open(struct trial_view *v, struct screen_host *host, const struct trial_face *face);

/* The row under the cursor; TABLE_NO_ROW if there is none. */
size_t trial_view_row(const struct trial_view *v);

/* Of view_ops; self is a struct trial_view. */
void trial_view_close(void *self);
void trial_view_recalc(void *self);
void trial_view_draw(void *self, struct canvas *canvas, struct rect r);
bool trial_view_act(void *self, enum action action, int arg);
struct table *trial_view_table(void *self);

/* --- query, tier and progress ------------------------------------------------------------------------- */

/* The lines above the rows. */

/* Reports why no row can be taken: missing, or still running. */
void trial_say_none(struct screen_host *host, const char *missing);

/* Label of the query's job; "-" if it is gone. */
const char *trial_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT]);

/* --- prompts for a sweep and for a goal --------------------------------------------------------------- */

/*
 * Prompts for a query. edit: whose option a sweep offers, SIZE_MAX = none. False if the action is no query.
 */
bool whatif_asks(struct screen_host *host, enum action action, size_t edit);

#endif
