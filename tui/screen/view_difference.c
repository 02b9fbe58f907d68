/* SPDX-License-Identifier: MIT */
/* view_difference.c - Difference screen: changes since a past state */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/pass/queue.h"
#include "sched/rm/wallclock.h"
#include "tui/query/plan_query.h"
#include "view.h"

/* --- comparison of two snapshots ---------------------------------------------------------------------- */

/*
 * Compares a past state with the present one. Jobs are matched by ID. A job that is missing from the present
 * state has ended or was cancelled. A job that was submitted and has ended in between is in neither state: it
 * is counted as submitted, but not listed.
 */

#define INDENT 3

/* The two states, and which jobs are the same in both. */
struct sides {
	const struct forecast *then;
	const struct snapshot *now;
	/* By slot of the past state: slot of the job in the present state; INDEX_NONE = gone. */
	uint32_t *slot_now;
};

struct by_id {
	uint64_t id;
	uint32_t slot;
};

static int compare_ids(const void *a, const void *b)
{
	const struct by_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Sets sides->slot_now. */
static void pair_jobs(struct sides *sides)
{
	const struct job *then = snapshot_jobs(sides->then->s), *now = snapshot_jobs(sides->now);
	uint32_t thens = snapshot_count(sides->then->s, TABLE_JOBS), count = 0;
	uint32_t nows = snapshot_count(sides->now, TABLE_JOBS);
	struct by_id *sorted = mem_alloc((nows + 1) * sizeof *sorted);

	for (uint32_t i = 0; i < nows; i++)
		if (now[i].state != JOB_NONE)
			sorted[count++] = (struct by_id){now[i].id, i};
	qsort(sorted, count, sizeof *sorted, compare_ids);
	sides->slot_now = mem_alloc((thens + 1) * sizeof *sides->slot_now);
	for (uint32_t i = 0; i < thens; i++) {
		struct by_id wanted = {.id = then[i].id};
		const struct by_id *found = bsearch(&wanted, sorted, count, sizeof *sorted, compare_ids);

		sides->slot_now[i] = found && then[i].state != JOB_NONE ? found->slot : INDEX_NONE;
	}
	free(sorted);
}

/* --- jobs --------------------------------------------------------------------------------------------- */

enum fate {
	FATE_STARTED,  /* idle then, running now */
	FATE_GONE,     /* idle then, gone now */
	FATE_ENDED,    /* running then, gone now */
	FATE_REQUEUED, /* running then, idle now */
	FATE_COUNT
};

static const char *const fate_words[FATE_COUNT] = {
	[FATE_STARTED] = "Were idle, now running",
	[FATE_GONE] = "Were idle, now gone",
	[FATE_ENDED] = "Were running, now ended",
	[FATE_REQUEUED] = "Were running, now requeued",
};

/* Returns what has become of a job of the past state; FATE_COUNT if it is still in the same state. */
static enum fate fate_of(const struct sides *sides, uint32_t slot)
{
	uint8_t before = snapshot_jobs(sides->then->s)[slot].state;
	uint32_t at = sides->slot_now[slot];

	if (at == INDEX_NONE)
		return before == JOB_RUNNING ? FATE_ENDED : FATE_GONE;
	if (snapshot_jobs(sides->now)[at].state == before)
		return FATE_COUNT;
	return before == JOB_RUNNING ? FATE_REQUEUED : FATE_STARTED;
}

/* A list of jobs of one of the two states; put_list sorts it by ID. */
struct list {
	const struct snapshot *s;
	struct by_id *job;
	size_t count, room;
};

static void list_add(struct list *l, uint32_t slot)
{
	l->job = vec_room(l->job, &l->room, l->count + 1, sizeof *l->job);
	l->job[l->count++] = (struct by_id){snapshot_jobs(l->s)[slot].id, slot};
}

/* Writes a line "WORDS: COUNT", and below it the labels of the listed jobs. Frees the list. */
static void put_list(struct page *p, const char *words, uint64_t count, struct list *l, int width)
{
	struct str which = {0};
	char label[JOB_LABEL_TEXT];

	if (l->count > 0)
		qsort(l->job, l->count, sizeof *l->job, compare_ids);
	for (size_t i = 0; i < l->count; i++)
		str_addf(&which, "%s%s", i > 0 ? " " : "",
			 snapshot_job_label(l->s, &snapshot_jobs(l->s)[l->job[i].slot], label));
	page_line(p);
	page_at(p, 1);
	page_addf(p, count > 0 ? ROLE_TEXT : ROLE_DIM, "%s: %" PRIu64, words, count);
	if (which.len > 0)
		page_wrap(p, ROLE_STRONG, INDENT, width, str_text(&which));
	str_free(&which);
	free(l->job);
}

static void put_fate(struct page *p, const struct sides *sides, enum fate fate, int width)
{
	struct list l = {.s = sides->then->s};

	for (uint32_t slot = 0; slot < snapshot_count(l.s, TABLE_JOBS); slot++)
		if (snapshot_jobs(l.s)[slot].state != JOB_NONE && fate_of(sides, slot) == fate)
			list_add(&l, slot);
	put_list(p, fate_words[fate], l.count, &l, width);
}

static void put_new(struct page *p, const struct sides *sides, int width)
{
	uint64_t first = sides->then->s->next_job_id;
	struct list l = {.s = sides->now};

	for (uint32_t slot = 0; slot < snapshot_count(l.s, TABLE_JOBS); slot++)
		if (snapshot_jobs(l.s)[slot].state != JOB_NONE && snapshot_jobs(l.s)[slot].id >= first)
			list_add(&l, slot);
	put_list(p, "Submitted since", l.s->next_job_id - first, &l, width);
}

static void put_jobs(struct page *p, const struct sides *sides, int width)
{
	page_heading(p, "JOBS");
	put_new(p, sides, width);
	for (enum fate fate = 0; fate < FATE_COUNT; fate++)
		put_fate(p, sides, fate, width);
}

/* --- order of jobs ------------------------------------------------------------------------------------ */

/*
 * Returns the rank of each job, by slot of the present state, from 1; 0 = not idle. The caller frees the
 * array.
 */
static uint32_t *places_of(const struct queue *q, const struct snapshot *s)
{
	uint32_t *place = mem_zero(snapshot_count(s, TABLE_JOBS) + 1, sizeof *place);

	for (uint32_t i = 0; i < q->idle_count; i++)
		place[q->idle[i].slot] = i + 1;
	return place;
}

static void put_places(struct page *p, const struct sides *sides, const uint32_t *place)
{
	const struct queue *q = &sides->then->plan.queue;
	size_t moved = 0;

	for (uint32_t i = 0; i < q->idle_count; i++) {
		uint32_t slot = q->idle[i].slot, at = sides->slot_now[slot];
		char label[JOB_LABEL_TEXT];

		if (at == INDEX_NONE || place[at] == 0 || place[at] == i + 1)
			continue;
		page_line(p);
		page_at(p, 1);
		page_add(p, ROLE_STRONG,
			 snapshot_job_label(sides->then->s, &snapshot_jobs(sides->then->s)[slot], label));
		page_at(p, 14);
		page_addf(p, place[at] < i + 1 ? ROLE_EARLIER : ROLE_LATER, "%" PRIu32 " -> %" PRIu32, i + 1,
			  place[at]);
		moved++;
	}
	if (moved > 0)
		return;
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_DIM, "no idle job has changed its place");
}

