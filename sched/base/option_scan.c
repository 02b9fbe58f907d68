/* SPDX-License-Identifier: MIT */
/*
 * option_scan.c - scanner that validates a configuration and locates its values
 *
 * A recursive-descent parser for the grammar in option.h, driven by the names in the rows. libconfuse accepts
 * every text that this parser accepts, with the same meaning. Most messages about an invalid file are written
 * here, where both positions of a conflict are known.
 */
#include "option_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "option_token.h"
#include "str.h"
#include "vec.h"

#define NAME_LEN 64 /* no option has a longer name */

struct scanner {
	const struct option *rows;
	size_t row_count;
	struct tokens tokens;
	size_t section; /* index of the current section; 0 is the top level */
	struct option_scan *out;
};

/* ---- options ---- */

static void add_mark(struct scanner *s, const struct option *row, unsigned element, int line)
{
	struct option_scan *out = s->out;

	out->mark = vec_room(out->mark, &out->mark_cap, out->mark_count + 1, sizeof *out->mark);
	out->mark[out->mark_count++] =
		(struct option_mark){.row = row, .section = s->section, .element = element, .line = line};
}

/*
 * Returns the line of an earlier value of this row in the current section; 0 if there is none. The values of
 * a section are adjacent.
 */
static int earlier_line(const struct scanner *s, const struct option *row)
{
	for (size_t i = s->out->mark_count; i-- > 0;) {
		const struct option_mark *mark = &s->out->mark[i];

		if (mark->section == s->section && mark->row == row)
			return mark->line;
		if (s->section > 0 && mark->section != s->section)
			return 0;
	}
	return 0;
}

/* Returns the first row with this name in any scope; NULL if there is none. */
static const struct option *find_elsewhere(const struct scanner *s, const char *name)
{
	for (size_t i = 0; i < s->row_count; i++)
		if (str_same_word(s->rows[i].name, name))
			return &s->rows[i];
	return NULL;
}

/* Returns the scope of sections of this kind, as written in the rows; NULL if there is no such kind. */
static const char *find_kind(const struct scanner *s, const char *kind)
{
	for (size_t i = 0; i < s->row_count; i++) {
		const char *scope = s->rows[i].scope;

		if (*scope && str_same_word(option_section_name(scope), kind))
			return scope;
	}
	return NULL;
}

static bool refuse_name(const struct scanner *s, const char *name)
{
	const struct option_section *section = &s->out->section[s->section];
	const char *kind = option_section_name(section->scope);
	const struct option *elsewhere = find_elsewhere(s, name);
	const char *nearest = option_nearest(s->rows, s->row_count, section->scope, name);
	const struct option_scan *out = s->out;
	int line = s->tokens.now.line;
	bool follows_value = out->mark_count > 0 && out->mark[out->mark_count - 1].line == line;
	char what[2 * NAME_LEN + 32];

	if (s->section > 0 && find_kind(s, name))
		return token_refuse(&s->tokens, line,
				    "%s begins inside the section %s of line %d; is a } missing before it?",
				    name, kind, section->line);
	if (elsewhere && !*elsewhere->scope)
		return token_refuse(
			&s->tokens, line,
			"%s is not allowed in the section %s of line %d; is a } missing before it?", name,
			kind, section->line);
	if (elsewhere)
		return token_refuse(&s->tokens, line, "%s is only allowed in a section %s", name,
				    option_section_name(elsewhere->scope));
	if (s->section > 0)
		snprintf(what, sizeof what, "option %s in %s", name, kind);
	else
		snprintf(what, sizeof what, "option or section %s", name);
	if (nearest)
		return token_refuse(&s->tokens, line, "there is no %s; did you mean %s?", what, nearest);
	return token_refuse(&s->tokens, line, "there is no %s%s", what,
			    follows_value ? "; quote a value of several words" : "");
}

static bool read_value(struct scanner *s, const struct option *row, unsigned element)
{
	if (!token_is_value(&s->tokens))
		return token_refuse_now(&s->tokens, "a value for %s", row->name);
	add_mark(s, row, element, s->tokens.now.line);
	return token_next(&s->tokens);
}

static bool read_list(struct scanner *s, const struct option *row)
{
	for (unsigned element = 0;; element++) {
		if (!read_value(s, row, element))
			return false;
		if (token_is_sign(&s->tokens, '}'))
			return token_next(&s->tokens);
		if (!token_expect(&s->tokens, ',', "or } in the list"))
			return false;
	}
}

/* Reads "NAME = VALUE" or "NAME = { VALUES }"; the current token is the name. */
static bool read_assignment(struct scanner *s, const struct option *row)
{
	int earlier = earlier_line(s, row);

	if (earlier)
		return token_refuse(&s->tokens, s->tokens.now.line, "%s is set twice, here and in line %d",
				    row->name, earlier);
	if (!token_next(&s->tokens) || !token_expect(&s->tokens, '=', "after the name of an option"))
		return false;
	if (!token_is_sign(&s->tokens, '{'))
		return read_value(s, row, 0);
	if (row->type != OPTION_LIST)
		return token_refuse(&s->tokens, s->tokens.now.line, "%s takes one value, not a list",
				    row->name);
	return token_next(&s->tokens) && read_list(s, row);
}

