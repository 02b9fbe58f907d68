/* SPDX-License-Identifier: MIT */
/*
 * view_job.c - Job screen: why a job is not running, and its history
 *
 * Shows the job, all checks in order, changes that would start it, its priority formula, and its journal
 * entries. Left and right move to the previous and next job of the queue; Tab selects one of the changes,
 * Enter previews it.
 */
#include <inttypes.h>
#include <string.h>

#include "job_page.h"
#include "journal.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_fields.h"
#include "view.h"

struct job_view {
	struct screen_host *host;
	struct page page;
	struct journal history;
	uint64_t job;       /* of the page; for another job, the page is scrolled to the top */
	struct str chosen;  /* command line of the selected change; "" = none */
	size_t chosen_line; /* its line on the page, from 1; 0 = none */
};

/* Entries up to the shown state. */
static bool is_told(const struct job_view *v, const struct journal_entry *e)
{
	const struct plan_query *o = v->host->ops->outlook(v->host->console);

	return !plan_query_is_past(o) || e->seq <= o->live.s->seq;
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
		page_addf(&v->page, ROLE_DIM, "%-12s", wallclock_short(when, e->time_s, now_s));
		page_addf(&v->page, ROLE_TEXT, " %s", e->what);
		page_addf(&v->page, ROLE_DIM, "  (%s, entry %" PRIu64 ")", e->who, e->seq);
	}
	if (v->history.count == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM,
			 v->host->ops->store(v->host->console) != NULL
				 ? "no entries"
				 : "The store belongs to another user; :journal asks the scheduler.");
	}
}

static void job_view_open(void *self, struct screen_host *host)
{
	((struct job_view *)self)->host = host;
}

static void job_view_close(void *self)
{
	struct job_view *v = self;

	page_free(&v->page);
	journal_clear(&v->history);
	str_free(&v->chosen);
}

static void job_view_recalc(void *self)
{
	struct job_view *v = self;
	uint64_t job = v->host->ops->job(v->host->console);
	int width = v->host->ops->width(v->host->console);

	if (job != v->job) {
		page_home(&v->page);
		str_clear(&v->chosen);
	}
	v->job = job;
	page_clear(&v->page);
	if (job == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM, "No job under the cursor.");
		return;
	}
	journal_follow(&v->history, v->host->ops->store(v->host->console),
		       v->host->ops->outlook(v->host->console)->live.s, (struct journal_filter){.job = job},
		       NULL);
	job_page_head(&v->page, v->host, job, width);
	job_page_checks(&v->page, v->host, job, width);
	v->chosen_line = job_ways_put(&v->page, v->host, str_text(&v->chosen), width);
	job_page_priority(&v->page, v->host, job, width);
	put_history(v, v->host->ops->outlook(v->host->console)->now_s);
}

static void job_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct job_view *)self)->page, canvas, r);
}

/* The slot at a position of active, idle and blocked jobs. */
static uint32_t slot_at(const struct queue *q, uint32_t place)
{
	if (place < q->active_count)
		return q->active[place];
	place -= q->active_count;
	return place < q->idle_count ? q->idle[place].slot : q->blocked[place - q->idle_count];
}

/* The previous or next job in this order; 0 if there is none. */
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

/* --- changes that would start the job ----------------------------------------------------------------- */

/* Index of the selected change; the number of changes if none is selected, or it is gone. */
static size_t chosen_at(const struct job_view *v, const struct remedies_query *ways)
{
	size_t count = job_ways_count(ways), at = 0;
	struct str line = {0};

	for (; at < count; at++) {
		str_clear(&line);
		job_ways_line(ways, at, &line);
		if (strcmp(str_text(&line), str_text(&v->chosen)) == 0)
			break;
	}
	str_free(&line);
	return at;
}

static void say_none(const struct job_view *v)
{
	size_t tried;

	v->host->ops->say(v->host->console, ROLE_MESSAGE,
			  v->host->ops->seeks_ways(v->host->console, &tried)
				  ? "The search for changes is still running."
				  : "No change to select.");
}

static void choose(struct job_view *v, bool after)
{
	const struct remedies_query *ways = v->host->ops->ways(v->host->console);
	size_t count = job_ways_count(ways), at = chosen_at(v, ways);

	if (count == 0) {
		say_none(v);
		return;
	}
	if (at == count)
		at = after ? 0 : count - 1;
	else
		at = (at + (after ? 1 : count - 1)) % count;
	str_clear(&v->chosen);
	job_ways_line(ways, at, &v->chosen);
	job_view_recalc(v);
	page_show(&v->page, v->chosen_line);
}

static void propose(struct job_view *v)
{
	const struct remedies_query *ways = v->host->ops->ways(v->host->console);

	if (chosen_at(v, ways) < job_ways_count(ways))
		v->host->ops->preview(v->host->console, str_text(&v->chosen));
	else if (job_ways_count(ways) == 0)
		say_none(v);
}

static void time_typed(void *self, const char *text)
{
	struct job_view *v = self;
	int64_t by_s = TIME_NONE;
	struct err err;

	if (text[0] != '\0' &&
	    !wallclock_parse(text, v->host->ops->outlook(v->host->console)->now_s, &by_s, &err))
		v->host->ops->say(v->host->console, ROLE_ERROR, "%s", err.text);
	else
		v->host->ops->seek(v->host->console, v->host->ops->job(v->host->console), by_s);
}

/* --- keys ------------------------------------------------------------------------------------- */

static bool go_to_neighbour(struct job_view *v, bool after)
{
	uint64_t next = neighbour(&v->host->ops->outlook(v->host->console)->live,
				  v->host->ops->job(v->host->console), after);

	if (next) {
		v->host->ops->go_job(v->host->console, next);
		v->host->ops->recalc(v->host->console);
	}
	return true;
}

static bool job_view_act(void *self, enum action action, int arg)
{
	struct job_view *v = self;

	(void)arg;
	switch (action) {
	case ACTION_WHY:
		return true;
	case ACTION_OPEN:
		propose(v);
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
		return go_to_neighbour(v, action == ACTION_RIGHT);
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		choose(v, action == ACTION_PANE_NEXT);
		return true;
	case ACTION_EDIT:
		v->host->ops->ask(v->host->console, "start by (16:30, +2:00:00; empty: now): ", "",
				  time_typed, v);
		return true;
	default:
		return false;
	}
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
	.fields = job_fields,
	.title = "Job",
	.number = 2,
	.size = sizeof(struct job_view),
	.one_job = true,
	.seeks = true,
	.trusts = true,
	.hints = hints,
	.open = job_view_open,
	.close = job_view_close,
	.recalc = job_view_recalc,
	.draw = job_view_draw,
	.act = job_view_act,
	.page = job_view_page,
};
