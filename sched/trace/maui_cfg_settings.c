/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_settings.c - settings collected from a maui.cfg, and their output
 */
#include "maui_cfg_settings.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/option_token.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"

struct import_section *import_section(struct import_settings *all, const char *scope, const char *title,
				      int line)
{
	struct import_section *s;

	/* Search backwards: consecutive attributes usually belong to the same section. */
	for (size_t i = all->count; i-- > 0;) {
		s = &all->section[i];
		if (strcmp(s->scope, scope) == 0 && str_same_word(s->title, title))
			return s;
	}
	all->section = vec_room(all->section, &all->room, all->count + 1, sizeof *all->section);
	s = &all->section[all->count++];
	*s = (struct import_section){.scope = scope, .title = mem_string(title), .line = line};
	return s;
}

struct import_setting *import_find(const struct import_section *section, const struct option *row,
				   const char *second)
{
	for (size_t i = 0; i < section->count; i++)
		if (section->item[i].row == row && str_same_word(section->item[i].second, second))
			return &section->item[i];
	return NULL;
}

void import_put(struct import_section *section, const struct option *row, const char *second,
		const char *value, int line)
{
	struct import_setting *item = import_find(section, row, second);

	if (!item) {
		section->item =
			vec_room(section->item, &section->room, section->count + 1, sizeof *section->item);
		item = &section->item[section->count++];
		*item = (struct import_setting){.row = row, .second = mem_string(second)};
	}
	free(item->value);
	item->value = mem_string(value);
	item->line = line;
}

void import_settings_clear(struct import_settings *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct import_section *s = &all->section[i];

		for (size_t k = 0; k < s->count; k++) {
			free(s->item[k].second);
			free(s->item[k].value);
		}
		free(s->item);
		free(s->title);
	}
	free(all->section);
	*all = (struct import_settings){0};
}

/* --- writing --------------------------------------------------------------------------------- */

bool import_may_be_title(const char *title)
{
	return !strpbrk(title, "\"\\[]") && !strstr(title, "${");
}

static void add_quoted(const char *text, size_t len, struct str *out)
{
	str_add_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			str_add_char(out, '\\');
		str_add_char(out, text[i]);
	}
	str_add_char(out, '"');
}

/* Numbers, switches and choices are written as they are, everything else in quotes. */
static void add_scalar(const struct option *row, const char *value, struct str *out)
{
	bool bare = row->type == OPTION_REAL || row->type == OPTION_COUNT || row->type == OPTION_BOOL ||
		    row->type == OPTION_CHOICE;

	if (bare && option_is_word(value))
		str_add(out, value);
	else
		add_quoted(value, strlen(value), out);
}

static void add_names(const char *names, struct str *out)
{
	for (const char *between = ""; *names; between = ", ") {
		size_t len = strcspn(names, ",");

		str_add(out, between);
		add_quoted(names, len, out);
		names += len + (names[len] == ',');
	}
}

/* Writes all limits of one row, with and without a second credential, as one list. */
static void add_limits(const struct import_section *section, size_t from, struct str *out)
{
	const struct option *row = section->item[from].row;
	const char *between = "";

	for (size_t i = from; i < section->count; i++) {
		const struct import_setting *item = &section->item[i];
		struct str limit = {0};

		if (item->row != row)
			continue;
		str_addf(&limit, "%s%s%s", item->second, *item->second ? "=" : "", item->value);
		str_add(out, between);
		add_quoted(str_text(&limit), limit.len, out);
		str_free(&limit);
		between = ", ";
	}
}

static bool is_first(const struct import_section *section, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (section->item[i].row == section->item[at].row)
			return false;
	return true;
}

static void write_setting(const struct import_section *section, size_t at, struct str *out)
{
	const struct import_setting *item = &section->item[at];

	if (!is_first(section, at))
		return;
	str_addf(out, "%s%s = ", *section->scope ? "\t" : "", item->row->name);
	if (item->row->type == OPTION_LIST)
		str_add_char(out, '{');
	if (item->row->form == FORM_LIMIT)
		add_limits(section, at, out);
	else if (item->row->type == OPTION_LIST)
		add_names(item->value, out);
	else
		add_scalar(item->row, item->value, out);
	str_add(out, item->row->type == OPTION_LIST ? "}\n" : "\n");
}

static void write_section(const struct import_section *section, struct str *out)
{
	str_addf(out, "\n%s", option_section_name(section->scope));
	if (*section->scope != '!')
		str_add_char(out, ' ');
	if (*section->scope != '!' && option_is_word(section->title))
		str_add(out, section->title);
	else if (*section->scope != '!')
		add_quoted(section->title, strlen(section->title), out);
	str_add(out, " {\n");
	for (size_t i = 0; i < section->count; i++)
		write_setting(section, i, out);
	str_add(out, "}\n");
}

/* Writes the settings outside sections; Maui's defaults come last, after a comment. */
static void write_outside(const struct import_section *section, struct str *out)
{
	bool said = false;

	for (size_t i = 0; i < section->count; i++)
		if (section->item[i].line > 0)
			write_setting(section, i, out);
	for (size_t i = 0; i < section->count; i++) {
		if (section->item[i].line > 0)
			continue;
		if (!said)
			str_add(out, "\n# Defaults of Maui that differ from those of Kahu.\n");
		said = true;
		write_setting(section, i, out);
	}
}

void import_write(const struct import_settings *all, struct str *out)
{
	str_add(out, "# kahu.conf - the policy of a maui.cfg, imported by 'kahu import'\n#\n# The command "
		     "has listed the lines that it could not import. See kahu-maui(7).\n\n");
	for (size_t i = 0; i < all->count; i++)
		if (*all->section[i].scope == '\0')
			write_outside(&all->section[i], out);
	for (size_t i = 0; i < all->count; i++)
		if (*all->section[i].scope != '\0')
			write_section(&all->section[i], out);
}
