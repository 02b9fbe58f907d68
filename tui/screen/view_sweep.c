/* SPDX-License-Identifier: MIT */
/*
 * view_sweep.c - Sweep screen: the effect of several values of one setting
 *
 * One row per value, after a row for the current value; <Enter> adds a value to the draft. The best value has
 * the shortest mean wait.
 */
#include <inttypes.h>
#include <string.h>

#include "query_view.h"
#include "sched/base/duration.h"
#include "tui/report/job_fields.h"
#include "view.h"

enum column {
	COL_BEST,
	COL_VALUE,
	COL_WAIT,
	COL_ORDER,
	COL_MOVED,
	COL_LATER,
	COL_START,
	COL_RANK,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_BEST] = {.title = "", .min = 1},
	[COL_VALUE] = {.title = "VALUE", .min = 10, .max = 24, .align = TEXT_RIGHT},
	[COL_WAIT] = {.title = "MEAN WAIT", .min = 11, .align = TEXT_RIGHT},
	[COL_ORDER] = {.title = "ORDER", .min = 6, .align = TEXT_RIGHT},
	[COL_MOVED] = {.title = "MOVED", .min = 6, .align = TEXT_RIGHT},
	[COL_LATER] = {.title = "LATER", .min = 6, .align = TEXT_RIGHT},
	[COL_START] = {.title = "  START", .min = 14},
	[COL_RANK] = {.title = "RANK", .min = 5, .align = TEXT_RIGHT, .drop = 1},
};

/* --- rows: the first is the current value ------------------------------------------------------------- */

static const struct sweep_point *point_at(const struct trial_view *v, size_t row)
{
	return row == 0 ? &v->t->sweep.live : &v->t->sweep.point[row - 1];
}

static size_t best_row(const struct draft_query *t)
{
	size_t best = sweep_best(&t->sweep);

	return best == INDEX_NONE ? TABLE_NO_ROW : best + 1;
}

static void add_wait(const struct trial_view *v, const struct sweep_point *p, struct str *out)
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

static enum role point_cell(const struct trial_view *v, const struct sweep_point *p, size_t column,
			    struct str *out)
{
	switch (column) {
	case COL_WAIT:
		add_wait(v, p, out);
		return ROLE_STRONG;
	case COL_ORDER:
		return add_count(out, p->reordered, ROLE_TEXT);
	case COL_MOVED:
		return add_count(out, p->change.changed, ROLE_TEXT);
	case COL_LATER:
		return add_count(out, p->change.later, ROLE_LATER);
	case COL_START:
		str_add(out, "  ");
		return v->t->job ? jobs_add_when(p->watch_s, v->t->outlook->now_s, false, out) : ROLE_DIM;
	default:
		str_addf(out, p->watch_rank > 0 ? "%" PRIu32 : "-", p->watch_rank);
		return ROLE_TEXT;
	}
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct trial_view *v = self;
	const struct sweep_point *p = point_at(v, row);
	bool is_best = row == best_row(v->t);

	switch (column) {
	case COL_BEST:
		str_add(out, is_best ? "*" : "");
		return ROLE_EARLIER;
	case COL_VALUE:
		str_add(out, row == 0 ? "current" : p->value);
		return is_best ? ROLE_EARLIER : row == 0 ? ROLE_DIM : ROLE_TEXT;
	default:
		if (!p->refused)
			return point_cell(v, p, column, out);
		str_add(out, column == COL_WAIT ? "refused" : "");
		return ROLE_ERROR;
	}
}

/* --- the screen -------------------------------------------------------------------------------- */

static void put_found(struct trial_view *v, int width)
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

static void add_question(const struct draft_query *t, struct str *out)
{
	str_addf(out, "%s at %zu value%s%s", t->asked.name, t->asked.values, t->asked.values == 1 ? "" : "s",
		 t->outlook->proposal ? ", on top of the draft" : "");
}

static void take(const struct trial_view *v, size_t row)
{
	const struct sweep_point *p = row == TABLE_NO_ROW ? NULL : point_at(v, row);

	if (!p || !p->value) {
		trial_say_none(v->host, "No value under the cursor.");
		return;
	}
	if (p->refused) {
		v->host->ops->say(v->host->console, ROLE_ERROR, "%s", p->err.text);
		return;
	}
	v->host->ops->preview_tune(v->host->console, v->t->asked.name, p->value);
}

static size_t rows(const struct draft_query *t)
{
	return t->sweep.points + 1;
}

static size_t first_row(const struct draft_query *t)
{
	size_t best = best_row(t);

	return best == TABLE_NO_ROW ? 0 : best;
}

static const struct trial_face face = {
	.kind = DRAFT_QUERY_SWEEP,
	.columns = columns,
	.column_count = COL_COUNT,
	.rows = rows,
	.first_row = first_row,
	.cell = cell,
	.add_question = add_question,
	.put_found = put_found,
	.take = take,
	.tried = "projections",
	.nothing = "No sweep yet: press V on the What-if screen.",
};

static void sweep_open(void *self, struct screen_host *host)
{
	trial_view_open(self, host, &face);
}

static void sweep_status(void *self, struct str *out)
{
	const struct trial_view *v = self;
	size_t row = trial_view_row(v);
	const struct sweep_point *p = row == TABLE_NO_ROW ? NULL : point_at(v, row);
	char label[JOB_LABEL_TEXT];

	if (p && p->refused)
		str_add(out, p->err.text);
	else if (v->t && v->t->job)
		str_addf(out, "START, RANK: of job %s   MOVED, LATER: starts of all jobs",
			 trial_job_label(v->t, label));
}

static const enum action hints[] = {ACTION_SWEEP, ACTION_GOAL, ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_sweep = {
	.name = "sweep",
	.title = "Sweep",
	.size = sizeof(struct trial_view),
	.no_job = true,
	.tries = true,
	.hints = hints,
	.open = sweep_open,
	.close = trial_view_close,
	.recalc = trial_view_recalc,
	.draw = trial_view_draw,
	.act = trial_view_act,
	.table = trial_view_table,
	.status = sweep_status,
};
