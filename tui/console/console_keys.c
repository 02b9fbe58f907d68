/* SPDX-License-Identifier: MIT */
/*
 * console_keys.c - the effect of keys, the mouse, and lines typed at a prompt
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "tui/command/complete.h"
#include "tui/draw/theme.h"
#include "tui/report/field.h"
#include "tui/report/job_text.h"
#include "tui/screen/bindings.h"

/* --- prompts ------------------------------------------------------------------------------------------ */

/*
 * One prompt is used for commands, filters, searches and values. Each use has its own callbacks for changes
 * and for the result, and its own history.
 */

static bool console_search_on(struct console *c, int dir);

static void close_prompt(struct console *c)
{
	if (!c->prompting)
		return;
	prompt_close(&c->prompt);
	c->prompting = false;
}

/* --- commands ------------------------------------------------------------------------- */

static void complete(void *self, const char *line, size_t cursor, struct prompt_choices *out)
{
	struct console *c = self;
	struct cmd_candidates found = {0};
	char *head = mem_alloc(cursor + 1);

	memcpy(head, line, cursor);
	head[cursor] = '\0';
	cmd_complete(&cmd_verbs, c->shown ? c->shown->live.s : NULL, head, c->verbs, &out->from, &found);
	for (size_t i = 0; i < found.count; i++)
		prompt_choice_add(out, found.text[i]);
	candidates_clear(&found);
	free(head);
}

static void command_done(void *self, const char *text)
{
	struct console *c = self;
	struct err err;

	prompt_history_add(&c->commands, text);
	if (text[strspn(text, " ")] == '\0')
		return;
	if (console_run_lines(c, text, &err) != CMD_DONE)
		console_say(c, ROLE_ERROR, "%s", err.text);
}

static void console_prompt_command(struct console *c)
{
	console_open_prompt(c, ":", "", command_done, c);
	c->prompt.history = &c->commands;
	c->prompt.complete = complete;
	c->prompt.complete_self = c;
}

/* --- filters -------------------------------------------------------------------------- */

/* Reports errors of a filter while it is typed. */
static void check_filter(struct console *c, const char *text)
{
	const struct view_ops *view = console_view(c);
	struct filter f = {0};
	struct str names = {0};
	struct err err;

	str_clear(&c->problem);
	filter_set(&f, text);
	if (view->fields != NULL)
		fields_filter_names(view->fields, &names);
	if (view->names != NULL)
		str_addf(&names, "%s%s", names.len > 0 ? " " : "", view->names);
	if (!filter_check(&f, names.len > 0 ? str_text(&names) : NULL, &err))
		str_add(&c->problem, err.text);
	filter_clear(&f);
	str_free(&names);
}

static void filter_changed(void *self, const char *text)
{
	check_filter(self, text);
	console_set_filter(self, text);
}

static void search_changed(void *self, const char *text)
{
	check_filter(self, text);
}

static void say_problem(struct console *c)
{
	if (c->problem.len > 0)
		console_say(c, ROLE_WARNING, "%s", str_text(&c->problem));
}

static void filter_done(void *self, const char *text)
{
	struct console *c = self;

	prompt_history_add(&c->filters, text);
	console_set_filter(c, text);
	check_filter(c, text);
	say_problem(c);
}

static void console_prompt_filter(struct console *c)
{
	free(c->filter_before);
	c->filter_before = mem_string(filter_text(console_filter(c)));
	console_open_prompt(c, "/", c->filter_before, filter_done, c);
	c->prompt_changed = filter_changed;
	c->prompt.history = &c->filters;
}

static void search_done(void *self, const char *text)
{
	struct console *c = self;

	prompt_history_add(&c->filters, text);
	filter_set(&c->search, text);
	if (c->search.count == 0)
		return;
	check_filter(c, text);
	if (!console_search_on(c, 1))
		console_say(c, ROLE_MESSAGE, "No match for %s.", text);
	say_problem(c);
}

static void console_prompt_search(struct console *c)
{
	console_open_prompt(c, "search:", "", search_done, c);
	c->prompt_changed = search_changed;
	c->prompt.history = &c->filters;
}

