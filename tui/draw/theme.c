/* SPDX-License-Identifier: MIT */
/*
 * theme.c - how does each role look?
 *
 * A theme file is read by the same rows, scan and messages as kahu.conf. A role's line
 * may come in two parts (style, style256); both are collected first and joined at the
 * end, as the second falls back to the first.
 */
#include "theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/option.h"
#include "sched/base/str.h"

/* ---- one style ---- */

static const char *const colour_names[] = {
	"black",        "red",           "green",       "yellow",         "blue",
	"magenta",      "cyan",          "white",       "bright_black",   "bright_red",
	"bright_green", "bright_yellow", "bright_blue", "bright_magenta", "bright_cyan",
	"bright_white",
};

static const struct {
	const char *name;
	enum style_attr attr;
} attr_names[] = {
	{"bold", STYLE_BOLD},           {"dim", STYLE_DIM},         {"italic", STYLE_ITALIC},
	{"underline", STYLE_UNDERLINE}, {"reverse", STYLE_REVERSE},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool find_attr(const char *word, struct style *style)
{
	for (size_t i = 0; i < COUNT(attr_names); i++) {
		if (str_same_word(word, attr_names[i].name)) {
			style->attr = (uint8_t)(style->attr | attr_names[i].attr);
			return true;
		}
	}
	return false;
}

static bool find_colour(const char *word, enum colour_depth depth, int16_t *colour)
{
	char *end;
	long number;

	if (str_same_word(word, "default")) {
		*colour = STYLE_DEFAULT_COLOUR;
		return true;
	}
	for (size_t i = 0; i < COUNT(colour_names); i++) {
		if (str_same_word(word, colour_names[i])) {
			*colour = (int16_t)i;
			return true;
		}
	}
	if (depth != COLOUR_256 || word[0] < '0' || word[0] > '9' || strlen(word) > 3)
		return false;
	number = strtol(word, &end, 10);
	if (*end || number > 255)
		return false;
	*colour = (int16_t)number;
	return true;
}

static bool refuse_word(const char *word, enum colour_depth depth, struct err *err)
{
	return err_set(err,
		       "'%s' is neither an attribute (bold dim italic underline reverse) nor a colour "
		       "(default black red green yellow blue magenta cyan white, bright_red ...%s)",
		       word, depth == COLOUR_256 ? ", 0 to 255" : "");
}

/* What was read of a style so far. */
struct style_reader {
	struct style style;
	bool on; /* the next word is the background's colour */
	bool has_fg, has_bg;
};

static bool read_word(struct style_reader *r, const char *word, enum colour_depth depth, struct err *err)
{
	bool *has = r->on ? &r->has_bg : &r->has_fg;

	if (!r->on && str_same_word(word, "on")) {
		r->on = true;
		return true;
	}
	if (!r->on && find_attr(word, &r->style))
		return true;
	if (!find_colour(word, depth, r->on ? &r->style.bg : &r->style.fg))
		return refuse_word(word, depth, err);
	if (*has)
		return err_set(err, "'%s' is a second %s colour", word, r->on ? "background" : "text");
	*has = true;
	r->on = false;
	return true;
}

bool style_parse(const char *text, enum colour_depth depth, struct style *out, struct err *err)
{
	struct style_reader reader = {.style = {STYLE_DEFAULT_COLOUR, STYLE_DEFAULT_COLOUR, 0}};
	char word[32];

	for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
		size_t len = strcspn(at, " \t");

		snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), at);
		if (!read_word(&reader, word, depth, err))
			return err_prefix(err, "style '%s'", text);
		at += len;
	}
	if (reader.on)
		return err_set(err, "style '%s': 'on' must be followed by a colour", text);
	*out = reader.style;
	return true;
}

/* ---- a file ---- */

enum theme_row {
	ROW_DESCRIPTION,
	ROW_STYLE,
	ROW_STYLE256,
	ROW_COUNT
};

