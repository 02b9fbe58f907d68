/* SPDX-License-Identifier: MIT */
/*
 * field.h - typed fields of a noun: JSON, tables, filters and sort keys from one row
 *
 * Each noun (a job, a node, a limit ...) has one table of fields, which ends with a zeroed row. A field has a
 * key, a type and a way to get its value from an item. Everything that prints the noun reads this table, so
 * that a fact has one name, one unit and one value wherever it appears:
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
	FIELD_REAL,     /* a number; with two decimals in tables */
	FIELD_PERCENT,  /* a number; rounded, with % in tables              */
	FIELD_SHARE,    /* a fraction of 1; "46.43 %" in tables */
	FIELD_DURATION, /* seconds; "1:00:00" in tables                            */
	FIELD_SECONDS,  /* seconds with fractions in JSON; in tables like FIELD_DURATION */
	FIELD_INSTANT,  /* seconds since 1970; "Thu Mar 24 10:50:09" in tables      */
	FIELD_BOOL,     /* "yes" or "no" in tables                                 */
	FIELD_JSON,     /* text that is JSON already                               */
	/* `of`: fields of the object, which is the member of the item, or value.item if there is a getter */
	FIELD_OBJECT,
	/*
	 * `of`: fields of each item that `each` visits. If `of` is a single field without a key, items are
	 * plain values, each of which has a separate cell in tables.
	 */
	FIELD_LIST,
	/*
	 * An object with a member for each item that `each` visits: the first field of `of` is the key, the
	 * other fields are the value. If the map has no key, its members are added to the enclosing object.
	 */
	FIELD_MAP,
	FIELD_MEMBERS /* `of`: fields that are added to the enclosing object */
};

/* A value. A getter sets the member that the type of its field needs. */
struct value {
	const char *text;
	int64_t whole;
	double real;
	const void *item; /* for FIELD_OBJECT and FIELD_MEMBERS */
	struct str made;  /* empty when the getter is called; `text` may point to its contents */
};

/* Sets v->text to the text that a getter has written to v->made. Returns false if it is empty. */
bool value_made(struct value *v);

typedef bool field_get(const void *item, struct value *out); /* false: not applicable, shown as null or "-" */
typedef void field_visit(void *self, const void *item);
typedef void field_each(const void *item, field_visit *visit, void *self);

/* Storage type of a member. */
enum field_held {
	HELD_NOT, /* not a member: the value comes from a getter */
	HELD_BOOL,
	HELD_U8,
	HELD_U16,
	HELD_I32,
	HELD_U32,
	HELD_I64,
	HELD_U64,
	HELD_DOUBLE, /* a double; NaN: not applicable; seconds if the field is a duration */
	HELD_TEXT,   /* a pointer to a string; NULL: not applicable */
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

/* The value is a struct to which a member points. */
#define FIELD_TO(type, member) .held = HELD_POINTER, .offset = offsetof(type, member)

/* FIELD_AT: the value is a member. FIELD_OR_NULL: the member has a value, `none`, for "not applicable". */
#define FIELD_AT(type, member)            .held = FIELD_HELD(type, member), .offset = offsetof(type, member)
#define FIELD_OR_NULL(type, member, none) FIELD_AT(type, member), .or_null = true, .none_at = (none)

/* A column of a screen's list: its widths in cells and its order of omission, as in tui/draw/table.h. */
struct field_screen {
	uint8_t min, max, drop; /* min 0: not a column of the screen */
	bool flexible, hidden;
	const char *name; /* name in the column picker, if different from the title */
};

#define FIELD_SCREEN(min_, max_, drop_) .screen.min = (min_), .screen.max = (max_), .screen.drop = (drop_)

struct field {
	const char *key;   /* JSON key; NULL: only a column */
	const char *title; /* column title; NULL: no column */
	enum field_type type;
	field_get *get;
	/* Appends the text of the cell and returns its role. NULL: the cell shows the value. */
	enum role (*cell)(const void *item, struct str *out);
	/* Used instead of get by fields that differ only in their keys. */
	bool (*get_named)(const void *item, const char *key, struct value *out);
	const struct field *of;
	field_each *each;
	enum field_held held;
	size_t offset;
	bool or_null;
	int64_t none_at;
	enum text_align align; /* of texts; numbers are right-aligned  */
	unsigned of_set;       /* set (as in `sets`) for the fields in `of`; 0 = the set of the document */
	unsigned sets;         /* documents that contain the field, as bits defined by the noun; 0 = all */
	bool optional; /* if the field does not apply, it is omitted from JSON instead of being null */
	/*
	 * Does the item have this field? If not, the field is omitted from JSON and blank in tables. NULL:
	 * every item has it.
	 */
	bool (*when)(const void *item);
	const char *filter;                      /* name in filters; NULL: none */
	bool search;                             /* also searched by filter words without a field name */
	bool sorts;                              /* is a sort key, which compares values */
	int (*by)(const void *a, const void *b); /* is a sort key, which compares with this function */
	struct field_screen screen;
};

/* Is this the row that ends a table of fields? */
bool field_is_last(const struct field *field);

/* Can a list be sorted by this field? */
bool field_sorts(const struct field *field);

/* Returns the field with this key, or with this title if it has no key; NULL if there is none. */
const struct field *field_find(const struct field *fields, const char *key);

/*
 * Gets the value of a field for an item. Returns false if the field does not apply. Free out->made with
 * str_free.
 */
bool field_value(const struct field *field, const void *item, struct value *out);

/* Appends the text of the table cell, "-" if the field does not apply, and returns its role. */
enum role field_cell(const struct field *field, const void *item, struct str *out);

/* Compares by value (negative, 0, positive); items to which the field does not apply come last. */
int field_compare(const struct field *field, const void *a, const void *b);

/* --- JSON --------------------------------------------------------------------------------------------- */

/* Writes the fields as members of the open object. set: one bit of `sets`, or 0 if the noun has no sets. */
void fields_json(struct json *j, const struct field *fields, unsigned set, const void *item);

/* fields_object writes the fields as an object, fields_document as a whole document with a final newline. */
void fields_object(struct json *j, const char *key, const struct field *fields, unsigned set,
		   const void *item);
void fields_document(struct str *out, const struct field *fields, unsigned set, const void *item);

/* Writes a document that is an array of the items that `each` visits. of: fields of an item. */
void fields_array(struct str *out, const struct field *of, unsigned set, field_each *each, const void *item);

/* --- screens ------------------------------------------------------------------------------------------ */

/* Sets *out to the field's column on a screen. Returns false if the field has no such column. */
bool field_screen_column(const struct field *field, struct table_column *out);

/* Returns the name in the column picker. */
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
 * Begins a table with `count` columns, whose keys must exist in `fields`. Both arrays are borrowed. Free with
 * field_table_free.
 */
void field_table_begin(struct field_table *t, const struct field *fields, const struct field_column *column,
		       size_t count);
void field_table_add(struct field_table *t, const void *item);
/* Like field_table_add, with the signature of field_visit. */
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
