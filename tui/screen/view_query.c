/* SPDX-License-Identifier: MIT */
/*
 * view_query.c - Sweep and Goal screens
 *
 * The Sweep screen shows the effect of several values of one setting: a row for the current value, then a row
 * for each other value. The best value is the one with the shortest mean wait.
 *
 * The Goal screen shows weights and limits, each of which would start a job in time if it alone were changed,
 * with the smallest sufficient change and its effect on other jobs. The smallest change comes first. If no
 * single change is enough, the screen shows why.
 *
 * Both screens show the query at the top and the rows of its result below. <Enter> proposes the change of a
 * row. While a query runs, or if the last result belongs to the other screen, there are no rows.
 */
#include "view_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/pass/crossover.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/table.h"
#include "tui/query/draft_query.h"
#include "tui/report/changes.h"
#include "tui/report/job_fields.h"
#include "view.h"
#include "whatif_sight.h"

struct query_view;

/* The differences between the two screens. */
struct query_face {
	enum draft_query_kind kind;
	const struct table_column *columns;
	size_t column_count;
	/* Number of rows of a complete result, and the row on which the cursor starts. */
	size_t (*rows)(const struct draft_query *t);
	size_t (*first_row)(const struct draft_query *t);
	/* Callback of the table. `self` is the view; its result is complete. */
	enum role (*cell)(void *self, size_t row, size_t column, struct str *out);
	void (*add_question)(const struct draft_query *t, struct str *out);
	/* Writes a summary of the result below the query. */
	void (*put_found)(struct query_view *v, int width);
	/*
	 * Proposes the change of a row, or shows a message that says why that is not possible. `row` is
	 * TABLE_NO_ROW if there is no row.
	 */
	void (*take)(const struct query_view *v, size_t row);
	const char *tried;   /* unit of the progress: "projections" */
	const char *nothing; /* text shown if there was no query yet */
};

struct query_view {
	struct screen_host *host;
	const struct query_face *face;
	struct table table;
	struct page head;
	const struct draft_query *t; /* the result that is shown; NULL while it is not complete */
	uint64_t number;             /* number of the last result for which the cursor was placed */
};

/* --- prompts ------------------------------------------------------------------------------------------ */

/*
 * The prompt for a sweep initially contains an option and a range of values: the option of the edit under the
 * cursor, otherwise a weight in use. The prompt for a goal initially contains "now".
 */

static void refuse(struct screen_host *host, const struct err *err)
{
	host->ops->say(host->console, ROLE_ERROR, "%s", err->text);
}

/* --- prompt for a sweep ------------------------------------------------------------------------------- */

static void sweep_typed(void *self, const char *text)
{
	struct screen_host *host = self;
	struct err err;

	if (text[0] && !host->ops->try_sweep(host->console, text, &err))
		refuse(host, &err);
}

/* Returns the option that a draft edit sets; NULL if it sets none, or if its events are not known yet. */
static const char *setting_of(struct screen_host *host, size_t at)
{
	const struct proposal *p = host->ops->plan_query(host->console)->proposal;
	const struct edit *edit = at < host->ops->edits(host->console)->count
					  ? &host->ops->edits(host->console)->item[at]
					  : NULL;

	if (!p || !edit || edit->off || edit->first >= p->changes.count ||
	    p->changes.event[edit->first].kind != EVENT_SETTING)
		return NULL;
	return p->changes.event[edit->first].setting.name;
}

/*
 * Returns the name of a weight in use: that of the queue time or the expansion factor if possible, because
 * these are changed most often.
 */
static const char *weight_in_use(const struct snapshot *s)
{
	static const unsigned first[] = {PRIO_SERV_QUEUETIME, PRIO_SERV_XFACTOR};

	for (unsigned i = 0; i < 2 + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {FACTOR_WEIGHT, i < 2 ? first[i] : i - 2};

		if (crossover_in_use(&s->policy.weights, weight))
			return config_weight_name(weight);
	}
	return "queuetimeweight";
}

static void ask_sweep(struct screen_host *host, size_t edit)
{
	const struct plan_query *o = host->ops->plan_query(host->console);
	const struct snapshot *s = o->draft.s ? o->draft.s : o->live.s;
	const char *name = setting_of(host, edit);
	struct str offer = {0};

	if (name)
		sweep_spec_offer(s, name, &offer);
	if (offer.len == 0)
		sweep_spec_offer(s, weight_in_use(s), &offer);
	host->ops->ask(host->console, "sweep: ", str_text(&offer), sweep_typed, host);
	str_free(&offer);
}

