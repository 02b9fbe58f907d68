/* SPDX-License-Identifier: MIT */
/*
 * json_value.c - a reader of JSON for tests that look at the program from outside
 */
#include "json_value.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at;
	struct arena *arena;
	bool bad;
};

static const struct json_value null_value;

static struct json_value *read_value(struct reader *r, const char *name);

static void skip_space(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

/* Takes the character if it is next, after space. */
static bool take(struct reader *r, char c)
{
	skip_space(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static unsigned hex4(const char *digits)
{
	char text[5] = "";

	memcpy(text, digits, strnlen(digits, 4));
	return (unsigned)strtoul(text, NULL, 16);
}

/* Of characters that are written as numbers the program prints only control characters, which are ASCII. */
static char escaped(struct reader *r)
{
	char c = *r->at++;

	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'u':
		c = (char)hex4(r->at);
		r->at += strnlen(r->at, 4);
		return c;
	default:
		return c;
	}
}

/* What follows the opening quote, up to the closing one. */
static const char *read_text(struct reader *r)
{
	const char *end = r->at;
	size_t len = 0;
	char *text;

	while (*end != '"' && *end != '\0')
		end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
	text = arena_take(r->arena, (size_t)(end - r->at) + 1);
	while (r->at < end) {
		char c = *r->at++;

		if (c == '\\')
			c = escaped(r);
		text[len++] = c;
	}
	text[len] = '\0';
	r->bad |= !take(r, '"');
	return text;
}

/* What follows the opening bracket, up to the closing one. */
static struct json_value *read_members(struct reader *r, bool named, char closing)
{
	struct json_value *first = NULL, **link = &first;

	if (take(r, closing))
		return NULL;
	do {
		const char *name = NULL;
		struct json_value *member;

		if (named) {
			r->bad |= !take(r, '"');
			name = r->bad ? NULL : read_text(r);
			r->bad |= !take(r, ':');
		}
		member = r->bad ? NULL : read_value(r, name);
		if (member == NULL)
			return NULL;
		*link = member;
		link = &member->next;
	} while (take(r, ','));
	r->bad |= !take(r, closing);
	return first;
}

static bool take_word(struct reader *r, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(r->at, word, len) != 0)
		return false;
	r->at += len;
	return true;
}

static void read_number(struct reader *r, struct json_value *v)
{
	size_t len = strspn(r->at, "+-.eE0123456789");
	char *text = arena_take(r->arena, len + 1);

	memcpy(text, r->at, len);
	text[len] = '\0';
	v->kind = JSON_NUMBER;
	v->text = text;
	v->number = strtod(text, NULL);
	r->bad |= len == 0;
	r->at += len;
}

static struct json_value *read_value(struct reader *r, const char *name)
{
	struct json_value *v = arena_take(r->arena, sizeof *v);

	*v = (struct json_value){.name = name};
	if (take(r, '{')) {
		v->kind = JSON_OBJECT;
		v->first = read_members(r, true, '}');
	} else if (take(r, '[')) {
		v->kind = JSON_LIST;
		v->first = read_members(r, false, ']');
	} else if (take(r, '"')) {
		v->kind = JSON_TEXT;
		v->text = read_text(r);
	} else if (take_word(r, "true")) {
		v->kind = JSON_TRUE;
	} else if (take_word(r, "false")) {
		v->kind = JSON_FALSE;
	} else if (!take_word(r, "null")) {
		read_number(r, v);
	}
	return r->bad ? NULL : v;
}

const struct json_value *json_read(const char *text, struct arena *arena)
{
	struct reader r = {.at = text, .arena = arena};
	const struct json_value *v = read_value(&r, NULL);

	skip_space(&r);
	return r.bad || *r.at != '\0' ? NULL : v;
}

const struct json_value *json_get(const struct json_value *v, const char *name)
{
	const struct json_value *member = v == NULL || v->kind != JSON_OBJECT ? NULL : v->first;

	while (member != NULL && strcmp(member->name, name) != 0)
		member = member->next;
	return member == NULL ? &null_value : member;
}

const char *json_text_of(const struct json_value *v, const char *name)
{
	const struct json_value *member = json_get(v, name);

	return member->kind == JSON_TEXT ? member->text : "";
}

int64_t json_number_of(const struct json_value *v, const char *name, int64_t none)
{
	const struct json_value *member = json_get(v, name);

	return member->kind == JSON_NUMBER ? (int64_t)member->number : none;
}

bool json_is_true(const struct json_value *v, const char *name)
{
	return json_get(v, name)->kind == JSON_TRUE;
}

size_t json_count(const struct json_value *v)
{
	size_t count = 0;

	for (const struct json_value *m = v == NULL ? NULL : v->first; m != NULL; m = m->next)
		count++;
	return count;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool json_same(const struct json_value *a, const struct json_value *b)
{
	const struct json_value *m, *n;

	if (a == NULL || b == NULL)
		return a == b;
	if (a->kind != b->kind || !same_text(a->name, b->name) || !same_text(a->text, b->text))
		return false;
	for (m = a->first, n = b->first; m != NULL && n != NULL; m = m->next, n = n->next)
		if (!json_same(m, n))
			return false;
	return m == n;
}
