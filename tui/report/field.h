/* SPDX-License-Identifier: MIT */
/*
 * field.h - typed fields of a noun: JSON, tables, filters and sort keys from one row
 *
 * Each noun (a job, a node, a limit ...) has one table of fields, which ends with a row without a key and a
 * title. A field has a key, a type and a way to get its value from an item. Everything that
 * prints the noun reads this table, so that a fact has one name, one unit and one value wherever it appears:
 *
 *     static const struct field limit_fields[] = {
 *             {"in_use", "IN USE", FIELD_COUNT, FIELD_AT(struct limit_row, used)},
 *             {"soft", "SOFT", FIELD_COUNT, FIELD_OR_NULL(struct limit_row, soft, LIMIT_UNLIMITED)},
 *             {"percent", "OF SOFT", FIELD_PERCENT, .get = get_percent},
 *             {0},
 *     };
 *
 * A value comes from a member of the item (FIELD_AT), or from a getter. Objects and arrays have tables of
 * their own, so that a whole JSON document is a table as well.
 */
#ifndef REPORT_FIELD_H
#define REPORT_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"
#include "sched/base/str.h"
#include "tui/draw/theme.h"

struct filter;       /* filter.h */
struct json;         /* sched/base/json.h */
struct table_column; /* tui/draw/table.h */

enum field_type {
	FIELD_TEXT,
	FIELD_COUNT,    /* a whole number                                          */
	FIELD_REAL,     /* a number; two decimals in tables         */
	FIELD_PERCENT,  /* a number; rounded, with % in tables              */
	FIELD_SHARE,    /* a part of 1; "46.43 %" in tables                        */
	FIELD_DURATION, /* seconds; "1:00:00" in tables                            */
	FIELD_SECONDS,  /* the same with fractions in JSON                         */
	FIELD_INSTANT,  /* seconds since 1970; "Thu Mar 24 10:50:09" in tables      */
	FIELD_BOOL,     /* "yes" or "no" in tables                                 */
	FIELD_JSON,     /* text that is JSON already                               */
	FIELD_OBJECT,   /* of: its fields. The item is the member, or what get puts in value.item */
	/*
	 * of: the fields of each item that `each` visits; one field without a key: plain values, each a cell
	 * of its own in tables
	 */
	FIELD_LIST,
	/*
	 * An object with a member for each item that `each` visits: the first field is its key, the others
	 * its value. Without a key of its own, members of the enclosing object.
	 */
	FIELD_MAP,
	FIELD_MEMBERS /* of: fields of the enclosing object itself                */
};

/* What a getter fills: the part that the type of the field needs. */
struct value {
	const char *text;
	int64_t whole;
	double real;
	const void *item; /* of FIELD_OBJECT and FIELD_MEMBERS                    */
	struct str made;  /* empty when the getter is called; `text` may point to its contents */
};

/* Text that the getter has written to value->made. False if it is empty. */
bool value_made(struct value *v);

typedef bool field_get(const void *item, struct value *out); /* false: not applicable; null, "-" */
typedef void field_visit(void *self, const void *item);
typedef void field_each(const void *item, field_visit *visit, void *self);

/* Storage type of a member. */
enum field_held {
	HELD_NOT, /* no member: the value comes from a getter */
	HELD_BOOL,
	HELD_U8,
	HELD_U16,
	HELD_I32,
	HELD_U32,
	HELD_I64,
	HELD_U64,
	HELD_DOUBLE, /* NaN: not applicable; in seconds where the field is a duration */
	HELD_TEXT,   /* a pointer; NULL gives null    */
	HELD_STR,    /* a struct str; empty: not applicable */
	HELD_ITEM,   /* a struct, or an array of char */
	HELD_POINTER /* a pointer to a struct         */
};

#define FIELD_HELD(type, member)                                                                             \
	_Generic(&((type *)0)->member,                                                                         \
		bool *: HELD_BOOL,                                                                              \
		uint8_t *: HELD_U8,                                                                             \
		uint16_t *: HELD_U16,                                                                           \
		int *: HELD_I32,                                                                                \
		uint32_t *: HELD_U32,                                                                           \
		int64_t *: HELD_I64,                                                                            \
		uint64_t *: HELD_U64,                                                                           \
		double *: HELD_DOUBLE,                                                                          \
		char **: HELD_TEXT,                                                                            \
		const char **: HELD_TEXT,                                                                      \
		struct str *: HELD_STR, \
		default: HELD_ITEM)

/* A struct to which a member points. */
#define FIELD_TO(type, member) .held = HELD_POINTER, .offset = offsetof(type, member)

/* A member; and a member with a value that means "none". */
#define FIELD_AT(type, member)            .held = FIELD_HELD(type, member), .offset = offsetof(type, member)
#define FIELD_OR_NULL(type, member, none) FIELD_AT(type, member), .or_null = true, .none_at = (none)

