/* SPDX-License-Identifier: MIT */
/*
 * config_list.c - what holds when one value of a list is set to something else?
 *
 * A value takes the place of what has its name: of a limit that for the same second credential, of
 * a list of names all of it. The values of a section go on standing together.
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

static bool same_section(const struct config_value *a, const struct config_value *b)
{
	return a->row != NULL && strcmp(a->row->scope, b->row->scope) == 0 && strcmp(a->title, b->title) == 0;
}

/* Both are of one row and section. */
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

/* Takes the values of that name away; returns where the new one goes: in their place, else behind its
 * section, else at the end. */
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
