/* SPDX-License-Identifier: MIT */
/*
 * view_messages.c - Messages screen: earlier messages of the message line, newest first
 */
#include "page.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "view.h"

struct messages_view {
	struct screen_host *host;
	struct page page;
};

static void messages_open(void *self, struct screen_host *host)
{
	((struct messages_view *)self)->host = host;
}

static void messages_close(void *self)
{
	page_free(&((struct messages_view *)self)->page);
}

static void messages_recalc(void *self)
{
	struct messages_view *v = self;
	size_t count;
	const struct message *message = v->host->ops->messages(v->host->console, &count);
	char when[MOMENT_TEXT];

	page_clear(&v->page);
	for (size_t i = count; i-- > 0;) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM,
			 wallclock_short(when, message[i].time_s,
					 v->host->ops->plan_query(v->host->console)->now_s));
		page_at(&v->page, 14);
		page_add(&v->page, message[i].role, message[i].text);
	}
	if (count == 0)
		page_add(&v->page, ROLE_DIM, " No messages yet.");
}

static void messages_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct messages_view *)self)->page, canvas, r);
}

static struct page *messages_page(void *self)
{
	return &((struct messages_view *)self)->page;
}

static const enum action hints[] = {ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_messages = {
	.name = "messages",
	.title = "Messages",
	.size = sizeof(struct messages_view),
	.no_job = true,
	.hints = hints,
	.open = messages_open,
	.close = messages_close,
	.recalc = messages_recalc,
	.draw = messages_draw,
	.page = messages_page,
};
