/* SPDX-License-Identifier: MIT */
/*
 * console_draw.c - the frame around the screens
 *
 *     title     where, when, how fast, live or frozen
 *     tabs      the screens there are
 *     body      the screen, and above the bottom the pane of =
 *     status    totals, filter, marks (on a low terminal it shares the next line)
 *     bar       the draft, while one is open
 *     line      what is typed, asked or was said, in this order; a long sentence takes more
 *     hints     the keys that matter now
 */
#include <stdio.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/duration.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/wallclock.h"

#define LINE_H_MAX    3 /* lines of what was said; all of it is among the messages */
#define PROBLEM_LINES 3 /* of what is wrong with a filter */

/* --- layout --------------------------------------------------------------------------- */

/* What was said, on as many lines as it takes. Returns its role. */
static enum role write_line(const struct console *c, struct page *out)
{
	enum role role = ROLE_TEXT;
	struct str text = {0};

	if (c->said) {
		role = c->message[c->messages - 1].role;
		str_add(&text, c->message[c->messages - 1].text);
	}
	page_wrap(out, role, 1, c->canvas.w - 1, str_text(&text));
	str_free(&text);
	return role;
}

static int line_height(const struct console *c)
{
	struct page line = {0};
	int height;

	if (c->prompting || c->question.text)
		return 1;
	(void)write_line(c, &line);
	height = line.lines < 1 ? 1 : line.lines < LINE_H_MAX ? (int)line.lines : LINE_H_MAX;
	page_free(&line);
	return height;
}

void console_layout(const struct console *c, struct console_layout *out)
{
	struct rect rest = canvas_rect(&c->canvas);
	bool tall = rest.h >= TALL_H;
	int note = console_shows_numbers(c) ? (int)c->note.lines + 1 : 0;

	out->title = rect_take_top(&rest, 1);
	out->tabs = rect_take_top(&rest, 1);
	out->hints = rect_take_bottom(&rest, 1);
	out->line = rect_take_bottom(&rest, line_height(c));
	out->bar = rect_take_bottom(&rest, console_bar_height(c));
	out->status = tall ? rect_take_bottom(&rest, 1) : out->line;
	out->note = rect_take_bottom(&rest, note < rest.h / 2 ? note : rest.h / 2);
	out->body = rest;
}

/* --- title and tabs ------------------------------------------------------------------- */

static int put_badge(struct console *c, struct rect r, int x, enum role role, const char *more)
{
	x += canvas_put(&c->canvas, r, x, 0, role, " ");
	x += canvas_put(&c->canvas, r, x, 0, role, role_info(role)->mark);
	x += canvas_put(&c->canvas, r, x, 0, role, more);
	return x + canvas_put(&c->canvas, r, x, 0, role, " ") + 1;
}

static bool shows_past(const struct console *c)
{
	return c->shown && outlook_is_past(c->shown);
}

/* Which moment is shown, and how long ago it was. */
static int put_view(struct console *c, struct rect r, int x)
{
	char when[MOMENT_TEXT], ago[DURATION_TEXT], view[MOMENT_TEXT + DURATION_TEXT];
	int64_t now_s = console_now_s(c), view_s = c->shown->now_s;

	snprintf(view, sizeof view, " %s -%s", wallclock_short(when, view_s, now_s),
		 duration_short(ago, now_s - view_s));
	return put_badge(c, r, x, ROLE_TITLE_PAST, view);
}

