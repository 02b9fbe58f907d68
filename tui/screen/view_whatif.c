/* SPDX-License-Identifier: MIT */
/*
 * view_whatif.c - What-if screen: the effect of the draft
 *
 * Shows the edits of the draft, its effect on each job, beside it the totals, or instead of them the totals
 * by user and group, and at the bottom the utilization of the machine. The instant plan is used until the
 * full projection is complete; the first line shows which.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"
#include "page.h"
#include "sched/base/duration.h"
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
#include "whatif_sight.h"

#define TIME_LINES 3 /* two bars, and the hours */

struct whatif_edits {
	struct screen_host *host;
	struct table table;
	size_t asked; /* edit for which a line is entered */
};

#define WHATIF_TOTALS_LINES 10

struct whatif_groups {
	struct screen_host *host;
	const struct whatif_sight *sight; /* source of the rows */
	struct table table;
	size_t *row; /* indices in sight->w->group; of a heading: HEADING + index of the first group below it
		      */
	size_t rows, room;
};

#define JOB_COLUMNS_MAX 8

struct whatif_jobs {
	struct screen_host *host;
	const struct whatif_sight *sight; /* source of the rows; NULL before the first one */
	struct table table;
	struct table_column column[JOB_COLUMNS_MAX];
	size_t *row; /* indices in sight->w->job */
	size_t rows, room;
};

/* --- projected utilization ---------------------------------------------------------------------------- */

#define LABEL_W 7

#define TICK_W 14 /* minimum distance of labels */

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

/* Updates the rows from the open draft. */
static void edits_update(struct whatif_edits *l)
{
	struct table_source source = {.self = l, .key = edit_key, .cell = edit_cell};

	source.rows = l->host->ops->edits(l->host->console)->count;
	table_update(&l->table, &source);
}

/* Preferred height, at most most. */
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

/* Disables, replaces or removes the edit under the cursor; false for other actions. */
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

#define HEADING ((size_t)1 << 32) /* marks a heading */

/* --- effect on all jobs ------------------------------------------------------------------------------- */

static void add_wait(struct str *out, double wait_s)
{
	char text[DURATION_TEXT];

	str_add(out, isnan(wait_s) ? "-" : duration_text(text, (int64_t)wait_s));
}

static void add_xfactor(struct str *out, double xfactor)
{
	if (isnan(xfactor))
		str_add(out, "-");
	else
		str_addf(out, "%.2f", xfactor);
}

/* Utilization of the machine from now until the last start of this projection. */
static void add_used(struct str *out, const struct whatif_future *future, int64_t last_s)
{
	const struct snapshot *s = future->f->s;
	double procs;

	occupancy(s, future->start_s, future->end_s, future->f->plan.now_s, last_s, &procs, 1);
	if (last_s <= future->f->plan.now_s || s->procs_total == 0)
		str_add(out, "-");
	else
		str_addf(out, "%.1f%%", 100 * procs / (double)s->procs_total);
}

#define DRAFT_W 12 /* width of the draft's column */

enum metric {
	METRIC_STARTS,
	METRIC_MEAN_WAIT,
	METRIC_MOST_WAIT,
	METRIC_XFACTOR,
	METRIC_LAST,
	METRIC_USED,
	METRIC_DELAYED,
	METRIC_WORST,
	METRIC_COUNT
};

static const char *const names[METRIC_COUNT] = {
	[METRIC_STARTS] = "jobs that start", [METRIC_MEAN_WAIT] = "mean wait",
	[METRIC_MOST_WAIT] = "max wait",     [METRIC_XFACTOR] = "mean xfactor",
	[METRIC_LAST] = "last start",        [METRIC_USED] = "used until then",
	[METRIC_DELAYED] = "jobs delayed",   [METRIC_WORST] = "worst delay",
};

