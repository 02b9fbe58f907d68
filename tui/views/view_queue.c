/* SPDX-License-Identifier: MIT */
/*
 * view_queue.c - what is going on?
 *
 * Meters, then one list in parts: active by completion, idle by priority, and the blocked
 * grouped by the gate that blocks them. Sorting and filtering act within the parts. Where
 * there is room the job under the cursor is shown in full beside or below the list,
 * otherwise in one sentence.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_page.h"
#include "jobs.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/core/explain.h"
#include "sched/core/queue.h"
#include "tui/draw/meter.h"
#include "tui/formula.h"
#include "view.h"

#define PARTS_MAX    (2 + GATE_COUNT)
#define BESIDE_W     160 /* from here on the job is shown beside the list   */
#define BELOW_H      44  /* from here on below it                           */
#define TWO_METERS_H 24  /* from here on the meters have a line each */
#define PREVIEW_W    70
#define SHORT_W      80 /* below: the totals in few words */
#define PREVIEW_H    18

enum column {
	COL_JOB,
	COL_FLAG,
	COL_USER,
	COL_GROUP,
	COL_ACCOUNT,
	COL_QOS,
	COL_CLASS,
	COL_PROC,
	COL_WCLIMIT,
	COL_PRIO,
	COL_XF,
	COL_QUEUED,
	COL_START,
	COL_WHY,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_JOB] = {.title = "JOB", .min = 5, .max = 10},
	[COL_FLAG] = {.title = "", .min = 1},
	[COL_USER] = {.title = "USER", .min = 7, .max = 10},
	[COL_GROUP] = {.title = "GROUP", .min = 8, .max = 10, .drop = 9},
	[COL_ACCOUNT] = {.title = "ACCOUNT", .min = 8, .max = 10, .drop = 8},
	[COL_QOS] = {.title = "QOS", .min = 6, .max = 8, .drop = 6},
	[COL_CLASS] = {.title = "CLASS", .min = 6, .max = 8, .drop = 5},
	[COL_PROC] = {.title = "PROC", .min = 5, .max = 7, .align = TEXT_RIGHT},
	[COL_WCLIMIT] = {.title = "WCLIMIT", .min = 10, .align = TEXT_RIGHT},
	[COL_PRIO] = {.title = "PRIO", .min = 7, .max = 9, .align = TEXT_RIGHT},
	[COL_XF] = {.title = "XF", .min = 6, .align = TEXT_RIGHT, .drop = 7},
	[COL_QUEUED] = {.title = "QUEUED", .min = 6, .max = 7, .align = TEXT_RIGHT, .drop = 4},
	[COL_START] = {.title = "EST.START", .min = 20},
	[COL_WHY] = {.title = "WHY NOT NOW", .min = 16, .flexible = true},
};

/* What columns are called when they are chosen. */
static const char *const names[COL_COUNT] = {"JOB",  "FLAG",    "USER", "GROUP", "ACCOUNT", "QOS",   "CLASS",
					     "PROC", "WCLIMIT", "PRIO", "XF",    "QUEUED",  "START", "WHY"};

/* What s sorts by, in turn; the first is the order of the queue. */
static const int sortable[] = {-1, COL_JOB, COL_USER, COL_PROC, COL_WCLIMIT, COL_QUEUED, COL_START};

enum part_kind {
	PART_ACTIVE,
	PART_IDLE,
	PART_BLOCKED
};

/* A part of the list: its heading, then its rows. */
struct part {
	enum part_kind kind;
	enum gate gate; /* of a blocked part */
	size_t row;     /* of the heading     */
	size_t count;
};

struct queue_view {
	struct console *c;
	const struct forecast *f; /* of the rows; NULL before the first outlook */
	int64_t now_s;
	struct table table;
	struct table_column column[COL_COUNT];
	uint32_t *slot; /* by row; INDEX_NONE for headings */
	size_t rows, cap;
	struct part part[PARTS_MAX];
	size_t parts;
	size_t sort;     /* position in sortable */
	bool placed;     /* the cursor was put on the first idle job, or moved         */
	size_t bring_up; /* a heading to scroll to the upper part of the list; SIZE_MAX = none */
	bool to_top;     /* to the very top of it                                       */
	struct page preview;
	bool short_status; /* there is little room on the status line */
};

