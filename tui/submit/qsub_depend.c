/* SPDX-License-Identifier: MIT */
/*
 * qsub_depend.c - which jobs have to come before this one?
 *
 * As depend_list_read takes it. Marks that tell what became of a dependency are for
 * changes that are kept, not for people.
 */
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"

/* Between brackets a '-' is a range of tasks. */
static bool has_delay(const char *text)
{
	for (bool inside = false; *text != '\0'; text++) {
		inside = *text == '[' || (inside && *text != ']');
		if (!inside && (*text == '+' || *text == '-'))
			return true;
	}
	return false;
}

#define AFTERCORR "aftercorr:"

/* Waiting for all tasks of the other array is the nearest that there is: "aftercorr:12" becomes
 * "afterok:12[]". */
static const char *without_aftercorr(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *whole;

	if (strstr(text, AFTERCORR) == NULL)
		return text;
	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (strncmp(text, AFTERCORR, strlen(AFTERCORR)) == 0) {
			str_add(&out, "afterok");
			for (const char *at = text + strlen(AFTERCORR) - 1; at < text + len; at++) {
				str_add_char(&out, *at);
				if (*at != ':' && *at != ']' && (at + 1 == text + len || at[1] == ':'))
					str_add(&out, "[]");
			}
			qsub_ignore(s, "the order by task of ", "aftercorr");
		} else {
			str_add_bytes(&out, text, len);
		}
		text += len;
		if (*text == ',')
			str_add_char(&out, *text++);
	}
	whole = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return whole;
}

/* PBS prints 1234.server, and 1234[].server of an array: there is one server. */
static const char *without_servers(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *short_text;

	for (; *text != '\0'; text++) {
		const char *stop = text + strcspn(text, ":,");

		if (*text == '.' && out.len > 0 && strchr("0123456789]", out.data[out.len - 1]) != NULL) {
			text = stop;
			if (*text == '\0')
				break;
		}
		str_add_char(&out, *text);
	}
	short_text = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return short_text;
}

/* "singleton", alone or among others: which jobs those are, is known when the job is submitted. */
static const char *without_singleton(struct submission *s, const char *text)
{
	struct str out = {0};
	const char *rest;

	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (len == strlen("singleton") && strncasecmp(text, "singleton", len) == 0)
			s->draft.singleton = true;
		else
			str_addf(&out, "%s%.*s", out.len > 0 ? "," : "", (int)len, text);
		text += len + (text[len] == ',');
	}
	rest = arena_string(&s->arena, str_text(&out));
	str_free(&out);
	return rest;
}

bool qsub_read_depend(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct depend_list list = {.item = NULL};
	bool good;

	(void)by;
	text = without_singleton(s, text);
	if (text[0] == '\0' && s->draft.singleton)
		return true;
	text = without_servers(s, without_aftercorr(s, text));
	if (strchr(text, '?') != NULL)
		return err_set(err,
			       "\"%s\": all jobs of a list must come first, there is no choice between "
			       "them; write a comma for the '?'",
			       text);
	if (has_delay(text))
		return err_set(err, "\"%s\": a job waits for others without a delay; leave '+' and '-' away",
			       text);
	good = depend_list_read(text, &list, err) && (list.count > 0 || err_set(err, "no job is named"));
	free(list.item);
	if (good)
		s->depend = arena_string(&s->arena, text);
	return good;
}
