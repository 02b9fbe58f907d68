/* SPDX-License-Identifier: MIT */
/*
 * share_list.h - list of fairshare usage per credential and window, with targets
 *
 * The first row is the total. Then each type of credential has a row, which expands and collapses the rows of
 * its credentials. With a draft, the list shows targets, usage and effects before and after instead of the
 * windows.
 */
#ifndef SCREEN_SHARE_LIST_H
#define SCREEN_SHARE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/policy/fairshare.h"
#include "tui/draw/table.h"
#include "tui/query/plan_query.h"

struct screen_host; /* host.h */

#define SHARE_WINDOWS_MAX 24 /* maximum number of window columns */
#define SHARE_PLAIN       6  /* columns before the windows */

enum share_kind {
	SHARE_TOTAL, /* usage of all jobs */
	SHARE_TYPE,  /* usage of all credentials of a type */
	SHARE_CRED
};

struct share_row {
	enum share_kind kind;
	enum cred_type type;
	uint32_t cred;
};

struct share_list {
	struct screen_host *host;
	const struct plan_query *o; /* source of the rows; NULL before the first update */
	bool comparing;             /* the columns compare live and draft */
	bool percent;               /* the usage in a window is shown in percent of its total */
	bool open[CRED_TYPE_COUNT];
	struct table table;
	struct table_column column[SHARE_PLAIN + SHARE_WINDOWS_MAX + 1];
	char title[SHARE_WINDOWS_MAX][20];
	size_t windows;
	struct share_row *row;
	size_t rows, room;
};

/* Free with share_list_close. */
void share_list_open(struct share_list *l, struct screen_host *host);
void share_list_close(struct share_list *l);

/* Updates the rows from a plan query, with the console's filter. */
void share_list_update(struct share_list *l, const struct plan_query *o);
void share_list_draw(struct share_list *l, struct canvas *canvas, struct rect r);

/* Returns the live shares. */
static inline const struct fairshare *share_list_live(const struct share_list *l)
{
	return &l->o->live.plan.queue.shares;
}

/* Returns the forecast of the draft if there is one, otherwise the live one. */
static inline const struct forecast *share_list_shown(const struct share_list *l)
{
	return l->comparing ? &l->o->draft : &l->o->live;
}

/* Returns the row under the cursor; NULL if there is none. */
const struct share_row *share_list_at_cursor(const struct share_list *l);

/* Is the type expanded? */
bool share_list_is_open(const struct share_list *l, enum cred_type type);

/*
 * Expands or collapses the type under the cursor. If a credential is under the cursor, expanding does
 * nothing, and collapsing only moves the cursor to the row of its type.
 */
void share_list_set_open(struct share_list *l, bool open);

/* Does a row match the search? Callback of table_search; `self` is the list. */
bool share_list_match(void *self, size_t row);

/* Appends processor-hours in short form: "110.0", "12500". */
void share_add_hours(int64_t amount, struct str *out);

/* --- columns and cells of the list of shares ---------------------------------------------------------- */

/* Returns the usage of a row in a window, in thousandths of a processor-second (FS_UNIT). */
int64_t share_amount(const struct share_list *l, const struct share_row *row, uint32_t window);

#endif
