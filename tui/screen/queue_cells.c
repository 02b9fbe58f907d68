/* SPDX-License-Identifier: MIT */
/*
 * queue_cells.c - columns and cells of the queue
 */
#include "queue_cells.h"

#include <inttypes.h>
#include <string.h>

#include "jobs.h"
#include "sched/base/duration.h"
#include "sched/forecast/explain.h"
#include "sched/pass/queue.h"
#include "tui/report/figure.h"
#include "tui/report/job_text.h"
#include "view.h"

/* --- columns ---------------------------------------------------------------------------- */

static const struct table_column columns[COL_COUNT] = {
	[COL_JOB] = {.title = "JOB", .min = 5, .max = 8},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 7, .max = 10},
	[COL_GROUP] = {.title = "GROUP", .min = 8, .max = 10, .drop = 9},
	[COL_ACCOUNT] = {.title = "ACCOUNT", .min = 8, .max = 10, .drop = 8},
	[COL_QOS] = {.title = "QOS", .min = 6, .max = 8, .drop = 6},
	[COL_CLASS] = {.title = "CLASS", .min = 6, .max = 8, .drop = 5},
	[COL_PROC] = {.title = "PROC", .min = 4, .max = 7, .align = TEXT_RIGHT},
	[COL_WCLIMIT] = {.title = "WCLIMIT", .min = 10, .align = TEXT_RIGHT, .drop = 2},
	[COL_PRIO] = {.title = "PRIO", .min = 6, .max = 9, .align = TEXT_RIGHT},
	[COL_XF] = {.title = "XF", .min = 6, .align = TEXT_RIGHT, .drop = 7},
	[COL_QUEUED] = {.title = "QUEUED", .min = 6, .max = 7, .align = TEXT_RIGHT, .drop = 4},
	[COL_START] = {.title = "EST.START", .min = 20},
	[COL_WHY] = {.title = "WHY NOT NOW", .min = 18, .flexible = true, .drop = 1},
};

#define ARRAY_JOB_W 16 /* of the column of names where there are arrays */
#define USER_W_MIN  5  /* of names of users                              */

/* What columns are called when they are chosen. */
static const char *const names[COL_COUNT] = {"JOB",  "FLAG",    "USER", "GROUP", "ACCOUNT", "QOS",   "CLASS",
					     "PROC", "WCLIMIT", "PRIO", "XF",    "QUEUED",  "START", "WHY"};

void queue_cells_init(struct queue_list *l)
{
	memcpy(l->column, columns, sizeof columns);
	l->column[COL_GROUP].hidden = true;
	table_init(&l->table, l->column, COL_COUNT);
}