/* --- rows ------------------------------------------------------------------------------- */

static void add_row(struct queue_view *v, uint32_t slot)
{
	v->slot = vec_room(v->slot, &v->cap, v->rows + 1, sizeof *v->slot);
	v->slot[v->rows++] = slot;
}

static void begin_part(struct queue_view *v, enum part_kind kind, enum gate gate)
{
	v->part[v->parts++] = (struct part){.kind = kind, .gate = gate, .row = v->rows};
	add_row(v, INDEX_NONE);
}

static void add_job(struct queue_view *v, uint32_t slot)
{
	if (!jobs_match(v->f, slot, console_filter(v->c)))
		return;
	add_row(v, slot);
	v->part[v->parts - 1].count++;
}

/* A part without jobs is left out, but idle: that nothing waits is worth saying. */
static void end_part(struct queue_view *v)
{
	const struct part *part = &v->part[v->parts - 1];

	if (part->count > 0 || part->kind == PART_IDLE)
		return;
	v->rows = part->row;
	v->parts--;
}

static void add_blocked(struct queue_view *v, enum gate gate)
{
	const struct queue *q = &v->f->plan.queue;

	begin_part(v, PART_BLOCKED, gate);
	for (uint32_t i = 0; i < q->blocked_count; i++)
		if (q->blocked_reason[i].gate == gate)
			add_job(v, q->blocked[i]);
	end_part(v);
}

