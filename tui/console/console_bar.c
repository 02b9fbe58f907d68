/* SPDX-License-Identifier: MIT */
/*
 * console_bar.c - the bar: the draft on every screen, and what it would do
 *
 * While a draft is open the bar stays, whatever is said or asked below it: its edits, as many as there is
 * room for, then the effect. The keys that apply and discard it are always at its right end.
 */
#include <string.h>

#include "console_inside.h"

#define BAR_H_MAX 3 /* lines on a tall terminal */

/* --- the effect ------------------------------------------------------------------------------ */

/* In the words of the instant plan, and of the verbs: each says which it is. */
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

enum role console_add_effect(const struct console *c, const struct draft *d, struct str *out)
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

/* "A apply  D discard" */
static void add_keys(struct str *out)
{
	static const enum action actions[] = {ACTION_APPLY, ACTION_DISCARD};
	char key[KEY_TEXT];

	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		str_addf(out, "%s%s %s", i > 0 ? "  " : "", bindings_first(actions[i], key),
			 action_row(actions[i])->label);
}

/* As many edits as fit into a width; of the others how many there are. */
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

/* On screens that list the edits the bar only counts them. */
static bool lists_edits(const struct console *c)
{
	return !console_view(c)->foresees;
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