static const struct option rows[ROW_COUNT] = {
	[ROW_DESCRIPTION] = {.scope = "",
			     .name = "description",
			     .type = OPTION_TEXT,
			     .fallback = "",
			     .unit = "",
			     .help = "What the theme is for, in a few words."},
	[ROW_STYLE] = {.scope = "role",
		       .name = "style",
		       .type = OPTION_TEXT,
		       .unit = "",
		       .help = "Attributes and one of sixteen colours."},
	[ROW_STYLE256] = {.scope = "role",
			  .name = "style256",
			  .type = OPTION_TEXT,
			  .unit = "",
			  .help = "The same for terminals with 256 colours."},
};

struct theme_reader {
	struct theme *theme;
	bool given256[ROLE_COUNT];
};

static bool take_style(struct theme_reader *reader, bool is_256, const char *name, const char *text,
		       struct err *err)
{
	enum role role = role_find(name);
	bool *given = is_256 ? reader->given256 : reader->theme->given;
	struct style *style = is_256 ? reader->theme->style256 : reader->theme->style16;

	if (role == ROLE_COUNT)
		return err_set(err, "there is no role '%s'; TEMPLATE.theme lists them", name);
	if (given[role])
		return err_set(err, "role '%s' is given twice", name);
	given[role] = true;
	if (!style_parse(text, is_256 ? COLOUR_256 : COLOUR_16, &style[role], err))
		return err_prefix(err, "role '%s'", name);
	return true;
}

static bool take_option(void *self, const struct option *row, const char *title,
			const struct option_value *value, const struct option_place *place, struct err *err)
{
	struct theme_reader *reader = self;

	(void)place;
	if (!row)
		return err_set(err, "role '%s' has no style", title);
	if (row == &rows[ROW_DESCRIPTION]) {
		snprintf(reader->theme->description, sizeof reader->theme->description, "%s", value->text);
		return true;
	}
	return take_style(reader, row == &rows[ROW_STYLE256], title, value->text, err);
}

/* Joins the two forms, and those of base where a role has no line. */
static bool complete_theme(struct theme_reader *reader, const struct theme *base, struct err *err)
{
	static const struct style plain = {STYLE_DEFAULT_COLOUR, STYLE_DEFAULT_COLOUR, 0};
	struct theme *theme = reader->theme;

	for (int role = 0; role < ROLE_COUNT; role++) {
		if (!theme->given[role] && reader->given256[role])
			return err_set(err, "role '%s' has style256 but no style",
				       role_info((enum role)role)->name);
		if (!theme->given[role]) {
			theme->style16[role] = base ? base->style16[role] : plain;
			theme->style256[role] = base ? base->style256[role] : plain;
		} else if (!reader->given256[role]) {
			theme->style256[role] = theme->style16[role];
		}
	}
	return true;
}

bool theme_parse(const char *file, const char *text, size_t len, const struct theme *base, struct theme *out,
		 struct err *err)
{
	struct theme theme = {0};
	struct theme_reader reader = {.theme = &theme};

	if (!option_parse(rows, ROW_COUNT, file, text, len, take_option, &reader, err))
		return false;
	if (!complete_theme(&reader, base, err))
		return err_prefix(err, "%s", file);
	*out = theme;
	return true;
}

struct style theme_style(const struct theme *theme, enum role role, enum role over, enum colour_depth depth)
{
	const struct style *table = depth == COLOUR_256 ? theme->style256 : theme->style16;
	struct style style = table[role];

	if (over < ROLE_COUNT) {
		style.attr |= table[over].attr;
		if (table[over].fg != STYLE_DEFAULT_COLOUR)
			style.fg = table[over].fg;
		if (table[over].bg != STYLE_DEFAULT_COLOUR)
			style.bg = table[over].bg;
	}
	if (depth == COLOUR_NONE)
		style.fg = style.bg = STYLE_DEFAULT_COLOUR;
	return style;
}