static void put_order(struct page *p, const struct sides *sides, int64_t now_s)
{
	struct queue q = {.idle = NULL};
	uint32_t *place;

	queue_build(&q, sides->now, now_s);
	place = places_of(&q, sides->now);
	page_heading(p, "PLACE IN THE QUEUE");
	put_places(p, sides, place);
	free(place);
	queue_clear(&q);
}

/* --- settings ----------------------------------------------------------------------------------------- */

/* Returns the value that the last live change set for an option; NULL if the option is as configured. */
static const char *live_value(const struct snapshot *s, const char *name)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), name))
			return snapshot_string(s, change[i].value);
	return NULL;
}

static bool is_first_of_its_name(const struct snapshot *s, uint32_t at)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < at; i++)
		if (change[i].kind == CHANGE_SETTING &&
		    str_same_word(snapshot_string(s, change[i].name), snapshot_string(s, change[at].name)))
			return false;
	return true;
}

static bool same_value(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/*
 * Lists the options whose live value has changed, and returns their number. It is enough to look at the
 * changes of the present state: undone changes are kept, so every option that was changed in the past state
 * is still among them.
 */
static size_t put_changed(struct page *p, const struct sides *sides)
{
	const struct change *change = snapshot_changes(sides->now);
	size_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(sides->now, TABLE_CHANGES); i++) {
		const char *name = snapshot_string(sides->now, change[i].name), *then, *now;

		if (change[i].kind != CHANGE_SETTING || !is_first_of_its_name(sides->now, i))
			continue;
		then = live_value(sides->then->s, name);
		now = live_value(sides->now, name);
		if (same_value(then, now))
			continue;
		page_line(p);
		page_at(p, 1);
		page_add(p, ROLE_STRONG, name);
		page_addf(p, ROLE_TEXT, "  %s -> %s", then ? then : "as configured",
			  now ? now : "as configured");
		count++;
	}
	return count;
}

