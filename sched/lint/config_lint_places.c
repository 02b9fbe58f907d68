/* SPDX-License-Identifier: MIT */
/*
 * config_lint_places.c - classes and features that no node section of a text names
 *
 * Rules W52 and W53. A resource manager may report nodes, and features of nodes, that no section names.
 * Where every section of a text lists classes, a class that is in none of these lists has no node; a
 * node whose classes nobody lists takes jobs of all classes.
 */
#include <string.h>

#include "config_lint.h"

static bool names_word(const struct config_value *value, const char *word, size_t len)
{
	const char *at = value->value.text, *other;
	size_t other_len;

	while ((other = config_word(&at, &other_len)) != NULL)
		if (other_len == len && memcmp(other, word, len) == 0)
			return true;
	return false;
}

static bool is_node_list(const struct config_value *value, enum trait_kind kind)
{
	return value->row->form == FORM_NODE_WORDS && value->row->offset == (size_t)kind;
}

static bool some_node_has(const struct lint *l, enum trait_kind kind, const char *word, size_t len)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (is_node_list(lint_value(l, i), kind) && names_word(lint_value(l, i), word, len))
			return true;
	return false;
}

static void unknown_features(struct lint *l, const struct config_value *value)
{
	const char *at = value->value.text, *word;
	size_t len;

	while ((word = config_word(&at, &len)) != NULL)
		if (!some_node_has(l, TRAIT_FEATURE, word, len))
			lint_report(l, "W52", value,
				    "jobs of class %s ask for feature %.*s, which no node section names; "
				    "unless nodes are reported with it, they never start",
				    value->title, (int)len, word);
}

/* Has every node section a list of classes, its own or that of node DEFAULT? False without sections. */
static bool classes_are_listed(const struct lint *l)
{
	bool any = false;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		struct lint_section section;
		bool has_list = false;

		if (strcmp(value->row->scope, "node") != 0)
			continue;
		section = lint_section_of(l, i);
		for (size_t k = section.first; k < section.end; k++)
			has_list = has_list || is_node_list(lint_value(l, k), TRAIT_CLASS);
		if (has_list && strcmp(value->title, CRED_DEFAULT) == 0)
			return true;
		if (!has_list && strcmp(value->title, CRED_DEFAULT) != 0)
			return false;
		any = any || has_list;
	}
	return any;
}

void lint_places(struct lint *l)
{
	bool listed = classes_are_listed(l);

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form == FORM_FEATURES)
			unknown_features(l, value);
		if (listed && strcmp(value->row->scope, "class") == 0 && lint_section_of(l, i).first == i &&
		    strcmp(value->title, CRED_DEFAULT) != 0 &&
		    !some_node_has(l, TRAIT_CLASS, value->title, strlen(value->title)))
			lint_report(l, "W53", value,
				    "no node section takes class %s, so its jobs never start; add it to the "
				    "classes of some nodes",
				    value->title);
	}
}
