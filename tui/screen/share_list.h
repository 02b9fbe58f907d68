/* SPDX-License-Identifier: MIT */
/*
 * share_list.h - fairshare usage of each credential, window by window, against its target
 *
 * First what all used, then the credentials of each type below a row that opens and closes
 * them. With a draft: targets, shares and effects before and after.
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

#define SHARE_WINDOWS_MAX 24 /* columns of windows, at most */
#define SHARE_PLAIN       6  /* columns before them         */

enum share_kind {
	SHARE_TOTAL, /* of all jobs                           */
	SHARE_TYPE,  /* of all credentials of a type together */
	SHARE_CRED
};

struct share_row {
	enum share_kind kind;
	enum cred_type type;
	uint32_t cred;
};

struct share_list {
	struct screen_host *host;
	const struct plan_query *o; /* of the rows; NULL before the first                  */
	bool comparing;             /* a draft is shown beside what is                    */
	bool percent;               /* windows in percent of what all used in them        */
	bool open[CRED_TYPE_COUNT];
	struct table table;
	struct table_column column[SHARE_PLAIN + SHARE_WINDOWS_MAX + 1];
	char title[SHARE_WINDOWS_MAX][20];
	size_t windows;
	struct share_row *row;
	size_t rows, room;
};

/* Release with share_list_close. */
void share_list_open(struct share_list *l, struct screen_host *host);
void share_list_close(struct share_list *l);

/* Takes the rows of an outlook, by the console's filter. */
void share_list_update(struct share_list *l, const struct plan_query *o);
void share_list_draw(struct share_list *l, struct canvas *canvas, struct rect r);

/* The accounts that are; and those that a draft would give, or the same without one. */
static inline const struct fairshare *share_list_live(const struct share_list *l)
{
	return &l->o->live.plan.queue.shares;
}

static inline const struct forecast *share_list_shown(const struct share_list *l)
{
	return l->comparing ? &l->o->draft : &l->o->live;
}

/* The row under the cursor; NULL when there is none. */
const struct share_row *share_list_at_cursor(const struct share_list *l);

/* Are the credentials of a type listed below it? */
bool share_list_is_open(const struct share_list *l, enum cred_type type);

/* Opens or closes the type under the cursor; the cursor of a credential goes up to its type. */
void share_list_set_open(struct share_list *l, bool open);

/* Does a row match what is searched for? For table_search; self is the list. */
bool share_list_match(void *self, size_t row);

/* Appends processor-hours, as short as a column wants them: "110.0", "12500". */
void share_add_hours(int64_t amount, struct str *out);

/* --- columns and cells of the list of shares ---------------------------------------------------------- */

/*
 * Without a draft a credential stands with its target, share, effect and windows; with one,
 * targets, shares and effects before and after.
 */

/* What a row used in a window, in FS_UNITs. */
int64_t share_amount(const struct share_list *l, const struct share_row *row, uint32_t window);

#endif
