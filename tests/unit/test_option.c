/* SPDX-License-Identifier: MIT */
/*
 * test_option.c - parsing of configuration texts: order, positions and rejection
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "tests/option_rows.h"
#include "tests/seed.h"

/* The values that the sink received, as "title.name=text@line". */
static struct str received;
static struct err err;
static const char *rejected_name; /* the sink rejects this option */

static int begin(void **state)
{
	(void)state;
	rejected_name = NULL;
	str_clear(&received);
	return 0;
}

static int end(void **state)
{
	(void)state;
	str_free(&received);
	return 0;
}

static bool record_value(void *self, const struct option *row, const char *title,
			 const struct option_value *value, const struct option_place *place,
			 struct err *error)
{
	if (row && rejected_name && str_same_word(row->name, rejected_name))
		return err_set(error, "not today");
	assert_string_equal(place->file, "kahu.conf");
	str_addf(self, "%s%s%s=%s@%d\n", title, *title ? "." : "", row ? row->name : "", value->text,
		 place->line);
	return true;
}

static bool parse_bytes(const char *text, size_t len)
{
	err.text[0] = '\0';
	str_clear(&received);
	return option_parse(option_rows, OPTION_ROWS, "kahu.conf", text, len, record_value, &received, &err);
}

static bool parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void values_arrive_with_their_position(void **state)
{
	(void)state;
	assert_true(parse("weight = -2.5 depth = 010\n"
			  "interval = \"00:01:00\"\n"
			  "policy = BestFit  # the second\n"
			  "title = \"a \\\"b\\\" \\\\ c\"\n"
			  "hosts = {\"n[01-04]\",\n\tn07}\n"
			  "user john { priority = 2000  target = \"25.0+\"  maxjob = {\"2,8\"} }\n"
			  "USER DEFAULT { maxjob = \"8\" }\n"
			  "qos hi { priority = 1000 }\n"
			  "system { maxload = 1.5 }\n"));
	assert_string_equal(str_text(&received), "weight=-2.5@1\n"
						 "depth=010@1\n"
						 "interval=00:01:00@2\n"
						 "policy=BestFit@3\n"
						 "title=a \"b\" \\ c@4\n"
						 "hosts=n[01-04]@5\n"
						 "hosts=n07@6\n"
						 "john.priority=2000@7\n"
						 "john.target=25.0+@7\n"
						 "john.maxjob=2,8@7\n"
						 "DEFAULT.maxjob=8@8\n"
						 "hi.priority=1000@9\n"
						 "maxload=1.5@10\n");
}

static void values_arrive_in_file_order(void **state)
{
	(void)state;
	assert_true(parse("user b { priority = 1 }\ndepth = 2\nuser a { priority = 3 }\nweight = 4\n"));
	assert_string_equal(str_text(&received), "b.priority=1@1\ndepth=2@2\na.priority=3@3\nweight=4@4\n");
}

static void empty_section_is_reported_with_its_kind(void **state)
{
	(void)state;
	assert_true(parse("user eva { }\nsystem { }\nqos \"a b\" { # nothing\n}\n"));
	assert_string_equal(str_text(&received), "eva.=user@1\n=system@2\na b.=qos@3\n");
}

static void empty_text_has_no_values(void **state)
{
	(void)state;
	assert_true(parse(""));
	assert_true(parse("# only this"));
	assert_true(parse("/* or\nthis */\n"));
	assert_string_equal(str_text(&received), "");
}

static void comments_are_allowed_where_libconfuse_rejects_them(void **state)
{
	(void)state;
	assert_true(parse("weight # a\n= // b\n 1\nhosts = { /* c */ x, # d\n y }\n"
			  "user /* e */ eva // f\n { # g\n priority = 2 }"));
	assert_string_equal(str_text(&received), "weight=1@3\nhosts=x@4\nhosts=y@5\neva.priority=2@8\n");
}

static void crlf_and_byte_order_marks_are_accepted(void **state)
{
	(void)state;
	assert_true(parse("\xef\xbb\xbf"
			  "weight = 1\r\nuser a {\r\n\tpriority = 1\r\n}\r\n"));
	assert_string_equal(str_text(&received), "weight=1@1\na.priority=1@3\n");
}

static void quoted_texts_keep_their_characters(void **state)
{
	(void)state;
	setenv("KAHU_TEST_SECRET", "leaked", 1);
	assert_true(parse("title = \"$KAHU_TEST_SECRET $ # // /* */ ; 'x' ( + \xc3\xbc\t%s\""));
	assert_string_equal(str_text(&received),
			    "title=$KAHU_TEST_SECRET $ # // /* */ ; 'x' ( + \xc3\xbc\t%s@1\n");
	assert_false(parse("title = \"${KAHU_TEST_SECRET}\""));
	assert_false(parse("title = ${KAHU_TEST_SECRET}"));
	assert_false(parse("title = \"\\${KAHU_TEST_SECRET}\""));
	assert_string_equal(str_text(&received), "");
	unsetenv("KAHU_TEST_SECRET");
}