/* From the left: who and when, then what the picture is. Returns where it ends. */
static int put_title_parts(struct console *c, struct rect r, bool with_place)
{
	char when[MOMENT_TEXT], age[DURATION_TEXT], frozen[DURATION_TEXT + 1];
	int64_t shown_s = c->shown && c->frozen && !shows_past(c) ? c->shown->now_s : console_now_s(c);
	int x = 1;

	canvas_fill(&c->canvas, r, ROLE_TITLE);
	x += canvas_put(&c->canvas, r, x, 0, ROLE_TITLE, "KAHU");
	if (with_place)
		x += canvas_put(&c->canvas, r, x, 0, ROLE_TITLE,
				c->session->simulated  ? " simulation"
				: c->session->attached ? " attached"
						       : " local");
	x += canvas_putf(&c->canvas, r, x, 0, ROLE_TITLE, "  %s  ", wallclock_long(when, shown_s));
	if (c->session->simulated && c->speed == 0)
		x += canvas_put(&c->canvas, r, x, 0, ROLE_TITLE, "stopped  ");
	else if (c->session->simulated)
		x += canvas_putf(&c->canvas, r, x, 0, ROLE_TITLE, "%dx  ", (int)c->speed);
	snprintf(frozen, sizeof frozen, " %s", duration_short(age, console_now_s(c) - shown_s));
	if (c->source.ops->is_lost(c->source.self))
		x += canvas_put(&c->canvas, r, x, 0, ROLE_TITLE_FROZEN, " NO SCHEDULER ") + 1;
	else if (shows_past(c))
		x = put_view(c, r, x);
	else if (c->frozen)
		x = put_badge(c, r, x, ROLE_TITLE_FROZEN, frozen);
	else
		x = put_badge(c, r, x, ROLE_TITLE_LIVE, "");
	if (c->draft.proposal)
		x = put_badge(c, r, x, ROLE_TITLE_DRAFT, "");
	if (console_next_return_s(c) != TIME_NEVER)
		x += canvas_putf(&c->canvas, r, x, 0, ROLE_TITLE_DRAFT, " UNTIL %s: KEEP? ",
				 duration_short(age, console_next_return_s(c) - console_now_s(c))) +
		     1;
	if (c->session->readonly || shows_past(c))
		x = put_badge(c, r, x, ROLE_TITLE_READONLY, "");
	return x;
}

static void put_title(struct console *c, struct rect r)
{
	int x = put_title_parts(c, r, true);

	if (x - 1 > r.w)
		x = put_title_parts(c, r, false);
	if (x + text_width(c->session->who) < r.w)
		canvas_put_right(&c->canvas, (struct rect){r.x, r.y, r.w - 1, 1}, 0, ROLE_TITLE,
				 c->session->who);
}

/* "[1 Queue]", " 8 Journal ", or "[Help]"; "" for a screen without a tab. */
static void add_tab(const struct console *c, size_t view, struct str *out)
{
	const struct view_ops *v = views_all[view];
	bool active = view == c->current;

	if (v->number != 0)
		str_addf(out, "%c%d %s%c", active ? '[' : ' ', v->number, v->title, active ? ']' : ' ');
	else if (active)
		str_addf(out, "[%s]", v->title);
}

static int tabs_width(const struct console *c, size_t from, size_t to)
{
	struct str tabs = {0};
	int width;

	for (size_t i = from; i <= to; i++)
		add_tab(c, i, &tabs);
	width = text_width(str_text(&tabs));
	str_free(&tabs);
	return width;
}

/* Where the one in front would have no room the first ones are left out. */
static size_t first_tab(const struct console *c)
{
	size_t first = 0;

	while (first < c->current && tabs_width(c, first, c->current) > c->canvas.w)
		first++;
	return first;
}

static void put_tabs(struct console *c, struct rect r)
{
	struct str tab = {0};
	int x = 0;

	for (size_t i = first_tab(c); i < views_count; i++) {
		str_clear(&tab);
		add_tab(c, i, &tab);
		x += canvas_put(&c->canvas, r, x, 0, i == c->current ? ROLE_TAB_ACTIVE : ROLE_TAB,
				str_text(&tab));
	}
	str_free(&tab);
}

const char *console_tab_at(const struct console *c, int x)
{
	struct str tabs = {0};
	size_t i = first_tab(c);

	while (i < views_count && text_width(str_text(&tabs)) <= x)
		add_tab(c, i++, &tabs);
	if (text_width(str_text(&tabs)) <= x)
		i = 0;
	str_free(&tabs);
	return i > 0 ? views_all[i - 1]->name : NULL;
}

/* --- the bottom ----------------------------------------------------------------------- */

