/* SPDX-License-Identifier: MIT */
/*
 * view_whatif.c - what would happen if?
 *
 * Above, what the draft changes. Below, what would become of each job, beside it what would become of all
 * together, or in its place of each user's and group's; at the bottom how busy the machine would be. While
 * the full projection is made the instant plan stands in for it, and the first line says so.
 */
#include <inttypes.h>

#include "moving.h"
#include "page.h"
#include "view.h"
#include "whatif_edits.h"
#include "whatif_jobs.h"
#include "whatif_sight.h"
#include "whatif_time.h"
#include "whatif_totals.h"

#define TOTALS_W 35 /* of the totals beside the jobs                */
#define BESIDE_W 78 /* from here on there is room for both         */
#define EDITS_H  4  /* of the edits, while they do not have the keys */
#define TIME_H   18 /* from here on there is room for the timeline */

enum pane {
	PANE_JOBS,
	PANE_GROUPS,
	PANE_EDITS,
	PANE_COUNT
};

struct whatif_view {
	struct console *c;
	struct whatif_sight sight;
	struct whatif_edits edits;
	struct whatif_jobs jobs;
	struct whatif_groups groups;
	enum pane pane;
	struct page head, totals;
};

static void whatif_open(void *self, struct console *c)
{
	struct whatif_view *v = self;

	v->c = c;
	whatif_edits_open(&v->edits, c);
	whatif_jobs_open(&v->jobs, c);
	whatif_groups_open(&v->groups, c);
}

static void whatif_close(void *self)
{
	struct whatif_view *v = self;

	whatif_edits_close(&v->edits);
	whatif_jobs_close(&v->jobs);
	whatif_groups_close(&v->groups);
	page_free(&v->head);
	page_free(&v->totals);
}

static void whatif_recalc(void *self)
{
	struct whatif_view *v = self;

	whatif_sight_take(&v->sight, v->c);
	whatif_edits_update(&v->edits);
	whatif_jobs_update(&v->jobs, &v->sight);
	whatif_groups_update(&v->groups, &v->sight);
}

/* --- drawing ---------------------------------------------------------------------------- */

static void add_tier(const struct whatif_view *v, struct str *out)
{
	uint32_t started, waiting;

	if (v->sight.full)
		str_add(out, "full projection");
	else
		str_add(out, "instant plan");
	if (console_foresees(v->c, &started, &waiting) && !v->sight.full)
		str_addf(out, "; full projection %" PRIu32 " of %" PRIu32 " jobs", started, waiting);
}

static void write_head(struct whatif_view *v, int width)
{
	bool drafting = console_draft(v->c) != 0;
	struct str text = {0};

	page_clear(&v->head);
	page_line(&v->head);
	page_at(&v->head, 1);
	page_add(&v->head, ROLE_HELP_HEADING, drafting ? "What the draft changes" : "The queue as it is");
	add_tier(v, &text);
	page_at(&v->head, width - 1 - text_width(str_text(&text)));
	page_add(&v->head, ROLE_STATUS, str_text(&text));
	if (!drafting)
		page_wrap(&v->head, ROLE_DIM, 1, width - 2,
			  "There is no draft: this is the queue as it is. W tries other weights, : another "
			  "setting (tune user[eva].maxproc 8), H and R hold and release; what is drafted on "
			  "any "
			  "screen is shown here.");
	str_free(&text);
}

static void put_edits(struct whatif_view *v, struct canvas *canvas, struct rect *body)
{
	int most = v->pane == PANE_EDITS ? body->h / 2 : EDITS_H;

	v->edits.table.unfocused = v->pane != PANE_EDITS;
	table_draw(&v->edits.table, canvas, rect_take_top(body, whatif_edits_height(&v->edits, most)));
}

static void put_jobs(struct whatif_view *v, struct canvas *canvas, struct rect r)
{
	if (r.w >= BESIDE_W) {
		struct rect totals = rect_take_right(&r, TOTALS_W);

		page_clear(&v->totals);
		whatif_totals_page(&v->totals, &v->sight, TOTALS_W - 2);
		page_draw(&v->totals, canvas, totals);
	}
	v->jobs.table.unfocused = v->pane != PANE_JOBS;
	table_draw(&v->jobs.table, canvas, r);
}

static void whatif_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct whatif_view *v = self;

	int height = r.h;

	write_head(v, r.w);
	page_draw(&v->head, canvas, rect_take_top(&r, (int)v->head.lines));
	put_edits(v, canvas, &r);
	if (!v->sight.w)
		return;
	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	if (height >= TIME_H)
		whatif_time_draw(&v->sight, canvas, rect_take_bottom(&r, WHATIF_TIME_LINES));
	if (v->pane == PANE_GROUPS)
		table_draw(&v->groups.table, canvas, r);
	else
		put_jobs(v, canvas, r);
}

/* --- keys ------------------------------------------------------------------------------- */

static bool whatif_act(void *self, enum action action, int arg)
{
	struct whatif_view *v = self;

	(void)arg;
	struct table *own = v->pane == PANE_GROUPS ? &v->groups.table : &v->edits.table;

	if (v->pane != PANE_JOBS && moving_table(own, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
		v->pane = (v->pane + 1) % PANE_COUNT;
		return true;
	case ACTION_PANE_PREVIOUS:
		v->pane = (v->pane + PANE_COUNT - 1) % PANE_COUNT;
		return true;
	default:
		return whatif_edits_act(&v->edits, action);
	}
}

static struct table *whatif_table(void *self)
{
	return &((struct whatif_view *)self)->jobs.table;
}

static void whatif_status(void *self, struct str *out)
{
	static const char *const panes[PANE_COUNT] = {"jobs", "totals", "edits"};
	const struct whatif_view *v = self;

	if (v->sight.comparing && v->sight.w)
		str_addf(out, "%" PRIu32 " earlier, %" PRIu32 " later, %" PRIu32 " change rank   ",
			 v->sight.w->earlier, v->sight.w->later, v->sight.w->reordered);
	str_addf(out, "keys: %s (<Tab>)", panes[v->pane]);
}

static const enum action hints[] = {
	ACTION_EDIT, ACTION_SWITCH,  ACTION_REMOVE, ACTION_REWEIGHT, ACTION_HOLD,
	ACTION_WHY,  ACTION_RELEASE, ACTION_FILTER, ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_whatif = {
	.name = "whatif",
	.title = "What-if",
	.number = 7,
	.size = sizeof(struct whatif_view),
	.jobs = true,
	.foresees = true,
	.hints = hints,
	.open = whatif_open,
	.close = whatif_close,
	.recalc = whatif_recalc,
	.draw = whatif_draw,
	.act = whatif_act,
	.table = whatif_table,
	.match = whatif_jobs_match,
	.status = whatif_status,
};