/* A column of a screen's list; widths in cells, as in tui/draw/table.h. */
struct field_screen {
	uint8_t min, max, drop; /* 0: not a column of the screen */
	bool flexible, hidden;
	const char *name; /* in the column picker, if different from the title */
};

#define FIELD_SCREEN(min_, max_, drop_) .screen.min = (min_), .screen.max = (max_), .screen.drop = (drop_)

struct field {
	const char *key;   /* JSON key; NULL: only a column */
	const char *title; /* column title; NULL: no column */
	enum field_type type;
	field_get *get;
	/* Text and role of the cell. NULL: the value as text. */
	enum role (*cell)(const void *item, struct str *out);
	/* Instead of get, for fields that differ only in their key. */
	bool (*get_named)(const void *item, const char *key, struct value *out);
	const struct field *of;
	field_each *each;
	enum field_held held;
	size_t offset;
	bool or_null;
	int64_t none_at;
	enum text_align align; /* of texts; numbers are right-aligned  */
	unsigned of_set;       /* the set of `of`; 0 = that of the document */
	unsigned sets;         /* documents that contain it, as bits defined by the noun; 0 = all */
	bool optional;         /* omitted from JSON, instead of null, if it does not apply */
	/* where it is false: omitted from JSON, blank in tables; NULL: always */
	bool (*when)(const void *item);
	const char *filter;                      /* name in filters; NULL: none */
	bool search;                             /* filter words without a field search it               */
	bool sorts;                              /* sort key: by value */
	int (*by)(const void *a, const void *b); /* or by this comparison */
	struct field_screen screen;
};

/* Is it the row that ends the table? */
bool field_is_last(const struct field *field);

/* Can a list be sorted by it? */
bool field_sorts(const struct field *field);

/* The field with this key; NULL if there is none. */
const struct field *field_find(const struct field *fields, const char *key);

/* The value of a simple field. False: not applicable. Free value->made with str_free. */
bool field_value(const struct field *field, const void *item, struct value *out);

/* Appends the table cell, "-" if the field does not apply. */
enum role field_cell(const struct field *field, const void *item, struct str *out);

/* Compares by value (negative, 0, positive); items to which the field does not apply come last. */
int field_compare(const struct field *field, const void *a, const void *b);

/* --- JSON --------------------------------------------------------------------------------------------- */

/* The fields as members of the open object; set: one bit of `sets`, 0 for a noun without sets. */
void fields_json(struct json *j, const struct field *fields, unsigned set, const void *item);

/* The fields as an object; a whole document, followed by a newline. */
void fields_object(struct json *j, const char *key, const struct field *fields, unsigned set,
		   const void *item);
void fields_document(struct str *out, const struct field *fields, unsigned set, const void *item);

/* A document that is an array of what `each` visits. */
void fields_array(struct str *out, const struct field *of, unsigned set, field_each *each, const void *item);

/* --- screens ------------------------------------------------------------------------------------------ */

/*
 * The column of a screen's list, hidden by default if its row says so. False: the screen has no such column.
 */
bool field_screen_column(const struct field *field, struct table_column *out);

/* Name in the column picker. */
const char *field_screen_name(const struct field *field);

/* --- tables ------------------------------------------------------------------------------------------- */

/* A column selected by a verb. */
struct field_column {
	const char *key; /* key of the field, or its title if it has no key */
	uint8_t drop; /* narrow output omits the column with the largest value first; 0 = never (report.h) */
	const char *title; /* overrides the field's title */
	/* 'l' or 'r': overrides the field's alignment */
	char align;
	enum role (*cell)(const void *item, struct str *out); /* overrides the field's cell */
};

#define FIELD_COLUMNS_MAX 32

struct field_table {
	struct report report; /* width, no_titles and least may be set */
	const struct field *field[FIELD_COLUMNS_MAX];
	const struct field_column *chosen;
	struct report_column column[FIELD_COLUMNS_MAX];
	unsigned char spare[FIELD_COLUMNS_MAX];
};

/*
 * Each key of the `count` columns must exist in fields. All arguments are borrowed. Free with
 * field_table_free.
 */
void field_table_begin(struct field_table *t, const struct field *fields, const struct field_column *column,
		       size_t count);
void field_table_add(struct field_table *t, const void *item);
/* The same for field_each. */
void field_table_visit(void *table, const void *item);
void field_table_print(const struct field_table *t, int indent, bool ascii, struct str *out);
void field_table_free(struct field_table *t);

/* Adds the cells of a row to a report that has other rows as well. */
void field_cells(struct report *r, const struct field *fields, const struct field_column *column,
		 size_t count, const void *item);

/* --- filters ------------------------------------------------------------------------------------------ */

/* Appends the names that a filter can use, separated by blanks. */
void fields_filter_names(const struct field *fields, struct str *out);

/* Does the item match the filter? */
bool fields_match(const struct filter *f, const struct field *fields, const void *item);

#endif
