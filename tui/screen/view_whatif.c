/* SPDX-License-Identifier: MIT */
/*
 * view_whatif.c - What-if screen: the effect of the draft
 *
 * Shows the edits of the draft at the top, the projected utilization of the machine at the bottom, and in
 * between either the effect on each job beside the totals, or the effect on each user, group and other
 * credential. Starts are from the instant plan until the full projection is complete; the first line says
 * which of the two is shown.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"
#include "page.h"
#include "sched/base/vec.h"
#include "sched/forecast/occupancy.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/canvas.h"
#include "tui/draw/meter.h"
#include "tui/draw/table.h"
#include "tui/query/projection_query.h"
#include "tui/report/changes.h"
#include "tui/report/job_fields.h"
#include "view.h"
#include "view_query.h"
#include "whatif_lists.h"
#include "whatif_sight.h"

#define TIME_LINES 3 /* the bars of live and draft, and the line with times */

struct whatif_edits {
	struct screen_host *host;
	struct table table;
	size_t asked; /* index of the draft edit whose command line is being changed */
};

/* --- projected utilization ---------------------------------------------------------------------------- */

#define LABEL_W 7

#define TICK_W 14 /* minimum distance between the times below the bars */

static void put_bars(const struct whatif_future *future, const char *label, enum role role, int64_t end_s,
		     struct canvas *canvas, struct rect r, int y)
{
	size_t count = (size_t)(r.w - LABEL_W - 1);
	double *procs = mem_zero(count, sizeof *procs);

	occupancy(future->f->s, future->start_s, future->end_s, future->f->plan.now_s, end_s, procs, count);
	canvas_put(canvas, r, 1, y, role, label);
	meter_spark(canvas, r, LABEL_W, y, procs, count, (double)future->f->s->procs_total);
	free(procs);
}

static void put_hours(const char *begin, int64_t from_s, int64_t end_s, struct canvas *canvas, struct rect r,
		      int y)
{
	int width = r.w - LABEL_W - 1, ticks = width / TICK_W > 0 ? width / TICK_W : 1;
	char when[MOMENT_TEXT];

	canvas_put(canvas, r, LABEL_W, y, ROLE_DIM, begin);
	for (int i = 1; i < ticks; i++)
		canvas_put(canvas, r, LABEL_W + width * i / ticks, y, ROLE_DIM,
			   wallclock_short(when, from_s + (end_s - from_s) * i / ticks, from_s));
}

static void draw_utilization(const struct whatif_sight *sight, struct canvas *canvas, struct rect r)
{
	int64_t end_s = whatif_sight_end_s(sight);
	bool past = whatif_sight_is_past(sight);
	char when[MOMENT_TEXT];
	int y = 0;

	if (r.w <= LABEL_W + TICK_W || end_s <= sight->o->now_s)
		return;
	if (sight->comparing)
		put_bars(&sight->draft, "draft", ROLE_DRAFT, end_s, canvas, r, y++);
	put_bars(&sight->live, past ? "then" : "live", ROLE_TEXT, end_s, canvas, r, y++);
	put_hours(past ? wallclock_short(when, sight->o->now_s, sight->o->now_s) : "now", sight->o->now_s,
		  end_s, canvas, r, y);
}

/* --- edits of the draft ------------------------------------------------------------------------------- */

enum edit_column {
	COL_NUMBER,
	COL_OFF,
	COL_TEXT,
	EDIT_COLUMNS
};

static const struct table_column edit_columns[EDIT_COLUMNS] = {
	[COL_NUMBER] = {.title = "", .min = 2, .align = TEXT_RIGHT},
	[COL_OFF] = {.title = "", .min = 3},
	[COL_TEXT] = {.title = "", .min = 20, .flexible = true},
};

static uint64_t edit_key(void *self, size_t row)
{
	(void)self;
	return row + 1;
}

static enum role edit_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct edit *edit =
		&((const struct whatif_edits *)self)
			 ->host->ops->edits(((const struct whatif_edits *)self)->host->console)
			 ->item[row];

	switch (column) {
	case COL_NUMBER:
		str_addf(out, "%zu", row + 1);
		return ROLE_STRONG;
	case COL_OFF:
		str_add(out, edit->off ? "off" : "");
		return ROLE_WARNING;
	default:
		str_add(out, edit->text[0] ? edit->text : edit->line);
		return edit->off ? ROLE_DIM : ROLE_DRAFT;
	}
}

