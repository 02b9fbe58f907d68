/* SPDX-License-Identifier: MIT */
/*
 * test_maui_workload.c - parsing of Maui workload traces
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
#include "sched/trace/maui_text.h"
#include "sched/trace/maui_workload.h"

#define VERSION "VERSION 230\n"
#define PLAIN                                                                                                \
	"j000 0 8 u3 g0 8700 Completed [batch:1] 1699920090 1699920090 1699920090 1699922977 [NONE] [NONE] " \
	"[NONE] >= 0 >= 0 [NONE] 1699920090 8 -1 [NONE] [NONE] a1 cmd [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 "     \
	"[NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]\n"
#define FULL                                                                                                 \
	"k5 2 4 amy g 7200 Removed [fast:1] 100 100 200 300 [NONE] [NONE] [NONE] >= 0 >= 0 [big][tape] 100 " \
	"4 "                                                                                                 \
	"2 hi:lo [HOSTLIST] phys cmd [NONE] 0 0 [DEFAULT] 3 1500 20 30 4000 0 [NONE] 0 n001:n003 [NONE] "    \
	"[NONE] [NONE] [NONE]\n"

/* The text is in memory of its exact size, so that a sanitizer detects reads beyond its end. */
static bool read_bytes(const char *text, struct trace *out, struct err *err)
{
	size_t len = strlen(text);
	char *copy = mem_alloc(len);
	bool good;

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i];
	good = maui_workload_read("wl", copy, len, out, err);
	free(copy);
	return good;
}

static struct trace read_text(const char *text)
{
	struct trace t;
	struct err err = {{0}};

