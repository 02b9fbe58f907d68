/* SPDX-License-Identifier: MIT */
/*
 * qsub_value.c - is what a person wrote behind an option a name, a number or a path?
 *
 * Names are shown to operators on their terminals: what cannot be shown as it is written is
 * refused here, whatever else would make it harmless later.
 */
#include <string.h>

#include "qsub_inside.h"
#include "sched/core/config.h"
#include "tui/draw/text.h"

#define NAME_ENDS " \t\n\r,"
#define PATH_MOST 4000 /* with a folder before it still a path */

bool qsub_is_shown(const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		uint32_t code;
		size_t used = text_decode(text, len, &code);

		if (code == TEXT_INVALID || text_code_width(code) < 0)
			return false;
		text += used;
		len -= used;
	}
	return true;
}

/* Of `most` bytes at most, and not empty. */
static bool check_text(const char *text, size_t most, struct err *err)
{
	if (text[0] == '\0')
		return err_set(err, "nothing stands there");
	if (!qsub_is_shown(text))
		return err_set(err, "\"%s\" has bytes that cannot be shown; write letters, digits and signs",
			       text);
	return strlen(text) <= most ||
	       err_set(err, "\"%.20s...\" is longer than %zu bytes; write less", text, most);
}

bool qsub_read_title(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, CONFIG_TITLE - 1, err))
		return false;
	*out = arena_string(&s->arena, text);
	return true;
}

bool qsub_read_name(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, CONFIG_TITLE - 1, err))
		return false;
	if (text[strcspn(text, NAME_ENDS)] != '\0')
		return err_set(err, "\"%s\" is no name: write it without blanks and commas", text);
	*out = arena_string(&s->arena, text);
	return true;
}

static bool is_among(const char *names, const char *name, size_t len)
{
	for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
		size_t other = strcspn(at, " ");

		if (other == len && memcmp(at, name, len) == 0)
			return true;
		at += other;
	}
	return false;
}

static bool add_name(struct submission *s, struct str *names, const char *text, size_t len, struct err *err)
{
	struct str word = {0};
	const char *name = "";
	bool good;

	str_add_bytes(&word, text, len);
	good = qsub_read_name(s, str_text(&word), &name, err) &&
	       (!is_among(str_text(names), text, len) || err_set(err, "%s is named twice", name));
	str_free(&word);
	if (!good)
		return false;
	if (names->len > 0)
		str_add_char(names, ' ');
	str_add(names, name);
	return true;
}

bool qsub_read_names(struct submission *s, const char *text, const char *separators, const char **out,
		     uint32_t *count, struct err *err)
{
	struct str names = {0};
	uint32_t found = 0;
	bool good = true;

	for (;; text++) {
		size_t len = strcspn(text, separators);

		good = add_name(s, &names, text, len, err);
		found++;
		text += len;
		if (!good || *text == '\0')
			break;
	}
	if (good)
		*out = arena_string(&s->arena, str_text(&names));
	if (good && count != NULL)
		*count = found;
	str_free(&names);
	return good;
}

bool qsub_read_count(const char *text, int64_t *out, struct err *err)
{
	int64_t number;

	if (!str_read_whole(text, &number) || number < 1 || number > INT32_MAX)
		return err_set(err, "\"%s\" is not a whole number from 1 to %d", text, INT32_MAX);
	*out = number;
	return true;
}

bool qsub_read_path(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, PATH_MOST, err))
		return false;
	if (strchr(text, '$') != NULL)
		return err_set(
			err,
			"\"%s\": variables are not replaced here; write the path, with %%j for the job "
			"and %%u for the user",
			text);
	*out = arena_string(&s->arena, text);
	return true;
}
