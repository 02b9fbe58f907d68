/* SPDX-License-Identifier: MIT */
/*
 * field.c - typed fields of a noun: JSON, tables, filters and sort keys from one row
 */
#include "field.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "filter.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/table.h"

/* --- values ------------------------------------------------------------------------------------------- */

bool field_is_last(const struct field *f)
{
	return f->key == NULL && f->title == NULL && f->filter == NULL && f->type != FIELD_MEMBERS &&
	       f->type != FIELD_MAP;
}

bool field_sorts(const struct field *f)
{
	return f->sorts || f->by != NULL;
}

const struct field *field_find(const struct field *fields, const char *key)
{
	for (const struct field *f = fields; !field_is_last(f); f++)
		if (strcmp(f->key != NULL ? f->key : f->title != NULL ? f->title : "", key) == 0)
			return f;
	return NULL;
}

bool value_made(struct value *v)
{
	v->text = str_text(&v->made);
	return v->made.len > 0;
}

static bool is_real(const struct field *f)
{
	return f->type == FIELD_REAL || f->type == FIELD_PERCENT || f->type == FIELD_SHARE ||
	       f->type == FIELD_SECONDS;
}

static bool is_text(const struct field *f)
{
	return f->type == FIELD_TEXT || f->type == FIELD_JSON;
}

/* Reads the field's member of the item. Returns false if the field does not apply. */
static bool read_member(const struct field *f, const void *item, struct value *out)
{
	const void *at = (const char *)item + f->offset;

	switch (f->held) {
	case HELD_BOOL:
		out->whole = *(const bool *)at;
		break;
	case HELD_U8:
		out->whole = *(const uint8_t *)at;
		break;
	case HELD_U16:
		out->whole = *(const uint16_t *)at;
		break;
	case HELD_I32:
		out->whole = *(const int *)at;
		break;
	case HELD_U32:
		out->whole = *(const uint32_t *)at;
		break;
	case HELD_I64:
		out->whole = *(const int64_t *)at;
		break;
	case HELD_U64:
		out->whole = (int64_t) * (const uint64_t *)at;
		break;
	case HELD_DOUBLE:
		out->real = *(const double *)at;
		out->whole = isfinite(out->real) ? (int64_t)out->real : 0;
		return isfinite(out->real);
	case HELD_TEXT:
		out->text = *(const char *const *)at;
		return out->text != NULL;
	case HELD_STR:
		out->text = str_text(at);
		return out->text[0] != '\0';
	case HELD_POINTER:
		out->item = *(const void *const *)at;
		return out->item != NULL;
	case HELD_ITEM:
	case HELD_NOT:
		out->item = out->text = at;
		return true;
	}
	out->real = (double)out->whole;
	return !f->or_null || out->whole != f->none_at;
}

bool field_value(const struct field *f, const void *item, struct value *out)
{
	bool applies;

	str_clear(&out->made);
	if (f->get != NULL)
		applies = f->get(item, out);
	else if (f->get_named != NULL)
		applies = f->get_named(item, f->key, out);
	else
		applies = read_member(f, item, out);
	return applies && (!is_text(f) || out->text != NULL);
}

static void add_value(const struct field *f, const struct value *v, struct str *out)
{
	char duration[DURATION_TEXT], moment[MOMENT_TEXT];

	switch (f->type) {
	case FIELD_TEXT:
		str_add(out, v->text);
		break;
	case FIELD_COUNT:
		str_addf(out, "%" PRId64, v->whole);
		break;
	case FIELD_REAL:
		str_addf(out, "%.2f", v->real);
		break;
	case FIELD_PERCENT:
		str_addf(out, "%.0f%%", v->real);
		break;
	case FIELD_SHARE:
		str_addf(out, "%.2f %%", 100 * v->real);
		break;
	case FIELD_DURATION:
		str_add(out, duration_text(duration, v->whole));
		break;
	case FIELD_SECONDS:
		str_add(out, duration_text(duration, (int64_t)v->real));
		break;
	case FIELD_INSTANT:
		str_add(out, wallclock_long(moment, v->whole));
		break;
	case FIELD_BOOL:
		str_add(out, v->whole != 0 ? "yes" : "no");
		break;
	case FIELD_JSON:
	case FIELD_OBJECT:
	case FIELD_LIST:
	case FIELD_MAP:
	case FIELD_MEMBERS:
		break;
	}
}

enum role field_cell(const struct field *f, const void *item, struct str *out)
{
	struct value v = {.text = NULL};

	if (f->when != NULL && !f->when(item))
		return ROLE_TEXT;
	if (f->cell != NULL)
		return f->cell(item, out);
	if (field_value(f, item, &v))
		add_value(f, &v, out);
	else
		str_add_char(out, '-');
	str_free(&v.made);
	return ROLE_TEXT;
}

