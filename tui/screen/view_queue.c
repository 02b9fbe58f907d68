/* SPDX-License-Identifier: MIT */
/*
 * view_queue.c - Queue screen: active, idle and blocked jobs
 *
 * Shows meters of processors and nodes, and one list with sections: active jobs by completion, idle jobs by
 * priority, and a section of blocked jobs for each gate (first failed check) that blocks jobs. Sorting and
 * filtering apply within sections. If there is room, details of the job under the cursor are shown beside or
 * below the list; otherwise one sentence. Enter expands the tasks of an array, left collapses them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "sched/pass/queue.h"
#include "tui/draw/meter.h"
#include "tui/draw/table.h"
#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/job_fields.h"
#include "tui/report/job_text.h"
#include "tui/report/queue_report.h"
#include "view.h"
#include "view_job.h"

#define COLUMNS_MAX TABLE_COLUMNS_MAX

enum part_kind {
	PART_ACTIVE,
	PART_IDLE,
	PART_BLOCKED
};

#define PARTS_MAX (2 + GATE_COUNT)

/* A section of the list: its heading and rows. */
struct part {
	enum part_kind kind;
	enum gate gate; /* gate that blocks the jobs, for PART_BLOCKED */
	size_t row;     /* row of the heading */
	size_t count;   /* number of jobs; tasks of an array may share a row */
};

struct queue_list {
	struct screen_host *host;
	const struct forecast *f; /* source of the rows; NULL before the first update */
	int64_t now_s;
	struct table table;
	/* The fields of the columns, in the order of the columns. */
	const struct field *field[COLUMNS_MAX];
	struct table_column column[COLUMNS_MAX];
	size_t columns;
	struct fold_line *row; /* rows of the list; a heading has slot INDEX_NONE */
	size_t rows, cap;
	struct fold fold;
	struct keyset open; /* IDs of the expanded arrays */
	uint32_t *slot;     /* jobs of the section being built */
	size_t slots, slot_room;
	struct part part[PARTS_MAX];
	size_t parts;
	bool watched;    /* the column of the watched manager has been shown */
	int sort;        /* index of the sort column; -1 = order of the queue */
	bool placed;     /* the cursor has been placed on the first idle job, or the user has pressed a key */
	size_t bring_up; /* row of a heading that the next frame scrolls into view; SIZE_MAX = none */
	bool to_top;     /* scroll this heading to the top, instead of a third down the list */
};

/* --- sorting ------------------------------------------------------------------------------------------ */

static int compare_slots(const void *x, const void *y, void *self)
{
	const struct queue_list *l = self;
	const struct job_row a = job_row_of(l->f, *(const uint32_t *)x),
			     b = job_row_of(l->f, *(const uint32_t *)y);
	int order = field_compare(l->field[l->sort], &a, &b);

	if (order == 0)
		order = (a.job->id > b.job->id) - (a.job->id < b.job->id);
	return l->table.descending ? -order : order;
}

