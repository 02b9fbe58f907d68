/* SPDX-License-Identifier: MIT */
/*
 * option.h - how does one table of rows become a configuration file's grammar, its
 * checks, its error sentences and its documentation?
 *
 * An option is a row: name, type, bounds, default, unit, one sentence. Rows stand in
 * scopes: the top level of the file is one scope ("" below), each kind of section
 * (user, qos, partition, ...) another. The libconfuse tables are built from the rows;
 * this is the only file that includes <confuse.h>. libconfuse reads syntax; values
 * arrive as text and are checked here, by row, with one grammar for file, command line
 * and console.
 *
 * Before libconfuse sees a byte the text is scanned for what libconfuse would take
 * silently or die from: NUL bytes, invalid UTF-8, a section or a quote not closed at
 * the end, an option given twice in one section, an unquoted value followed by a sign
 * or other rest ("25.0+"). Errors say file:line, option, value and the legal range.
 *
 * What may stand in a file:
 *
 *     # to the end of the line, // likewise, and between slash-star and star-slash
 *     name = word              letters, digits and _ . : - @ %
 *     name = "any text"        on one line; \" and \\ are the only escapes, ${ is refused
 *     name = {"a", b}          for OPTION_LIST; never empty; one element needs no braces
 *     kind title { ... }       a section; each title once, any case ("DEFAULT", "default")
 *     kind { ... }             a section of a scope that is marked with '!'; once
 *
 * Sections do not nest. There is no +=, no 'single quote', no include and no ';'.
 *
 * Nothing here opens a file: texts come in, calls go out. libconfuse's scanner keeps
 * its place in globals, so threads take turns in option_parse; a sink must not call it.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define OPTION_TEXT_MAX     ((size_t)1 << 20) /* bytes in one text    */
#define OPTION_SECTIONS_MAX 10000             /* sections in one text */

enum option_type {
	OPTION_REAL,     /* a finite number, fractions allowed             */
	OPTION_COUNT,    /* a whole decimal number ("010" is ten)           */
	OPTION_DURATION, /* duration.h; seconds                             */
	OPTION_MEMORY,   /* duration.h; MB                                  */
	OPTION_BOOL,     /* true false yes no on off                        */
	OPTION_CHOICE,   /* one of .choices, any case; value = .min + its position */
	OPTION_TEXT,     /* any text that .check takes                      */
	OPTION_LIST      /* {"a", "b"}: such texts                          */
};

struct option;

/* Does a text mean something? False: a sentence that says why not, without the option's name. */
typedef bool option_check(const struct option *row, const char *text, struct err *err);

struct option {
	const char *scope; /* "" or the section kind; "!kind": the section has no title */
	const char *name;  /* lower case, as written in the file                    */
	enum option_type type;
	double min, max;            /* legal range of numbers, durations and sizes; INFINITY
				     * is open; both 0 = whatever the type can hold       */
	const char *fallback;       /* the default as option_read takes it, of a list its
				     * only element; NULL = unset                         */
	const char *unit;           /* shown after values; "" when none                   */
	const char *help;           /* one sentence                                       */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated                      */
	option_check *check;        /* TEXT and LIST: of each text; NULL = any will do     */
	const char *legal;          /* with .check: what it takes, "a limit, such as 2,8"  */
	unsigned form;              /* for the owner of the rows: how the value is kept    */
	size_t offset;              /* likewise: where                                     */
};

/* One value, read and checked. Text is borrowed from what was read; in a sink it lasts for the call. */
struct option_value {
	double number;    /* REAL; also the whole number of the next line, as double */
	int64_t whole;    /* COUNT DURATION MEMORY BOOL CHOICE                        */
	const char *text; /* TEXT and LIST; and always the value as it was written    */
};

/*
 * Reads one value by its row. On failure err says option, value and what is legal,
 * without file and line.
 */
bool option_read(const struct option *row, const char *text, struct option_value *out, struct err *err);

/* Finds a row by scope (with or without '!') and name, any case; NULL if none. */
const struct option *option_find(const struct option *rows, size_t count, const char *scope,
				 const char *name);

/* The name that was probably meant (str_nearest); in scope "" section kinds count too. NULL if none. */
const char *option_nearest(const struct option *rows, size_t count, const char *scope, const char *name);

/* A scope as it is written in the file: without '!'. */
const char *option_section_name(const char *scope);

/* Where a value came from. */
struct option_place {
	const char *file; /* as given to option_parse; borrowed */
	int line;         /* 1-based                            */
};

/*
 * What option_parse hands over, in the order of the file. title is the section's name
 * ("john" in user john {...}), "" at the top level. For OPTION_LIST the call comes once
 * for each element. Return false (with err set, without place) to refuse the file.
 */
typedef bool option_sink(void *self, const struct option *row, const char *title,
			 const struct option_value *value, const struct option_place *place, struct err *err);

/*
 * Parses a whole text of `len` bytes. scopes: which section kinds exist is read off the
 * rows. Either every value was read, checked and handed over, or false with a sentence
 * "file:line: ...": then the caller throws away what it was handed. A section that is
 * opened but empty is handed over as one call with row == NULL, the kind in value->text.
 */
bool option_parse(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		  option_sink *sink, void *self, struct err *err);

struct str;
/*
 * The rows of one scope as a commented configuration text: the shipped defaults. Unset
 * options stand there as comments; the braces of a section are the caller's.
 */
void option_print_defaults(const struct option *rows, size_t count, const char *scope, struct str *out);
/* "a number from 0 to 1000000", "true or false", "firstfit or none": for messages and help. */
void option_print_legal(const struct option *row, struct str *out);

#endif
