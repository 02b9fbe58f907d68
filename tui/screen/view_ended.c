/* SPDX-License-Identifier: MIT */
/*
 * view_ended.c - Ended screen: jobs that have ended, and their efficiency
 *
 * Shows at most 5000 jobs that ended within one day, last end first. They are read from the store or
 * requested from the scheduler once; later, only jobs that have ended since are read. Efficiency is used CPU
 * time divided by allocated CPU time. The output of a job can be shown.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/model/snapshot.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/report/ended.h"
#include "tui/serve/session.h"
#include "view.h"

#define LOOK_BACK_S 86400
#define KEPT_MAX    5000

#define COLUMNS_MAX TABLE_COLUMNS_MAX

/*
 * A job with the cells of its columns. The strings are owned. Cells with a time are computed when they are
 * drawn.
 */
struct kept_job {
	uint64_t job;
	int64_t end_s;
	bool good;
	char *text[COLUMNS_MAX];
	enum role role[COLUMNS_MAX];
};

struct ended_view {
	struct screen_host *host;
	/* The fields of the columns, in the order of the columns. */
	const struct field *field[COLUMNS_MAX];
	struct table_column column[COLUMNS_MAX];
	size_t columns;
	struct table table;
	struct kept_job *kept; /* jobs by end time, first end first */
	size_t count, cap;
	struct kept_job *fresh; /* jobs of the current read that are not in `kept`, last end first */
	size_t fresh_count, fresh_cap;
	size_t *row; /* indices in `kept` of the jobs that pass the filter, last end first */
	size_t rows, row_cap;
	bool of_past;   /* `kept` contains the jobs that had ended by the time of a past state */
	uint64_t seen;  /* journal entry of the state for which jobs were last read */
	uint64_t asked; /* journal entry of the state for which jobs were requested */
	bool asking;
	struct err err;
};

/* --- reading ---------------------------------------------------------------------------------------- */

static void free_row(struct kept_job *r)
{
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		free(r->text[i]);
}

static void write_row(const struct ended_view *v, struct kept_job *r, const struct ended_job *ended)
{
	const struct ended_row row = {.ended = ended};
	struct str text = {0};

	*r = (struct kept_job){.job = ended->record.job.id,
			       .end_s = ended->end_s,
			       .good = strcmp(ended_outcome(ended), "Completed") == 0};
	for (size_t i = 0; i < v->columns; i++) {
		str_clear(&text);
		r->role[i] = field_cell(v->field[i], &row, &text);
		r->text[i] = mem_string(str_text(&text));
	}
	str_free(&text);
}

/* Is the job already in `kept`? Jobs that ended in the last second of the previous read are read twice. */
static bool is_kept(const struct ended_view *v, uint64_t job, int64_t end_s)
{
	for (size_t i = v->count; i-- > 0 && v->kept[i].end_s >= end_s;)
		if (v->kept[i].job == job)
			return true;
	return false;
}

static bool take(void *self, const struct ended_job *ended)
{
	struct ended_view *v = self;

	if (is_kept(v, ended->record.job.id, ended->end_s))
		return true;
	v->fresh = vec_room(v->fresh, &v->fresh_cap, v->fresh_count + 1, sizeof *v->fresh);
	write_row(v, &v->fresh[v->fresh_count++], ended);
	return true;
}

static void drop_fresh(struct ended_view *v)
{
	while (v->fresh_count > 0)
		free_row(&v->fresh[--v->fresh_count]);
}

/* Moves the new jobs to kept, and drops the oldest ones beyond KEPT_MAX. */
static void keep_fresh(struct ended_view *v)
{
	size_t all = v->count + v->fresh_count, drop = all > KEPT_MAX ? all - KEPT_MAX : 0;

	drop = drop < v->count ? drop : v->count;
	for (size_t i = 0; i < drop; i++)
		free_row(&v->kept[i]);
	v->count -= drop;
	if (drop > 0)
		memmove(v->kept, v->kept + drop, v->count * sizeof *v->kept);
	v->kept = vec_room(v->kept, &v->cap, v->count + v->fresh_count, sizeof *v->kept);
	while (v->fresh_count > 0)
		v->kept[v->count++] = v->fresh[--v->fresh_count];
}

/*
 * Drops all jobs if a past state is shown or was shown before: with a past state, the screen shows the jobs
 * that ended within the day before it.
 */
static void change_day(struct ended_view *v, const struct plan_query *o)
{
	if (!v->of_past && !plan_query_is_past(o))
		return;
	for (size_t i = 0; i < v->count; i++)
		free_row(&v->kept[i]);
	v->count = 0;
	v->of_past = plan_query_is_past(o);
}

