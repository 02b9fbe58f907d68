/* SPDX-License-Identifier: MIT */
/* console_box.c - the draft bar, and the box with a single action to confirm */
#include <string.h>

#include "console_inside.h"
#include "tui/report/job_fields.h"
#include "tui/screen/bindings.h"

/* --- draft bar ---------------------------------------------------------------------------------------- */

/*
 * While a draft is open, the bar is shown on all screens: as many edits as fit, then the effect. The keys
 * that apply and discard the draft are always at its right end.
 */

#define BAR_H_MAX 3 /* maximum height of the bar in lines, on a tall terminal */

/* --- the effect ------------------------------------------------------------------------------ */

/* Appends the effect, and says whether it comes from the instant plan or from the projection. */
static void add_comparison(const struct console *c, struct str *out)
{
	struct plan_change change;

	if (!console_compared(c, &change)) {
		str_addf(out, "(plan): %s", str_text(&c->shown->effect));
		return;
	}
	str_add(out, "(projection): ");
	cmd_print_effect(c->shown->live.s, &change, out);
}

/* Appends the effect of the draft or the box, or the reason why it would be refused. */
static enum role console_add_effect(const struct console *c, const struct draft *d, struct str *out)
{
	bool known = c->shown && c->shown->proposal == d->proposal;
	enum role role = ROLE_DRAFT;
	struct str loss = {0};

	if (console_draft_refused(c, d)) {
		str_add(out, c->shown->err.text);
		return ROLE_ERROR;
	}
	if (!known)
		str_add(out, "...");
	else
		add_comparison(c, out);
	if (console_draft_loss(c, d, &loss)) {
		str_addf(out, "; %s", str_text(&loss));
		role = ROLE_DRAFT_DANGER;
	}
	str_free(&loss);
	return role;
}

/* --- the bar --------------------------------------------------------------------------------- */

static const char *edit_words(const struct edit *edit)
{
	return edit->text[0] ? edit->text : edit->line;
}

/* Appends "A apply  D discard". */
static void add_keys(struct str *out)
{
	static const enum action actions[] = {ACTION_APPLY, ACTION_DISCARD};
	char key[KEY_TEXT];

	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		str_addf(out, "%s%s %s", i > 0 ? "  " : "", bindings_first(actions[i], key),
			 action_row(actions[i])->label);
}

/* Appends as many edits as fit into width, followed by the number of the remaining edits. */
static void add_edits(const struct console *c, int width, struct str *out)
{
	const struct edits *e = &c->draft.edits;

	str_addf(out, "DRAFT %zu edit%s: ", e->count, e->count == 1 ? "" : "s");
	for (size_t i = 0; i < e->count; i++) {
		struct str next = {0};

		str_addf(&next, "%s%s%s", i > 0 ? "; " : "", edit_words(&e->item[i]),
			 e->item[i].off ? " (off)" : "");
		if (i > 0 && text_width(str_text(out)) + text_width(str_text(&next)) + 12 > width) {
			str_addf(out, "; and %zu more", e->count - i);
			str_free(&next);
			break;
		}
		str_add(out, str_text(&next));
		str_free(&next);
	}
}

/* Does the bar list the edits? On screens that list them, the bar shows only their number. */
static bool lists_edits(const struct console *c)
{
	return !console_view(c)->shows_draft;
}

static enum role add_rest(const struct console *c, struct str *out)
{
	if (!c->draft.proposal || c->box.proposal)
		return ROLE_DRAFT;
	return console_add_effect(c, &c->draft, out);
}

static enum role write_rest(const struct console *c, struct page *out)
{
	struct str text = {0};
	enum role role = add_rest(c, &text);

	page_wrap(out, role, 1, c->canvas.w - 2, str_text(&text));
	str_free(&text);
	return role;
}

int console_bar_height(const struct console *c)
{
	int most = c->canvas.h >= TALL_H ? BAR_H_MAX : BAR_H_MAX - 1, height;
	struct page rest = {0};

	if (!c->draft.proposal)
		return 0;
	(void)write_rest(c, &rest);
	height = 1 + (int)rest.lines;
	page_free(&rest);
	return height < most ? height : most;
}

void console_draw_bar(struct console *c, struct rect r)
{
	struct str keys = {0}, edits = {0};
	struct page rest = {0};
	struct rect top;
	enum role role;
	int room;

	if (r.h < 1)
		return;
	role = write_rest(c, &rest);
	canvas_fill(&c->canvas, r, role);
	top = rect_take_top(&r, 1);
	add_keys(&keys);
	room = top.w - 3 - text_width(str_text(&keys));
	if (lists_edits(c))
		add_edits(c, room, &edits);
	else
		str_addf(&edits, "DRAFT %zu edit%s", c->draft.edits.count,
			 c->draft.edits.count == 1 ? "" : "s");
	canvas_put_fit(&c->canvas, top, 1, 0, room, TEXT_LEFT, role, str_text(&edits));
	canvas_put_right(&c->canvas, (struct rect){top.x, top.y, top.w - 1, 1}, 0, role, str_text(&keys));
	page_draw(&rest, &c->canvas, r);
	page_free(&rest);
	str_free(&keys);
	str_free(&edits);
}

/* --- the box: a single action to confirm -------------------------------------------------------------- */

/*
 * The box covers the bottom of the screen, or the top if the cursor is at the bottom. It shows the action and
 * its effect, and receives all keys until it is answered: Enter applies, Esc dismisses, d adds the action to
 * the draft. Other keys only change the action itself.
 */

#define BOX_W_MAX 100

#define FRAME 2 /* cells taken by both borders */

/* --- keys ----------------------------------------------------------------------------------- */

static const struct variant *variant_of(const struct console *c, struct key key)
{
	for (size_t i = 0; i < c->variants; i++)
		if (key.code == KBD_CHAR && key.mods == 0 && key.ch == (uint32_t)c->variant[i].key)
			return &c->variant[i];
	return NULL;
}

/* Is this key press added to the previous ones, to make one larger change? */
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
			    "Answer the box first: Enter applies, Esc dismisses, d adds to the draft.");
}

/*
 * An action that would be refused must not be added, because it would prevent the whole draft from being
 * applied.
 */
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
		str_addf(&text, ", %zu of them hidden by the filter", c->hidden_targets);
	page_wrap(p, c->hidden_targets > 0 ? ROLE_WARNING : ROLE_TEXT, 1, width, str_text(&text));
	str_free(&text);
}

/* Writes the estimated start of the job to be submitted. */
static void write_start(const struct console *c, struct page *p, int width)
{
	const struct plan_query *o = c->shown;
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

/* Writes the variants of the action with their keys; the current variant is marked. */
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
	page_add(p, ROLE_HINT_TEXT, " dismiss   ");
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

/* Draws the border; returns the inside of the box. */
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

/* Is the row of the table's cursor at or below line y of the canvas? */
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