/* Appends a metric of a projection; nothing for metrics that only a draft has. */
static void add_metric(struct str *out, const struct whatif_sight *sight, bool draft, enum metric metric)
{
	const struct whatif *w = sight->w;
	const struct whatif_totals *t = draft ? &w->after : &w->before;
	char text[DURATION_TEXT];

	switch (metric) {
	case METRIC_STARTS:
		str_addf(out, "%" PRIu32, t->starts);
		break;
	case METRIC_MEAN_WAIT:
		add_wait(out, whatif_mean(t->wait_s, w->jobs));
		break;
	case METRIC_MOST_WAIT:
		add_wait(out, w->jobs > 0 ? (double)t->most_wait_s : (double)NAN);
		break;
	case METRIC_XFACTOR:
		add_xfactor(out, whatif_mean(t->xfactor, w->jobs));
		break;
	case METRIC_LAST:
		(void)jobs_add_when(t->last_start_s == TIME_NONE ? TIME_NEVER : t->last_start_s,
				    sight->o->now_s, sight->tier == FUTURE_INSTANT, out);
		break;
	case METRIC_USED:
		add_used(out, draft ? &sight->draft : &sight->live, t->last_start_s);
		break;
	case METRIC_DELAYED:
		str_addf(out, draft ? "%" PRIu32 : "-", w->later);
		break;
	case METRIC_WORST:
		if (!draft || w->later == 0)
			str_add(out, "-");
		else if (w->most_delay_s == 0)
			str_add(out, "no start");
		else
			str_addf(out, "+%s", duration_text(text, w->most_delay_s));
		break;
	case METRIC_COUNT:
		break;
	}
}

static void put_cell(struct page *p, int end, enum role role, const struct str *text)
{
	page_at(p, end - text_width(str_text(text)));
	page_add(p, role, str_text(text));
}

static void put_metric(struct page *p, const struct whatif_sight *sight, enum metric metric, int width)
{
	struct str live = {0}, draft = {0};

	add_metric(&live, sight, false, metric);
	page_line(p);
	page_add(p, ROLE_TEXT, names[metric]);
	put_cell(p, sight->comparing ? width - DRAFT_W : width, ROLE_TEXT, &live);
	if (sight->comparing) {
		add_metric(&draft, sight, true, metric);
		put_cell(p, width, strcmp(str_text(&live), str_text(&draft)) == 0 ? ROLE_DIM : ROLE_DRAFT,
			 &draft);
	}
	str_free(&live);
	str_free(&draft);
}

/* Writes the totals with a heading, width cells wide, at least 30. */
static void write_totals(struct page *p, const struct whatif_sight *sight, int width)
{
	struct str head = {0};

	page_line(p);
	str_addf(&head, "TOTALS OF %" PRIu32 " JOBS", sight->w->jobs);
	page_add(p, ROLE_HEADER, str_text(&head));
	str_clear(&head);
	str_add(&head, whatif_sight_is_past(sight) ? "THEN" : "LIVE");
	put_cell(p, sight->comparing ? width - DRAFT_W : width, ROLE_HEADER, &head);
	str_clear(&head);
	str_add(&head, "DRAFT");
	if (sight->comparing)
		put_cell(p, width, ROLE_HEADER, &head);
	for (enum metric m = 0; m < METRIC_COUNT; m++)
		if (sight->comparing || (m != METRIC_DELAYED && m != METRIC_WORST))
			put_metric(p, sight, m, width);
	str_free(&head);
}

/* --- effect on each credential ------------------------------------------------------------------------ */

enum group_column {
	COL_NAME,
	COL_JOBS,
	COL_WAIT,
	COL_WAIT_AFTER,
	COL_XF,
	COL_XF_AFTER,
	COL_EARLIER,
	COL_LATER,
	GROUP_COLUMNS
};

static const struct table_column group_draft_columns[GROUP_COLUMNS] = {
	[COL_NAME] = {.title = "OF", .min = 10, .max = 16},
	[COL_JOBS] = {.title = "JOBS", .min = 5, .align = TEXT_RIGHT},
	[COL_WAIT] = {.title = "MEAN WAIT", .min = 10, .max = 11, .align = TEXT_RIGHT},
	[COL_WAIT_AFTER] = {.title = "DRAFT", .min = 10, .max = 11, .align = TEXT_RIGHT},
	[COL_XF] = {.title = "MEAN XF", .min = 7, .align = TEXT_RIGHT, .drop = 2},
	[COL_XF_AFTER] = {.title = "DRAFT", .min = 7, .align = TEXT_RIGHT, .drop = 1},
	[COL_EARLIER] = {.title = "EARLIER", .min = 7, .align = TEXT_RIGHT},
	[COL_LATER] = {.title = "LATER", .min = 6, .align = TEXT_RIGHT},
};

