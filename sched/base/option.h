/* SPDX-License-Identifier: MIT */
/*
 * option.h - configuration options: grammar, checks, error messages and documentation from one table
 *
 * An option is a row: name, type, bounds, default, unit, one sentence of help. Rows belong to scopes: the top
 * level of the file is one scope (""), each kind of section (user, qos, partition, ...) another. The
 * libconfuse tables are built from the rows; option.c is the only file that includes <confuse.h>. libconfuse
 * parses the syntax; values arrive as text and are checked against their row, with one grammar for file,
 * command line and console.
 *
 * Before libconfuse sees the text, it is scanned for errors that libconfuse would accept silently or that
 * would make it exit: NUL bytes, invalid UTF-8, an unclosed section or quote at the end of the file, an
 * option given twice in one section, an unquoted value with trailing characters ("25.0+"). Error messages
 * name file and line, the option, the value and the valid range.
 *
 * Syntax of a file:
 *
 *     # comment                also // comment, and slash-star comment star-slash
 *     name = word              letters, digits and _ . : - @ %
 *     name = "any text"        on one line; \" and \\ are the only escapes, ${ is rejected
 *     name = {"a", b}          for OPTION_LIST; never empty; one element needs no braces
 *     kind title { ... }       a section; a kind has each title once, case ignored
 *     kind { ... }             a section of a scope marked with '!'; only once
 *
 * Sections do not nest. There is no +=, no 'single quote', no include and no ';'.
 *
 * No function here opens a file. libconfuse's scanner keeps its position in global variables, so option_parse
 * takes a lock, and a sink must not call it.
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
	OPTION_REAL,     /* a finite number, possibly with a fraction      */
	OPTION_COUNT,    /* a whole decimal number ("010" is ten)          */
	OPTION_DURATION, /* duration.h; seconds                            */
	OPTION_MEMORY,   /* duration.h; MB                                 */
	OPTION_BOOL,     /* true false yes no on off                       */
	OPTION_CHOICE,   /* one of .choices, any case; value = .min + index */
	OPTION_TEXT,     /* any text that .check accepts                   */
	OPTION_LIST      /* {"a", "b"}: a list of texts that .check accepts */
};

struct option;

/* Checks the syntax of a text value. On failure err says what is wrong, without the option's name. */
typedef bool option_check(const struct option *row, const char *text, struct err *err);

struct option {
	const char *scope; /* "" or the section kind; "!kind": the section has no title */
	const char *name;  /* lower case, as written in the file                    */
	enum option_type type;
	double min, max;            /* legal range of numbers, durations and sizes; INFINITY: no
				     * bound; both 0: every value of the type */
	const char *fallback;       /* the default, as option_read accepts it; for a list, its
				     * only element; NULL = the option has no default */
	const char *unit;           /* shown after values; "" if there is none */
	const char *help;           /* one sentence                                       */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated                      */
	option_check *check;        /* TEXT and LIST: checks each text; NULL = any text     */
	const char *legal;          /* what .check accepts, for messages: "a limit, such as 2,8" */
	unsigned form; /* representation of the value; its meaning is defined by the owner of the rows */
	size_t offset; /* offset of the stored value; defined by the owner of the rows */
};

/*
 * A value that was read and checked. The text is borrowed from the input; in an option_sink it is valid
 * during the call.
 */
struct option_value {
	double number;    /* value of a REAL; for the types with a .whole, the same value as a double */
	int64_t whole;    /* value of a COUNT, DURATION, MEMORY, BOOL or CHOICE */
	const char *text; /* the value as written, for all types */
};

/*
 * Reads one value according to its row. On failure err contains the option, the value and the valid range,
 * without file and line.
 */
bool option_read(const struct option *row, const char *text, struct option_value *out, struct err *err);

/* Finds a row by scope (with or without '!') and name, in any case; NULL if there is none. */
const struct option *option_find(const struct option *rows, size_t count, const char *scope,
				 const char *name);

/*
 * Returns the most similar option name in a scope (str_nearest); scope "" includes the kinds of sections.
 * NULL if none is similar.
 */
const char *option_nearest(const struct option *rows, size_t count, const char *scope, const char *name);

/* Returns the name of a scope as it is written in the file: without '!'. */
const char *option_section_name(const char *scope);

/* The position of a value in the configuration. */
struct option_place {
	const char *file; /* as given to option_parse; borrowed */
	int line;         /* 1-based                            */
};

/*
 * Receives the values from option_parse in the order of the file. title is the section's name ("john" in user
 * john {...}), "" at the top level. For OPTION_LIST the sink is called once for each element. To reject the
 * file, the sink returns false and sets err to a message without the position.
 */
typedef bool option_sink(void *self, const struct option *row, const char *title,
			 const struct option_value *value, const struct option_place *place, struct err *err);

/*
 * Parses a text of `len` bytes; the rows define which section kinds exist. Returns true after every value was
 * read, checked and passed to the sink. Otherwise returns false with a message "file:line: ...", and the
 * caller must discard what the sink received. For an empty section the sink is called once with row == NULL
 * and the kind in value->text.
 */
bool option_parse(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		  option_sink *sink, void *self, struct err *err);

struct str;
/*
 * Prints the rows of one scope as a commented configuration, the shipped defaults. Options without a default
 * are commented out; the caller prints the braces of a section.
 */
void option_print_defaults(const struct option *rows, size_t count, const char *scope, struct str *out);
/*
 * Appends a description of the valid values, such as "a number from 0 to 1000000", "true or false" or
 * "firstfit or none".
 */
void option_print_legal(const struct option *row, struct str *out);

#endif