/* What hides rows or will be acted on is always to be seen, however much the screen has to say. */
static void put_status(struct console *c, struct rect r)
{
	const struct view_ops *v = console_view(c);
	const struct table *t = v->jobs || v->entries ? console_table(c) : NULL;
	struct str text = {0}, chosen = {0};
	int room, x = 1;

	if (v->status)
		v->status(console_view_memory(c), &text);
	if (console_filter(c)->count > 0)
		str_addf(&chosen, "%sfilter: %s", text.len > 0 ? "   " : "", filter_text(console_filter(c)));
	if (t && t->marked.count > 0)
		str_addf(&chosen, "   %zu marked", t->marked.count);
	if (console_hidden_marks(c) > 0)
		str_addf(&chosen, " (%zu hidden)", console_hidden_marks(c));
	if (c->range_from)
		str_add(&chosen, "   marking a range");
	room = r.w - x - text_width(str_text(&chosen));
	if (text_width(str_text(&text)) <= room)
		x += canvas_put(&c->canvas, r, x, 0, ROLE_STATUS, str_text(&text));
	else if (room > 0)
		x += canvas_put_fit(&c->canvas, r, x, 0, room, TEXT_LEFT, ROLE_STATUS, str_text(&text));
	canvas_put(&c->canvas, r, x, 0, ROLE_STATUS, str_text(&chosen));
	str_free(&text);
	str_free(&chosen);
}

/* The answers are always to be seen, however long the question is. */
static void put_question(struct console *c, struct rect r)
{
	const struct question *q = &c->question;
	struct str answers = {0};
	int wide = text_width(q->text), room;

	for (size_t i = 0; i < q->count; i++)
		str_addf(&answers, "  [%c] %s%s", q->choice[i].key, q->choice[i].label,
			 i == q->fallback ? " (Enter)" : "");
	room = r.w - 1 - text_width(str_text(&answers));
	wide = wide < room ? wide : room;
	canvas_fill(&c->canvas, r, ROLE_DRAFT);
	canvas_put_fit(&c->canvas, r, 1, 0, wide, TEXT_LEFT, ROLE_DRAFT, q->text);
	canvas_put(&c->canvas, r, 1 + wide, 0, ROLE_DRAFT, str_text(&answers));
	str_free(&answers);
}

static void put_said(struct console *c, struct rect r)
{
	struct page line = {0};
	enum role role = write_line(c, &line);

	if (line.lines > 0)
		canvas_fill(&c->canvas, r, role);
	page_draw(&line, &c->canvas, r);
	page_free(&line);
}

/* What is wrong with the filter that is typed, above it: as many lines as the sentence needs. */
static void put_problem(struct console *c, struct rect r)
{
	struct page page = {0};
	int height;

	page_wrap(&page, ROLE_WARNING, 1, r.w - 2, str_text(&c->problem));
	height = (int)page.lines < PROBLEM_LINES ? (int)page.lines : PROBLEM_LINES;
	r = (struct rect){r.x, r.y - height, r.w, height};
	canvas_fill(&c->canvas, r, ROLE_WARNING);
	page_draw(&page, &c->canvas, r);
	page_free(&page);
}

/* On a low terminal this covers the status. */
static void put_line(struct console *c, struct rect r)
{
	if (c->prompting)
		prompt_draw(&c->prompt, &c->canvas, (struct rect){r.x, r.y - 1, r.w, 2});
	else if (c->question.text)
		put_question(c, r);
	else
		put_said(c, r);
	if (c->prompting && c->problem.len > 0)
		put_problem(c, r);
}

static int put_hint(struct console *c, struct rect r, int x, const char *key, const char *label)
{
	if (x + text_width(key) + 1 + text_width(label) > r.w - 1)
		return x;
	x += canvas_put(&c->canvas, r, x, 0, ROLE_HINT_KEY, key);
	x += canvas_put(&c->canvas, r, x, 0, ROLE_HINT_TEXT, " ");
	return x + canvas_put(&c->canvas, r, x, 0, ROLE_HINT_TEXT, label) + 2;
}

