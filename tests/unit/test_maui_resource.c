/* SPDX-License-Identifier: MIT */
/*
 * test_maui_resource.c - parsing of Maui resource traces
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/state/state.h"
#include "sched/trace/maui_resource.h"

#define VERSION "VERSION 230\n"
#define NODE                                                                                                 \
	"COMPUTENODE AVAILABLE 0 n001 0 2048 1024 10000 2 -1 -1 1 linux x86 [NONE] [batch:2][fast:2] "       \
	"[NONE] "                                                                                            \
	"1.0 [NONE] [NONE] [NONE]\n"

static bool read_bytes(const char *text, struct maui_resource *out, struct err *err)
{
	size_t len = strlen(text);
	char *copy = mem_alloc(len);
	bool good;

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i];
	good = maui_resource_read("res", copy, len, out, err);
	free(copy);
	return good;
}

static struct maui_resource read_text(const char *text)
{
	struct maui_resource resource;
	struct err err = {{0}};

	if (!read_bytes(text, &resource, &err))
		fail_msg("%s", err.text);
	return resource;
}

/* M-29: the sample line of the guide. Its speed, 1.67, is not imported. */
static void M_29_the_sample_line_of_the_guide_is_read(void **state)
{
	struct maui_resource resource =
		read_text(VERSION "COMPUTENODE AVAILABLE 0 cluster008 PBS1 423132 256 7140 2 -1 -1 1 LINUX62 "
				  "AthlonK7 [s950][compute] [batch:2] [ethernet][atm] 1.67 [NONE] [NONE] "
				  "[NONE]\n");
	const struct node_record *node = &resource.node[0];

	(void)state;
	assert_int_equal(resource.count, 1);
	assert_string_equal(node->name, "cluster008");
	assert_int_equal(node->swap_mb, 423132);
	assert_int_equal(node->mem_mb, 256);
	assert_int_equal(node->disk_mb, 7140);
	assert_int_equal(node->procs, 2);
	assert_string_equal(node->features, "s950 compute");
	assert_string_equal(node->classes, "batch");
	assert_true(node->speed == 0);
	assert_true(node->used.load < 0);
	assert_int_equal(node->rack, 0);
	maui_resource_clear(&resource);
}

static void nodes_keep_the_order_of_the_file(void **state)
{
	struct maui_resource resource =
		read_text(VERSION "# rack 1\n" NODE "COMPUTENODE AVAILABLE 0 n000 0 1 1 1 4 3 7\n");

	(void)state;
	assert_int_equal(resource.count, 2);
	assert_string_equal(resource.node[0].name, "n001");
	assert_string_equal(resource.node[0].classes, "batch fast");
	assert_string_equal(resource.node[1].name, "n000");
	assert_int_equal(resource.node[1].rack, 3);
	assert_int_equal(resource.node[1].index, 7);
	assert_null(resource.node[1].classes);
	assert_int_equal(resource.procs, 6);
	maui_resource_clear(&resource);
}

static void nodes_that_are_down_or_drained_are_left_out(void **state)
{
	struct maui_resource resource = read_text(VERSION NODE "COMPUTENODE DRAINED 0 n002 0 1 1 1 4\n"
							       "COMPUTENODE DEFINED 0 n003 0 1 1 1 4\n");

	(void)state;
	assert_int_equal(resource.count, 1);
	assert_int_equal(resource.apart, 2);
	assert_int_equal(resource.bad.count, 0);
	maui_resource_clear(&resource);
}