static void read_more(struct ended_view *v)
{
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);
	struct ended_span span = {.until_s = INT64_MAX, .newest = KEPT_MAX};

	if (v->seen == o->live.s->seq)
		return;
	change_day(v, o);
	span.since_s = v->count > 0 ? v->kept[v->count - 1].end_s : o->now_s - LOOK_BACK_S;
	if (v->of_past)
		span.until_s = o->now_s;
	if (!v->asking)
		v->asked = o->live.s->seq;
	v->err.text[0] = '\0';
	v->asking = !v->host->ops->ended(v->host->console, &span, take, v, &v->err) && v->err.text[0] == '\0';
	if (v->err.text[0] == '\0')
		keep_fresh(v);
	else /* the read failed halfway: keeping only the newest jobs would leave a gap */
		drop_fresh(v);
	if (!v->asking)
		v->seen = v->asked;
}

/* --- the list --------------------------------------------------------------------------------------- */

static const struct kept_job *row_at(const struct ended_view *v, size_t row)
{
	return &v->kept[v->row[row]];
}

static uint64_t key(void *self, size_t row)
{
	return row_at(self, row)->job;
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct ended_view *v = self;
	const struct kept_job *r = row_at(v, row);
	char when[MOMENT_TEXT];

	if (v->field[column]->type == FIELD_INSTANT)
		str_add(out,
			wallclock_short(when, r->end_s, v->host->ops->plan_query(v->host->console)->now_s));
	else
		str_add(out, r->text[column]);
	return r->role[column];
}

static bool passes(const struct ended_view *v, const struct kept_job *r, const struct filter *filter)
{
	struct named_text text[COLUMNS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < v->columns; i++)
		if (v->field[i]->filter != NULL)
			text[count++] = (struct named_text){v->field[i]->filter, r->text[i]};
	return filter->count == 0 || filter_match(filter, text, count);
}

static bool match(void *self, size_t row)
{
	const struct ended_view *v = self;

	return passes(v, row_at(v, row), v->host->ops->search(v->host->console));
}

/* --- the screen --------------------------------------------------------------------------------------- */

static void ended_open(void *self, struct screen_host *host)
{
	struct ended_view *v = self;

	v->host = host;
	for (const struct field *f = ended_fields; !field_is_last(f); f++)
		if (v->columns < COLUMNS_MAX && field_screen_column(f, &v->column[v->columns]))
			v->field[v->columns++] = f;
	table_init(&v->table, v->column, v->columns);
}

static void ended_close(void *self)
{
	struct ended_view *v = self;

	table_free(&v->table);
	for (size_t i = 0; i < v->count; i++)
		free_row(&v->kept[i]);
	free(v->kept);
	free(v->fresh);
	free(v->row);
}

static void ended_recalc(void *self)
{
	struct ended_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = cell};

	read_more(v);
	if (!v->asking) /* the answer has arrived: read the jobs that have ended since the request */
		read_more(v);
	v->rows = 0;
	for (size_t i = v->count; i-- > 0;) {
		if (!passes(v, &v->kept[i], v->host->ops->filter(v->host->console)))
			continue;
		v->row = vec_room(v->row, &v->row_cap, v->rows + 1, sizeof *v->row);
		v->row[v->rows++] = i;
	}
	source.rows = v->rows;
	table_update(&v->table, &source);
}

static void ended_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct ended_view *v = self;
	struct rect below = rect_take_bottom(&r, 1);

	table_draw(&v->table, canvas, r);
	if (v->err.text[0] != '\0')
		canvas_put(canvas, below, 1, 0, ROLE_ERROR, v->err.text);
	else if (v->rows == 0 && !v->asking)
		canvas_put(canvas, below, 1, 0, ROLE_DIM, "No jobs have ended in the last 24 hours.");
}

static struct table *ended_table(void *self)
{
	return &((struct ended_view *)self)->table;
}

static void ended_status_line(void *self, struct str *out)
{
	const struct ended_view *v = self;
	size_t good = 0;

	for (size_t i = 0; i < v->rows; i++)
		good += row_at(v, i)->good;
	str_addf(out, "%zu ended, of which %zu completed", v->rows, good);
}

static const enum action hints[] = {
	ACTION_OUTPUT, ACTION_FILTER, ACTION_SEARCH, ACTION_BACK, ACTION_COMMAND, ACTION_NONE,
};

const struct view_ops view_ended = {
	.name = "ended",
	.fields = ended_fields,
	.title = "Ended",
	.size = sizeof(struct ended_view),
	.jobs = true,
	.hints = hints,
	.open = ended_open,
	.close = ended_close,
	.recalc = ended_recalc,
	.draw = ended_draw,
	.table = ended_table,
	.match = match,
	.status = ended_status_line,
};
