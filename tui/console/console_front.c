/* SPDX-License-Identifier: MIT */
/*
 * console_front.c - the front screen, its history and filter; messages, the prompt, the environment of verbs
 */
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "tui/command/cmd.h"

/* --- screens -------------------------------------------------------------------------- */

const struct view_ops *console_view(const struct console *c)
{
	return views_all[c->current];
}

void *console_view_memory(const struct console *c)
{
	return c->memory[c->current];
}

struct table *console_table(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return v->table ? v->table(console_view_memory(c)) : NULL;
}

struct page *console_page(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return v->page ? v->page(console_view_memory(c)) : NULL;
}

/* When a list gets its first rows, its cursor is set to the current job. */
void console_freshen(struct console *c)
{
	struct table *t;
	bool empty;

	if (!c->shown || !c->stale[c->current])
		return;
	c->stale[c->current] = false;
	t = console_view(c)->jobs ? console_table(c) : NULL;
	empty = t && t->cursor == TABLE_NO_ROW;
	console_view(c)->recalc(console_view_memory(c));
	if (empty && c->job)
		(void)table_go(t, c->job);
	console_follow_cursor(c);
}

/* The current job is the one under the cursor of the list with the focus. */
void console_follow_cursor(struct console *c)
{
	struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	uint64_t key;

	if (t && table_key(t, &key))
		c->job = key;
}

static void come_to_front(struct console *c, size_t view)
{
	struct table *t;

	c->current = view;
	c->stale[view] = true;
	c->range_from = 0;
	c->dirty = true;
	if (console_view(c)->enter)
		console_view(c)->enter(console_view_memory(c));
	if (console_view(c)->shows_draft)
		console_want_plan_query(c); /* the screen needs a plan query with a comparison */
	if (!c->shown)
		return;
	c->stale[view] = false;
	console_view(c)->recalc(console_view_memory(c));
	t = console_view(c)->jobs ? console_table(c) : NULL;
	if (t && c->job && !table_go(t, c->job))
		console_follow_cursor(c);
}

void console_go(struct console *c, const char *screen)
{
	size_t view = views_find(screen);

	if (view == views_count || view == c->current)
		return;
	if (c->stacked == STACK_MAX) {
		free(c->stack[0].filter);
		memmove(c->stack, c->stack + 1, (STACK_MAX - 1) * sizeof *c->stack);
		c->stacked--;
	}
	c->stack[c->stacked++] = (struct visited){.view = c->current};
	come_to_front(c, view);
}

/*
 * Appends a value as a filter term. Filter terms contain no blanks, so blanks and wildcards are replaced with
 * ?, which matches any character.
 */
static void add_exactly(struct str *out, const char *value)
{
	for (; *value; value++) {
		if (strchr(" *[\\", *value))
			str_add_char(out, '?');
		else
			str_add_char(out, *value);
	}
}

void console_show_jobs(struct console *c, const char *field, const char *value)
{
	struct str filter = {0};

	str_addf(&filter, "%s=", field);
	add_exactly(&filter, value);
	console_go(c, "queue");
	c->stack[c->stacked - 1].filter = mem_string(filter_text(console_filter(c)));
	console_set_filter(c, str_text(&filter));
	str_free(&filter);
}

static void go_back(struct console *c)
{
	struct visited below = c->stack[--c->stacked];

	if (below.filter)
		console_set_filter(c, below.filter);
	come_to_front(c, below.view);
	free(below.filter);
}

void console_back(struct console *c)
{
	if (c->stacked > 0)
		go_back(c);
	else if (c->current != 0)
		come_to_front(c, 0);
	else
		console_say(c, ROLE_MESSAGE, "This is the first screen; Q quits the console.");
}

static void list_screens(struct str *out)
{
	const char *between = "";

	for (size_t i = 0; i < views_count; i++) {
		if (views_all[i]->number == 0)
			continue;
		str_addf(out, "%s%d %s", between, views_all[i]->number, views_all[i]->title);
		between = ", ";
	}
}

bool console_show(struct console *c, const char *screen, struct err *err)
{
	struct str list = {0};

	for (size_t i = 0; i < views_count; i++) {
		char number[2] = {(char)('0' + views_all[i]->number), '\0'};

		if (!str_same_word(views_all[i]->name, screen) &&
		    (views_all[i]->number == 0 || strcmp(number, screen) != 0))
			continue;
		console_go(c, views_all[i]->name);
		return true;
	}
	list_screens(&list);
	err_set(err, "unknown screen %s; the screens are %s", screen, str_text(&list));
	str_free(&list);
	return false;
}

/* --- current job, filter, messages ------------------------------------------------------------------ */

void console_go_job(struct console *c, uint64_t job)
{
	c->job = job;
	c->dirty = true;
}

static struct filter *filter_here(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return &c->filter[v->jobs || v->one_job ? 0 : c->current];
}

const struct filter *console_filter(const struct console *c)
{
	return filter_here(c);
}

const struct filter *console_search(const struct console *c)
{
	return c->search.count > 0 ? &c->search : console_filter(c);
}

struct store *console_store(const struct console *c)
{
	return c->session->store;
}

int64_t console_now_s(const struct console *c)
{
	return c->source.ops->now_s(c->source.self);
}

void console_recalc(struct console *c)
{
	c->stale[c->current] = true;
	console_freshen(c);
	c->dirty = true;
}

void console_set_filter(struct console *c, const char *text)
{
	filter_set(filter_here(c), text);
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	console_recalc(c);
}

void console_say(struct console *c, enum role role, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	if (c->messages == MESSAGES_KEPT) {
		free(c->message[0].text);
		memmove(c->message, c->message + 1, --c->messages * sizeof *c->message);
	}
	c->message = vec_room(c->message, &c->message_cap, c->messages + 1, sizeof *c->message);
	c->message[c->messages++] = (struct message){
		.time_s = console_now_s(c), .role = role, .text = mem_string(str_text(&text))};
	str_free(&text);
	c->said = true;
	c->dirty = true;
}

void console_want_plan_query(struct console *c)
{
	c->wanted = true;
}

/* --- the prompt and verbs ---------------------------------------------------------------------------- */

void console_open_prompt(struct console *c, const char *sign, const char *text,
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
	console_open_prompt(c, sign, text, done, self);
}

struct cmd_env console_env(struct console *c, const struct snapshot *s, struct cmd_changes *changes,
			   struct str *out)
{
	return (struct cmd_env){
		.verbs = &cmd_verbs,
		.s = s,
		.now_s = console_now_s(c),
		.store = c->session->store,
		.who = c->session->who,
		.ascii = c->ascii,
		.width = c->canvas.w,
		.out = out,
		.changes = changes,
		.console = c,
		.ask = c->verbs,
	};
}
