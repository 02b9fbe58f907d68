/* SPDX-License-Identifier: MIT */
/*
 * query_view.c - common parts of the Sweep and Goal screens
 *
 * While a query runs, or if the result belongs to another query, there are no rows.
 */
#include "query_view.h"

#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/pass/crossing.h"
#include "sched/rm/wallclock.h"
#include "tui/report/changes.h"
#include "view.h"
#include "whatif_sight.h"

/* --- prompts ------------------------------------------------------------------------------------------ */

/*
 * The prompt of a sweep contains the option of the edit under the cursor, or a weight in use, with a range
 * around its value; the prompt of a goal contains "now".
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

/* NULL: the edit sets no option, or its events are not known. */
static const char *setting_of(struct screen_host *host, size_t at)
{
	const struct proposal *p = host->ops->outlook(host->console)->proposal;
	const struct edit *edit = at < host->ops->edits(host->console)->count
					  ? &host->ops->edits(host->console)->item[at]
					  : NULL;

	if (!p || !edit || edit->off || edit->first >= p->changes.count ||
	    p->changes.event[edit->first].kind != EVENT_SETTING)
		return NULL;
	return p->changes.event[edit->first].setting.name;
}

/* The most frequently changed weight: queue time, otherwise any weight in use. */
static const char *weight_in_use(const struct snapshot *s)
{
	static const unsigned first[] = {PRIO_SERV_QUEUETIME, PRIO_SERV_XFACTOR};

	for (unsigned i = 0; i < 2 + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {FACTOR_WEIGHT, i < 2 ? first[i] : i - 2};

		if (crossing_in_use(&s->policy.weights, weight))
			return config_weight_name(weight);
	}
	return "queuetimeweight";
}

static void ask_sweep(struct screen_host *host, size_t edit)
{
	const struct plan_query *o = host->ops->outlook(host->console);
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
	int64_t by_s = host->ops->outlook(host->console)->now_s;
	struct err err;

	if (!text[0])
		return;
	if ((!str_same_word(text, "now") && !wallclock_parse(text, by_s, &by_s, &err)) ||
	    !host->ops->try_goal(host->console, by_s, &err))
		refuse(host, &err);
}

static void ask_goal(struct screen_host *host)
{
	const struct forecast *f = &host->ops->outlook(host->console)->live;
	const struct job *job = forecast_job(f, host->ops->job(host->console), NULL);
	char label[JOB_LABEL_TEXT], sign[JOB_LABEL_TEXT + 32];

	if (!job || job->state != JOB_IDLE) {
		host->ops->say(host->console, ROLE_MESSAGE, "No idle job under the cursor.");
		return;
	}
	snprintf(sign, sizeof sign, "start job %s by: ", snapshot_job_label(f->s, job, label));
	host->ops->ask(host->console, sign, "now", goal_typed, host);
}

bool whatif_asks(struct screen_host *host, enum action action, size_t edit)
{
	if (action != ACTION_SWEEP && action != ACTION_GOAL)
		return false;
	if (!host->ops->outlook(host->console))
		host->ops->say(host->console, ROLE_MESSAGE, "The queue has not been read yet.");
	else if (action == ACTION_SWEEP)
		ask_sweep(host, edit);
	else
		ask_goal(host);
	return true;
}

/* --- query, tier and progress ------------------------------------------------------------------------- */

/* The last query if it is of this kind, otherwise NULL. *making as in console_trial. */
static const struct draft_query *trial_of_kind(struct screen_host *host, enum draft_query_kind kind,
					       bool *making)
{
	const struct draft_query *t = host->ops->trial(host->console, making);

	return t && t->kind == kind ? t : NULL;
}

void trial_say_none(struct screen_host *host, const char *missing)
{
	bool making;

	(void)host->ops->trial(host->console, &making);
	host->ops->say(host->console, ROLE_MESSAGE, "%s", making ? "The search is still running." : missing);
}

const char *trial_job_label(const struct draft_query *t, char buf[static JOB_LABEL_TEXT])
{
	const struct snapshot *s = t->outlook->live.s;
	const struct job *job = forecast_job(&t->outlook->live, t->job, NULL);

	if (job)
		return snapshot_job_label(s, job, buf);
	snprintf(buf, JOB_LABEL_TEXT, "-");
	return buf;
}

/* A result does not change when a past state is shown; its title shows its time. */
static void add_moment(const struct draft_query *t, struct screen_host *host, struct str *out)
{
	const struct plan_query *shown = host->ops->outlook(host->console), *asked = t->outlook;
	char when[MOMENT_TEXT];

	if (shown->picture != asked->picture && (plan_query_is_past(shown) || plan_query_is_past(asked)))
		str_addf(out, ", as of %s",
			 wallclock_short(when, asked->now_s, host->ops->now_s(host->console)));
}

/* The query, its time if it differs from the shown one, and the tier, on one or two lines. */
static void trial_head_put(struct page *p, struct screen_host *host, const struct draft_query *t,
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

/* "3 of 12 projections": the progress. */
static void trial_head_progress(struct page *p, const struct draft_query *t, const char *of_what)
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

/* Says that no query was started, or why it failed. */
static void trial_head_nothing(struct page *p, const struct draft_query *t, const char *how, int width)
{
	page_wrap(p, t ? ROLE_ERROR : ROLE_DIM, 1, width - 2, t ? t->err.text : how);
}

/* --- rows --------------------------------------------------------------------------------------------- */

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

/* Sets the cursor for a new result. */
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
