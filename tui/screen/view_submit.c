/* SPDX-License-Identifier: MIT */
/*
 * view_submit.c - Submit screen: a form for a new job
 *
 * The form is shown with the command line that it produces. Key a proposes the submission: the confirmation
 * box then shows the estimated start of the job and its effect on other jobs, and Enter submits the job.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "page.h"
#include "sched/base/str.h"
#include "sched/model/cred.h"
#include "tui/report/job_fields.h"
#include "view.h"

enum form_field {
	FORM_COMMAND,
	FORM_SCRIPT,
	FORM_NAME,
	FORM_NODES,
	FORM_PPN,
	FORM_MEM,
	FORM_WALLTIME,
	FORM_GPUS,
	FORM_CLASS,
	FORM_QOS,
	FORM_ACCOUNT,
	FORM_START,
	FORM_DEPEND,
	FORM_OUTPUT,
	FORM_ERRORS,
	FORM_FOLDER,
	FORM_FIELDS
};

struct form_row {
	const char *label;
	const char *help; /* hint beside the field: format and default */
	/* Text before the value on the command line: "-N ", or "nodes=" for a resource. */
	const char *option;
	bool resource; /* the value is a resource, given with -l */
	/* Type of the names that can be selected; CRED_TYPE_COUNT: any text can be entered. */
	enum cred_type choice;
};

/* The values of the form. A zeroed form is empty. */
struct submit_form {
	struct str value[FORM_FIELDS];
};

/* --- form and command line ---------------------------------------------------------------------------- */

#define ANYTHING CRED_TYPE_COUNT

static const struct form_row form_rows[FORM_FIELDS] = {
	[FORM_COMMAND] = {"command", "command to run, with its arguments", "-- ", .choice = ANYTHING},
	[FORM_SCRIPT] = {"script", "script instead, with #PBS directives", "", .choice = ANYTHING},
	[FORM_NAME] = {"name", "default: name of the command", "-N ", .choice = ANYTHING},
	[FORM_NODES] = {"nodes", "default 1", "nodes=", .resource = true, .choice = ANYTHING},
	[FORM_PPN] = {"ppn", "processors per node, default 1", "ppn=", .resource = true, .choice = ANYTHING},
	[FORM_MEM] = {"memory", "for the whole job: 512mb, 4gb", "mem=", .resource = true,
		      .choice = ANYTHING},
	[FORM_WALLTIME] = {"walltime", "1:30:00, 90m, 2d", "walltime=", .resource = true, .choice = ANYTHING},
	[FORM_GPUS] = {"gpus", "per node", "gpus=", .resource = true, .choice = ANYTHING},
	[FORM_CLASS] = {"class", "select with <Left> and <Right>", "-q ", .choice = CRED_CLASS},
	[FORM_QOS] = {"QOS", "select with <Left> and <Right>", "qos=", .resource = true, .choice = CRED_QOS},
	[FORM_ACCOUNT] = {"account", "select with <Left> and <Right>", "-A ", .choice = CRED_ACCOUNT},
	[FORM_START] = {"start", "earliest start: 16:30, +2:00:00", "-a ", .choice = ANYTHING},
	[FORM_DEPEND] = {"depends", "afterok:12, afterany:12:13", "-W depend=", .choice = ANYTHING},
	[FORM_OUTPUT] = {"output", "default: NAME.oID in the working directory", "-o ", .choice = ANYTHING},
	[FORM_ERRORS] = {"errors", "default: NAME.eID in the working directory", "-e ", .choice = ANYTHING},
	[FORM_FOLDER] = {"directory", "default: where the console was started", "-d ", .choice = ANYTHING},
};

static void submit_form_free(struct submit_form *f)
{
	for (size_t i = 0; i < FORM_FIELDS; i++)
		str_free(&f->value[i]);
}

