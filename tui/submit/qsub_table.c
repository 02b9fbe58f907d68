/* SPDX-License-Identifier: MIT */
/*
 * qsub_table.c - which row of a table does a word name, and which pairs of name and value stand in one?
 */
#include <string.h>

#include "qsub_inside.h"

const struct qsub_row *qsub_find(const struct qsub_table *table, const char *name, size_t len)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *own = table->row[i].name;

		if (strlen(own) == len && (len == 1 ? own[0] == name[0] : strncasecmp(own, name, len) == 0))
			return &table->row[i];
	}
	return NULL;
}

void qsub_add_names(const struct qsub_table *table, const char *before, struct str *out)
{
	for (size_t i = 0; i < table->count; i++)
		str_addf(out, "%s%s%s", i == 0 ? "" : ", ", before, table->row[i].name);
}

#define IGNORED_MOST 1000 /* bytes */

void qsub_ignore(struct submission *s, const char *before, const char *name)
{
	struct str word = {0};

	str_addf(&word, "%s%s", before, name);
	if (strstr(str_text(&s->ignored), str_text(&word)) == NULL &&
	    s->ignored.len + word.len < IGNORED_MOST)
		str_addf(&s->ignored, "%s%s", s->ignored.len > 0 ? ", " : "", str_text(&word));
	str_free(&word);
}

bool qsub_read_row(struct submission *s, const struct submitter *by, const struct qsub_row *row,
		   const char *before, const char *value, struct err *err)
{
	if (row->read != NULL)
		return row->read(s, by, value, err) || err_prefix(err, "%s%s", before, row->name);
	qsub_ignore(s, before, row->name);
	return true;
}

void qsub_skip_words(struct submission *s, const struct qsub_row *row, int count, const char *const *word,
		     int *at)
{
	if (s->draft.last_word || row->takes == NULL || (row->read != NULL && row->read != qsub_read_mail_to))
		return;
	while (*at + 1 < count && word[*at + 1][0] != '-') {
		const char *text = word[++*at];

		qsub_ignore(s, "the word ", qsub_is_shown(text) && strlen(text) < 60 ? text : "?");
	}
}

/* Is there a pair of which the name begins at text, before the next comma? */
static bool begins_pair(const char *text)
{
	return text[strcspn(text, "=,")] == '=';
}

bool qsub_next_pair(struct submission *s, const char **at, struct qsub_pair *out, struct err *err)
{
	size_t name = strcspn(*at, "="), len = name;
	char *copy;

	if (**at == '\0')
		return false;
	if (!begins_pair(*at) || name == 0)
		return err_set(err, "\"%.60s\" is not NAME=VALUE", *at);
	do
		len += 1 + strcspn(*at + len + 1, ",");
	while ((*at)[len] == ',' && (*at)[len + 1] != '\0' && !begins_pair(*at + len + 1));
	copy = arena_copy(&s->arena, *at, len + 1);
	copy[name] = copy[len] = '\0';
	*out = (struct qsub_pair){.name = copy, .value = copy + name + 1};
	*at += len;
	*at += **at == ',';
	return true;
}
