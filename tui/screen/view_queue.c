/* SPDX-License-Identifier: MIT */
/*
 * view_queue.c - Queue screen: active, idle and blocked jobs
 *
 * Meters, then one list in parts: active by completion, idle by priority, and the blocked
 * grouped by the gate that blocks them. Sorting and filtering act within the parts. Where
 * there is room the job under the cursor is shown in full beside or below the list,
 * otherwise in one sentence. Enter shows the tasks of an array that share a line, left folds them again.
 */
#include <inttypes.h>
#include <stdio.h>

#include "job_page.h"
#include "jobs.h"
#include "page.h"
#include "queue_cells.h"
#include "queue_list.h"
#include "sched/forecast/explain.h"
#include "tui/draw/meter.h"
#include "tui/report/job_text.h"
#include "view.h"

#define BESIDE_W     160 /* from here on the job is shown beside the list   */
#define BELOW_H      44  /* from here on below it                           */
#define TWO_METERS_H 24  /* from here on the meters have a line each    */
#define TWO_LINES_H  16  /* from here on the sentence has two lines */
#define PREVIEW_W    70
#define SHORT_W      80  /* below: the totals in few words */
#define SHORT_MORE_W 100 /* and here when more is said behind them */
#define PREVIEW_H    18

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

	queue_list_update(&v->list, v->list.host->ops->outlook(v->list.host->console));
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
		str_addf(&text, " It is %s.", str_text(&slip));
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
	.fields = JOBS_FIELDS,
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
