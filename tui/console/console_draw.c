/* SPDX-License-Identifier: MIT */
/* console_draw.c - the frame around the screens, the numbers pane, writing a screen to a file */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/duration.h"
#include "sched/model/snapshot.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/screen/job_figures.h"
#include "tui/screen/page.h"

/* --- numbers pane ------------------------------------------------------------------------------------- */

/*
 * The pane shows the figures of the row under the cursor, and who made the journal entries that they refer
 * to. If the pane is too small, = shows the next lines, and closes the pane after the last one.
 */

bool console_shows_numbers(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return c->numbers && (v->jobs || v->one_job || v->numbers);
}

struct asked_entry {
	uint64_t seq;
	int64_t now_s;
	struct str *out;
};

static bool visit_entry(void *self, const struct event *ev)
{
	struct asked_entry *asked = self;
	char when[MOMENT_TEXT];

	if (ev->seq == asked->seq)
		str_addf(asked->out, " by %s, %s", ev->who ? ev->who : "sched",
			 wallclock_short(when, ev->time_s, asked->now_s));
	return false;
}

/* Appends who made a journal entry, and when; nothing if the journal no longer has the entry. */
static void tell_who(void *self, uint64_t entry, struct str *out)
{
	struct console *c = self;
	struct asked_entry asked = {.seq = entry, .now_s = c->shown->now_s, .out = out};
	struct err err;

	if (console_store(c))
		(void)store_journal(console_store(c), entry, false, visit_entry, &asked, &err);
}

void console_write_numbers(struct console *c)
{
	page_clear(&c->note);
	figures_clear(&c->figures, c->shown->now_s);
	if (console_view(c)->numbers)
		console_view(c)->numbers(console_view_memory(c), &c->figures);
	else
		job_figures_now(&c->figures, c->shown, c->job, FORMULA_POINTS);
	figures_tell(&c->figures, tell_who, c);
	figure_page_put(&c->note, &c->figures, c->canvas.w);
}

/* Scrolls the pane; false if its last line is already shown. */
static bool go_on(struct console *c)
{
	struct console_layout layout;
	size_t before = c->note.top;

	if (!c->shown)
		return false;
	console_write_numbers(c);
	console_layout(c, &layout);
	c->note.body = layout.note.h - 1;
	page_move(&c->note, c->note.body);
	return c->note.top > before;
}

void console_turn_numbers(struct console *c)
{
	if (console_shows_numbers(c) && go_on(c))
		return;
	c->numbers = !console_shows_numbers(c);
	page_home(&c->note);
	if (!c->numbers || console_shows_numbers(c))
		return;
	c->numbers = false;
	console_say(c, ROLE_MESSAGE, "This screen has no numbers to explain.");
}

/* --- the frame around the screens --------------------------------------------------------------------- */

#define LINE_H_MAX 3 /* maximum number of lines of a message; the full text is on the Messages screen */

#define PROBLEM_LINES 3 /* maximum number of lines of a filter error */

/* --- layout --------------------------------------------------------------------------- */

/* Writes the last message, wrapped. Returns its role. */
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
	return c->shown && plan_query_is_past(c->shown);
}

/* Draws the time of the past state and its age. Returns the column after them. */
static int put_view(struct console *c, struct rect r, int x)
{
	char when[MOMENT_TEXT], ago[DURATION_TEXT], view[MOMENT_TEXT + DURATION_TEXT];
	int64_t now_s = console_now_s(c), view_s = c->shown->now_s;

	snprintf(view, sizeof view, " %s -%s", wallclock_short(when, view_s, now_s),
		 duration_short(ago, now_s - view_s));
	return put_badge(c, r, x, ROLE_TITLE_PAST, view);
}

