/* SPDX-License-Identifier: MIT */
/*
 * view_priority.c - Priority screen: jobs by priority, and the effect of other weights
 *
 * The list shows the jobs by priority, with the points of each factor in use. Below the list is a slider for
 * each weight. Moving a slider adds the new weight to the draft; the list then shows ranks and starts before
 * and after, in the order of the draft.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "job_figures.h"
#include "page.h"
#include "sched/base/vec.h"
#include "sliders.h"
#include "tui/draw/meter.h"
#include "tui/draw/table.h"
#include "tui/query/neighbours.h"
#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/job_fields.h"
#include "tui/report/priority_report.h"
#include "view.h"
#include "whatif_sight.h"

#define FACTORS_MAX PRIO_FACTOR_COUNT

#define PLAIN_FIRST 4 /* number of columns before those of the factors */

struct priority_list {
	struct screen_host *host;
	const struct plan_query *o; /* source of the rows; NULL before the first update */
	bool comparing;             /* the columns compare live and draft */
	bool percent;
	bool measured; /* the value of a factor is shown beside its points */
	struct table table;
	struct table_column column[PLAIN_FIRST + FACTORS_MAX + 1];
	char title[FACTORS_MAX][24];
	enum prio_factor factor[FACTORS_MAX]; /* factors that have a column, in the order of their columns */
	size_t factors;
	/* By row: slot of the job; HEADING for the headings of idle and blocked jobs. */
	uint32_t *slot;
	size_t rows, cap;
	size_t blocked_row; /* row of the heading of blocked jobs */
};

/* --- list of jobs ------------------------------------------------------------------------------------- */

#define INFLUENCE_JOBS 50 /* number of idle jobs from which the influence of factors is computed */

#define SHARES_MAX 40 /* maximum number of letters in column SHARES */

#define HEADING UINT32_MAX

/* Columns without a draft; those of the factors follow. */
enum column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_PRIORITY,
	COL_FACTORS = PLAIN_FIRST
};

/* Columns with a draft. */
enum draft_column {
	DRAFT_JOB,
	DRAFT_FLAG,
	DRAFT_USER,
	DRAFT_RANK,
	DRAFT_PRIO,
	DRAFT_PRIO_AFTER,
	DRAFT_START,
	DRAFT_START_AFTER,
	DRAFT_CHANGE,
	DRAFT_COUNT
};

static const struct table_column draft_columns[DRAFT_COUNT] = {
	[DRAFT_JOB] = {.title = "JOB", .min = 6, .max = 10},
	[DRAFT_FLAG] = {.title = "", .min = 1},
	[DRAFT_USER] = {.title = "USER", .min = 7, .max = 10, .drop = 3},
	[DRAFT_RANK] = {.title = "RANK", .min = 10, .max = 12},
	[DRAFT_PRIO] = {.title = "PRIORITY", .min = 8, .max = 10, .align = TEXT_RIGHT, .drop = 1},
	[DRAFT_PRIO_AFTER] = {.title = "AFTER", .min = 8, .max = 10, .align = TEXT_RIGHT, .drop = 2},
	[DRAFT_START] = {.title = "START", .min = 12},
	[DRAFT_START_AFTER] = {.title = "AFTER", .min = 12},
	[DRAFT_CHANGE] = {.title = "CHANGE", .min = 12, .flexible = true},
};

/*
 * Appends the titles of factors whose columns do not fit on the screen, each preceded by a blank: without
 * these factors, the shown points do not add up to the priority.
 */
static void priority_list_add_hidden(const struct priority_list *l, struct str *out)
{
	for (size_t i = 0; !l->comparing && i < l->factors; i++)
		if (l->table.width[COL_FACTORS + i] == 0)
			str_addf(out, " %s", l->title[i]);
}

/* Returns the forecast whose order is shown: that of the draft if there is one. */
static const struct forecast *priority_list_shown(const struct priority_list *l)
{
	return l->comparing ? &l->o->draft : &l->o->live;
}

/* --- columns ------------------------------------------------------------------------------------------ */