/* --- prompt for a goal -------------------------------------------------------------------------------- */

static void goal_typed(void *self, const char *text)
{
	struct screen_host *host = self;
	int64_t by_s = host->ops->plan_query(host->console)->now_s;
	struct err err;

	if (!text[0])
		return;
	if ((!str_same_word(text, "now") && !wallclock_parse(text, by_s, &by_s, &err)) ||
	    !host->ops->try_goal(host->console, by_s, &err))
		refuse(host, &err);
}

static void ask_goal(struct screen_host *host)
{
	const struct forecast *f = &host->ops->plan_query(host->console)->live;
	const struct job *job = forecast_job(f, host->ops->job(host->console), NULL);
	char label[JOB_LABEL_TEXT], sign[JOB_LABEL_TEXT + 32];

	if (!job || job->state != JOB_IDLE) {
		host->ops->say(host->console, ROLE_MESSAGE, "No idle job under the cursor.");
		return;
	}
	snprintf(sign, sizeof sign, "start job %s by: ", snapshot_job_label(f->s, job, label));
	host->ops->ask(host->console, sign, "now", goal_typed, host);
}

bool query_prompt(struct screen_host *host, enum action action, size_t edit)
{
	if (action != ACTION_SWEEP && action != ACTION_GOAL)
		return false;
	if (!host->ops->plan_query(host->console))
		host->ops->say(host->console, ROLE_MESSAGE, "The queue has not been read yet.");
	else if (action == ACTION_SWEEP)
		ask_sweep(host, edit);
	else
		ask_goal(host);
	return true;
}

/* --- query, tier and progress ------------------------------------------------------------------------- */

/*
 * Returns the last query if it is of this kind, otherwise NULL. Sets *making if a query is running
 * (screen_host_ops.draft_query).
 */
static const struct draft_query *query_of_kind(struct screen_host *host, enum draft_query_kind kind,
					       bool *making)
{
	const struct draft_query *t = host->ops->draft_query(host->console, making);

	return t && t->kind == kind ? t : NULL;
}

static void query_say_none(struct screen_host *host, const char *missing)
{
	bool making;

	(void)host->ops->draft_query(host->console, &making);
	host->ops->say(host->console, ROLE_MESSAGE, "%s", making ? "The search is still running." : missing);
}

static const char *query_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT])
{
	const struct snapshot *s = t->query.plan_query->live.s;
	const struct job *job = forecast_job(&t->query.plan_query->live, t->job, NULL);

	if (job)
		return snapshot_job_label(s, job, buf);
	snprintf(buf, JOB_LABEL_TEXT, "-");
	return buf;
}

/*
 * Appends the time of the result to its title if the result is for a state other than the one shown, and
 * either of these states is a past one. The result itself does not change when another state is shown.
 */
static void add_moment(const struct draft_query *t, struct screen_host *host, struct str *out)
{
	const struct plan_query *shown = host->ops->plan_query(host->console), *asked = t->query.plan_query;
	char when[MOMENT_TEXT];

	if (shown->picture != asked->picture && (plan_query_is_past(shown) || plan_query_is_past(asked)))
		str_addf(out, ", as of %s",
			 wallclock_short(when, asked->now_s, host->ops->now_s(host->console)));
}

/* Writes the query, the time of its state if it is not the shown one, and the tier, on one or two lines. */
static void query_head_put(struct page *p, struct screen_host *host, const struct draft_query *t,
			   const char *question, int width)
{
	struct str text = {0};
	const char *tier =
		whatif_tier(FUTURE_FULL, t->run_assumption ? t->run_assumption->kind : ASSUME_WCLIMIT);
	int at = width - 1 - text_width(tier);

	str_add(&text, question);
	add_moment(t, host, &text);
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_HELP_HEADING, str_text(&text));
	if (at < text_width(str_text(&text)) + 3)
		page_line(p);
	str_free(&text);
	page_at(p, at);
	page_add(p, ROLE_STATUS, tier);
}

