/* SPDX-License-Identifier: MIT */
/*
 * lint_text.c - functions for lint rules: queries of a text, findings and fixes
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lint_text.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- queries of the text -------------------------------------------------------------- */

void lint_drop_empty(struct config_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->item[i].value.row)
			list->item[kept++] = list->item[i];
		else
			free(list->item[i].words);
	}
	list->count = kept;
}

bool lint_is(const struct config_value *value, const char *scope, const char *name)
{
	return strcmp(value->row->scope, scope) == 0 && strcmp(value->row->name, name) == 0;
}

bool lint_read_limit(const struct config_value *value, struct config_limit *out)
{
	return value->row->form == FORM_LIMIT &&
	       config_limit_read(value->row, value->second, value->second_len, value->value.text, out,
				 NULL) &&
	       out->hard != LIMIT_UNLIMITED;
}

bool lint_is_usual(const struct config_value *value)
{
	const struct option *row = value->row;
	struct option_value usual;

	if (!row->fallback || !option_read(row, row->fallback, &usual, NULL))
		return false;
	return row->type == OPTION_LIST ? str_same_word(usual.text, value->value.text)
					: usual.number == value->value.number;
}

unsigned lint_sections_with(const struct lint *l, const char *scope, const char *name)
{
	unsigned count = 0;

	for (size_t i = 0; i < l->list->count; i++)
		if (lint_is(lint_value(l, i), scope, name))
			count += lint_value(l, i)->value.number != 0;
	return count;
}

const struct config_value *lint_value_in(const struct lint *l, const char *scope, const char *title,
					 const char *name)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (lint_is(lint_value(l, i), scope, name) && strcmp(lint_value(l, i)->title, title) == 0)
			return lint_value(l, i);
	return NULL;
}

const struct config_value *lint_value_of(const struct lint *l, const char *name)
{
	return lint_value_in(l, "", "", name);
}

const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name)
{
	const struct config_value *own = lint_value_in(l, "partition", set->partition, name);

	return own != NULL ? own : lint_value_of(l, name);
}

static bool same_section(const struct lint *l, size_t a, size_t b)
{
	const struct config_value *x = lint_value(l, a), *y = lint_value(l, b);

	return strcmp(x->row->scope, y->row->scope) == 0 && strcmp(x->title, y->title) == 0;
}

struct lint_section lint_section_of(const struct lint *l, size_t i)
{
	struct lint_section section = {i, i + 1};

	while (section.first > 0 && same_section(l, section.first - 1, i))
		section.first--;
	while (section.end < l->list->count && same_section(l, section.end, i))
		section.end++;
	return section;
}

/* --- weights ------------------------------------------------------------------------- */

struct weight_set *lint_set_of(struct lint *l, const struct config_value *value)
{
	const char *partition = strcmp(value->row->scope, "partition") == 0 ? value->title : "";

	for (size_t i = 0; i < l->set_count; i++)
		if (str_same_word(l->set[i].partition, partition))
			return &l->set[i];
	l->set = vec_room(l->set, &l->set_room, l->set_count + 1, sizeof *l->set);
	l->set[l->set_count] = (struct weight_set){.partition = partition, .weights = l->policy.weights};
	return &l->set[l->set_count++];
}

bool lint_has_weight(const struct lint *l, const struct weight_set *set, enum prio_factor f)
{
	return set->weights.factor[f] != 0 || (f == PRIO_SERV_QUEUETIME && l->qos_adds_queuetime) ||
	       (f == PRIO_SERV_XFACTOR && l->qos_adds_xfactor);
}

const char *lint_missing_weight(const struct lint *l, enum prio_factor f)
{
	enum prio_component c = policy_factor_info(f)->component;
	const char *missing = NULL;

	for (size_t i = 0; i < l->set_count; i++) {
		if (!lint_has_weight(l, &l->set[i], f))
			missing = lint_weight_name(f);
		else if (l->set[i].weights.component[c] == 0)
			missing = lint_component_weight_name(c);
		else
			return NULL;
	}
	return missing;
}

const char *lint_weight_name(enum prio_factor f)
{
	return config_weight_name((struct config_weight){FACTOR_WEIGHT, f});
}

const char *lint_component_weight_name(enum prio_component c)
{
	return config_weight_name((struct config_weight){COMPONENT_WEIGHT, c});
}

/* --- findings about a text ---------------------------------------------------------------------------- */

void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (l->found < l->room)
		config_finding_say(&l->out[l->found], id, value, format, args);
	va_end(args);
	l->found++;
}

const char *lint_words(const struct config_value *value, char buf[static LINT_WORDS])
{
	const char *section = option_section_name(value->row->scope);

	if (value->title[0])
		snprintf(buf, LINT_WORDS, "%s of %s %s", value->row->name, section, value->title);
	else if (section[0])
		snprintf(buf, LINT_WORDS, "%s of the %s", value->row->name, section);
	else
		snprintf(buf, LINT_WORDS, "%s = %s", value->row->name, value->value.text);
	return buf;
}

void lint_no_effect(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
{
	char reason[sizeof l->out->text], words[LINT_WORDS];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	lint_report(l, id, value, "%s has no effect: %s", lint_words(value, words), reason);
}

/* --- fixes ------------------------------------------------------------------------- */

static void set_fix(struct lint *l, const char *name, const char *format, va_list args)
{
	if (l->found <= l->room)
		config_finding_fix(&l->out[l->found - 1], name, format, args);
}

void lint_fix(struct lint *l, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_fix(l, name, format, args);
	va_end(args);
}

void lint_fix_value(struct lint *l, const struct config_value *value, const char *format, ...)
{
	struct str name = {0};
	va_list args;

	config_print_name(value, &name);
	va_start(args, format);
	set_fix(l, str_text(&name), format, args);
	va_end(args);
	str_free(&name);
}

static void add_section(const struct option *row, const char *title, struct str *out)
{
	if (row->scope[0] == '!')
		str_addf(out, "%s.", option_section_name(row->scope));
	else if (row->scope[0] != '\0')
		str_addf(out, "%s[%s].", row->scope, title);
}

void lint_fix_beside(struct lint *l, const struct config_value *value, const char *name, const char *format,
		     ...)
{
	struct str path = {0};
	va_list args;

	add_section(value->row, value->title, &path);
	str_add(&path, name);
	va_start(args, format);
	set_fix(l, str_text(&path), format, args);
	va_end(args);
	str_free(&path);
}

void lint_fix_weight(struct lint *l, const struct weight_set *set, const char *name, double weight)
{
	struct str path = {0};

	if (set->partition[0] != '\0')
		str_addf(&path, "partition[%s].", set->partition);
	str_add(&path, name);
	lint_fix(l, str_text(&path), "%g", weight);
	str_free(&path);
}