static void find_points(const struct priority_list *l, uint32_t slot, struct prio_result *r,
			double points[static PRIO_FACTOR_COUNT])
{
	const struct forecast *f = &l->o->live;
	const struct job *job = &snapshot_jobs(f->s)[slot];

	forecast_priority(f, job, r);
	formula_points(snapshot_job_weights(f->s, job), r, points);
}

/* Computes the influence of each factor: the sum of its absolute points over the first idle jobs. */
static void find_influence(const struct priority_list *l, double moved[static PRIO_FACTOR_COUNT])
{
	const struct queue *q = &l->o->live.plan.queue;
	double points[PRIO_FACTOR_COUNT];
	struct prio_result r;

	for (uint32_t i = 0; i < q->idle_count && i < INFLUENCE_JOBS; i++) {
		find_points(l, q->idle[i].slot, &r, points);
		for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
			moved[f] += fabs(points[f]);
	}
}

/* Sets the order in which a narrow screen omits columns: the factor with the least influence first. */
static void rank_columns(struct priority_list *l, const double moved[static PRIO_FACTOR_COUNT])
{
	for (size_t i = 0; i < l->factors; i++) {
		double own = moved[l->factor[i]];
		int before = 0;

		for (size_t k = 0; k < l->factors; k++)
			before += moved[l->factor[k]] > own || (k < i && moved[l->factor[k]] == own);
		l->column[COL_FACTORS + i].drop = before + 2;
	}
}

/*
 * Adds the column of a factor. Its title has the points per unit: "QTime*2"; if only a QOS sets a weight, the
 * title is just the name.
 */
static void add_factor_column(struct priority_list *l, enum prio_factor f, const struct prio_weights *w)
{
	const struct prio_factor_info *info = policy_factor_info(f);
	double weight = w->factor[f] * w->component[info->component];
	struct str text = {0};

	if (weight != 0) {
		str_add_char(&text, '*');
		formula_number(&text, weight);
	}
	snprintf(l->title[l->factors], sizeof l->title[0], "%s%.16s", info->column, str_text(&text));
	str_free(&text);
	l->column[COL_FACTORS + l->factors] = (struct table_column){
		.title = l->title[l->factors],
		.min = l->measured ? 15 : 9,
		.align = TEXT_RIGHT,
	};
	l->factor[l->factors++] = f;
}

static void set_columns(struct priority_list *l)
{
	const struct prio_weights *w = &l->o->live.s->policy.weights;
	double moved[PRIO_FACTOR_COUNT] = {0};

	l->comparing = l->o->draft.s != NULL;
	if (l->comparing) {
		l->table.column = draft_columns;
		l->table.columns = DRAFT_COUNT;
		return;
	}
	find_influence(l, moved);
	l->factors = 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (moved[f] > 0 || w->factor[f] * w->component[policy_factor_info(f)->component] != 0)
			add_factor_column(l, f, w);
	rank_columns(l, moved);
	l->column[COL_FACTORS + l->factors] =
		(struct table_column){.title = "SHARES", .min = 12, .drop = 1, .flexible = true};
	l->table.column = l->column;
	l->table.columns = COL_FACTORS + l->factors + 1;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void add_row(struct priority_list *l, uint32_t slot)
{
	if (slot != HEADING &&
	    !jobs_match(priority_list_shown(l), slot, l->host->ops->filter(l->host->console)))
		return;
	l->slot = vec_room(l->slot, &l->cap, l->rows + 1, sizeof *l->slot);
	l->slot[l->rows++] = slot;
}

static void find_rows(struct priority_list *l)
{
	const struct queue *q = &priority_list_shown(l)->plan.queue;

	l->rows = 0;
	add_row(l, HEADING);
	for (uint32_t i = 0; i < q->idle_count; i++)
		add_row(l, q->idle[i].slot);
	l->blocked_row = l->rows;
	add_row(l, HEADING);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		add_row(l, q->blocked[i]);
	if (l->rows == l->blocked_row + 1)
		l->rows--;
}

static enum role add_heading(const struct priority_list *l, size_t row, size_t column, struct str *out)
{
	if (column != TABLE_LABEL)
		return ROLE_SECTION;
	if (row == l->blocked_row)
		str_addf(out, "BLOCKED %zu - not ranked", l->rows - row - 1);
	else
		str_addf(out, "IDLE %zu - %s", l->blocked_row - row - 1,
			 l->comparing ? "in the order of the draft" : "by priority");
	return ROLE_SECTION;
}

/* --- cells -------------------------------------------------------------------------------------------- */

static double total(const double points[static PRIO_FACTOR_COUNT])
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		sum += fabs(points[f]);
	return sum;
}

