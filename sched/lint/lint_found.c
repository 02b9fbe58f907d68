/* SPDX-License-Identifier: MIT */
/*
 * lint_found.c - how do rules about the living state say what they find?
 */
#include <stdarg.h>
#include <string.h>

#include "config_lint.h"
#include "lint_inside.h"
#include "sched/base/vec.h"

struct config_finding *lint_add(struct lint_list *list)
{
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	return &list->item[list->count++];
}

struct config_finding *lint_found(const struct lint_view *v, const char *id, const struct config_value *value,
				  const char *format, ...)
{
	struct config_finding *finding = lint_add(v->out);
	va_list args;

	va_start(args, format);
	config_finding_say(finding, id, value, format, args);
	va_end(args);
	return finding;
}

void lint_say_fix(struct config_finding *finding, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	config_finding_fix(finding, name, format, args);
	va_end(args);
}

bool lint_begins_section(const struct lint_view *v, size_t i)
{
	const struct config_value *value = &v->values->item[i].value, *before;

	if (i == 0)
		return true;
	before = &v->values->item[i - 1].value;
	return strcmp(before->row->scope, value->row->scope) != 0 || strcmp(before->title, value->title) != 0;
}
