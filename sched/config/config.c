/* SPDX-License-Identifier: MIT */
/*
 * config.c - parsing of configurations, and names of configuration values
 *
 * Values come from option_parse. Parsing is all or nothing, because values are collected first and passed on
 * at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/*
 * config_print_name and config_resolve are inverses: a printed name resolves to the same value. Where the
 * grammar allows two names for the same value, the printed name is always the same one.
 */

#define WORD_TEXT 64 /* size of a section kind or option name; longer ones are unknown */

/* --- sections ---------------------------------------------------------------------------- */

unsigned config_level(const char *title)
{
	bool is_digit = title[0] >= '0' && title[0] < '0' + RESERVATION_LEVELS && title[1] == '\0';

	return is_digit ? (unsigned)(title[0] - '0') : RESERVATION_LEVELS;
}

bool config_check_section(const char *scope, const char **title, struct err *err)
{
	if (*scope == '\0' || *scope == '!')
		return true;
	if (**title == '\0')
		return err_set(err, "a %s needs a name", scope);
	if (strlen(*title) >= CONFIG_TITLE)
		return err_set(err, "the name of %s %.20s... is longer than %d bytes", scope, *title,
			       CONFIG_TITLE - 1);
	if (str_same_word(scope, "partition") && str_same_word(*title, "ALL"))
		return err_set(err, "partition ALL is the whole system: write its options outside sections");
	if (str_same_word(scope, "reservationlevel") && config_level(*title) == RESERVATION_LEVELS)
		return err_set(err, "a reservation level is a number from 0 to %d, got %s",
			       RESERVATION_LEVELS - 1, *title);
	if (str_same_word(*title, CRED_DEFAULT))
		*title = CRED_DEFAULT;
	return true;
}

const struct option *config_one_row(const struct option *row, const char **title)
{
	if (!row || row->form != FORM_LEVEL_DEPTH || config_level(*title) != 0)
		return row;
	*title = "";
	return option_find(config_rows, config_row_count, "", row->name);
}

/* --- parsing a name ----------------------------------------------------------------- */

/* The parts of a name SCOPE[TITLE].OPTION[INSIDE]. title and inside point into the name; NULL = absent. */
struct name_parts {
	char scope[WORD_TEXT];
	const char *title;
	size_t title_len;
	char option[WORD_TEXT];
	const char *inside;
	size_t inside_len;
};

static bool copy_word(char out[static WORD_TEXT], const char *from, size_t len)
{
	if (len >= WORD_TEXT)
		return false;
	memcpy(out, from, len);
	out[len] = '\0';
	return true;
}

/* Is there a kind of section with this name? If `untitled` is set, only kinds without a title count. */
static bool is_section(const char *kind, bool untitled)
{
	for (size_t i = 0; i < config_row_count; i++) {
		const char *scope = config_rows[i].scope;

		if (*scope && (*scope == '!' || !untitled) && str_same_word(option_section_name(scope), kind))
			return true;
	}
	return false;
}

/* Parses the section, if any, at the beginning of *rest and moves *rest to the option behind it. */
static bool split_section(const char **rest, struct name_parts *out)
{
	const char *name = *rest, *open = strchr(name, '['), *dot = strchr(name, '.'), *close = NULL;

	for (const char *at = open; at && (at = strstr(at, "].")) != NULL; at++)
		close = at;
	if (close) {
		out->title = open + 1;
		out->title_len = (size_t)(close - out->title);
		*rest = close + 2;
		return open > name && copy_word(out->scope, name, (size_t)(open - name));
	}
	if (dot && copy_word(out->scope, name, (size_t)(dot - name)) && is_section(out->scope, true))
		*rest = dot + 1;
	else
		out->scope[0] = '\0';
	return true;
}

static bool split_name(const char *name, struct name_parts *out)
{
	const char *rest = name, *open;
	size_t len;

	*out = (struct name_parts){.title = NULL};
	if (!split_section(&rest, out))
		return false;
	open = strchr(rest, '[');
	len = strlen(rest);
	if (!open)
		return copy_word(out->option, rest, len);
	out->inside = open + 1;
	out->inside_len = (size_t)(rest + len - out->inside);
	if (out->inside_len < 2 || rest[len - 1] != ']')
		return false;
	out->inside_len--;
	return copy_word(out->option, rest, (size_t)(open - rest));
}

/* NAME[n] is short for reservationlevel[n].NAME. */
static void expand_level(struct name_parts *parts)
{
	static const char level[] = "reservationlevel";

	if (parts->scope[0] || !parts->inside ||
	    !option_find(config_rows, config_row_count, level, parts->option))
		return;
	memcpy(parts->scope, level, sizeof level);
	parts->title = parts->inside;
	parts->title_len = parts->inside_len;
	parts->inside = NULL;
}

/* --- error messages ---------------------------------------------------------------------------- */

/* Returns the first scope that has an option with this name ("" is the top level); NULL if there is none. */
static const char *section_with(const char *option)
{
	for (size_t i = 0; i < config_row_count; i++)
		if (str_same_word(config_rows[i].name, option))
			return config_rows[i].scope;
	return NULL;
}

