/* SPDX-License-Identifier: MIT */
/*
 * whatif_lists.c - the effect of the draft on all jobs, on each credential and on each idle job
 */
#include "whatif_lists.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/occupancy.h"
#include "tui/report/job_fields.h"
#include "view.h"

#define HEADING ((size_t)1 << 32) /* added to the value of a row that is a heading */

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

/* Appends the utilization of the machine from now until the last start in a projection. */
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

#define DRAFT_W 12 /* width of column DRAFT */

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

/* Appends a metric of the live queue or of the draft; "-" for metrics that only a draft has. */
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

void whatif_write_totals(struct page *p, const struct whatif_sight *sight, int width)
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

const struct whatif_group *whatif_groups_chosen(const struct whatif_groups *g)
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

void whatif_groups_open(struct whatif_groups *g, struct screen_host *host)
{
	g->host = host;
	table_init(&g->table, group_live_columns, GROUP_COLUMNS);
}

void whatif_groups_close(struct whatif_groups *g)
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

void whatif_groups_update(struct whatif_groups *g, const struct whatif_sight *sight)
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

/* Writes the start of a job: "held" if it does not start and has a hold. */
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

void whatif_jobs_open(struct whatif_jobs *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, job_live_columns, LIVE_COUNT);
}

void whatif_jobs_close(struct whatif_jobs *l)
{
	table_free(&l->table);
	free(l->row);
}

int whatif_jobs_change_cells(const struct whatif_jobs *l)
{
	return l->table.width[COL_CHANGE];
}

bool whatif_jobs_match(void *self, size_t row)
{
	const struct whatif_jobs *l = self;

	return jobs_match(l->sight->draft.f, job_at(l, row)->slot_after,
			  l->host->ops->search(l->host->console));
}

/* Sets the columns. Those of starts are a cell wider if starts can have a mark (~). */
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

void whatif_jobs_update(struct whatif_jobs *l, const struct whatif_sight *sight)
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
