/* SPDX-License-Identifier: MIT */
/*
 * slider_pane.c - a pane of sliders, whose values are edits of the draft
 */
#include "slider_pane.h"

#include "moving.h"
#include "sched/base/option.h"
#include "sched/base/str.h"
#include "view.h"

void slider_pane_open(struct slider_pane *p, struct screen_host *host, enum sliders_of of)
{
	p->host = host;
	sliders_open(&p->sliders, of);
}

void slider_pane_close(struct slider_pane *p)
{
	sliders_close(&p->sliders);
}

static const char *drafted(const void *self, const char *name)
{
	const struct screen_host *host = self;

	return host->ops->drafted(host->console, name);
}

void slider_pane_recalc(struct slider_pane *p)
{
	sliders_update(&p->sliders, &p->host->ops->outlook(p->host->console)->live.s->policy, drafted,
		       p->host);
}

void slider_pane_draw(struct slider_pane *p, struct canvas *canvas, struct rect r)
{
	sliders_draw(&p->sliders, canvas, r, p->focused);
}

/* The slider's value becomes an edit of the draft, or none when it is the one in force. */
static void draft_value(struct slider_pane *p, const struct slider *slider)
{
	struct str value = {0};

	slider_add_wanted(slider, &value);
	if (slider_is_moved(slider))
		(void)p->host->ops->propose_tune(p->host->console, slider->row->name, str_text(&value));
	else
		p->host->ops->unset(p->host->console, slider->row->name);
	slider_pane_recalc(p);
	str_free(&value);
}

static void typed(void *self, const char *text)
{
	struct slider_pane *p = self;
	struct slider *slider = sliders_at_cursor(&p->sliders);
	struct err err;

	if (!slider || !text[0])
		return;
	if (slider_read(slider, text, &err))
		draft_value(p, slider);
	else
		p->host->ops->say(p->host->console, ROLE_ERROR, "%s", err.text);
}

static void ask_value(struct slider_pane *p)
{
	struct slider *slider = sliders_at_cursor(&p->sliders);
	struct str sign = {0}, value = {0};

	if (!slider)
		return;
	str_addf(&sign, "%s: ", slider->row->name);
	slider_add_wanted(slider, &value);
	p->host->ops->ask(p->host->console, str_text(&sign), str_text(&value), typed, p);
	str_free(&sign);
	str_free(&value);
}

static void slide(struct slider_pane *p, enum action action)
{
	struct slider *slider = sliders_at_cursor(&p->sliders);

	if (!slider)
		return;
	switch (action) {
	case ACTION_LEFT:
		slider_move(slider, -1);
		break;
	case ACTION_RIGHT:
		slider_move(slider, 1);
		break;
	case ACTION_TEN_LESS:
		slider_move(slider, -10);
		break;
	case ACTION_TEN_MORE:
		slider_move(slider, 10);
		break;
	default:
		slider_to_default(slider);
	}
	draft_value(p, slider);
}

bool slider_pane_act(struct slider_pane *p, enum action action)
{
	if (p->focused && moving_table(&p->sliders.table, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		p->focused = !p->focused;
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
	case ACTION_DEFAULT:
		p->focused = true;
		slide(p, action);
		return true;
	case ACTION_EDIT:
		p->focused = true;
		ask_value(p);
		return true;
	default:
		return false;
	}
}

bool slider_pane_click(struct slider_pane *p, int x, int y)
{
	struct table *t = &p->sliders.table;
	size_t row = table_row_at(t, y);
	struct slider *slider;
	double part;

	p->focused = row != TABLE_NO_ROW;
	if (!p->focused)
		return false;
	table_go_row(t, row);
	slider = sliders_at_cursor(&p->sliders);
	part = sliders_part_at(&p->sliders, x);
	if (slider && part >= 0) {
		slider_put(slider, part);
		draft_value(p, slider);
	}
	return true;
}
