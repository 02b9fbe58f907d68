/* SPDX-License-Identifier: MIT */
/*
 * test_field.c - typed fields: JSON, tables, filters and order from one row
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/json.h"
#include "tui/draw/table.h"
#include "tui/report/field.h"
#include "tui/report/filter.h"

struct part {
	double share;
};

struct thing {
	const char *name;
	int64_t limit_s;
	uint32_t procs;
	bool busy;
	struct part part;
	uint8_t ports[2];
};

static bool get_name_with_mark(const void *item, struct value *out)
{
	const struct thing *t = item;

	if (t->name != NULL)
		str_addf(&out->made, "%s!", t->name);
	return value_made(out);
}

static bool get_length_of(const void *item, const char *key, struct value *out)
{
	(void)item;
	out->whole = (int64_t)strlen(key);
	return true;
}

static void each_port(const void *item, field_visit *visit, void *self)
{
	const struct thing *t = item;

	for (int i = 0; i < 2; i++)
		visit(self, &t->ports[i]);
}

static enum role cell_busy(const void *item, struct str *out)
{
	str_add(out, ((const struct thing *)item)->busy ? "!" : ".");
	return ROLE_STRONG;
}

static const struct field part_fields[] = {
	{"share", NULL, FIELD_REAL, FIELD_AT(struct part, share)},
	{0},
};

static const struct field port_fields[] = {
	{NULL, NULL, FIELD_COUNT, .held = HELD_U8},
	{0},
};

enum {
	SHORT = 1,
	LONG = 2
};

static const struct field thing_fields[] = {
	{"name", "NAME", FIELD_TEXT, FIELD_AT(struct thing, name), .filter = "name", .search = true,
	 .sorts = true, FIELD_SCREEN(5, 8, 2), .screen.name = "WHO"},
	{"limit_s", "LIMIT", FIELD_DURATION, FIELD_OR_NULL(struct thing, limit_s, 0), .filter = "limit",
	 .sorts = true},
	{"procs", "PROC", FIELD_COUNT, FIELD_AT(struct thing, procs), .filter = "procs"},
	{"busy", "B", FIELD_BOOL, FIELD_AT(struct thing, busy), .cell = cell_busy, .sets = LONG},
	{"part", NULL, FIELD_OBJECT, FIELD_AT(struct thing, part), .of = part_fields, .sets = LONG},
	{.type = FIELD_MEMBERS, FIELD_AT(struct thing, part), .of = part_fields, .sets = LONG},
	{"ports", NULL, FIELD_LIST, .each = each_port, .of = port_fields, .sets = LONG},
	{"shout", NULL, FIELD_TEXT, .get = get_name_with_mark, .optional = true, .sets = LONG},
	{"four", NULL, FIELD_COUNT, .get_named = get_length_of, .sets = LONG},
	{0},
};

static const struct thing eva = {"eva", 90, 8, true, {0.5}, {7, 9}}, unnamed = {NULL, 0, 2, false, {0}, {0}};

static void check_json(unsigned set, const struct thing *t, const char *expected)
{
	struct str out = {0};

	fields_document(&out, thing_fields, set, t);
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

static void json_has_the_fields_of_its_set(void **state)
{
	(void)state;
	check_json(SHORT, &eva, "{\"name\":\"eva\",\"limit_s\":90,\"procs\":8}\n");
	check_json(LONG, &eva,
		   "{\"name\":\"eva\",\"limit_s\":90,\"procs\":8,\"busy\":true,\"part\":{\"share\":0.5},"
		   "\"share\":0.5,\"ports\":[7,9],\"shout\":\"eva!\",\"four\":4}\n");
}

static void an_inapplicable_field_is_null_or_omitted(void **state)
{
	(void)state;
	check_json(LONG, &unnamed,
		   "{\"name\":null,\"limit_s\":null,\"procs\":2,\"busy\":false,\"part\":{\"share\":0},"
		   "\"share\":0,\"ports\":[0,0],\"four\":4}\n");
}

static void a_table_shows_the_chosen_columns(void **state)
{
	static const struct field_column columns[] = {
		{.key = "procs"},
		{.key = "name", .title = "CALLED"},
		{.key = "limit_s", .align = 'l'},
		{.key = "busy"},
	};
	struct field_table t;
	struct str out = {0};

	(void)state;
	field_table_begin(&t, thing_fields, columns, 4);
	field_table_add(&t, &eva);
	field_table_add(&t, &unnamed);
	field_table_print(&t, 0, true, &out);
	field_table_free(&t);
	assert_string_equal(str_text(&out), "PROC  CALLED  LIMIT    B\n"
					    "   8  eva     0:01:30  !\n"
					    "   2  -       -        .\n");
	str_free(&out);
}

static bool matches(const char *text, const struct thing *t)
{
	struct filter f = {0};
	bool result;

	filter_set(&f, text);
	result = fields_match(&f, thing_fields, t);
	filter_clear(&f);
	return result;
}

static void a_filter_reads_the_fields(void **state)
{
	struct str names = {0};

	(void)state;
	fields_filter_names(thing_fields, &names);
	assert_string_equal(str_text(&names), "name limit procs");
	str_free(&names);
	assert_true(matches("", &eva));
	assert_true(matches("ev", &eva));
	assert_false(matches("8", &eva)); /* words match texts only */
	assert_true(matches("procs>4 limit<=2m name=eva", &eva));
	assert_false(matches("procs>4", &unnamed));
}

