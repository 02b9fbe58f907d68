/* SPDX-License-Identifier: MIT */
/*
 * view_config.c - what is set, and where?
 */
#include "page.h"
#include "view.h"

struct config_view {
	struct console *c;
	struct page page;
};

static void config_open(void *self, struct console *c)
{
	((struct config_view *)self)->c = c;
}

static void config_close(void *self)
{
	page_free(&((struct config_view *)self)->page);
}

static void config_recalc(void *self)
{
	page_clear(&((struct config_view *)self)->page);
}

static void config_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct config_view *)self)->page, canvas, r);
}

static struct page *config_page(void *self)
{
	return &((struct config_view *)self)->page;
}

static const enum action hints[] = {ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_config = {
	.name = "config",
	.title = "Config",
	.number = 9,
	.size = sizeof(struct config_view),
	.no_job = true,
	.hints = hints,
	.open = config_open,
	.close = config_close,
	.recalc = config_recalc,
	.draw = config_draw,
	.page = config_page,
};