static enum role add_factor(const struct priority_list *l, const struct prio_result *r,
			    const double points[static PRIO_FACTOR_COUNT], enum prio_factor f,
			    struct str *out)
{
	double sum = total(points);

	if (l->percent) {
		formula_fixed(out, sum > 0 ? points[f] * 100 / sum : 0);
		str_add_char(out, '%');
	} else {
		str_addf(out, "%" PRId64, (int64_t)points[f]);
	}
	if (l->measured && !l->percent) {
		str_add(out, " (");
		formula_number(out, r->capped[f]);
		str_add_char(out, ')');
	}
	return points[f] != 0 ? ROLE_TEXT : ROLE_DIM;
}

static enum role add_plain_cell(const struct priority_list *l, uint32_t slot, size_t column, struct str *out)
{
	double points[PRIO_FACTOR_COUNT];
	struct prio_result r;

	if (column > COL_PRIORITY && column - COL_FACTORS >= l->factors)
		return ROLE_TEXT;
	find_points(l, slot, &r, points);
	if (column != COL_PRIORITY)
		return add_factor(l, &r, points, l->factor[column - COL_FACTORS], out);
	str_addf(out, "%" PRId64, r.rank);
	return ROLE_STRONG;
}

static enum role add_draft_cell(const struct priority_list *l, uint32_t slot, size_t column, struct str *out)
{
	const struct forecast *f = column == DRAFT_PRIO_AFTER ? &l->o->draft : &l->o->live;
	const struct whatif_future before = whatif_future_of(&l->o->live, whatif_draft_tier(l->o));
	const struct whatif_future after = whatif_future_of(&l->o->draft, whatif_draft_tier(l->o));
	struct prio_result r;

	switch (column) {
	case DRAFT_RANK:
		return jobs_add_rank(l->o->live.place[slot], l->o->draft.place[slot], out);
	case DRAFT_PRIO:
	case DRAFT_PRIO_AFTER:
		forecast_priority(f, &snapshot_jobs(f->s)[slot], &r);
		str_addf(out, "%" PRId64, r.rank);
		return column == DRAFT_PRIO ? ROLE_DIM : ROLE_STRONG;
	case DRAFT_START:
		(void)whatif_put_start(&before, slot, out);
		return ROLE_DIM;
	case DRAFT_START_AFTER:
		return whatif_put_start(&after, slot, out);
	default:
		return jobs_add_change(before.start_s[slot], after.start_s[slot],
				       l->table.width[DRAFT_CHANGE], out);
	}
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct priority_list *l = self;
	const struct forecast *f = priority_list_shown(l);
	uint32_t slot = l->slot[row];

	if (slot == HEADING)
		return add_heading(l, row, column, out);
	switch (column) {
	case COL_JOB:
		return jobs_add_label(f, slot, out);
	case COL_FLAG:
		return jobs_add_mark(f, slot, out);
	case COL_USER:
		return jobs_add_cred(f, slot, CRED_USER, out);
	default:
		return l->comparing ? add_draft_cell(l, slot, column, out)
				    : add_plain_cell(l, slot, column, out);
	}
}

static uint64_t key(void *self, size_t row)
{
	const struct priority_list *l = self;

	return snapshot_jobs(priority_list_shown(l)->s)[l->slot[row]].id;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct priority_list *)self)->slot[row] == HEADING;
}

