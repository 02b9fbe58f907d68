/* SPDX-License-Identifier: MIT */
/*
 * share_list.c - fairshare usage of each credential, window by window, against its target
 */
#include "share_list.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "share_cells.h"
#include "tui/draw/meter.h"
#include "tui/report/shares.h"
#include "view.h"

static const struct fairshare *shown(const struct share_list *l)
{
	return &share_list_shown(l)->plan.queue.shares;
}

/* --- rows ------------------------------------------------------------------------------- */

static void add_row(struct share_list *l, struct share_row row)
{
	l->row = vec_room(l->row, &l->room, l->rows + 1, sizeof *l->row);
	l->row[l->rows++] = row;
}

static bool passes(const struct share_list *l, uint32_t cred, const struct filter *filter)
{
	const struct cred *c = &snapshot_creds(share_list_shown(l)->s)[cred];
	const struct field field[] = {
		{cred_type_name((enum cred_type)c->type), share_cred_name(l, cred)},
		{"name", share_cred_name(l, cred)},
		{"type", cred_type_name((enum cred_type)c->type)},
	};

	return filter_match(filter, field, sizeof field / sizeof field[0]);
}

/* By what was used, the most first. */
static int compare_rows(const void *a, const void *b, void *self)
{
	const struct fairshare *f = shown(self);
	uint32_t x = ((const struct share_row *)a)->cred, y = ((const struct share_row *)b)->cred;
	double used_x = f->share[x].usage, used_y = f->share[y].usage;

	if (used_x > used_y || used_x < used_y)
		return used_x > used_y ? -1 : 1;
	return (x > y) - (x < y);
}

/* What is looked for is never out of sight. */
bool share_list_is_open(const struct share_list *l, enum cred_type type)
{
	return l->open[type] || filter_text(l->host->ops->filter(l->host->console))[0] != '\0';
}

static void add_type(struct share_list *l, enum cred_type type)
{
	const struct fairshare *f = shown(l);
	const struct cred *creds = snapshot_creds(share_list_shown(l)->s);
	size_t heading = l->rows;

	add_row(l, (struct share_row){.kind = SHARE_TYPE, .type = type});
	for (uint32_t c = 0; c < f->share_count; c++)
		if (creds[c].type == type && shares_is_shown(&f->share[c]) &&
		    passes(l, c, l->host->ops->filter(l->host->console)))
			add_row(l, (struct share_row){.kind = SHARE_CRED, .type = type, .cred = c});
	if (l->rows == heading + 1)
		l->rows--;
	else if (!share_list_is_open(l, type))
		l->rows = heading + 1;
	else
		qsort_r(l->row + heading + 1, l->rows - heading - 1, sizeof *l->row, compare_rows, l);
}

static void find_rows(struct share_list *l)
{
	l->rows = 0;
	if (shown(l)->off)
		return;
	add_row(l, (struct share_row){.kind = SHARE_TOTAL});
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		add_type(l, type);
}

static uint64_t key_of(const struct share_row *row)
{
	if (row->kind == SHARE_CRED)
		return (uint64_t)row->cred + CRED_TYPE_COUNT + 1;
	return row->kind == SHARE_TYPE ? (uint64_t)row->type + 1 : 0;
}

static uint64_t key(void *self, size_t row)
{
	return key_of(&((const struct share_list *)self)->row[row]);
}

/* --- the list --------------------------------------------------------------------------- */

void share_list_open(struct share_list *l, struct screen_host *host)
{
	l->host = host;
	l->open[CRED_USER] = true;
	share_init_columns(l);
}

void share_list_close(struct share_list *l)
{
	table_free(&l->table);
	free(l->row);
}

/* In a new list the cursor stands on somebody. */
static void place_cursor(struct share_list *l)
{
	for (size_t i = 0; i < l->rows; i++) {
		if (l->row[i].kind != SHARE_CRED)
			continue;
		table_go_row(&l->table, i);
		return;
	}
}

void share_list_update(struct share_list *l, const struct plan_query *o)
{
	struct table_source source = {.self = l, .key = key, .cell = share_cell};
	bool was_empty = l->rows == 0;

	l->o = o;
	share_set_columns(l);
	find_rows(l);
	source.rows = l->rows;
	table_update(&l->table, &source);
	if (was_empty)
		place_cursor(l);
}

/* All windows as a graph, over the last column. */
static void put_history(const struct share_list *l, struct canvas *canvas, struct rect r)
{
	const struct table *t = &l->table;
	uint32_t depth = share_list_live(l)->depth;
	size_t last = t->columns - 1;
	int x = TABLE_GUTTER;

	for (size_t i = 0; i < last; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body && t->width[last] > 0; y++) {
		size_t row = table_row_at(t, t->body_y + y);
		double value[FS_DEPTH_MAX];

		if (row == TABLE_NO_ROW)
			continue;
		for (uint32_t i = 0; i < depth; i++)
			value[depth - 1 - i] = (double)share_amount(l, &l->row[row], i);
		meter_spark(canvas, r, x, t->body_y + y - r.y, value, depth, 0);
		if (row == t->cursor)
			canvas_overlay(canvas, (struct rect){r.x + x, t->body_y + y, t->width[last], 1},
				       t->unfocused ? ROLE_CURSOR_OFF : ROLE_CURSOR);
	}
}

void share_list_draw(struct share_list *l, struct canvas *canvas, struct rect r)
{
	table_draw(&l->table, canvas, r);
	if (!l->comparing)
		put_history(l, canvas, r);
}

const struct share_row *share_list_at_cursor(const struct share_list *l)
{
	return l->table.cursor == TABLE_NO_ROW ? NULL : &l->row[l->table.cursor];
}

void share_list_set_open(struct share_list *l, bool open)
{
	const struct share_row *row = share_list_at_cursor(l);

	if (!row || row->kind == SHARE_TOTAL)
		return;
	if (row->kind == SHARE_TYPE)
		l->open[row->type] = open;
	else if (!open)
		table_go(&l->table, key_of(&(struct share_row){.kind = SHARE_TYPE, .type = row->type}));
}

bool share_list_match(void *self, size_t row)
{
	const struct share_list *l = self;

	return l->row[row].kind == SHARE_CRED &&
	       passes(l, l->row[row].cred, l->host->ops->search(l->host->console));
}