/* Writes the progress of the query: "3 of 12 projections ...". */
static void query_head_progress(struct page *p, const struct draft_query *t, const char *of_what)
{
	size_t of = atomic_load_explicit(&t->of, memory_order_relaxed);
	size_t done = atomic_load_explicit(&t->done, memory_order_relaxed);

	page_line(p);
	page_at(p, 1);
	if (of == 0)
		page_addf(p, ROLE_DIM, "evaluating %s ...", of_what);
	else
		page_addf(p, ROLE_DIM, "%zu of %zu %s ...   <Esc> stops", done, of, of_what);
}

/* Writes why the query failed or, if none was started (t is NULL), how to start one. */
static void query_head_nothing(struct page *p, const struct draft_query *t, const char *how, int width)
{
	page_wrap(p, t ? ROLE_ERROR : ROLE_DIM, 1, width - 2, t ? t->err.text : how);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void query_view_open(struct query_view *v, struct screen_host *host, const struct query_face *face)
{
	v->host = host;
	v->face = face;
	table_init(&v->table, face->columns, face->column_count);
}

static void query_view_close(void *self)
{
	struct query_view *v = self;

	table_free(&v->table);
	page_free(&v->head);
}

static uint64_t key(void *self, size_t row)
{
	(void)self;
	return row + 1;
}

/* Updates the rows. For a new result, places the cursor. */
static void query_view_recalc(void *self)
{
	struct query_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = v->face->cell};
	bool making;

	v->t = query_of_kind(v->host, v->face->kind, &making);
	if (making || (v->t && v->t->err.text[0] != '\0'))
		v->t = NULL;
	source.rows = v->t ? v->face->rows(v->t) : 0;
	table_update(&v->table, &source);
	if (!v->t || v->number == v->t->number)
		return;
	v->number = v->t->number;
	table_go_row(&v->table, v->face->first_row(v->t));
}

static void write_head(struct query_view *v, int width)
{
	bool making;
	const struct draft_query *t = query_of_kind(v->host, v->face->kind, &making);
	struct str question = {0};

	page_clear(&v->head);
	if (t) {
		v->face->add_question(t, &question);
		query_head_put(&v->head, v->host, t, str_text(&question), width);
	}
	if (t && making)
		query_head_progress(&v->head, t, v->face->tried);
	else if (v->t)
		v->face->put_found(v, width);
	else
		query_head_nothing(&v->head, t, v->face->nothing, width);
	str_free(&question);
}

static void query_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct query_view *v = self;

	write_head(v, r.w);
	page_draw(&v->head, canvas, rect_take_top(&r, (int)v->head.lines));
	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	if (v->t && v->face->rows(v->t) > 0)
		table_draw(&v->table, canvas, r);
}

static size_t query_view_row(const struct query_view *v)
{
	return v->t ? v->table.cursor : TABLE_NO_ROW;
}

static bool query_view_act(void *self, enum action action, int arg)
{
	struct query_view *v = self;

	(void)arg;
	if (action == ACTION_OPEN)
		v->face->take(v, query_view_row(v));
	else
		return query_prompt(v->host, action, SIZE_MAX);
	return true;
}

static struct table *query_view_table(void *self)
{
	return &((struct query_view *)self)->table;
}

/* --- Sweep screen ------------------------------------------------------------------------------------- */

enum sweep_column {
	SWEEP_BEST,
	SWEEP_VALUE,
	SWEEP_WAIT,
	SWEEP_ORDER,
	SWEEP_MOVED,
	SWEEP_LATER,
	SWEEP_START,
	SWEEP_RANK,
	SWEEP_COUNT
};

static const struct table_column sweep_columns[SWEEP_COUNT] = {
	[SWEEP_BEST] = {.title = "", .min = 1},
	[SWEEP_VALUE] = {.title = "VALUE", .min = 10, .max = 24, .align = TEXT_RIGHT},
	[SWEEP_WAIT] = {.title = "MEAN WAIT", .min = 11, .align = TEXT_RIGHT},
	[SWEEP_ORDER] = {.title = "ORDER", .min = 6, .align = TEXT_RIGHT},
	[SWEEP_MOVED] = {.title = "MOVED", .min = 6, .align = TEXT_RIGHT},
	[SWEEP_LATER] = {.title = "LATER", .min = 6, .align = TEXT_RIGHT},
	[SWEEP_START] = {.title = "  START", .min = 14},
	[SWEEP_RANK] = {.title = "RANK", .min = 5, .align = TEXT_RIGHT, .drop = 1},
};

/* --- rows: the first is the current value ------------------------------------------------------------- */

