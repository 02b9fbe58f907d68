/* SPDX-License-Identifier: MIT */
/*
 * console_box.c - the box: a single act that waits for an answer
 *
 * It lies over the bottom of the screen, or over the top when the cursor is at the bottom. It says what would
 * be done and what comes of it, and has all keys until it is answered: Enter applies, Esc drops, d adds the
 * act to the draft. Other keys change only the act itself.
 */
#include <string.h>

#include "console_inside.h"
#include "tui/screen/jobs.h"
#include "tui/screen/moving.h"

#define BOX_W_MAX 100
#define FRAME     2 /* the border at either side */

/* --- keys ----------------------------------------------------------------------------------- */

static const struct variant *variant_of(const struct console *c, struct key key)
{
	for (size_t i = 0; i < c->variants; i++)
		if (key.code == KBD_CHAR && key.mods == 0 && key.ch == (uint32_t)c->variant[i].key)
			return &c->variant[i];
	return NULL;
}

/* Keys that add up go on adding up. */
static bool is_nudge(const struct console *c, enum action action)
{
	if (c->nudge.job == 0)
		return false;
	return c->nudge.action == ACTION_RAISE ? action == ACTION_RAISE || action == ACTION_LOWER
					       : action == ACTION_ORDER_UP || action == ACTION_ORDER_DOWN;
}

static void act(struct console *c, enum action action)
{
	if (action == ACTION_OPEN)
		console_apply(c);
	else if (action == ACTION_ESCAPE)
		console_drop(c, &c->box);
	else if (action == ACTION_APPLY_FOR)
		console_ask_for(c);
	else if (action == ACTION_REDRAW && c->door.repaint)
		c->door.repaint(c->door.self);
	else if (is_nudge(c, action))
		(void)console_act(c, action);
	else if (!moving_page(&c->box_page, action))
		console_say(c, ROLE_MESSAGE,
			    "The box waits: Enter applies, Esc drops, d adds it to the draft.");
}

/* An act that would be refused would keep the whole draft from being applied. */
static void add_to_draft(struct console *c)
{
	if (console_draft_refused(c, &c->box))
		console_say(c, ROLE_ERROR, "%s", c->shown->err.text);
	else
		console_box_to_draft(c);
}

void console_box_key(struct console *c, struct key key)
{
	const struct variant *variant = variant_of(c, key);
	int arg;

	if (variant)
		console_choose_variant(c, variant);
	else if (key.code == KBD_CHAR && key.mods == 0 && key.ch == 'd')
		add_to_draft(c);
	else if (key.code != KBD_NONE)
		act(c, bindings_find(console_view(c)->name, key, &arg));
}

/* --- drawing -------------------------------------------------------------------------------- */

static void write_targets(struct console *c, struct page *p, int width)
{
	struct str text = {0};

	if (c->targets == 0)
		return;
	str_addf(&text, "%zu marked job%s", c->targets, c->targets == 1 ? "" : "s");
	if (c->hidden_targets > 0)
		str_addf(&text, "; the filter hides %zu of them", c->hidden_targets);
	page_wrap(p, c->hidden_targets > 0 ? ROLE_WARNING : ROLE_TEXT, 1, width, str_text(&text));
	str_free(&text);
}

/* When the job that is to be submitted would start. */
static void write_start(const struct console *c, struct page *p, int width)
{
	const struct outlook *o = c->shown;
	struct str text = {0};
	uint32_t slot;

	if (!o || o->proposal != c->box.proposal || !o->draft.s ||
	    !forecast_job(&o->draft, o->live.s->next_job_id, &slot))
		return;
	str_add(&text, "starts ");
	(void)jobs_add_start(&o->draft, slot, &text);
	page_wrap(p, ROLE_TEXT, 1, width, str_text(&text));
	str_free(&text);
}

/* Which form of the act is in the box, and the keys of the others. */
static void write_variants(const struct console *c, struct page *p)
{
	if (c->variants == 0)
		return;
	page_line(p);
	for (size_t i = 0; i < c->variants; i++) {
		bool here = strcmp(c->variant[i].pattern, str_text(&c->box.again)) == 0;

		page_at(p, i == 0 ? 1 : p->x + 2);
		page_addf(p, here ? ROLE_STRONG : ROLE_TEXT, "%s[%c] %s", here ? "> " : "", c->variant[i].key,
			  c->variant[i].label);
	}
}

