/* SPDX-License-Identifier: MIT */
/*
 * test_fake.c - does the simulated cluster report the right things at the right moments?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/rm/fake.h"
#include "sched/trace/swf.h"

static const struct fake_cluster cluster = {.nodes = 4, .node_procs = 2, .node_mem_mb = 4000};

/* What is reported, one line an event: "submit 7 at 100 by u12". */
static void write_down(void *self, const struct event *ev)
{
	struct str *out = self;

	switch (ev->kind) {
	case EVENT_NODE:
		str_addf(out, "node %s of %u procs %lld MB\n", ev->node.name, ev->node.procs,
			 (long long)ev->node.mem_mb);
		break;
	case EVENT_SUBMIT:
		str_addf(out, "submit %llu at %lld by %s\n", (unsigned long long)ev->job,
			 (long long)ev->time_s, ev->who);
		break;
	case EVENT_END:
		str_addf(out, "end %llu at %lld%s\n", (unsigned long long)ev->job, (long long)ev->time_s,
			 ev->end.at_limit ? " at its limit" : "");
		break;
	case EVENT_SIM:
		str_addf(out, "next %llu at %lld\n", (unsigned long long)ev->sim.next_index,
			 (long long)ev->time_s);
		break;
	default:
		fail_msg("an event of kind %d is not a manager's to report", (int)ev->kind);
	}
}