/* Appends a value, quoted if necessary. */
static void add_value(struct str *line, const char *value)
{
	bool plain = strpbrk(value, " \t'\"\\") == NULL;

	str_add(line, plain ? "" : "\"");
	for (; *value; value++) {
		if (!plain && strchr("\"\\", *value) != NULL)
			str_add_char(line, '\\');
		str_add_char(line, *value);
	}
	str_add(line, plain ? "" : "\"");
}

static bool is_set(const struct submit_form *f, enum form_field field)
{
	return f->value[field].len > 0;
}

/*
 * Appends the option -l with all resources: "nodes=2:ppn=4,walltime=1:00:00". ppn needs a number of nodes,
 * which is 1 if the form has none.
 */
static void add_resources(const struct submit_form *f, struct str *line)
{
	struct str list = {0};

	for (enum form_field i = 0; i < FORM_FIELDS; i++) {
		if (!form_rows[i].resource || !is_set(f, i))
			continue;
		if (i == FORM_PPN)
			str_add(&list, is_set(f, FORM_NODES) ? ":" : "nodes=1:");
		else if (list.len > 0)
			str_add_char(&list, ',');
		str_addf(&list, "%s%s", form_rows[i].option, str_text(&f->value[i]));
	}
	if (list.len > 0) {
		str_add(line, " -l ");
		add_value(line, str_text(&list));
	}
	str_free(&list);
}

static void add_options(const struct submit_form *f, struct str *line)
{
	for (enum form_field i = FORM_NAME; i < FORM_FIELDS; i++) {
		if (form_rows[i].resource || !is_set(f, i))
			continue;
		str_addf(line, " %s", form_rows[i].option);
		add_value(line, str_text(&f->value[i]));
	}
}

/*
 * Appends the command line: "submit -N fit -l nodes=2:ppn=4,walltime=1:00:00 -- ./fit data". Appends nothing
 * if neither a command nor a script is set.
 */
static void submit_form_line(const struct submit_form *f, struct str *out)
{
	if (!is_set(f, FORM_COMMAND) && !is_set(f, FORM_SCRIPT))
		return;
	str_add(out, "submit");
	add_options(f, out);
	add_resources(f, out);
	str_add_char(out, ' ');
	if (is_set(f, FORM_SCRIPT))
		add_value(out, str_text(&f->value[FORM_SCRIPT]));
	else
		str_addf(out, "-- %s", str_text(&f->value[FORM_COMMAND]));
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define LABEL_X 2

#define VALUE_X 12

#define HELP_X 44

struct submit_view {
	struct screen_host *host;
	struct page page;
	struct submit_form form;
	size_t cursor; /* index of the field under the cursor */
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

/* --- drawing ------------------------------------------------------------------------------------------ */

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
			  "Enter a command or a script in the first or second line.");
	str_free(&line);
}

static void submit_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct submit_view *)self)->page, canvas, r);
}

/* --- keys --------------------------------------------------------------------------------------------- */

/* Proposes the submission; this opens the box, which shows the estimated start of the job. */
static void submit(struct submit_view *v)
{
	struct str line = {0};

	submit_form_line(&v->form, &line);
	if (line.len > 0)
		(void)v->host->ops->propose(v->host->console, str_text(&line));
	else
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "Enter a command or a script first.");
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

/*
 * Is the credential of this type, and can a job name it? A job can name neither DEFAULT nor CRED_NONE, which
 * stands for no credential.
 */
static bool is_choice(const struct snapshot *s, const struct cred *cred, enum cred_type type)
{
	const char *name = snapshot_string(s, cred->name);

	return cred->type == type && strcmp(name, CRED_DEFAULT) != 0 && strcmp(name, CRED_NONE) != 0;
}

/*
 * Returns the name after `now` (by > 0) or before it (by < 0). "" follows the last name and precedes the
 * first.
 */
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
		give(v, next_choice(v->host->ops->plan_query(v->host->console)->live.s, type,
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
