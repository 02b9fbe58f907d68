/* SPDX-License-Identifier: MIT */
/*
 * view_goal.c - Goal screen: the smallest change of one weight or limit that starts a job in time
 *
 * In ascending order of the change, with the effect on other jobs; <Enter> adds one to the draft. If there is
 * none, the screen shows the reason.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "query_view.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_fields.h"
#include "view.h"

enum column {
	COL_NAME,
	COL_BEFORE,
	COL_VALUE,
	COL_CHANGE,
	COL_START,
	COL_EARLIER,
	COL_LATER,
	COL_WORST,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_NAME] = {.title = "SETTING", .min = 26, .flexible = true},
	[COL_BEFORE] = {.title = "NOW", .min = 9, .align = TEXT_RIGHT, .drop = 1},
	[COL_VALUE] = {.title = "TO", .min = 9, .align = TEXT_RIGHT},
	[COL_CHANGE] = {.title = "CHANGE", .min = 6, .align = TEXT_RIGHT},
	[COL_START] = {.title = "STARTS", .min = 11},
	[COL_EARLIER] = {.title = "EARLIER", .min = 7, .align = TEXT_RIGHT, .drop = 2},
	[COL_LATER] = {.title = "LATER", .min = 5, .align = TEXT_RIGHT},
	[COL_WORST] = {.title = "AT MOST", .min = 11, .align = TEXT_RIGHT},
};

/* --- rows ---------------------------------------------------------------------------------------- */

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct trial_view *v = self;
	const struct goal_way *way = &v->t->goal.way[row];
	char text[DURATION_TEXT];

	switch (column) {
	case COL_NAME:
		str_add(out, way->name);
		return ROLE_STRONG;
	case COL_BEFORE:
		if (way->is_set)
			str_addf(out, "%.10g", way->now);
		else
			str_add_char(out, '-');
		return ROLE_DIM;
	case COL_VALUE:
		str_addf(out, "%.10g", way->number);
		return ROLE_DRAFT;
	case COL_CHANGE:
		if (isinf(way->relative))
			str_add(out, "-");
		else
			str_addf(out, "%.1f%%", 100 * way->relative);
		return ROLE_TEXT;
	case COL_START:
		return jobs_add_when(way->start_s, v->t->outlook->now_s, false, out);
	case COL_EARLIER:
		str_addf(out, "%" PRIu32, way->earlier);
		return way->earlier > 0 ? ROLE_EARLIER : ROLE_DIM;
	case COL_LATER:
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

static void add_question(const struct draft_query *t, struct str *out)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	int64_t now_s = t->outlook->now_s;

	str_addf(out, "Start job %s %s%s", trial_job_label(t, label), t->by_s > now_s ? "by " : "",
		 moment(when, t->by_s, now_s));
}

/* The start without a change. */
static void add_itself(const struct draft_query *t, struct str *out)
{
	char when[MOMENT_TEXT];

	if (t->goal.start_s == TIME_NEVER)
		str_add(out, "never without a change");
	else
		str_addf(out, "%s without a change", moment(when, t->goal.start_s, t->outlook->now_s));
}

static void put_found(struct trial_view *v, int width)
{
	const struct goal *g = &v->t->goal;
	struct str text = {0};

	if (g->needless) {
		str_add(&text, "No change needed: the job starts ");
		add_itself(v->t, &text);
		str_add_char(&text, '.');
	} else if (g->count > 0) {
		str_addf(&text,
			 "Changing any one of %zu weights and limits (of %zu tried) is enough; the smallest "
			 "change is first. The job starts ",
			 g->count, g->tried);
		add_itself(v->t, &text);
		str_add(&text, ". Each change was projected; none is applied.");
	} else {
		str_addf(&text,
			 "No single change of %zu weights and limits is enough, from 0 to ten times the "
			 "current value (at least 1000). The job starts ",
			 g->tried);
		add_itself(v->t, &text);
		str_addf(&text, ". It %s", str_text(&g->holds));
	}
	page_wrap(&v->head, g->count > 0 || g->needless ? ROLE_TEXT : ROLE_REASON, 1, width - 2,
		  str_text(&text));
	str_free(&text);
}

/* NULL if there is none. */
static const struct goal_way *way_at(const struct trial_view *v, size_t row)
{
	return row == TABLE_NO_ROW ? NULL : &v->t->goal.way[row];
}

static void take(const struct trial_view *v, size_t row)
{
	const struct goal_way *way = way_at(v, row);

	if (!way) {
		trial_say_none(v->host, "No change under the cursor.");
		return;
	}
	v->host->ops->preview_tune(v->host->console, way->name, way->value);
}

static size_t rows(const struct draft_query *t)
{
	return t->goal.count;
}

static size_t first_row(const struct draft_query *t)
{
	(void)t;
	return 0;
}

static const struct trial_face face = {
	.kind = DRAFT_QUERY_GOAL,
	.columns = columns,
	.column_count = COL_COUNT,
	.rows = rows,
	.first_row = first_row,
	.cell = cell,
	.add_question = add_question,
	.put_found = put_found,
	.take = take,
	.tried = "weights and limits",
	.nothing = "No search yet: press B on the What-if screen.",
};

static void goal_open(void *self, struct screen_host *host)
{
	trial_view_open(self, host, &face);
}

static void goal_status(void *self, struct str *out)
{
	const struct trial_view *v = self;
	const struct goal_way *way = way_at(v, trial_view_row(v));
	const struct snapshot *s = way ? v->t->outlook->live.s : NULL;
	uint32_t slot = way && way->most_delayed ? snapshot_find_job(s, way->most_delayed) : INDEX_NONE;
	char label[JOB_LABEL_TEXT];

	if (way)
		str_add(out, "EARLIER, LATER: other jobs");
	if (slot != INDEX_NONE)
		str_addf(out, "; job %s most", snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

static const enum action hints[] = {ACTION_GOAL, ACTION_SWEEP, ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_goal = {
	.name = "goal",
	.title = "Start by",
	.size = sizeof(struct trial_view),
	.no_job = true,
	.tries = true,
	.hints = hints,
	.open = goal_open,
	.close = trial_view_close,
	.recalc = trial_view_recalc,
	.draw = trial_view_draw,
	.act = trial_view_act,
	.table = trial_view_table,
	.status = goal_status,
};
