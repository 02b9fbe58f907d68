/* SPDX-License-Identifier: MIT */
/*
 * settings.c - what is set, to what, and where does that come from?
 */
#include "settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"

void settings_free(struct settings *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->item[i].name);
		free(all->item[i].value);
		free(all->item[i].said);
		free(all->item[i].origin);
	}
	free(all->item);
	*all = (struct settings){0};
}

size_t settings_find(const struct settings *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (str_same_word(all->item[i].name, name))
			return i;
	return all->count;
}

static struct setting_row *find_or_add(struct settings *all, const struct config_value *value)
{
	struct str name = {0};
	struct setting_row *item;
	size_t at;

	config_print_name(value, &name);
	at = settings_find(all, str_text(&name));
	if (at < all->count) {
		str_free(&name);
		return &all->item[at];
	}
	all->item = vec_room(all->item, &all->room, all->count + 1, sizeof *all->item);
	item = &all->item[all->count++];
	*item = (struct setting_row){.row = value->row, .name = name.data};
	return item;
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = by != NULL ? mem_string(by) : NULL;
}

/* Takes the place of what was there. A limit has a name of its own, the elements of other lists have one. */
static struct setting_row *put(struct settings *all, const struct config_value *value, const char *origin)
{
	struct setting_row *item = find_or_add(all, value);

	replace(&item->value, value->value.text != NULL ? config_value_text(value) : NULL);
	replace(&item->origin, origin);
	return item;
}

/* One more element of a list that is there. */
static void add_element(struct settings *all, const struct config_value *value)
{
	struct setting_row *item = find_or_add(all, value);
	struct str joined = {0};

	str_addf(&joined, "%s, %s", item->value, value->value.text);
	replace(&item->value, str_text(&joined));
	replace(&item->said, str_text(&joined));
	str_free(&joined);
}

/* --- the layers --------------------------------------------------------------------------- */

void settings_add_defaults(struct settings *all)
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

static void add_value(struct settings *all, const char *file, const struct config_value *value)
{
	char origin[512];
	struct setting_row *item;

	snprintf(origin, sizeof origin, "%s:%d", file, value->place.line);
	item = put(all, value, origin);
	replace(&item->said, item->value);
	item->line = value->place.line;
}

bool settings_add_text(struct settings *all, const char *file, const char *text, struct err *err)
{
	const struct config_value *before = NULL;
	struct config_list list = {0};

	if (!config_list_read(file, text, strlen(text), &list, err))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		const struct config_value *value = &list.item[i].value;

		if (!value->row)
			continue;
		if (goes_on(value, before))
			add_element(all, value);
		else
			add_value(all, file, value);
		before = value;
	}
	config_list_free(&list);
	return true;
}

/* Where names are hidden the text of the configuration is, and of its values those that name nobody are left.
 */
static void add_shown(struct settings *all, const char *file, const struct snapshot *s)
{
	const struct config_entry *entry = snapshot_values(s);
	struct config_value before = {.row = NULL};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_value value = {.row = &config_rows[entry[i].row],
						   .title = snapshot_string(s, entry[i].title),
						   .value.text = snapshot_string(s, entry[i].text),
						   .place.line = (int)entry[i].line};

		if (strcmp(value.title, SNAPSHOT_HIDDEN) == 0 ||
		    strcmp(value.value.text, SNAPSHOT_HIDDEN) == 0)
			continue;
		if (goes_on(&value, before.row != NULL ? &before : NULL))
			add_element(all, &value);
		else
			add_value(all, file, &value);
		before = value;
	}
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
		put(all, &resolved, origin)->seq = changes[i].seq;
	}
}

bool settings_of(struct settings *all, const struct snapshot *s, struct err *err)
{
	const char *file = s->config_file ? snapshot_string(s, s->config_file) : "built in";

	settings_add_defaults(all);
	if (s->masked)
		add_shown(all, file, s);
	else if (s->config_text != 0 &&
		 !settings_add_text(all, file, snapshot_string(s, s->config_text), err))
		return false;
	add_changes(all, s);
	return true;
}

bool setting_is_changed(const struct setting_row *item)
{
	const char *usual = item->row->fallback != NULL ? item->row->fallback : "";
	struct option_value now, then;

	if (item->value == NULL)
		return false;
	if (item->row->type == OPTION_TEXT || item->row->type == OPTION_LIST || usual[0] == '\0' ||
	    !option_read(item->row, item->value, &now, NULL) || !option_read(item->row, usual, &then, NULL))
		return !str_same_word(item->value, usual);
	return now.number < then.number || now.number > then.number;
}
