/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_line.c - parsing of the lines of a maui.cfg
 *
 * A line is copied without its comments and continuations, then split in place.
 */
#include "maui_cfg_line.h"

#include <string.h>
#include <strings.h>

#define BLANKS  " \t"
#define INCLUDE "#INCLUDE"

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\x7f';
}

/* --- joining ------------------------------------------------------------------------------ */

static void skip_comment(struct import_reader *r)
{
	while (r->at < r->end && *r->at != '\n')
		r->at++;
}

static void skip_space(struct import_reader *r)
{
	for (; r->at < r->end && is_space(*r->at); r->at++)
		r->number += *r->at == '\n';
}

/* Skips a comment. If the whole line is "#INCLUDE FILE", appends FILE to r->text and returns true. */
static bool take_include(struct import_reader *r)
{
	size_t len = sizeof INCLUDE - 1;
	const char *begin = r->at;

	skip_comment(r);
	if (r->text.len > 0 || (size_t)(r->at - begin) <= len || strncasecmp(begin, INCLUDE, len) != 0 ||
	    !is_space(begin[len]))
		return false;
	str_add_bytes(&r->text, begin + len, (size_t)(r->at - begin) - len);
	return true;
}

/*
 * Copies the next line with its continuations into r->text. For an #INCLUDE line, copies only the file name
 * and sets *included.
 */
static void join(struct import_reader *r, bool *included)
{
	str_clear(&r->text);
	*included = false;
	while (r->at < r->end && *r->at != '\n') {
		char c = *r->at;

		if (c == '#') {
			*included = take_include(r);
		} else if (c == '\\') {
			r->at++;
			skip_space(r);
			str_add_char(&r->text, ' ');
		} else {
			if (is_control(c))
				c = ' ';
			str_add_char(&r->text, c);
			r->at++;
		}
	}
	if (r->at < r->end) {
		r->at++;
		r->number++;
	}
}

/* --- splitting ------------------------------------------------------------------------------ */

static bool is_utf8(const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = str_utf8_len(text + i, len - i);
		if (n == 0)
			return false;
	}
	return true;
}

static char *without_blanks(char *text)
{
	size_t len;

	text += strspn(text, BLANKS);
	for (len = strlen(text); len > 0 && strchr(BLANKS, text[len - 1]); len--)
		text[len - 1] = '\0';
	return text;
}

/*
 * Terminates the name at `text`, which ends at one of the characters `ends`, and sets *inside to the text in
 * brackets after it, or "". Returns the rest of the text; NULL if the bracket is not closed.
 */
static char *cut_name(char *text, const char *ends, const char **inside)
{
	char *end = text + strcspn(text, ends), *rest = end + (*end != '\0');

	*inside = "";
	if (*end == '[') {
		char *close = strchr(end, ']');

		if (!close)
			return NULL;
		*close = '\0';
		*inside = without_blanks(end + 1);
		rest = close + 1;
	}
	*end = '\0';
	return rest;
}

static void cut_line(char *text, struct import_line *out)
{
	char *rest;

	out->name = text;
	out->value = text + strlen(text);
	rest = cut_name(text, BLANKS "[=", &out->index);
	if (!rest) {
		out->wrong = "the bracket [ is not closed by ]";
		return;
	}
	rest += strspn(rest, BLANKS "=");
	out->value = rest;
	if (out->name[0] == '\0')
		out->wrong = "the name of a parameter is missing";
	else if (rest[0] == '\0')
		out->wrong = "there is no value";
}

bool import_line_next(struct import_reader *reader, struct import_line *out)
{
	char *text = NULL;
	bool included = false, is_text = false;

	*out = (struct import_line){.name = "", .index = ""};
	while (reader->at < reader->end && (!text || *text == '\0')) {
		out->number = reader->number;
		join(reader, &included);
		str_add(&reader->text, "");
		is_text = is_utf8(str_text(&reader->text), reader->text.len);
		text = without_blanks(reader->text.data);
	}
	if (!text || *text == '\0')
		return false;
	out->value = text;
	if (included)
		out->included = text;
	else
		cut_line(text, out);
	if (!is_text)
		out->wrong = "it contains bytes that are not UTF-8";
	return true;
}

/* --- attributes --------------------------------------------------------------------------- */

/*
 * Removes the next word from *rest and returns it without its quotes. Blanks in quotes belong to the word.
 * Sets *open if the last quote is not closed.
 */
static char *cut_quoted(char **rest, bool *open)
{
	char *from = *rest + strspn(*rest, BLANKS), *word = from, *to = from;
	char quote = '\0';

	for (; *from != '\0' && (quote != '\0' || !strchr(BLANKS, *from)); from++) {
		if (quote == '\0' && (*from == '\'' || *from == '"'))
			quote = *from;
		else if (*from == quote)
			quote = '\0';
		else
			*to++ = *from;
	}
	*rest = from + (*from != '\0');
	*to = '\0';
	*open = quote != '\0';
	return word;
}

/* Parses NAME[SECOND]=VALUE. Returns what is wrong with it; NULL if it is valid. */
static const char *cut_attribute(char *word, struct import_attribute *out)
{
	char *rest;

	if (!strchr(word, '='))
		return "= and a value are missing";
	rest = cut_name(word, "[=", &out->second);
	if (!rest)
		return "the bracket [ is not closed by ]";
	if (out->second[0] != '\0' && *rest++ != '=')
		return "= is missing after the bracket";
	out->value = rest;
	if (out->name[0] == '\0')
		return "the name of an attribute is missing";
	return rest[0] == '\0' ? "there is no value" : NULL;
}

bool import_attribute_next(char **rest, struct import_attribute *out)
{
	bool open;
	char *word;

	if ((*rest)[strspn(*rest, BLANKS)] == '\0')
		return false;
	word = cut_quoted(rest, &open);
	*out = (struct import_attribute){.name = word, .second = "", .value = word + strlen(word)};
	out->wrong = open ? "the quote is not closed" : cut_attribute(word, out);
	return true;
}

char *import_word(char **rest, const char *separators)
{
	char *word = *rest + strspn(*rest, separators);
	size_t len = strcspn(word, separators);

	*rest = word + len + (word[len] != '\0');
	word[len] = '\0';
	return len > 0 ? word : NULL;
}
