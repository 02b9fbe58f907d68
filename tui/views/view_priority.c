/* SPDX-License-Identifier: MIT */
/*
 * view_priority.c - why is A before B, and what would other weights do?
 *
 * Above, the jobs in their order with what each factor that counts gives them, and the
 * shares of the sum as letters. Below, a slider for each weight. Moving one drafts the
 * change: the list then shows ranks and starts before and after, in the order that would be.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jobs.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sliders.h"
#include "tui/draw/meter.h"
#include "tui/formula.h"
#include "view.h"

#define FACTORS_MAX    9
#define MEASURED_W     140 /* from here on the measured values are shown too   */
#define INFLUENCE_JOBS 50
#define TWO_LINES_H    14 /* rows of the list that leave a second line to the formula */
#define HEADING        UINT32_MAX

/* Columns before the factors; without a draft. */
enum column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_PRIORITY,
	COL_FACTORS
};

/* Columns of a draft. */
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
	[DRAFT_USER] = {.title = "USER", .min = 7, .max = 10, .drop = 1},
	[DRAFT_RANK] = {.title = "RANK", .min = 10, .max = 12},
	[DRAFT_PRIO] = {.title = "PRIORITY", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[DRAFT_PRIO_AFTER] = {.title = "AFTER", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[DRAFT_START] = {.title = "START", .min = 11},
	[DRAFT_START_AFTER] = {.title = "AFTER", .min = 11},
	[DRAFT_CHANGE] = {.title = "CHANGE", .min = 12, .flexible = true},
};

struct priority_view {
	struct console *c;
	const struct outlook *o;
	bool comparing; /* the list shows the draft beside what is */
	struct table table;
	struct table_column column[COL_FACTORS + FACTORS_MAX + 1];
	char title[FACTORS_MAX][16];
	enum prio_factor factor[FACTORS_MAX]; /* those that count */
	size_t factors;
	uint32_t *slot; /* by row; HEADING for headings: the first of idle, the second of blocked */
	size_t rows, cap;
	size_t blocked_row; /* of the second heading; SIZE_MAX = none */
	bool percent;
	bool measured; /* there is room for what was measured beside its points */
	struct sliders sliders;
	bool sliding;   /* the sliders have the keys */
	uint64_t draft; /* the draft that the sliders made; 0 = none */
};

/* The queue whose order is shown. */
static const struct forecast *shown(const struct priority_view *v)
{
	return v->comparing ? &v->o->draft : &v->o->live;
}

/* --- columns ---------------------------------------------------------------------------- */

static bool counts(const struct prio_weights *w, enum prio_factor f)
{
	return w->factor[f] != 0 && w->component[policy_factor_info(f)->component] != 0;
}

/* What a factor moves among the first jobs, in points. */
static double influence(const struct priority_view *v, enum prio_factor f)
{
	const struct queue *q = &v->o->live.plan.queue;
	struct prio_result r;
	double sum = 0;

	for (uint32_t i = 0; i < q->idle_count && i < INFLUENCE_JOBS; i++) {
		forecast_priority(&v->o->live, &snapshot_jobs(v->o->live.s)[q->idle[i].slot], &r);
		sum += fabs(r.weighted[f]);
	}
	return sum;
}

/* On a narrow screen the columns go first that move least. */
static void rank_columns(struct priority_view *v)
{
	double moved[FACTORS_MAX];

	for (size_t i = 0; i < v->factors; i++)
		moved[i] = influence(v, v->factor[i]);
	for (size_t i = 0; i < v->factors; i++) {
		int before = 0;

		for (size_t k = 0; k < v->factors; k++)
			before += moved[k] > moved[i] || (k < i && moved[k] == moved[i]);
		v->column[COL_FACTORS + i].drop = before + 2;
	}
}

static void add_factor_column(struct priority_view *v, enum prio_factor f, const struct prio_weights *w)
{
	const struct prio_factor_info *info = policy_factor_info(f);
	struct str weight = {0};

	formula_number(&weight, w->factor[f]);
	snprintf(v->title[v->factors], sizeof v->title[0], "%s*%.7s", info->column, str_text(&weight));
	str_free(&weight);
	v->column[COL_FACTORS + v->factors] = (struct table_column){
		.title = v->title[v->factors],
		.min = v->measured ? 15 : 9,
		.align = TEXT_RIGHT,
	};
	v->factor[v->factors++] = f;
}

static void set_columns(struct priority_view *v)
{
	const struct prio_weights *w = &v->o->live.s->policy.weights;

	v->comparing = v->o->draft.s != NULL;
	if (v->comparing) {
		v->table.column = draft_columns;
		v->table.columns = DRAFT_COUNT;
		return;
	}
	v->factors = 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT && v->factors < FACTORS_MAX; f++)
		if (counts(w, f))
			add_factor_column(v, f, w);
	rank_columns(v);
	v->column[COL_FACTORS + v->factors] =
		(struct table_column){.title = "SHARES", .min = 12, .drop = 1, .flexible = true};
	v->table.column = v->column;
	v->table.columns = COL_FACTORS + v->factors + 1;
}