/*
 * Draws, from left to right, the kind of session, the time, and the state of the screen. Returns the column
 * after them.
 */
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
	if (c->shown && c->shown->live.s && c->shown->live.s->watched)
		x += canvas_put(&c->canvas, r, x, 0, ROLE_TITLE_READONLY, " SHADOW OF SLURM ") + 1;
	if (c->draft.proposal)
		x = put_badge(c, r, x, ROLE_TITLE_DRAFT, "");
	if (console_next_return_s(c) != TIME_NEVER)
		x += canvas_putf(&c->canvas, r, x, 0, ROLE_TITLE_DRAFT, " UNDO IN %s: KEEP? ",
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

/*
 * Appends the tab of a screen: "[1 Queue]", " 8 Journal ", or "[Help]"; nothing for a screen without a tab.
 */
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

/* Returns the first tab to be drawn. Tabs before it are omitted if there is no room for the active one. */
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

/* --- bottom lines --------------------------------------------------------------------- */

/* Draws the status. The filter and the marks are always shown; the status of the screen is cut to fit. */
static void put_status(struct console *c, struct rect r)
{
	const struct view_ops *v = console_view(c);
	const struct table *t = v->jobs || v->entries ? console_table(c) : NULL;
	struct str text = {0}, chosen = {0};
	int room, x = 1;

	/* as long as the resource manager cannot be read, this is more important than the screen's status */
	if (c->shown && c->shown->live.s && c->shown->live.s->watch_fault != 0)
		text_safe(&text, snapshot_string(c->shown->live.s, c->shown->live.s->watch_fault), false);
	else if (v->status)
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

/* Draws the question. The answers are always shown; the text of the question is cut to fit. */
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

/* Draws the error of the filter that is being typed, above the prompt, in PROBLEM_LINES lines at most. */
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

/*
 * Draws the prompt, the question or the last message. On a terminal without a separate status line, it covers
 * the status.
 */
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

/*
 * Draws the keys for help and quitting at the right end of the line. Returns the part of the line to the left
 * of them.
 */
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

/* Is the key available now, and not already among the hints for a past state? */
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
		return; /* the box receives all keys and lists them */
	r = put_help_and_quit(c, r);
	if (c->prompting || c->question.text) {
		x = put_hint(c, r, x, "<Enter>", "accept");
		x = put_hint(c, r, x, "<Esc>", "cancel");
		if (c->prompting && c->prompt.complete)
			put_hint(c, r, x, "<Tab>", "complete");
		return;
	}
	if ((console_view(c)->queries & QUERY_BIT(QUERY_DRAFT)) != 0)
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

/* --- frame ---------------------------------------------------------------------------- */

static void put_small(struct console *c)
{
	const struct queue *q = c->shown ? &c->shown->live.plan.queue : NULL;
	struct rect r = canvas_rect(&c->canvas);

	canvas_putf(&c->canvas, r, 0, 0, ROLE_STATUS,
		    "Too small, needs %dx%d. %u active, %u idle, %u blocked", SMALL_W, SMALL_H,
		    q ? q->active_count : 0, q ? q->idle_count : 0, q ? q->blocked_count : 0);
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

/* --- writing a screen to a file ----------------------------------------------------------------------- */

/*
 * A dump is the screen as it is, for scripts. An export contains all rows of the list: the screen is drawn
 * once as if the terminal were high enough. An export never overwrites an existing file.
 */

#define ROWS_MAX 10000 /* maximum number of rows; the last line says how many rows are omitted */

#define PAGE_H 100 /* maximum number of lines of a page, including those below the edge of the screen */

static bool write_text(const char *file, const char *mode, const struct str *text, struct err *err)
{
	FILE *out = fopen(file, mode);
	bool ok;

	if (!out && errno == EEXIST)
		return err_set(err, "%s already exists; give another file name", file);
	if (!out)
		return err_set(err, "cannot write the screen to %s: %s", file, strerror(errno));
	ok = fwrite(str_text(text), 1, text->len, out) == text->len;
	ok = fclose(out) == 0 && ok;
	return ok || err_set(err, "cannot write the screen to %s: %s", file, strerror(errno));
}

bool console_dump(struct console *c, const char *file, struct err *err)
{
	struct str text = {0};
	bool ok;

	canvas_dump(console_draw(c), &text);
	ok = write_text(file, "w", &text, err);
	str_free(&text);
	return ok;
}

/* --- export of all rows --------------------------------------------------------------------- */

static int height_of_all(const struct console *c)
{
	const struct table *table = console_table(c);
	size_t rows = table ? table->source.rows : 0;

	return c->canvas.h + PAGE_H + (int)(rows < ROWS_MAX ? rows : ROWS_MAX);
}

/* Copies the text with consecutive empty lines joined. Returns the number of lines. */
static size_t close_up(const struct str *text, struct str *out)
{
	size_t lines = 0, empty = 0;

	for (const char *line = str_text(text), *end; (end = strchr(line, '\n')); line = end + 1) {
		empty = end == line ? empty + 1 : 0;
		if (empty > 1)
			continue;
		str_addf(out, "%.*s\n", (int)(end - line), line);
		lines++;
	}
	return lines;
}

/*
 * Draws the screen with all its rows, and then restores the scroll positions, which drawing at that height
 * changes.
 */
static void dump_all(struct console *c, struct str *out)
{
	struct table *table = console_table(c);
	struct page *page = console_page(c);
	size_t table_top = table ? table->top : 0, page_top = page ? page->top : 0, note_top = c->note.top;
	int w = c->canvas.w, h = c->canvas.h;

	console_resize(c, w, height_of_all(c));
	canvas_dump(console_draw(c), out);
	console_resize(c, w, h);
	console_freshen(c);
	if (table)
		table->top = table_top;
	if (page)
		page->top = page_top;
	c->note.top = note_top;
}

bool console_export(struct console *c, const char *file, struct err *err)
{
	struct str drawn = {0}, text = {0};
	size_t lines;
	bool ok;

	c->said = false;
	dump_all(c, &drawn);
	lines = close_up(&drawn, &text);
	ok = write_text(file, "wx", &text, err);
	if (ok)
		console_say(c, ROLE_MESSAGE, "Written to %s: %zu lines.", file, lines);
	str_free(&drawn);
	str_free(&text);
	return ok;
}

static void export_typed(void *self, const char *text)
{
	struct err err;

	if (text[0] && !console_export(self, text, &err))
		console_say(self, ROLE_ERROR, "%s", err.text);
}

/* The file name contains the journal entry of the state, so that names of different screens differ. */
void console_ask_export(struct console *c)
{
	struct str name = {0};

	str_addf(&name, "kahu-%s-%" PRIu64 ".txt", console_view(c)->name,
		 c->shown ? c->shown->live.s->seq : 0);
	console_ask(c, "write to: ", str_text(&name), export_typed, c);
	str_free(&name);
}
