/* SPDX-License-Identifier: MIT */
/*
 * lint.c - what is odd about what is in force?
 *
 * The values in force are the configuration's, in its order, with the live changes set into them;
 * then every rule is asked, and the gravest findings come first.
 */
#include "lint.h"

#include <stdlib.h>
#include <string.h>

#include "lint_inside.h"
#include "sched/base/vec.h"

/* --- what is in force --------------------------------------------------------------------- */

/* Elements of one list stand together, so the configuration's values are taken as they are. */
static void add_entry(struct config_list *list, const struct snapshot *s, const struct config_entry *entry)
{
	const char *title = snapshot_string(s, entry->title), *text = snapshot_string(s, entry->text);
	struct config_value value = {.row = &config_rows[entry->row], .place.line = (int)entry->line};
	size_t title_size = strlen(title) + 1, text_size = strlen(text) + 1;
	char *words;

	if (!option_read(value.row, text, &value.value, NULL))
		return;
	words = mem_alloc(title_size + text_size);
	memcpy(words, title, title_size);
	memcpy(words + title_size, text, text_size);
	value.title = words;
	value.value.text = words + title_size;
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	list->item[list->count++] = (struct config_kept){.value = value, .words = words};
}

static void add_change(struct config_list *list, const struct snapshot *s, const struct change *change)
{
	struct config_value value;
	char title[CONFIG_TITLE];

	if (change->kind == CHANGE_SETTING && change->dead == 0 &&
	    config_resolve(snapshot_string(s, change->name), snapshot_string(s, change->value), &value, title,
			   sizeof title, NULL))
		config_list_set(list, &value);
}

static void collect(struct config_list *list, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++)
		add_entry(list, s, &snapshot_values(s)[i]);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		add_change(list, s, &snapshot_changes(s)[i]);
}

#define ROOM_AT_FIRST 32

static void judge_values(struct lint_list *out, const struct config_list *values)
{
	size_t found;

	out->item = vec_room(out->item, &out->room, ROOM_AT_FIRST, sizeof *out->item);
	found = config_lint_list(values, out->item, out->room);
	if (found > out->room) {
		out->item = vec_room(out->item, &out->room, found, sizeof *out->item);
		found = config_lint_list(values, out->item, out->room);
	}
	out->count = found;
}

/* --- the whole ---------------------------------------------------------------------------- */

/* Keeps the order of those that are as grave. */
static void gravest_first(struct lint_list *list)
{
	struct config_finding *sorted = mem_alloc((list->count + 1) * sizeof *sorted);
	size_t count = 0;

	for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--)
		for (size_t i = 0; i < list->count; i++)
			if ((int)list->item[i].severity == severity)
				sorted[count++] = list->item[i];
	memcpy(list->item, sorted, count * sizeof *sorted);
	free(sorted);
}

void lint_state(struct lint_list *list, const struct snapshot *s, const struct plan *plan)
{
	struct config_list values = {0};
	struct lint_view view = {.s = s, .plan = plan, .values = &values, .out = list};

	collect(&values, s);
	judge_values(list, &values);
	lint_jobs(&view);
	lint_machine(&view);
	lint_names(&view);
	lint_settings(&view);
	gravest_first(list);
	config_list_free(&values);
}

void lint_free(struct lint_list *list)
{
	free(list->item);
	*list = (struct lint_list){0};
}

/* --- two of them ---------------------------------------------------------------------------- */

static bool was_there(const struct lint_list *before, const struct config_finding *finding)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct config_finding *old = &before->item[i];

		if (strcmp(old->id, finding->id) == 0 && strcmp(old->option, finding->option) == 0 &&
		    old->count >= finding->count)
			return true;
	}
	return false;
}

void lint_new(struct lint_list *out, const struct lint_list *before, const struct lint_list *after)
{
	out->count = 0;
	for (size_t i = 0; i < after->count; i++)
		if (!was_there(before, &after->item[i]))
			*lint_add(out) = after->item[i];
}

size_t lint_count(const struct lint_list *list, enum config_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += list->item[i].severity == severity;
	return count;
}