static const struct sweep_point *point_at(const struct query_view *v, size_t row)
{
	return row == 0 ? &v->t->sweep.live : &v->t->sweep.point[row - 1];
}

static size_t best_row(const struct draft_query *t)
{
	size_t best = sweep_best(&t->sweep);

	return best == INDEX_NONE ? TABLE_NO_ROW : best + 1;
}

static void add_wait(const struct query_view *v, const struct sweep_point *p, struct str *out)
{
	uint32_t jobs = v->t->sweep.jobs;
	char text[DURATION_TEXT];

	str_add(out, jobs > 0 ? duration_text(text, (int64_t)whatif_mean(p->totals.wait_s, jobs)) : "-");
}

static enum role add_count(struct str *out, uint32_t count, enum role role)
{
	str_addf(out, "%" PRIu32, count);
	return count > 0 ? role : ROLE_DIM;
}

static enum role point_cell(const struct query_view *v, const struct sweep_point *p, size_t column,
			    struct str *out)
{
	switch (column) {
	case SWEEP_WAIT:
		add_wait(v, p, out);
		return ROLE_STRONG;
	case SWEEP_ORDER:
		return add_count(out, p->reordered, ROLE_TEXT);
	case SWEEP_MOVED:
		return add_count(out, p->change.changed, ROLE_TEXT);
	case SWEEP_LATER:
		return add_count(out, p->change.later, ROLE_LATER);
	case SWEEP_START:
		str_add(out, "  ");
		return v->t->job ? jobs_add_when(p->watch_s, v->t->query.plan_query->now_s, false, out)
				 : ROLE_DIM;
	default:
		str_addf(out, p->watch_rank > 0 ? "%" PRIu32 : "-", p->watch_rank);
		return ROLE_TEXT;
	}
}

static enum role sweep_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct query_view *v = self;
	const struct sweep_point *p = point_at(v, row);
	bool is_best = row == best_row(v->t);

	switch (column) {
	case SWEEP_BEST:
		str_add(out, is_best ? "*" : "");
		return ROLE_EARLIER;
	case SWEEP_VALUE:
		str_add(out, row == 0 ? "current" : p->value);
		return is_best ? ROLE_EARLIER : row == 0 ? ROLE_DIM : ROLE_TEXT;
	default:
		if (!p->refused)
			return point_cell(v, p, column, out);
		str_add(out, column == SWEEP_WAIT ? "refused" : "");
		return ROLE_ERROR;
	}
}

/* --- the screen -------------------------------------------------------------------------------- */

static void sweep_put_found(struct query_view *v, int width)
{
	const struct sweep *found = &v->t->sweep;
	size_t best = sweep_best(found);
	struct str text = {0};

	if (best == INDEX_NONE) {
		str_add(&text, "No value gives a shorter mean wait than the current one, ");
	} else {
		str_addf(&text, "* %s gives the shortest mean wait, ", found->point[best].value);
		add_wait(v, &found->point[best], &text);
		str_add(&text, " instead of ");
	}
	add_wait(v, &found->live, &text);
	str_addf(&text, ", over the jobs that start with all values (%" PRIu32 ").", found->jobs);
	page_wrap(&v->head, ROLE_TEXT, 1, width - 2, str_text(&text));
	str_free(&text);
}

static void sweep_add_question(const struct draft_query *t, struct str *out)
{
	str_addf(out, "%s at %zu value%s%s", t->asked.name, t->asked.values, t->asked.values == 1 ? "" : "s",
		 t->query.plan_query->proposal ? ", on top of the draft" : "");
}

static void sweep_take(const struct query_view *v, size_t row)
{
	const struct sweep_point *p = row == TABLE_NO_ROW ? NULL : point_at(v, row);

	if (!p || !p->value) {
		query_say_none(v->host, "No value under the cursor.");
		return;
	}
	if (p->refused) {
		v->host->ops->say(v->host->console, ROLE_ERROR, "%s", p->err.text);
		return;
	}
	v->host->ops->preview_tune(v->host->console, v->t->asked.name, p->value);
}

static size_t sweep_rows(const struct draft_query *t)
{
	return t->sweep.points + 1;
}

static size_t sweep_first_row(const struct draft_query *t)
{
	size_t best = best_row(t);

	return best == TABLE_NO_ROW ? 0 : best;
}