static void rows_are_ordered_by_value_and_missing_values_come_last(void **state)
{
	const struct thing bob = {.name = "bob", .limit_s = 1000};
	const struct field *limit = field_find(thing_fields, "limit_s"),
			   *name = field_find(thing_fields, "name");

	(void)state;
	assert_true(field_compare(name, &bob, &eva) < 0);
	assert_true(field_compare(limit, &bob, &eva) > 0);
	assert_true(field_compare(limit, &unnamed, &bob) > 0);
	assert_true(field_compare(limit, &bob, &unnamed) < 0);
	assert_int_equal(field_compare(limit, &bob, &bob), 0);
	assert_true(field_sorts(name));
	assert_false(field_sorts(field_find(thing_fields, "procs")));
	assert_null(field_find(thing_fields, "none"));
}

static void a_field_defines_its_screen_column(void **state)
{
	struct table_column column;

	(void)state;
	assert_true(field_screen_column(field_find(thing_fields, "name"), &column));
	assert_string_equal(column.title, "NAME");
	assert_int_equal(column.min, 5);
	assert_int_equal(column.max, 8);
	assert_int_equal(column.drop, 2);
	assert_string_equal(field_screen_name(field_find(thing_fields, "name")), "WHO");
	assert_false(field_screen_column(field_find(thing_fields, "procs"), &column));
}

/* The key of this member comes from the item. */
static bool get_name(const void *item, struct value *out)
{
	out->text = ((const struct thing *)item)->name;
	return true;
}

static void each_of_two(const void *item, field_visit *visit, void *self)
{
	static const struct thing two[] = {{.name = "a b", .limit_s = 1, .part = {0.25}},
					   {.name = "c", .limit_s = 2, .part = {0.5}}};

	(void)item;
	for (size_t i = 0; i < 2; i++)
		visit(self, &two[i]);
}

static const struct field limit_by_name[] = {
	{NULL, "NAME", FIELD_TEXT, .get = get_name},
	{NULL, "LIMIT", FIELD_DURATION, FIELD_AT(struct thing, limit_s)},
	{0},
};

static const struct field part_by_name[] = {
	{NULL, "NAME", FIELD_TEXT, .get = get_name},
	{"limit_s", NULL, FIELD_DURATION, FIELD_AT(struct thing, limit_s)},
	{"part", NULL, FIELD_SHARE, FIELD_AT(struct thing, part.share)},
	{0},
};

static const struct field map_fields[] = {
	{"limits", NULL, FIELD_MAP, .of = limit_by_name, .each = each_of_two},
	{"parts", NULL, FIELD_MAP, .of = part_by_name, .each = each_of_two},
	/* The first field is only a column. */
	{"list", NULL, FIELD_LIST, .of = part_by_name, .each = each_of_two},
	{0},
};

static void a_map_has_a_member_for_each_item(void **state)
{
	struct str out = {0};

	(void)state;
	fields_document(&out, map_fields, 0, &eva);
	assert_string_equal(
		str_text(&out),
		"{\"limits\":{\"a b\":1,\"c\":2},"
		"\"parts\":{\"a b\":{\"limit_s\":1,\"part\":0.25},\"c\":{\"limit_s\":2,\"part\":0.5}},"
		"\"list\":[{\"limit_s\":1,\"part\":0.25},{\"limit_s\":2,\"part\":0.5}]}\n");
	str_clear(&out);
	fields_array(&out, limit_by_name + 1, 0, each_of_two, &eva);
	assert_string_equal(str_text(&out), "[1,2]\n");
	str_free(&out);
}