/* Free with edits_close. */
static void edits_open(struct whatif_edits *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, edit_columns, EDIT_COLUMNS);
	l->table.no_header = true;
}

static void edits_close(struct whatif_edits *l)
{
	table_free(&l->table);
}

/* Updates the rows from the edits of the draft. */
static void edits_update(struct whatif_edits *l)
{
	struct table_source source = {.self = l, .key = edit_key, .cell = edit_cell};

	source.rows = l->host->ops->edits(l->host->console)->count;
	table_update(&l->table, &source);
}

/* Returns the height of the list for all edits, but at most `most`. */
static int edits_height(const struct whatif_edits *l, int most)
{
	size_t rows = l->host->ops->edits(l->host->console)->count;

	return rows < (size_t)most ? (int)rows : most;
}

/* --- keys --------------------------------------------------------------------------------------------- */

static void typed(void *self, const char *text)
{
	const struct whatif_edits *l = self;

	if (text[0] && l->asked < l->host->ops->edits(l->host->console)->count)
		l->host->ops->replace_edit(l->host->console, l->asked, text);
}

static void write_anew(struct whatif_edits *l)
{
	l->asked = l->table.cursor;
	l->host->ops->ask(l->host->console,
			  "edit: ", l->host->ops->edits(l->host->console)->item[l->asked].line, typed, l);
}

