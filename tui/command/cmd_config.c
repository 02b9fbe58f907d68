/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c - kahu config and tune: the options in force and their origin, and live changes
 *
 * With a store, the options and live changes of its state are used. Without one, config reads the
 * configuration file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"
#include "sched/host/files.h"
#include "sched/state/event.h"
#include "tui/report/field.h"
#include "tui/report/report.h"
#include "tui/report/settings.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* --- config ------------------------------------------------------------------------------------------- */

static bool add_named_file(struct settings *all, const char *file, struct err *err)
{
	struct str text = {0};
	bool ok = file_read(file, OPTION_TEXT_MAX, &text, err);

	if (ok && strlen(str_text(&text)) != text.len)
		ok = err_set(err, "%s: contains a NUL byte; not a configuration file", file_name(file));
	ok = ok && settings_add_text(all, file_name(file), str_text(&text), err);
	str_free(&text);
	return ok;
}

/* Collects the options of the state; without a state, or with --config, those of the configuration file. */
static bool collect(struct settings *all, struct cmd_env *env)
{
	const char *named = env->shell ? env->shell->config : NULL;
	const struct snapshot *s = named ? NULL : env->s;
	char file[4096];

	if (s)
		return settings_of(all, s, &env->err);
	settings_add_defaults(all);
	if (!session_config_file(named, file, sizeof file, &env->err))
		return false;
	return file[0] == '\0' || add_named_file(all, file, &env->err);
}

static bool contains_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text++) {
		char part[128];

		snprintf(part, sizeof part, "%.*s", (int)(len < sizeof part ? len : sizeof part - 1), text);
		if (str_same_word(part, word))
			return true;
	}
	return false;
}

static bool get_default(const void *item, struct value *out)
{
	out->text = ((const struct setting_row *)item)->row->fallback;
	return true;
}

static bool get_unit(const void *item, struct value *out)
{
	out->text = ((const struct setting_row *)item)->row->unit;
	return true;
}

static bool get_legal(const void *item, struct value *out)
{
	option_print_legal(((const struct setting_row *)item)->row, &out->made);
	out->text = str_text(&out->made);
	return true;
}

static bool get_help(const void *item, struct value *out)
{
	out->text = ((const struct setting_row *)item)->row->help;
	return true;
}

static enum role or_dash(const char *text, struct str *out)
{
	str_add(out, text != NULL && text[0] != '\0' ? text : "-");
	return ROLE_TEXT;
}

static enum role value_cell(const void *item, struct str *out)
{
	return or_dash(((const struct setting_row *)item)->value, out);
}

static enum role default_cell(const void *item, struct str *out)
{
	return or_dash(((const struct setting_row *)item)->row->fallback, out);
}

static enum role unit_cell(const void *item, struct str *out)
{
	return or_dash(((const struct setting_row *)item)->row->unit, out);
}

static const struct field setting_fields[] = {
	{"name", "NAME", FIELD_TEXT, FIELD_AT(struct setting_row, name)},
	{"value", "VALUE", FIELD_TEXT, FIELD_AT(struct setting_row, value), .cell = value_cell},
	{"default", "DEFAULT", FIELD_TEXT, .get = get_default, .cell = default_cell},
	{"unit", "UNIT", FIELD_TEXT, .get = get_unit, .cell = unit_cell},
	{"origin", "ORIGIN", FIELD_TEXT, FIELD_AT(struct setting_row, origin)},
	{"legal", "TAKES", FIELD_TEXT, .get = get_legal},
	{"help", "MEANING", FIELD_TEXT, .get = get_help},
	{0}};

/* The settings whose names contain `word`; all settings if `word` is NULL. */
struct choice {
	const struct settings *all;
	const char *word;
};

static void each_setting(const void *item, field_visit *visit, void *self)
{
	const struct choice *choice = item;

	for (size_t i = 0; i < choice->all->count; i++)
		if (choice->word == NULL || contains_word(choice->all->item[i].name, choice->word))
			visit(self, &choice->all->item[i]);
}

static const struct field choice_fields[] = {
	{"options", NULL, FIELD_LIST, .of = setting_fields, .each = each_setting}, {0}};

static void print_all(const struct choice *choice, bool ascii, struct str *out)
{
	static const struct field_column columns[] = {{.key = "name"}, {.key = "value"},  {.key = "default"},
						      {.key = "unit"}, {.key = "origin"}, {.key = "help"}};
	struct field_table t;

	field_table_begin(&t, setting_fields, columns, sizeof columns / sizeof columns[0]);
	each_setting(choice, field_table_visit, &t);
	field_table_print(&t, 0, ascii, out);
	field_table_free(&t);
}

