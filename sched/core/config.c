/* SPDX-License-Identifier: MIT */
/*
 * config.c - what does a configuration text, or one NAME=VALUE, mean?
 *
 * Both ways end in the same struct config_value: the file's values come through
 * option_parse, a name from the command line is taken apart here. Reading is all or
 * nothing because values are listed first and handed over last.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define SCOPE_MAX 32

/* Some names are the same in any case or already taken. */
static bool check_title(const char *scope, const char **title, struct err *err)
{
	if (**title == '\0')
		return err_set(err, "a %s needs a name", scope);
	if (strlen(*title) >= CONFIG_TITLE)
		return err_set(err, "the name of %s %.20s... is longer than %d bytes", scope, *title,
			       CONFIG_TITLE - 1);
	if (str_same_word(scope, "partition") && str_same_word(*title, "ALL"))
		return err_set(err, "partition ALL is the whole system: write its options outside sections");
	if (str_same_word(*title, CRED_DEFAULT))
		*title = CRED_DEFAULT;
	return true;
}

/* --- a whole text ------------------------------------------------------------------- */

static bool list_value(void *self, const struct option *row, const char *title,
		       const struct option_value *value, const struct option_place *place, struct err *err)
{
	struct config_list *list = self;
	const char *scope = row ? row->scope : value->text;
	struct config_kept *kept;
	size_t title_size, text_size = strlen(value->text) + 1;

	if (*scope != '\0' && !check_title(scope, &title, err))
		return false;
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

/* --- one name ----------------------------------------------------------------------- */

/* A name taken apart: scope[title].option, or option alone with scope and title "". */
struct name_parts {
	char scope[SCOPE_MAX];
	const char *title;
	size_t title_len;
	const char *option;
};

static bool split_name(const char *name, struct name_parts *out, struct err *err)
{
	const char *open = strchr(name, '['), *close = NULL;

	*out = (struct name_parts){.title = "", .option = name};
	if (str_same_word(name, "reservationdepth[0]")) {
		out->option = "reservationdepth";
		return true;
	}
	if (!open)
		return true;
	for (const char *at = open; (at = strstr(at, "].")) != NULL; at++)
		close = at;
	if (!close || open == name || (size_t)(open - name) >= SCOPE_MAX)
		return err_set(err,
			       "%s is not the name of an option: write NAME, or SECTION[TITLE].NAME as in %s",
			       name, "user[john].priority");
	memcpy(out->scope, name, (size_t)(open - name));
	out->title = open + 1;
	out->title_len = (size_t)(close - out->title);
	out->option = close + 2;
	return true;
}

/* The scope of an option that stands only in sections; NULL if there is none. */
static const char *section_with(const char *option)
{
	for (size_t i = 0; i < config_row_count; i++)
		if (str_same_word(config_rows[i].name, option))
			return config_rows[i].scope;
	return NULL;
}

static bool is_section(const char *scope)
{
	for (size_t i = 0; i < config_row_count; i++)
		if (str_same_word(config_rows[i].scope, scope))
			return true;
	return false;
}

/* what: a sentence of what does not exist; near: what was probably meant, or NULL. */
static bool refuse_unknown(const char *what, const char *name, const char *near, struct err *err)
{
	return near ? err_set(err, "%s %s; did you mean %s?", what, name, near)
		    : err_set(err, "%s %s", what, name);
}

static bool refuse_name(const char *name, const struct name_parts *parts, struct err *err)
{
	const char *scope = is_section(parts->scope) ? parts->scope : NULL;
	const char *elsewhere = section_with(parts->option);

	if (!scope)
		return refuse_unknown("there are no sections called", parts->scope,
				      option_nearest(config_rows, config_row_count, "", parts->scope), err);
	if (!elsewhere)
		return refuse_unknown("there is no option", name,
				      option_nearest(config_rows, config_row_count, scope, parts->option),
				      err);
	if (*elsewhere == '\0')
		return err_set(err, "there is no option %s: %s holds for the whole system", name,
			       parts->option);
	return err_set(err, "there is no option %s; it stands in a section, as %s[NAME].%s", name, elsewhere,
		       parts->option);
}

static bool copy_title(const struct name_parts *parts, char *title, size_t room, struct err *err)
{
	const char *checked = title;

	if (parts->title_len >= room)
		return err_set(err, "the name of %s %.20s... is longer than %zu bytes", parts->scope,
			       parts->title, room - 1);
	memcpy(title, parts->title, parts->title_len);
	title[parts->title_len] = '\0';
	if (*parts->scope == '\0')
		return true;
	if (!check_title(parts->scope, &checked, err))
		return false;
	memmove(title, checked, strlen(checked) + 1);
	return true;
}

bool config_resolve(const char *name, const char *value, struct config_value *out, char *title_out,
		    size_t room, struct err *err)
{
	struct name_parts parts;
	const struct option *row;

	if (!split_name(name, &parts, err))
		return false;
	row = option_find(config_rows, config_row_count, parts.scope, parts.option);
	if (!row)
		return refuse_name(name, &parts, err);
	*out = (struct config_value){.row = row, .title = title_out};
	return copy_title(&parts, title_out, room, err) && option_read(row, value, &out->value, err);
}

/* --- where values live -------------------------------------------------------------- */

enum owner {
	OWNER_POLICY,
	OWNER_WEIGHTS,
	OWNER_ATTR,
	OWNER_NODE,
	OWNER_COUNT
};

static enum owner owner_of(const struct option *row)
{
	if (*row->scope == '\0')
		return OWNER_POLICY;
	if (strcmp(row->scope, "partition") == 0)
		return OWNER_WEIGHTS;
	return strcmp(row->scope, "node") == 0 ? OWNER_NODE : OWNER_ATTR;
}

void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node)
{
	void *const owner_at[OWNER_COUNT] = {policy, weights, attr, node};
	const struct option *row = value->row;
	char *owner = row ? owner_at[owner_of(row)] : NULL;
	void *place;

	if (!owner)
		return;
	place = owner + row->offset;
	if (row->type == OPTION_REAL)
		*(double *)place = value->value.number;
	else if (row->type == OPTION_BOOL)
		*(bool *)place = value->value.whole != 0;
	else if (row->type == OPTION_CHOICE)
		*(uint8_t *)place = (uint8_t)value->value.whole;
	else if (row->type == OPTION_COUNT && owner_of(row) == OWNER_NODE)
		*(uint32_t *)place = (uint32_t)value->value.whole;
	else
		*(int64_t *)place = value->value.whole;
}

static bool is_unset(const struct option *row, const void *place)
{
	if (row->fallback || owner_of(row) != OWNER_ATTR)
		return false;
	return row->type == OPTION_REAL ? !(*(const double *)place > 0) : *(const int64_t *)place == 0;
}

void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out)
{
	const void *const owner_at[OWNER_COUNT] = {policy, weights, attr, NULL};
	const char *owner = owner_at[owner_of(row)];
	const void *place;
	char buf[DURATION_TEXT];

	if (!owner || is_unset(row, owner + row->offset))
		return;
	place = owner + row->offset;
	if (row->type == OPTION_REAL)
		str_add_real(out, *(const double *)place);
	else if (row->type == OPTION_BOOL)
		str_add(out, *(const bool *)place ? "true" : "false");
	else if (row->type == OPTION_CHOICE)
		str_add(out, row->choices[*(const uint8_t *)place]);
	else if (row->type == OPTION_DURATION)
		str_add(out, duration_text(buf, *(const int64_t *)place));
	else
		str_addf(out, "%" PRId64, *(const int64_t *)place);
}
