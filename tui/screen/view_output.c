/* SPDX-License-Identifier: MIT */
/*
 * view_output.c - what did the last command print?
 */
#include <string.h>

#include "page.h"
#include "view.h"

struct output_view {
	struct console *c;
	struct page page;
};

static void output_open(void *self, struct console *c)
{
	((struct output_view *)self)->c = c;
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
	const char *title, *text = console_output(v->c, &title);

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
