/* SPDX-License-Identifier: MIT */
/*
 * whatif_jobs.c - the effect of the draft on each idle job
 */
#include "whatif_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "view.h"

enum column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_RANK,
	COL_PRIORITY,
	COL_START,
	COL_AFTER,
	COL_CHANGE,
	COL_COUNT
};

static const struct table_column draft_columns[COL_COUNT] = {
	[COL_JOB] = {.title = "JOB", .min = 7, .max = 10},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 6, .max = 10, .drop = 3},
	[COL_RANK] = {.title = "RANK", .min = 8, .max = 12, .drop = 2},
	[COL_PRIORITY] = {.title = "PRIORITY", .min = 11, .max = 21, .drop = 1},
	[COL_START] = {.title = "LIVE", .min = 11},
	[COL_AFTER] = {.title = "DRAFT", .min = 11},
	[COL_CHANGE] = {.title = "CHANGE", .min = 9, .flexible = true},
};

_Static_assert(COL_COUNT <= WHATIF_JOBS_COLUMNS, "room for all columns");

enum live_column {
	LIVE_RANK = COL_RANK,
	LIVE_PRIORITY,
	LIVE_START,
	LIVE_WAIT,
	LIVE_COUNT
};

static const struct table_column live_columns[LIVE_COUNT] = {
	[COL_JOB] = {.title = "JOB", .min = 7, .max = 10},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 6, .max = 10, .drop = 2},
	[LIVE_RANK] = {.title = "RANK", .min = 4, .max = 6, .align = TEXT_RIGHT, .drop = 1},
	[LIVE_PRIORITY] = {.title = "PRIORITY", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[LIVE_START] = {.title = "START", .min = 11},
	[LIVE_WAIT] = {.title = "WAITED THEN", .min = 11, .flexible = true},
};

/* --- cells ------------------------------------------------------------------------------ */

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

/* A job that the draft holds has no start because of that. */
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

static enum role cell(void *self, size_t row, size_t column, struct str *out)
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

static uint64_t key(void *self, size_t row)
{
	return job_at(self, row)->job;
}

/* --- the list --------------------------------------------------------------------------- */

void whatif_jobs_open(struct whatif_jobs *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, live_columns, LIVE_COUNT);
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

/* A placeholder has a mark in front. */
static void set_columns(struct whatif_jobs *l)
{
	bool comparing = l->sight->comparing, marked = l->sight->tier != FUTURE_FULL;

	memcpy(l->column, comparing ? draft_columns : live_columns,
	       comparing ? sizeof draft_columns : sizeof live_columns);
	l->column[comparing ? COL_START : LIVE_START].min += marked;
	if (comparing)
		l->column[COL_AFTER].min += marked;
	l->table.column = l->column;
	l->table.columns = comparing ? COL_COUNT : LIVE_COUNT;
}

void whatif_jobs_update(struct whatif_jobs *l, const struct whatif_sight *sight)
{
	struct table_source source = {.self = l, .key = key, .cell = cell};
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
