/* SPDX-License-Identifier: MIT */
/*
 * filter.c - which rows does a typed filter let through?
 */
#include "filter.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define EXPRESSION_MAX 256 /* bytes */
#define PLUSES_MAX     4

struct filter_word {
	char *text;  /* without the ! */
	char *value; /* behind the first =, in text; NULL when there is none */
	bool negated;
	bool is_regex;
	regex_t regex;
};

/*
 * Is it an expression that is ready at once? Counts and back references can take forever, and
 * each + may double what stands before it; who types more of them gets text.
 */
static bool is_expression(const char *text)
{
	size_t pluses = 0;

	for (const char *at = strchr(text, '+'); at; at = strchr(at + 1, '+'))
		pluses++;
	return strpbrk(text, "^$.*+?[]()|") && !strpbrk(text, "{\\") && pluses <= PLUSES_MAX &&
	       strlen(text) <= EXPRESSION_MAX;
}

static void read_word(struct filter_word *w, const char *text, size_t len)
{
	char *equals;

	w->negated = len > 1 && text[0] == '!';
	w->text = mem_alloc(len + 1);
	memcpy(w->text, text + w->negated, len - w->negated);
	w->text[len - w->negated] = '\0';
	equals = strchr(w->text, '=');
	w->value = equals ? equals + 1 : NULL;
	w->is_regex = is_expression(w->text) &&
		      regcomp(&w->regex, w->text, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;
}

void filter_set(struct filter *f, const char *text)
{
	struct filter fresh = {.text = mem_string(text)}; /* text may be the old one's */
	size_t cap = 0;

	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		fresh.word = vec_room(fresh.word, &cap, fresh.count + 1, sizeof *fresh.word);
		read_word(&fresh.word[fresh.count++], at, len);
		at += len;
	}
	filter_clear(f);
	if (fresh.count == 0)
		filter_clear(&fresh);
	*f = fresh;
}

void filter_clear(struct filter *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->word[i].is_regex)
			regfree(&f->word[i].regex);
		free(f->word[i].text);
	}
	free(f->word);
	free(f->text);
	*f = (struct filter){0};
}

const char *filter_text(const struct filter *f)
{
	return f->text ? f->text : "";
}

static bool found_in(const struct filter_word *w, const char *value)
{
	if (w->is_regex)
		return regexec(&w->regex, value, 0, NULL, 0) == 0;
	return strcasestr(value, w->text) != NULL;
}

/* The field that a word like user=eva names; NULL when it is no such word. */
static const struct field *named_field(const struct filter_word *w, const struct field *field, size_t count)
{
	size_t len = w->value ? (size_t)(w->value - w->text) - 1 : 0;

	for (size_t i = 0; i < count && len > 0; i++)
		if (strlen(field[i].name) == len && strncasecmp(field[i].name, w->text, len) == 0)
			return &field[i];
	return NULL;
}

static bool word_holds(const struct filter_word *w, const struct field *field, size_t count)
{
	const struct field *named = named_field(w, field, count);

	if (named)
		return fnmatch(w->value, named->value ? named->value : "", FNM_CASEFOLD) == 0;
	for (size_t i = 0; i < count; i++)
		if (field[i].value && found_in(w, field[i].value))
			return true;
	return false;
}

bool filter_match(const struct filter *f, const struct field *field, size_t count)
{
	for (size_t i = 0; i < f->count; i++)
		if (word_holds(&f->word[i], field, count) == f->word[i].negated)
			return false;
	return true;
}