static const struct field measured_fields[] = {
	{"wait_s", "WAIT", FIELD_SECONDS, FIELD_AT(struct part, share)},
	{"part", "PART", FIELD_SHARE, FIELD_AT(struct part, share)},
	{0},
};

static void seconds_and_shares_have_fractions_only_in_json(void **state)
{
	const struct part low = {3.25}, high = {70.5};
	struct str out = {0};

	(void)state;
	fields_document(&out, measured_fields, 0, &low);
	assert_string_equal(str_text(&out), "{\"wait_s\":3.25,\"part\":3.25}\n");
	str_clear(&out);
	field_cell(&measured_fields[0], &high, &out);
	str_add_char(&out, '|');
	field_cell(&measured_fields[1], &low, &out);
	assert_string_equal(str_text(&out), "0:01:10|325.00 %");
	assert_true(field_compare(&measured_fields[0], &low, &high) < 0);
	assert_true(field_compare(&measured_fields[1], &high, &low) > 0);
	str_free(&out);
}

static const struct field made_fields[] = {{"made", NULL, FIELD_JSON, .get = get_name}, {0}};

static void json_text_is_copied_unchanged(void **state)
{
	const struct thing made = {.name = "{\"a\":[1]}\n"}, none = {.name = NULL};
	struct str out = {0};

	(void)state;
	fields_document(&out, made_fields, 0, &made);
	fields_document(&out, made_fields, 0, &none);
	assert_string_equal(str_text(&out), "{\"made\":{\"a\":[1]}}\n{\"made\":null}\n");
	str_free(&out);
}

static void a_list_has_a_cell_for_each_value(void **state)
{
	static const struct field listed_fields[] = {
		{"name", "NAME", FIELD_TEXT, FIELD_AT(struct thing, name)},
		{"ports", "PORTS", FIELD_LIST, .of = port_fields, .each = each_port},
		{0},
	};
	static const struct field_column columns[] = {{.key = "name"}, {.key = "ports"}};
	static const struct report_column titles[] = {
		{"NAME", TEXT_LEFT}, {"A", TEXT_RIGHT}, {"B", TEXT_RIGHT}};
	struct report r = {.column = titles, .columns = 3};
	struct str out = {0};

	(void)state;
	field_cells(&r, listed_fields, columns, 2, &(struct thing){.name = "x", .ports = {7, 80}});
	report_print(&r, 0, true, &out);
	assert_string_equal(str_text(&out), "NAME  A   B\nx     7  80\n");
	report_free(&r);
	str_free(&out);
}

struct note {
	struct str text;
};

static const struct field note_fields[] = {
	{"text", "TEXT", FIELD_TEXT, FIELD_AT(struct note, text)},
	{"short", NULL, FIELD_COUNT, .get_named = get_length_of, .sets = SHORT},
	{"long", NULL, FIELD_COUNT, .get_named = get_length_of, .sets = LONG},
	{0},
};

static void each_note(const void *item, field_visit *visit, void *self)
{
	visit(self, item);
}

static void a_list_can_use_another_field_set(void **state)
{
	static const struct field notes_fields[] = {
		{"notes", NULL, FIELD_LIST, .of = note_fields, .of_set = LONG, .each = each_note},
		{"one", NULL, FIELD_OBJECT, .held = HELD_ITEM, .of = note_fields},
		{0},
	};
	struct note note = {{0}};
	struct str out = {0};

	(void)state;
	fields_document(&out, notes_fields, SHORT, &note);
	str_add(&note.text, "x");
	fields_document(&out, note_fields, SHORT, &note);
	assert_string_equal(str_text(&out),
			    "{\"notes\":[{\"text\":null,\"long\":4}],\"one\":{\"text\":null,\"short\":5}}\n"
			    "{\"text\":\"x\",\"short\":5}\n");
	str_free(&note.text);
	str_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_has_the_fields_of_its_set),
		cmocka_unit_test(an_inapplicable_field_is_null_or_omitted),
		cmocka_unit_test(a_table_shows_the_chosen_columns),
		cmocka_unit_test(a_filter_reads_the_fields),
		cmocka_unit_test(rows_are_ordered_by_value_and_missing_values_come_last),
		cmocka_unit_test(a_field_defines_its_screen_column),
		cmocka_unit_test(a_map_has_a_member_for_each_item),
		cmocka_unit_test(seconds_and_shares_have_fractions_only_in_json),
		cmocka_unit_test(json_text_is_copied_unchanged),
		cmocka_unit_test(a_list_has_a_cell_for_each_value),
		cmocka_unit_test(a_list_can_use_another_field_set),
	};

	return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
