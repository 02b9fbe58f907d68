/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c - what is set, to what, and where does that come from?
 *
 * Three layers, each over the one before: defaults, the configuration as it was read, live
 * changes. With a store the last two are the state's; without one the file is read now.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "report.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/core/config.h"
#include "sched/host/files.h"
#include "tui/line.h"
#include "tui/session.h"

/* One option with what is known about it. */
struct setting {
	const struct option *row;
	char *name;   /* as on the command line: user[john].priority */
	char *value;  /* in force; NULL = not set                    */
	char *origin; /* "default", "kahu.conf:12", "journal 431"    */
};

struct settings {
	struct setting *item;
	size_t count, room;
};

static void settings_free(struct settings *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->item[i].name);
		free(all->item[i].value);
		free(all->item[i].origin);
	}
	free(all->item);
}

static struct setting *find_or_add(struct settings *all, const struct config_value *value)
{
	struct str name = {0};
	struct setting *item;

	config_print_name(value, &name);
	for (size_t i = 0; i < all->count; i++)
		if (str_same_word(all->item[i].name, str_text(&name))) {
			str_free(&name);
			return &all->item[i];
		}
	all->item = vec_room(all->item, &all->room, all->count + 1, sizeof *all->item);
	item = &all->item[all->count++];
	*item = (struct setting){.row = value->row, .name = name.data};
	return item;
}

/* Takes the place of what was there. A limit has a name of its own, the elements of other lists have one. */
static void put(struct settings *all, const struct config_value *value, const char *origin)
{
	struct setting *item = find_or_add(all, value);

	free(item->value);
	free(item->origin);
	item->value = value->value.text ? mem_string(config_value_text(value)) : NULL;
	item->origin = mem_string(origin);
}

/* One more element of a list that is there. */
static void add_element(struct settings *all, const struct config_value *value)
{
	struct setting *item = find_or_add(all, value);
	struct str joined = {0};

	str_addf(&joined, "%s, %s", item->value, value->value.text);
	free(item->value);
	item->value = joined.data;
}

/* --- the layers --------------------------------------------------------------------------- */

static void add_defaults(struct settings *all)
{
	for (size_t i = 0; i < config_row_count; i++)
		if (config_rows[i].scope[0] == '\0')
			put(all,
			    &(struct config_value){.row = &config_rows[i],
						   .title = "",
						   .value.text = config_rows[i].fallback},
			    "default");
}

/* The elements of a list stand together in their section. */
static bool goes_on(const struct config_value *value, const struct config_value *before)
{
	return before && before->row == value->row && strcmp(before->title, value->title) == 0 &&
	       value->row->form != FORM_LIMIT;
}

static bool add_file(struct settings *all, const char *file, const char *text, struct err *err)
{
	const struct config_value *before = NULL;
	struct config_list list = {0};

	if (!config_list_read(file, text, strlen(text), &list, err))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		const struct config_value *value = &list.item[i].value;
		char origin[512];

		if (!value->row)
			continue;
		snprintf(origin, sizeof origin, "%s:%d", file, value->place.line);
		if (goes_on(value, before))
			add_element(all, value);
		else
			put(all, value, origin);
		before = value;
	}
	config_list_free(&list);
	return true;
}

static void add_changes(struct settings *all, const struct snapshot *s)
{
	const struct change *changes = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const char *value = snapshot_string(s, changes[i].value);
		struct config_value resolved;
		char title[CONFIG_TITLE], origin[40];

		if (changes[i].kind != CHANGE_SETTING || changes[i].dead)
			continue;
		if (!config_resolve(snapshot_string(s, changes[i].name), value, &resolved, title,
				    sizeof title, NULL))
			continue;
		snprintf(origin, sizeof origin, "journal %" PRIu64, changes[i].seq);
		put(all, &resolved, origin);
	}
}

static bool add_named_file(struct settings *all, const char *file, struct err *err)
{
	struct str text = {0};
	bool ok = file_read(file, OPTION_TEXT_MAX, &text, err);

	if (ok && strlen(str_text(&text)) != text.len)
		ok = err_set(err, "%s: has a NUL byte in it; it is no configuration", file_name(file));
	ok = ok && add_file(all, file_name(file), str_text(&text), err);
	str_free(&text);
	return ok;
}

/* The configuration in force: of the state, or of the file that would be read. */
static bool collect(struct settings *all, struct cmd_env *env)
{
	const char *named = env->shell ? env->shell->config : NULL;
	const struct snapshot *s = named ? NULL : env->s;
	char file[4096];

	add_defaults(all);
	if (s && s->config_text != 0 &&
	    !add_file(all, s->config_file ? snapshot_string(s, s->config_file) : "built in",
		      snapshot_string(s, s->config_text), &env->err))
		return false;
	if (s) {
		add_changes(all, s);
		return true;
	}
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
		const struct setting *item = &all->item[i];
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
		const struct setting *item = &all->item[i];

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

static void print_one(const struct setting *item, bool ascii, struct str *out)
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
static const struct setting *find_exact(const struct settings *all, const char *word, size_t *like)
{
	const struct setting *exact = NULL;

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
	const struct setting *exact = word ? find_exact(all, word, &like) : NULL;

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