static void sort_slots(struct queue_list *l)
{
	if (l->sort >= 0 && l->slots > 0)
		qsort_r(l->slot, l->slots, sizeof *l->slot, compare_slots, l);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void add_row(struct queue_list *l, struct fold_line line)
{
	l->row = vec_room(l->row, &l->cap, l->rows + 1, sizeof *l->row);
	l->row[l->rows++] = line;
}

static void begin_part(struct queue_list *l, enum part_kind kind, enum gate gate)
{
	l->part[l->parts++] = (struct part){.kind = kind, .gate = gate, .row = l->rows};
	add_row(l, (struct fold_line){.slot = INDEX_NONE});
	l->slots = 0;
}

static void add_job(struct queue_list *l, uint32_t slot)
{
	if (!jobs_match(l->f, slot, l->host->ops->filter(l->host->console)))
		return;
	l->slot = vec_room(l->slot, &l->slot_room, l->slots + 1, sizeof *l->slot);
	l->slot[l->slots++] = slot;
}

static bool is_open(const void *self, uint64_t array)
{
	return keyset_has(&((const struct queue_list *)self)->open, array);
}

/*
 * Sorts the jobs of the current section and adds their rows. Empty sections are omitted, except that of idle
 * jobs: it matters to see that there are none.
 */
static void end_part(struct queue_list *l)
{
	struct part *part = &l->part[l->parts - 1];
	size_t before = l->fold.lines;

	part->count = l->slots;
	if (part->count == 0 && part->kind != PART_IDLE) {
		l->rows = part->row;
		l->parts--;
		return;
	}
	sort_slots(l);
	fold_list(&l->fold, l->f->s, l->slot, l->slots, is_open, l);
	for (size_t i = before; i < l->fold.lines; i++)
		add_row(l, l->fold.line[i]);
}

static void add_blocked(struct queue_list *l, enum gate gate)
{
	const struct queue *q = &l->f->plan.queue;

	begin_part(l, PART_BLOCKED, gate);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (q->blocked_reason[i].gate == gate)
			add_job(l, q->blocked[i]);
	end_part(l);
}

static void find_rows(struct queue_list *l)
{
	const struct queue *q = &l->f->plan.queue;

	l->rows = l->parts = 0;
	fold_clear(&l->fold);
	begin_part(l, PART_ACTIVE, GATE_NONE);
	for (uint32_t i = 0; i < q->active_count; i++)
		add_job(l, q->active[i]);
	end_part(l);
	begin_part(l, PART_IDLE, GATE_NONE);
	for (uint32_t i = 0; i < q->idle_count; i++)
		add_job(l, q->idle[i].slot);
	end_part(l);
	for (enum gate g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (q->blocked_count > 0 && gate_rows[g].blocks)
			add_blocked(l, g);
}

static uint64_t key(void *self, size_t row)
{
	const struct queue_list *l = self;

	return snapshot_jobs(l->f->s)[l->row[row].slot].id;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct queue_list *)self)->row[row].slot == INDEX_NONE;
}

/* Does a row match the search? Callback of table_search; `self` is the list. */
static bool queue_list_match(void *self, size_t row)
{
	const struct queue_list *l = self;

	return l->row[row].slot != INDEX_NONE &&
	       jobs_match(l->f, l->row[row].slot, l->host->ops->search(l->host->console));
}

/* --- list --------------------------------------------------------------------------------------------- */

static void queue_cells_init(struct queue_list *l);

/* Free with queue_list_close. */
static void queue_list_open(struct queue_list *l, struct screen_host *host)
{
	l->host = host;
	l->bring_up = SIZE_MAX;
	queue_cells_init(l);
}

static void queue_list_close(struct queue_list *l)
{
	table_free(&l->table);
	fold_free(&l->fold);
	keyset_free(&l->open);
	free(l->row);
	free(l->slot);
}

/* Returns the job of a row; NULL for a heading. */
static const struct job *job_on(const struct queue_list *l, size_t row)
{
	uint32_t slot = l->row[row].slot;

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(l->f->s)[slot];
}

/* Moves the cursor to the first idle job, if it has not been placed or moved yet. */
static void place_cursor(struct queue_list *l)
{
	if (l->placed)
		return;
	for (size_t i = 0; i < l->parts; i++) {
		if (l->part[i].kind != PART_IDLE || l->part[i].count == 0)
			continue;
		l->placed = true;
		table_go_row(&l->table, l->part[i].row + 1);
		l->bring_up = l->part[i].row;
	}
}

static enum role queue_cell(void *self, size_t row, size_t column, struct str *out);

static void queue_cells_fit(struct queue_list *l);

/* Updates the rows from a plan query, with the console's filter. */
static void queue_list_update(struct queue_list *l, const struct plan_query *o)
{
	struct table_source source = {.self = l, .key = key, .is_section = is_section, .cell = queue_cell};

	l->f = &o->live;
	l->now_s = o->now_s;
	find_rows(l);
	source.rows = l->rows;
	queue_cells_fit(l);
	table_update(&l->table, &source);
	place_cursor(l);
}

/*
 * Scrolls the heading l->bring_up to the top, or to a third of the lines of the list, so that rows of its
 * section are visible.
 */
static void scroll_to_part(struct queue_list *l, int lines)
{
	size_t above = l->to_top || lines < 2 ? 0 : (size_t)lines / 3;

	if (l->bring_up != SIZE_MAX)
		l->table.top = l->bring_up > above ? l->bring_up - above : 0;
	l->bring_up = SIZE_MAX;
	l->to_top = false;
}