/* Prints the value of a setting with its unit, and a line for each of its other fields. */
static void print_one(const struct setting_row *item, bool ascii, struct str *out)
{
	static const struct {
		const char *label;
		struct field_column column;
	} row[] = {{"from", {.key = "origin"}},
		   {"default", {.key = "default"}},
		   {"takes", {.key = "legal"}},
		   {"meaning", {.key = "help"}}};
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	struct str value = {0};

	value_cell(item, &value);
	report_cell(&r, item->name);
	report_cellf(&r, "%s%s%s", str_text(&value), item->row->unit[0] ? " " : "", item->row->unit);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		report_cell(&r, row[i].label);
		field_cells(&r, setting_fields, &row[i].column, 1, item);
	}
	report_print(&r, 0, ascii, out);
	report_free(&r);
	str_free(&value);
}

/*
 * Returns the setting with exactly this name; NULL if there is none. Sets *like to the number of names that
 * contain the word.
 */
static const struct setting_row *find_exact(const struct settings *all, const char *word, size_t *like)
{
	const struct setting_row *exact = NULL;

	*like = 0;
	for (size_t i = 0; i < all->count; i++) {
		if (str_same_word(all->item[i].name, word))
			exact = &all->item[i];
		*like += contains_word(all->item[i].name, word);
	}
	return exact;
}

static enum cmd_status print_settings(struct cmd_env *env, const struct settings *all, const char *word)
{
	size_t like = 0;
	const struct setting_row *exact = word ? find_exact(all, word, &like) : NULL;

	if (word && like == 0) {
		const char *near = option_nearest(config_rows, config_row_count, "", word);

		err_set(&env->err, "no option that is set matches '%s'%s%s", word,
			near ? "; the nearest is " : "; 'kahu config' lists all options", near ? near : "");
		return CMD_REFUSED;
	}
	if (env->json)
		fields_document(env->out, choice_fields, 0, &(struct choice){all, word});
	else if (exact)
		print_one(exact, env->ascii, env->out);
	else
		print_all(&(struct choice){all, word}, env->ascii, env->out);
	return CMD_DONE;
}

static enum cmd_status run_config(struct cmd_env *env, int argc, char **argv)
{
	struct settings all = {0};
	enum cmd_status status = CMD_REFUSED;

	if (collect(&all, env))
		status = print_settings(env, &all, argc > 1 ? argv[1] : NULL);
	settings_free(&all);
	return status;
}

const struct cmd cmd_config = {
	.name = "config",
	.alias = "showconfig",
	.args = "[NAME]",
	.help = "List options with their value, default, unit and where they were set, or only those whose "
		"name contains NAME.",
	.max = 1,
	.flags = CMD_ANY_STATE | CMD_PAST,
	.run = run_config,
	.complete = complete_options,
};

/* --- tune --------------------------------------------------------------------------------------------- */

/*
 * Reads --for. Without it the change is permanent, and *out_s is not set. Returns false with env->err set on
 * failure.
 */
static bool read_for(struct cmd_env *env, int64_t *out_s)
{
	const char *text = cmd_option(env, "--for");

	if (text == NULL)
		return true;
	if (!duration_parse(text, out_s, &env->err))
		return err_prefix(&env->err, "--for");
	return *out_s > 0 || err_set(&env->err, "--for: the duration is 0; give one such as 30m");
}

static enum cmd_status run_tune(struct cmd_env *env, int argc, char **argv)
{
	char *sign = argc == 2 ? strchr(argv[1], '=') : NULL;
	const char *text = argc == 3 ? argv[2] : sign ? sign + 1 : NULL;
	struct config_value value;
	struct str name = {0};
	struct event *ev;
	char title[CONFIG_TITLE];
	int64_t for_s = 0;

	if (!read_for(env, &for_s))
		return CMD_USAGE;
	if (!text) {
		err_set(&env->err, "tune %s: no value given; usage: tune NAME VALUE", argv[1]);
		return CMD_USAGE;
	}
	if (sign)
		*sign = '\0';
	if (!config_resolve(argv[1], text, &value, title, sizeof title, &env->err) ||
	    !config_check_live(&value, &env->err))
		return CMD_REFUSED;
	/* The journal records the canonical name of the option. */
	config_print_name(&value, &name);
	ev = cmd_add_event(env, EVENT_SETTING, 0);
	ev->setting.name = cmd_own(env, str_text(&name));
	ev->setting.value = cmd_own(env, config_value_text(&value));
	ev->until_s = for_s > 0 ? env->now_s + for_s : 0;
	str_free(&name);
	return CMD_DONE;
}

const struct cmd cmd_tune = {
	.name = "tune",
	.alias = "changeparam",
	.args = "NAME VALUE",
	.help = "Set an option at once. The change is recorded in the journal and can be undone.",
	.options =
		(const struct cmd_option[]){
			{"--for", "DURATION", "undo the change after this time, unless it is made permanent"},
			{0}},
	.min = 1,
	.max = 2,
	.authority = CMD_ADMIN1,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_tune,
	.complete = complete_options,
};