static void write_keys(const struct console *c, struct page *p)
{
	page_line(p);
	page_at(p, 1);
	if (!console_draft_refused(c, &c->box)) {
		page_add(p, ROLE_HINT_KEY, "<Enter>");
		page_add(p, ROLE_HINT_TEXT, " apply   ");
	}
	page_add(p, ROLE_HINT_KEY, "<Esc>");
	page_add(p, ROLE_HINT_TEXT, " drop   ");
	if (console_draft_refused(c, &c->box))
		return;
	page_add(p, ROLE_HINT_KEY, "d");
	page_add(p, ROLE_HINT_TEXT, " add to the draft");
}

static void write_box(struct console *c, int width)
{
	struct page *p = &c->box_page;
	struct str effect = {0};
	enum role role;

	page_clear(p);
	role = console_add_effect(c, &c->box, &effect);
	page_wrap(p, ROLE_STRONG, 1, width, str_text(&c->box.label));
	write_variants(c, p);
	page_wrap(p, role == ROLE_DRAFT ? ROLE_TEXT : role, 1, width, str_text(&effect));
	write_start(c, p, width);
	write_targets(c, p, width);
	console_write_notes(p, &c->box.proposal->changes, 1, width);
	str_free(&effect);
}

/* The border of what the rest of the box is drawn into. */
static struct rect put_border(struct console *c, struct rect r)
{
	canvas_fill(&c->canvas, r, ROLE_TEXT);
	canvas_rule(&c->canvas, r, 0, 0, ROLE_DRAFT);
	canvas_put(&c->canvas, r, 2, 0, ROLE_DRAFT, " Not applied yet ");
	canvas_rule(&c->canvas, r, 0, r.h - 1, ROLE_DRAFT);
	canvas_glyph(&c->canvas, r, 0, 0, ROLE_DRAFT, GLYPH_TOP_LEFT);
	canvas_glyph(&c->canvas, r, r.w - 1, 0, ROLE_DRAFT, GLYPH_TOP_RIGHT);
	canvas_glyph(&c->canvas, r, 0, r.h - 1, ROLE_DRAFT, GLYPH_BOTTOM_LEFT);
	canvas_glyph(&c->canvas, r, r.w - 1, r.h - 1, ROLE_DRAFT, GLYPH_BOTTOM_RIGHT);
	for (int y = 1; y < r.h - 1; y++) {
		canvas_glyph(&c->canvas, r, 0, y, ROLE_DRAFT, GLYPH_VLINE);
		canvas_glyph(&c->canvas, r, r.w - 1, y, ROLE_DRAFT, GLYPH_VLINE);
	}
	return (struct rect){r.x + 1, r.y + 1, r.w - FRAME, r.h - FRAME};
}

/* Is the row that the act is about at this line of the canvas or below? */
static bool covers_cursor(const struct console *c, int y)
{
	const struct table *t = console_table(c);

	return t && t->cursor != TABLE_NO_ROW && t->cursor >= t->top && t->body > 0 &&
	       t->body_y + (int)(t->cursor - t->top) >= y;
}

void console_draw_box(struct console *c, struct rect body)
{
	int w = body.w < BOX_W_MAX ? body.w : BOX_W_MAX;
	struct rect box = {body.x + (body.w - w) / 2, body.y, w, body.h}, keys;
	struct page line = {0};
	int h;

	write_box(c, w - FRAME - 2);
	h = (int)c->box_page.lines + 1 + FRAME;
	if (h < box.h) {
		box.y += covers_cursor(c, box.y + box.h - h) ? 0 : box.h - h;
		box.h = h;
	}
	box = put_border(c, box);
	keys = rect_take_bottom(&box, 1);
	page_draw(&c->box_page, &c->canvas, box);
	write_keys(c, &line);
	page_draw(&line, &c->canvas, keys);
	page_free(&line);
}