static void queue_list_draw(struct queue_list *l, struct canvas *canvas, struct rect r)
{
	scroll_to_part(l, r.h - 1);
	table_draw(&l->table, canvas, r);
}

/* Moves the cursor to the first job of the next (dir 1) or previous (dir -1) section, and wraps around. */
static void queue_list_next_part(struct queue_list *l, int dir)
{
	size_t at = 0;

	if (l->parts == 0 || l->table.cursor == TABLE_NO_ROW)
		return;
	while (at + 1 < l->parts && l->part[at + 1].row <= l->table.cursor)
		at++;
	for (size_t i = 0; i < l->parts; i++) {
		at = (at + (dir > 0 ? 1 : l->parts - 1)) % l->parts;
		if (l->part[at].count > 0)
			break;
	}
	table_go_row(&l->table, l->part[at].row + 1);
	l->host->ops->go_job(l->host->console, l->table.cursor_key);
	l->bring_up = l->part[at].row;
	l->to_top = true;
}

/*
 * Selects the next column that can be sorted by; after the last one, the order of the queue. The caller
 * updates the rows.
 */
static void queue_list_sort_next(struct queue_list *l)
{
	do
		l->sort++;
	while (l->sort < (int)l->columns && !field_sorts(l->field[l->sort]));
	if (l->sort == (int)l->columns)
		l->sort = -1;
	l->table.sorted_by = l->sort;
}

/* --- arrays ------------------------------------------------------------------------------------------- */

/* Returns the row under the cursor; NULL if there is none, or if it is a heading. */
static const struct fold_line *row_here(const struct queue_list *l)
{
	size_t at = l->table.cursor;

	return at == TABLE_NO_ROW || at >= l->rows || l->row[at].slot == INDEX_NONE ? NULL : &l->row[at];
}

/* Moves the cursor to the first row with an idle task of the array. */
static void go_to_array(struct queue_list *l, uint64_t array)
{
	for (size_t i = 0; i < l->rows; i++) {
		const struct job *job = job_on(l, i);

		if (job == NULL || job->array != array || job->state != JOB_IDLE)
			continue;
		table_go_row(&l->table, i);
		l->host->ops->go_job(l->host->console, l->table.cursor_key);
		return;
	}
}

/*
 * If the row under the cursor stands for several tasks of an array, expands or collapses it; false for other
 * rows.
 */
static bool queue_list_unfold(struct queue_list *l)
{
	const struct fold_line *row = row_here(l);

	if (row == NULL || row->tasks == 0)
		return false;
	keyset_toggle(&l->open, l->fold.task[row->first].array);
	l->host->ops->recalc(l->host->console);
	return true;
}

/* Collapses the array to which the job under the cursor belongs; false if the array is not expanded. */
static bool queue_list_fold(struct queue_list *l)
{
	const struct fold_line *row = row_here(l);
	const struct job *job = row == NULL ? NULL : &snapshot_jobs(l->f->s)[row->slot];
	uint64_t array;

	if (job == NULL || !keyset_has(&l->open, job->array))
		return false;
	array = job->array;
	keyset_toggle(&l->open, array);
	l->host->ops->recalc(l->host->console);
	go_to_array(l, array);
	return true;
}

/*
 * If the row under the cursor stands for several tasks of an array, marks or unmarks all of them; false for
 * other rows.
 */
static bool queue_list_mark(struct queue_list *l)
{
	const struct fold_line *row = row_here(l);
	struct keyset *marked = &l->table.marked;
	bool were;

	if (row == NULL || row->tasks == 0)
		return false;
	were = keyset_has(marked, l->table.cursor_key);
	for (uint32_t i = 0; i < row->tasks; i++) {
		uint64_t id = snapshot_jobs(l->f->s)[l->fold.task[row->first + i].slot].id;

		if (keyset_has(marked, id) == were)
			keyset_toggle(marked, id);
	}
	table_move(&l->table, 1);
	l->host->ops->go_job(l->host->console, l->table.cursor_key);
	return true;
}

/* --- columns ------------------------------------------------------------------------------------------ */

#define ARRAY_JOB_W 16 /* maximum width of column JOB, for labels of array tasks */

#define USER_W_MIN 5 /* minimum width of user names */

