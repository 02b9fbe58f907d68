/* SPDX-License-Identifier: MIT */
/*
 * queue_list.c - rows of the queue: active, idle and blocked jobs
 */
#include "queue_list.h"

#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "queue_cells.h"
#include "sched/base/vec.h"
#include "sched/pass/queue.h"
#include "view.h"

/* What s sorts by, in turn; the first is the order of the queue. */
static const int sortable[] = {-1, COL_JOB, COL_USER, COL_PROC, COL_WCLIMIT, COL_QUEUED, COL_START};

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

static int compare_jobs(const struct queue_list *l, uint32_t x, uint32_t y)
{
	const struct job *a = &snapshot_jobs(l->f->s)[x], *b = &snapshot_jobs(l->f->s)[y];

	switch (sortable[l->sort]) {
	case COL_USER:
		return compare_users(l->f->s, a, b);
	case COL_PROC:
		return compare_numbers(job_procs(a), job_procs(b));
	case COL_WCLIMIT:
		return compare_numbers(a->wall_limit_s, b->wall_limit_s);
	case COL_QUEUED:
		return compare_numbers(b->accrual_s, a->accrual_s);
	case COL_START:
		return compare_numbers(l->f->start_s[x], l->f->start_s[y]);
	default:
		return compare_numbers((int64_t)a->id, (int64_t)b->id);
	}
}

static int compare_slots(const void *x, const void *y, void *self)
{
	const struct queue_list *l = self;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = compare_jobs(l, a, b);

	if (order == 0)
		order = compare_numbers((int64_t)snapshot_jobs(l->f->s)[a].id,
					(int64_t)snapshot_jobs(l->f->s)[b].id);
	return l->table.descending ? -order : order;
}

static void sort_slots(struct queue_list *l)
{
	if (sortable[l->sort] >= 0 && l->slots > 0)
		qsort_r(l->slot, l->slots, sizeof *l->slot, compare_slots, l);
}

/* --- rows ------------------------------------------------------------------------------- */

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

/* A part without jobs is left out, but idle: that nothing waits is worth saying. */
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

bool queue_list_match(void *self, size_t row)
{
	const struct queue_list *l = self;

	return l->row[row].slot != INDEX_NONE &&
	       jobs_match(l->f, l->row[row].slot, l->host->ops->search(l->host->console));
}

/* --- the list --------------------------------------------------------------------------- */

void queue_list_open(struct queue_list *l, struct screen_host *host)
{
	l->host = host;
	l->bring_up = SIZE_MAX;
	queue_cells_init(l);
}

void queue_list_close(struct queue_list *l)
{
	table_free(&l->table);
	fold_free(&l->fold);
	keyset_free(&l->open);
	free(l->row);
	free(l->slot);
}

/* NULL: a heading. */
static const struct job *job_on(const struct queue_list *l, size_t row)
{
	uint32_t slot = l->row[row].slot;

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(l->f->s)[slot];
}

/* At first the cursor stands on the job that should start next. */
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

void queue_list_update(struct queue_list *l, const struct plan_query *o)
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

/* So that more is seen of the part than its first row. */
static void scroll_to_part(struct queue_list *l, int lines)
{
	size_t above = l->to_top || lines < 2 ? 0 : (size_t)lines / 3;

	if (l->bring_up != SIZE_MAX)
		l->table.top = l->bring_up > above ? l->bring_up - above : 0;
	l->bring_up = SIZE_MAX;
	l->to_top = false;
}

void queue_list_draw(struct queue_list *l, struct canvas *canvas, struct rect r)
{
	scroll_to_part(l, r.h - 1);
	table_draw(&l->table, canvas, r);
}

void queue_list_next_part(struct queue_list *l, int dir)
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

void queue_list_sort_next(struct queue_list *l)
{
	l->sort = (l->sort + 1) % (sizeof sortable / sizeof sortable[0]);
	l->table.sorted_by = sortable[l->sort];
}

/* --- arrays ------------------------------------------------------------------------------- */

/* The row of the cursor if a job stands there. */
static const struct fold_line *row_here(const struct queue_list *l)
{
	size_t at = l->table.cursor;

	return at == TABLE_NO_ROW || at >= l->rows || l->row[at].slot == INDEX_NONE ? NULL : &l->row[at];
}

/* The cursor goes to the line that shows the array now. */
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

bool queue_list_unfold(struct queue_list *l)
{
	const struct fold_line *row = row_here(l);

	if (row == NULL || row->tasks == 0)
		return false;
	keyset_toggle(&l->open, l->fold.task[row->first].array);
	l->host->ops->recalc(l->host->console);
	return true;
}

bool queue_list_fold(struct queue_list *l)
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

bool queue_list_mark(struct queue_list *l)
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