static int compare_values(const struct field *f, const struct value *x, const struct value *y)
{
	if (f->type == FIELD_TEXT)
		return strcmp(x->text, y->text);
	if (is_real(f))
		return (x->real > y->real) - (x->real < y->real);
	return (x->whole > y->whole) - (x->whole < y->whole);
}

int field_compare(const struct field *f, const void *a, const void *b)
{
	struct value x = {.text = NULL}, y = {.text = NULL};
	bool has_x, has_y;
	int order;

	if (f->by != NULL)
		return f->by(a, b);
	has_x = field_value(f, a, &x);
	has_y = field_value(f, b, &y);
	order = has_x && has_y ? compare_values(f, &x, &y) : has_y - has_x;
	str_free(&x.made);
	str_free(&y.made);
	return order;
}

/* --- JSON --------------------------------------------------------------------------------------------- */

struct list_json {
	struct json *j;
	const struct field *of;
	unsigned set;
};

static void put_value(struct json *j, const char *key, const struct field *f, const struct value *v)
{
	switch (f->type) {
	case FIELD_TEXT:
		json_text(j, key, v->text);
		break;
	case FIELD_JSON:
		json_raw(j, key, v->text);
		break;
	case FIELD_REAL:
	case FIELD_PERCENT:
	case FIELD_SHARE:
	case FIELD_SECONDS:
		json_real(j, key, v->real);
		break;
	case FIELD_BOOL:
		json_bool(j, key, v->whole != 0);
		break;
	case FIELD_COUNT:
	case FIELD_DURATION:
	case FIELD_INSTANT:
		json_int(j, key, v->whole);
		break;
	case FIELD_OBJECT:
	case FIELD_LIST:
	case FIELD_MAP:
	case FIELD_MEMBERS:
		break;
	}
}

static void put_field(struct json *j, const char *key, const struct field *f, unsigned set, const void *item);

/* Writes an item of a list or map. If `of` is a single field without a key, the item is a plain value. */
static void put_element(const struct list_json *l, const char *key, const struct field *of, const void *item)
{
	if (of->key == NULL && of->type != FIELD_MEMBERS && field_is_last(of + 1))
		put_field(l->j, key, of, l->set, item);
	else
		fields_object(l->j, key, of, l->set, item);
}

static void put_item(void *self, const void *item)
{
	const struct list_json *l = self;

	put_element(l, NULL, l->of, item);
}

static void put_entry(void *self, const void *item)
{
	const struct list_json *l = self;
	struct value key = {.text = NULL};

	if (field_value(l->of, item, &key))
		put_element(l, key.text, l->of + 1, item);
	str_free(&key.made);
}

static void put_map(struct json *j, const char *key, const struct field *f, unsigned set, const void *item)
{
	struct list_json map = {j, f->of, set};

	if (key != NULL)
		json_open(j, key, '{');
	f->each(item, put_entry, &map);
	if (key != NULL)
		json_close(j);
}

static void put_list(struct json *j, const char *key, const struct field *of, field_each *each, unsigned set,
		     const void *item)
{
	struct list_json list = {j, of, set};

	json_open(j, key, '[');
	each(item, put_item, &list);
	json_close(j);
}

static void put_field(struct json *j, const char *key, const struct field *f, unsigned set, const void *item)
{
	struct value v = {.text = NULL};

	if (f->of_set != 0)
		set = f->of_set;
	if (!field_value(f, item, &v)) {
		if (!f->optional && f->type != FIELD_MEMBERS)
			json_null(j, key);
	} else if (f->type == FIELD_LIST) {
		put_list(j, key, f->of, f->each, set, item);
	} else if (f->type == FIELD_MAP) {
		put_map(j, key, f, set, item);
	} else if (f->type == FIELD_OBJECT) {
		fields_object(j, key, f->of, set, v.item);
	} else if (f->type == FIELD_MEMBERS) {
		fields_json(j, f->of, set, v.item);
	} else {
		put_value(j, key, f, &v);
	}
	str_free(&v.made);
}

void fields_array(struct str *out, const struct field *of, unsigned set, field_each *each, const void *item)
{
	struct json j = {.out = out};

	put_list(&j, NULL, of, each, set, item);
	str_add_char(out, '\n');
}

static bool is_in(const struct field *f, unsigned set)
{
	return f->sets == 0 || (f->sets & set) != 0;
}

void fields_json(struct json *j, const struct field *fields, unsigned set, const void *item)
{
	for (const struct field *f = fields; !field_is_last(f); f++)
		if (is_in(f, set) && (f->when == NULL || f->when(item)) &&
		    (f->key != NULL || f->type == FIELD_MEMBERS || f->type == FIELD_MAP))
			put_field(j, f->key, f, set, item);
}

void fields_object(struct json *j, const char *key, const struct field *fields, unsigned set,
		   const void *item)
{
	json_open(j, key, '{');
	fields_json(j, fields, set, item);
	json_close(j);
}

void fields_document(struct str *out, const struct field *fields, unsigned set, const void *item)
{
	struct json j = {.out = out};

	fields_object(&j, NULL, fields, set, item);
	str_add_char(out, '\n');
}