/* Does a row match the search? Callback of table_search; `self` is the list. */
static bool priority_list_match(void *self, size_t row)
{
	const struct priority_list *l = self;

	return l->slot[row] != HEADING &&
	       jobs_match(priority_list_shown(l), l->slot[row], l->host->ops->search(l->host->console));
}

/*
 * Draws the parts of the job's priority as letters in the last column, in proportion to the points of each
 * factor.
 */
static void put_shares(const struct priority_list *l, struct canvas *canvas, struct rect r, int x, int y,
		       int width, uint32_t slot)
{
	static const enum role role_of[PRIO_COMPONENT_COUNT] = {
		[PRIO_CRED] = ROLE_SHARE_CRED,     [PRIO_FS] = ROLE_SHARE_FS,
		[PRIO_RES] = ROLE_SHARE_RES,       [PRIO_SERV] = ROLE_SHARE_QUEUETIME,
		[PRIO_TARGET] = ROLE_SHARE_TARGET, [PRIO_USAGE] = ROLE_SHARE_USAGE,
	};
	struct share_part part[PRIO_FACTOR_COUNT];
	double points[PRIO_FACTOR_COUNT];
	struct prio_result result;

	find_points(l, slot, &result, points);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		part[f] = (struct share_part){.value = points[f],
					      .role = role_of[policy_factor_info(f)->component]};
		if (f == PRIO_SERV_XFACTOR)
			part[f].role = ROLE_SHARE_XFACTOR;
		else if (f == PRIO_SERV_BYPASS)
			part[f].role = ROLE_SHARE_BYPASS;
	}
	meter_share(canvas, r, x, y, width, part, PRIO_FACTOR_COUNT);
}

static void put_all_shares(const struct priority_list *l, struct canvas *canvas, struct rect r)
{
	const struct table *t = &l->table;
	size_t last = t->columns - 1;
	int x = TABLE_GUTTER, width = t->width[last] < SHARES_MAX ? t->width[last] : SHARES_MAX;

	for (size_t i = 0; i < last; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body && width > 0; y++) {
		size_t row = table_row_at(t, t->body_y + y);

		if (row == TABLE_NO_ROW || l->slot[row] == HEADING)
			continue;
		put_shares(l, canvas, r, x, t->body_y + y - r.y, width, l->slot[row]);
		if (row == t->cursor)
			canvas_overlay(canvas, (struct rect){r.x + x, t->body_y + y, width, 1},
				       t->unfocused ? ROLE_CURSOR_OFF : ROLE_CURSOR);
	}
}

/* --- update ------------------------------------------------------------------------------------------- */

/* Free with priority_list_close. */
static void priority_list_open(struct priority_list *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, draft_columns, DRAFT_COUNT);
	l->column[COL_JOB] = draft_columns[DRAFT_JOB];
	l->column[COL_FLAG] = draft_columns[DRAFT_FLAG];
	l->column[COL_USER] = draft_columns[DRAFT_USER];
	l->column[COL_PRIORITY] = draft_columns[DRAFT_PRIO];
	l->column[COL_PRIORITY].drop = 0;
	l->column[COL_USER].drop = FACTORS_MAX + 3;
}

static void priority_list_close(struct priority_list *l)
{
	table_free(&l->table);
	free(l->slot);
}

/* Updates the rows from a plan query, with the console's filter. */
static void priority_list_update(struct priority_list *l, const struct plan_query *o)
{
	struct table_source source = {.self = l, .key = key, .is_section = is_section, .cell = cell};

	l->o = o;
	set_columns(l);
	find_rows(l);
	source.rows = l->rows;
	table_update(&l->table, &source);
}

