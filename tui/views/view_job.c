/* SPDX-License-Identifier: MIT */
/*
 * view_job.c - why is this job not running, and what happened to it so far?
 *
 * The head, every check in order, the priority written out, and the job's own entries of
 * the journal. Left and right go through the jobs in the order of the queue.
 */
#include <inttypes.h>

#include "job_page.h"
#include "journal.h"
#include "page.h"
#include "sched/base/duration.h"
#include "view.h"

struct job_view {
	struct console *c;
	struct page page;
	struct journal history;
	uint64_t job; /* of the page: another one begins at its top */
	int width;
};

/* What had been written at the moment that is shown. */
static bool is_told(const struct job_view *v, const struct journal_entry *e)
{
	const struct outlook *o = console_outlook(v->c);

	return !outlook_is_past(o) || e->seq <= o->live.s->seq;
}

static void put_history(struct job_view *v, int64_t now_s)
{
	char when[MOMENT_TEXT];

	page_heading(&v->page, "HISTORY");
	for (size_t i = 0; i < v->history.count; i++) {
		const struct journal_entry *e = &v->history.entry[i];

		if (!is_told(v, e))
			continue;
		page_line(&v->page);
		page_at(&v->page, 1);
		page_addf(&v->page, ROLE_DIM, "%-12s", moment_short(when, e->time_s, now_s));
		page_addf(&v->page, ROLE_TEXT, " %s", e->what);
		page_addf(&v->page, ROLE_DIM, "  (%s, entry %" PRIu64 ")", e->who, e->seq);
	}
	if (v->history.count == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM, "no entries");
	}
}

static void job_view_open(void *self, struct console *c)
{
	((struct job_view *)self)->c = c;
}

static void job_view_close(void *self)
{
	struct job_view *v = self;

	page_free(&v->page);
	journal_clear(&v->history);
}

static void job_view_recalc(void *self)
{
	struct job_view *v = self;
	uint64_t job = console_job(v->c);
	int width = v->width > 0 ? v->width : 80;

	if (job != v->job)
		page_home(&v->page);
	v->job = job;
	page_clear(&v->page);
	if (job == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM, "There is no job under the cursor.");
		return;
	}
	journal_follow(&v->history, console_store(v->c), (struct journal_filter){.job = job}, NULL);
	job_page_head(&v->page, v->c, job, width);
	job_page_checks(&v->page, v->c, job, width);
	job_page_priority(&v->page, v->c, job, width);
	put_history(v, console_outlook(v->c)->now_s);
}

static void job_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct job_view *v = self;

	if (r.w != v->width) {
		v->width = r.w;
		job_view_recalc(v);
	}
	page_draw(&v->page, canvas, r);
}

/* The slot at a place in the order active, idle, blocked. */
static uint32_t slot_at(const struct queue *q, uint32_t place)
{
	if (place < q->active_count)
		return q->active[place];
	place -= q->active_count;
	return place < q->idle_count ? q->idle[place].slot : q->blocked[place - q->idle_count];
}

/* The job before or after one in that order; 0 = none. */
static uint64_t neighbour(const struct forecast *f, uint64_t id, bool after)
{
	const struct queue *q = &f->plan.queue;
	const struct job *jobs = snapshot_jobs(f->s);
	uint32_t count = q->active_count + q->idle_count + q->blocked_count, at = 0;

	while (at < count && jobs[slot_at(q, at)].id != id)
		at++;
	if (at == count || (after ? at + 1 == count : at == 0))
		return 0;
	return jobs[slot_at(q, after ? at + 1 : at - 1)].id;
}

static bool job_view_act(void *self, enum action action, int arg)
{
	struct job_view *v = self;
	uint64_t next;

	(void)arg;
	if (action == ACTION_OPEN || action == ACTION_WHY)
		return true;
	if (action != ACTION_LEFT && action != ACTION_RIGHT)
		return false;
	next = neighbour(&console_outlook(v->c)->live, console_job(v->c), action == ACTION_RIGHT);
	if (next) {
		console_go_job(v->c, next);
		console_recalc(v->c);
	}
	return true;
}

static struct page *job_view_page(void *self)
{
	return &((struct job_view *)self)->page;
}

static const enum action hints[] = {
	ACTION_HOLD,    ACTION_RELEASE, ACTION_PRIORITY, ACTION_REWEIGHT,
	ACTION_NUMBERS, ACTION_UNDO,    ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_job = {
	.name = "job",
	.title = "Job",
	.number = 2,
	.size = sizeof(struct job_view),
	.one_job = true,
	.hints = hints,
	.open = job_view_open,
	.close = job_view_close,
	.recalc = job_view_recalc,
	.draw = job_view_draw,
	.act = job_view_act,
	.page = job_view_page,
};
