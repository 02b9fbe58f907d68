/* SPDX-License-Identifier: MIT */
/*
 * priority_list.h - jobs in order of priority, with the contribution of each factor
 *
 * Without a draft: a column for each factor that counts, those that move most kept longest
 * on a narrow screen, and the shares of the sum as letters. With a draft: ranks, priorities
 * and starts before and after, in the order that would be.
 */
#ifndef SCREEN_PRIORITY_LIST_H
#define SCREEN_PRIORITY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/table.h"
#include "tui/query/plan_query.h"

struct screen_host; /* host.h */

#define FACTORS_MAX PRIO_FACTOR_COUNT
#define PLAIN_FIRST 4 /* columns before the factors */

struct priority_list {
	struct screen_host *host;
	const struct plan_query *o; /* of the rows; NULL before the first */
	bool comparing;             /* a draft is shown beside what is   */
	bool percent;
	bool measured; /* what was measured stands beside its points */
	struct table table;
	struct table_column column[PLAIN_FIRST + FACTORS_MAX + 1];
	char title[FACTORS_MAX][24];
	enum prio_factor factor[FACTORS_MAX]; /* those that count */
	size_t factors;
	uint32_t *slot; /* by row; UINT32_MAX for the headings of idle and blocked */
	size_t rows, cap;
	size_t blocked_row; /* of the second heading */
};

/* Release with priority_list_close. */
void priority_list_open(struct priority_list *l, struct screen_host *host);
void priority_list_close(struct priority_list *l);

/* Takes the rows of an outlook, by the console's filter. */
void priority_list_update(struct priority_list *l, const struct plan_query *o);
void priority_list_draw(struct priority_list *l, struct canvas *canvas, struct rect r);

/* Appends the titles of factors that there was no room for, a blank before each: the rest does not add up. */
void priority_list_add_hidden(const struct priority_list *l, struct str *out);

/* The queue whose order is shown: the draft's, or what is. */
const struct forecast *priority_list_shown(const struct priority_list *l);

/* Does a row match what is searched for? For table_search; self is the list. */
bool priority_list_match(void *self, size_t row);

#endif
