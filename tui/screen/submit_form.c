/* SPDX-License-Identifier: MIT */
/*
 * submit_form.c - form for a new job, and its command line
 */
#include "submit_form.h"

#include <string.h>

#define ANYTHING CRED_TYPE_COUNT

const struct form_row form_rows[FORM_FIELDS] = {
	[FORM_COMMAND] = {"command", "what is run, with its words", "-- ", .choice = ANYTHING},
	[FORM_SCRIPT] = {"script", "a file instead, whose #PBS lines count", "", .choice = ANYTHING},
	[FORM_NAME] = {"name", "else that of the command", "-N ", .choice = ANYTHING},
	[FORM_NODES] = {"nodes", "else 1", "nodes=", .resource = true, .choice = ANYTHING},
	[FORM_PPN] = {"ppn", "processors on each node, else 1", "ppn=", .resource = true, .choice = ANYTHING},
	[FORM_MEM] = {"memory", "of the whole job: 512mb, 4gb", "mem=", .resource = true, .choice = ANYTHING},
	[FORM_WALLTIME] = {"walltime", "1:30:00, 90m, 2d", "walltime=", .resource = true, .choice = ANYTHING},
	[FORM_GPUS] = {"gpus", "on each node", "gpus=", .resource = true, .choice = ANYTHING},
	[FORM_CLASS] = {"class", "left and right choose", "-q ", .choice = CRED_CLASS},
	[FORM_QOS] = {"QOS", "left and right choose", "qos=", .resource = true, .choice = CRED_QOS},
	[FORM_ACCOUNT] = {"account", "left and right choose", "-A ", .choice = CRED_ACCOUNT},
	[FORM_START] = {"start", "not before: 16:30, +2:00:00", "-a ", .choice = ANYTHING},
	[FORM_DEPEND] = {"depends", "afterok:12, afterany:12:13", "-W depend=", .choice = ANYTHING},
	[FORM_OUTPUT] = {"output", "else NAME.oID in the folder", "-o ", .choice = ANYTHING},
	[FORM_ERRORS] = {"errors", "else NAME.eID in the folder", "-e ", .choice = ANYTHING},
	[FORM_FOLDER] = {"folder", "else where the console was started", "-d ", .choice = ANYTHING},
};

void submit_form_free(struct submit_form *f)
{
	for (size_t i = 0; i < FORM_FIELDS; i++)
		str_free(&f->value[i]);
}

/* In quotes where a line would take it apart. */
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

/* "nodes=2:ppn=4,walltime=1:00:00": ppn belongs to nodes. */
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

void submit_form_line(const struct submit_form *f, struct str *out)
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