static const struct query_face sweep_face = {
	.kind = DRAFT_QUERY_SWEEP,
	.columns = sweep_columns,
	.column_count = SWEEP_COUNT,
	.rows = sweep_rows,
	.first_row = sweep_first_row,
	.cell = sweep_cell,
	.add_question = sweep_add_question,
	.put_found = sweep_put_found,
	.take = sweep_take,
	.tried = "projections",
	.nothing = "No sweep yet: press V on the What-if screen.",
};

static void sweep_open(void *self, struct screen_host *host)
{
	query_view_open(self, host, &sweep_face);
}

static void sweep_status(void *self, struct str *out)
{
	const struct query_view *v = self;
	size_t row = query_view_row(v);
	const struct sweep_point *p = row == TABLE_NO_ROW ? NULL : point_at(v, row);
	char label[JOB_LABEL_TEXT];

	if (p && p->refused)
		str_add(out, p->err.text);
	else if (v->t && v->t->job)
		str_addf(out, "START and RANK are those of job %s; MOVED and LATER count all jobs",
			 query_job_label(v->t, label));
}

static const enum action sweep_hints[] = {ACTION_SWEEP, ACTION_GOAL, ACTION_BACK, ACTION_COMMAND,
					  ACTION_NONE};

const struct view_ops view_sweep = {
	.name = "sweep",
	.title = "Sweep",
	.size = sizeof(struct query_view),
	.no_job = true,
	.queries = QUERY_BIT(QUERY_DRAFT),
	.hints = sweep_hints,
	.open = sweep_open,
	.close = query_view_close,
	.recalc = query_view_recalc,
	.draw = query_view_draw,
	.act = query_view_act,
	.table = query_view_table,
	.status = sweep_status,
};

/* --- Goal screen -------------------------------------------------------------------------------------- */

enum goal_column {
	GOAL_NAME,
	GOAL_BEFORE,
	GOAL_VALUE,
	GOAL_CHANGE,
	GOAL_START,
	GOAL_EARLIER,
	GOAL_LATER,
	GOAL_WORST,
	GOAL_COUNT
};

static const struct table_column goal_columns[GOAL_COUNT] = {
	[GOAL_NAME] = {.title = "SETTING", .min = 26, .flexible = true},
	[GOAL_BEFORE] = {.title = "NOW", .min = 9, .align = TEXT_RIGHT, .drop = 1},
	[GOAL_VALUE] = {.title = "TO", .min = 9, .align = TEXT_RIGHT},
	[GOAL_CHANGE] = {.title = "CHANGE", .min = 6, .align = TEXT_RIGHT},
	[GOAL_START] = {.title = "STARTS", .min = 11},
	[GOAL_EARLIER] = {.title = "EARLIER", .min = 7, .align = TEXT_RIGHT, .drop = 2},
	[GOAL_LATER] = {.title = "LATER", .min = 5, .align = TEXT_RIGHT},
	[GOAL_WORST] = {.title = "AT MOST", .min = 11, .align = TEXT_RIGHT},
};

/* --- rows ---------------------------------------------------------------------------------------- */

static enum role goal_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct query_view *v = self;
	const struct goal_way *way = &v->t->goal.way[row];
	char text[DURATION_TEXT];

	switch (column) {
	case GOAL_NAME:
		str_add(out, way->name);
		return ROLE_STRONG;
	case GOAL_BEFORE:
		if (way->is_set)
			str_addf(out, "%.10g", way->now);
		else
			str_add_char(out, '-');
		return ROLE_DIM;
	case GOAL_VALUE:
		str_addf(out, "%.10g", way->number);
		return ROLE_DRAFT;
	case GOAL_CHANGE:
		if (isinf(way->relative))
			str_add(out, "-");
		else
			str_addf(out, "%.1f%%", 100 * way->relative);
		return ROLE_TEXT;
	case GOAL_START:
		return jobs_add_when(way->start_s, v->t->query.plan_query->now_s, false, out);
	case GOAL_EARLIER:
		str_addf(out, "%" PRIu32, way->earlier);
		return way->earlier > 0 ? ROLE_EARLIER : ROLE_DIM;
	case GOAL_LATER:
		str_addf(out, "%" PRIu32, way->later);
		return way->later > 0 ? ROLE_LATER : ROLE_DIM;
	default:
		if (way->most_delayed)
			str_addf(out, "+%s", duration_text(text, way->most_delay_s));
		else if (way->later > 0)
			str_add(out, "no start");
		return ROLE_LATER;
	}
}

