/* SPDX-License-Identifier: MIT */
/*
 * view_submit.c - Submit screen: a form for a new job
 *
 * A form. Each value that is given makes a draft of the command line below it, so what the job would do to
 * the others, and when it would start, is seen before Enter hands it in.
 */
#include <string.h>

#include "jobs.h"
#include "page.h"
#include "tui/screen/submit_form.h"
#include "view.h"

#define LABEL_X 2
#define VALUE_X 12
#define HELP_X  44

struct submit_view {
	struct screen_host *host;
	struct page page;
	struct submit_form form;
	size_t cursor; /* a field */
};

static void submit_open(void *self, struct screen_host *host)
{
	((struct submit_view *)self)->host = host;
}

static void submit_close(void *self)
{
	struct submit_view *v = self;

	submit_form_free(&v->form);
	page_free(&v->page);
}

/* --- drawing ---------------------------------------------------------------------------------------- */

static void put_field(struct submit_view *v, enum form_field i)
{
	bool here = i == v->cursor;
	const struct form_row *row = &form_rows[i];
	const char *value = str_text(&v->form.value[i]);

	page_line(&v->page);
	page_add(&v->page, here ? ROLE_CURSOR : ROLE_TEXT, here ? ">" : " ");
	page_at(&v->page, LABEL_X);
	page_add(&v->page, here ? ROLE_STRONG : ROLE_DIM, row->label);
	page_at(&v->page, VALUE_X);
	page_add(&v->page, value[0] != '\0' ? ROLE_TEXT : ROLE_DIM, value[0] != '\0' ? value : "-");
	if (here && v->page.x < HELP_X) {
		page_at(&v->page, HELP_X);
		page_add(&v->page, ROLE_DIM, row->help);
	}
}

static void submit_recalc(void *self)
{
	struct submit_view *v = self;
	struct str line = {0};

	page_clear(&v->page);
	for (enum form_field i = 0; i < FORM_FIELDS; i++)
		put_field(v, i);
	submit_form_line(&v->form, &line);
	if (line.len > 0)
		page_wrap(&v->page, ROLE_FORMULA, LABEL_X,
			  v->host->ops->width(v->host->console) - LABEL_X - 1, str_text(&line));
	else
		page_wrap(&v->page, ROLE_DIM, LABEL_X, 76,
			  "Name a command or a script in the first or second line.");
	str_free(&line);
}

static void submit_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct submit_view *)self)->page, canvas, r);
}

/* --- changing ---------------------------------------------------------------------------------------- */

/* The job of the form goes into the box, which shows its start and asks. */
static void submit(struct submit_view *v)
{
	struct str line = {0};

	submit_form_line(&v->form, &line);
	if (line.len > 0)
		(void)v->host->ops->propose(v->host->console, str_text(&line));
	else
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "Name a command or a script first.");
	str_free(&line);
}

static void give(void *self, const char *text)
{
	struct submit_view *v = self;
	struct str *value = &v->form.value[v->cursor];

	str_clear(value);
	str_add(value, text);
	v->host->ops->recalc(v->host->console);
}

static void edit(struct submit_view *v)
{
	struct str sign = {0};

	str_addf(&sign, "%s:", form_rows[v->cursor].label);
	v->host->ops->ask(v->host->console, str_text(&sign), str_text(&v->form.value[v->cursor]), give, v);
	str_free(&sign);
}

/* Can a job be given this name? */
static bool is_choice(const struct snapshot *s, const struct cred *cred, enum cred_type type)
{
	const char *name = snapshot_string(s, cred->name);

	return cred->type == type && strcmp(name, CRED_DEFAULT) != 0 && strcmp(name, CRED_NONE) != 0;
}

/* The name before or after this one; "" stands before the first and behind the last. */
static const char *next_choice(const struct snapshot *s, enum cred_type type, const char *now, int by)
{
	const struct cred *creds = snapshot_creds(s);
	uint32_t count = snapshot_count(s, TABLE_CREDS), at = by > 0 ? 0 : count;

	for (uint32_t i = 0; now[0] != '\0' && i < count; i++)
		if (is_choice(s, &creds[i], type) && strcmp(snapshot_string(s, creds[i].name), now) == 0)
			at = by > 0 ? i + 1 : i;
	if (by > 0) {
		while (at < count && !is_choice(s, &creds[at], type))
			at++;
		return at < count ? snapshot_string(s, creds[at].name) : "";
	}
	while (at > 0 && !is_choice(s, &creds[at - 1], type))
		at--;
	return at > 0 ? snapshot_string(s, creds[at - 1].name) : "";
}

static void choose(struct submit_view *v, int by)
{
	enum cred_type type = form_rows[v->cursor].choice;

	if (type != CRED_TYPE_COUNT)
		give(v, next_choice(v->host->ops->outlook(v->host->console)->live.s, type,
				    str_text(&v->form.value[v->cursor]), by));
}

static void move(struct submit_view *v, size_t to)
{
	v->cursor = to < FORM_FIELDS ? to : v->cursor;
	v->host->ops->recalc(v->host->console);
}

static bool submit_act(void *self, enum action action, int arg)
{
	struct submit_view *v = self;

	(void)arg;
	switch (action) {
	case ACTION_DOWN:
	case ACTION_PANE_NEXT:
		move(v, v->cursor + 1);
		return true;
	case ACTION_UP:
	case ACTION_PANE_PREVIOUS:
		move(v, v->cursor - 1);
		return true;
	case ACTION_HOME:
		move(v, 0);
		return true;
	case ACTION_END:
		move(v, FORM_FIELDS - 1);
		return true;
	case ACTION_LEFT:
		choose(v, -1);
		return true;
	case ACTION_RIGHT:
		choose(v, 1);
		return true;
	case ACTION_OPEN:
	case ACTION_EDIT:
		edit(v);
		return true;
	case ACTION_DEFAULT:
		give(v, "");
		return true;
	case ACTION_SUBMIT:
		submit(v);
		return true;
	default:
		return false;
	}
}

static const enum action hints[] = {ACTION_SUBMIT, ACTION_EDIT,    ACTION_DEFAULT,
				    ACTION_BACK,   ACTION_COMMAND, ACTION_NONE};

const struct view_ops view_submit = {
	.name = "submit",
	.title = "Submit",
	.size = sizeof(struct submit_view),
	.no_job = true,
	.hints = hints,
	.open = submit_open,
	.close = submit_close,
	.recalc = submit_recalc,
	.draw = submit_draw,
	.act = submit_act,
};