static int put_action(struct console *c, struct rect r, int x, enum action action)
{
	char key[KEY_TEXT];

	bindings_first(action, key);
	return put_hint(c, r, x, strcmp(key, "<lt>") == 0 ? "<" : key, action_row(action)->label);
}

/* Always at the right end, where one looks for a way out. Returns what is left of the line. */
static struct rect put_help_and_quit(struct console *c, struct rect r)
{
	struct rect right = rect_take_right(&r, 16);
	int x = put_action(c, right, 1, ACTION_HELP);

	put_action(c, right, x, ACTION_QUIT);
	return r;
}

static const enum action *hints_now(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return c->draft.edits.count > 0 && v->draft_hints ? v->draft_hints : v->hints;
}

/* Of the keys of a screen: does it matter now, and does it not stand there already? */
static bool is_hint_now(const struct console *c, enum action action)
{
	return !c->past ||
	       (!console_past_bars(action) && action != ACTION_ENTRY_BACK && action != ACTION_ENTRY_ON);
}

static void put_hints(struct console *c, struct rect r)
{
	static const enum action past[] = {ACTION_LIVE, ACTION_ENTRY_BACK, ACTION_ENTRY_ON};
	int x = 1;

	canvas_fill(&c->canvas, r, ROLE_HINT_TEXT);
	if (c->box.proposal && !c->prompting && !c->question.text)
		return; /* the box has the keys, and lists them */
	r = put_help_and_quit(c, r);
	if (c->prompting || c->question.text) {
		x = put_hint(c, r, x, "<Enter>", "accept");
		x = put_hint(c, r, x, "<Esc>", "cancel");
		if (c->prompting && c->prompt.complete)
			put_hint(c, r, x, "<Tab>", "complete");
		return;
	}
	if (console_view(c)->tries)
		x = put_hint(c, r, x, "<Enter>", "preview");
	for (size_t i = 0; c->past && i < sizeof past / sizeof past[0]; i++)
		x = put_action(c, r, x, past[i]);
	for (const enum action *a = hints_now(c); *a != ACTION_NONE; a++)
		if (is_hint_now(c, *a))
			x = put_action(c, r, x, *a);
}

static void put_note(struct console *c, struct rect r)
{
	if (r.h < 2)
		return;
	canvas_rule(&c->canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	page_draw(&c->note, &c->canvas, r);
}

/* --- all of it ------------------------------------------------------------------------ */

static void put_small(struct console *c)
{
	const struct queue *q = c->shown ? &c->shown->live.plan.queue : NULL;
	struct rect r = canvas_rect(&c->canvas);

	canvas_putf(&c->canvas, r, 0, 0, ROLE_STATUS, "Needs %dx%d. %u active, %u idle, %u blocked", SMALL_W,
		    SMALL_H, q ? q->active_count : 0, q ? q->idle_count : 0, q ? q->blocked_count : 0);
}

static void put_frame(struct console *c)
{
	struct console_layout layout;

	if (console_shows_numbers(c) && c->shown)
		console_write_numbers(c);
	console_layout(c, &layout);
	put_title(c, layout.title);
	put_tabs(c, layout.tabs);
	if (c->shown)
		console_view(c)->draw(console_view_memory(c), &c->canvas, layout.body);
	else
		canvas_put(&c->canvas, layout.body, 1, 1, ROLE_DIM, "Reading the queue ...");
	put_note(c, layout.note);
	console_draw_bar(c, layout.bar);
	if (c->box.proposal)
		console_draw_box(c, layout.body);
	put_status(c, layout.status);
	put_line(c, layout.line);
	put_hints(c, layout.hints);
}

void console_resize(struct console *c, int w, int h)
{
	canvas_resize(&c->canvas, w, h);
	c->canvas.ascii = c->ascii;
	c->dirty = true;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
}

const struct canvas *console_draw(struct console *c)
{
	console_freshen(c);
	canvas_clear(&c->canvas);
	if (c->canvas.w < SMALL_W || c->canvas.h < SMALL_H)
		put_small(c);
	else
		put_frame(c);
	c->dirty = false;
	c->drawn_ms = monotonic_ms();
	return &c->canvas;
}
