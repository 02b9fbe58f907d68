/* SPDX-License-Identifier: MIT */
/* test_arrivals.c - submissions from traces and from the workload generator */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/host/arrivals.h"
#include "sched/trace/maui_workload.h"
#include "sched/trace/swf.h"

#define PROCS 8

static const struct fake_cluster cluster = {.nodes = 4, .node_procs = 2};

/* Writes one line an event: "submit 7 at 100 by u12". */
static void note_event(void *self, const struct event *ev)
{
	struct str *out = self;

	switch (ev->kind) {
	case EVENT_SUBMIT:
		str_addf(out, "submit %llu at %lld by %s\n", (unsigned long long)ev->job,
			 (long long)ev->time_s, ev->who);
		break;
	case EVENT_SIM:
		str_addf(out, "next %llu at %lld\n", (unsigned long long)ev->sim.next_index,
			 (long long)ev->time_s);
		break;
	default:
		fail_msg("an event of kind %d is not a source's to report", (int)ev->kind);
	}
}

static int64_t next_s(const struct arrivals *a)
{
	return a->ops->next_s(a->self);
}

static void check_report(struct arrivals *a, const char *expected)
{
	struct str out = {0};

	a->ops->report(a->self, note_event, &out);
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

/* Adopts a snapshot in which only the members that arrivals read are set. */
static void adopt(struct arrivals *a, uint64_t next_job_id, const struct sim_origin *origin)
{
	struct snapshot s = {.next_job_id = next_job_id};

	if (origin)
		s.sim = *origin;
	a->ops->adopt(a->self, &s);
}

/* --- from a trace --------------------------------------------------------------------------------- */

static struct trace make_trace(const char *lines)
{
	struct trace t;
	struct err err;

	if (!swf_read("test", lines, strlen(lines), 8, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void jobs_of_one_second_arrive_in_file_order(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60 -1 1 5\n2 10 0 60 1 0 0 1 60 -1 1 -1\n"
				    "4 20 0 60 1 0 0 1 60 -1 1 7\n");
	struct arrivals a = arrivals_from_trace(&t);

	(void)state;
	assert_int_equal(next_s(&a), 10);
	check_report(&a, "submit 1 at 10 by u5\nsubmit 2 at 10 by sched\n");
	assert_int_equal(next_s(&a), 20);
	check_report(&a, "submit 4 at 20 by u7\n");
	assert_true(next_s(&a) == TIME_NEVER);
	a.ops->close(a.self);
	trace_clear(&t);
}

static void check_submission(void *self, const struct event *ev)
{
	const struct job *job = &ev->submit.job;

	(void)self;
	assert_int_equal(job->submit_s, 10);
	assert_int_equal(job->true_run_s, 50);
	assert_int_equal(job->wall_limit_s, 600);
	assert_int_equal(job->mem_mb, 2);
	assert_int_equal(job->tasks, 3);
	assert_int_equal(job->task_procs, 1);
	assert_int_equal(job->base_holds, 0);
	assert_true(job->not_before_s == TIME_NONE);
	assert_string_equal(ev->submit.cred[CRED_USER], "u12");
	assert_string_equal(ev->submit.cred[CRED_GROUP], "g0");
	assert_string_equal(ev->submit.cred[CRED_CLASS], "q2147483647");
	assert_null(ev->submit.cred[CRED_ACCOUNT]);
	assert_null(ev->submit.cred[CRED_QOS]);
	assert_string_equal(ev->submit.label, "-9");
	assert_int_equal(ev->job, 1);
}

static void a_submission_has_the_values_of_the_log(void **state)
{
	struct trace t = make_trace("-9 10 0 50 1 0 0 3 600 2048 1 12 0 -1 2147483647\n");
	struct arrivals a = arrivals_from_trace(&t);

	(void)state;
	a.ops->report(a.self, check_submission, NULL);
	a.ops->close(a.self);
	trace_clear(&t);
}

static void check_record(void *self, const struct event *ev)
{
	(void)self;
	assert_int_equal(ev->time_s, 100);
	assert_int_equal(ev->job, 1);
	assert_string_equal(ev->who, "amy");
	assert_string_equal(ev->submit.label, "k5");
	assert_string_equal(ev->submit.hosts, "n001 n003");
	assert_int_equal(ev->submit.job.tasks, 4);
	assert_int_equal(ev->submit.job.task_procs, 2);
	assert_int_equal(ev->submit.job.tasks_per_node, 2);
	assert_int_equal(ev->submit.job.true_run_s, 100);
}

static void a_job_with_a_record_is_submitted_with_its_values(void **state)
{
	static const char text[] =
		"VERSION 230\nk5 0 4 amy g 7200 Completed [fast:1] 100 100 200 300 [NONE] [NONE] [NONE] >= 0 "
		">= 0 [NONE] 100 4 2 [NONE] [NONE] [NONE] cmd [NONE] 0 0 [DEFAULT] 2 0 0 0 0 0 [NONE] 0 "
		"n001:n003\n";
	struct trace t;
	struct arrivals a;
	struct err err;

	(void)state;
	assert_true(maui_workload_read("test", text, sizeof text - 1, &t, &err));
	a = arrivals_from_trace(&t);
	a.ops->report(a.self, check_record, NULL);
	a.ops->close(a.self);
	trace_clear(&t);
}

static void ascending_numbers_with_few_gaps_are_job_ids(void **state)
{
	struct trace up = make_trace("3 1 0 60 1 0 0 1 60\n9 2 0 60 1 0 0 1 60\n");
	struct trace twice = make_trace("3 1 0 60 1 0 0 1 60\n3 2 0 60 1 0 0 1 60\n");
	struct trace down = make_trace("3 2 0 60 1 0 0 1 60\n9 1 0 60 1 0 0 1 60\n");
	struct trace gaps = make_trace("3 1 0 60 1 0 0 1 60\n900 2 0 60 1 0 0 1 60\n");
	struct trace zero = make_trace("0 1 0 60 1 0 0 1 60\n9 2 0 60 1 0 0 1 60\n");

	(void)state;
	assert_true(trace_numbers_are_ids(&up));
	assert_false(trace_numbers_are_ids(&twice));
	assert_false(trace_numbers_are_ids(&down));
	assert_false(trace_numbers_are_ids(&gaps));
	assert_false(trace_numbers_are_ids(&zero));
	trace_clear(&up);
	trace_clear(&twice);
	trace_clear(&down);
	trace_clear(&gaps);
	trace_clear(&zero);
}

static void a_trace_continues_after_the_jobs_of_the_adopted_state(void **state)
{
	struct trace t = make_trace("3 10 0 60 1 0 0 1 60\n8 40 0 60 1 0 0 1 60\n9 75 0 60 1 0 0 1 60\n");
	struct arrivals a = arrivals_from_trace(&t);

	(void)state;
	adopt(&a, 1, NULL);
	assert_int_equal(next_s(&a), 10);
	adopt(&a, 9, NULL);
	assert_int_equal(next_s(&a), 75);
	adopt(&a, 10, NULL);
	assert_true(next_s(&a) == TIME_NEVER);
	a.ops->close(a.self);
	trace_clear(&t);
}

/* --- from the generator --------------------------------------------------------------------------- */

static struct sim_origin make_origin(uint64_t next_index, uint64_t limit, int64_t last_s)
{
	return (struct sim_origin){.seed = 5,
				   .next_index = next_index,
				   .job_limit = limit,
				   .load_pct = 100,
				   .last_s = last_s,
				   .active = 1};
}

static void the_generator_reports_its_position_after_its_arrivals(void **state)
{
	struct sim_origin origin = make_origin(1, 0, 1000);
	struct arrivals a = arrivals_from_workload(PROCS, &origin);
	int64_t at_s = next_s(&a);
	struct str out = {0};
	char tail[64];

	(void)state;
	assert_true(at_s >= 1000);
	a.ops->report(a.self, note_event, &out);
	assert_memory_equal(str_text(&out), "submit 0 at ", 12);
	snprintf(tail, sizeof tail, "\nnext 2 at %lld\n", (long long)at_s);
	assert_non_null(strstr(str_text(&out), tail));
	assert_true(next_s(&a) > at_s);
	a.ops->close(a.self);
	str_free(&out);
}

static void the_generator_stops_at_its_limit(void **state)
{
	struct sim_origin origin = make_origin(1, 3, 0);
	struct arrivals a = arrivals_from_workload(PROCS, &origin);
	struct str out = {0};

	(void)state;
	while (next_s(&a) != TIME_NEVER)
		a.ops->report(a.self, note_event, &out);
	assert_non_null(strstr(str_text(&out), "next 4 at "));
	assert_null(strstr(str_text(&out), "next 5 at "));
	a.ops->close(a.self);
	str_free(&out);
}

static void without_a_generator_there_are_no_arrivals(void **state)
{
	struct arrivals a = arrivals_from_workload(PROCS, &(struct sim_origin){0});

	(void)state;
	assert_true(next_s(&a) == TIME_NEVER);
	a.ops->close(a.self);
}

/* Stores the last reported origin. */
static void note_origin(void *self, const struct event *ev)
{
	if (ev->kind == EVENT_SIM)
		*(struct sim_origin *)self = ev->sim;
}

static void a_restarted_generator_continues_identically(void **state)
{
	struct sim_origin now = make_origin(1, 0, 0);
	struct arrivals whole = arrivals_from_workload(PROCS, &now);

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct arrivals restarted = arrivals_from_workload(PROCS, &now);

		assert_int_equal(next_s(&restarted), next_s(&whole));
		restarted.ops->close(restarted.self);
		whole.ops->report(whole.self, note_origin, &now);
	}
	whole.ops->close(whole.self);
}

static void a_generator_continues_from_the_adopted_state(void **state)
{
	struct sim_origin origin = make_origin(1, 0, 0);
	struct sim_origin elsewhere = make_origin(1, 0, 777777);
	struct arrivals a = arrivals_from_workload(PROCS, &origin);
	struct arrivals b = arrivals_from_workload(PROCS, &elsewhere);

	(void)state;
	adopt(&b, 1, NULL);
	assert_true(next_s(&b) >= 777777);
	a.ops->report(a.self, note_origin, &origin);
	adopt(&b, 2, &origin);
	assert_int_equal(next_s(&b), next_s(&a));
	a.ops->close(a.self);
	b.ops->close(b.self);
}

/* --- the cluster ---------------------------------------------------------------------------------- */

static void the_generator_uses_the_size_of_the_whole_cluster(void **state)
{
	struct sim_origin origin = make_origin(1, 0, 0);
	struct arrivals a = arrivals_from_workload(PROCS, &origin);
	struct rm rm = fake_from_workload(&cluster, &origin);

	(void)state;
	assert_int_equal(rm.ops->next_s(rm.self), next_s(&a));
	rm.ops->close(rm.self);
	a.ops->close(a.self);
}

struct header_row {
	int64_t max_procs, max_nodes;
	uint32_t nodes, node_procs;
};

static void the_cluster_of_a_log_is_derived_from_its_header(void **state)
{
	static const struct header_row row[] = {
		{128, 128, 128, 1},   {1024, 256, 256, 4}, {0, 256, 256, 1},       {100, 0, 100, 1},
		{100, 7, 100, 1},     {4, 8, 4, 1},        {160000, 0, 1000, 160}, {163840, 40960, 1024, 160},
		{65537, 0, 1, 65537}, {1, 1, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct trace t = {.max_procs = row[i].max_procs, .max_nodes = row[i].max_nodes};
		struct fake_cluster c;

		assert_true(cluster_of_trace(&t, &c));
		assert_int_equal(c.nodes, row[i].nodes);
		assert_int_equal(c.node_procs, row[i].node_procs);
	}
	assert_false(cluster_of_trace(&(struct trace){0}, &(struct fake_cluster){0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_of_one_second_arrive_in_file_order),
		cmocka_unit_test(a_submission_has_the_values_of_the_log),
		cmocka_unit_test(a_job_with_a_record_is_submitted_with_its_values),
		cmocka_unit_test(ascending_numbers_with_few_gaps_are_job_ids),
		cmocka_unit_test(a_trace_continues_after_the_jobs_of_the_adopted_state),
		cmocka_unit_test(the_generator_reports_its_position_after_its_arrivals),
		cmocka_unit_test(the_generator_stops_at_its_limit),
		cmocka_unit_test(without_a_generator_there_are_no_arrivals),
		cmocka_unit_test(a_restarted_generator_continues_identically),
		cmocka_unit_test(a_generator_continues_from_the_adopted_state),
		cmocka_unit_test(the_generator_uses_the_size_of_the_whole_cluster),
		cmocka_unit_test(the_cluster_of_a_log_is_derived_from_its_header),
	};

	return cmocka_run_group_tests_name("arrivals", tests, NULL, NULL);
}