const char *queue_cells_sorted_by(const struct queue_list *l)
{
	return l->table.sorted_by < 0 ? NULL : columns[l->table.sorted_by].title;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int job_cells(const struct snapshot *s, const struct job *job)
{
	int digits = 1;

	if (job->label != 0)
		return text_width(snapshot_string(s, job->label));
	for (uint64_t id = job->id; id > 9; id /= 10)
		digits++;
	return digits;
}

static int task_cells(const struct queue_list *l, const struct fold_line *row, const struct job *job,
		      struct str *name)
{
	char label[JOB_LABEL_TEXT];

	str_clear(name);
	if (row->tasks > 0)
		fold_name(&l->fold, row, name);
	else
		str_add(name, snapshot_job_label(l->f->s, job, label));
	return (int)name->len;
}

/* Cells for what jobs are called: ids are never cut; names of tasks, and of several of them, are longer. */
static int job_width(const struct queue_list *l)
{
	const int most = columns[COL_JOB].max;
	struct str name = {0};
	int width = columns[COL_JOB].min;

	for (size_t i = 0; i < l->rows && width < ARRAY_JOB_W; i++) {
		uint32_t slot = l->row[i].slot;
		const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(l->f->s)[slot];
		int cells;

		if (job == NULL)
			continue;
		cells = job->array == 0 ? job_cells(l->f->s, job) : task_cells(l, &l->row[i], job, &name);
		width = larger(width, job->array == 0 && cells > most ? most : cells);
	}
	str_free(&name);
	return width < ARRAY_JOB_W ? width : ARRAY_JOB_W;
}

/* Where there is little room long ids take it from names of users, as long as five letters are left of them.
 */
void queue_cells_fit(struct queue_list *l)
{
	int width = job_width(l), more = width - columns[COL_JOB].min;

	l->column[COL_JOB].min = width;
	l->column[COL_JOB].max = larger(width, columns[COL_JOB].max);
	l->column[COL_USER].min = larger(columns[COL_USER].min - more, USER_W_MIN);
}

/* --- cells ------------------------------------------------------------------------------ */

static const struct part *part_of(const struct queue_list *l, size_t row)
{
	size_t i = l->parts - 1;

	while (i > 0 && l->part[i].row > row)
		i--;
	return &l->part[i];
}

static enum role add_heading(const struct queue_list *l, size_t row, size_t column, struct str *out)
{
	const struct part *part = part_of(l, row);
	const char *sorted_by = queue_cells_sorted_by(l);

	if (column == TABLE_LABEL && part->kind == PART_ACTIVE)
		str_addf(out, "ACTIVE %zu - by %s", part->count, sorted_by ? sorted_by : "completion");
	else if (column == TABLE_LABEL && part->kind == PART_IDLE)
		str_addf(out, "IDLE %zu - by %s", part->count, sorted_by ? sorted_by : "priority");
	else if (column == TABLE_LABEL)
		str_addf(out, "BLOCKED %zu - by %s", part->count, gate_rows[part->gate].name);
	else if (part->kind == PART_ACTIVE && column == COL_START)
		str_add(out, "ENDS BY");
	else if (part->kind == PART_ACTIVE && column == COL_WHY)
		str_add(out, "USED");
	return ROLE_SECTION;
}

static enum role add_running_cell(const struct queue_list *l, const struct job *job, size_t column,
				  struct str *out)
{
	char queued[DURATION_TEXT];

	switch (column) {
	case COL_QUEUED:
		str_add(out, duration_short(queued, job->start_s - job->submit_s));
		return ROLE_DIM;
	case COL_START:
		if (job_due_end_s(job) == TIME_NEVER) {
			str_add(out, "-");
			return ROLE_DIM;
		}
		str_add(out, " ");
		jobs_add_moment(out, job_due_end_s(job), l->now_s);
		return ROLE_TEXT;
	case COL_WHY:
		str_addf(out, "%3" PRId64 "%%", job_ran_s(job, l->now_s) * 100 / job->wall_limit_s);
		return ROLE_DIM;
	default:
		str_add(out, "-");
		return ROLE_DIM;
	}
}

static enum role add_waiting_cell(const struct queue_list *l, uint32_t slot, size_t column, struct str *out)
{
	const struct job *job = &snapshot_jobs(l->f->s)[slot];
	struct explain_lead lead;
	struct prio_result result;
	char queued[DURATION_TEXT];

	switch (column) {
	case COL_PRIO:
		forecast_priority(l->f, job, &result);
		str_addf(out, "%" PRId64, result.rank);
		return l->f->place[slot] ? ROLE_STRONG : ROLE_DIM;
	case COL_XF:
		formula_fixed(out, forecast_xfactor(l->f, job));
		return ROLE_DIM;
	case COL_QUEUED:
		str_add(out, duration_short(queued, job_queued_s(job, l->now_s)));
		return ROLE_TEXT;
	case COL_START:
		return jobs_add_start(l->f, slot, out);
	default:
		lead = forecast_lead(l->f, slot);
		job_text_short(l->f->s, &lead.reason, l->f->plan.now_s, out);
		return ROLE_REASON;
	}
}

static enum role add_label(const struct queue_list *l, const struct fold_line *line, struct str *out)
{
	if (line->tasks == 0)
		return jobs_add_label(l->f, line->slot, out);
	fold_name(&l->fold, line, out);
	return jobs_role(l->f, line->slot);
}

enum role queue_cell(void *self, size_t row, size_t column, struct str *out)
{
	static const enum cred_type cred_of[] = {
		[COL_USER] = CRED_USER, [COL_GROUP] = CRED_GROUP, [COL_ACCOUNT] = CRED_ACCOUNT,
		[COL_QOS] = CRED_QOS,   [COL_CLASS] = CRED_CLASS,
	};
	const struct queue_list *l = self;
	uint32_t slot = l->row[row].slot;
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(l->f->s)[slot];
	char text[DURATION_TEXT];

	if (!job)
		return add_heading(l, row, column, out);
	switch (column) {
	case COL_JOB:
		return add_label(l, &l->row[row], out);
	case COL_FLAG:
		return jobs_add_mark(l->f, slot, out);
	case COL_USER:
	case COL_GROUP:
	case COL_ACCOUNT:
	case COL_QOS:
	case COL_CLASS:
		return jobs_add_cred(l->f, slot, cred_of[column], out);
	case COL_PROC:
		str_addf(out, "%" PRId64, job_procs(job));
		return ROLE_TEXT;
	case COL_WCLIMIT:
		str_add(out, duration_text(text, job->wall_limit_s));
		return ROLE_TEXT;
	default:
		return job->state == JOB_RUNNING ? add_running_cell(l, job, column, out)
						 : add_waiting_cell(l, slot, column, out);
	}
}

/* --- which columns ---------------------------------------------------------------------- */

static size_t find_column(const char *word, size_t len)
{
	for (size_t i = 0; i < COL_COUNT; i++)
		if (strlen(names[i]) == len && strncasecmp(names[i], word, len) == 0)
			return i;
	return COL_COUNT;
}

/* The columns named, all others hidden; nothing changes when one is unknown. */
static void choose_columns(void *self, const char *text)
{
	struct queue_list *l = self;
	bool shown[COL_COUNT] = {[COL_JOB] = true};

	for (size_t len; *(text += strspn(text, " ")); text += len) {
		size_t column;

		len = strcspn(text, " ");
		column = find_column(text, len);
		if (column == COL_COUNT) {
			l->host->ops->say(
				l->host->console, ROLE_ERROR,
				"there is no column %.*s; there are JOB FLAG USER GROUP ACCOUNT QOS CLASS "
				"PROC WCLIMIT PRIO XF QUEUED START WHY",
				(int)len, text);
			return;
		}
		shown[column] = true;
	}
	for (size_t i = 0; i < COL_COUNT; i++)
		l->column[i].hidden = !shown[i];
}

void queue_cells_ask(struct queue_list *l)
{
	struct str text = {0};

	for (size_t i = 0; i < COL_COUNT; i++)
		if (!l->column[i].hidden)
			str_addf(&text, "%s%s", text.len > 0 ? " " : "", names[i]);
	l->host->ops->ask(l->host->console, "show:", str_text(&text), choose_columns, l);
	str_free(&text);
}