/*
 * Sets err to "WHAT NAME", followed by a suggestion of the most similar name if `near` is not NULL. what:
 * such as "there is no option". Returns false.
 */
static bool refuse_unknown(const char *what, const char *name, const char *near, struct err *err)
{
	return near ? err_set(err, "%s %s; did you mean %s?", what, name, near)
		    : err_set(err, "%s %s", what, name);
}

static bool refuse_name(const char *name, const struct name_parts *parts, struct err *err)
{
	const char *elsewhere = section_with(parts->option);

	if (parts->scope[0] && !is_section(parts->scope, false))
		return refuse_unknown("there are no sections called", parts->scope,
				      option_nearest(config_rows, config_row_count, "", parts->scope), err);
	if (!elsewhere)
		return refuse_unknown(
			"there is no option", name,
			option_nearest(config_rows, config_row_count, parts->scope, parts->option), err);
	if (*elsewhere == '\0')
		return err_set(err, "there is no option %s: %s applies to the whole system", name,
			       parts->option);
	return err_set(err, "there is no option %s outside sections; use %s[NAME].%s", name,
		       option_section_name(elsewhere), parts->option);
}

/*
 * Returns false with err set if the name has brackets where the row allows none, or lacks required brackets.
 */
static bool refuse_brackets(const char *name, const struct option *row, const struct name_parts *parts,
			    struct err *err)
{
	bool titled = *row->scope != '\0' && *row->scope != '!';

	if (titled != (parts->title != NULL))
		return err_set(err,
			       titled ? "%s needs the name of a %s in brackets"
				      : "%s: section %s takes no name",
			       name, option_section_name(row->scope));
	if (parts->inside && row->form != FORM_LIMIT)
		return err_set(err, "%s is not a limit and takes no second credential in brackets", name);
	return true;
}

/* --- resolving --------------------------------------------------------------------------- */

static bool copy_title(const struct name_parts *parts, char *title, size_t room, struct err *err)
{
	const char *checked = title;

	if (parts->title_len >= room)
		return err_set(err, "the name of %s %.20s... is longer than %zu bytes", parts->scope,
			       parts->title, room - 1);
	if (parts->title_len > 0)
		memcpy(title, parts->title, parts->title_len);
	title[parts->title_len] = '\0';
	if (!parts->title)
		return true;
	if (!config_check_section(parts->scope, &checked, err))
		return false;
	memmove(title, checked, strlen(checked) + 1);
	return true;
}

static bool read_value(const char *text, struct config_value *out, struct err *err)
{
	struct config_limit limit;

	if (!option_read(out->row, text, &out->value, err))
		return false;
	return !out->second || config_limit_read(out->row, out->second, out->second_len, text, &limit, err);
}

bool config_resolve_name(const char *name, struct config_value *out, char *title_out, size_t room,
			 struct err *err)
{
	struct name_parts parts;
	const struct option *row;
	bool good = split_name(name, &parts);

	expand_level(&parts);
	if (!good || (parts.inside && !parts.scope[0]))
		return err_set(err,
			       "%s is not the name of an option: write NAME, or SECTION[TITLE].NAME as in %s",
			       name, "user[john].priority");
	row = option_find(config_rows, config_row_count, parts.scope, parts.option);
	if (!row)
		return refuse_name(name, &parts, err);
	if (!refuse_brackets(name, row, &parts, err) || !copy_title(&parts, title_out, room, err))
		return false;
	*out = (struct config_value){
		.row = row, .title = title_out, .second = parts.inside, .second_len = parts.inside_len};
	out->row = config_one_row(row, &out->title);
	return true;
}

bool config_resolve(const char *name, const char *value, struct config_value *out, char *title_out,
		    size_t room, struct err *err)
{
	return config_resolve_name(name, out, title_out, room, err) && read_value(value, out, err);
}

/* --- printing names ------------------------------------------------------------------------------ */

static void print_second(const struct config_limit *limit, struct str *out)
{
	str_addf(out, "[%s", cred_type_name(limit->second_type));
	if (limit->second_len > 0)
		str_addf(out, ":%.*s", (int)limit->second_len, limit->second);
	str_add_char(out, ']');
}

void config_print_name(const struct config_value *value, struct str *out)
{
	const struct option *row = value->row;
	struct config_limit limit;

	if (row->form == FORM_LEVEL_DEPTH || row->form == FORM_LEVEL_QOS) {
		str_addf(out, "%s[%s]", row->name, value->title);
		return;
	}
	if (*row->scope == '!')
		str_addf(out, "%s.", option_section_name(row->scope));
	else if (*row->scope)
		str_addf(out, "%s[%s].", row->scope, value->title);
	str_add(out, row->name);
	if (row->form == FORM_LIMIT &&
	    config_limit_read(row, value->second, value->second_len, value->value.text, &limit, NULL) &&
	    limit.second_type != CRED_TYPE_COUNT)
		print_second(&limit, out);
}

const char *config_value_text(const struct config_value *value)
{
	const char *equals = value->row->form == FORM_LIMIT ? strrchr(value->value.text, '=') : NULL;

	return equals ? equals + 1 : value->value.text;
}

