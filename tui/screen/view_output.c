/* SPDX-License-Identifier: MIT */
/*
 * view_output.c - Output screen: the output of the last command
 */
#include <string.h>

#include "page.h"
#include "view.h"

struct output_view {
	struct screen_host *host;
	struct page page;
};

static void output_open(void *self, struct screen_host *host)
{
	((struct output_view *)self)->host = host;
}

static void output_close(void *self)
{
	page_free(&((struct output_view *)self)->page);
}

static void output_enter(void *self)
{
	page_home(&((struct output_view *)self)->page);
}

static void output_recalc(void *self)
{
	struct output_view *v = self;
	const char *title, *text = v->host->ops->output(v->host->console, &title);

	page_clear(&v->page);
	page_line(&v->page);
	page_at(&v->page, 1);
	page_addf(&v->page, ROLE_HELP_HEADING, ":%s", title);
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		page_line(&v->page);
		page_at(&v->page, 1);
		page_addf(&v->page, ROLE_TEXT, "%.*s", (int)len, text);
	}
}

static void output_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct output_view *)self)->page, canvas, r);
}

static struct page *output_page(void *self)
{
	return &((struct output_view *)self)->page;
}

static const enum action hints[] = {ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_output = {
	.name = "output",
	.title = "Output",
	.size = sizeof(struct output_view),
	.no_job = true,
	.hints = hints,
	.open = output_open,
	.close = output_close,
	.enter = output_enter,
	.recalc = output_recalc,
	.draw = output_draw,
	.page = output_page,
};