	if (!read_bytes(text, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

/* M-28: the sample line of the guide. */
static void M_28_the_sample_line_of_the_guide_is_read(void **state)
{
	struct trace t = read_text(
		VERSION
		"SP02.2343.0 20 20 570 519 86400 Removed [batch:1] 887343658 889585185 889585185 889585411 "
		"ethernet R6000 AIX43 >= 256 >= 0 [NONE] 889584538 20 0 0 2 0 test.cmd 1001 6 678.08 0 1 0 0 "
		"0 0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]\n");
	const struct job_record *record = t.job[0].record;

	(void)state;
	assert_int_equal(t.count, 1);
	assert_string_equal(record->label, "SP02.2343.0");
	assert_int_equal(record->job.nodes, 20);
	assert_int_equal(record->job.tasks, 20);
	assert_int_equal(record->job.task_procs, 1);
	assert_int_equal(record->job.wall_limit_s, 86400);
	assert_int_equal(t.job[0].outcome, OUTCOME_REMOVED);
	assert_int_equal(t.job[0].submit_s, 887343658);
	assert_int_equal(t.job[0].run_s, 226); /* completion less start */
	assert_int_equal(record->job.true_run_s, 226);
	assert_string_equal(record->cred[CRED_USER], "570");
	assert_string_equal(record->cred[CRED_GROUP], "519");
	assert_string_equal(record->cred[CRED_CLASS], "batch");
	assert_null(record->cred[CRED_QOS]);
	assert_null(record->cred[CRED_ACCOUNT]);
	assert_null(record->hosts);
	assert_null(record->features);
	assert_true(t.from_epoch);
	trace_clear(&t);
}

static void fields_without_a_value_request_nothing(void **state)
{
	struct trace t = read_text(VERSION PLAIN);
	const struct job_record *record = t.job[0].record;

	(void)state;
	assert_int_equal(record->job.nodes, 0);
	assert_int_equal(record->job.tasks, 8);
	assert_int_equal(record->job.tasks_per_node, 0);
	assert_int_equal(record->job.mem_mb, 0);
	assert_true(record->job.not_before_s == TIME_NONE);
	assert_null(record->cred[CRED_QOS]);
	assert_string_equal(record->cred[CRED_ACCOUNT], "a1");
	assert_int_equal(t.job[0].procs, 8);
	assert_int_equal(t.job[0].number, 1);
	trace_clear(&t);
}

static void requests_are_read_into_the_submission(void **state)
{
	struct trace t = read_text(VERSION FULL);
	const struct job_record *record = t.job[0].record;

	(void)state;
	assert_int_equal(record->job.nodes, 2);
	assert_int_equal(record->job.tasks, 4);
	assert_int_equal(record->job.task_procs, 3);
	assert_int_equal(t.job[0].procs, 12);
	assert_int_equal(record->job.tasks_per_node, 2);
	assert_int_equal(record->job.mem_mb, 1500);
	assert_int_equal(record->job.disk_mb, 20);
	assert_int_equal(record->job.swap_mb, 30);
	assert_int_equal(record->job.not_before_s, 4000);
	assert_string_equal(record->cred[CRED_QOS], "hi");
	assert_string_equal(record->cred[CRED_CLASS], "fast");
	assert_string_equal(record->features, "big tape");
	assert_string_equal(record->hosts, "n001 n003");
	assert_int_equal(t.job[0].run_s, 100);
	trace_clear(&t);
}

static void missing_trailing_fields_are_not_set(void **state)
{
	struct trace t = read_text(VERSION "a 0 2 amy g 600 Completed [batch:1] 10 10 10 70\n");
	const struct job *job = &t.job[0].record->job;

	(void)state;
	assert_int_equal(t.bad.count, 0);
	assert_int_equal(job->tasks, 2);
	assert_int_equal(job->task_procs, 1);
	assert_int_equal(job->mem_mb, 0);
	assert_int_equal(t.job[0].run_s, 60);
	trace_clear(&t);
}

static void the_run_time_is_cut_at_the_limit_if_there_is_one(void **state)
{
	struct trace t = read_text(VERSION "a 0 1 u g 50 Removed [b:1] 0 0 100 200\n"
					   "b 0 1 u g 0 Completed [b:1] 0 0 100 200\n"
					   "c 0 1 u g -1 Completed [b:1] 0 0 100 200\n");

	(void)state;
	assert_int_equal(t.job[0].run_s, 50);
	assert_int_equal(t.job[0].wall_limit_s, 50);
	assert_int_equal(t.job[1].run_s, 100);
	assert_int_equal(t.job[1].wall_limit_s, 100);
	assert_int_equal(t.job[1].record->job.wall_limit_s, 0); /* the limit of its class, or of the site */
	assert_int_equal(t.job[2].record->job.wall_limit_s, 0);
	trace_clear(&t);
}

static void jobs_that_cannot_run_are_counted_as_rejected(void **state)
{
	struct trace t = read_text(VERSION PLAIN "never 0 1 u g 50 NotRun [b:1] 0 0 0 0\n"
						 "backwards 0 1 u g 50 Completed [b:1] 0 0 9 3\n"
						 "nothing 0 0 u g 50 Completed [b:1] 0 0 3 9\n");

	(void)state;
	assert_int_equal(t.count, 1);
	assert_int_equal(t.rejected, 3);
	assert_int_equal(t.bad.count, 0);
	trace_clear(&t);
}

static void jobs_are_sorted_by_submission_then_file_order(void **state)
{
	struct trace t = read_text(VERSION "late 0 1 u g 50 Completed [b:1] 20 0 3 9\n"
					   "first 0 1 u g 50 Completed [b:1] 10 0 3 9\n"
					   "second 0 1 u g 50 Completed [b:1] 10 0 3 9\n");

	(void)state;
	assert_string_equal(t.job[0].record->label, "first");
	assert_string_equal(t.job[1].record->label, "second");
	assert_string_equal(t.job[2].record->label, "late");
	assert_int_equal(t.job[2].number, 1);
	trace_clear(&t);
}

static void DEFAULT_means_no_credential(void **state)
{
	struct trace t = read_text(VERSION "a 0 1 u [NONE] 50 Completed [DEFAULT:1] 0 0 3 9 [NONE] [NONE] "
					   "[NONE] >= 0 >= 0 [NONE] 0 1 -1 DEFAULT [NONE] DEFAULT\n");

	(void)state;
	assert_null(t.job[0].record->cred[CRED_GROUP]);
	assert_null(t.job[0].record->cred[CRED_CLASS]);
	assert_null(t.job[0].record->cred[CRED_QOS]);
	assert_null(t.job[0].record->cred[CRED_ACCOUNT]);
	trace_clear(&t);
}

static void an_invalid_line_is_reported_with_its_field_and_value(void **state)
{
	static const struct {
		const char *line, *why;
	} row[] = {
		{"a 0 1 u g 50", "it has 6 fields, but a job needs at least 12"},
		{"a 0 x u g 50 Completed [b:1] 0 0 3 9", "field 3 (tasks) is not a number: 'x'"},
		{"a 0 1 u g 50 Completed [b:1] -1 0 3 9", "field 9 (time) is negative: '-1'"},
		{"a 0 1 u g 50 Completed [b:1] 0 0 3 99999999999999999999",
		 "field 12 (completion) is too large: '99999999999999999999'"},
		{"a 0 1 u g 99999999999 Completed [b:1] 0 0 3 9",
		 "field 6 (wallclock limit) is too large: '99999999999'"},
		{"[NONE] 0 1 u g 50 Completed [b:1] 0 0 3 9", "field 1 (name) is missing: '[NONE]'"},
		{"a 0 1 u\x1b g 50 Completed [b:1] 0 0 3 9",
		 "field 4 (user) is too long or contains control characters: 'u?'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct str text = {0};
		struct trace t;

		str_addf(&text, VERSION PLAIN "\n# a comment\n%s\n", row[i].line);
		t = read_text(str_text(&text));
		assert_int_equal(t.count, 1);
		assert_int_equal(t.bad.count, 1);
		assert_int_equal(t.bad.shown[0].line, 5);
		assert_string_equal(t.bad.shown[0].why, row[i].why);
		trace_clear(&t);
		str_free(&text);
	}
}

static void a_trace_without_a_job_is_refused(void **state)
{
	static const struct {
		const char *text, *sentence;
	} row[] = {
		{VERSION, "wl: it contains no jobs, only a version line"},
		{VERSION "a b\n",
		 "wl: no job could be read; the file must be a Maui workload trace; line 2: it has 2 "
		 "fields, but a job needs at least 12"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct err err = {{0}};
		struct trace t;

		assert_false(read_bytes(row[i].text, &t, &err));
		assert_string_equal(err.text, row[i].sentence);
		assert_null(t.job);
	}
}

static void a_written_trace_is_read_back_unchanged(void **state)
{
	struct trace t = read_text(VERSION PLAIN FULL), reread;
	struct str first = {0}, second = {0};

	(void)state;
	maui_workload_write(&t, &first);
	assert_true(maui_begins(str_text(&first), first.len));
	reread = read_text(str_text(&first));
	assert_int_equal(reread.count, 2);
	assert_string_equal(reread.job[0].record->label, "k5");
	assert_string_equal(reread.job[0].record->hosts, "n001 n003");
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(reread.job[i].record->job.not_before_s, t.job[i].record->job.not_before_s);
	assert_int_equal(reread.job[0].outcome, OUTCOME_REMOVED);
	assert_int_equal(reread.job[1].run_s, 2887);
	maui_workload_write(&reread, &second);
	assert_string_equal(str_text(&first), str_text(&second));
	str_free(&first);
	str_free(&second);
	trace_clear(&t);
	trace_clear(&reread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_28_the_sample_line_of_the_guide_is_read),
		cmocka_unit_test(fields_without_a_value_request_nothing),
		cmocka_unit_test(requests_are_read_into_the_submission),
		cmocka_unit_test(missing_trailing_fields_are_not_set),
		cmocka_unit_test(the_run_time_is_cut_at_the_limit_if_there_is_one),
		cmocka_unit_test(jobs_that_cannot_run_are_counted_as_rejected),
		cmocka_unit_test(jobs_are_sorted_by_submission_then_file_order),
		cmocka_unit_test(DEFAULT_means_no_credential),
		cmocka_unit_test(an_invalid_line_is_reported_with_its_field_and_value),
		cmocka_unit_test(a_trace_without_a_job_is_refused),
		cmocka_unit_test(a_written_trace_is_read_back_unchanged),
	};

	return cmocka_run_group_tests_name("maui_workload", tests, NULL, NULL);
}
