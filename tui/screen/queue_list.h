/* SPDX-License-Identifier: MIT */
/*
 * queue_list.h - rows of the queue: active, idle and blocked jobs
 *
 * Sorting and filtering act within the parts. A part without jobs is left out, but idle:
 * that nothing waits is worth saying. Waiting tasks of an array share a line (tui/report/queue_report.h)
 * until it is opened.
 */
#ifndef SCREEN_QUEUE_LIST_H
#define SCREEN_QUEUE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/table.h"
#include "tui/query/plan_query.h"
#include "tui/report/queue_report.h"

struct screen_host; /* host.h */

enum queue_column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_GROUP,
	COL_ACCOUNT,
	COL_QOS,
	COL_CLASS,
	COL_PROC,
	COL_WCLIMIT,
	COL_PRIO,
	COL_XF,
	COL_QUEUED,
	COL_START,
	COL_WHY,
	COL_COUNT
};

enum part_kind {
	PART_ACTIVE,
	PART_IDLE,
	PART_BLOCKED
};

#define PARTS_MAX (2 + GATE_COUNT)

/* A part of the list: its heading, then its rows. */
struct part {
	enum part_kind kind;
	enum gate gate; /* of a blocked part */
	size_t row;     /* of the heading     */
	size_t count;   /* jobs, of which some may share a row */
};

struct queue_list {
	struct screen_host *host;
	const struct forecast *f; /* of the rows; NULL before the first outlook */
	int64_t now_s;
	struct table table;
	struct table_column column[COL_COUNT];
	struct fold_line *row; /* slot INDEX_NONE for headings */
	size_t rows, cap;
	struct fold fold;
	struct keyset open; /* arrays that are shown task by task */
	uint32_t *slot;     /* jobs of the part that is being filled */
	size_t slots, slot_room;
	struct part part[PARTS_MAX];
	size_t parts;
	size_t sort;     /* 0 = the order of the queue                                         */
	bool placed;     /* the cursor was put on the first idle job, or moved                 */
	size_t bring_up; /* a heading to scroll to the upper part of the list; SIZE_MAX = none */
	bool to_top;     /* to the very top of it                                              */
};

/* Release with queue_list_close. */
void queue_list_open(struct queue_list *l, struct screen_host *host);
void queue_list_close(struct queue_list *l);

/* Takes the rows of an outlook, by the console's filter. */
void queue_list_update(struct queue_list *l, const struct plan_query *o);
void queue_list_draw(struct queue_list *l, struct canvas *canvas, struct rect r);

/* To the first job of the next part (dir 1) or the one before (-1), round and round. */
void queue_list_next_part(struct queue_list *l, int dir);
/* By the next column, in the end by none again; the rows have to be updated. */
void queue_list_sort_next(struct queue_list *l);

/* Shows the tasks of the line under the cursor; the tasks around the cursor on one line again; marks all of a
 * line. False: there is nothing to show, to fold, or the line is a single job. */
bool queue_list_unfold(struct queue_list *l);
bool queue_list_fold(struct queue_list *l);
bool queue_list_mark(struct queue_list *l);

/* Does a row match what is searched for? For table_search; self is the list. */
bool queue_list_match(void *self, size_t row);

#endif
