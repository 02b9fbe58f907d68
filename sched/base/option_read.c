/* SPDX-License-Identifier: MIT */
/*
 * option_read.c - reads and checks option values, and prints valid ranges and defaults
 *
 * The check, the description of valid values and the shipped defaults all come from the same rows.
 */
#include "option.h"

#include <math.h>
#include <stdlib.h>

#include "duration.h"
#include "option_token.h"
#include "str.h"
#include "vec.h"

const char *option_section_name(const char *scope)
{
	return scope + (*scope == '!');
}

static bool is_scope(const char *a, const char *b)
{
	return str_same_word(option_section_name(a), option_section_name(b));
}

const struct option *option_find(const struct option *rows, size_t count, const char *scope, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (str_same_word(rows[i].name, name) && is_scope(rows[i].scope, scope))
			return &rows[i];
	return NULL;
}

const char *option_nearest(const struct option *rows, size_t count, const char *scope, const char *name)
{
	const char **candidate = mem_zero(count, sizeof *candidate);
	const char *nearest;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_scope(rows[i].scope, scope))
			candidate[n++] = rows[i].name;
		else if (*scope == '\0')
			candidate[n++] = option_section_name(rows[i].scope);
	}
	nearest = str_nearest(name, candidate, n);
	free(candidate);
	return nearest;
}

/* ---- reading ---- */

static bool is_in_range(const struct option *row, double value)
{
	bool is_open = row->min == 0 && row->max == 0;

	return is_open || (value >= row->min && value <= row->max);
}

static bool read_bool(const char *text, int64_t *out)
{
	static const char *const name[] = {"false", "true", "no", "yes", "off", "on"};

	for (int i = 0; i < 6; i++)
		if (str_same_word(text, name[i])) {
			*out = i % 2;
			return true;
		}
	return false;
}

static bool read_choice(const struct option *row, const char *text, int64_t *out)
{
	for (int i = 0; row->choices[i]; i++)
		if (str_same_word(text, row->choices[i])) {
			*out = (int64_t)row->min + i;
			return true;
		}
	return false;
}

/* Reads a whole number according to the type of the row. */
static bool read_whole(const struct option *row, const char *text, int64_t *out)
{
	switch (row->type) {
	case OPTION_COUNT:
		return str_read_whole(text, out);
	case OPTION_DURATION:
		return duration_parse(text, out, NULL);
	case OPTION_MEMORY:
		return memory_parse(text, out, NULL);
	case OPTION_BOOL:
		return read_bool(text, out);
	case OPTION_CHOICE:
		return read_choice(row, text, out);
	default:
		return false;
	}
}

static bool has_range(enum option_type type)
{
	return type == OPTION_REAL || type == OPTION_COUNT || type == OPTION_DURATION ||
	       type == OPTION_MEMORY;
}

static bool read_by_type(const struct option *row, struct option_value *value)
{
	bool good;

	if (row->type == OPTION_TEXT || row->type == OPTION_LIST)
		return true;
	if (row->type == OPTION_REAL) {
		good = str_read_real(value->text, &value->number);
	} else {
		good = read_whole(row, value->text, &value->whole);
		value->number = (double)value->whole;
	}
	return good && (!has_range(row->type) || is_in_range(row, value->number));
}

bool option_read(const struct option *row, const char *text, struct option_value *out, struct err *err)
{
	struct option_value value = {.text = text};
	struct str legal = {0};

	if (row->check && !row->check(row, text, err))
		return err_prefix(err, "%s = \"%s\"", row->name, text);
	if (read_by_type(row, &value)) {
		*out = value;
		return true;
	}
	option_print_legal(row, &legal);
	err_set(err, "%s must be %s, got \"%s\"", row->name, str_text(&legal), text);
	str_free(&legal);
	return false;
}

/* ---- valid values ---- */

static void add_bound(const struct option *row, double bound, struct str *out)
{
	char buf[DURATION_TEXT];

	if (row->type == OPTION_DURATION)
		str_add(out, duration_text(buf, (int64_t)fmin(bound, (double)DURATION_MAX_S)));
	else
		str_add_real(out, bound);
}

/* Appends " from 0 to 1000 points", " of at least 1 MB", ", such as 90s", or nothing. */
static void add_range(const struct option *row, struct str *out)
{
	const char *unit = row->type == OPTION_MEMORY ? "MB" : row->type == OPTION_DURATION ? "" : row->unit;
	bool has_min = isfinite(row->min);
	bool has_max = isfinite(row->max);

	if (is_in_range(row, -INFINITY) && is_in_range(row, INFINITY)) {
		str_add(out, row->type == OPTION_DURATION ? ", such as 90s, 15m or 1:00:00" : "");
		str_add(out, row->type == OPTION_MEMORY ? ", such as 512mb or 4gb" : "");
		return;
	}
	str_add(out, has_min && has_max ? " from " : has_min ? " of at least " : " of at most ");
	if (has_min)
		add_bound(row, row->min, out);
	if (has_min && has_max)
		str_add(out, " to ");
	if (has_max)
		add_bound(row, row->max, out);
	if (unit && *unit)
		str_addf(out, " %s", unit);
}

static void add_choices(const char *const *choices, struct str *out)
{
	for (int i = 0; choices[i]; i++) {
		if (i > 0)
			str_add(out, choices[i + 1] ? ", " : " or ");
		str_add(out, choices[i]);
	}
}

void option_print_legal(const struct option *row, struct str *out)
{
	static const char *const noun[] = {
		[OPTION_REAL] = "a number",       [OPTION_COUNT] = "a whole number",
		[OPTION_DURATION] = "a duration", [OPTION_MEMORY] = "a size",
		[OPTION_BOOL] = "true or false",  [OPTION_CHOICE] = "",
		[OPTION_TEXT] = "a text",         [OPTION_LIST] = "a list of texts",
	};

	str_add(out, row->legal ? row->legal : noun[row->type]);
	if (row->type == OPTION_CHOICE)
		add_choices(row->choices, out);
	if (has_range(row->type))
		add_range(row, out);
}

/* ---- the shipped defaults ---- */

static void add_value(const char *text, struct str *out)
{
	if (option_is_word(text)) {
		str_add(out, text);
		return;
	}
	str_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *text);
	}
	str_add_char(out, '"');
}

static void print_default(const struct option *row, struct str *out)
{
	str_addf(out, "# %s\n# ", row->help);
	option_print_legal(row, out);
	str_addf(out, "\n%s%s =", row->fallback ? "" : "# ", row->name);
	if (row->fallback) {
		str_add(out, row->type == OPTION_LIST ? " {" : " ");
		add_value(row->fallback, out);
		str_add(out, row->type == OPTION_LIST ? "}" : "");
	}
	str_add(out, "\n\n");
}

void option_print_defaults(const struct option *rows, size_t count, const char *scope, struct str *out)
{
	for (size_t i = 0; i < count; i++)
		if (is_scope(rows[i].scope, scope))
			print_default(&rows[i], out);
}