/* --- rows ------------------------------------------------------------------------------- */

static void add_row(struct priority_view *v, uint32_t slot)
{
	if (slot != HEADING && !jobs_match(shown(v), slot, console_filter(v->c)))
		return;
	v->slot = vec_room(v->slot, &v->cap, v->rows + 1, sizeof *v->slot);
	v->slot[v->rows++] = slot;
}

static void find_rows(struct priority_view *v)
{
	const struct queue *q = &shown(v)->plan.queue;

	v->rows = 0;
	add_row(v, HEADING);
	for (uint32_t i = 0; i < q->idle_count; i++)
		add_row(v, q->idle[i].slot);
	v->blocked_row = v->rows;
	add_row(v, HEADING);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		add_row(v, q->blocked[i]);
	if (v->rows == v->blocked_row + 1)
		v->rows--;
}

static enum role add_heading(const struct priority_view *v, size_t row, size_t column, struct str *out)
{
	if (column != TABLE_LABEL)
		return ROLE_SECTION;
	if (row == v->blocked_row)
		str_addf(out, "BLOCKED %zu - not in the order", v->rows - row - 1);
	else
		str_addf(out, "IDLE %zu - %s", v->blocked_row - row - 1,
			 v->comparing ? "in the order the draft would give" : "by priority");
	return ROLE_SECTION;
}

/* --- cells ------------------------------------------------------------------------------ */

static double total(const struct prio_result *r)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		sum += fabs(r->weighted[f]);
	return sum;
}

static enum role add_factor(const struct priority_view *v, const struct prio_result *r, enum prio_factor f,
			    struct str *out)
{
	double sum = total(r);

	if (v->percent) {
		formula_fixed(out, sum > 0 ? r->weighted[f] * 100 / sum : 0);
		str_add_char(out, '%');
	} else {
		str_addf(out, "%" PRId64, (int64_t)r->weighted[f]);
	}
	if (v->measured && !v->percent) {
		str_add(out, " (");
		formula_number(out, r->capped[f]);
		str_add_char(out, ')');
	}
	return r->weighted[f] != 0 ? ROLE_TEXT : ROLE_DIM;
}

static enum role add_plain_cell(const struct priority_view *v, uint32_t slot, size_t column, struct str *out)
{
	const struct job *job = &snapshot_jobs(v->o->live.s)[slot];
	struct prio_result r;

	if (column > COL_PRIORITY && column - COL_FACTORS >= v->factors)
		return ROLE_TEXT;
	forecast_priority(&v->o->live, job, &r);
	if (column != COL_PRIORITY)
		return add_factor(v, &r, v->factor[column - COL_FACTORS], out);
	str_addf(out, "%" PRId64, r.rank);
	return ROLE_STRONG;
}

static void add_place(struct str *out, uint32_t place)
{
	if (place)
		str_addf(out, "%" PRIu32, place);
	else
		str_add(out, "-");
}

static enum role add_rank(const struct priority_view *v, uint32_t slot, struct str *out)
{
	uint32_t before = v->o->live.place[slot], after = v->o->draft.place[slot];

	add_place(out, before);
	if (before == after)
		return ROLE_DIM;
	str_add(out, " -> ");
	add_place(out, after);
	return after != 0 && (before == 0 || after < before) ? ROLE_EARLIER : ROLE_LATER;
}

static enum role add_start(const struct forecast *f, uint32_t slot, struct str *out)
{
	int64_t start_s = f->plan.start_s[slot];
	char when[MOMENT_TEXT];

