/* SPDX-License-Identifier: MIT */
/*
 * trial_view.h - common parts of the Sweep and Goal screens
 *
 * A question stands above, rows of the answer below it; <Enter> takes a row into the draft. What is a
 * screen's own is its face; the functions are those of its view_ops.
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
	/* How many rows a whole answer has, and on which the cursor begins. */
	size_t (*rows)(const struct draft_query *t);
	size_t (*first_row)(const struct draft_query *t);
	/* For the table; self is the view, whose answer is whole. */
	enum role (*cell)(void *self, size_t row, size_t column, struct str *out);
	void (*add_question)(const struct draft_query *t, struct str *out);
	/* What was found, below the question. */
	void (*put_found)(struct trial_view *v, int width);
	/* Takes the row into the draft, or says why not. TABLE_NO_ROW: there is none. */
	void (*take)(const struct trial_view *v, size_t row);
	const char *tried;   /* "futures": what is counted while it is made */
	const char *nothing; /* what to do where nothing was asked          */
};

struct trial_view {
	struct screen_host *host;
	const struct trial_face *face;
	struct table table;
	struct page head;
	const struct draft_query *t; /* whole, while the table has rows          */
	uint64_t number;             /* of the answer the cursor was put for      */
};

void trial_view_open(struct trial_view *v, struct screen_host *host, const struct trial_face *face);

/* The row under the cursor, TABLE_NO_ROW when there is none. */
size_t trial_view_row(const struct trial_view *v);

/* Of view_ops; self is a struct trial_view. */
void trial_view_close(void *self);
void trial_view_recalc(void *self);
void trial_view_draw(void *self, struct canvas *canvas, struct rect r);
bool trial_view_act(void *self, enum action action, int arg);
struct table *trial_view_table(void *self);

/* --- question, tier and progress of a trial ----------------------------------------------------------- */

/*
 * The lines above the rows of the screens that show what was tried.
 */

/* Nothing can be taken: says what is missing, or that it is still looked for. */
void trial_say_none(struct screen_host *host, const char *missing);

/* Its job, "-" when it is gone. */
const char *trial_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT]);

/* --- prompts for a sweep and for a goal --------------------------------------------------------------- */

/* Asks for the words of a question; edit: of the draft, whose setting is offered for a sweep, SIZE_MAX =
 * none. False: the action is no question. */
bool whatif_asks(struct screen_host *host, enum action action, size_t edit);

#endif