/* --- tables ------------------------------------------------------------------------------------------- */

static enum text_align align_of(const struct field *f)
{
	return f->type >= FIELD_COUNT && f->type <= FIELD_SECONDS ? TEXT_RIGHT : f->align;
}

void field_table_begin(struct field_table *t, const struct field *fields, const struct field_column *column,
		       size_t count)
{
	*t = (struct field_table){.chosen = column};
	for (size_t i = 0; i < count; i++) {
		const struct field *f = field_find(fields, column[i].key);
		enum text_align align = column[i].align == 'l'   ? TEXT_LEFT
					: column[i].align == 'r' ? TEXT_RIGHT
								 : align_of(f);

		t->field[i] = f;
		t->spare[i] = column[i].drop;
		t->column[i] =
			(struct report_column){column[i].title != NULL ? column[i].title : f->title, align};
	}
	t->report.column = t->column;
	t->report.columns = count;
	t->report.spare = t->spare;
}

struct list_cells {
	struct report *r;
	const struct field *of;
};

static void add_item_cell(void *self, const void *item)
{
	const struct list_cells *l = self;
	struct str text = {0};

	field_cell(l->of, item, &text);
	report_cell(l->r, str_text(&text));
	str_free(&text);
}

static void add_cells(struct report *r, const struct field *f, const struct field_column *column,
		      const void *item)
{
	struct str text = {0};

	if (f->type == FIELD_LIST && column->cell == NULL && f->cell == NULL) {
		f->each(item, add_item_cell, &(struct list_cells){r, f->of});
		return;
	}
	if (column->cell != NULL)
		column->cell(item, &text);
	else
		field_cell(f, item, &text);
	report_cell(r, str_text(&text));
	str_free(&text);
}

void field_table_add(struct field_table *t, const void *item)
{
	for (size_t i = 0; i < t->report.columns; i++)
		add_cells(&t->report, t->field[i], &t->chosen[i], item);
}

void field_table_visit(void *table, const void *item)
{
	field_table_add(table, item);
}

void field_cells(struct report *r, const struct field *fields, const struct field_column *column,
		 size_t count, const void *item)
{
	for (size_t i = 0; i < count; i++)
		add_cells(r, field_find(fields, column[i].key), &column[i], item);
}

void field_table_print(const struct field_table *t, int indent, bool ascii, struct str *out)
{
	report_print(&t->report, indent, ascii, out);
}

void field_table_free(struct field_table *t)
{
	report_free(&t->report);
}

/* --- screens ------------------------------------------------------------------------------------------ */

bool field_screen_column(const struct field *f, struct table_column *out)
{
	*out = (struct table_column){.title = f->title,
				     .min = f->screen.min,
				     .max = f->screen.max,
				     .align = align_of(f),
				     .drop = f->screen.drop,
				     .flexible = f->screen.flexible,
				     .hidden = f->screen.hidden};
	return f->screen.min > 0;
}

const char *field_screen_name(const struct field *f)
{
	return f->screen.name != NULL ? f->screen.name : f->title;
}

/* --- filters ------------------------------------------------------------------------------------------ */

void fields_filter_names(const struct field *fields, struct str *out)
{
	for (const struct field *f = fields; !field_is_last(f); f++)
		if (f->filter != NULL)
			str_addf(out, "%s%s", out->len > 0 ? " " : "", f->filter);
}

/*
 * Returns the value as filters compare it: texts unchanged, numbers in the unit of the field. NULL: not
 * applicable.
 */
static const char *filter_text_of(const struct field *f, const void *item, struct value *v)
{
	if (!field_value(f, item, v))
		return NULL;
	if (is_text(f))
		return v->text;
	str_clear(&v->made);
	if (is_real(f))
		str_addf(&v->made, "%.15g", v->real);
	else
		str_addf(&v->made, "%" PRId64, v->whole);
	return str_text(&v->made);
}

/* Values are computed only if the filter needs them, because some are expensive. */
bool fields_match(const struct filter *filter, const struct field *fields, const void *item)
{
	struct named_text text[FIELD_COLUMNS_MAX];
	struct value value[FIELD_COLUMNS_MAX];
	size_t count = 0, searched = 0;
	bool matches;

	if (filter->count == 0)
		return true;
	for (int search = 1; search >= 0; search--) {
		for (const struct field *f = fields; !field_is_last(f); f++) {
			if (f->filter == NULL || f->search != (search == 1) ||
			    (search == 0 && !filter_names(filter, f->filter)))
				continue;
			value[count] = (struct value){.text = NULL};
			text[count] = (struct named_text){f->filter, filter_text_of(f, item, &value[count])};
			count++;
		}
		searched = search == 1 ? count : searched;
	}
	matches = filter_match_named(filter, text, searched, count);
	while (count > 0)
		str_free(&value[--count].made);
	return matches;
}