/* Sets up the table, with a column for each job field that has one. Some columns are hidden initially. */
static void queue_cells_init(struct queue_list *l)
{
	l->sort = -1;
	for (const struct field *f = job_fields; !field_is_last(f); f++)
		if (l->columns < COLUMNS_MAX && field_screen_column(f, &l->column[l->columns]))
			l->field[l->columns++] = f;
	table_init(&l->table, l->column, l->columns);
}

/* Returns the column of the field with this key; l->columns if the field has no column. */
static size_t column_of(const struct queue_list *l, const char *key)
{
	size_t i = 0;

	while (i < l->columns && (l->field[i]->key == NULL || strcmp(l->field[i]->key, key) != 0))
		i++;
	return i;
}

/* Returns the title of the sort column; NULL = order of the queue. */
static const char *queue_cells_sorted_by(const struct queue_list *l)
{
	return l->sort < 0 ? NULL : l->column[l->sort].title;
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

/* Returns the width of column JOB that the labels of the rows need, at most ARRAY_JOB_W. */
static int job_width(const struct queue_list *l)
{
	const struct field_screen *screen = &l->field[column_of(l, "job")]->screen;
	const int most = screen->max;
	struct str name = {0};
	int width = screen->min;

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

/*
 * Sets the widths of columns JOB and USER. Long job IDs take cells from user names, of which at least
 * USER_W_MIN remain.
 */
static void queue_cells_fit(struct queue_list *l)
{
	size_t job = column_of(l, "job"), user = column_of(l, "user");
	int width = job_width(l), more = width - l->field[job]->screen.min;
	size_t manager = column_of(l, "manager_reason");

	if (!l->watched && l->f != NULL && l->f->s->watched && manager < l->columns) {
		l->column[manager].hidden = false;
		l->watched = true; /* from now on the user decides */
	}

	l->column[job].min = width;
	l->column[job].max = larger(width, l->field[job]->screen.max);
	l->column[user].min = larger(l->field[user]->screen.min - more, USER_W_MIN);
}

/* --- cells -------------------------------------------------------------------------------------------- */

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
	else if (part->kind == PART_ACTIVE && column == column_of(l, "estimated_start"))
		str_add(out, "ENDS BY");
	else if (part->kind == PART_ACTIVE && column == column_of(l, "reason"))
		str_add(out, "USED");
	return ROLE_SECTION;
}

/* Writes the cell of a row; callback of the table, whose `self` is the list. */
static enum role queue_cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct queue_list *l = self;
	const struct fold_line *line = &l->row[row];
	struct job_row job;
	struct str label = {0};
	enum role role;

	if (line->slot == INDEX_NONE)
		return add_heading(l, row, column, out);
	job = job_row_of(l->f, line->slot);
	if (line->tasks > 0) {
		fold_name(&l->fold, line, &label);
		job.label = str_text(&label);
	}
	role = field_cell(l->field[column], &job, out);
	str_free(&label);
	return role;
}

/* --- choice of columns -------------------------------------------------------------------------------- */

static size_t find_column(const struct queue_list *l, const char *word, size_t len)
{
	for (size_t i = 0; i < l->columns; i++) {
		const char *name = field_screen_name(l->field[i]);

		if (strlen(name) == len && strncasecmp(name, word, len) == 0)
			return i;
	}
	return l->columns;
}

/* Appends the names of all columns, or only of those that are shown. */
static void add_names(const struct queue_list *l, bool all, struct str *out)
{
	for (size_t i = 0; i < l->columns; i++)
		if (all || !l->column[i].hidden)
			str_addf(out, "%s%s", out->len > 0 ? " " : "", field_screen_name(l->field[i]));
}

/* Shows only the columns named in text. If one of them is unknown, shows a message and changes nothing. */
static void choose_columns(void *self, const char *text)
{
	struct queue_list *l = self;
	bool shown[COLUMNS_MAX] = {[0] = true};
	struct str names = {0};

	for (size_t len; *(text += strspn(text, " ")); text += len) {
		size_t column;

		len = strcspn(text, " ");
		column = find_column(l, text, len);
		if (column == l->columns) {
			add_names(l, true, &names);
			l->host->ops->say(l->host->console, ROLE_ERROR, "unknown column %.*s; columns: %s",
					  (int)len, text, str_text(&names));
			str_free(&names);
			return;
		}
		shown[column] = true;
	}
	for (size_t i = 0; i < l->columns; i++)
		l->column[i].hidden = !shown[i];
}