static void invalid_value_is_reported_with_file_and_line(void **state)
{
	(void)state;
	assert_false(parse("weight = 1\n\ndepth = -3\n"));
	assert_string_equal(err.text, "kahu.conf:3: depth must be a whole number from 0 to 100, got \"-3\"");
	assert_false(parse("user a {\n priority = nan }\n"));
	assert_string_equal(err.text, "kahu.conf:2: priority must be a number, got \"nan\"");
	assert_false(parse("user john { target = 25.0+ }"));
	assert_string_equal(err.text, "kahu.conf:1: 25.0+ must be quoted: \"25.0+\"");
}

static void sink_error_gets_the_position(void **state)
{
	(void)state;
	rejected_name = "depth";
	assert_false(parse("weight = 1\ndepth = 1\ntitle = x\n"));
	assert_string_equal(err.text, "kahu.conf:2: not today");
}

static void syntax_error_passes_no_values(void **state)
{
	static const char *const wrong[] = {"weight = 1\nuser a {",
					    "weight = 1\ntitle = \"x",
					    "weight = 1\nweight = 2",
					    "weight = 1\nbogus = 2",
					    "weight = 1\nhosts += {\"a\"}",
					    "weight = 1\ntitle = 'x'",
					    "weight = 1\ninclude(\"/etc/passwd\")"};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		assert_false(parse(wrong[i]));
		assert_string_equal(str_text(&received), "");
		assert_memory_equal(err.text, "kahu.conf:2: ", strlen("kahu.conf:2: "));
	}
	assert_false(parse_bytes("weight = 1\0depth = 1", 20));
	assert_string_equal(str_text(&received), "");
}

static void printed_defaults_parse(void **state)
{
	struct str defaults = {0};

	(void)state;
	option_print_defaults(option_rows, OPTION_ROWS, "", &defaults);
	assert_true(parse_bytes(defaults.data, defaults.len));
	assert_non_null(strstr(str_text(&received), "title=a \"quoted\" \\ text@"));
	assert_non_null(strstr(str_text(&received), "hosts=n[01-04]@"));
	assert_null(strstr(str_text(&received), "cap="));
	str_free(&defaults);
}

/* Every printable text survives quoting, the scan and libconfuse. */
static void quoted_texts_round_trip(void **state)
{
	struct rng rng = seeded("quoted_texts_round_trip");
	struct str file = {0};

	(void)state;
	for (int i = 0; i < 300; i++) {
		char text[40];
		size_t len = (size_t)rng_below(&rng, sizeof text);

		str_clear(&file);
		str_add(&file, "title = \"");
		for (size_t k = 0; k < len; k++) {
			text[k] = (char)(' ' + (int)rng_below(&rng, 95));
			if (text[k] == '{')
				text[k] = '\t';
			if (text[k] == '"' || text[k] == '\\')
				str_add_char(&file, '\\');
			str_add_char(&file, text[k]);
		}
		text[len] = '\0';
		str_add_char(&file, '"');
		assert_true(parse_bytes(file.data, file.len));
		assert_int_equal(received.len, strlen("title=@1\n") + strlen(text));
		assert_memory_equal(str_text(&received) + strlen("title="), text, strlen(text));
	}
	str_free(&file);
}

static void section_count_is_limited(void **state)
{
	struct str text = {0};

	(void)state;
	for (int i = 0; i < 2000; i++)
		str_addf(&text, "user u%d { priority = %d }\n", i, i);
	assert_true(parse_bytes(text.data, text.len));
	assert_non_null(strstr(str_text(&received), "u1999.priority=1999@2000\n"));
	str_clear(&text);
	for (int i = 0; i <= OPTION_SECTIONS_MAX; i++)
		str_addf(&text, "user u%d { }\n", i);
	assert_false(parse_bytes(text.data, text.len));
	assert_string_equal(err.text, "kahu.conf:10001: more than 10000 sections");
	str_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(values_arrive_with_their_position, begin),
		cmocka_unit_test_setup(values_arrive_in_file_order, begin),
		cmocka_unit_test_setup(empty_section_is_reported_with_its_kind, begin),
		cmocka_unit_test_setup(empty_text_has_no_values, begin),
		cmocka_unit_test_setup(comments_are_allowed_where_libconfuse_rejects_them, begin),
		cmocka_unit_test_setup(crlf_and_byte_order_marks_are_accepted, begin),
		cmocka_unit_test_setup(quoted_texts_keep_their_characters, begin),
		cmocka_unit_test_setup(invalid_value_is_reported_with_file_and_line, begin),
		cmocka_unit_test_setup(sink_error_gets_the_position, begin),
		cmocka_unit_test_setup(syntax_error_passes_no_values, begin),
		cmocka_unit_test_setup(printed_defaults_parse, begin),
		cmocka_unit_test_setup(quoted_texts_round_trip, begin),
		cmocka_unit_test_setup(section_count_is_limited, begin),
	};

	return cmocka_run_group_tests_name("option", tests, NULL, end);
}