	if (start_s == TIME_NEVER)
		str_add(out, "-");
	else if (start_s <= f->plan.now_s)
		str_add(out, role_info(ROLE_START_NOW)->mark);
	else
		str_add(out, moment_short(when, start_s, f->plan.now_s));
	return start_s == TIME_NEVER ? ROLE_DIM : ROLE_TEXT;
}

static enum role add_change(const struct priority_view *v, uint32_t slot, struct str *out)
{
	int64_t before_s = v->o->live.plan.start_s[slot], after_s = v->o->draft.plan.start_s[slot];
	char by[DURATION_TEXT];

	if (before_s == after_s)
		return ROLE_DIM;
	if (before_s == TIME_NEVER || after_s == TIME_NEVER) {
		str_add(out, after_s == TIME_NEVER ? "no start" : "starts");
		return after_s == TIME_NEVER ? ROLE_LATER : ROLE_EARLIER;
	}
	str_addf(out, "%s%s", after_s < before_s ? "-" : "+",
		 duration_text(by, after_s < before_s ? before_s - after_s : after_s - before_s));
	return after_s < before_s ? ROLE_EARLIER : ROLE_LATER;
}

static enum role add_draft_cell(const struct priority_view *v, uint32_t slot, size_t column, struct str *out)
{
	const struct forecast *f = column == DRAFT_PRIO_AFTER ? &v->o->draft : &v->o->live;
	struct prio_result r;

	switch (column) {
	case DRAFT_RANK:
		return add_rank(v, slot, out);
	case DRAFT_PRIO:
	case DRAFT_PRIO_AFTER:
		forecast_priority(f, &snapshot_jobs(f->s)[slot], &r);
		str_addf(out, "%" PRId64, r.rank);
		return column == DRAFT_PRIO ? ROLE_DIM : ROLE_STRONG;
	case DRAFT_START:
		(void)add_start(&v->o->live, slot, out);
		return ROLE_DIM;
	case DRAFT_START_AFTER:
		return add_start(&v->o->draft, slot, out);
	default:
		return add_change(v, slot, out);
	}
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct priority_view *v = self;
	uint32_t slot = v->slot[row];
	const struct forecast *f = shown(v);
	const struct job *job;
	const char *user;
	enum role role;
	char label[JOB_LABEL_TEXT];

	if (slot == HEADING)
		return add_heading(v, row, column, out);
	job = &snapshot_jobs(f->s)[slot];
	role = jobs_role(f, slot);
	switch (column) {
	case COL_JOB:
		str_add(out, snapshot_job_label(f->s, job, label));
		return role;
	case COL_FLAG:
		str_add(out, role_info(role)->mark);
		return role;
	case COL_USER:
		user = snapshot_job_cred(f->s, job, CRED_USER);
		str_add(out, user ? user : "-");
		return ROLE_TEXT;
	default:
		return v->comparing ? add_draft_cell(v, slot, column, out)
				    : add_plain_cell(v, slot, column, out);
	}
}

static uint64_t key(void *self, size_t row)
{
	const struct priority_view *v = self;

	return snapshot_jobs(shown(v)->s)[v->slot[row]].id;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct priority_view *)self)->slot[row] == HEADING;
}

static bool match(void *self, size_t row)
{
	const struct priority_view *v = self;

	return v->slot[row] != HEADING && jobs_match(shown(v), v->slot[row], console_search(v->c));
}

/* --- the screen ------------------------------------------------------------------------- */

static void priority_open(void *self, struct console *c)
{
	struct priority_view *v = self;

	v->c = c;
	table_init(&v->table, draft_columns, DRAFT_COUNT);
	sliders_open(&v->sliders);
	v->column[COL_JOB] = draft_columns[DRAFT_JOB];
	v->column[COL_FLAG] = draft_columns[DRAFT_FLAG];
	v->column[COL_USER] = draft_columns[DRAFT_USER];
	v->column[COL_PRIORITY] = draft_columns[DRAFT_PRIO];
	v->column[COL_USER].drop = FACTORS_MAX + 3;
}

static void priority_close(void *self)
{
	struct priority_view *v = self;

	table_free(&v->table);
	sliders_close(&v->sliders);
	free(v->slot);
}

static void priority_enter(void *self)
{
	((struct priority_view *)self)->sliding = false;
}

