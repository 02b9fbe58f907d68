/* SPDX-License-Identifier: MIT */
/*
 * settings.c - options that are set, their values and origins
 */
#include "settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"

/* --- origin of an option ------------------------------------------------------------------------------ */

/*
 * If the snapshot contains a live change of the option, it takes precedence. Otherwise the configuration text
 * is scanned word by word; it does not have to be parsed again, because it has been accepted before, so its
 * brackets are balanced. The last occurrence counts.
 */

/* Returns the last entry that set an option and is still in effect; 0 = none. */
static uint64_t live_entry(const struct snapshot *s, const char *option)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), option))
			return change[i].seq;
	return 0;
}

/* --- words of a configuration ------------------------------------------------------------- */

/* A word, or one of { } = and comma. */
struct word {
	const char *text;
	size_t len;
	int line;
	bool quoted;
};

struct walk {
	const char *at;
	int line;
};

static void skip_line(struct walk *w)
{
	w->at += strcspn(w->at, "\n");
}

static void skip_remark(struct walk *w)
{
	const char *end = strstr(w->at + 2, "*/");

	for (end = end ? end + 2 : w->at + strlen(w->at); w->at < end; w->at++)
		w->line += *w->at == '\n';
}

static void skip_blanks(struct walk *w)
{
	for (;;) {
		if (*w->at == '#' || strncmp(w->at, "//", 2) == 0)
			skip_line(w);
		else if (strncmp(w->at, "/*", 2) == 0)
			skip_remark(w);
		else if (*w->at != '\0' && strchr(" \t\r\n", *w->at))
			w->line += *w->at++ == '\n';
		else
			return;
	}
}

static size_t quoted_length(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0' && text[len] != '"')
		len += text[len] == '\\' && text[len + 1] != '\0' ? 2 : 1;
	return len;
}

static bool next_word(struct walk *w, struct word *out)
{
	skip_blanks(w);
	*out = (struct word){.text = w->at, .line = w->line};
	if (*w->at == '\0')
		return false;
	if (*w->at == '"') {
		out->text++;
		out->quoted = true;
		out->len = quoted_length(out->text);
		w->at = out->text + out->len;
		w->at += *w->at == '"';
		return true;
	}
	out->len = strchr("{}=,", *w->at) ? 1 : strcspn(w->at, "{}=, \t\r\n\"#");
	w->at += out->len;
	return true;
}

static bool is_sign(const struct word *w, char sign)
{
	return !w->quoted && w->len == 1 && w->text[0] == sign;
}

static bool is_same(const struct word *w, const char *text, size_t len)
{
	return w->len == len && strncasecmp(w->text, text, len) == 0;
}

/* --- options ------------------------------------------------------------------------------- */

/* The parts of kind[title].name[...] with their lengths; kind is empty at the top level. */
struct parts {
	const char *kind, *title, *name;
	size_t kind_len, title_len, name_len;
};

static void split(const char *option, struct parts *out)
{
	const char *close = strstr(option, "]."), *dot;

	*out = (struct parts){.kind = "", .title = "", .name = option};
	if (close) {
		out->kind = option;
		out->kind_len = strcspn(option, "[");
		out->title = option + out->kind_len + 1;
		out->title_len = (size_t)(close - out->title);
		out->name = close + 2;
	} else if (strncasecmp(option, "system.", 7) == 0) {
		dot = strchr(option, '.');
		out->kind = option;
		out->kind_len = (size_t)(dot - option);
		out->name = dot + 1;
	}
	out->name_len = strcspn(out->name, "[");
}

/* The section that is being scanned. A { after = begins a list instead of a section. */
struct section {
	struct word kind, title;
	bool is_open;
};

static bool is_in(const struct section *section, const struct parts *parts)
{
	if (parts->kind_len == 0)
		return !section->is_open;
	return section->is_open && is_same(&section->kind, parts->kind, parts->kind_len) &&
	       is_same(&section->title, parts->title, parts->title_len);
}

/* Returns the line of the configuration that sets the option; 0 = none. */
static int config_line(const char *text, const struct parts *parts)
{
	struct walk walk = {.at = text, .line = 1};
	struct word before[2] = {{.text = ""}, {.text = ""}}, word;
	struct section section = {.is_open = false};
	int found = 0;

	while (next_word(&walk, &word)) {
		if (is_sign(&word, '{') && is_sign(&before[1], '=')) {
			while (next_word(&walk, &word) && !is_sign(&word, '}'))
				continue;
		} else if (is_sign(&word, '{')) {
			bool is_titled = before[0].len > 0 && !strchr("{}=,", before[0].text[0]) &&
					 before[0].line == before[1].line;

			section = (struct section){.kind = before[is_titled ? 0 : 1], .is_open = true};
			section.title = is_titled ? before[1] : (struct word){.text = ""};
		} else if (is_sign(&word, '}')) {
			section.is_open = false;
		} else if (is_sign(&word, '=') && is_in(&section, parts) &&
			   is_same(&before[1], parts->name, parts->name_len)) {
			found = before[1].line;
		}
		before[0] = before[1];
		before[1] = word;
	}
	return found;
}

bool origin_find(const struct snapshot *s, const char *option, struct str *out, uint64_t *entry)
{
	struct parts parts;
	int line;

	*entry = live_entry(s, option);
	if (*entry) {
		str_addf(out, "set by entry %" PRIu64, *entry);
		return true;
	}
	split(option, &parts);
	line = config_line(snapshot_string(s, s->config_text), &parts);
	if (line)
		str_addf(out, "%s:%d", snapshot_string(s, s->config_file), line);
	else
		str_add(out, "default");
	return line != 0;
}

/* --- options that are set, their values and origins --------------------------------------------------- */

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

/*
 * Sets the value and the origin of an option, and returns its row. Each limit has its own name; the elements
 * of other lists share the name of the list.
 */
static struct setting_row *put(struct settings *all, const struct config_value *value, const char *origin)
{
	struct setting_row *item = find_or_add(all, value);

	replace(&item->value, value->value.text != NULL ? config_value_text(value) : NULL);
	replace(&item->origin, origin);
	return item;
}

/* Appends an element to an existing list. */
static void add_element(struct settings *all, const struct config_value *value)
{
	struct setting_row *item = find_or_add(all, value);
	struct str joined = {0};

	str_addf(&joined, "%s, %s", item->value, value->value.text);
	replace(&item->value, str_text(&joined));
	replace(&item->said, str_text(&joined));
	str_free(&joined);
}

/* --- layers ------------------------------------------------------------------------------------------- */

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

/*
 * Is the value another element of the list to which the previous value belongs? The elements of a list follow
 * each other in their section.
 */
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

/*
 * Adds the configuration if names are hidden: its text is not available then, and only values without names
 * are shown.
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
