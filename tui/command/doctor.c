/* SPDX-License-Identifier: MIT */
/*
 * doctor.c - how is what was found kept and told?
 */
#include "doctor.h"

#include <stdarg.h>
#include <stdlib.h>

#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "tui/report/report.h"

static const char *const health_name[] = {
	[HEALTH_OK] = "ok",
	[HEALTH_WARN] = "warn",
	[HEALTH_FAIL] = "fail",
};

void findings_add(struct findings *f, enum health health, const char *what, const char *todo,
		  const char *format, ...)
{
	struct str value = {0};
	va_list words;

	va_start(words, format);
	str_addv(&value, format, words);
	va_end(words);
	f->item = vec_room(f->item, &f->room, f->count + 1, sizeof *f->item);
	f->item[f->count++] = (struct finding){.health = health,
					       .what = what,
					       .value = mem_string(str_text(&value)),
					       .todo = mem_string(todo != NULL ? todo : "")};
	str_free(&value);
}

enum health findings_worst(const struct findings *f)
{
	enum health worst = HEALTH_OK;

	for (size_t i = 0; i < f->count; i++)
		if (f->item[i].health > worst)
			worst = f->item[i].health;
	return worst;
}

size_t findings_count(const struct findings *f, enum health health)
{
	size_t count = 0;

	for (size_t i = 0; i < f->count; i++)
		count += f->item[i].health == health;
	return count;
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->item[i].value);
		free(f->item[i].todo);
	}
	free(f->item);
	*f = (struct findings){.item = NULL};
}

void findings_print(const struct findings *f, bool ascii, struct str *out)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *item = &f->item[i];

		str_addf(out, "%-4s  %s: ", health_name[item->health], item->what);
		text_safe(out, item->value, ascii);
		if (item->todo[0] != '\0') {
			str_add(out, "; ");
			text_safe(out, item->todo, ascii);
		}
		str_add_char(out, '\n');
	}
}

void findings_print_json(const struct findings *f, struct str *out)
{
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_text(&j, "worst", health_name[findings_worst(f)]);
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *item = &f->item[i];

		json_open(&j, NULL, '{');
		json_text(&j, "health", health_name[item->health]);
		json_text(&j, "what", item->what);
		json_text(&j, "value", item->value);
		json_text(&j, "todo", item->todo[0] != '\0' ? item->todo : NULL);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}