static void priority_recalc(void *self)
{
	struct priority_view *v = self;
	struct table_source source = {.self = v, .key = key, .is_section = is_section, .cell = cell};

	v->o = console_outlook(v->c);
	if (console_draft(v->c) != v->draft)
		v->draft = 0;
	sliders_update(&v->sliders, &v->o->live.s->policy, v->draft != 0);
	set_columns(v);
	find_rows(v);
	source.rows = v->rows;
	table_update(&v->table, &source);
}

/* Shares of a job's sum, as letters, over the last column. */
static void put_shares(const struct priority_view *v, struct canvas *canvas, struct rect r, int x, int y,
		       int width, uint32_t slot)
{
	static const enum role role_of[PRIO_COMPONENT_COUNT] = {
		[PRIO_CRED] = ROLE_SHARE_CRED,     [PRIO_FS] = ROLE_SHARE_FS,
		[PRIO_RES] = ROLE_SHARE_RES,       [PRIO_SERV] = ROLE_SHARE_QUEUETIME,
		[PRIO_TARGET] = ROLE_SHARE_TARGET, [PRIO_USAGE] = ROLE_SHARE_USAGE,
	};
	struct share_part part[PRIO_FACTOR_COUNT];
	struct prio_result r_;

	forecast_priority(&v->o->live, &snapshot_jobs(v->o->live.s)[slot], &r_);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		part[f] = (struct share_part){.value = r_.weighted[f],
					      .role = role_of[policy_factor_info(f)->component]};
		if (f == PRIO_SERV_XFACTOR)
			part[f].role = ROLE_SHARE_XFACTOR;
		else if (f == PRIO_SERV_BYPASS)
			part[f].role = ROLE_SHARE_BYPASS;
	}
	meter_share(canvas, r, x, y, width, part, PRIO_FACTOR_COUNT);
}

static void put_all_shares(const struct priority_view *v, struct canvas *canvas, struct rect r)
{
	const struct table *t = &v->table;
	size_t last = t->columns - 1;
	int x = TABLE_GUTTER, width = t->width[last] < 40 ? t->width[last] : 40;

	for (size_t i = 0; i < last; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body && width > 0; y++) {
		size_t row = table_row_at(t, t->body_y + y);

		if (row == TABLE_NO_ROW || v->slot[row] == HEADING)
			continue;
		put_shares(v, canvas, r, x, t->body_y + y - r.y, width, v->slot[row]);
		if (row == t->cursor)
			canvas_overlay(canvas, (struct rect){r.x + x, t->body_y + y, width, 1},
				       t->unfocused ? ROLE_CURSOR_OFF : ROLE_CURSOR);
	}
}

static void put_formula(const struct priority_view *v, struct canvas *canvas, struct rect r)
{
	const struct job *job = forecast_job(shown(v), console_job(v->c), NULL);
	char label[JOB_LABEL_TEXT];
	struct page page = {0};
	struct str line = {0};

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	if (job) {
		str_addf(&line, "%s: ", snapshot_job_label(shown(v)->s, job, label));
		formula_line(shown(v), job, &line);
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

	if (v->measured != (r.w >= MEASURED_W)) {
		v->measured = r.w >= MEASURED_W;
		priority_recalc(v);
	}
	v->table.unfocused = v->sliding;
	table_draw(&v->table, canvas, r);
	if (!v->comparing)
		put_all_shares(v, canvas, r);
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
		console_propose(v->c, str_text(&lines));
		v->draft = console_draft(v->c);
	} else if (v->draft) {
		console_drop_draft(v->c);
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
		console_say(v->c, ROLE_ERROR, "%s", err.text);
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
		console_ask(v->c, "value:", str_text(&value), typed, v);
		str_free(&value);
		return true;
	case ACTION_PERCENT:
		v->percent = !v->percent;
		return true;
	default:
		return false;
	}
}

static struct table *priority_table(void *self)
{
	return &((struct priority_view *)self)->table;
}

static void priority_status(void *self, struct str *out)
{
	const struct priority_view *v = self;

	if (!v->o)
		return;
	if (v->o->draft.s)
		str_addf(out,
			 "order changes: %" PRIu32 "   starts moved: %" PRIu32 " (%" PRIu32
			 " earlier, %" PRIu32 " later)   ",
			 v->o->change.reordered, v->o->change.moved, v->o->change.earlier,
			 v->o->change.later);
	str_addf(out, "%s   keys go to the %s (<Tab> changes)", v->percent ? "percent" : "points",
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
	.match = match,
	.status = priority_status,
};