static void put_settings(struct page *p, const struct sides *sides)
{
	const struct snapshot *then = sides->then->s, *now = sides->now;
	bool read = strcmp(snapshot_string(then, then->config_text), snapshot_string(now, now->config_text));

	page_heading(p, "SETTINGS");
	if (read) {
		page_line(p);
		page_at(p, 1);
		page_add(p, ROLE_STRONG, "the configuration file was reloaded with changes");
	}
	if (put_changed(p, sides) > 0 || read)
		return;
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_DIM, "no changes");
}

/*
 * Writes the page, width cells wide: jobs that were submitted, have started or have ended, changed ranks, and
 * changed settings.
 */
static void difference_page(struct page *p, const struct forecast *then, const struct snapshot *now,
			    int64_t now_s, int width)
{
	struct sides sides = {.then = then, .now = now};

	pair_jobs(&sides);
	put_jobs(p, &sides, width);
	put_order(p, &sides, now_s);
	put_settings(p, &sides);
	free(sides.slot_now);
}

/* --- screen ------------------------------------------------------------------------------------------- */

struct difference_view {
	struct screen_host *host;
	struct page page;
};

static void difference_open(void *self, struct screen_host *host)
{
	((struct difference_view *)self)->host = host;
}

static void difference_close(void *self)
{
	page_free(&((struct difference_view *)self)->page);
}

static void difference_enter(void *self)
{
	page_home(&((struct difference_view *)self)->page);
}

static void put_head(struct difference_view *v, const struct plan_query *o)
{
	char when[MOMENT_TEXT], ago[DURATION_TEXT];
	int64_t now_s = v->host->ops->now_s(v->host->console);

	page_line(&v->page);
	page_at(&v->page, 1);
	page_addf(&v->page, ROLE_TEXT, "Changes since %s (journal entry %llu), %s ago.",
		  wallclock_long(when, o->now_s), (unsigned long long)o->live.s->seq,
		  duration_text(ago, now_s - o->now_s));
}

static void difference_recalc(void *self)
{
	struct difference_view *v = self;
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);

	page_clear(&v->page);
	if (plan_query_is_past(o)) {
		put_head(v, o);
		difference_page(&v->page, &o->live, v->host->ops->latest(v->host->console),
				v->host->ops->now_s(v->host->console), v->host->ops->width(v->host->console));
		return;
	}
	page_line(&v->page);
	page_at(&v->page, 1);
	page_add(&v->page, ROLE_DIM,
		 "The screen is live. On the Journal screen, [ goes back to a past state and c compares it "
		 "with now.");
}

static void difference_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct difference_view *)self)->page, canvas, r);
}

static struct page *difference_page_of(void *self)
{
	return &((struct difference_view *)self)->page;
}

static const enum action hints[] = {ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_difference = {
	.name = "difference",
	.title = "Difference",
	.size = sizeof(struct difference_view),
	.no_job = true,
	.hints = hints,
	.open = difference_open,
	.close = difference_close,
	.enter = difference_enter,
	.recalc = difference_recalc,
	.draw = difference_draw,
	.page = difference_page_of,
};