/* --- the screen -------------------------------------------------------------------------------- */

static const char *moment(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s)
{
	return at_s <= now_s ? "now" : wallclock_short(buf, at_s, now_s);
}

static void goal_add_question(const struct draft_query *t, struct str *out)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	int64_t now_s = t->query.plan_query->now_s;

	str_addf(out, "Start job %s %s%s", query_job_label(t, label), t->by_s > now_s ? "by " : "",
		 moment(when, t->by_s, now_s));
}

/* Appends when the job starts without a change: "starts 19:44:39 without a change". */
static void add_itself(const struct draft_query *t, struct str *out)
{
	char when[MOMENT_TEXT];

	if (t->goal.start_s == TIME_NEVER)
		str_add(out, "never starts without a change");
	else
		str_addf(out, "starts %s without a change",
			 moment(when, t->goal.start_s, t->query.plan_query->now_s));
}

static void goal_put_found(struct query_view *v, int width)
{
	const struct goal *g = &v->t->goal;
	struct str text = {0};

	if (g->needless) {
		str_add(&text, "No change needed: the job ");
		add_itself(v->t, &text);
		str_add_char(&text, '.');
	} else if (g->count > 0) {
		str_addf(&text,
			 "Changing any one of %zu weights and limits (of %zu tried) is enough; the smallest "
			 "change is first. The job ",
			 g->count, g->tried);
		add_itself(v->t, &text);
		str_add(&text, ". Each change was projected; none is applied.");
	} else {
		str_addf(&text,
			 "No single change of %zu weights and limits is enough, from 0 to ten times the "
			 "current value (at least 1000). The job ",
			 g->tried);
		add_itself(v->t, &text);
		str_addf(&text, ". It %s", str_text(&g->holds));
	}
	page_wrap(&v->head, g->count > 0 || g->needless ? ROLE_TEXT : ROLE_REASON, 1, width - 2,
		  str_text(&text));
	str_free(&text);
}

/* Returns the change in a row; NULL for TABLE_NO_ROW. */
static const struct goal_way *way_at(const struct query_view *v, size_t row)
{
	return row == TABLE_NO_ROW ? NULL : &v->t->goal.way[row];
}

static void goal_take(const struct query_view *v, size_t row)
{
	const struct goal_way *way = way_at(v, row);

	if (!way) {
		query_say_none(v->host, "No change under the cursor.");
		return;
	}
	v->host->ops->preview_tune(v->host->console, way->name, way->value);
}

static size_t goal_rows(const struct draft_query *t)
{
	return t->goal.count;
}

static size_t goal_first_row(const struct draft_query *t)
{
	(void)t;
	return 0;
}

static const struct query_face goal_face = {
	.kind = DRAFT_QUERY_GOAL,
	.columns = goal_columns,
	.column_count = GOAL_COUNT,
	.rows = goal_rows,
	.first_row = goal_first_row,
	.cell = goal_cell,
	.add_question = goal_add_question,
	.put_found = goal_put_found,
	.take = goal_take,
	.tried = "weights and limits",
	.nothing = "No search yet: press B on the What-if screen.",
};

static void goal_open(void *self, struct screen_host *host)
{
	query_view_open(self, host, &goal_face);
}

static void goal_status(void *self, struct str *out)
{
	const struct query_view *v = self;
	const struct goal_way *way = way_at(v, query_view_row(v));
	const struct snapshot *s = way ? v->t->query.plan_query->live.s : NULL;
	uint32_t slot = way && way->most_delayed ? snapshot_find_job(s, way->most_delayed) : INDEX_NONE;
	char label[JOB_LABEL_TEXT];

	if (way)
		str_add(out, "EARLIER and LATER count other jobs");
	if (slot != INDEX_NONE)
		str_addf(out, "; job %s is delayed most",
			 snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

static const enum action goal_hints[] = {ACTION_GOAL, ACTION_SWEEP, ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_goal = {
	.name = "goal",
	.title = "Start by",
	.size = sizeof(struct query_view),
	.no_job = true,
	.queries = QUERY_BIT(QUERY_DRAFT),
	.hints = goal_hints,
	.open = goal_open,
	.close = query_view_close,
	.recalc = query_view_recalc,
	.draw = query_view_draw,
	.act = query_view_act,
	.table = query_view_table,
	.status = goal_status,
};