/* --- keys ----------------------------------------------------------------------------- */

static void give(struct console *c)
{
	char *text = mem_string(prompt_line(&c->prompt));

	close_prompt(c);
	c->prompt_done(c->prompt_self, text);
	free(text);
}

static void cancel(struct console *c)
{
	bool filtering = c->prompt_changed == filter_changed;

	close_prompt(c);
	if (filtering)
		console_set_filter(c, c->filter_before);
}

static void after(struct console *c, enum prompt_result result)
{
	if (result == PROMPT_DONE)
		give(c);
	else if (result == PROMPT_CANCELLED)
		cancel(c);
	else if (result == PROMPT_CHANGED && c->prompt_changed)
		c->prompt_changed(c->prompt_self, prompt_line(&c->prompt));
}

static void console_prompt_key(struct console *c, struct key key)
{
	after(c, prompt_key(&c->prompt, key));
}

static void console_prompt_paste(struct console *c, const char *text, size_t len)
{
	after(c, prompt_paste(&c->prompt, text, len));
}

/* --- keys of all screens ------------------------------------------------------------------------------ */

/* --- movement ------------------------------------------------------------------------- */

static bool move(struct console *c, enum action action)
{
	struct table *t = console_table(c);
	struct page *p = console_page(c);

	if (t && moving_table(t, action)) {
		console_follow_cursor(c);
		return true;
	}
	return p && moving_page(p, action);
}

/* --- search and marks ----------------------------------------------------------------- */

static bool line_matches(const void *self, const char *text)
{
	return filter_match(self, &(struct named_text){.name = "text", .value = text}, 1);
}

/*
 * Goes to the next matching row or line, or with dir -1 to the previous one. Returns false if there is none.
 */
static bool console_search_on(struct console *c, int dir)
{
	struct table *t = console_table(c);
	struct page *p = console_page(c);

	if (!t && p)
		return page_search(p, dir, line_matches, console_search(c));
	if (!t || !console_view(c)->match || !table_search(t, dir, console_view(c)->match))
		return false;
	console_follow_cursor(c);
	return true;
}

static void next_match(struct console *c, int dir)
{
	if (console_search(c)->count == 0)
		console_say(c, ROLE_MESSAGE, "No search text; F3 starts a search, / filters.");
	else if (!console_search_on(c, dir))
		console_say(c, ROLE_MESSAGE, "No match for %s.", filter_text(console_search(c)));
}

static void mark_range(struct console *c, struct table *t)
{
	uint64_t key;

	if (!table_key(t, &key))
		return;
	if (c->range_from == 0) {
		c->range_from = key;
		console_say(c, ROLE_MESSAGE, "Range started; move to its end and press v again.");
		return;
	}
	table_mark_range(t, c->range_from, key);
	c->range_from = 0;
}

static void mark(struct console *c, enum action action)
{
	struct table *t = console_view(c)->jobs || console_view(c)->entries ? console_table(c) : NULL;

	if (!t) {
		console_say(c, ROLE_MESSAGE, "This screen has no rows to mark.");
		return;
	}
	if (action == ACTION_MARK_RANGE) {
		mark_range(c, t);
	} else if (action == ACTION_MARK_ALL) {
		table_mark_all(t);
	} else if (action == ACTION_MARK_NONE) {
		keyset_clear(&t->marked);
		c->range_from = 0;
	} else {
		table_mark_toggle(t);
		table_move(t, 1);
		console_follow_cursor(c);
	}
}

/* --- the clock and the terminal ------------------------------------------------------- */

static void freeze(struct console *c)
{
	c->frozen = !c->frozen;
	if (!c->frozen)
		console_want_plan_query(c);
}

static const int32_t speeds[] = {0, 1, 5, 15, 60, 300, 900, 3600, 14400};

#define SPEED_COUNT (sizeof speeds / sizeof speeds[0])