static void find_rows(struct queue_view *v)
{
	const struct queue *q = &v->f->plan.queue;

	v->rows = v->parts = 0;
	begin_part(v, PART_ACTIVE, GATE_NONE);
	for (uint32_t i = 0; i < q->active_count; i++)
		add_job(v, q->active[i]);
	end_part(v);
	begin_part(v, PART_IDLE, GATE_NONE);
	for (uint32_t i = 0; i < q->idle_count; i++)
		add_job(v, q->idle[i].slot);
	end_part(v);
	for (enum gate g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (q->blocked_count > 0 && gate_rows[g].blocks)
			add_blocked(v, g);
}

/* --- sorting ---------------------------------------------------------------------------- */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_users(const struct snapshot *s, const struct job *a, const struct job *b)
{
	const char *x = snapshot_job_cred(s, a, CRED_USER), *y = snapshot_job_cred(s, b, CRED_USER);

	return strcmp(x ? x : "", y ? y : "");
}

static int compare_jobs(const struct queue_view *v, uint32_t x, uint32_t y)
{
	const struct job *a = &snapshot_jobs(v->f->s)[x], *b = &snapshot_jobs(v->f->s)[y];

	switch (sortable[v->sort]) {
	case COL_USER:
		return compare_users(v->f->s, a, b);
	case COL_PROC:
		return compare_numbers(job_procs(a), job_procs(b));
	case COL_WCLIMIT:
		return compare_numbers(a->wall_limit_s, b->wall_limit_s);
	case COL_QUEUED:
		return compare_numbers(b->accrual_s, a->accrual_s);
	case COL_START:
		return compare_numbers(v->f->plan.start_s[x], v->f->plan.start_s[y]);
	default:
		return compare_numbers((int64_t)a->id, (int64_t)b->id);
	}
}

static int compare_slots(const void *x, const void *y, void *self)
{
	const struct queue_view *v = self;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = compare_jobs(v, a, b);

	if (order == 0)
		order = compare_numbers((int64_t)snapshot_jobs(v->f->s)[a].id,
					(int64_t)snapshot_jobs(v->f->s)[b].id);
	return v->table.descending ? -order : order;
}

static void sort_rows(struct queue_view *v)
{
	for (size_t i = 0; i < v->parts && sortable[v->sort] >= 0; i++)
		qsort_r(v->slot + v->part[i].row + 1, v->part[i].count, sizeof *v->slot, compare_slots, v);
}

/* --- cells ------------------------------------------------------------------------------ */

static const struct part *part_of(const struct queue_view *v, size_t row)
{
	size_t i = v->parts - 1;

	while (i > 0 && v->part[i].row > row)
		i--;
	return &v->part[i];
}

static enum role add_heading(const struct queue_view *v, size_t row, size_t column, struct str *out)
{
	const struct part *part = part_of(v, row);

	if (column == TABLE_LABEL && part->kind == PART_ACTIVE)
		str_addf(out, "ACTIVE %zu - by completion", part->count);
	else if (column == TABLE_LABEL && part->kind == PART_IDLE)
		str_addf(out, "IDLE %zu - by priority", part->count);
	else if (column == TABLE_LABEL)
		str_addf(out, "BLOCKED %zu - by %s", part->count, gate_rows[part->gate].name);
	else if (part->kind == PART_ACTIVE && column == COL_START)
		str_add(out, "ENDS BY");
	else if (part->kind == PART_ACTIVE && column == COL_WHY)
		str_add(out, "USED");
	return ROLE_SECTION;
}

static void add_cred(const struct queue_view *v, const struct job *job, enum cred_type type, struct str *out)
{
	const char *name = snapshot_job_cred(v->f->s, job, type);

	str_add(out, name ? name : "-");
}

static enum role add_running_cell(const struct queue_view *v, const struct job *job, size_t column,
				  struct str *out)
{
	char queued[DURATION_TEXT];

	switch (column) {
	case COL_QUEUED:
		str_add(out, duration_short(queued, job->start_s - job->submit_s));
		return ROLE_DIM;
	case COL_START:
		str_add(out, " ");
		jobs_add_moment(out, job_due_end_s(job), v->now_s);
		return ROLE_TEXT;
	case COL_WHY:
		str_addf(out, "%3" PRId64 "%%", (v->now_s - job->start_s) * 100 / job->wall_limit_s);
		return ROLE_DIM;
	default:
		str_add(out, "-");
		return ROLE_DIM;
	}
}

static enum role add_waiting_cell(const struct queue_view *v, uint32_t slot, size_t column, struct str *out)
{
	const struct job *job = &snapshot_jobs(v->f->s)[slot];
	struct prio_result result;
	char queued[DURATION_TEXT];

	switch (column) {
	case COL_PRIO:
		forecast_priority(v->f, job, &result);
		str_addf(out, "%" PRId64, result.rank);
		return v->f->place[slot] ? ROLE_STRONG : ROLE_DIM;
	case COL_XF:
		formula_fixed(out, forecast_xfactor(v->f, job));
		return ROLE_DIM;
	case COL_QUEUED:
		str_add(out, duration_short(queued, job_queued_s(job, v->now_s)));
		return ROLE_TEXT;
	case COL_START:
		return jobs_add_start(v->f, slot, out);
	default:
		explain_short(v->f->s, &v->f->plan.reason[slot], out);
		return ROLE_REASON;
	}
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct queue_view *v = self;
	uint32_t slot = v->slot[row];
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(v->f->s)[slot];
	enum role role = job ? jobs_role(v->f, slot) : ROLE_SECTION;
	char text[DURATION_TEXT > JOB_LABEL_TEXT ? DURATION_TEXT : JOB_LABEL_TEXT];

	if (!job)
		return add_heading(v, row, column, out);
	switch (column) {
	case COL_JOB:
		str_add(out, snapshot_job_label(v->f->s, job, text));
		return role;
	case COL_FLAG:
		str_add(out, role_info(role)->mark);
		return role;
	case COL_USER:
		add_cred(v, job, CRED_USER, out);
		return ROLE_TEXT;
	case COL_GROUP:
		add_cred(v, job, CRED_GROUP, out);
		return ROLE_TEXT;
	case COL_ACCOUNT:
		add_cred(v, job, CRED_ACCOUNT, out);
		return ROLE_TEXT;
	case COL_QOS:
		add_cred(v, job, CRED_QOS, out);
		return ROLE_TEXT;
	case COL_CLASS:
		add_cred(v, job, CRED_CLASS, out);
		return ROLE_TEXT;
	case COL_PROC:
		str_addf(out, "%" PRId64, job_procs(job));
		return ROLE_TEXT;
	case COL_WCLIMIT:
		str_add(out, duration_text(text, job->wall_limit_s));
		return ROLE_TEXT;
	default:
		return job->state == JOB_RUNNING ? add_running_cell(v, job, column, out)
						 : add_waiting_cell(v, slot, column, out);
	}
}

static uint64_t key(void *self, size_t row)
{
	const struct queue_view *v = self;

	return snapshot_jobs(v->f->s)[v->slot[row]].id;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct queue_view *)self)->slot[row] == INDEX_NONE;
}