static void an_invalid_line_is_reported_with_its_field_and_value(void **state)
{
	static const struct {
		const char *line, *why;
	} row[] = {
		{"COMPUTENODE AVAILABLE", "it has 2 fields, but a node needs at least 9"},
		{"PRINTER AVAILABLE 0 n 0 1 1 1 1", "field 1 (type) is not COMPUTENODE: 'PRINTER'"},
		{"COMPUTENODE GONE 0 n 0 1 1 1 1",
		 "field 2 (event) is not AVAILABLE, DEFINED or DRAINED: 'GONE'"},
		{"COMPUTENODE AVAILABLE 0 [NONE] 0 1 1 1 1",
		 "field 4 (name) is missing, too long or contains control characters: '[NONE]'"},
		{"COMPUTENODE AVAILABLE 0 n 0 1 lots 1 1", "field 7 (memory) is not a number: 'lots'"},
		{"COMPUTENODE AVAILABLE 0 n 0 1 1 1 0", "field 9 (processors) must be at least 1: '0'"},
		{"COMPUTENODE AVAILABLE 0 n 0 1 1 1 4294967296",
		 "field 9 (processors) is too large: '4294967296'"},
		{"COMPUTENODE AVAILABLE 0 n 0 1 1 1 1 -1 -1 1 x y [NONE] [NONE] [NONE] quick",
		 "field 18 (speed) is not a number: 'quick'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct str text = {0};
		struct maui_resource resource;

		str_addf(&text, VERSION NODE "%s\n", row[i].line);
		resource = read_text(str_text(&text));
		assert_int_equal(resource.count, 1);
		assert_int_equal(resource.bad.count, 1);
		assert_int_equal(resource.bad.shown[0].line, 3);
		assert_string_equal(resource.bad.shown[0].why, row[i].why);
		maui_resource_clear(&resource);
		str_free(&text);
	}
}

static void a_trace_without_usable_nodes_is_refused(void **state)
{
	static const struct {
		const char *text, *sentence;
	} row[] = {
		{VERSION, "res: it contains no AVAILABLE nodes"},
		{VERSION "x\n",
		 "res: no node could be read; the file must be a Maui resource trace; line 2: it has 1 "
		 "field, but a node needs at least 9"},
		{VERSION NODE NODE, "res: node n001 is listed twice; remove one of the lines"},
		{VERSION
		 "COMPUTENODE AVAILABLE 0 a 0 1 1 1 2147483647\nCOMPUTENODE AVAILABLE 0 b 0 1 1 1 1\n",
		 "res: its nodes have 2147483648 processors, but at most 2147483647 can be scheduled"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct err err = {{0}};
		struct maui_resource resource;

		assert_false(read_bytes(row[i].text, &resource, &err));
		assert_string_equal(err.text, row[i].sentence);
		assert_null(resource.node);
	}
}

static void a_written_trace_is_read_back_unchanged(void **state)
{
	struct maui_resource resource = read_text(
		VERSION NODE "COMPUTENODE AVAILABLE 0 n2 0 5 6 7 8 1 2 1 linux x86 [big][tape] [NONE]\n");
	struct maui_resource reread;
	struct str first = {0}, second = {0};

	(void)state;
	maui_resource_write(&resource, &first);
	reread = read_text(str_text(&first));
	assert_int_equal(reread.count, 2);
	assert_string_equal(reread.node[0].classes, "batch fast");
	assert_string_equal(reread.node[1].features, "big tape");
	assert_int_equal(reread.node[1].index, 2);
	maui_resource_write(&reread, &second);
	assert_string_equal(str_text(&first), str_text(&second));
	str_free(&first);
	str_free(&second);
	maui_resource_clear(&resource);
	maui_resource_clear(&reread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_29_the_sample_line_of_the_guide_is_read),
		cmocka_unit_test(nodes_keep_the_order_of_the_file),
		cmocka_unit_test(nodes_that_are_down_or_drained_are_left_out),
		cmocka_unit_test(an_invalid_line_is_reported_with_its_field_and_value),
		cmocka_unit_test(a_trace_without_usable_nodes_is_refused),
		cmocka_unit_test(a_written_trace_is_read_back_unchanged),
	};

	return cmocka_run_group_tests_name("maui_resource", tests, NULL, NULL);
}