static const struct table_column group_live_columns[GROUP_COLUMNS] = {
	[COL_NAME] = {.title = "OF", .min = 10, .max = 16},
	[COL_JOBS] = {.title = "JOBS", .min = 5, .align = TEXT_RIGHT},
	[COL_WAIT] = {.title = "MEAN WAIT", .min = 10, .max = 11, .align = TEXT_RIGHT},
	[COL_WAIT_AFTER] = {.hidden = true},
	[COL_XF] = {.title = "MEAN XF", .min = 7, .align = TEXT_RIGHT},
	[COL_XF_AFTER] = {.hidden = true},
	[COL_EARLIER] = {.hidden = true},
	[COL_LATER] = {.hidden = true},
};

static const struct whatif_group *group_at(const struct whatif_groups *g, size_t row)
{
	return &g->sight->w->group[g->row[row] % HEADING];
}

/* The group under the cursor; NULL if there is none. */
static const struct whatif_group *chosen_group(const struct whatif_groups *g)
{
	return g->table.cursor < g->rows ? group_at(g, g->table.cursor) : NULL;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct whatif_groups *)self)->row[row] >= HEADING;
}

static uint64_t group_key(void *self, size_t row)
{
	const struct whatif_group *group = group_at(self, row);

	return (uint64_t)group->type << 32 | group->cred;
}

static const char *name_of(const struct whatif_groups *g, const struct whatif_group *group)
{
	const struct snapshot *s = g->sight->live.f->s;

	return snapshot_string(s, snapshot_creds(s)[group->cred].name);
}

static enum role add_count(struct str *out, uint32_t count, enum role role)
{
	str_addf(out, "%" PRIu32, count);
	return count > 0 ? role : ROLE_DIM;
}

static enum role group_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct whatif_groups *g = self;
	const struct whatif_group *group = group_at(g, row);

	if (is_section(self, row)) {
		if (column == TABLE_LABEL)
			str_add(out, cred_type_name(group->type));
		return ROLE_SECTION;
	}
	switch (column) {
	case COL_NAME:
		str_add(out, name_of(g, group));
		return ROLE_TEXT;
	case COL_JOBS:
		str_addf(out, "%" PRIu32, group->jobs);
		return ROLE_TEXT;
	case COL_WAIT:
		add_wait(out, whatif_mean(group->before.wait_s, group->jobs));
		return ROLE_TEXT;
	case COL_WAIT_AFTER:
		add_wait(out, whatif_mean(group->after.wait_s, group->jobs));
		return ROLE_DRAFT;
	case COL_XF:
		add_xfactor(out, whatif_mean(group->before.xfactor, group->jobs));
		return ROLE_TEXT;
	case COL_XF_AFTER:
		add_xfactor(out, whatif_mean(group->after.xfactor, group->jobs));
		return ROLE_DRAFT;
	case COL_EARLIER:
		return add_count(out, group->earlier, ROLE_EARLIER);
	default:
		return add_count(out, group->later, ROLE_LATER);
	}
}

/* Free with groups_close. */
static void groups_open(struct whatif_groups *g, struct screen_host *host)
{
	g->host = host;
	table_init(&g->table, group_live_columns, GROUP_COLUMNS);
}

static void groups_close(struct whatif_groups *g)
{
	table_free(&g->table);
	free(g->row);
}

static bool passes(const struct whatif_groups *g, const struct whatif_group *group)
{
	const struct named_text field[] = {
		{cred_type_name(group->type), name_of(g, group)},
		{"name", name_of(g, group)},
		{"type", cred_type_name(group->type)},
	};

	return filter_match(g->host->ops->filter(g->host->console), field, sizeof field / sizeof field[0]);
}

static void add_row(struct whatif_groups *g, size_t row)
{
	g->row = vec_room(g->row, &g->room, g->rows + 1, sizeof *g->row);
	g->row[g->rows++] = row;
}

/* Updates the rows, with the console's filter. The sight is borrowed until the next update. */
static void groups_update(struct whatif_groups *g, const struct whatif_sight *sight)
{
	struct table_source source = {
		.self = g, .key = group_key, .is_section = is_section, .cell = group_cell};
	unsigned type = CRED_TYPE_COUNT;

	g->sight = sight;
	g->table.column = sight->comparing ? group_draft_columns : group_live_columns;
	g->rows = 0;
	for (size_t i = 0; sight->w && i < sight->w->groups; i++) {
		const struct whatif_group *group = &sight->w->group[i];

		if (!passes(g, group))
			continue;
		if (type != group->type)
			add_row(g, HEADING + i);
		type = group->type;
		add_row(g, i);
	}
	source.rows = g->rows;
	table_update(&g->table, &source);
}