/* Prompts for the columns to show. */
static void queue_cells_ask(struct queue_list *l)
{
	struct str text = {0};

	add_names(l, false, &text);
	l->host->ops->ask(l->host->console, "show:", str_text(&text), choose_columns, l);
	str_free(&text);
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define BESIDE_W 160 /* width from which details of the job are shown beside the list */

#define BELOW_H 44 /* height from which details of the job are shown below the list */

#define TWO_METERS_H 24 /* height from which each meter has its own line */

#define TWO_LINES_H 16 /* height from which the sentence about the job has two lines */

#define PREVIEW_W 70

#define SHORT_W 80 /* width below which the totals in the status line are abbreviated */

#define SHORT_MORE_W 100 /* as SHORT_W, if more text follows the totals */

#define PREVIEW_H 18

struct queue_view {
	struct queue_list list;
	struct page preview;
};

static void queue_open(void *self, struct screen_host *host)
{
	queue_list_open(&((struct queue_view *)self)->list, host);
}

static void queue_close(void *self)
{
	struct queue_view *v = self;

	queue_list_close(&v->list);
	page_free(&v->preview);
}

static void queue_recalc(void *self)
{
	struct queue_view *v = self;

	queue_list_update(&v->list, v->list.host->ops->plan_query(v->list.host->console));
}

static void put_meters(const struct queue_view *v, struct canvas *canvas, struct rect *body)
{
	const struct snapshot *s = v->list.f->s;
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	bool two_lines = body->h >= TWO_METERS_H && body->w < BESIDE_W;
	struct rect line = rect_take_top(body, two_lines ? 2 : 1), left = line;
	char procs_text[64], nodes_text[64];
	struct meter procs = {.label = "Procs", .label_width = 6, .text = procs_text};
	struct meter in_use = {.label = "Nodes", .label_width = 6, .text = nodes_text};

	procs.part[0] = (double)s->procs_busy;
	procs.total = (double)s->procs_total;
	in_use.part[0] = (double)s->nodes_busy;
	in_use.total = nodes;
	snprintf(procs_text, sizeof procs_text, "%" PRId64 "/%" PRId64 " %3" PRId64 "%%", s->procs_busy,
		 s->procs_total, s->procs_total > 0 ? s->procs_busy * 100 / s->procs_total : 0);
	snprintf(nodes_text, sizeof nodes_text, "%" PRId64 "/%" PRIu32 " %3" PRId64 "%%", s->nodes_busy,
		 nodes, nodes > 0 ? s->nodes_busy * 100 / nodes : 0);
	(void)rect_take_left(&left, 1);
	if (!two_lines) {
		struct rect right = left;

		left = rect_take_left(&right, left.w / 2);
		(void)rect_take_left(&right, 1);
		meter_draw(canvas, left, 0, &procs);
		meter_draw(canvas, right, 0, &in_use);
		return;
	}
	meter_draw(canvas, left, 0, &procs);
	meter_draw(canvas, left, 1, &in_use);
}

static void put_preview(struct queue_view *v, struct canvas *canvas, struct rect r)
{
	page_clear(&v->preview);
	job_page_head(&v->preview, v->list.host, v->list.host->ops->job(v->list.host->console), r.w);
	job_page_checks(&v->preview, v->list.host, v->list.host->ops->job(v->list.host->console), r.w);
	job_page_priority(&v->preview, v->list.host, v->list.host->ops->job(v->list.host->console), r.w);
	page_draw(&v->preview, canvas, r);
}

static void put_sentence(const struct queue_view *v, struct canvas *canvas, struct rect r)
{
	uint32_t slot;
	const struct job *job = forecast_job(v->list.f, v->list.host->ops->job(v->list.host->console), &slot);
	struct page page = {0};
	struct str text = {0}, slip = {0};

	if (job) {
		const struct reason reason = forecast_lead(v->list.f, slot).reason;

		job_text_sentence(v->list.f->s, job, &reason, v->list.now_s, &text);
	}
	if (job && jobs_add_slip(v->list.f, slot, &slip))
		str_addf(&text, " Its start: %s.", str_text(&slip));
	str_free(&slip);
	page_wrap(&page, ROLE_REASON, 1, r.w - 2, str_text(&text));
	page_draw(&page, canvas, r);
	page_free(&page);
	str_free(&text);
}

static void put_divider(struct canvas *canvas, struct rect r)
{
	for (int y = 0; y < r.h; y++)
		canvas_glyph(canvas, r, 0, y, ROLE_RULE, GLYPH_VLINE);
}

static void queue_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct queue_view *v = self;
	struct rect list;

	put_meters(v, canvas, &r);
	list = r;
	if (r.w >= BESIDE_W) {
		struct rect pane = rect_take_right(&list, PREVIEW_W);

		put_divider(canvas, rect_take_left(&pane, 1));
		put_preview(v, canvas, pane);
	} else if (r.h >= BELOW_H) {
		struct rect pane = rect_take_bottom(&list, PREVIEW_H);

		canvas_rule(canvas, pane, 0, 0, ROLE_RULE);
		(void)rect_take_top(&pane, 1);
		put_preview(v, canvas, pane);
	} else {
		put_sentence(v, canvas, rect_take_bottom(&list, r.h >= TWO_LINES_H ? 2 : 1));
	}
	queue_list_draw(&v->list, canvas, list);
}

