/* SPDX-License-Identifier: MIT */
/*
 * view_whatif.c - what would happen if?
 */
#include "page.h"
#include "view.h"

struct whatif_view {
	struct console *c;
	struct page page;
};

static void whatif_open(void *self, struct console *c)
{
	((struct whatif_view *)self)->c = c;
}

static void whatif_close(void *self)
{
	page_free(&((struct whatif_view *)self)->page);
}

static void whatif_recalc(void *self)
{
	page_clear(&((struct whatif_view *)self)->page);
}

static void whatif_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct whatif_view *)self)->page, canvas, r);
}

static struct page *whatif_page(void *self)
{
	return &((struct whatif_view *)self)->page;
}

static const enum action hints[] = {ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_whatif = {
	.name = "whatif",
	.title = "What-if",
	.number = 7,
	.size = sizeof(struct whatif_view),
	.no_job = true,
	.hints = hints,
	.open = whatif_open,
	.close = whatif_close,
	.recalc = whatif_recalc,
	.draw = whatif_draw,
	.page = whatif_page,
};
