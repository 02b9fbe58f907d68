/* SPDX-License-Identifier: MIT */
/*
 * config.c - what does a configuration text say?
 *
 * Its values come through option_parse. Reading is all or nothing because values are listed
 * first and handed over last.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

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