/* --- effect on each idle job -------------------------------------------------------------------------- */

enum job_column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_RANK,
	COL_PRIORITY,
	COL_START,
	COL_AFTER,
	COL_CHANGE,
	JOB_COLUMNS
};

static const struct table_column job_draft_columns[JOB_COLUMNS] = {
	[COL_JOB] = {.title = "JOB", .min = 7, .max = 10},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 6, .max = 10, .drop = 3},
	[COL_RANK] = {.title = "RANK", .min = 8, .max = 12, .drop = 2},
	[COL_PRIORITY] = {.title = "PRIORITY", .min = 11, .max = 21, .drop = 1},
	[COL_START] = {.title = "LIVE", .min = 11},
	[COL_AFTER] = {.title = "DRAFT", .min = 11},
	[COL_CHANGE] = {.title = "CHANGE", .min = 9, .flexible = true},
};

_Static_assert(JOB_COLUMNS <= JOB_COLUMNS_MAX, "room for all columns");

enum live_column {
	LIVE_RANK = COL_RANK,
	LIVE_PRIORITY,
	LIVE_START,
	LIVE_WAIT,
	LIVE_COUNT
};

static const struct table_column job_live_columns[LIVE_COUNT] = {
	[COL_JOB] = {.title = "JOB", .min = 7, .max = 10},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 6, .max = 10, .drop = 2},
	[LIVE_RANK] = {.title = "RANK", .min = 4, .max = 6, .align = TEXT_RIGHT, .drop = 1},
	[LIVE_PRIORITY] = {.title = "PRIORITY", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[LIVE_START] = {.title = "START", .min = 11},
	[LIVE_WAIT] = {.title = "WAIT", .min = 11, .flexible = true},
};

/* --- cells -------------------------------------------------------------------------------------------- */

static const struct whatif_job *job_at(const struct whatif_jobs *l, size_t row)
{
	return &l->sight->w->job[l->row[row]];
}

static enum role add_priority(const struct whatif_job *j, struct str *out)
{
	str_addf(out, "%" PRId64, j->points_before);
	if (j->points_before == j->points_after)
		return ROLE_DIM;
	str_addf(out, "->%" PRId64, j->points_after);
	return j->points_after > j->points_before ? ROLE_EARLIER : ROLE_LATER;
}

/* A job held by the draft has no start for that reason. */
static enum role add_start(const struct whatif_future *future, uint32_t slot, struct str *out)
{
	const struct job *job = &snapshot_jobs(future->f->s)[slot];

	if (future->start_s[slot] != TIME_NEVER || job->holds == 0)
		return whatif_put_start(future, slot, out);
	str_add(out, "held");
	return ROLE_JOB_HELD;
}

static enum role add_live_cell(const struct whatif_jobs *l, const struct whatif_job *j, size_t column,
			       struct str *out)
{
	const struct job *job = &snapshot_jobs(l->sight->live.f->s)[j->slot_before];
	char wait[DURATION_TEXT];

	switch (column) {
	case LIVE_RANK:
		return jobs_add_rank(j->rank_before, j->rank_before, out);
	case LIVE_PRIORITY:
		str_addf(out, "%" PRId64, j->points_before);
		return ROLE_STRONG;
	case LIVE_START:
		return add_start(&l->sight->live, j->slot_before, out);
	default:
		if (j->start_before_s != TIME_NEVER)
			str_add(out, duration_text(wait, j->start_before_s - job->submit_s));
		return ROLE_TEXT;
	}
}

static enum role add_draft_cell(const struct whatif_jobs *l, const struct whatif_job *j, size_t column,
				struct str *out)
{
	const struct whatif_sight *sight = l->sight;

	switch (column) {
	case COL_RANK:
		return jobs_add_rank(j->rank_before, j->rank_after, out);
	case COL_PRIORITY:
		return add_priority(j, out);
	case COL_START:
		(void)add_start(&sight->live, j->slot_before, out);
		return ROLE_DIM;
	case COL_AFTER:
		return add_start(&sight->draft, j->slot_after, out);
	default:
		return jobs_add_change(j->start_before_s, j->start_after_s, l->table.width[COL_CHANGE], out);
	}
}

