/* SPDX-License-Identifier: MIT */
/*
 * view_difference.c - Difference screen: changes between a past moment and now
 */
#include "difference.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "view.h"

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
	page_addf(&v->page, ROLE_TEXT, "From %s, after entry %llu, until now: %s.",
		  wallclock_long(when, o->now_s), (unsigned long long)o->live.s->seq,
		  duration_text(ago, now_s - o->now_s));
}

static void difference_recalc(void *self)
{
	struct difference_view *v = self;
	const struct plan_query *o = v->host->ops->outlook(v->host->console);

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
		 "This is now. In the journal [ goes back, and D shows what has changed since.");
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