bool console_set_speed(struct console *c, int64_t speed, struct err *err)
{
	if (!c->session->simulated)
		return err_set(err, "the speed can only be changed in a simulation");
	if (speed < 0 || speed > 1000000)
		return err_set(err, "simulation speed must be from 0 to 1000000, got %" PRId64, speed);
	c->speed = (int32_t)speed;
	if (!c->scripted)
		host_set_speed(c->session->host, c->speed);
	console_want_plan_query(c);
	c->dirty = true;
	return true;
}

static void change_speed(struct console *c, int by)
{
	size_t at = 0;
	struct err err;

	while (at + 1 < SPEED_COUNT && speeds[at + 1] <= c->speed)
		at++;
	if (by > 0 && at + 1 < SPEED_COUNT)
		at++;
	else if (by < 0 && speeds[at] == c->speed && at > 0)
		at--;
	if (!console_set_speed(c, speeds[at], &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
	else if (speeds[at] == 0)
		console_say(c, ROLE_MESSAGE, "Simulation stopped; > resumes it.");
	else
		console_say(c, ROLE_MESSAGE, "Simulation speed %" PRId32 "x.", speeds[at]);
}

bool console_set_theme(struct console *c, const char *name, struct err *err)
{
	struct theme *theme = mem_alloc(sizeof *theme);
	bool ok = theme_load(NULL, name, theme, err);

	if (ok && c->door.use_theme)
		c->door.use_theme(c->door.self, theme);
	if (ok) {
		snprintf(c->theme, sizeof c->theme, "%s", theme->name);
		console_say(c, ROLE_MESSAGE, "Theme %s: %s.", theme->name, theme->description);
	}
	free(theme);
	return ok;
}

struct theme_search {
	const char *now;
	char first[THEME_NAME_MAX], next[THEME_NAME_MAX];
};

/* Called for each theme in alphabetical order. */
static void look_at_theme(void *self, const char *name)
{
	struct theme_search *s = self;

	if (s->first[0] == '\0')
		snprintf(s->first, sizeof s->first, "%s", name);
	if (s->next[0] == '\0' && strcmp(name, s->now) > 0)
		snprintf(s->next, sizeof s->next, "%s", name);
}

static void next_theme(struct console *c)
{
	struct theme_search s = {.now = c->theme};
	struct err err;

	theme_each(NULL, look_at_theme, &s);
	if (!console_set_theme(c, s.next[0] ? s.next : s.first, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
}

static void copy(struct console *c, bool whole_line)
{
	const struct plan_query *o = c->shown;
	char label[JOB_LABEL_TEXT];
	struct str text = {0};
	uint32_t slot;
	const struct job *job = o ? forecast_job(&o->live, c->job, &slot) : NULL;

	if (!job) {
		console_say(c, ROLE_MESSAGE, "No job to copy.");
		return;
	}
	str_add(&text, snapshot_job_label(o->live.s, job, label));
	if (whole_line) {
		const struct reason reason = forecast_lead(&o->live, slot).reason;

		str_add(&text, ": ");
		job_text_sentence(o->live.s, job, &reason, o->now_s, &text);
	}
	if (c->door.copy && !c->door.copy(c->door.self, str_text(&text), text.len))
		console_say(c, ROLE_ERROR, "the text is too long for the terminal's clipboard");
	else
		console_say(c, ROLE_MESSAGE, "Copied: %s", str_text(&text));
	str_free(&text);
}

static void answer_quit(struct console *c, char key)
{
	c->quit = key != 'n';
	c->detach = key == 'd';
}

static bool drafts(const struct console *c)
{
	return c->draft.edits.count > 0;
}

/* A scheduler in another process continues, so confirmation is only needed for a draft that would be lost. */
static void ask_quit(struct console *c)
{
	const char *lost = drafts(c) ? " The draft will be discarded." : "";

	if (c->session->attached && !drafts(c)) {
		c->quit = true;
		return;
	}
	str_clear(&c->asked);
	if (c->session->attached) {
		str_addf(&c->asked, "Quit?%s", lost);
		c->question = (struct question){
			.choice = {{'y', "quit"}, {'n', "cancel"}},
			.count = 2,
		};
	} else if (c->session->simulated) {
		str_addf(&c->asked, "Quit? The scheduler stops as well.%s", lost);
		c->question = (struct question){.choice = {{'y', "quit"}, {'n', "cancel"}}, .count = 2};
	} else {
		str_addf(&c->asked, "Quit? Running jobs continue.%s", lost);
		c->question = (struct question){
			.choice = {{'d', "detach the scheduler"},
				   {'s', "stop the scheduler"},
				   {'n', "cancel"}},
			.count = 3,
		};
	}
	c->question.text = str_text(&c->asked);
	c->question.fallback = drafts(c) ? c->question.count - 1 : 0;
	c->question.chosen = answer_quit;
}

/* --- dispatch ------------------------------------------------------------------------- */

/*
 * Cancels the range, closes the numbers pane or clears the filter; never leaves a screen or past state, and
 * never changes the draft.
 */
static void escape(struct console *c)
{
	if (c->range_from)
		c->range_from = 0;
	else if (console_shows_numbers(c))
		c->numbers = false;
	else if (console_filter(c)->count > 0)
		console_set_filter(c, "");
	else if (c->past)
		console_say(c, ROLE_MESSAGE,
			    "Nothing to cancel; L returns to live, q to the previous screen.");
	else
		console_say(c, ROLE_MESSAGE, "Nothing to cancel; q returns to the previous screen.");
}

static void go_screen(struct console *c, int number)
{
	char name[2] = {(char)('0' + number), '\0'};
	struct err err;

	if (!console_show(c, name, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
}

/* Performs actions on the display and on simulated time. Returns false for other actions. */
static bool act_on_picture(struct console *c, enum action action)
{
	switch (action) {
	case ACTION_FREEZE:
		freeze(c);
		return true;
	case ACTION_LIVE:
		console_show_now(c);
		return true;
	case ACTION_ENTRY_BACK:
	case ACTION_ENTRY_ON:
	case ACTION_ENTRIES_BACK:
	case ACTION_ENTRIES_ON:
	case ACTION_HOUR_BACK:
	case ACTION_HOUR_ON:
		console_step_past(c, action);
		return true;
	case ACTION_SLOWER:
		change_speed(c, -1);
		return true;
	case ACTION_FASTER:
		change_speed(c, 1);
		return true;
	case ACTION_THEME:
		next_theme(c);
		return true;
	case ACTION_REDRAW:
		if (c->door.repaint)
			c->door.repaint(c->door.self);
		return true;
	case ACTION_SUSPEND:
		console_say(c, ROLE_WARNING, "%s",
			    c->session->attached
				    ? "^Z is disabled; Q quits the console and the scheduler continues."
				    : "^Z is disabled because the scheduler runs in this process and would "
				      "stop too.");
		return true;
	default:
		return false;
	}
}

static void act_global(struct console *c, enum action action, int arg)
{
	switch (action) {
	case ACTION_SCREEN:
		go_screen(c, arg);
		break;
	case ACTION_BACK:
		console_back(c);
		break;
	case ACTION_ESCAPE:
		escape(c);
		break;
	case ACTION_HELP:
		console_go(c, "help");
		break;
	case ACTION_QUIT:
		ask_quit(c);
		break;
	case ACTION_ENDED:
		console_go(c, "ended");
		break;
	case ACTION_FILTER:
		console_prompt_filter(c);
		break;
	case ACTION_SEARCH:
		console_prompt_search(c);
		break;
	case ACTION_MATCH_NEXT:
		next_match(c, 1);
		break;
	case ACTION_MATCH_PREVIOUS:
		next_match(c, -1);
		break;
	case ACTION_NUMBERS:
		console_turn_numbers(c);
		break;
	case ACTION_MARK:
	case ACTION_MARK_RANGE:
	case ACTION_MARK_ALL:
	case ACTION_MARK_NONE:
		mark(c, action);
		break;
	case ACTION_COMMAND:
		console_prompt_command(c);
		break;
	case ACTION_UNDO:
		console_undo(c);
		break;
	case ACTION_REPEAT:
		console_repeat(c);
		break;
	case ACTION_APPLY_FOR:
		console_ask_for(c);
		break;
	case ACTION_APPLY:
		console_apply(c);
		break;
	case ACTION_DISCARD:
		console_discard(c);
		break;
	case ACTION_KEEP:
		console_preview(c, "keep");
		break;
	case ACTION_COPY:
	case ACTION_COPY_LINE:
		copy(c, action == ACTION_COPY_LINE);
		break;
	case ACTION_EXPORT:
		console_ask_export(c);
		break;
	default:
		if (!act_on_picture(c, action))
			console_say(c, ROLE_MESSAGE, "This command does not apply to this screen.");
	}
}

static void act(struct console *c, enum action action, int arg)
{
	const struct view_ops *v = console_view(c);

	if (console_past_stays(c, action) || (v->act && v->act(console_view_memory(c), action, arg)))
		return;
	if (action_row(action)->set == SET_MOVING)
		(void)move(c, action);
	else if (!console_act(c, action))
		act_global(c, action, arg);
}

static void answer(struct console *c, struct key key)
{
	struct question *q = &c->question;
	char given = 0;

	if (key.code == KBD_ENTER)
		given = q->choice[q->fallback].key;
	for (size_t i = 0; i < q->count; i++)
		if (key.code == KBD_CHAR && key.mods == 0 && key.ch == (uint32_t)q->choice[i].key)
			given = q->choice[i].key;
	if (given == 0 && key.code != KBD_ESC)
		return;
	q->text = NULL;
	if (given)
		q->chosen(c, given);
}

void console_key(struct console *c, struct key key)
{
	char name[KEY_TEXT];
	enum action action;
	int arg;

	c->said = false;
	c->dirty = true;
	if (c->job == 0)
		console_follow_cursor(c); /* the queue was empty, and now has a job */
	if (c->question.text) {
		answer(c, key);
	} else if (c->prompting) {
		console_prompt_key(c, key);
	} else if (c->box.proposal) {
		console_box_key(c, key);
	} else {
		action = bindings_find(console_view(c)->name, key, &arg);
		if (action != ACTION_NONE)
			act(c, action, arg);
		else if (key.code != KBD_NONE)
			console_say(c, ROLE_MESSAGE, "%s has no function here; ? lists the keys.",
				    key_text(name, key));
	}
	console_turn(c);
}

void console_paste(struct console *c, const char *text, size_t len)
{
	if (c->prompting)
		console_prompt_paste(c, text, len);
	else
		console_say(c, ROLE_WARNING,
			    "Pasted text is ignored outside prompts; open a prompt with : or / first.");
	c->dirty = true;
}

/* --- the mouse ------------------------------------------------------------------------ */

void console_set_mouse(struct console *c, bool on)
{
	if (c->door.use_mouse)
		c->door.use_mouse(c->door.self, on);
}

static void click_row(struct console *c, int y)
{
	struct table *t = console_table(c);
	size_t row = t ? table_row_at(t, y) : TABLE_NO_ROW;

	if (row == TABLE_NO_ROW)
		return;
	table_go_row(t, row);
	console_follow_cursor(c);
}

static void click(struct console *c, int x, int y)
{
	struct console_layout layout;
	const char *screen;

	console_layout(c, &layout);
	screen = y == layout.tabs.y ? console_tab_at(c, x) : NULL;
	if (screen)
		console_go(c, screen);
	else if (!c->shown || !console_view(c)->click ||
		 !console_view(c)->click(console_view_memory(c), x, y))
		click_row(c, y);
}

void console_mouse(struct console *c, int x, int y, int lines)
{
	c->dirty = true;
	if (c->question.text || c->prompting || c->box.proposal)
		return;
	if (lines == 0)
		click(c, x, y);
	for (int i = 0; i < abs(lines); i++)
		(void)move(c, lines > 0 ? ACTION_DOWN : ACTION_UP);
}
