/* SPDX-License-Identifier: MIT */
/*
 * console_prompt.c - what is done with a line that is typed?
 *
 * One prompt serves commands, filters, searches and values: what differs is who gets the
 * line, who watches it change, and its history.
 */
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "tui/command/complete.h"

static void open_prompt(struct console *c, const char *sign, const char *text,
			void (*done)(void *self, const char *text), void *self)
{
	prompt_open(&c->prompt, sign, text);
	c->prompting = true;
	c->prompt_done = done;
	c->prompt_changed = NULL;
	c->prompt_self = self;
	str_clear(&c->problem);
	c->dirty = true;
}

void console_ask(struct console *c, const char *sign, const char *text,
		 void (*done)(void *self, const char *text), void *self)
{
	open_prompt(c, sign, text, done, self);
}

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
	cmd_complete(c->shown ? c->shown->live.s : NULL, head, &console_verbs, &out->from, &found);
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

void console_prompt_command(struct console *c)
{
	open_prompt(c, ":", "", command_done, c);
	c->prompt.history = &c->commands;
	c->prompt.complete = complete;
	c->prompt.complete_self = c;
}

/* --- filters -------------------------------------------------------------------------- */

/* Says what is wrong with a filter while it is typed. */
static void check_filter(struct console *c, const char *text)
{
	struct filter f = {0};
	struct err err;

	str_clear(&c->problem);
	filter_set(&f, text);
	if (!filter_check(&f, console_view(c)->fields, &err))
		str_add(&c->problem, err.text);
	filter_clear(&f);
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

void console_prompt_filter(struct console *c)
{
	free(c->filter_before);
	c->filter_before = mem_string(filter_text(console_filter(c)));
	open_prompt(c, "/", c->filter_before, filter_done, c);
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
		console_say(c, ROLE_MESSAGE, "Nothing matches %s.", text);
	say_problem(c);
}

void console_prompt_search(struct console *c)
{
	open_prompt(c, "search:", "", search_done, c);
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

void console_prompt_key(struct console *c, struct key key)
{
	after(c, prompt_key(&c->prompt, key));
}

void console_prompt_paste(struct console *c, const char *text, size_t len)
{
	after(c, prompt_paste(&c->prompt, text, len));
}
