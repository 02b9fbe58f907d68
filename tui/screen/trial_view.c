/* SPDX-License-Identifier: MIT */
/*
 * trial_view.c - common parts of the Sweep and Goal screens
 *
 * While an answer is made, and where it is of another question, there are no rows.
 */
#include "trial_view.h"

#include "trial_head.h"
#include "view.h"
#include "whatif_asks.h"

void trial_view_open(struct trial_view *v, struct screen_host *host, const struct trial_face *face)
{
	v->host = host;
	v->face = face;
	table_init(&v->table, face->columns, face->column_count);
}

void trial_view_close(void *self)
{
	struct trial_view *v = self;

	table_free(&v->table);
	page_free(&v->head);
}

static uint64_t key(void *self, size_t row)
{
	(void)self;
	return row + 1;
}

/* In a new answer the cursor stands where its face wants it. */
void trial_view_recalc(void *self)
{
	struct trial_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = v->face->cell};
	bool making;

	v->t = trial_of_kind(v->host, v->face->kind, &making);
	if (making || (v->t && !v->t->whole))
		v->t = NULL;
	source.rows = v->t ? v->face->rows(v->t) : 0;
	table_update(&v->table, &source);
	if (!v->t || v->number == v->t->number)
		return;
	v->number = v->t->number;
	table_go_row(&v->table, v->face->first_row(v->t));
}

static void write_head(struct trial_view *v, int width)
{
	bool making;
	const struct draft_query *t = trial_of_kind(v->host, v->face->kind, &making);
	struct str question = {0};

	page_clear(&v->head);
	if (t) {
		v->face->add_question(t, &question);
		trial_head_put(&v->head, v->host, t, str_text(&question), width);
	}
	if (t && making)
		trial_head_progress(&v->head, t, v->face->tried);
	else if (v->t)
		v->face->put_found(v, width);
	else
		trial_head_nothing(&v->head, t, v->face->nothing, width);
	str_free(&question);
}

void trial_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct trial_view *v = self;

	write_head(v, r.w);
	page_draw(&v->head, canvas, rect_take_top(&r, (int)v->head.lines));
	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	if (v->t && v->face->rows(v->t) > 0)
		table_draw(&v->table, canvas, r);
}

size_t trial_view_row(const struct trial_view *v)
{
	return v->t ? v->table.cursor : TABLE_NO_ROW;
}

bool trial_view_act(void *self, enum action action, int arg)
{
	struct trial_view *v = self;

	(void)arg;
	if (action == ACTION_OPEN)
		v->face->take(v, trial_view_row(v));
	else
		return whatif_asks(v->host, action, SIZE_MAX);
	return true;
}

struct table *trial_view_table(void *self)
{
	return &((struct trial_view *)self)->table;
}