static bool queue_act(void *self, enum action action, int arg)
{
	struct queue_list *l = &((struct queue_view *)self)->list;

	(void)arg;
	l->placed = true;
	switch (action) {
	case ACTION_OPEN:
	case ACTION_RIGHT:
		return queue_list_unfold(l);
	case ACTION_LEFT:
		return queue_list_fold(l);
	case ACTION_MARK:
		return queue_list_mark(l);
	case ACTION_SORT:
		queue_list_sort_next(l);
		l->host->ops->recalc(l->host->console);
		return true;
	case ACTION_SORT_REVERSE:
		l->table.descending = !l->table.descending;
		l->host->ops->recalc(l->host->console);
		return true;
	case ACTION_COLUMNS:
		queue_cells_ask(l);
		return true;
	case ACTION_PANE_NEXT:
		queue_list_next_part(l, 1);
		return true;
	case ACTION_PANE_PREVIOUS:
		queue_list_next_part(l, -1);
		return true;
	default:
		return false;
	}
}

static struct table *queue_table(void *self)
{
	return &((struct queue_view *)self)->list.table;
}

static void queue_status(void *self, struct str *out)
{
	const struct queue_view *v = self;
	const struct queue *q = v->list.f ? &v->list.f->plan.queue : NULL;
	bool more = queue_cells_sorted_by(&v->list) ||
		    v->list.host->ops->filter(v->list.host->console)->count > 0;

	if (!q)
		return;
	str_addf(out,
		 v->list.host->ops->width(v->list.host->console) < (more ? SHORT_MORE_W : SHORT_W)
			 ? "%" PRIu32 " jobs: %" PRIu32 " active, %" PRIu32 " idle, %" PRIu32 " blocked"
			 : "Total Jobs: %" PRIu32 "   Active Jobs: %" PRIu32 "   Idle Jobs: %" PRIu32
			   "   Blocked Jobs: %" PRIu32,
		 q->active_count + q->idle_count + q->blocked_count, q->active_count, q->idle_count,
		 q->blocked_count);
	if (queue_cells_sorted_by(&v->list))
		str_addf(out, "   sort: %s", queue_cells_sorted_by(&v->list));
}

static const enum action hints[] = {
	ACTION_OPEN,   ACTION_WHY,    ACTION_HOLD,   ACTION_RELEASE, ACTION_REWEIGHT, ACTION_UNDO,
	ACTION_OUTPUT, ACTION_CANCEL, ACTION_SUBMIT, ACTION_NUMBERS, ACTION_COMMAND,  ACTION_MARK,
	ACTION_FILTER, ACTION_SORT,   ACTION_FREEZE, ACTION_SLOWER,  ACTION_FASTER,   ACTION_NONE,
};

const struct view_ops view_queue = {
	.name = "queue",
	.fields = job_fields,
	.title = "Queue",
	.number = 1,
	.size = sizeof(struct queue_view),
	.jobs = true,
	.hints = hints,
	.open = queue_open,
	.close = queue_close,
	.recalc = queue_recalc,
	.draw = queue_draw,
	.act = queue_act,
	.table = queue_table,
	.match = queue_list_match,
	.status = queue_status,
};
