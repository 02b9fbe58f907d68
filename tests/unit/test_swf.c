/* SPDX-License-Identifier: MIT */
/*
 * test_swf.c - parsing of Standard Workload Format logs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/trace/swf.h"

#define HEADER "; MaxProcs: 128\n"
/* Job 7, submitted at 100 s, ran for 60 of 600 requested seconds on 4 of 8 requested processors. */
#define LINE "7 100 5 60 4 50 -1 8 600 2048 1 12 3 -1 1 -1 -1 -1\n"

/* The text is copied to memory of its exact size, so that sanitizers detect reads beyond its end. */
static bool read_bytes(const char *text, size_t len, int64_t procs, struct trace *out, struct err *err)
{
	char *copy = mem_alloc(len);
	bool good;

	memcpy(copy, text, len);
	good = swf_read("log.swf", copy, len, procs, out, err);
	free(copy);
	return good;
}

static struct trace read_text(const char *text)
{
	struct trace t;
	struct err err = {{0}};

	if (!read_bytes(text, strlen(text), 0, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void check_refused(const char *text, size_t len, const char *sentence)
{
	struct trace t;
	struct err err = {{0}};

	assert_false(read_bytes(text, len, 0, &t, &err));
	assert_string_equal(err.text, sentence);
	assert_null(t.job);
	assert_int_equal(t.count, 0);
}

static void a_line_of_18_fields_is_a_job(void **state)
{
	struct trace t = read_text(HEADER LINE);

	(void)state;
	assert_int_equal(t.count, 1);
	assert_int_equal(t.job[0].number, 7);
	assert_int_equal(t.job[0].submit_s, 100);
	assert_int_equal(t.job[0].run_s, 60);
	assert_int_equal(t.job[0].wall_limit_s, 600);
	assert_int_equal(t.job[0].procs, 8);
	assert_int_equal(t.job[0].mem_mb, 2);
	assert_int_equal(t.job[0].user, 12);
	assert_int_equal(t.job[0].group, 3);
	assert_int_equal(t.job[0].queue, 1);
	assert_int_equal(t.job[0].order, 0);
	assert_int_equal(t.max_procs, 128);
	assert_int_equal(t.bad.count, 0);
	assert_int_equal(t.rejected, 0);
	trace_clear(&t);
}

static void missing_requests_default_to_usage(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 60 4 -1 -1 -1 -1 -1\n2 0 0 60 4 -1 -1 0 0 -1\n");

	(void)state;
	assert_int_equal(t.count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(t.job[i].procs, 4);
		assert_int_equal(t.job[i].wall_limit_s, 60);
		assert_int_equal(t.job[i].run_s, 60);
		assert_int_equal(t.job[i].mem_mb, 0);
	}
	trace_clear(&t);
}

static void the_run_time_is_cut_at_the_estimate(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 700 4 -1 -1 4 600\n");

	(void)state;
	assert_int_equal(t.job[0].run_s, 600);
	assert_int_equal(t.job[0].wall_limit_s, 600);
	trace_clear(&t);
}

static void fields_missing_at_the_end_are_not_given(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 60 4 -1 -1 4 600\n");

	(void)state;
	assert_int_equal(t.count, 1);
	assert_int_equal(t.job[0].user, SWF_NONE);
	assert_int_equal(t.job[0].group, SWF_NONE);
	assert_int_equal(t.job[0].queue, SWF_NONE);
	trace_clear(&t);
}

static void additional_fields_are_ignored(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 60 4 -1 -1 4 600 -1 1 1 1 1 1 1 1 1 extra\n");

	(void)state;
	assert_int_equal(t.count, 1);
	assert_int_equal(t.bad.count, 0);
	trace_clear(&t);
}

static void decimals_are_truncated(void **state)
{
	struct trace t =
		read_text(HEADER "1 12.7 -1.5 60.999 4.0 .5 -.5 -1.5 600. 1.9\n2 -0.9 0 9.9 1 0 0 1 1\n");

	(void)state;
	assert_int_equal(t.count, 2);
	assert_int_equal(t.job[0].submit_s, 0);
	assert_int_equal(t.job[1].submit_s, 12);
	assert_int_equal(t.job[1].run_s, 60);
	assert_int_equal(t.job[1].procs, 4);
	assert_int_equal(t.job[1].wall_limit_s, 600);
	trace_clear(&t);
}

static void numbers_may_have_63_bits_and_leading_zeros(void **state)
{
	struct trace t = read_text(HEADER "9223372036854775807 0 0 60 4 -1 -1 4 600\n"
					  "0000000000000000000000000000000000000012 0 0 060 4 -1 -1 4 600\n"
					  "-9223372036854775807 0 0 60 4 -1 -1 4 600\n"
					  "18446744073709551617 0 0 60 4 -1 -1 4 600\n"
					  "9223372036854775808 0 0 60 4 -1 -1 4 600\n");

	(void)state;
	assert_int_equal(t.count, 3);
	assert_true(t.job[0].number == INT64_C(9223372036854775807));
	assert_int_equal(t.job[1].number, 12);
	assert_true(t.job[2].number == -INT64_C(9223372036854775807));
	assert_int_equal(t.bad.count, 2);
	trace_clear(&t);
}

static void memory_in_kb_is_rounded_up_to_mb(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 60 4 -1 -1 4 600 1\n2 0 0 60 4 -1 -1 4 600 1024\n"
					  "3 0 0 60 4 -1 -1 4 600 1025\n4 0 0 60 4 -1 -1 4 600 0\n");

	(void)state;
	assert_int_equal(t.job[0].mem_mb, 1);
	assert_int_equal(t.job[1].mem_mb, 1);
	assert_int_equal(t.job[2].mem_mb, 2);
	assert_int_equal(t.job[3].mem_mb, 0);
	trace_clear(&t);
}

static void jobs_that_cannot_run_are_rejected(void **state)
{
	struct trace t = read_text(HEADER LINE "1 0 0 0 4 -1 -1 4 600\n"
					       "2 0 0 -1 4 -1 -1 4 600\n"
					       "3 0 0 60 0 -1 -1 -1 600\n"
					       "4 0 0 60 4 -1 -1 129 600\n"
					       "5 0 0 60 4 -1 -1 99999999999 600\n"
					       "6 0 0 60 4 -1 -1 128 600\n");

	(void)state;
	assert_int_equal(t.count, 2);
	assert_int_equal(t.rejected, 5);
	assert_int_equal(t.bad.count, 0);
	trace_clear(&t);
}

static void a_log_of_rejected_jobs_is_still_a_log(void **state)
{
	struct trace t = read_text(HEADER "1 0 0 0 4 -1 -1 4 600\n");

	(void)state;
	assert_int_equal(t.count, 0);
	assert_int_equal(t.rejected, 1);
	trace_clear(&t);
}

static void jobs_are_sorted_by_submit_time_then_file_order(void **state)
{
	static const int64_t number[] = {3, 5, 1, 2, 4};
	static const uint32_t order[] = {2, 4, 0, 1, 3};
	struct trace t = read_text(HEADER "1 9 0 60 4 -1 -1 4 600\n2 9 0 60 4 -1 -1 4 600\n"
					  "3 5 0 60 4 -1 -1 4 600\n4 9 0 60 4 -1 -1 4 600\n"
					  "5 5 0 60 4 -1 -1 4 600\n");

	(void)state;
	assert_int_equal(t.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(t.job[i].number, number[i]);
		assert_int_equal(t.job[i].order, order[i]);
	}
	trace_clear(&t);
}

struct mistake {
	const char *line;
	const char *why;
};

static void a_bad_line_is_named_with_its_field_and_value(void **state)
{
	static const struct mistake row[] = {
		{"1 2 3", "it has 3 fields, but a job needs at least 9"},
		{"1", "it has 1 field, but a job needs at least 9"},
		{"1 0 0 60 4 -1 -1 4", "it has 8 fields, but a job needs at least 9"},
		{"1 0 0 abc 4 -1 -1 4 600", "field 4 (run time) is not a number: 'abc'"},
		{"1 0 0 60x 4 -1 -1 4 600", "field 4 (run time) is not a number: '60x'"},
		{"1 0 0 1e3 4 -1 -1 4 600", "field 4 (run time) is not a number: '1e3'"},
		{"1 0 0 - 4 -1 -1 4 600", "field 4 (run time) is not a number: '-'"},
		{"1 0 0 . 4 -1 -1 4 600", "field 4 (run time) is not a number: '.'"},
		{"1 0 0 --5 4 -1 -1 4 600", "field 4 (run time) is not a number: '--5'"},
		{"1 0 0 1.2.3 4 -1 -1 4 600", "field 4 (run time) is not a number: '1.2.3'"},
		{"1 0 0 nan 4 -1 -1 4 600", "field 4 (run time) is not a number: 'nan'"},
		{"1 -1 0 60 4 -1 -1 4 600", "field 2 (submit time) is negative: '-1'"},
		{"99999999999999999999 0 0 60 4 -1 -1 4 600",
		 "field 1 (job number) is too large: '99999999999999999999'"},
		{"1 9223372036854775807 0 60 4 -1 -1 4 600",
		 "field 2 (submit time) is too large: '9223372036854775807'"},
		{"1 0 0 253402300800 4 -1 -1 4 600", "field 4 (run time) is too large: '253402300800'"},
		{"1 0 0 60 4 -1 -1 4 253402300800", "field 9 (time asked) is too large: '253402300800'"},
		{"1 0 0 60 4 -1 -1 4 600 -1 1 2147483648", "field 12 (user) is too large: '2147483648'"},
		{"1 0 0 60 4 -1 -1 4 600 -1 1 1 1 prog", "field 14 (program) is not a number: 'prog'"},
		{"<html>\x01\xff", "field 1 (job number) is not a number: '<html>\?\?'"},
		{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
		 "field 1 (job number) is not a number: 'abcdefghijklmnopqrstuvwxyzabcdef'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		char text[256];
		struct trace t;

		snprintf(text, sizeof text, HEADER "%s\n" LINE, row[i].line);
		t = read_text(text);
		assert_int_equal(t.count, 1);
		assert_int_equal(t.bad.count, 1);
		assert_int_equal(t.bad.shown_count, 1);
		assert_int_equal(t.bad.shown[0].line, 2);
		assert_string_equal(t.bad.shown[0].why, row[i].why);
		trace_clear(&t);
	}
}

static void all_bad_lines_are_counted_and_ten_are_kept(void **state)
{
	struct str text = {0};
	struct trace t;

	(void)state;
	str_add(&text, HEADER LINE);
	for (int i = 0; i < 25; i++)
		str_add(&text, "what\n");
	t = read_text(str_text(&text));
	assert_int_equal(t.bad.count, 25);
	assert_int_equal(t.bad.shown_count, BAD_LINES_SHOWN);
	assert_int_equal(t.bad.shown[9].line, 12);
	trace_clear(&t);
	str_free(&text);
}

static void nul_byte_affects_only_its_line(void **state)
{
	static const char text[] = HEADER LINE "1 0 0 6\0 4 -1 -1 4 600\n" LINE;
	struct trace t;
	struct err err;

	(void)state;
	assert_true(read_bytes(text, sizeof text - 1, 0, &t, &err));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.bad.count, 1);
	assert_string_equal(t.bad.shown[0].why, "field 4 (run time) is not a number: '6?'");
	trace_clear(&t);
}

static void blanks_line_ends_and_a_byte_order_mark_are_ignored(void **state)
{
	struct trace t = read_text("\xef\xbb\xbf; MaxProcs: 128\r\n\r\n  \t \n"
				   "\t1\t0 0  60 4 -1 -1 4 600 \t\r\n"
				   "   2 0 0 60 4 -1 -1 4 600");

	(void)state;
	assert_int_equal(t.max_procs, 128);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.job[1].number, 2);
	assert_int_equal(t.bad.count, 0);
	trace_clear(&t);
}

static void a_very_long_line_is_read_to_its_end(void **state)
{
	struct str text = {0};
	struct trace t;

	(void)state;
	str_add(&text, HEADER "1 0 0 60 4 -1 -1 4 ");
	for (int i = 0; i < 100000; i++)
		str_add_char(&text, '0');
	str_add(&text, "600 ");
	for (int i = 0; i < 100000; i++)
		str_add(&text, "7 ");
	t = read_text(str_text(&text));
	assert_int_equal(t.count, 1);
	assert_int_equal(t.job[0].wall_limit_s, 600);
	trace_clear(&t);
	str_free(&text);
}

struct machine {
	const char *header;
	int64_t procs, nodes;
};

static void header_contains_the_machine_size(void **state)
{
	static const struct machine row[] = {
		{"; MaxProcs: 64\n; MaxNodes: 16\n", 64, 16},
		{";MaxNodes:256\n", 0, 256},
		{" ;  MaxProcs :  144 (of 160)\n", 144, 0},
		{"; MaxProcs: 8\n; MaxProcs: 12\n", 12, 0},
		{"; MaxProcs: -1\n; MaxNodes: 9\n", 0, 9},
		{"; MaxProcs: many\n; MaxNodes: 9\n", 0, 9},
		{"; MaxProcs: 9.9\n", 9, 0},
		{"; Note: MaxProcs: 7\n; maxprocs: 5\n; MaxProcsX: 3\n; MaxNodes: 9\n", 0, 9},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		char text[256];
		struct trace t;

		snprintf(text, sizeof text, "%s%s", row[i].header, LINE);
		t = read_text(text);
		assert_int_equal(t.max_procs, row[i].procs);
		assert_int_equal(t.max_nodes, row[i].nodes);
		trace_clear(&t);
	}
}

static void a_header_line_after_the_jobs_counts(void **state)
{
	struct trace t =
		read_text(LINE "1 0 0 60 4 -1 -1 9 600\n; MaxProcs: 8\n; UnixStartTime: 893466664\n");

	(void)state;
	assert_int_equal(t.count, 1);
	assert_int_equal(t.rejected, 1);
	assert_int_equal(t.unix_start_s, 893466664);
	trace_clear(&t);
}

static void given_machine_size_overrides_the_header(void **state)
{
	struct trace t;
	struct err err;

	(void)state;
	assert_true(read_bytes(HEADER LINE, strlen(HEADER LINE), 4, &t, &err));
	assert_int_equal(t.count, 0);
	assert_int_equal(t.rejected, 1);
	trace_clear(&t);
	assert_true(read_bytes(LINE, strlen(LINE), 8, &t, &err));
	assert_int_equal(t.count, 1);
	trace_clear(&t);
}

static void other_files_are_rejected_with_a_message(void **state)
{
	static const char zip[] = "\x1f\x8b\x08\x00 and so on";
	static const char zeros[4] = {0};

	(void)state;
	check_refused("", 0, "log.swf: the file is empty; it must be a log in the Standard Workload Format");
	check_refused(HEADER, strlen(HEADER), "log.swf: it contains no jobs, only comments");
	check_refused("\n\n", 2, "log.swf: it contains no jobs, only comments");
	check_refused("hello\n", 6,
		      "log.swf: no job could be read; the file must be a log in the Standard Workload "
		      "Format; line 1: "
		      "field 1 (job number) is not a number: 'hello'");
	check_refused(zeros, sizeof zeros,
		      "log.swf: no job could be read; the file must be a log in the Standard Workload "
		      "Format; line 1: "
		      "field 1 (job number) is not a number: '\?\?\?\?'");
	check_refused(zip, sizeof zip,
		      "log.swf: it is compressed; unpack it into a pipe: zcat LOG | kahu replay -");
	check_refused(LINE, strlen(LINE),
		      "log.swf: its header has neither MaxProcs nor MaxNodes; describe the machine with "
		      "--cluster NODESxPROCS");
	check_refused(
		"; MaxProcs: 99999999999\n" LINE, strlen("; MaxProcs: 99999999999\n" LINE),
		"log.swf: the machine has 99999999999 processors, but at most 2147483647 can be scheduled; "
		"use --cluster NODESxPROCS");
}

/* Compares field by field, because padding is not defined. */
static void check_same_job(const struct trace_job *a, const struct trace_job *b)
{
	assert_int_equal(a->number, b->number);
	assert_int_equal(a->submit_s, b->submit_s);
	assert_int_equal(a->run_s, b->run_s);
	assert_int_equal(a->wall_limit_s, b->wall_limit_s);
	assert_int_equal(a->mem_mb, b->mem_mb);
	assert_int_equal(a->procs, b->procs);
	assert_int_equal(a->user, b->user);
	assert_int_equal(a->group, b->group);
	assert_int_equal(a->queue, b->queue);
	assert_int_equal(a->order, b->order);
}

static void log_round_trips(void **state)
{
	struct trace t = read_text("; MaxProcs: 64\n; MaxNodes: 16\n; UnixStartTime: 5\n" LINE
				   "1 200 0 60 4 -1 -1 4 600\n");
	struct str text = {0};
	struct trace again;

	(void)state;
	swf_write(&t, &text);
	again = read_text(str_text(&text));
	assert_int_equal(again.count, t.count);
	for (size_t i = 0; i < t.count; i++)
		check_same_job(&again.job[i], &t.job[i]);
	assert_int_equal(again.max_procs, 64);
	assert_int_equal(again.max_nodes, 16);
	assert_int_equal(again.unix_start_s, 5);
	trace_clear(&again);
	trace_clear(&t);
	str_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_of_18_fields_is_a_job),
		cmocka_unit_test(missing_requests_default_to_usage),
		cmocka_unit_test(the_run_time_is_cut_at_the_estimate),
		cmocka_unit_test(fields_missing_at_the_end_are_not_given),
		cmocka_unit_test(additional_fields_are_ignored),
		cmocka_unit_test(decimals_are_truncated),
		cmocka_unit_test(numbers_may_have_63_bits_and_leading_zeros),
		cmocka_unit_test(memory_in_kb_is_rounded_up_to_mb),
		cmocka_unit_test(jobs_that_cannot_run_are_rejected),
		cmocka_unit_test(a_log_of_rejected_jobs_is_still_a_log),
		cmocka_unit_test(jobs_are_sorted_by_submit_time_then_file_order),
		cmocka_unit_test(a_bad_line_is_named_with_its_field_and_value),
		cmocka_unit_test(all_bad_lines_are_counted_and_ten_are_kept),
		cmocka_unit_test(nul_byte_affects_only_its_line),
		cmocka_unit_test(blanks_line_ends_and_a_byte_order_mark_are_ignored),
		cmocka_unit_test(a_very_long_line_is_read_to_its_end),
		cmocka_unit_test(header_contains_the_machine_size),
		cmocka_unit_test(a_header_line_after_the_jobs_counts),
		cmocka_unit_test(given_machine_size_overrides_the_header),
		cmocka_unit_test(other_files_are_rejected_with_a_message),
		cmocka_unit_test(log_round_trips),
	};

	return cmocka_run_group_tests_name("swf", tests, NULL, NULL);
}