/* Copies the current token, which must be a word, and does not advance. */
static bool read_name(struct scanner *s, char name[static NAME_LEN])
{
	if (s->tokens.now.kind != TOKEN_WORD)
		return token_refuse_now(&s->tokens, "the name of an option");
	snprintf(name, NAME_LEN, "%.*s", (int)s->tokens.now.len, s->tokens.now.start);
	return true;
}

/* ---- sections ---- */

static bool same_title(const struct option_section *a, const struct option_section *b)
{
	return a->title_len == b->title_len && strncasecmp(a->title, b->title, a->title_len) == 0;
}

/*
 * Appends a section, which becomes the current one. Returns false with err set if it is defined twice or
 * there are too many sections.
 */
static bool add_section(struct scanner *s, struct option_section section)
{
	struct option_scan *out = s->out;

	if (out->section_count > OPTION_SECTIONS_MAX)
		return token_refuse(&s->tokens, section.line, "more than %d sections", OPTION_SECTIONS_MAX);
	for (size_t i = 0; i < out->section_count; i++) {
		if (out->section[i].scope != section.scope)
			continue;
		if (same_title(&out->section[i], &section))
			return token_refuse(&s->tokens, section.line,
					    "%s%s%.*s is defined twice, here and in line %d",
					    option_section_name(section.scope), section.title_len ? " " : "",
					    (int)section.title_len, section.title, out->section[i].line);
		section.nth++;
	}
	out->section = vec_room(out->section, &out->section_cap, out->section_count + 1, sizeof section);
	s->section = out->section_count;
	out->section[out->section_count++] = section;
	return true;
}

/* Reads the title of a section. Rejects backslashes, so that no escapes need to be decoded. */
static bool read_title(struct scanner *s, struct option_section *section)
{
	if (!token_is_value(&s->tokens) || s->tokens.now.len == 0)
		return token_refuse_now(&s->tokens, "the name of a section");
	if (memchr(s->tokens.now.start, '\\', s->tokens.now.len))
		return token_refuse(&s->tokens, s->tokens.now.line,
				    "the name of a section must not contain \\");
	section->title = s->tokens.now.start;
	section->title_len = s->tokens.now.len;
	return token_next(&s->tokens);
}

static bool read_body(struct scanner *s)
{
	size_t marks_before = s->out->mark_count;
	const struct option_section *section = &s->out->section[s->section];
	const char *kind = option_section_name(section->scope);
	int line = section->line;
	char name[NAME_LEN];

	while (!token_is_sign(&s->tokens, '}')) {
		const struct option *row;

		if (s->tokens.now.kind == TOKEN_END)
			return token_refuse(&s->tokens, line,
					    "the section %s that begins here has no closing }", kind);
		if (!read_name(s, name))
			return false;
		row = option_find(s->rows, s->row_count, kind, name);
		if (!row)
			return refuse_name(s, name);
		if (!read_assignment(s, row))
			return false;
	}
	if (s->out->mark_count == marks_before)
		add_mark(s, NULL, 0, line);
	return token_next(&s->tokens);
}

/* Reads a section; the current token is its kind. */
static bool read_section(struct scanner *s, const char *scope)
{
	struct option_section section = {.scope = scope, .title = "", .line = s->tokens.now.line};

	if (!token_next(&s->tokens))
		return false;
	if (*scope != '!' && !read_title(s, &section))
		return false;
	if (!token_expect(&s->tokens, '{', "at the beginning of a section"))
		return false;
	if (!add_section(s, section) || !read_body(s))
		return false;
	s->section = 0;
	return true;
}

static bool read_file(struct scanner *s)
{
	char name[NAME_LEN];

	while (s->tokens.now.kind != TOKEN_END) {
		const struct option *row;
		const char *scope;
		bool good;

		if (!read_name(s, name))
			return false;
		row = option_find(s->rows, s->row_count, "", name);
		scope = find_kind(s, name);
		good = row ? read_assignment(s, row) : scope ? read_section(s, scope) : refuse_name(s, name);
		if (!good)
			return false;
	}
	return true;
}

bool option_scan(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		 struct option_scan *out, struct err *err)
{
	struct scanner s = {
		.rows = rows, .row_count = count, .tokens = {.file = file, .err = err}, .out = out};
	bool good;

	*out = (struct option_scan){0};
	out->section = vec_room(NULL, &out->section_cap, 1, sizeof *out->section);
	out->section[out->section_count++] = (struct option_section){.scope = "", .title = "", .line = 1};
	good = token_begin(&s.tokens, text, len) && read_file(&s);
	out->text = s.tokens.text;
	return good;
}

void option_scan_free(struct option_scan *scan)
{
	free(scan->text);
	free(scan->section);
	free(scan->mark);
	*scan = (struct option_scan){0};
}
