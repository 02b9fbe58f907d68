/* SPDX-License-Identifier: MIT */
/*
 * view_help.c - Help screen: keys and commands
 *
 * Generated from the tables of keys and commands. The keys of the previous screen come first.
 */
#include <string.h>

#include "page.h"
#include "view.h"

#define HELP_X 22

struct help_view {
	struct screen_host *host;
	struct page page;
};

/* Writes the keys of an action: "j <Down>". The key <lt> is written as "<". */
static void put_keys(struct page *p, const char *keys)
{
	const char *less = strstr(keys, "<lt>");

	if (less)
		page_addf(p, ROLE_HELP_KEY, "%.*s<%s", (int)(less - keys), keys, less + 4);
	else
		page_add(p, ROLE_HELP_KEY, keys);
}

static void put_help(struct help_view *v, const char *text)
{
	page_wrap_on(&v->page, ROLE_TEXT, HELP_X, v->host->ops->width(v->host->console) - HELP_X - 1, text);
}

/* Do keys that act on jobs work on the screen? */
static bool has_job(const char *screen)
{
	size_t view = views_find(screen);

	return view < views_count && !views_all[view]->no_job;
}

/*
 * Is the action listed in the help of the screen? On screens without jobs, only two of the actions on jobs
 * have a meaning.
 */
static bool is_listed(enum action a, const char *screen)
{
	if (action_row(a)->set == SET_ACTING && !has_job(screen))
		return a == ACTION_OPEN || a == ACTION_REWEIGHT;
	return action_is_on(a, screen);
}

/* Does a key or a command match the filter? */
static bool passes(const struct help_view *v, const char *key, const char *label, const char *help)
{
	const struct named_text field[] = {{.name = "key", .value = key},
					   {.name = "label", .value = label},
					   {.name = "help", .value = help}};

	return filter_match(v->host->ops->filter(v->host->console), field, sizeof field / sizeof field[0]);
}

static void put_set(struct help_view *v, const char *heading, enum action_set set, const char *screen)
{
	struct page *p = &v->page;
	bool begun = false;

	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row(a);

		if (row->set != set || !is_listed(a, screen) || !passes(v, row->keys, row->label, row->help))
			continue;
		if (!begun)
			page_heading(p, heading);
		begun = true;
		page_line(p);
		page_at(p, 2);
		put_keys(p, row->keys);
		put_help(v, row->help);
	}
}

static void put_commands(struct help_view *v)
{
	struct page *p = &v->page;
	struct host_verb verb;
	bool begun = false;

	for (size_t i = 0; v->host->ops->verb(i, &verb); i++) {
		if (!passes(v, verb.name, verb.args, verb.help))
			continue;
		if (!begun)
			page_heading(p, "COMMANDS, after : or as 'kahu VERB' in a shell");
		begun = true;
		page_line(p);
		page_at(p, 2);
		page_add(p, ROLE_HELP_KEY, verb.name);
		if (verb.args[0])
			page_addf(p, ROLE_DIM, " %s", verb.args);
		if (p->x >= HELP_X)
			page_line(p);
		put_help(v, verb.help);
	}
}

static void help_open(void *self, struct screen_host *host)
{
	((struct help_view *)self)->host = host;
}

static void help_close(void *self)
{
	page_free(&((struct help_view *)self)->page);
}

static void help_enter(void *self)
{
	page_home(&((struct help_view *)self)->page);
}

static void help_recalc(void *self)
{
	struct help_view *v = self;
	const char *screen = v->host->ops->previous(v->host->console);

	page_clear(&v->page);
	put_set(v, "ON THE PREVIOUS SCREEN ONLY", SET_SCREEN, screen);
	put_set(v,
		has_job(screen) ? "FOR THE JOB UNDER THE CURSOR OR THE MARKED JOBS"
				: "FOR THE ROW UNDER THE CURSOR",
		SET_ACTING, screen);
	put_set(v, "ON ALL SCREENS", SET_GLOBAL, screen);
	put_set(v, "MOVEMENT", SET_MOVING, screen);
	put_commands(v);
}

static void help_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct help_view *)self)->page, canvas, r);
}

static struct page *help_page(void *self)
{
	return &((struct help_view *)self)->page;
}

static const enum action hints[] = {ACTION_FILTER, ACTION_SEARCH, ACTION_BACK, ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_help = {
	.name = "help",
	.names = "key label help",
	.title = "Help",
	.size = sizeof(struct help_view),
	.no_job = true,
	.hints = hints,
	.open = help_open,
	.close = help_close,
	.enter = help_enter,
	.recalc = help_recalc,
	.draw = help_draw,
	.page = help_page,
};