static void check_poll(struct rm *rm, int64_t now_s, const char *expected)
{
	struct str out = {0};

	rm->ops->poll(rm->self, now_s, write_down, &out);
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

static void start_job(struct rm *rm, uint64_t id, int64_t now_s, int64_t run_s, int64_t limit_s)
{
	const struct job job = {.id = id, .true_run_s = run_s, .wall_limit_s = limit_s};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct err err;

	assert_true(rm->ops->start(rm->self, &job, &run, 1, now_s, &err));
}

static struct trace make_trace(const char *lines)
{
	struct trace t;
	struct err err;

	if (!swf_read("test", lines, strlen(lines), 8, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void the_nodes_are_named_by_number(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&cluster, &t);
	struct str out = {0};

	(void)state;
	rm.ops->nodes(rm.self, write_down, &out);
	assert_string_equal(str_text(&out), "node n001 of 2 procs 4000 MB\nnode n002 of 2 procs 4000 MB\n"
					    "node n003 of 2 procs 4000 MB\nnode n004 of 2 procs 4000 MB\n");
	rm.ops->close(rm.self);
	trace_clear(&t);
	str_free(&out);
}

static void a_thousand_nodes_have_a_digit_more(void **state)
{
	const struct fake_cluster large = {.nodes = 1000, .node_procs = 1};
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&large, &t);
	struct str out = {0};

	(void)state;
	rm.ops->nodes(rm.self, write_down, &out);
	assert_memory_equal(str_text(&out), "node n0001 of 1", 15);
	assert_non_null(strstr(str_text(&out), "node n1000 of 1"));
	rm.ops->close(rm.self);
	trace_clear(&t);
	str_free(&out);
}

static void arrivals_come_in_file_order_at_their_moment(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60 -1 1 5\n2 10 0 60 1 0 0 1 60 -1 1 -1\n"
				    "4 20 0 60 1 0 0 1 60 -1 1 7\n");
	struct rm rm = fake_from_trace(&cluster, &t);

	(void)state;
	assert_int_equal(rm.ops->next_s(rm.self), 10);
	check_poll(&rm, 9, "");
	check_poll(&rm, 10, "submit 1 at 10 by u5\nsubmit 2 at 10 by sched\n");
	assert_int_equal(rm.ops->next_s(rm.self), 20);
	check_poll(&rm, 25, "submit 4 at 20 by u7\n");
	assert_true(rm.ops->next_s(rm.self) == TIME_NEVER);
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void note_submission(void *self, const struct event *ev)
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

static void a_submission_carries_what_the_log_says(void **state)
{
	struct trace t = make_trace("-9 10 0 50 1 0 0 3 600 2048 1 12 0 -1 2147483647\n");
	struct rm rm = fake_from_trace(&cluster, &t);

	(void)state;
	rm.ops->poll(rm.self, 10, note_submission, NULL);
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void at_one_moment_ends_come_before_arrivals_and_in_the_order_of_starts(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n2 10 0 60 1 0 0 1 60\n3 70 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&cluster, &t);

	(void)state;
	check_poll(&rm, 10, "submit 1 at 10 by sched\nsubmit 2 at 10 by sched\n");
	start_job(&rm, 2, 10, 60, 60);
	start_job(&rm, 1, 10, 60, 60);
	assert_int_equal(rm.ops->next_s(rm.self), 70);
	check_poll(&rm, 70, "end 2 at 70\nend 1 at 70\nsubmit 3 at 70 by sched\n");
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void a_late_poll_reports_moment_by_moment(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n2 80 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&cluster, &t);

	(void)state;
	check_poll(&rm, 10, "submit 1 at 10 by sched\n");
	start_job(&rm, 1, 10, 100, 100);
	start_job(&rm, 7, 10, 60, 60);
	check_poll(&rm, 1000, "end 7 at 70\nsubmit 2 at 80 by sched\nend 1 at 110\n");
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void a_job_beyond_its_limit_is_stopped_there(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&cluster, &t);

	(void)state;
	check_poll(&rm, 10, "submit 1 at 10 by sched\n");
	start_job(&rm, 5, 10, 900, 600);
	start_job(&rm, 6, 10, 600, 600);
	check_poll(&rm, 610, "end 5 at 610 at its limit\nend 6 at 610\n");
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void a_real_job_is_refused(void **state)
{
	const struct job job = {.id = 3, .true_run_s = -1, .wall_limit_s = 60};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n");
	struct rm rm = fake_from_trace(&cluster, &t);
	struct err err;

	(void)state;
	assert_false(rm.ops->start(rm.self, &job, &run, 1, 0, &err));
	assert_non_null(strstr(err.text, "job 3 has no run time to simulate"));
	rm.ops->close(rm.self);
	trace_clear(&t);
}

static void numbers_that_ascend_with_few_gaps_are_ids_and_others_are_labels(void **state)
{
	struct trace up = make_trace("3 1 0 60 1 0 0 1 60\n9 2 0 60 1 0 0 1 60\n");
	struct trace twice = make_trace("3 1 0 60 1 0 0 1 60\n3 2 0 60 1 0 0 1 60\n");
	struct trace down = make_trace("3 2 0 60 1 0 0 1 60\n9 1 0 60 1 0 0 1 60\n");
	struct trace gaps = make_trace("3 1 0 60 1 0 0 1 60\n900 2 0 60 1 0 0 1 60\n");
	struct trace zero = make_trace("0 1 0 60 1 0 0 1 60\n9 2 0 60 1 0 0 1 60\n");

	(void)state;
	assert_true(fake_numbers_are_ids(&up));
	assert_false(fake_numbers_are_ids(&twice));
	assert_false(fake_numbers_are_ids(&down));
	assert_false(fake_numbers_are_ids(&gaps));
	assert_false(fake_numbers_are_ids(&zero));
	trace_clear(&up);
	trace_clear(&twice);
	trace_clear(&down);
	trace_clear(&gaps);
	trace_clear(&zero);
}

static struct sim_origin make_origin(uint64_t next_index, uint64_t limit, int64_t last_s)
{
	return (struct sim_origin){.seed = 5,
				   .next_index = next_index,
				   .job_limit = limit,
				   .load_pct = 100,
				   .last_s = last_s,
				   .active = 1};
}

static void the_generator_says_where_it_stands_after_its_arrivals(void **state)
{
	struct sim_origin origin = make_origin(1, 0, 1000);
	struct rm rm = fake_from_workload(&cluster, &origin);
	int64_t at_s = rm.ops->next_s(rm.self);
	struct str out = {0};
	char tail[64];

	(void)state;
	assert_true(at_s >= 1000);
	rm.ops->poll(rm.self, at_s, write_down, &out);
	assert_memory_equal(str_text(&out), "submit 0 at ", 12);
	snprintf(tail, sizeof tail, "\nnext 2 at %lld\n", (long long)at_s);
	assert_non_null(strstr(str_text(&out), tail));
	rm.ops->close(rm.self);
	str_free(&out);
}

static void the_generator_stops_at_its_limit(void **state)
{
	struct sim_origin origin = make_origin(1, 3, 0);
	struct rm rm = fake_from_workload(&cluster, &origin);
	struct str out = {0};

	(void)state;
	rm.ops->poll(rm.self, TIME_NEVER - 1, write_down, &out);
	assert_non_null(strstr(str_text(&out), "next 4 at "));
	assert_null(strstr(str_text(&out), "next 5 at "));
	assert_true(rm.ops->next_s(rm.self) == TIME_NEVER);
	rm.ops->close(rm.self);
	str_free(&out);
}

/* Remembers the last origin that was reported. */
static void note_origin(void *self, const struct event *ev)
{
	if (ev->kind == EVENT_SIM)
		*(struct sim_origin *)self = ev->sim;
}

static void a_generator_that_was_stopped_goes_on_as_if_it_had_not_been(void **state)
{
	struct sim_origin begin = make_origin(1, 0, 0);
	struct rm whole = fake_from_workload(&cluster, &begin);
	struct sim_origin now = begin;

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct rm again = fake_from_workload(&cluster, &now);

		assert_int_equal(again.ops->next_s(again.self), whole.ops->next_s(whole.self));
		again.ops->close(again.self);
		whole.ops->poll(whole.self, whole.ops->next_s(whole.self), note_origin, &now);
	}
	whole.ops->close(whole.self);
}

struct adopting {
	struct state *st;
	struct rm rm;
};

static void apply_to_state(void *self, const struct event *ev)
{
	struct adopting *a = self;
	struct event copy = *ev;
	struct err err;

	if (copy.kind == EVENT_NODE)
		copy.time_s = 0;
	if (!event_apply(a->st, &copy, &err))
		fail_msg("%s", err.text);
}

static void start_in_state(struct adopting *a, uint64_t id, int64_t now_s, uint32_t node)
{
	const struct alloc_run run = {.node = node, .nodes = 1, .procs = 1, .next = INDEX_NONE};
	struct event ev = {.time_s = now_s,
			   .kind = EVENT_START,
			   .job = id,
			   .who = "sched",
			   .start = {.runs = &run, .count = 1}};

	apply_to_state(a, &ev);
}

static void running_jobs_and_the_place_in_the_trace_are_taken_over(void **state)
{
	struct trace t = make_trace("1 10 0 60 1 0 0 1 60\n2 10 0 90 1 0 0 1 100\n3 10 0 60 1 0 0 1 60\n"
				    "8 40 0 60 1 0 0 1 60\n9 75 0 60 1 0 0 1 60\n");
	struct adopting a = {.st = state_new(), .rm = fake_from_trace(&cluster, &t)};
	struct rm other = fake_from_trace(&cluster, &t);
	struct err err;

	(void)state;
	a.rm.ops->nodes(a.rm.self, apply_to_state, &a);
	a.rm.ops->poll(a.rm.self, 10, apply_to_state, &a);
	start_in_state(&a, 2, 10, 0);
	start_in_state(&a, 1, 20, 1);
	a.rm.ops->poll(a.rm.self, 40, apply_to_state, &a);
	start_in_state(&a, 3, 40, 2);
	assert_true(other.ops->adopt(other.self, state_view(a.st), &err));
	check_poll(&other, 100, "submit 9 at 75 by sched\nend 1 at 80\nend 2 at 100\nend 3 at 100\n");
	assert_true(other.ops->next_s(other.self) == TIME_NEVER);
	other.ops->close(other.self);
	a.rm.ops->close(a.rm.self);
	state_free(a.st);
	trace_clear(&t);
}

static void a_state_with_a_generator_goes_on_with_it(void **state)
{
	struct sim_origin origin = make_origin(1, 0, 0);
	struct sim_origin elsewhere = make_origin(1, 0, 777777);
	struct adopting a = {.st = state_new(), .rm = fake_from_workload(&cluster, &origin)};
	struct rm other = fake_from_workload(&cluster, &elsewhere);
	struct err err;

	(void)state;
	a.rm.ops->nodes(a.rm.self, apply_to_state, &a);
	for (int i = 0; i < 3; i++)
		a.rm.ops->poll(a.rm.self, a.rm.ops->next_s(a.rm.self), apply_to_state, &a);
	assert_true(other.ops->adopt(other.self, state_view(a.st), &err));
	assert_int_equal(other.ops->next_s(other.self), a.rm.ops->next_s(a.rm.self));
	other.ops->close(other.self);
	a.rm.ops->close(a.rm.self);
	state_free(a.st);
}

struct machine {
	int64_t max_procs, max_nodes;
	uint32_t nodes, node_procs;
};

static void the_machine_of_a_log_is_read_off_its_header(void **state)
{
	static const struct machine row[] = {
		{128, 128, 128, 1},   {1024, 256, 256, 4}, {0, 256, 256, 1},       {100, 0, 100, 1},
		{100, 7, 100, 1},     {4, 8, 4, 1},        {160000, 0, 1000, 160}, {163840, 40960, 1024, 160},
		{65537, 0, 1, 65537}, {1, 1, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct trace t = {.max_procs = row[i].max_procs, .max_nodes = row[i].max_nodes};
		struct fake_cluster c;

		assert_true(fake_cluster_of(&t, &c));
		assert_int_equal(c.nodes, row[i].nodes);
		assert_int_equal(c.node_procs, row[i].node_procs);
	}
	assert_false(fake_cluster_of(&(struct trace){0}, &(struct fake_cluster){0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nodes_are_named_by_number),
		cmocka_unit_test(a_thousand_nodes_have_a_digit_more),
		cmocka_unit_test(arrivals_come_in_file_order_at_their_moment),
		cmocka_unit_test(a_submission_carries_what_the_log_says),
		cmocka_unit_test(at_one_moment_ends_come_before_arrivals_and_in_the_order_of_starts),
		cmocka_unit_test(a_late_poll_reports_moment_by_moment),
		cmocka_unit_test(a_job_beyond_its_limit_is_stopped_there),
		cmocka_unit_test(a_real_job_is_refused),
		cmocka_unit_test(numbers_that_ascend_with_few_gaps_are_ids_and_others_are_labels),
		cmocka_unit_test(the_generator_says_where_it_stands_after_its_arrivals),
		cmocka_unit_test(the_generator_stops_at_its_limit),
		cmocka_unit_test(a_generator_that_was_stopped_goes_on_as_if_it_had_not_been),
		cmocka_unit_test(running_jobs_and_the_place_in_the_trace_are_taken_over),
		cmocka_unit_test(a_state_with_a_generator_goes_on_with_it),
		cmocka_unit_test(the_machine_of_a_log_is_read_off_its_header),
	};

	return cmocka_run_group_tests_name("fake", tests, NULL, NULL);
}