/* --- live changes -------------------------------------------------------------------------------- */

static bool is_node_field(const struct config_value *value, size_t offset)
{
	return strcmp(value->row->scope, "node") == 0 && value->row->form == FORM_FIELD &&
	       value->row->offset == offset;
}

bool config_is_node_priority(const struct config_value *value)
{
	return is_node_field(value, offsetof(struct config_node, priority));
}

bool config_is_node_drained(const struct config_value *value)
{
	return is_node_field(value, offsetof(struct config_node, drained));
}

bool config_check_live(const struct config_value *value, struct err *err)
{
	if (strcmp(value->row->scope, "node") != 0 || value->row->form == FORM_PRIORITYF ||
	    config_is_node_priority(value) || config_is_node_drained(value))
		return true;
	return err_set(
		err, "%s of a node cannot be changed while the scheduler runs; write it in the configuration",
		value->row->name);
}

/* --- parsing a text ----------------------------------------------------------------------------------- */

static bool list_value(void *self, const struct option *row, const char *title,
		       const struct option_value *value, const struct option_place *place, struct err *err)
{
	struct config_list *list = self;
	const char *scope = row ? row->scope : value->text;
	struct config_kept *kept;
	size_t title_size, text_size = strlen(value->text) + 1;

	if (!config_check_section(scope, &title, err))
		return false;
	row = config_one_row(row, &title);
	title_size = strlen(title) + 1;
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	kept = &list->item[list->count++];
	kept->words = mem_alloc(title_size + text_size);
	memcpy(kept->words, title, title_size);
	memcpy(kept->words + title_size, value->text, text_size);
	kept->value =
		(struct config_value){.row = row, .title = kept->words, .value = *value, .place = *place};
	kept->value.value.text = kept->words + title_size;
	return true;
}

bool config_list_read(const char *file, const char *text, size_t len, struct config_list *out,
		      struct err *err)
{
	if (option_parse(config_rows, config_row_count, file, text, len, list_value, out, err))
		return true;
	config_list_free(out);
	return false;
}

void config_list_free(struct config_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->item[i].words);
	free(list->item);
	*list = (struct config_list){0};
}

bool config_read(const char *file, const char *text, size_t len, config_target *target, void *self,
		 struct err *err)
{
	struct config_list list = {0};
	bool good = config_list_read(file, text, len, &list, err);

	for (size_t i = 0; good && i < list.count; i++)
		good = target(self, &list.item[i].value, err);
	config_list_free(&list);
	return good;
}

/* --- changing one value of a list -------------------------------------------------------------------- */

/*
 * A value replaces the values with the same name: a limit replaces the limit with the same second credential,
 * a list of names replaces the whole list. The values of a section stay adjacent.
 */

static bool same_section(const struct config_value *a, const struct config_value *b)
{
	return a->row != NULL && strcmp(a->row->scope, b->row->scope) == 0 && strcmp(a->title, b->title) == 0;
}

/*
 * Do two values of the same row and section have the same name? Limits can differ in the second credential.
 */
static bool same_name(const struct config_value *a, const struct config_value *b)
{
	struct str x = {0}, y = {0};
	bool same;

	if (a->row->form != FORM_LIMIT)
		return true;
	config_print_name(a, &x);
	config_print_name(b, &y);
	same = str_same_word(str_text(&x), str_text(&y));
	str_free(&x);
	str_free(&y);
	return same;
}

static void keep(struct config_kept *kept, const struct config_value *value)
{
	size_t title = strlen(value->title) + 1, text = strlen(value->value.text) + 1;

	kept->words = mem_alloc(title + text + value->second_len);
	memcpy(kept->words, value->title, title);
	memcpy(kept->words + title, value->value.text, text);
	if (value->second != NULL)
		memcpy(kept->words + title + text, value->second, value->second_len);
	kept->value = *value;
	kept->value.title = kept->words;
	kept->value.value.text = kept->words + title;
	kept->value.second = value->second != NULL ? kept->words + title + text : NULL;
}

/*
 * Removes the values with the same name. Returns the index at which to insert the new value: that of the
 * first removed value, otherwise the end of its section, otherwise the end of the list.
 */
static size_t make_way(struct config_list *list, const struct config_value *value)
{
	size_t kept = 0, place = SIZE_MAX, behind = SIZE_MAX;

	for (size_t i = 0; i < list->count; i++) {
		const struct config_value *old = &list->item[i].value;

		if (same_section(old, value) && old->row == value->row && same_name(old, value)) {
			place = place == SIZE_MAX ? kept : place;
			free(list->item[i].words);
			continue;
		}
		if (same_section(old, value))
			behind = kept + 1;
		list->item[kept++] = list->item[i];
	}
	list->count = kept;
	return place != SIZE_MAX ? place : behind != SIZE_MAX ? behind : kept;
}

void config_list_set(struct config_list *list, const struct config_value *value)
{
	struct config_kept made;
	size_t at;

	keep(&made, value);
	at = make_way(list, value);
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	memmove(&list->item[at + 1], &list->item[at], (list->count - at) * sizeof *list->item);
	list->item[at] = made;
	list->count++;
}
