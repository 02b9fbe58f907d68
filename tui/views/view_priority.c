/* SPDX-License-Identifier: MIT */
/*
 * view_priority.c - why is A before B, and what would other weights do?
 *
 * Above, the jobs in their order with what each factor that counts gives them. Below, a
 * slider for each weight. Moving one drafts the change: the list then shows ranks and
 * starts before and after, in the order that would be.
 */
#include <inttypes.h>

#include "page.h"
#include "priority_list.h"
#include "sliders.h"
#include "tui/formula.h"
#include "view.h"

#define MEASURED_W  140 /* from here on the measured values are shown too              */
#define TWO_LINES_H 14  /* rows of the list that leave a second line to the formula    */

struct priority_view {
	struct priority_list list;
	struct sliders sliders;
	bool sliding;   /* the sliders have the keys                */
	uint64_t draft; /* the draft that the sliders made; 0 = none */
};

static void priority_open(void *self, struct console *c)
{
	struct priority_view *v = self;

	priority_list_open(&v->list, c);
	sliders_open(&v->sliders);
}

static void priority_close(void *self)
{
	struct priority_view *v = self;

	priority_list_close(&v->list);
	sliders_close(&v->sliders);
}

static void priority_enter(void *self)
{
	((struct priority_view *)self)->sliding = false;
}

static void priority_recalc(void *self)
{
	struct priority_view *v = self;
	const struct outlook *o = console_outlook(v->list.c);

	if (console_draft(v->list.c) != v->draft)
		v->draft = 0;
	sliders_update(&v->sliders, &o->live.s->policy, v->draft != 0);
	priority_list_update(&v->list, o);
}

static void put_formula(const struct priority_view *v, struct canvas *canvas, struct rect r)
{
	const struct job *job = forecast_job(priority_list_shown(&v->list), console_job(v->list.c), NULL);
	char label[JOB_LABEL_TEXT];
	struct page page = {0};
	struct str line = {0};

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	if (job) {
		str_addf(&line, "%s: ", snapshot_job_label(priority_list_shown(&v->list)->s, job, label));
		formula_line(priority_list_shown(&v->list), job, &line);
		page_wrap(&page, ROLE_FORMULA, 1, r.w - 2, str_text(&line));
	}
	page_draw(&page, canvas, r);
	page_free(&page);
	str_free(&line);
}

static void priority_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct priority_view *v = self;
	int height = r.h / 3 > 6 ? r.h / 3 : 6;
	struct rect sliders = rect_take_bottom(&r, height);
	struct rect formula = rect_take_bottom(&r, r.h >= TWO_LINES_H ? 3 : 2);

	if (v->list.measured != (r.w >= MEASURED_W)) {
		v->list.measured = r.w >= MEASURED_W;
		priority_recalc(v);
	}
	v->list.table.unfocused = v->sliding;
	priority_list_draw(&v->list, canvas, r);
	put_formula(v, canvas, formula);
	sliders_draw(&v->sliders, canvas, sliders, v->sliding);
}

/* --- keys ------------------------------------------------------------------------------- */

/* The sliders' wishes become a draft, or none when they wish nothing. */
static void draft_sliders(struct priority_view *v)
{
	struct str lines = {0};

	sliders_lines(&v->sliders, &lines);
	if (lines.len > 0) {
		console_propose(v->list.c, str_text(&lines));
		v->draft = console_draft(v->list.c);
	} else if (v->draft) {
		console_drop_draft(v->list.c);
		v->draft = 0;
	}
	str_free(&lines);
}

static void typed(void *self, const char *text)
{
	struct priority_view *v = self;
	struct slider *slider = sliders_at_cursor(&v->sliders);
	struct err err;

	if (!slider || !text[0])
		return;
	if (slider_read(slider, text, &err))
		draft_sliders(v);
	else
		console_say(v->list.c, ROLE_ERROR, "%s", err.text);
}

static bool slide(struct priority_view *v, enum action action)
{
	struct slider *slider = sliders_at_cursor(&v->sliders);

	if (!slider)
		return true;
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
	v->sliding = true;
	draft_sliders(v);
	return true;
}

static bool move_slider_cursor(struct priority_view *v, enum action action)
{
	struct table *t = &v->sliders.table;

	switch (action) {
	case ACTION_DOWN:
		table_move(t, 1);
		return true;
	case ACTION_UP:
		table_move(t, -1);
		return true;
	case ACTION_HOME:
		table_home(t);
		return true;
	case ACTION_END:
		table_end(t);
		return true;
	case ACTION_PAGE_DOWN:
	case ACTION_HALF_DOWN:
		table_page(t, 1);
		return true;
	case ACTION_PAGE_UP:
	case ACTION_HALF_UP:
		table_page(t, -1);
		return true;
	default:
		return false;
	}
}

static bool priority_act(void *self, enum action action, int arg)
{
	struct priority_view *v = self;
	struct str value = {0};

	(void)arg;
	if (v->sliding && move_slider_cursor(v, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		v->sliding = !v->sliding;
		return true;
	case ACTION_REWEIGHT:
		v->sliding = true;
		return true;
	case ACTION_PRIORITY:
		v->sliding = false;
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
	case ACTION_DEFAULT:
		return slide(v, action);
	case ACTION_EDIT:
		v->sliding = true;
		if (sliders_at_cursor(&v->sliders))
			formula_number(&value, sliders_at_cursor(&v->sliders)->wanted);
		console_ask(v->list.c, "value:", str_text(&value), typed, v);
		str_free(&value);
		return true;
	case ACTION_PERCENT:
		v->list.percent = !v->list.percent;
		return true;
	default:
		return false;
	}
}

static struct table *priority_table(void *self)
{
	return &((struct priority_view *)self)->list.table;
}

static void priority_status(void *self, struct str *out)
{
	const struct priority_view *v = self;

	if (!v->list.o)
		return;
	if (v->list.o->draft.s)
		str_addf(out,
			 "order changes: %" PRIu32 "   starts moved: %" PRIu32 " (%" PRIu32
			 " earlier, %" PRIu32 " later)   ",
			 v->list.o->change.reordered, v->list.o->change.moved, v->list.o->change.earlier,
			 v->list.o->change.later);
	str_addf(out, "%s   keys: %s (<Tab>)", v->list.percent ? "percent" : "points",
		 v->sliding ? "weights" : "jobs");
}

static const enum action hints[] = {
	ACTION_REWEIGHT, ACTION_EDIT,    ACTION_TEN_LESS, ACTION_TEN_MORE, ACTION_DEFAULT,
	ACTION_PERCENT,  ACTION_NUMBERS, ACTION_UNDO,     ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_priority = {
	.name = "priority",
	.title = "Priority",
	.number = 3,
	.size = sizeof(struct priority_view),
	.jobs = true,
	.hints = hints,
	.open = priority_open,
	.close = priority_close,
	.enter = priority_enter,
	.recalc = priority_recalc,
	.draw = priority_draw,
	.act = priority_act,
	.table = priority_table,
	.match = priority_list_match,
	.status = priority_status,
};