static enum role job_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct whatif_jobs *l = self;
	const struct whatif_job *j = job_at(l, row);
	const struct forecast *f = l->sight->draft.f;

	switch (column) {
	case COL_JOB:
		return jobs_add_label(f, j->slot_after, out);
	case COL_FLAG:
		return jobs_add_mark(f, j->slot_after, out);
	case COL_USER:
		return jobs_add_cred(f, j->slot_after, CRED_USER, out);
	default:
		return l->sight->comparing ? add_draft_cell(l, j, column, out)
					   : add_live_cell(l, j, column, out);
	}
}

static uint64_t job_key(void *self, size_t row)
{
	return job_at(self, row)->job;
}

/* --- the list ----------------------------------------------------------------------------------------- */

/* Free with whatif_jobs_close. */
static void whatif_jobs_open(struct whatif_jobs *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, job_live_columns, LIVE_COUNT);
}

static void whatif_jobs_close(struct whatif_jobs *l)
{
	table_free(&l->table);
	free(l->row);
}

/* width of the column of changes in the last frame */
static int whatif_jobs_change_cells(const struct whatif_jobs *l)
{
	return l->table.width[COL_CHANGE];
}

/* Does a row match the search? Callback of table_search; self is the list. */
static bool whatif_jobs_match(void *self, size_t row)
{
	const struct whatif_jobs *l = self;

	return jobs_match(l->sight->draft.f, job_at(l, row)->slot_after,
			  l->host->ops->search(l->host->console));
}

/* Placeholders are preceded by a mark. */
static void set_columns(struct whatif_jobs *l)
{
	bool comparing = l->sight->comparing, marked = l->sight->tier != FUTURE_FULL;

	memcpy(l->column, comparing ? job_draft_columns : job_live_columns,
	       comparing ? sizeof job_draft_columns : sizeof job_live_columns);
	l->column[comparing ? COL_START : LIVE_START].min += marked;
	if (comparing)
		l->column[COL_AFTER].min += marked;
	l->table.column = l->column;
	l->table.columns = comparing ? JOB_COLUMNS : LIVE_COUNT;
}

/* Updates the rows, with the console's filter. The sight is borrowed until the next update. */
static void whatif_jobs_update(struct whatif_jobs *l, const struct whatif_sight *sight)
{
	struct table_source source = {.self = l, .key = job_key, .cell = job_cell};
	const struct whatif *w = sight->w;

	l->sight = sight;
	set_columns(l);
	l->rows = 0;
	l->row = vec_room(l->row, &l->room, w ? w->count : 0, sizeof *l->row);
	for (size_t i = 0; w && i < w->count; i++)
		if (jobs_match(sight->draft.f, w->job[i].slot_after, l->host->ops->filter(l->host->console)))
			l->row[l->rows++] = i;
	source.rows = l->rows;
	table_update(&l->table, &source);
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define TOTALS_W 34 /* width of the totals */

#define BESIDE_W 80 /* from this width on, the totals are beside the jobs */

#define EDITS_H 4 /* height of the edits without the focus */

#define TIME_H 18 /* from this height on, the timeline is shown */

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
	groups_open(&v->groups, host);
}

static void whatif_close(void *self)
{
	struct whatif_view *v = self;

	edits_close(&v->edits);
	whatif_jobs_close(&v->jobs);
	groups_close(&v->groups);
	page_free(&v->head);
	page_free(&v->totals);
	page_free(&v->foot);
}

/* The totals are at the right of the jobs, with a blank on either side. */
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
	groups_update(&v->groups, &v->sight);
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

/* Is edit n of the list the source of event n? Then results of events apply to edits. */
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
		ablate_print(&ablation->ablate, ablation->plan_query->live.s, &text);
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
		write_totals(&v->totals, &v->sight, TOTALS_W);
		page_draw(&v->totals, canvas, totals);
	}
	v->jobs.table.unfocused = v->pane != PANE_JOBS;
	table_draw(&v->jobs.table, canvas, jobs);
}

static void whatif_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct whatif_view *v = self;
	int height = r.h;

	v->jobs.table.body = v->groups.table.body = 0; /* not drawn, so they cannot be clicked */
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

/* For a job with the totals, or for a group; edits have no numbers. */
static void whatif_numbers(void *self, struct figures *out)
{
	const struct whatif_view *v = self;
	const struct whatif_group *group = v->pane == PANE_GROUPS ? chosen_group(&v->groups) : NULL;
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

/* Keys for edits, shown only if there are any. */
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