/* Handles the actions that change, disable or remove the edit under the cursor; false for other actions. */
static bool act_on_edit(struct whatif_edits *l, enum action action)
{
	bool here = l->table.cursor != TABLE_NO_ROW &&
		    l->table.cursor < l->host->ops->edits(l->host->console)->count;

	switch (action) {
	case ACTION_EDIT:
	case ACTION_SWITCH:
	case ACTION_REMOVE:
		break;
	default:
		return false;
	}
	if (!here)
		l->host->ops->say(l->host->console, ROLE_MESSAGE, "The draft has no edits.");
	else if (action == ACTION_EDIT)
		write_anew(l);
	else if (action == ACTION_SWITCH)
		l->host->ops->switch_edit(l->host->console, l->table.cursor);
	else
		l->host->ops->remove_edit(l->host->console, l->table.cursor);
	return true;
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define TOTALS_W 34 /* width of the totals in cells */

#define BESIDE_W 80 /* width from which the totals are shown beside the jobs */

#define EDITS_H 4 /* maximum height of the edits while another pane has the focus */

#define TIME_H 18 /* height from which the utilization is shown */

enum pane {
	PANE_JOBS,
	PANE_GROUPS,
	PANE_EDITS,
	PANE_COUNT
};

struct whatif_view {
	struct screen_host *host;
	struct whatif_sight sight;
	struct whatif_edits edits;
	struct whatif_jobs jobs;
	struct whatif_groups groups;
	enum pane pane;
	struct page head, totals, foot;
};

static void whatif_open(void *self, struct screen_host *host)
{
	struct whatif_view *v = self;

	v->host = host;
	edits_open(&v->edits, host);
	whatif_jobs_open(&v->jobs, host);
	whatif_groups_open(&v->groups, host);
}

static void whatif_close(void *self)
{
	struct whatif_view *v = self;

	edits_close(&v->edits);
	whatif_jobs_close(&v->jobs);
	whatif_groups_close(&v->groups);
	page_free(&v->head);
	page_free(&v->totals);
	page_free(&v->foot);
}

/*
 * Returns the width of the jobs on a screen of this width. The totals are to the right of the jobs, with a
 * blank on either side if there is room.
 */
static int jobs_width(int width)
{
	return width < BESIDE_W ? width : width - TOTALS_W - (width > BESIDE_W) - 1;
}

static void whatif_recalc(void *self)
{
	struct whatif_view *v = self;

	whatif_sight_take(&v->sight, v->host);
	edits_update(&v->edits);
	whatif_jobs_update(&v->jobs, &v->sight);
	table_lay_out(&v->jobs.table, jobs_width(v->host->ops->width(v->host->console)));
	v->sight.change_cells = whatif_jobs_change_cells(&v->jobs);
	whatif_groups_update(&v->groups, &v->sight);
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static void add_tier(const struct whatif_view *v, struct str *out)
{
	uint32_t started, waiting;
	const struct projection_query *f = v->host->ops->projection_query(v->host->console);

	str_add(out, whatif_tier(v->sight.tier,
				 f && f->run_assumption ? f->run_assumption->kind : ASSUME_WCLIMIT));
	if (v->host->ops->projection_progress(v->host->console, &started, &waiting) &&
	    v->sight.tier == FUTURE_INSTANT)
		str_addf(out, "; full projection %" PRIu32 " of %" PRIu32 " jobs", started, waiting);
}

static void add_heading(const struct whatif_view *v, struct str *out)
{
	char when[MOMENT_TEXT];

	if (v->host->ops->draft(v->host->console) != 0)
		str_add(out, "Effects of the draft");
	else if (whatif_sight_is_past(&v->sight))
		str_addf(out, "Projection of the queue at %s",
			 wallclock_short(when, v->sight.o->now_s, v->host->ops->now_s(v->host->console)));
	else
		str_add(out, "Projection of the queue");
}

static void write_head(struct whatif_view *v, int width)
{
	struct str text = {0};

	add_heading(v, &text);
	page_clear(&v->head);
	page_line(&v->head);
	page_at(&v->head, 1);
	page_add(&v->head, ROLE_HELP_HEADING, str_text(&text));
	str_clear(&text);
	add_tier(v, &text);
	page_at(&v->head, width - 1 - text_width(str_text(&text)));
	page_add(&v->head, ROLE_STATUS, str_text(&text));
	if (whatif_sight_is_past(&v->sight))
		page_wrap(&v->head, ROLE_DIM, 1, width - 2,
			  "Projected from this past state, without later submissions and changes. A past "
			  "state cannot be changed; L returns to live.");
	else if (v->host->ops->draft(v->host->console) == 0)
		page_wrap(&v->head, ROLE_DIM, 1, width - 2,
			  "No draft is open. To open one, change weights (W) or a setting (: tune "
			  "user[eva].maxproc 8), or hold and release jobs (H, R). This screen shows the "
			  "draft's edits from all screens.");
	str_free(&text);
}

static void put_edits(struct whatif_view *v, struct canvas *canvas, struct rect *body)
{
	int most = v->pane == PANE_EDITS ? body->h / 2 : EDITS_H;

	v->edits.table.unfocused = v->pane != PANE_EDITS;
	table_draw(&v->edits.table, canvas, rect_take_top(body, edits_height(&v->edits, most)));
}

/*
 * Is every edit enabled, with exactly one event? If so, result n of the ablation, which is for event n of the
 * draft, belongs to edit n.
 */
static bool are_edits_single(const struct whatif_view *v)
{
	const struct edits *e = v->host->ops->edits(v->host->console);

	for (size_t i = 0; i < e->count; i++)
		if (e->item[i].off || e->item[i].events != 1)
			return false;
	return true;
}

static void write_foot(struct whatif_view *v, int width)
{
	const struct ablation_query *ablation =
		v->sight.tier != FUTURE_INSTANT ? v->host->ops->ablation(v->host->console) : NULL;
	struct str text = {0};

	page_clear(&v->foot);
	if (!ablation || !v->sight.comparing)
		return;
	if (ablation->ablate.count > 1 && are_edits_single(v)) {
		ablate_print(&ablation->ablate, ablation->query.plan_query->live.s, &text);
		page_wrap(&v->foot, ROLE_TEXT, 1, width - 2, str_text(&text));
	}
	for (size_t i = 0; i < ablation->odd.count; i++) {
		if (ablation->odd.item[i].severity == SEVERITY_NOTE)
			continue;
		str_clear(&text);
		str_addf(&text, "%s: %s", ablation->odd.item[i].id, ablation->odd.item[i].text);
		page_wrap(&v->foot, ROLE_WARNING, 1, width - 2, str_text(&text));
	}
	str_free(&text);
}

static void put_foot(struct whatif_view *v, struct canvas *canvas, struct rect *body, int most)
{
	int lines;

	write_foot(v, body->w);
	lines = (int)v->foot.lines < most ? (int)v->foot.lines : most;
	if (lines > 0)
		page_draw(&v->foot, canvas, rect_take_bottom(body, lines));
}

static void put_jobs(struct whatif_view *v, struct canvas *canvas, struct rect r)
{
	struct rect jobs = rect_take_left(&r, jobs_width(r.w));

	if (r.w > 0) {
		struct rect totals;

		(void)rect_take_left(&r, 1);
		totals = rect_take_left(&r, TOTALS_W);
		page_clear(&v->totals);
		whatif_write_totals(&v->totals, &v->sight, TOTALS_W);
		page_draw(&v->totals, canvas, totals);
	}
	v->jobs.table.unfocused = v->pane != PANE_JOBS;
	table_draw(&v->jobs.table, canvas, jobs);
}

static void whatif_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct whatif_view *v = self;
	int height = r.h;

	/* No clicks on the lists, unless the code below draws them. */
	v->jobs.table.body = v->groups.table.body = 0;
	write_head(v, r.w);
	page_draw(&v->head, canvas, rect_take_top(&r, (int)v->head.lines));
	put_edits(v, canvas, &r);
	if (!v->sight.w)
		return;
	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	if (height >= TIME_H)
		draw_utilization(&v->sight, canvas, rect_take_bottom(&r, TIME_LINES));
	put_foot(v, canvas, &r, height / 6);
	if (v->pane == PANE_GROUPS)
		table_draw(&v->groups.table, canvas, r);
	else
		put_jobs(v, canvas, r);
}

/* --- keys --------------------------------------------------------------------------------------------- */

static bool whatif_act(void *self, enum action action, int arg)
{
	struct whatif_view *v = self;
	struct table *own = v->pane == PANE_GROUPS ? &v->groups.table : &v->edits.table;

	(void)arg;
	if (v->pane != PANE_JOBS && moving_table(own, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
		v->pane = (v->pane + 1) % PANE_COUNT;
		return true;
	case ACTION_PANE_PREVIOUS:
		v->pane = (v->pane + PANE_COUNT - 1) % PANE_COUNT;
		return true;
	case ACTION_ASSUME:
		v->host->ops->assume_next(v->host->console);
		return true;
	default:
		return act_on_edit(&v->edits, action) || query_prompt(v->host, action, v->edits.table.cursor);
	}
}

static struct table *whatif_table(void *self)
{
	return &((struct whatif_view *)self)->jobs.table;
}

/*
 * Appends the figures of the group under the cursor if the groups have the focus, otherwise those of the
 * current job and the totals.
 */
static void whatif_numbers(void *self, struct figures *out)
{
	const struct whatif_view *v = self;
	const struct whatif_group *group = v->pane == PANE_GROUPS ? whatif_groups_chosen(&v->groups) : NULL;
	const struct projection_query *f = v->host->ops->projection_query(v->host->console);

	if (group) {
		whatif_figures_group(out, &v->sight, group);
	} else {
		whatif_figures_job(out, &v->sight, v->host->ops->job(v->host->console));
		whatif_figures_totals(out, &v->sight);
	}
	whatif_figures_tier(out, &v->sight,
			    f && f->run_assumption ? f->run_assumption->kind : ASSUME_WCLIMIT);
}

static void whatif_status(void *self, struct str *out)
{
	static const char *const panes[PANE_COUNT] = {"jobs", "totals", "edits"};
	const struct whatif_view *v = self;

	if (v->sight.comparing && v->sight.w)
		str_addf(out, "%" PRIu32 " earlier, %" PRIu32 " later, %" PRIu32 " change rank   ",
			 v->sight.w->earlier, v->sight.w->later, v->sight.w->reordered);
	str_addf(out, "focus: %s (<Tab>)", panes[v->pane]);
}

static const enum action hints[] = {
	ACTION_SWEEP,   ACTION_GOAL,    ACTION_ASSUME, ACTION_REWEIGHT, ACTION_HOLD, ACTION_WHY,
	ACTION_RELEASE, ACTION_NUMBERS, ACTION_FILTER, ACTION_BACK,     ACTION_NONE,
};

/* Hints with the keys for edits, used while there is a draft. */
static const enum action draft_hints[] = {
	ACTION_EDIT,    ACTION_SWITCH,   ACTION_SWEEP, ACTION_GOAL, ACTION_ASSUME,
	ACTION_REMOVE,  ACTION_REWEIGHT, ACTION_HOLD,  ACTION_WHY,  ACTION_RELEASE,
	ACTION_NUMBERS, ACTION_FILTER,   ACTION_BACK,  ACTION_NONE,
};

const struct view_ops view_whatif = {
	.name = "whatif",
	.fields = job_fields,
	.names = "type",
	.title = "What-if",
	.number = 7,
	.size = sizeof(struct whatif_view),
	.jobs = true,
	.shows_draft = true,
	.hints = hints,
	.draft_hints = draft_hints,
	.open = whatif_open,
	.close = whatif_close,
	.recalc = whatif_recalc,
	.draw = whatif_draw,
	.act = whatif_act,
	.table = whatif_table,
	.match = whatif_jobs_match,
	.status = whatif_status,
	.numbers = whatif_numbers,
};
