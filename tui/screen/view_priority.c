/* SPDX-License-Identifier: MIT */
/*
 * view_priority.c - Priority screen: jobs by priority, and the effect of other weights
 *
 * Above, the jobs in their order with what each factor that counts gives them. Below, a
 * slider for each weight. Moving one drafts the change: the list then shows ranks and
 * starts before and after, in the order that would be.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "job_figures.h"
#include "jobs.h"
#include "page.h"
#include "priority_list.h"
#include "sched/base/vec.h"
#include "slider_pane.h"
#include "tui/query/neighbours.h"
#include "tui/report/priority_report.h"
#include "view.h"

#define MEASURED_W  140 /* from here on the measured values are shown too              */
#define TWO_LINES_H 14  /* rows of the list that leave a second line to the formula    */
#define RIVALS_H    16  /* and those that leave two more to what is above and to time  */

struct priority_view {
	struct priority_list list;
	struct slider_pane pane;
	struct neighbours *rivals; /* of rivals_job, in the list's outlook */
	uint64_t rivals_job;       /* 0 = they have to be found */
};

static void priority_open(void *self, struct screen_host *host)
{
	struct priority_view *v = self;

	v->rivals = mem_zero(1, sizeof *v->rivals);
	priority_list_open(&v->list, host);
	slider_pane_open(&v->pane, host, SLIDERS_ORDER);
}

static void priority_close(void *self)
{
	struct priority_view *v = self;

	priority_list_close(&v->list);
	slider_pane_close(&v->pane);
	free(v->rivals);
}

static void priority_enter(void *self)
{
	((struct priority_view *)self)->pane.focused = false;
}

static void priority_recalc(void *self)
{
	struct priority_view *v = self;

	v->rivals_job = 0;
	v->list.measured = v->list.host->ops->width(v->list.host->console) >= MEASURED_W;
	slider_pane_recalc(&v->pane);
	priority_list_update(&v->list, v->list.host->ops->outlook(v->list.host->console));
}

/* Of the job under the cursor; once for an outlook and a job. NULL: it does not stand in the order. */
static const struct neighbours *cursor_rivals(struct priority_view *v)
{
	const struct forecast *f = priority_list_shown(&v->list);
	uint64_t id = v->list.host->ops->job(v->list.host->console);
	uint32_t slot;

	if (v->rivals_job == 0 || v->rivals_job != id) {
		if (!forecast_job(f, id, &slot))
			return NULL;
		neighbours_find(v->rivals, f, slot);
		v->rivals_job = id;
	}
	return v->rivals->waits ? v->rivals : NULL;
}

static void put_rivals(struct page *page, const struct neighbours *r, int width, bool all)
{
	enum neighbour_side last = all || !r->at[NEIGHBOUR_BELOW].exists ? NEIGHBOUR_ABOVE : NEIGHBOUR_BELOW;
	struct str line = {0};
	enum role role;

	for (enum neighbour_side side = all ? NEIGHBOUR_BELOW : last; side <= last; side++) {
		str_clear(&line);
		role = neighbours_line(r, side, width, &line);
		page_line(page);
		page_at(page, 1);
		page_add(page, role, str_text(&line));
	}
	if (all) {
		str_clear(&line);
		neighbours_hour_line(r, width, &line);
		page_line(page);
		page_at(page, 1);
		page_add(page, ROLE_TEXT, str_text(&line));
	}
	str_free(&line);
}

static void put_formula(struct priority_view *v, struct canvas *canvas, struct rect r, bool all)
{
	const struct job *job = forecast_job(priority_list_shown(&v->list),
					     v->list.host->ops->job(v->list.host->console), NULL);
	const struct neighbours *rivals = cursor_rivals(v);
	char label[JOB_LABEL_TEXT];
	struct page page = {0}, below = {0};
	struct rect bottom;
	struct str line = {0};

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	if (rivals)
		put_rivals(&below, rivals, r.w - 2, all);
	bottom = rect_take_bottom(&r, (int)below.lines);
	if (job) {
		str_addf(&line, "%s: ", snapshot_job_label(priority_list_shown(&v->list)->s, job, label));
		formula_line(priority_list_shown(&v->list), job, &line);
		page_wrap(&page, ROLE_FORMULA, 1, r.w - 2, str_text(&line));
	}
	page_draw(&page, canvas, r);
	page_draw(&below, canvas, bottom);
	page_free(&page);
	page_free(&below);
	str_free(&line);
}

static void priority_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct priority_view *v = self;
	int height = r.h / 3 > 6 ? r.h / 3 : 6;
	struct rect sliders = rect_take_bottom(&r, height);
	bool all = r.h >= RIVALS_H;
	struct rect formula = rect_take_bottom(&r, (r.h >= TWO_LINES_H ? 4 : 3) + (all ? 2 : 0));

	v->list.table.unfocused = v->pane.focused;
	priority_list_draw(&v->list, canvas, r);
	put_formula(v, canvas, formula, all);
	slider_pane_draw(&v->pane, canvas, sliders);
}

static void priority_numbers(void *self, struct figures *out)
{
	struct priority_view *v = self;
	const struct neighbours *rivals = cursor_rivals(v);
	enum formula_form form = v->list.percent    ? FORMULA_PERCENT
				 : v->list.measured ? FORMULA_MEASURED
						    : FORMULA_POINTS;

	job_figures_now(out, v->list.o, v->list.host->ops->job(v->list.host->console), form);
	if (rivals)
		neighbours_figures(out, rivals);
}

/* --- keys ------------------------------------------------------------------------------- */

static bool priority_act(void *self, enum action action, int arg)
{
	struct priority_view *v = self;

	(void)arg;
	if (slider_pane_act(&v->pane, action))
		return true;
	switch (action) {
	case ACTION_REWEIGHT:
		v->pane.focused = true;
		return true;
	case ACTION_PRIORITY:
		v->pane.focused = false;
		return true;
	case ACTION_PERCENT:
		v->list.percent = !v->list.percent;
		return true;
	default:
		return false;
	}
}

static bool priority_click(void *self, int x, int y)
{
	return slider_pane_click(&((struct priority_view *)self)->pane, x, y);
}

static struct table *priority_table(void *self)
{
	return &((struct priority_view *)self)->list.table;
}

static void priority_status(void *self, struct str *out)
{
	const struct priority_view *v = self;
	struct str hidden = {0};
	struct plan_change change;

	if (!v->list.o)
		return;
	if (v->list.o->draft.s) {
		(void)v->list.host->ops->compared(v->list.host->console, &change);
		str_addf(out,
			 "order changes: %" PRIu32 "   starts moved: %" PRIu32 " (%" PRIu32
			 " earlier, %" PRIu32 " later)   ",
			 change.reordered, change.moved, change.earlier, change.later);
	}
	str_addf(out, "%s   keys: %s (<Tab>)", v->list.percent ? "percent" : "points",
		 v->pane.focused ? "weights" : "jobs");
	priority_list_add_hidden(&v->list, &hidden);
	if (hidden.len > 0)
		str_addf(out, "   no room for%s", str_text(&hidden));
	str_free(&hidden);
}

static const enum action hints[] = {
	ACTION_REWEIGHT, ACTION_EDIT,    ACTION_TEN_LESS, ACTION_TEN_MORE, ACTION_DEFAULT,
	ACTION_PERCENT,  ACTION_NUMBERS, ACTION_UNDO,     ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_priority = {
	.name = "priority",
	.fields = JOBS_FIELDS,
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
	.click = priority_click,
	.table = priority_table,
	.match = priority_list_match,
	.status = priority_status,
	.numbers = priority_numbers,
};