static bool match(void *self, size_t row)
{
	const struct queue_view *v = self;

	return v->slot[row] != INDEX_NONE && jobs_match(v->f, v->slot[row], console_search(v->c));
}

/* --- the screen ------------------------------------------------------------------------- */

static void queue_open(void *self, struct console *c)
{
	struct queue_view *v = self;

	v->c = c;
	v->bring_up = SIZE_MAX;
	memcpy(v->column, columns, sizeof columns);
	v->column[COL_GROUP].hidden = true;
	table_init(&v->table, v->column, COL_COUNT);
}

static void queue_close(void *self)
{
	struct queue_view *v = self;

	table_free(&v->table);
	page_free(&v->preview);
	free(v->slot);
}

/* At first the cursor stands on the job that should start next. */
static void place_cursor(struct queue_view *v)
{
	if (v->placed)
		return;
	for (size_t i = 0; i < v->parts; i++) {
		if (v->part[i].kind != PART_IDLE || v->part[i].count == 0)
			continue;
		v->placed = true;
		table_go_row(&v->table, v->part[i].row + 1);
		v->bring_up = v->part[i].row;
	}
}

static void queue_recalc(void *self)
{
	struct queue_view *v = self;
	struct table_source source = {.self = v, .key = key, .is_section = is_section, .cell = cell};

	v->f = &console_outlook(v->c)->live;
	v->now_s = console_outlook(v->c)->now_s;
	find_rows(v);
	sort_rows(v);
	source.rows = v->rows;
	table_update(&v->table, &source);
	place_cursor(v);
}

static void put_meters(const struct queue_view *v, struct canvas *canvas, struct rect *body)
{
	const struct snapshot *s = v->f->s;
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
	job_page_head(&v->preview, v->c, console_job(v->c), r.w);
	job_page_checks(&v->preview, v->c, console_job(v->c), r.w);
	job_page_priority(&v->preview, v->c, console_job(v->c), r.w);
	page_draw(&v->preview, canvas, r);
}

static void put_sentence(const struct queue_view *v, struct canvas *canvas, struct rect r)
{
	uint32_t slot;
	const struct job *job = forecast_job(v->f, console_job(v->c), &slot);
	struct str text = {0};

	if (job)
		explain_sentence(v->f->s, job, &v->f->plan.reason[slot], v->now_s, &text);
	canvas_put(canvas, r, 1, 0, ROLE_REASON, str_text(&text));
	str_free(&text);
}

static void put_divider(struct canvas *canvas, struct rect r)
{
	for (int y = 0; y < r.h; y++)
		canvas_glyph(canvas, r, 0, y, ROLE_RULE, GLYPH_VLINE);
}

/* So that more is seen of the part than its first row. */
static void scroll_to_part(struct queue_view *v, int lines)
{
	size_t above = v->to_top || lines < 2 ? 0 : (size_t)lines / 3;

	if (v->bring_up != SIZE_MAX)
		v->table.top = v->bring_up > above ? v->bring_up - above : 0;
	v->bring_up = SIZE_MAX;
	v->to_top = false;
}

static void queue_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct queue_view *v = self;
	struct rect list;

	v->short_status = r.w < SHORT_W;
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
		put_sentence(v, canvas, rect_take_bottom(&list, 1));
	}
	scroll_to_part(v, list.h - 1);
	table_draw(&v->table, canvas, list);
}

