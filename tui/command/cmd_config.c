/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c - what is set, to what, and where does that come from?
 *
 * With a store configuration and live changes are the state's; without one the file is read now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/json.h"
#include "sched/config/config.h"
#include "sched/host/files.h"
#include "tui/report/report.h"
#include "tui/report/settings.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

static bool add_named_file(struct settings *all, const char *file, struct err *err)
{
	struct str text = {0};
	bool ok = file_read(file, OPTION_TEXT_MAX, &text, err);

	if (ok && strlen(str_text(&text)) != text.len)
		ok = err_set(err, "%s: has a NUL byte in it; it is no configuration", file_name(file));
	ok = ok && settings_add_text(all, file_name(file), str_text(&text), err);
	str_free(&text);
	return ok;
}

/* The configuration in force: of the state, or of the file that would be read. */
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

/* --- which of them, and how they look -------------------------------------------------------- */

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

static void print_json(const struct settings *all, const char *word, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_open(&j, "options", '[');
	for (size_t i = 0; i < all->count; i++) {
		const struct setting_row *item = &all->item[i];
		struct str legal = {0};

		if (word && !contains_word(item->name, word))
			continue;
		option_print_legal(item->row, &legal);
		json_open(&j, NULL, '{');
		json_text(&j, "name", item->name);
		json_text(&j, "value", item->value);
		json_text(&j, "default", item->row->fallback);
		json_text(&j, "unit", item->row->unit);
		json_text(&j, "origin", item->origin);
		json_text(&j, "legal", str_text(&legal));
		json_text(&j, "help", item->row->help);
		json_close(&j);
		str_free(&legal);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

static const char *or_dash(const char *text)
{
	return text && text[0] ? text : "-";
}

static void print_all(const struct settings *all, const char *word, bool ascii, struct str *out)
{
	static const struct report_column columns[] = {{"NAME", TEXT_LEFT},    {"VALUE", TEXT_LEFT},
						       {"DEFAULT", TEXT_LEFT}, {"UNIT", TEXT_LEFT},
						       {"ORIGIN", TEXT_LEFT},  {"MEANING", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 6};

	for (size_t i = 0; i < all->count; i++) {
		const struct setting_row *item = &all->item[i];

		if (word && !contains_word(item->name, word))
			continue;
		report_cell(&r, item->name);
		report_cell(&r, or_dash(item->value));
		report_cell(&r, or_dash(item->row->fallback));
		report_cell(&r, or_dash(item->row->unit));
		report_cell(&r, item->origin);
		report_cell(&r, item->row->help);
	}
	report_print(&r, 0, ascii, out);
	report_free(&r);
}

static void print_one(const struct setting_row *item, bool ascii, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	struct str legal = {0};

	option_print_legal(item->row, &legal);
	report_cell(&r, item->name);
	report_cellf(&r, "%s%s%s", or_dash(item->value), item->row->unit[0] ? " " : "", item->row->unit);
	report_cell(&r, "from");
	report_cell(&r, item->origin);
	report_cell(&r, "default");
	report_cell(&r, or_dash(item->row->fallback));
	report_cell(&r, "takes");
	report_cell(&r, str_text(&legal));
	report_cell(&r, "meaning");
	report_cell(&r, item->row->help);
	report_print(&r, 0, ascii, out);
	report_free(&r);
	str_free(&legal);
}

/* The setting of exactly this name; in *like how many contain the word. */
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

		err_set(&env->err, "no option that is set has '%s' in its name%s%s", word,
			near ? "; the nearest is " : "; 'kahu config' lists them", near ? near : "");
		return CMD_REFUSED;
	}
	if (env->json)
		print_json(all, word, env->out);
	else if (exact)
		print_one(exact, env->ascii, env->out);
	else
		print_all(all, word, env->ascii, env->out);
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
	.help = "Every option: value, default, unit, where it was set; or those with NAME in their name.",
	.max = 1,
	.flags = CMD_ANY_STATE | CMD_PAST,
	.run = run_config,
	.complete = complete_options,
};
