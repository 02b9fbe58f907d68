/* SPDX-License-Identifier: MIT */
/*
 * config_lint.c - what will a good configuration not do, and what to do about it?
 *
 * Rules about one written value come first, in the order of the file; rules about the
 * whole follow. A value of the top level is judged by the weights of ALL, one of a
 * partition by the partition's own. Which rules there are: config_lint_rules.c; the files of
 * this name ask them; here is what they look at.
 */
#include "config_lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- findings ---------------------------------------------------------------------------- */

void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
{
	struct str name = {0};
	va_list args;

	if (l->found < l->room) {
		struct config_finding *finding = &l->out[l->found];

		*finding = (struct config_finding){.id = id,
						   .severity = config_rule_find(id)->severity,
						   .line = value != NULL ? value->place.line : 0};
		if (value != NULL)
			config_print_name(value, &name);
		snprintf(finding->option, sizeof finding->option, "%s", str_text(&name));
		va_start(args, format);
		vsnprintf(finding->text, sizeof finding->text, format, args);
		va_end(args);
		str_free(&name);
	}
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

/* --- what to set ------------------------------------------------------------------------- */

/* A finding about the whole is about what would mend it. */
static void set_fix(struct lint *l, const char *name, const char *format, va_list args)
{
	struct config_finding *finding;
	char value[sizeof finding->fix];

	if (l->found > l->room)
		return;
	finding = &l->out[l->found - 1];
	vsnprintf(value, sizeof value, format, args);
	if (snprintf(finding->fix, sizeof finding->fix, "%s=%s", name, value) >= (int)sizeof finding->fix)
		finding->fix[0] = '\0';
	if (finding->option[0] == '\0')
		snprintf(finding->option, sizeof finding->option, "%s", name);
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

/* --- what the text sets -------------------------------------------------------------- */

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

static const struct config_value *value_in(const struct lint *l, const char *scope, const char *title,
					   const char *name)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (lint_is(lint_value(l, i), scope, name) && strcmp(lint_value(l, i)->title, title) == 0)
			return lint_value(l, i);
	return NULL;
}

const struct config_value *lint_value_of(const struct lint *l, const char *name)
{
	return value_in(l, "", "", name);
}

const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name)
{
	const struct config_value *own = value_in(l, "partition", set->partition, name);

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

/* --- the whole ----------------------------------------------------------------------- */

/* Empty sections set nothing. */
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

static void collect_priorityf(struct lint *l, const struct config_value *value)
{
	struct expr expr;

	if (value->row->form != FORM_PRIORITYF || !expr_read(value->value.text, &expr, NULL))
		return;
	l->priorityf = value;
	l->weighs_priority = l->weighs_priority || expr_uses(&expr, EXPR_PRIORITY);
}

/* They stand together. */
static void find_system(struct lint *l)
{
	while (l->system < l->list->count && lint_value(l, l->system)->row->scope[0] != '!')
		l->system++;
	l->system_end = l->system;
	while (l->system_end < l->list->count && lint_value(l, l->system_end)->row->scope[0] == '!')
		l->system_end++;
}

/* The top level first: partitions begin with its weights. */
static void collect(struct lint *l)
{
	l->qos_adds_queuetime = lint_sections_with(l, "qos", "qtweight") > 0;
	l->qos_adds_xfactor = lint_sections_with(l, "qos", "xfweight") > 0;
	find_system(l);
	policy_default(&l->policy);
	l->nodes_have_procs = value_in(l, "node", CRED_DEFAULT, "procs") != NULL;
	for (size_t i = 0; i < l->list->count; i++) {
		config_store(lint_value(l, i), &l->policy, NULL, NULL, NULL);
		collect_priorityf(l, lint_value(l, i));
	}
	l->set = vec_room(NULL, &l->set_room, 1, sizeof *l->set);
	l->set[l->set_count++] = (struct weight_set){.partition = "", .weights = l->policy.weights};
	for (size_t i = 0; i < l->list->count; i++)
		if (strcmp(lint_value(l, i)->row->scope, "partition") == 0)
			config_store(lint_value(l, i), NULL, &lint_set_of(l, lint_value(l, i))->weights, NULL,
				     NULL);
}

static void judge_value(struct lint *l, const struct config_value *value)
{
	lint_weight(l, value);
	lint_share(l, value);
	lint_limit(l, value);
	lint_unused(l, value);
	lint_reach(l, value);
}

size_t config_lint_list(const struct config_list *list, struct config_finding *out, size_t room)
{
	struct lint l = {.list = list, .out = out, .room = room};

	collect(&l);
	for (size_t i = 0; i < list->count; i++)
		judge_value(&l, lint_value(&l, i));
	lint_weights(&l);
	lint_order(&l);
	lint_shares(&l);
	lint_limits(&l);
	lint_access(&l);
	lint_site(&l);
	free(l.set);
	return l.found;
}

size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room)
{
	struct config_list list = {0};
	size_t found;

	if (!config_list_read(file, text, len, &list, NULL))
		return 0;
	lint_drop_empty(&list);
	found = config_lint_list(&list, out, room);
	config_list_free(&list);
	return found;
}