/* To the first job of the next part, round and round. */
static void next_part(struct queue_view *v, int dir)
{
	size_t at = 0;

	if (v->parts == 0 || v->table.cursor == TABLE_NO_ROW)
		return;
	while (at + 1 < v->parts && v->part[at + 1].row <= v->table.cursor)
		at++;
	for (size_t i = 0; i < v->parts; i++) {
		at = (at + (dir > 0 ? 1 : v->parts - 1)) % v->parts;
		if (v->part[at].count > 0)
			break;
	}
	table_go_row(&v->table, v->part[at].row + 1);
	console_go_job(v->c, v->table.cursor_key);
	v->bring_up = v->part[at].row;
	v->to_top = true;
}

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
	struct queue_view *v = self;
	bool shown[COL_COUNT] = {[COL_JOB] = true};

	for (size_t len; *(text += strspn(text, " ")); text += len) {
		size_t column;

		len = strcspn(text, " ");
		column = find_column(text, len);
		if (column == COL_COUNT) {
			console_say(
				v->c, ROLE_ERROR,
				"there is no column %.*s; there are JOB FLAG USER GROUP ACCOUNT QOS CLASS "
				"PROC WCLIMIT PRIO XF QUEUED START WHY",
				(int)len, text);
			return;
		}
		shown[column] = true;
	}
	for (size_t i = 0; i < COL_COUNT; i++)
		v->column[i].hidden = !shown[i];
}

static void ask_columns(struct queue_view *v)
{
	struct str text = {0};

	for (size_t i = 0; i < COL_COUNT; i++)
		if (!v->column[i].hidden)
			str_addf(&text, "%s%s", text.len > 0 ? " " : "", names[i]);
	console_ask(v->c, "show:", str_text(&text), choose_columns, v);
	str_free(&text);
}

static bool queue_act(void *self, enum action action, int arg)
{
	struct queue_view *v = self;

	(void)arg;
	v->placed = true;
	switch (action) {
	case ACTION_SORT:
		v->sort = (v->sort + 1) % (sizeof sortable / sizeof sortable[0]);
		v->table.sorted_by = sortable[v->sort];
		break;
	case ACTION_SORT_REVERSE:
		v->table.descending = !v->table.descending;
		break;
	case ACTION_COLUMNS:
		ask_columns(v);
		return true;
	case ACTION_PANE_NEXT:
		next_part(v, 1);
		return true;
	case ACTION_PANE_PREVIOUS:
		next_part(v, -1);
		return true;
	default:
		return false;
	}
	console_recalc(v->c);
	return true;
}

static struct table *queue_table(void *self)
{
	return &((struct queue_view *)self)->table;
}

static void queue_status(void *self, struct str *out)
{
	const struct queue_view *v = self;
	const struct queue *q = v->f ? &v->f->plan.queue : NULL;

	if (!q)
		return;
	str_addf(out,
		 v->short_status ? "%" PRIu32 " jobs: %" PRIu32 " active, %" PRIu32 " idle, %" PRIu32
				   " blocked"
				 : "Total Jobs: %" PRIu32 "   Active Jobs: %" PRIu32 "   Idle Jobs: %" PRIu32
				   "   Blocked Jobs: %" PRIu32,
		 q->active_count + q->idle_count + q->blocked_count, q->active_count, q->idle_count,
		 q->blocked_count);
	if (sortable[v->sort] >= 0)
		str_addf(out, "   sort: %s", columns[sortable[v->sort]].title);
}

static const enum action hints[] = {
	ACTION_OPEN, ACTION_WHY,     ACTION_HOLD,    ACTION_RELEASE, ACTION_REWEIGHT,
	ACTION_UNDO, ACTION_NUMBERS, ACTION_COMMAND, ACTION_MARK,    ACTION_FILTER,
	ACTION_SORT, ACTION_FREEZE,  ACTION_SLOWER,  ACTION_FASTER,  ACTION_NONE,
};

const struct view_ops view_queue = {
	.name = "queue",
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
	.match = match,
	.status = queue_status,
};