static void priority_list_draw(struct priority_list *l, struct canvas *canvas, struct rect r)
{
	table_draw(&l->table, canvas, r);
	if (!l->comparing)
		put_all_shares(l, canvas, r);
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define MEASURED_W 140 /* width from which the values of factors are shown beside their points */

#define TWO_LINES_H 14 /* height above the sliders from which the formula has two lines */

#define NEIGHBOURS_H 16 /* height above the sliders from which both neighbours are shown */

struct priority_view {
	struct priority_list list;
	struct slider_pane pane;
	struct neighbours *neighbours; /* neighbours of job neighbours_job in the list's plan query */
	uint64_t neighbours_job;       /* 0 = neighbours must be computed */
};

static void priority_open(void *self, struct screen_host *host)
{
	struct priority_view *v = self;

	v->neighbours = mem_zero(1, sizeof *v->neighbours);
	priority_list_open(&v->list, host);
	slider_pane_open(&v->pane, host, SLIDERS_ORDER);
}

static void priority_close(void *self)
{
	struct priority_view *v = self;

	priority_list_close(&v->list);
	slider_pane_close(&v->pane);
	free(v->neighbours);
}

static void priority_enter(void *self)
{
	((struct priority_view *)self)->pane.focused = false;
}

static void priority_recalc(void *self)
{
	struct priority_view *v = self;

	v->neighbours_job = 0;
	v->list.measured = v->list.host->ops->width(v->list.host->console) >= MEASURED_W;
	slider_pane_recalc(&v->pane);
	priority_list_update(&v->list, v->list.host->ops->plan_query(v->list.host->console));
}

/*
 * Returns the neighbours of the current job in the queue, computed once per plan query and job; NULL if the
 * job is not idle.
 */
static const struct neighbours *cursor_neighbours(struct priority_view *v)
{
	const struct forecast *f = priority_list_shown(&v->list);
	uint64_t id = v->list.host->ops->job(v->list.host->console);
	uint32_t slot;

	if (v->neighbours_job == 0 || v->neighbours_job != id) {
		if (!forecast_job(f, id, &slot))
			return NULL;
		neighbours_find(v->neighbours, f, slot);
		v->neighbours_job = id;
	}
	return v->neighbours->waits ? v->neighbours : NULL;
}

static void put_neighbours(struct page *page, const struct neighbours *r, int width, bool all)
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
	const struct neighbours *neighbours = cursor_neighbours(v);
	char label[JOB_LABEL_TEXT];
	struct page page = {0}, below = {0};
	struct rect bottom;
	struct str line = {0};

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	if (neighbours)
		put_neighbours(&below, neighbours, r.w - 2, all);
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
	bool all = r.h >= NEIGHBOURS_H;
	struct rect formula = rect_take_bottom(&r, (r.h >= TWO_LINES_H ? 4 : 3) + (all ? 2 : 0));

	v->list.table.unfocused = v->pane.focused;
	priority_list_draw(&v->list, canvas, r);
	put_formula(v, canvas, formula, all);
	slider_pane_draw(&v->pane, canvas, sliders);
}

static void priority_numbers(void *self, struct figures *out)
{
	struct priority_view *v = self;
	const struct neighbours *neighbours = cursor_neighbours(v);
	enum formula_form form = v->list.percent    ? FORMULA_PERCENT
				 : v->list.measured ? FORMULA_MEASURED
						    : FORMULA_POINTS;

	job_figures_now(out, v->list.o, v->list.host->ops->job(v->list.host->console), form);
	if (neighbours)
		neighbours_figures(out, neighbours);
}

/* --- keys --------------------------------------------------------------------------------------------- */

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
	str_addf(out, "%s   focus: %s (<Tab>)", v->list.percent ? "percent" : "points",
		 v->pane.focused ? "weights" : "jobs");
	priority_list_add_hidden(&v->list, &hidden);
	if (hidden.len > 0)
		str_addf(out, "   hidden columns:%s", str_text(&hidden));
	str_free(&hidden);
}

static const enum action hints[] = {
	ACTION_REWEIGHT, ACTION_EDIT,    ACTION_TEN_LESS, ACTION_TEN_MORE, ACTION_DEFAULT,
	ACTION_PERCENT,  ACTION_NUMBERS, ACTION_UNDO,     ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_priority = {
	.name = "priority",
	.fields = job_fields,
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
