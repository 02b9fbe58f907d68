/* SPDX-License-Identifier: MIT */
/*
 * theme.h - how does each role look?
 *
 * A theme file has one line for each role (role.h), in the syntax of kahu.conf:
 *
 *     description = "for dark terminals"
 *     role "job.running" { style = "green bold"  style256 = "71 bold" }
 *
 * A style is words in any order: attributes (bold dim italic underline reverse), a colour,
 * and "on" with the background's colour. In style a colour is one of the sixteen names
 * (black red green yellow blue magenta cyan white, each also as bright_red ...) or
 * "default"; in style256 also a number, 0 to 255. Without style256, style serves for both.
 *
 * A terminal without colours, and NO_COLOR, get the attributes of style alone.
 *
 * The shipped themes are compiled in from the files of themes/; a directory may hold others,
 * and one of a shipped name goes before it. TEMPLATE.theme explains every role.
 */
#ifndef DRAW_THEME_H
#define DRAW_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "role.h"
#include "sched/base/err.h"

enum style_attr {
	STYLE_BOLD = 1,
	STYLE_DIM = 2,
	STYLE_ITALIC = 4,
	STYLE_UNDERLINE = 8,
	STYLE_REVERSE = 16
};

#define STYLE_DEFAULT_COLOUR (-1)

struct style {
	int16_t fg, bg; /* 0..15, 0..255, or STYLE_DEFAULT_COLOUR */
	uint8_t attr;   /* of enum style_attr                     */
};

/* What a terminal can do. */
enum colour_depth {
	COLOUR_NONE,
	COLOUR_16,
	COLOUR_256
};

#define THEME_NAME_MAX 32

struct theme {
	char name[THEME_NAME_MAX];
	char description[80];
	struct style style16[ROLE_COUNT];
	struct style style256[ROLE_COUNT];
	bool given[ROLE_COUNT]; /* the file had a line for it; else it is the default theme's */
};

/* A shipped theme as text; built from themes/ by the Makefile. */
struct builtin_theme {
	const char *name; /* "default" */
	const char *text;
};
extern const struct builtin_theme builtin_themes[];
extern const size_t builtin_theme_count;

/*
 * Reads a style. In COLOUR_16 numbers are refused. On failure *out is untouched and err
 * names the word and what is legal.
 */
bool style_parse(const char *text, enum colour_depth depth, struct style *out, struct err *err);

/*
 * Reads a theme file's text. file is for messages. A role without a line takes its style
 * from base; base NULL leaves it plain. Unknown roles, words and repeated roles are
 * refused with file and line; *out is written on success only.
 */
bool theme_parse(const char *file, const char *text, size_t len, const struct theme *base, struct theme *out,
		 struct err *err);

/*
 * Loads a theme by name: NAME.theme of dir (NULL = no directory), else the shipped one.
 * err lists the names there are when it is neither.
 */
bool theme_load(const char *dir, const char *name, struct theme *out, struct err *err);

/* Calls each once for every theme that theme_load would find, in alphabetical order. */
void theme_each(const char *dir, void (*each)(void *self, const char *name), void *self);

/* The style of a cell: a role, with `over` laid over it (ROLE_COUNT = nothing). */
struct style theme_style(const struct theme *theme, enum role role, enum role over, enum colour_depth depth);

#endif
